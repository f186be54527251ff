"""The font book: which font sets which character, and how wide."""

import shutil
from dataclasses import replace

import pytest
from fontTools.ttLib import TTFont

from ppgen.engine.drawing.fonts import read_fonts
from ppgen.errors import InputError


def test_a_character_is_set_in_the_first_font_of_the_style_that_has_it(fonts):
    greek = fonts.runs("ABα", "title")
    assert [(run.text, run.font.family) for run in greek] == [("AB", "Cinzel"), ("α", "EB Garamond")]


def test_width_grows_with_the_type_and_with_its_spacing_and_kerning_counts(fonts):
    plain = fonts.width("Frankreich", "title", 1)
    assert plain > 0 and fonts.width("Frankreich", "title", 7) == pytest.approx(7 * plain)
    assert fonts.width("ABC", "text", 2, spacing=1) == pytest.approx(fonts.width("ABC", "text", 2) + 3)
    assert fonts.width("AV", "text", 10) < fonts.width("A", "text", 10) + fonts.width("V", "text", 10) - 0.1


def test_letters_reach_less_far_than_they_are_wide_and_slanted_ones_farther(fonts):
    assert fonts.reach("HU", "title", 10) < fonts.width("HU", "title", 10) - 0.1
    assert fonts.reach("f", "italic", 10) > fonts.width("f", "italic", 10)
    assert fonts.reach("HH", "title", 4, spacing=1) == pytest.approx(
        fonts.width("H", "title", 4, spacing=1) + fonts.reach("H", "title", 4))
    assert fonts.reach("ABα", "title", 4) == pytest.approx(fonts.width("AB", "title", 4) + fonts.reach("α", "title", 4))
    assert fonts.reach("", "title", 4) == 0


def test_a_slip_is_named_with_its_place(golden_cases, fonts, tmp_path):
    for name in ("data", "fonts"):
        (tmp_path / name).mkdir()
        shutil.copy(fonts.folder / "EBGaramond-Regular.ttf", tmp_path / name)

    def answer(text):
        (tmp_path / "fonts" / "fonts.toml").write_text(text)
        with pytest.raises(InputError) as caught:
            read_fonts(tmp_path / "fonts")
        yield str(caught.value).replace(f"{tmp_path}/", "")

    golden_cases("font-slips", answer)


def test_bold_and_italic_come_from_the_family_and_what_it_lacks_is_remembered(fonts):
    book = replace(fonts)
    assert [run.font.path.name for run in book.runs("A漢", "text/bold")] == ["EBGaramond-Bold.ttf",
                                                                             "ZenOldMincho-Bold.ttf"]
    assert [run.font.path.name for run in book.runs("A漢", "text/italic")] == ["EBGaramond-Italic.ttf",
                                                                               "ZenOldMincho-Regular.ttf"]
    assert not [*book.substitutes]
    assert book.runs("A", "Cinzel/italic")[0].font.path.name == "Cinzel-Bold.ttf"
    assert book.runs("A", "text/bold/italic")[0].font.path.name == "EBGaramond-Italic.ttf"
    assert [*book.substitutes] == [("Cinzel", "italic"), ("EB Garamond", "bold")]
    with pytest.raises(KeyError):
        book.runs("A", "text/wide")


def test_each_set_remembers_what_its_own_words_lack(fonts):
    one, other = (read_fonts(fonts.folder, has_house=True) for _ in range(2))
    one.runs("\U00013080", "Cinzel/italic")
    assert (one.missing, [*one.substitutes]) == ({"\U00013080"}, [("Cinzel", "italic")])
    assert (other.missing, [*other.substitutes]) == (set(), [])


def save_as(folder, fonts, file, family):
    font = TTFont(fonts.folder / "Cinzel-Bold.ttf")
    for record in font["name"].names:
        if record.nameID in (1, 16):
            record.string = family
    font.save(folder / file)


def test_fonts_in_a_folder_of_their_own_are_styles_by_their_names(tmp_path, fonts):
    save_as(tmp_path, fonts, "start.ttf", "Press Start 2P")
    (tmp_path / "OFL.txt").write_text("licence")
    book = read_fonts(tmp_path, has_house=True)
    font = book.runs("A", "Press Start 2P/bold")[0].font
    assert (font.family, font.weight, font.path) == ("Press Start 2P", 700, tmp_path / "start.ttf")
    assert book.runs("漢", "Press Start 2P")[0].font.family == "Zen Old Mincho"
    assert book.runs("A", "text") == fonts.runs("A", "text")


def test_fonts_that_cannot_be_used_are_reported_together(tmp_path, fonts):
    good = (fonts.folder / "Cinzel-Bold.ttf").read_bytes()
    for name, data in (("a.woff2", b"wOF2" + bytes(40)), ("b.ttf", b"ttcf" + b"\xff" * 50), ("c.ttf", good[:3000]),
                       ("d.otf", b"hello")):
        (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_fonts(tmp_path, has_house=True)
    assert [(problem.place.rpartition("/")[2], problem.what) for problem in caught.value.problems] == [
        ("a.woff2", "is a font for web pages (WOFF), which is not read"), ("b.ttf", "is a collection of fonts"),
        ("c.ttf", "is not a font that can be read"), ("d.otf", "is not a font that can be read")]
