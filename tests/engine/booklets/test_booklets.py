"""The printed booklets: tags, order, fonts, folding, the manifest, and what happens when words are missing."""

import io
import json
import re
import shutil
import subprocess
from contextlib import chdir

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from ppgen.engine.booklets.booklet import iter_words
from ppgen.engine.drawing.fineness import MIN_TYPE_SIZE
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.set_booklets import A5
from tests.pdf_reading import tags, texts_of, type_on

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def booklets(german_set, tmp_path_factory):
    """The booklets of the German set, its rules page by page, and the English guide: bytes by name, and manifests."""
    folder = tmp_path_factory.mktemp("booklets")
    found = [(german_set.folder, german_set.manifest)]
    for words in (("-l", "de", "--only", "rules", "--no-booklet"), ("-l", "en", "--only", "guide")):
        with chdir(folder):
            found.append((folder, json.loads(CliRunner().invoke(main, ["build", *words, "--json"]).stdout)[0]))
    made = [[entry for entry in manifest["files"] if entry["part"] in ("rules", "guide")] for _, manifest in found]
    return {entry["path"].removeprefix("output/"): (home / entry["path"]).read_bytes()
            for (home, _), entries in zip(found, made, strict=True) for entry in entries}, made


PLAIN = ["de/rules-screen.pdf", "en/guide-screen.pdf"]


@pytest.mark.parametrize("name", PLAIN)
def test_no_word_is_smaller_than_5_points(booklets, name):
    with pypdfium2.PdfDocument(booklets[0][name]) as pdf:
        signs = [(sign, size) for page in pdf for sign, size, _ in type_on(page)]
    assert len(signs) > 1000
    assert not {found for found in signs if found[1] < MIN_TYPE_SIZE}


@pytest.mark.parametrize("name", PLAIN)
def test_it_is_tagged_for_screen_readers(booklets, name):
    with pikepdf.open(io.BytesIO(booklets[0][name])) as pdf:
        found = [*tags(pdf.Root.StructTreeRoot.K)]
        kinds = {kind for kind, _ in found}
        assert {"/H1", "/H2", "/P", "/L", "/LI", "/Figure"} <= kinds
        for table in (node for kind, node in found if kind == "/Table"):
            assert "/TH" in dict(tags(table)), "a grid without a head is not announced as a table"
        figures = [node for kind, node in found if kind == "/Figure"]
        assert all(len(str(node.Alt)) > 3 for node in figures)
        levels = [int(kind[2]) for kind, _ in found if re.fullmatch(r"/H[1-6]", kind)]
        assert levels[0] == 1 and levels.count(1) == 1, "the title, and chapters below it"
        assert all(after <= before + 1 or before == 0 for before, after in zip([0, *levels], levels, strict=False))
        assert pdf.Root.MarkInfo.Marked
        assert "/Suspects" not in pdf.Root.MarkInfo, 'poppler: "Suspects object is wrong type (boolean)"'
        assert str(pdf.Root.Lang) == name[:2]
        assert pdf.Root.ViewerPreferences.DisplayDocTitle
        with pdf.open_metadata() as meta:
            assert meta["{http://www.aiim.org/pdfua/ns/id/}part"] == "1"
            assert meta["dc:title"] == str(pdf.docinfo["/Title"])
        if name == "de/rules-screen.pdf":
            assert [kind for kind, _ in found].count("/TH") == 7 * 4, "head cells are head cells"
            with pdf.open_outline() as outline:
                titles = [item.title for item in outline.root]
            assert titles[:4] == ["Worum es geht", "Das Material", "Die Länderkarten", "Vorbereitung"]
            assert titles[-1] == "Kurz gefasst"


