"""Locale files become texts; what a translator got wrong is told, all of it."""

import pytest

from ppgen.errors import InputError
from ppgen.reading.texts import draft_texts, languages, load_texts

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


def test_a_text_is_filled_in(folder):
    texts = load_texts("de", (folder,))
    assert texts("sheet.number", n=2, of=5) == "Bogen 2 von 5"
    assert texts.unused() == ("sheet.front", "game.title")


def test_a_value_is_never_a_placeholder_itself(folder):
    assert load_texts("de", (folder,))("sheet.number", n="{of}", of=5) == "Bogen {of} von 5"


def test_a_missing_text_is_an_error_where_it_is_asked_for(folder):
    texts = load_texts("de", (folder,))
    for key, place in {"sheet.gone": rf"{folder.name}/de\.toml:1 sheet\.gone",
                       "elsewhere.gone": r"^de\.toml elsewhere\.gone"}.items():
        with pytest.raises(InputError, match=f"{place}: text is missing"):
            texts(key)


def test_a_placeholder_without_a_value_is_an_error(folder):
    with pytest.raises(InputError, match=r"unknown placeholder \{of\} \(known here: n\)"):
        load_texts("de", (folder,))("sheet.number", n=1)


def test_every_difference_from_the_reference_is_told_with_its_line(folder):
    found = problems_of(folder, "en", '[sheet]\nnumber = "sheet {m} of {of}"\nback = "back"\n[game]\ntitle = "game"\n')
    assert found == {"sheet.number": (2, "has the placeholders m, of"), "sheet.back": (3, "is not used"),
                     "sheet.front": (1, "text is missing")}


@pytest.mark.parametrize("text", ["{n", "n}", "{}", "{n:>9}", "{n.real}", "{N}", "{{n}}"])
def test_only_plain_placeholders_are_allowed(folder, text):
    found = problems_of(folder, "de", GERMAN.replace("Vorderseite", text))
    assert found == {"sheet.front": (3, "has a brace that is not a {placeholder}")}


def test_a_text_that_is_no_text_or_empty_is_told(folder):
    found = problems_of(folder, "de", GERMAN.replace('"Vorderseite"', "3").replace('"Spiel"', '""'))
    assert found == {"sheet.front": (3, "3 is not a text"), "game.title": (5, "is empty")}


def test_a_language_is_a_file_with_its_name_the_reference_first(folder):
    for name in ("en.toml", "ja.toml", "pt-BR.toml", "README.toml", "notes.txt"):
        (folder / name).write_text("")
    assert languages(folder) == ("de", "en", "ja", "pt-BR")


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


def test_english_itself_lacks_no_message(folder):
    (folder / "de.toml").write_text('[list]\nok = "Alles gut"\n', encoding="utf-8")
    assert problems_of(folder, "en", "[list]\n") == {"list.ok": (1, "text is missing")}


def test_a_draft_of_which_a_file_is_missing_or_broken_is_refused(folder):
    with pytest.raises(InputError, match=r"en\.toml: file is missing \(copy de\.toml"):
        draft_texts("en", (folder,))
    (folder / "en.toml").write_text("[sheet", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        draft_texts("en", (folder,))
    (problem,) = caught.value.problems
    assert "is not valid TOML" in problem.what


def test_a_problem_of_a_text_is_shown_where_it_is_written(folder):
    problem = load_texts("de", (folder,)).problem("game.title", "is dull")
    assert (problem.place.rpartition("/")[2], problem.line, problem.key) == ("de.toml", 5, "game.title")
