"""A validator finds printed sheets PDF/A-2b (ISO 19005-2), pages for the screen and forms PDF/UA-1 (ISO 14289-1)."""

from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Pdf
from PIL import Image, ImageCms

from ppgen.engine.pdf.typesetting import save_pdf
from ppgen.printing.set_build import fill_score_sheet
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import lay_out

ARCHIVED, READ_ALOUD = "PDF_A_2B", "PDF_UA_1"
CARD = '{{ fill("#808080") }}{{ image(card.art, x=5, y=5, width=50, height=60) }}'


def judge(path: Path) -> tuple[str, list[tuple[str, str]]]:
    """The standard that a document names, and the rules of it that it breaks."""
    page = pytest.importorskip("page", reason="page-validation is not installed")
    report = page.validate_pdf(path)
    return report.profile.name, [(failure.rule_id, failure.message) for failure in report.failures]


@pytest.mark.slow
@pytest.mark.parametrize(("part", "standard"), [
    *((part, ARCHIVED) for part in ("tablets", "box", "calibration", "rules")),
    *((part, READ_ALOUD) for part in ("rules-screen", "guide-screen", "score-sheet"))])
def test_each_file_of_a_set_keeps_to_a_standard(german_set, part, standard):
    name = part.removesuffix("-screen")
    entry = next(file for file in german_set.manifest["files"]
                 if file["part"] == name and ("screen" in file["path"]) == (name != part))
    assert judge(german_set.folder / entry["path"]) == (standard, [])


@pytest.mark.slow
def test_a_board_in_tiles_and_nested_pieces_keep_to_it_too(desk):
    desk.run("build", "--game", "board-game", "--lang", "de", "--skin", "plain", "--only", "board", "--only", "pieces")
    for path in desk.folder.rglob("*.pdf"):
        assert judge(path) == (ARCHIVED, []), path.name


@pytest.mark.slow
@pytest.mark.parametrize("words", [("--game", "board-game", "--large-print", "--lang", "ja"),
                                   ("--data", str(shipped_root() / "data" / "starters" / "tile-laying"))],
                         ids=["two pages", "own deck"])
def test_each_score_sheet_can_be_read_aloud(desk, words):
    desk.run("build", *words, "--only", "score-sheet")
    (path,) = desk.folder.rglob("*.pdf")
    assert judge(path) == (READ_ALOUD, [])


@pytest.mark.slow
def test_what_is_filled_in_keeps_to_it(tmp_path):
    path = tmp_path / "sheet.pdf"
    path.write_bytes(fill_score_sheet("card-game", {"p1.name": "Žofie", "p2.name": "良子", "p1.ships": "2+1"}, "de"))
    assert judge(path) == (READ_ALOUD, [])


@pytest.fixture
def deck(desk):
    """A deck of three cards with pictures of several kinds."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    plain = Image.new("RGB", (50, 60), "#c05020")
    plain.save(desk.folder / "colours.jpg", icc_profile=profile)
    plain.convert("CMYK").save(desk.folder / "print.jpg")
    plain.convert("L").save(desk.folder / "grey.jpg")
    plain.putalpha(120)
    plain.save(desk.folder / "veil.png")
    lay_out(desk.folder, {"deck.toml": '[cards]\ntable = "cards.csv"\nfront = "card.svg.j2"\n', "card.svg.j2": CARD,
                          "cards.csv": "id,art\na,colours.jpg\nb,print.jpg\nc,grey.jpg\nd,veil.png\n"})
    return desk


def build(deck) -> Path:
    deck.run("build", "--only", "cards")
    (path,) = deck.folder.joinpath("output").rglob("*.pdf")
    return path


def test_photographs_of_a_deck_of_ones_own_keep_to_it(deck):
    assert judge(build(deck)) == (ARCHIVED, [])


def test_so_does_a_deck_in_black_alone(deck):
    deck.change("card.svg.j2", CARD, '{{ text("Ace", x=5, y=9, width=50, size=5, fill="#000000") }}')
    assert judge(build(deck)) == (ARCHIVED, [])


def test_a_date_is_the_same_in_both_places(deck, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    path = build(deck)
    with pikepdf.open(path) as pdf, pdf.open_metadata(update_docinfo=False) as meta:
        assert str(pdf.docinfo.CreationDate).startswith("D:20231114221320")
        assert meta["xmp:CreateDate"].startswith("2023-11-14T22:13:20")
    assert judge(path) == (ARCHIVED, [])


def test_a_page_of_another_program_may_be_anything_so_nothing_is_promised(deck):
    Image.new("RGB", (50, 60), "#c05020").save(deck.folder / "page.pdf")
    deck.change("cards.csv", "colours.jpg", "page.pdf")
    with pikepdf.open(build(deck)) as pdf, pdf.open_metadata(update_docinfo=False) as meta:
        assert "pdfaid:part" not in meta


def test_data_that_end_in_a_carriage_return_end_where_their_length_says():
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(100, 100)).obj.Contents = pdf.make_stream(b"\x0c")  # Adler-32: 00 0D 00 0D
        content = save_pdf(pdf)
    assert b"\r\rendstream" in content and b"\r\nendstream" not in content
    with pypdfium2.PdfDocument(content) as document:
        assert len(document) == 1
