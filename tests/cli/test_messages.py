"""What commands say and ask on a terminal: in whose language, and which answers are understood."""

from __future__ import annotations

import ast
import ctypes
import os
import plistlib
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from ppgen.cli import start
from ppgen.cli.messages import confirm, format_problems, interface_texts, preferred_languages, translate
from ppgen.cli.options import Number, WholeNumber
from ppgen.cli.print_options import ParsedOption
from ppgen.errors import Phrase, Problem, english_messages
from ppgen.reading.texts import FOREIGN, SCREEN_ONLY, languages
from ppgen.shipped import shipped_root
from ppgen.targets.shop_files import PRODUCT_SHAPES
from tests.cli.test_help import COMMANDS, options

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = languages(shipped_root() / "data" / "locales")


# The language

@posix
def test_the_environment_is_read_as_gettext_reads_it(golden_cases, monkeypatch):
    def answer(variables):
        with monkeypatch.context() as patch:
            for each in variables.strip("-").split():
                patch.setenv(*each.split("="))
            yield " ".join(preferred_languages())

    golden_cases("locales", answer)


@pytest.mark.parametrize(("number", "preferred"), [(0x0411, ("ja",)), (0x0C0C, ("fr",)), (0xFFFF, ())])
def test_windows_is_asked_for_the_language_of_its_user_interface(monkeypatch, number, preferred):
    monkeypatch.setattr(sys, "platform", "win32")
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert preferred_languages() == preferred
    monkeypatch.setenv("LANG", "de_DE")
    assert preferred_languages() == ("de",)


@posix
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


# Questions

def test_yes_and_no_are_words_of_the_language(golden_cases):
    def answer(words):
        lang, _, typed = words.partition(" ")
        command = click.Command("ask", callback=lambda: click.echo(confirm("?", interface_texts(lang))))
        yield CliRunner().invoke(command, input=f"{typed}\n").stdout.strip()

    golden_cases("yes-and-no", answer)


# Texts

def test_every_text_of_the_commands_is_said():
    """``ppgen check`` passes over these tables, so this is where a text that nobody says is found.

    The other languages have the same keys.
    """
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "ppgen").rglob("*.py")))
    quoted, begun = set(re.findall(r"(?<=['\"])[\w.]+(?=['\"])", code)), set(re.findall(r"f['\"](\w+)\.\{", code))
    told = [key for key in interface_texts("en").words
            if key.partition(".")[0] in SCREEN_ONLY - {"scorer", "table", "message"} - FOREIGN]  # below; tests/pages
    unused = [key for key in told if key.removesuffix("_one") not in quoted and key.partition(".")[0] not in begun]
    assert told and not unused


@pytest.mark.slow
def test_every_message_arises_somewhere_with_its_values():
    given: dict[str, set[frozenset[str]]] = {}
    code = [text for path in (ROOT / "ppgen").rglob("*.py") if re.search(
        r"\b(Phrase|_format)\(", text := path.read_text(encoding="utf-8"))]
    for text in code:
        for node in ast.walk(ast.parse(text)):
            if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args
                    and node.func.id in ("Phrase", "_format") and isinstance(node.args[0], ast.Constant)):
                names = frozenset(str(word.arg) for word in node.keywords)
                given.setdefault(str(node.args[0].value), set()).add(names)
    shortages = "many_files", "no_memory"  # keys of ppgen.errors: even the texts may be out of reach by then
    given |= {str(key): {frozenset()} for key in (*PRODUCT_SHAPES[1:], *shortages)}
    assert given == {key: {frozenset(re.findall(r"\{(\w+)\}", text))} for key, text in english_messages().items()}


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
def test_a_wrong_command_line_is_answered_in_one_language_without_a_place_of_the_installation(screen):
    """Missing and unknown arguments and options of each command, and bad values of those that check them at once."""
    lines = []
    for words, command in COMMANDS.items():
        path = words.split()[1:]
        required = [param for param in command.params if param.required]
        lines += [[*path, "--nosuch"], [*path, "a", "b", "c"], *([path] if required else [])]
        lines += [[*path, option.opts[0], "?!"] for option in options(command) if isinstance(option.type, (
            ParsedOption, click.Choice, WholeNumber, Number)) or getattr(option.type, "exists", False)]
    lines += [["build", option, "?!"] for option in ("--skin", "--game", "--lang", "--paper", "--only", "--preset")]
    for line in lines:
        text = screen(*line, lang="de")
        is_english = text.rpartition("\n")[2].startswith("Error: ")
        assert bool(english_words(text) - {"check"}) is is_english and str(shipped_root()) not in text, text
        assert not is_english or "Aufruf" not in text, text


def test_a_screen_is_in_english_where_nobody_has_translated_it(screen):
    for lang in ("en", "pl"):
        assert english_words(screen("build", "--lang", "xx", lang=lang))
