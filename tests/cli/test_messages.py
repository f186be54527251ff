"""What commands say and ask on a terminal: in whose language, and which answers are understood."""

from __future__ import annotations

import ast
import ctypes
import errno
import os
import pickle
import plistlib
import re
import sys
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from ppgen.cli import start
from ppgen.cli.messages import confirm, format_problem, format_problems, interface_texts, preferred_languages, translate
from ppgen.errors import Problem
from ppgen.reading.texts import FOREIGN, SCREEN_ONLY, languages
from ppgen.shipped import Phrase, english_messages, shipped_root
from ppgen.targets.shop_orders import PRODUCT_SHAPES

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = languages(shipped_root() / "data" / "locales")


# The language

@pytest.mark.parametrize(("variables", "preferred"), [
    ({}, ()), ({"LANG": "C"}, ()), ({"LANG": "C.UTF-8"}, ()), ({"LC_ALL": "POSIX", "LANG": "fr_FR"}, ()),
    ({"LANG": "fr_FR.UTF-8"}, ("fr",)), ({"LANG": "sr_RS@latin"}, ("sr",)),
    ({"LANG": "nl", "LC_MESSAGES": "da_DK"}, ("da",)), ({"LANG": "nl", "LC_ALL": "ja_JP.eucJP"}, ("ja",)),
    ({"LANG": "es_ES.UTF-8", "LANGUAGE": "ca:fr_CA:en"}, ("ca", "fr", "en", "es")),
    ({"LANG": "C", "LANGUAGE": "fr"}, ()), ({"LANGUAGE": "fr"}, ())])
def test_the_environment_is_read_as_gettext_reads_it(monkeypatch, variables, preferred):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert preferred_languages() == preferred


@pytest.mark.parametrize(("number", "preferred"), [(0x0411, ("ja",)), (0x0C0C, ("fr",)), (0xFFFF, ())])
def test_windows_is_asked_for_the_language_of_its_user_interface(monkeypatch, number, preferred):
    monkeypatch.setattr(sys, "platform", "win32")
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert preferred_languages() == preferred
    monkeypatch.setenv("LANG", "de_DE")
    assert preferred_languages() == ("de",)


@pytest.mark.parametrize(("settings", "preferred"), [
    (plistlib.dumps({"AppleLanguages": ["da-DK", "en-US"]}), ("da",)), (plistlib.dumps({}), ()), (b"?", ()),
    (None, ())])
def test_macos_is_asked_for_its_first_language(monkeypatch, tmp_path, settings, preferred):
    folder = tmp_path / "Library" / "Preferences"
    folder.mkdir(parents=True)
    if settings is not None:
        (folder / ".GlobalPreferences.plist").write_bytes(settings)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert preferred_languages() == preferred


@pytest.mark.parametrize(("requested", "locale", "lang"), [
    ("fr", "de_DE.UTF-8", "fr"), ("FR", "C", "fr"), (None, "ja_JP.UTF-8", "ja"), ("all", "nl_BE", "nl"),
    ("tlh", "da_DK.UTF-8", "da"), (None, "C", "en"), (None, "pl_PL.UTF-8", "en")])
def test_texts_are_in_the_requested_language_or_that_of_the_locale_or_english(monkeypatch, requested, locale, lang):
    monkeypatch.setenv("LC_ALL", locale)
    assert interface_texts(requested).lang == lang