@pytest.mark.parametrize("name", PLAIN)
def test_its_fonts_are_embedded_and_its_text_comes_out_in_order_without_markup(booklets, name, tmp_path):
    text = "\n".join(texts_of(booklets[0][name]))
    assert not re.search(r"[{}*]|\bNone\b|\b_|_\b", text)
    if name == "de/rules-screen.pdf":
        wanted = ["Worum es geht", "Das Material", "Vorbereitung", "Karten nehmen", "Anrechtsstein setzen",
                  "Gesetzestafeln", "Länderwertung", "Symbolwertung", "Kettenwertung", "Wer gewinnt", "Kurz gefasst"]
        at = -1
        for words in wanted:
            at = text.lower().index(words.lower(), at + 1)
        assert re.search(r"−2\sSiegpunkte", text) and not re.search(r"−2\s*[\r\n]+Sieg|Sieg[\u00ad\ufffe-]", text)
    if not shutil.which("pdffonts"):
        pytest.skip("pdffonts is not installed")
    file = tmp_path / "booklet.pdf"
    file.write_bytes(booklets[0][name])
    lines = subprocess.run(["pdffonts", file], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    assert lines
    assert all(re.search(r"\byes yes (yes|no)\b", line) for line in lines)


def test_what_is_printed_on_pictured_cards_is_not_in_the_text(booklets, workshop, deck):
    """Names of countries on cards, cut off there or not, stood in the middle of sentences when somebody copied them."""
    texts = workshop.texts("de")
    booklet = workshop.game.rules(texts, parts_on_a4(workshop, texts, workshop.game.card_size), A5, "full")
    words = " ".join(words for _, words in iter_words(booklet))
    found = re.sub(r"[\ufffe\u00ad]\s*", "", "\n".join(texts_of(booklets[0]["de/rules-screen.pdf"])))
    for country in deck.countries:
        for name in (texts(f"countries.{country.id}"), country.code):
            count = len(re.findall(rf"(?i)\b{name}\b", words))
            assert len(re.findall(rf"(?i)\b{name}\b", found)) == count > 0, name


def test_the_manifest_counts_pages_and_sheets(booklets):
    files, made = booklets
    for entries in made:
        for entry in entries:
            with pikepdf.open(io.BytesIO(files[entry["path"].removeprefix("output/")])) as pdf:
                assert len(pdf.pages) == entry["pages"] == len(entry["sides"])
            assert all(side["placements"] == [] for side in entry["sides"])
    counts = {entry["path"]: (entry["pages"], entry["sheets"]) for entries in made[:2] for entry in entries}
    assert counts == {
        "output/de/rules-a4.pdf": (4, 2), "output/de/rules-screen.pdf": (8, 0),
        "output/de/guide-a4-duplex.pdf": (1, 1), "output/de/guide-screen.pdf": (2, 0),
        "output/de/rules-a4-pages.pdf": (8, 8)}
    guide = next(entry for entry in made[0] if entry["path"] == "output/de/guide-a4-duplex.pdf")
    assert [side["side"] for side in guide["sides"]] == ["front"], "two pages lie inside one sheet that has no back"


def test_the_rules_of_the_board_game_fill_two_sheets_in_type_that_can_be_read(desk):
    files = desk.built("--game", "board-game", "-l", "ja", "--paper", "letter", "--only", "rules")["files"]
    assert [(entry["sheets"], entry["pages"]) for entry in files] == [(2, 4), (0, 8)]
    for entry in files:
        with pypdfium2.PdfDocument(desk.folder / entry["path"]) as document:
            assert min(size for page in document for _, size, _ in type_on(page)) >= 6.4


def test_a_folded_booklet_is_a4_landscape_with_its_pages_in_place(booklets):
    with pypdfium2.PdfDocument(booklets[0]["de/rules-a4.pdf"]) as document:
        assert [round(side) for side in document[0].get_size()] == [842, 595]
        width, height = document[0].get_size()
        page = document[0].get_textpage()
        assert "Kurz gefasst".lower() in page.get_text_bounded(right=width / 2).lower()
        assert "Worum es geht".lower() in page.get_text_bounded(left=width / 2).lower()
        assert height < width
    with pypdfium2.PdfDocument(booklets[0]["de/guide-a4-duplex.pdf"]) as document:
        page, width = document[0].get_textpage(), document[0].get_size()[0]
        assert "Was du brauchst" in page.get_text_bounded(right=width / 2), "pictures beside their words"
        assert "Schachtel" in page.get_text_bounded(left=width / 2)


def test_sheets_for_one_side_hold_two_pages_in_reading_order_without_marks(desk):
    path = desk.folder / desk.built("-l", "de", "--only", "rules", "--backs", "fold")["files"][0]["path"]
    with pypdfium2.PdfDocument(path) as document:
        (width, height), pages = document[0].get_size(), [page.get_textpage() for page in document]
        assert width > height
        halves = [words.strip()[-60:] for page in pages
                  for words in (page.get_text_bounded(right=width / 2), page.get_text_bounded(left=width / 2))]
        assert [number for number, half in enumerate(halves, 1) if str(number) in half] == [*range(1, 9)]
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            page.contents_coalesce()
            assert b" l " not in page.Contents.read_bytes(), "a line"
        assert pdf.Root.ViewerPreferences.Duplex == "/Simplex"


def test_rules_of_a_language_without_words_are_missing(own_desk):
    (own_desk.data / "card_game/rules/en.toml").unlink()
    assert "rules/en.toml" in own_desk.run("build", "--data", "data", "-l", "en", "--only", "rules", code=1).stderr


def test_sheets_to_fold_are_turned_for_the_edge_that_the_printer_flips_at(desk):
    """A landscape sheet flipped at its long edge, which is at the top, has its back upside down on the page."""
    for flip, turned in (("long", True), ("short", False)):
        path = desk.built("-l", "de", "--only", "rules", "--flip", flip, "--paper", "letter")["files"][0]["path"]
        with pypdfium2.PdfDocument(desk.folder / path) as document:
            width, _ = document[1].get_size()
            back = document[1].get_textpage()
            halves = back.get_text_bounded(right=width / 2), back.get_text_bounded(left=width / 2)
        second, seventh = reversed(halves) if turned else halves
        assert "Die Länderkarten".lower() in second.lower()
        assert "Symbolwertung".lower() in seventh.lower() or "Kettenwertung".lower() in seventh.lower()


@pytest.mark.parametrize("words", [("--backs", "fold", "--booklet"), ("--flip", "short")])
def test_the_guide_speaks_of_this_build(desk, words):
    _, entry = desk.built("-l", "en", "--only", "guide", *words)["files"]
    text = " ".join("\n".join(texts_of((desk.folder / entry["path"]).read_bytes())).split())
    assert ("fold line" in text) == ("fold" in words)
    assert ("short edge" in text) == ("short" in words)
    assert ("odd pages first" in text) == ("fold" in words), "a printer for one side folds booklets by hand"


def test_the_guide_shows_how_every_sheet_is_cut(booklets, desk):
    """A picture for each file with straight cuts, that says which are made first; stones are cut along their shape."""
    with pikepdf.open(io.BytesIO(booklets[0]["en/guide-screen.pdf"])) as pdf:
        pictures = [str(node.Alt) for kind, node in tags(pdf.Root.StructTreeRoot.K) if kind == "/Figure"]
    assert "first 1–5, then 6–10 across them; the margin stays whole" in pictures[0]
    listed = desk.built("-l", "en", "--dry-run")["files"]
    assert len(pictures) == sum(bool(file["layout"]["cuts"]) for file in listed if file["part"] != "stones")
