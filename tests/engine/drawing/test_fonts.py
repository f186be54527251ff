"""The font book: which font sets which character, and how wide."""

import shutil

import pytest

from ppgen.engine.drawing.fonts import read_fonts
from ppgen.errors import InputError

GARAMOND = """
[[fonts]]
family = "EB Garamond"
file = "EBGaramond-Regular.ttf"
"""


def test_a_font_is_found_only_as_it_is(fonts):
    assert fonts.find("EB Garamond", 700).path.name == "EBGaramond-Bold.ttf"
    assert fonts.find("EB Garamond", 400, italic=True).path.name == "EBGaramond-Italic.ttf"
    assert fonts.find("EB Garamond", 900) is None
    assert fonts.find("Cinzel", 700, italic=True) is None
    assert fonts.find("Helvetica") is None


def test_runs_put_together_are_the_text(fonts):
    words = "Kardinal & König – 8 × 漢字 Ω"
    assert "".join(run.text for run in fonts.runs(words, "title")) == words


def test_a_character_is_set_in_the_first_font_of_the_style_that_has_it(fonts):
    greek = fonts.runs("ABα", "title")
    assert [(run.text, run.font.family) for run in greek] == [("AB", "Cinzel"), ("α", "EB Garamond")]


def test_a_space_never_changes_the_font(fonts):
    assert [run.text for run in fonts.runs("α α A", "title")] == ["α α ", "A"]


def test_width_grows_with_the_type_and_with_its_spacing(fonts):
    plain = fonts.width("Frankreich", "title", 1)
    assert plain > 0
    assert fonts.width("Frankreich", "title", 7) == pytest.approx(7 * plain)
    assert fonts.width("ABC", "text", 2, spacing=1) == pytest.approx(fonts.width("ABC", "text", 2) + 3)


def test_kerning_counts(fonts):
    apart = fonts.width("A", "text", 10) + fonts.width("V", "text", 10)
    assert fonts.width("AV", "text", 10) < apart - 0.1


def test_letters_reach_less_far_than_they_are_wide_and_slanted_ones_farther(fonts):
    assert fonts.reach("HU", "title", 10) < fonts.width("HU", "title", 10) - 0.1
    assert fonts.reach("f", "italic", 10) > fonts.width("f", "italic", 10)
    assert fonts.reach("HH", "title", 4, spacing=1) == pytest.approx(
        fonts.width("H", "title", 4, spacing=1) + fonts.reach("H", "title", 4))
    assert fonts.reach("", "title", 4) == 0


def test_spaced_text_has_no_ligatures(fonts):
    ligature = fonts.width("ffi", "text", 10)
    assert fonts.width("ffi", "text", 10, spacing=1e-9) > ligature + 1


def test_every_font_of_the_set_has_what_german_and_english_need(fonts):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜabcdefghijklmnopqrstuvwxyzäöüß0123456789.,:;!?%()-–−×·„“”’/&"
    for style, candidates in fonts.styles.items():
        missing = [sign for sign in letters if not any(font.has(sign) for font in candidates)]
        assert not missing, style


STYLE = '\n[styles.text]\nfamilies = ["EB Garamond"]\n'


@pytest.mark.parametrize(("text", "line", "key", "what"), [
    (GARAMOND + '\n[[fonts]]\nfamily = "Gone"\nfile = "Gone.ttf"\n' + STYLE, 8, "fonts.file", "Gone.ttf not found"),
    (GARAMOND + '\n[styles.text]\nfamilies = ["EB Garamond", "Arial"]\n', 7, "styles.text.families",
     "'Arial' is not a font of the set (known: EB Garamond)"),
    (GARAMOND.replace("EBGaramond", "../data/EBGaramond") + STYLE, 4, "fonts.file", "lies outside the fonts folder"),
    (GARAMOND + "wieght = 700\n" + STYLE, 5, "fonts.wieght", "is not known (known: "),
    (GARAMOND + "\n[styles.text]\nfamilies = []\n", 7, "styles.text.families", ""),
])
def test_a_slip_is_named_with_its_place(fonts, tmp_path, text, line, key, what):
    for name in ("data", "fonts"):
        (tmp_path / name).mkdir()
        shutil.copy(fonts.folder / "EBGaramond-Regular.ttf", tmp_path / name)
    (tmp_path / "fonts" / "fonts.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        read_fonts(tmp_path / "fonts")
    (problem,) = [problem for problem in caught.value.problems if (problem.line, problem.key) == (line, key)]
    assert what in f"{problem.what} ({problem.remedy})"