def test_a_language_in_ppgen_toml_is_that_of_the_set_and_not_of_messages(desk, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    (desk.folder / "ppgen.toml").write_text('lang = "ja"\n')
    assert "Pas encore de profil." in desk.ppgen("printer", "list").stderr
    assert "Noch kein Profil." in desk.ppgen("printer", "list", "--lang", "de").stderr


# Questions

@pytest.mark.parametrize("lang, answer, meant", [
    ("de", "j", True), ("de", "Ja", True), ("de", "y", True), ("de", "nein", False), ("de", "", True),
    ("fr", "o", True), ("fr", "OUI", True), ("fr", "non", False), ("en", "yes", True), ("en", "n", False),
    ("nl", "ja", True), ("nl", "nee", False), ("da", "nej", False), ("ja", "はい", True), ("ja", "いいえ", False),
    ("ja", "ｎ", False)])
def test_yes_and_no_are_words_of_the_language(lang, answer, meant):
    command = click.Command("ask", callback=lambda: click.echo(confirm("?", interface_texts(lang))))
    assert CliRunner().invoke(command, input=f"{answer}\n").stdout.strip() == str(meant)


def test_what_is_no_answer_is_asked_again():
    command = click.Command("ask", callback=lambda: click.echo(confirm("Los?", interface_texts("de"), default=False)))
    done = CliRunner().invoke(command, input="o\nja\n")
    assert done.stdout.strip().endswith("True")
    assert "Los? [j/N]" in done.stderr and "Bitte mit j (ja) oder n (nein) antworten." in done.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_default_is_the_capital_letter(lang):
    say = interface_texts(lang)
    for key, other, capital in (("usually_yes", "no", "yes"), ("usually_no", "yes", "no")):
        hint = say(f"answers.{key}")
        assert say(f"answers.{capital}").split()[0].upper() in hint and say(f"answers.{other}").split()[0] in hint


# Texts

@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_of_the_commands_is_said(lang):
    """``ppgen check`` passes over these tables, so this is where a text that nobody says is found."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "ppgen").rglob("*.py")))
    quoted, begun = set(re.findall(r"(?<=['\"])[\w.]+(?=['\"])", code)), set(re.findall(r"f['\"](\w+)\.\{", code))
    told = [key for key in interface_texts(lang).words
            if key.partition(".")[0] in SCREEN_ONLY - {"scorer", "table", "message"} - FOREIGN]  # below; tests/pages
    unused = [key for key in told if key.removesuffix("_one") not in quoted and key.partition(".")[0] not in begun]
    assert told and not unused


@pytest.mark.slow
def test_every_message_arises_somewhere_with_its_values():
    given: dict[str, set[frozenset[str]]] = {}
    for path in (ROOT / "ppgen").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args
                    and node.func.id in ("Phrase", "_format") and isinstance(node.args[0], ast.Constant)):
                names = frozenset(str(word.arg) for word in node.keywords)
                given.setdefault(str(node.args[0].value), set()).add(names)
    given |= {str(shape): {frozenset()} for shape in PRODUCT_SHAPES[1:]}
    assert given == {key: {frozenset(re.findall(r"\{(\w+)\}", text))} for key, text in english_messages().items()}


@pytest.mark.skipif(os.name != "posix", reason="the words of POSIX systems")
@pytest.mark.parametrize("number", [
    errno.EACCES, errno.ENOSPC, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST,
    errno.ENAMETOOLONG, errno.EADDRINUSE])
def test_reasons_of_the_system_are_translated(monkeypatch, number):
    reason = os.strerror(number)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    said = translate(Phrase("unwritable", message=reason))
    assert said.startswith("lässt sich nicht schreiben: ") and reason not in said


@pytest.mark.slow
def test_what_others_say_is_found_by_its_own_english_words():
    """No other one is more specific: each comes back as its own translation, in all languages."""
    english = interface_texts("en").words
    for lang in LANGUAGES:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LANG", f"{lang}_XX.UTF-8")
            words = interface_texts().words
            for key, text in english.items():
                if key.partition(".")[0] in FOREIGN:
                    filled = {name: f"<{name}>" for name in re.findall(r"\{(\w+)\}", text)}
                    assert translate(text.format(**filled)) == words[key].format(**filled), key


CONTROL = Phrase("code_point", message=Phrase("control_character"), code="0007")


@pytest.mark.parametrize(("phrase", "english", "german"), [
    (Phrase("set_home", message=Phrase("name_history")), "set HOME, or name the file with --history",
     "HOME setzen, oder mit --history eine Datei nennen"),
    (Phrase("damaged_game", message=ValueError(Phrase("unreadable_field", field="result"))),
     "is damaged: its result can't be read", "ist beschädigt: „result“ ist nicht lesbar"),
    (Phrase("at_most_mm", length=2.5), "at most 2.5 mm", "höchstens 2,5\u00a0mm"),
    (Phrase("one_of", message="'a b', it's, 'c'"), "one of 'a b', it's, 'c'", "eins von „a b“, it's, „c“"),
    (Phrase("invisible", message=CONTROL), "holds a control character (U+0007)",
     "enthält ein Steuerzeichen (U+0007)")])
def test_messages_inside_a_message_are_translated_with_it(monkeypatch, phrase, english, german):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert (phrase, translate(phrase)) == (english, german)


def test_a_message_stays_one_in_an_exception_a_copy_and_another_process():
    for copy in (str(ValueError(CONTROL)), deepcopy(CONTROL), pickle.loads(pickle.dumps(CONTROL))):
        assert (copy, copy.key, copy.values) == (CONTROL, CONTROL.key, CONTROL.values)


def test_a_problem_keeps_its_place_and_its_values(monkeypatch):
    problem = Problem(place="ppgen.toml", line=3, key="build.paper", more=2, what=Phrase(
        "unknown_format", message=Phrase("paper"), text="a {9}", names="a4, a3", example="200x250mm"),
                      remedy=Phrase("known", message=Phrase("none")))
    assert format_problem(problem) == str(problem)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert format_problem(problem) == (
        "ppgen.toml:3 build.paper und 2 weitere: Papier „a {9}“ ist nicht bekannt (bekannt: a4, a3; oder ein Maß wie "
        "200x250mm) (bekannt: keine)")


def test_a_message_without_a_translation_stays_english_and_so_does_the_rest_of_its_line(monkeypatch):
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert translate("'palyer' is not one of name, points") == "'palyer' is not one of name, points"
    problem = Problem(place="cards.csv", line=2, key="id", what=Phrase("is_missing"),
                      remedy="write a name that no other has")
    assert format_problem(problem) == str(problem)


def test_a_listing_is_in_one_language(monkeypatch):
    """One line without a translation makes all of it English, the word before warnings, too."""
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    translated = Problem(place="--paper", what=Phrase("invisible", message=CONTROL))
    english = Problem(place="cards.csv", what="has feathers")
    assert format_problems([translated], [translated]) == [
        "\x1b[33mAchtung\x1b[0m: --paper: enthält ein Steuerzeichen (U+0007)",
        "--paper: enthält ein Steuerzeichen (U+0007)"]
    assert format_problems([translated], [english]) == [
        f"\x1b[33mwarning\x1b[0m: {translated}", "cards.csv: has feathers"]


# Screens

TWO_PLAYERS = '{"players": [{"name": "A"}, {"name": "B"}]}'
SCREENS = {
    ("build", "--only", "tablets", "--dry-run", "--margin", "5mm"): (
        """output/de/tablets-a4-duplex-margin5.pdf  2 Seiten, 1 Blatt
PDF-Dateien, die geschrieben würden: 1; Blatt Papier: 1.
Alles mit 100~% drucken („tatsächliche Größe“).
Achtung: --margin: der Druck reicht bis 5~mm an den Rand, was manche Drucker nicht können (nachsehen, ob alle """
        "Marken auf dem Papier sind)",
        """output/fr/tablets-a4-duplex-margin5.pdf  2 pages, 1 feuille
Fichiers PDF qui seraient écrits~: 1~; feuilles de papier~: 1.
Imprimez tout à 100~% («~taille réelle~»).
attention: --margin: l’impression va jusqu’à 5~mm du bord, ce que certaines imprimantes ne peuvent pas (vérifiez """
        "que tous les repères sont sur le papier)"),
    ("build", "--lang", "xx"): (
        "--lang: „xx“ ist keine Sprache dieses Sets (eins von de, da, en, fr, ja, nl, oder all)",
        "--lang: «~xx~» n’est pas une langue de ce jeu (au choix~: de, da, en, fr, ja, nl, ou all)"),
    ("build", "--lang", "german"): (
        "--lang: „german“ ist keine Sprache dieses Sets (meinst du de? bekannt: de, da, en, fr, ja, nl, oder all)",
        "--lang: «~german~» n’est pas une langue de ce jeu (vouliez-vous dire de~? possibles~: de, da, en, fr, ja, "
        "nl, ou all)"),
    ("build", "--lang", "de,en"): (
        "--lang: „de,en“ ist keine Sprache dieses Sets (eins von de, da, en, fr, ja, nl, oder all; mehrere so: "
        "-l de -l en)",
        "--lang: «~de,en~» n’est pas une langue de ce jeu (au choix~: de, da, en, fr, ja, nl, ou all~; plusieurs~: "
        "-l de -l en)"),
    ("build", "cards"): (
        """Aufruf: ppgen build [OPTIONS]
Hilfe (englisch): ppgen build --help

Fehler: Überzählige Angabe (cards)""",
        """Utilisation~: ppgen build [OPTIONS]
Aide (en anglais)~: ppgen build --help

Erreur~: Argument en trop (cards)"""),
    ("build", "--only", "rules", "--paper", "a5", "--dry-run"): (
        """output/de/rules-a5-pages.pdf  8 Seiten, 8 Blatt
output/de/rules-screen.pdf  8 Seiten, für den Bildschirm
Achtung: --paper a5: ist zu klein für zwei Seiten von 148 × 210 mm nebeneinander: Spielregel und """
        """Bastelanleitung kommen als Einzelseiten (auf A4 oder Letter drucken; --no-booklet schaltet diese Warnung ab)
PDF-Dateien, die geschrieben würden: 2; Blatt Papier: 8.
Alles mit 100~% drucken („tatsächliche Größe“).""",
        """output/fr/rules-a5-pages.pdf  8 pages, 8 feuilles
output/fr/rules-screen.pdf  8 pages, pour l’écran
attention: --paper a5: est trop petit pour deux pages de 148 × 210 mm côte à côte~: règles et guide seront """
        """en pages simples (imprimez-les sur A4 ou Letter~; --no-booklet supprime cet avertissement)
Fichiers PDF qui seraient écrits~: 2~; feuilles de papier~: 8.
Imprimez tout à 100~% («~taille réelle~»)."""),
    ("build", "--only", "card"): (
        "--only: das Set hat keinen Teil „card“ (meinst du cards? bekannt: cards, tablets, stones, tokens, "
        "score-sheet, box, calibration, rules, guide, oder die ID eines Stücks)",
        "--only: le jeu n’a pas d’élément «~card~» (vouliez-vous dire cards~? possibles~: cards, tablets, stones, "
        "tokens, score-sheet, box, calibration, rules, guide, ou l’ID d’une pièce)"),
    ("build", "--paper", "a9"): (
        """Aufruf: ppgen build [OPTIONS]
Hilfe (englisch): ppgen build --help

Fehler: Ungültiger Wert für „--paper“: Papier „a9“ ist nicht bekannt (bekannt: a5, a4, a3, a2, letter, legal, """
        "tabloid; oder ein Maß wie 200x250mm)",
        """Utilisation~: ppgen build [OPTIONS]
Aide (en anglais)~: ppgen build --help

Erreur~: Valeur incorrecte pour «~--paper~»~: papier «~a9~» inconnu (possibles~: a5, a4, a3, a2, letter, """
        "legal, tabloid~; ou une mesure comme 200x250mm)"),
    ("build", "--bleed", "11mm"): (
        """Aufruf: ppgen build [OPTIONS]
Hilfe (englisch): ppgen build --help

Fehler: Ungültiger Wert für „--bleed“: 11mm liegt außerhalb der Grenzen (von 0~mm bis 10~mm)""",
        """Utilisation~: ppgen build [OPTIONS]
Aide (en anglais)~: ppgen build --help

Erreur~: Valeur incorrecte pour «~--bleed~»~: 11mm est hors limites (de 0~mm à 10~mm)"""),
    ("score", "two.json", "--lang", "ja"): (
        "two.json players: Spieler: 2 (das Spiel ist für 3 bis 5)",
        "two.json players: joueurs~: 2 (le jeu est pour 3 à 5)"),
    ("score", "none.toml"): (
        "none.toml: Datei nicht gefunden (Name und Ordner prüfen)",
        "none.toml: fichier introuvable (vérifiez son nom et son dossier)"),
    ("score", "game.doc"): (
        "game.doc: Dateityp „.doc“ ist nicht bekannt (.toml, .json, .csv, .tsv, .pdf nehmen, oder - für JSON über die "
        "Standardeingabe)",
        "game.doc: type de fichier «~.doc~» inconnu (prenez .toml, .json, .csv, .tsv, .pdf, ou - pour du JSON sur "
        "l’entrée standard)"),
    ("score", "game"): (
        "game: hat keine Dateiendung (.toml, .json, .csv, .tsv, .pdf nehmen, oder - für JSON über die "
        "Standardeingabe)",
        "game: n’a pas d’extension (prenez .toml, .json, .csv, .tsv, .pdf, ou - pour du JSON sur l’entrée standard)"),
    ("score", "bad.json"): (
        "bad.json:1: ist kein gültiges JSON: hier fehlt „:“",
        "bad.json:1: JSON non valable~: il manque un deux-points"),
    ("score", "two.json", "-o", "x.csv"): (
        "--output: ist nur für --template da (auch --template toml angeben; die ausgefüllte Tabelle schreibt --sheet)",
        "--output: ne sert qu’avec --template (ajoutez --template toml~; --sheet écrit la feuille de score)"),
    ("history", "list", "--history", "h.db"): (
        "Noch ist kein Spiel gespeichert: ppgen score --save speichert eines.",
        "Aucune partie gardée pour l’instant~: ppgen score --save en garde une."),
    ("history", "show", "99", "--history", "h.db"): (
        "history: es gibt kein Spiel 99 (ppgen history zeigt alle)",
        "history: il n’y a pas de partie 99 (ppgen history les affiche toutes)"),
    ("printer", "remove", "x"): (
        "x: „x“ ist kein gespeicherter Drucker (bekannt: keine)",
        "x: «~x~» n’est pas une imprimante enregistrée (possibles~: aucun)"),
    ("printer", "save"): (
        """Aufruf: ppgen printer save [OPTIONS] NAME
Hilfe (englisch): ppgen printer save --help

Fehler: Es fehlt NAME: ein beliebiger Name, zum Beispiel ppgen printer save home""",
        """Utilisation~: ppgen printer save [OPTIONS] NAME
Aide (en anglais)~: ppgen printer save --help

Erreur~: NAME manque~: un nom au choix, par exemple ppgen printer save home"""),
    ("printer", "save", "poker", "--rulers", "100,100"): (
        "poker: bedeutet in den Namen der Dateien etwas anderes (einen anderen Namen wählen, etwa home)",
        "poker: veut dire autre chose dans les noms de fichiers (choisissez un autre nom, comme home)"),
    ("printer", "save", "x", "--a", "1,1"): (
        "--b: fehlt (beide Skalen ablesen: Ihr Unterschied zeigt, ob die Rückseite schief ist)",
        "--b: manque (lisez les deux échelles~: leur différence montre si le verso est de travers)"),
    ("init", "."): (
        ".: ist nicht leer (einen neuen Ordner wählen)", ".: n’est pas vide (choisissez un nouveau dossier)"),
    ("list", "--game", "chess"): (
        "--game: „chess“ gehört nicht zu den Spielen von ppgen (bekannt: card-game, board-game)",
        "--game: «~chess~» n’est pas un jeu de ppgen (possibles~: card-game, board-game)"),
    ("export", "cut", "--only", "tablets", "--dry-run", "--format", "svg"): (
        """output/de/cut-tablets-a4-duplex-1.svg  8 Schnitte, 210 × 297 mm
Achtung: --marks: die Blätter haben keine Marken für die Kamera eines Schneideplotters (ein Silhouette braucht """
        """--marks silhouette, hier und bei ppgen build)
Dateien, die geschrieben würden: 1.
Passt zu den Blättern von: ppgen build --only tablets""",
        """output/fr/cut-tablets-a4-duplex-1.svg  8 coupes, 210 × 297 mm
attention: --marks: les feuilles n’ont pas de repères pour la caméra d’une découpeuse (une Silhouette demande """
        """--marks silhouette, ici et avec ppgen build)
Fichiers qui seraient écrits~: 1.
Correspond aux feuilles de~: ppgen build --only tablets"""),
    ("export", "scorer", "--open"): (
        """Aufruf: ppgen export scorer [OPTIONS]
Hilfe (englisch): ppgen export scorer --help

Fehler: --open ist nur für --serve da.""",
        """Utilisation~: ppgen export scorer [OPTIONS]
Aide (en anglais)~: ppgen export scorer --help

Erreur~: --open ne sert qu’avec --serve."""),
}
"""What commands print, stdout before stderr, in German and in French; ~ is an unbreakable space."""
ENGLISH = frozenset("the with and found give known sheet sheets written missing this that file files not from choose "
                    "check leave error usage try invalid such would be must should value marks there kept yet folder "
                    "are them".split())
"""Words that no other language has."""


@pytest.fixture
def screen(desk, monkeypatch, tmp_path, capfd):
    """What the program prints, stdout before stderr, with the messages of click."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    (desk.folder / "two.json").write_text(TWO_PLAYERS)
    (desk.folder / "bad.json").write_text('{"a" 3}')

    def run(*words: str, lang: str) -> str:
        monkeypatch.setenv("LANG", f"{lang}_XX.UTF-8")
        monkeypatch.setattr(sys, "argv", ["ppgen", *words])
        start._execute()
        output = capfd.readouterr()
        return (output.out + output.err).strip()

    return run


def english_words(text: str) -> set[str]:
    return ENGLISH & set(re.findall(r"(?<![\w-])[a-z]+(?![\w-])", text.lower()))


@pytest.mark.slow
@pytest.mark.parametrize("words", SCREENS, ids=" ".join)
def test_a_screen_is_in_one_language(screen, words):
    for lang, text in zip(("de", "fr"), SCREENS[words], strict=True):
        assert screen(*words, lang=lang) == text.replace("~", "\u00a0")
    third = ("da", "nl", "ja")[[*SCREENS].index(words) % 3]
    text = screen(*words, lang=third)
    assert text and not english_words(text), text


def test_a_screen_is_in_english_where_nobody_has_translated_it(screen):
    for lang in ("en", "pl"):
        assert english_words(screen("build", "--lang", "xx", lang=lang))
