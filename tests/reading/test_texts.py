"""Locale files become texts; what a translator got wrong is told, all of it."""

import shutil
import tomllib

import pytest

from ppgen.errors import InputError
from ppgen.reading.texts import _find_words, draft_texts, languages, load_texts
from ppgen.shipped import shipped_root

GERMAN = '[sheet]\nnumber = "Bogen {n} von {of}"\nfront = "Vorderseite"\n[game]\ntitle = "Spiel"\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "de.toml").write_text(GERMAN, encoding="utf-8")
    return tmp_path


def problems_of(folder, lang, text):
    (folder / f"{lang}.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_texts(lang, (folder,))
    return {problem.key: (problem.line, problem.what) for problem in caught.value.problems}


def test_a_value_is_never_a_placeholder_itself(folder):
    assert load_texts("de", (folder,))("sheet.number", n="{of}", of=5) == "Bogen {of} von 5"


def test_a_missing_text_is_an_error_where_it_is_asked_for(folder):
    texts = load_texts("de", (folder,))
    for key, place in {"sheet.gone": rf"{folder.name}[/\\]de\.toml:1 sheet\.gone",
                       "elsewhere.gone": r"^de\.toml elsewhere\.gone"}.items():
        with pytest.raises(InputError, match=f"{place}: text is missing"):
            texts(key)


def test_every_difference_from_the_reference_is_told_with_its_line(folder):
    found = problems_of(folder, "en", '[sheet]\nnumber = "sheet {m} of {of}"\nback = "back"\n[game]\ntitle = "game"\n')
    assert found == {"sheet.number": (2, "has {m}, {of}"), "sheet.back": (3, "is not used"),
                     "sheet.front": (1, "text is missing")}


def test_a_draft_is_lent_what_is_missing_or_wrong(folder):
    (folder / "en.toml").write_text('[sheet]\nnumber = "sheet {m}"\n[game]\ntitle = "game"\n', encoding="utf-8")
    texts, problems = draft_texts("en", (folder,))
    assert dict(texts.words) == {"sheet.number": "Bogen {n} von {of}", "sheet.front": "Vorderseite",
                                 "game.title": "game"}
    assert texts.borrowed == {"sheet.number", "sheet.front"} == {problem.key for problem in problems}


def test_a_message_that_a_language_lacks_is_english(folder):
    message = '[list]\nok = "%s"\nink = "%s"\n'
    for lang, words in {"de": ("Alles gut", "Farbe"), "en": ("All is well", "ink")}.items():
        (folder / f"{lang}.toml").write_text(GERMAN + message % words, encoding="utf-8")
    (folder / "sv.toml").write_text(GERMAN + '[list]\nok = "Allt väl"\n', encoding="utf-8")
    texts, problems = draft_texts("sv", (folder,))
    assert (texts("list.ok"), texts("list.ink"), texts.borrowed) == ("Allt väl", "ink", {"list.ink"})
    assert not problems


@pytest.mark.parametrize(("lang", "lender"), [("nl", "nl"), ("sv", "en")])
@pytest.mark.parametrize(("home", "key"), [("card_game/locales", "explain.short"), ("data/locales", "results.rank")])
def test_a_message_that_a_copy_of_a_game_lacks_is_as_ppgen_has_it(tmp_path, home, key, lang, lender):
    shipped = shipped_root() / "data" / home.removeprefix("data/")
    folder = tmp_path / home
    folder.mkdir(parents=True)
    shutil.copy(shipped / "de.toml", folder)
    table, _, name = key.partition(".")
    lines = (shipped / "nl.toml").read_text("utf-8").partition(f"[{table}]")
    rest = [line for line in lines[2].splitlines() if not line.startswith(f"{name} = ")]
    (folder / f"{lang}.toml").write_text("\n".join([*lines[:2], *rest]), encoding="utf-8")
    texts, problems = draft_texts(lang, [folder])
    assert (texts.words[key], texts.borrowed, problems) == (load_texts(lender, [shipped]).words[key], {key}, [])


def test_a_draft_of_which_a_file_is_missing_or_broken_is_refused(folder):
    with pytest.raises(InputError, match=r"en\.toml: file is missing \(copy de\.toml"):
        draft_texts("en", (folder,))
    (folder / "en.toml").write_text("[sheet", encoding="utf-8")
    with pytest.raises(InputError, match="is not valid TOML"):
        draft_texts("en", (folder,))


@pytest.mark.parametrize("text", ["{n", "n}", "{}", "{n:>9}", "{n.real}", "{N}", "{{n}}"])
def test_only_plain_placeholders_are_allowed(folder, text):
    found = problems_of(folder, "de", GERMAN.replace("Vorderseite", text))
    assert found == {"sheet.front": (3, "has a brace that is not a {placeholder}")}


SHIPPED = sorted({path.parent for path in (shipped_root() / "data").rglob("de.toml")})


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.parent.name + folder.name)
def test_compiled_texts_are_those_of_the_files(folder, monkeypatch):
    """Those of shipped files are not checked again."""
    for lang in languages(folder):
        monkeypatch.setattr("ppgen.reading.texts._find_words", lambda text: None)
        checked, problems = draft_texts(lang, [folder])
        monkeypatch.setattr("ppgen.reading.texts._find_words", _find_words.__wrapped__)
        monkeypatch.setattr("ppgen.reading.texts.find_compiled", lambda text: tomllib.loads(text))
        monkeypatch.setattr("ppgen.reading.texts.Fields", None)
        loaded, none = draft_texts(lang, [folder])
        monkeypatch.undo()
        assert (loaded, loaded.files.keys(), problems, none) == (checked, checked.files.keys(), [], [])
