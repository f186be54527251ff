"""Fonts of a deck: they are added to ppgen's own, whatever their outlines, and set nothing but the deck's pieces."""

import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTCollection, TTFont

from ppgen.engine.drawing.fonts import read_fonts
from ppgen.errors import InputError
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import draw_fronts, lay_out

HOUSE = shipped_root() / "data" / "fonts"
BLOCKS = '[[fonts]]\nfamily = "Blocks"\nfile = "Blocks.otf"\n'
CHARACTERS = [*map(chr, range(33, 127)), *"°·×–−…’“”•"]


def write_block_font(folder, file: str = "Blocks.otf", family: str = "Blocks", characters=CHARACTERS) -> None:
    """Write a font with PostScript outlines (OpenType 1.9, "CFF"): each character is a block, wider than it is high."""
    names = [f"block{ord(character)}" for character in characters]
    pen = T2CharStringPen(1400, None)
    for move, point in ((pen.moveTo, (100, 0)), (pen.lineTo, (1300, 0)), (pen.lineTo, (1300, 700))):
        move(point)
    pen.closePath()
    block, space = pen.getCharString(), T2CharStringPen(600, None).getCharString()
    name = f"{family.replace(' ', '')}-Blocks"
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder([".notdef", "space", *names])
    builder.setupCharacterMap({32: "space", **dict(zip(map(ord, characters), names, strict=True))})
    glyphs = {**dict.fromkeys((".notdef", "space"), space), **dict.fromkeys(names, block)}
    builder.setupCFF(name, {"FullName": family}, glyphs, {})
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (1400, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular", "psName": name})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200)
    builder.setupPost()
    builder.save(folder / file)


@pytest.fixture
def deck(desk):
    """The deck of ``ppgen new --starter empty`` with a font of its own."""
    desk.run("new", ".", "--starter", "empty")
    (desk.folder / "fonts").mkdir()
    write_block_font(desk.folder / "fonts")
    desk.change("card.svg.j2", "size=4.2, min_size=3", "size=1.8")
    return desk


def write_fonts(deck, text: str) -> None:
    (deck.folder / "fonts" / "fonts.toml").write_text(text, encoding="utf-8")


def built(deck, name: str) -> Path:
    (path,) = (deck.folder / "output").rglob(f"{name}-a4*.pdf")
    return path


def fonts_of(deck, name: str) -> set[str]:
    with pikepdf.open(built(deck, name)) as pdf:
        return {str(each.BaseFont).rpartition("+")[2].removesuffix("-Identity-H") for each in pdf.objects
                if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/Font" and "/BaseFont" in each}


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
def test_fonts_with_postscript_outlines_set_a_deck_but_not_the_labels_of_its_sheets(deck):
    write_fonts(deck, BLOCKS + '[styles.text]\nfamilies = ["Blocks"]\n')
    deck.run("build", "--only", "cards", "--only", "calibration")
    assert fonts_of(deck, "cards") == {"Blocks-Blocks", "Cinzel-Bold", "EBGaramond-Regular"}
    assert "Blocks-Blocks" not in fonts_of(deck, "calibration")
    deck.run("check")


def test_a_family_and_a_style_replace_those_of_the_same_name(deck):
    write_block_font(deck.folder / "fonts", "EB Garamond.otf", "EB Garamond")
    write_fonts(deck, BLOCKS + '[[fonts]]\nfamily = "EB Garamond"\nfile = "EB Garamond.otf"\n'
                               '[styles.signs]\nfamilies = ["Blocks"]\n')
    book = read_fonts(deck.folder / "fonts", has_house=True)
    assert book.families == ("Blocks", "EB Garamond", "Cinzel", "Zen Old Mincho", "ppgen Versals", "ppgen Signs")
    assert [font.path.parent for font in book.styles["italic"]][:3] == [deck.folder / "fonts", HOUSE, HOUSE]
    assert [font.family for font in book.styles["signs"]] == ["Blocks", "ppgen Signs", "EB Garamond"]
    assert book.labels[0].path.parent == HOUSE
    deck.run("build", "--only", "cards")
    assert fonts_of(deck, "cards") == {"EBGaramond-Blocks", "Cinzel-Bold", "EBGaramond-Regular"}


def test_each_script_is_one_message_with_boxes_wherever_it_stands_until_a_font_lies_in_the_folder(desk, monkeypatch):
    monkeypatch.setattr("ppgen.games.missing_signs.find_system_font", lambda characters: "")
    lay_out(desk.folder, {"deck.toml": 'title = "용"\n[cards]\ntable = "cards.csv"\nfront = "card.svg.j2"\n',
                          "rules.md": "# 불의\n\nतत त\n",
                          "card.svg.j2": "{{ text('नाम ' ~ card.name, x=4, y=20, width=55, size=4, min_size=1) }}"},
            cards_csv="Name\nअगन\n불용 जग\n")
    (desk.folder / "fonts").mkdir()
    write_block_font(desk.folder / "fonts")
    write_fonts(desk, BLOCKS + '[styles.heading]\nfamilies = ["Blocks"]\n')
    done = desk.run("build", "--only", "cards", "--only", "rules")
    where = "put a font that has them into fonts/: fonts.google.com/noto has one for each script"
    assert [line for line in done.stderr.splitlines() if "no font" in line] == [
        "warning: cards.csv:2 Name: no font has the Devanagari letters of 4 texts, like 'अगन': they are printed as "
        f"boxes ({where})",
        f"warning: cards.csv:3 Name: no font has the Korean letters of 2 texts, like '불용': they are printed as boxes "
        f"({where})"]
    for family, letters in (("Nagari", "अगनजतमा"), ("Gothic", "불의용")):
        write_block_font(desk.folder / "fonts", f"{family}.otf", family, [*letters])
    assert "no font" not in desk.run("build", "--only", "cards", "--only", "rules").stderr
    assert {"Nagari-Blocks", "Gothic-Blocks"} <= fonts_of(desk, "rules")
    assert {"ppgenWords-Regular", "Gothic-Blocks"} <= fonts_of(desk, "cards")
    with pypdfium2.PdfDocument(built(desk, "cards")) as pdf:  # Devanagari is outlines, with its words over them
        text = pdf[0].get_textpage().get_text_range()
        assert "नाम अगन" in text and "□" not in text  # in the label either


@pytest.mark.slow
def test_paragraphs_and_lists_of_rules_begin_on_the_side_that_their_first_letter_is_read_from(deck):
    write_block_font(deck.folder / "fonts", "Ivrit.otf", "Ivrit", [*"אבג"])
    (deck.folder / "rules.md").write_text("# Rules\n\n(1) אב\n\n(2) ab אב\n\n- אג b\n\n3\n", encoding="utf-8")
    deck.run("build", "--only", "rules")
    with pypdfium2.PdfDocument(built(deck, "rules")) as pdf:
        words = pdf[0].get_textpage()
        middle = pdf[0].get_width() / (4 if pdf[0].get_width() > pdf[0].get_height() else 2)
        assert [words.get_charbox(words.search(word).get_next()[0])[0] > middle for word in ("1", "2", "b", "3")] == [
            True, False, False, False]


def test_joiners_and_full_stops_that_scripts_share_are_set_in_the_font_of_their_letters(deck):
    for family, letter in (("Bangla", "খ"), ("Nagari", "क")):
        write_block_font(deck.folder / "fonts", f"{family}.otf", family, [letter, "।", "\u200d"])
    book = read_fonts(deck.folder / "fonts", has_house=True)
    for family, words in (("Bangla", "খ\u200dখ।"), ("Nagari", "क\u200dक।")):
        assert {run.font.family for run in book.runs(words, "text")} == {family}


def test_a_deck_and_a_style_say_in_which_direction_they_are_read(desk):
    lay_out(desk.folder, {"deck.toml": 'dir = "rtl"\n[cards]\ntable = "cards.csv"\nfront = "card.svg.j2"\n',
                          "card.svg.j2": "{{ text(card.name, x=4, y=20, width=55, size=4) }}"
                                         "{{ text(card.name, x=4, y=30, width=55, size=4, style='code') }}"},
            cards_csv="Name\nFire!\n")
    (desk.folder / "fonts").mkdir()
    write_block_font(desk.folder / "fonts")
    write_fonts(desk, BLOCKS + '[styles.code]\nfamilies = ["Blocks"]\ndir = "ltr"\n')
    (face,) = draw_fronts(desk.folder)
    text, code = re.findall(r"<text .*?</text>", face.svg)
    assert re.sub("<.*?>", "", text) == "Fire\u200f!\u200f" and re.sub("<.*?>", "", code) == "Fire!"
    assert 'text-anchor="start"' in code and " x=" not in code.partition(">")[2]


def test_families_and_files_are_copied_into_the_deck_also_out_of_a_collection(desk, tmp_path):
    write_block_font(tmp_path)
    write_block_font(tmp_path, "Gothic.otf", "Gothic", [*"불의용"])
    write_block_font(tmp_path, "Nagari.otf", "Nagari", [*"नम"])
    collection = TTCollection()
    collection.fonts = [TTFont(tmp_path / name) for name in ("Blocks.otf", "Gothic.otf")]
    collection.save(tmp_path / "both.ttc")
    (tmp_path / "torn.ttf").write_bytes(b"font")
    lay_out(desk.folder, {"deck.toml": ""})
    source, file = str(tmp_path / "both.ttc"), str(tmp_path / "Nagari.otf")
    for names, fault in ((["gotic", "--from", source], "is not a font of "), ([source], f"Blocks --from {source}"),
                         ([file, "lost.otf"], "is not a file"), ([str(tmp_path / "torn.ttf")], "is not a font that")):
        assert fault in desk.run("fonts", "add", *names, code=2).stderr
    done = desk.run("fonts", "add", "gothic", file, "--from", source)
    assert done.stdout == "fonts/Gothic-400.otf\nfonts/Nagari-400.otf\n"
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["Licence of Gothic", "Licence of Nagari"]
    book = read_fonts(desk.folder / "fonts", has_house=True)
    assert [(run.text, run.font.family) for run in book.runs("불 A", "text")] == [
        ("불", "Gothic"), (" A", "EB Garamond")], "its space is as wide as its letters"


def test_styles_families_and_missing_signs_of_a_deck_are_listed_and_those_of_the_computer_at_wish(deck, monkeypatch):
    monkeypatch.setattr("ppgen.games.missing_signs.find_system_font", lambda characters: "")
    deck.change("cards.csv", "\n", "\nअगन용")
    write_fonts(deck, BLOCKS + '[styles.heading]\nfamilies = ["Blocks"]\n')
    (deck.folder / "rules.md").write_text("# Rules\n\nไพ่\n", encoding="utf-8")
    lines = [re.split("  +", line) for line in deck.run("fonts").stdout.splitlines()]
    assert ["style", "heading", "Blocks, ppgen Signs"] in lines
    assert [row[1:] for row in lines if row[0] == "family"] == [["Blocks", "in fonts/"], *(
        [family, "of ppgen"] for family in read_fonts(HOUSE).families)]
    missing = [row[1] for row in lines if row[0] == "missing"]
    assert [script in row for script, row in zip(("Devanagari", "Korean", "Thai"), missing, strict=True)] == [True] * 3
    assert len(deck.run("fonts", "--all").stdout.splitlines()) >= len(lines)


@pytest.mark.parametrize("start", [b"wOF2", b"wOFF"])
def test_a_font_for_web_pages_is_named_as_such(deck, start):
    (deck.folder / "fonts" / "Web.woff2").write_bytes(start + b"\0" * 60)
    write_fonts(deck, '[[fonts]]\nfamily = "Web"\nfile = "Web.woff2"\n')
    with pytest.raises(InputError) as caught:
        read_fonts(deck.folder / "fonts", has_house=True)
    assert "Web.woff2 is a font for web pages (WOFF), which is not read (pip install fonttools brotli, " \
        "run fonttools ttLib -o Web.ttf Web.woff2, and remove Web.woff2)" in str(caught.value)


def test_of_fonts_of_one_family_the_two_that_clash_are_named(tmp_path):
    for name, weight in (("a", 400), ("b", 700), ("c", 700), ("d", 900), ("e", 400)):
        write_block_font(tmp_path, f"{name}.otf")
        with TTFont(tmp_path / f"{name}.otf") as font:
            font["OS/2"].usWeightClass = weight
            font.save(tmp_path / f"{name}.otf")
    with pytest.raises(InputError) as refused:
        read_fonts(tmp_path, has_house=True)
    said = [str(problem) for problem in refused.value.problems]
    assert ["c.otf" in said[0] and "as b.otf" in said[0], "e.otf" in said[1] and "as a.otf" in said[1]] == [True, True]
    assert len(said) == 2
