"""The printed booklets: tags, order, fonts, folding, the manifest, and what happens when words are missing."""

import io
import json
import re
import shutil
import subprocess
from contextlib import chdir
from itertools import pairwise

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from ppgen.engine.booklets.booklet import iter_words
from ppgen.engine.drawing.svg_check import MIN_TYPE_SIZE
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.set_booklets import A5
from tests.pdf_reading import tags, texts_of, type_on

COUNTERS = "人つ枚位点国種回列周歳月世年分本番組王"
NO_LINE_START = "、。，．：；？！）」』】〉》］々ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def booklets(german_set):
    """The booklets of the German set: bytes by name."""
    return {path.name: path.read_bytes() for path in german_set.folder.glob("output/de/*.pdf")
            if path.name.startswith(("rules", "guide"))}


@pytest.fixture(scope="module")
def japanese(tmp_path_factory):
    """The booklets of the board game in Japanese on Letter: manifest entries and bytes by part."""
    folder = tmp_path_factory.mktemp("japanese")
    with chdir(folder):
        manifests = [json.loads(CliRunner().invoke(main, [
            "build", "--game", game, "-l", "ja", "--paper", "letter", "--only", "rules", "--only", guide,
            "--json"]).stdout)[0] for game, guide in (("card-game", "rules"), ("board-game", "guide"))]
    return {f'{entry["part"]}{"-screen" * ("screen" in entry["path"])}{"-cards" * (manifest["game"] == "card-game")}':
            (entry, (folder / entry["path"]).read_bytes()) for manifest in manifests for entry in manifest["files"]}


PLAIN = ["rules-screen.pdf", "guide-screen.pdf"]


@pytest.mark.parametrize("name", PLAIN)
def test_no_word_is_smaller_than_5_points(booklets, name):
    with pypdfium2.PdfDocument(booklets[name]) as pdf:
        signs = [(sign, size) for page in pdf for sign, size, _ in type_on(page)]
    assert len(signs) > 1000
    assert not {found for found in signs if found[1] < MIN_TYPE_SIZE}


@pytest.mark.parametrize("name", PLAIN)
def test_it_is_tagged_for_screen_readers(booklets, name):
    with pikepdf.open(io.BytesIO(booklets[name])) as pdf:
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
        assert str(pdf.Root.Lang) == "de"
        assert pdf.Root.ViewerPreferences.DisplayDocTitle
        with pdf.open_metadata() as meta:
            assert meta["{http://www.aiim.org/pdfua/ns/id/}part"] == "1"
            assert meta["dc:title"] == str(pdf.docinfo["/Title"])
        if name == "rules-screen.pdf":
            assert [kind for kind, _ in found].count("/TH") == 7 * 4, "head cells are head cells"
            with pdf.open_outline() as outline:
                titles = [item.title for item in outline.root]
            assert titles[:4] == ["Worum es geht", "Das Material", "Die Länderkarten", "Vorbereitung"]
            assert titles[-1] == "Kurz gefasst"


@pytest.mark.parametrize("name", PLAIN)
def test_its_fonts_are_embedded_and_its_text_comes_out_in_order_without_markup(booklets, name, tmp_path):
    text = "\n".join(texts_of(booklets[name]))
    assert not re.search(r"[{}*]|\bNone\b|\b_|_\b", text)
    if name == "rules-screen.pdf":
        wanted = ["Worum es geht", "Das Material", "Vorbereitung", "Karten nehmen", "Anrechtsstein setzen",
                  "Gesetzestafeln", "Länderwertung", "Symbolwertung", "Kettenwertung", "Wer gewinnt", "Kurz gefasst"]
        at = -1
        for words in wanted:
            at = text.lower().index(words.lower(), at + 1)
        assert re.search(r"−2\sSiegpunkte", text) and not re.search(r"−2\s*[\r\n]+Sieg|Sieg[\u00ad\ufffe-]", text)
    if not shutil.which("pdffonts"):
        pytest.skip("pdffonts is not installed")
    file = tmp_path / "booklet.pdf"
    file.write_bytes(booklets[name])
    lines = subprocess.run(["pdffonts", file], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    assert lines
    assert all(re.search(r"\byes yes (yes|no)\b", line) for line in lines)


def test_what_is_printed_on_pictured_cards_is_not_in_the_text(booklets, workshop, deck):
    """Names of countries on cards, cut off there or not, stood in the middle of sentences when somebody copied them."""
    texts = workshop.texts("de")
    booklet = workshop.game.rules(texts, parts_on_a4(workshop, texts, workshop.game.card_size), A5, "full")
    words = " ".join(words for _, words in iter_words(booklet))
    found = re.sub(r"[\ufffe\u00ad]\s*", "", "\n".join(texts_of(booklets["rules-screen.pdf"])))
    for country in deck.countries:
        for name in (texts(f"countries.{country.id}"), country.code):
            count = len(re.findall(rf"(?i)\b{name}\b", words))
            assert len(re.findall(rf"(?i)\b{name}\b", found)) == count > 0, name


def test_the_manifest_counts_pages_and_sheets(booklets, german_set, desk):
    pages = desk.built("-l", "de", "--only", "rules", "--no-booklet")["files"][0]
    made = [entry for entry in (*german_set.manifest["files"], pages) if entry["part"] in ("rules", "guide")]
    files = {**booklets, "rules-a4-pages.pdf": (desk.folder / pages["path"]).read_bytes()}
    for entry in made:
        with pikepdf.open(io.BytesIO(files[entry["path"].removeprefix("output/de/")])) as pdf:
            assert len(pdf.pages) == entry["pages"] == len(entry["sides"])
        assert all(side["placements"] == [] for side in entry["sides"])
    assert {entry["path"]: (entry["pages"], entry["sheets"]) for entry in made} == {
        "output/de/rules-a4.pdf": (4, 2), "output/de/rules-screen.pdf": (8, 0),
        "output/de/guide-a4-duplex.pdf": (1, 1), "output/de/guide-screen.pdf": (2, 0),
        "output/de/rules-a4-pages.pdf": (8, 8)}
    guide = next(entry for entry in made if entry["path"] == "output/de/guide-a4-duplex.pdf")
    assert [side["side"] for side in guide["sides"]] == ["front"], "two pages lie inside one sheet that has no back"


def test_the_longest_rules_fill_two_sheets_in_type_that_can_be_read(japanese):
    rules = [file for name, file in japanese.items() if name.startswith("rules")]
    assert [(entry["sheets"], entry["pages"]) for entry, _ in rules] == 2 * [(2, 4), (0, 8)]
    for _, content in rules:
        with pypdfium2.PdfDocument(content) as document:
            assert min(size for page in document for _, size, _ in type_on(page)) >= 6.4


@pytest.mark.parametrize("name", ["rules", "guide"])
def test_japanese_lines_begin_and_end_as_they_may(japanese, name):
    words = "\n".join(texts_of(japanese[f"{name}-screen"][1]))
    lines = [line.strip() for line in words.splitlines() if line.strip() and "ボードゲーム ·" not in line]
    assert not [line for line in lines if line[0] in NO_LINE_START]
    assert not [line for line in lines if line[-1] in "（「『〈"]
    # Running text is longer than the labels of pictures.
    split = [(line, after) for line, after in pairwise(lines)
             if len(line) > 8 and line[-1].isdigit() and after[0] in COUNTERS]
    assert len(lines) > 30
    assert not split


def test_the_guide_names_files_cuts_and_sizes_as_its_language_does(japanese):
    text = " ".join(" ".join(texts_of(japanese["guide-screen"][1])).split())
    assert all(re.search(words, text) for words in (r"国カード（cards）", r"1〜\d番", r"44 × 68"))


def test_a_folded_booklet_is_a4_landscape_with_its_pages_in_place(booklets):
    with pypdfium2.PdfDocument(booklets["rules-a4.pdf"]) as document:
        assert [round(side) for side in document[0].get_size()] == [842, 595]
        width, height = document[0].get_size()
        page = document[0].get_textpage()
        assert "Kurz gefasst".lower() in page.get_text_bounded(right=width / 2).lower()
        assert "Worum es geht".lower() in page.get_text_bounded(left=width / 2).lower()
        assert height < width
    with pypdfium2.PdfDocument(booklets["guide-a4-duplex.pdf"]) as document:
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


def test_sheets_to_fold_are_turned_for_the_edge_that_the_printer_flips_at(booklets, desk):
    """A landscape sheet flipped at its long edge, which is at the top, has its back upside down on the page."""
    short = desk.folder / desk.built("-l", "de", "--only", "rules", "--flip", "short")["files"][0]["path"]
    for content, turned in ((booklets["rules-a4.pdf"], True), (short.read_bytes(), False)):
        with pypdfium2.PdfDocument(content) as document:
            width, _ = document[1].get_size()
            back = document[1].get_textpage()
            halves = back.get_text_bounded(right=width / 2), back.get_text_bounded(left=width / 2)
        second, seventh = reversed(halves) if turned else halves
        assert "Die Länderkarten".lower() in second.lower()
        assert "Symbolwertung".lower() in seventh.lower() or "Kettenwertung".lower() in seventh.lower()


@pytest.mark.parametrize("words", [("--backs", "fold", "--booklet"), ("--flip", "short")])
def test_the_guide_speaks_of_this_build(desk, words):
    _, entry = desk.built("-l", "de", "--only", "guide", *words)["files"]
    text = " ".join("\n".join(texts_of((desk.folder / entry["path"]).read_bytes())).split())
    assert ("Falzlinien" in text) == ("fold" in words)
    assert ("an der kurzen Kante" in text) == ("short" in words)
    assert ("zuerst die ungeraden Seiten" in text) == ("fold" in words), "a printer for one side folds booklets by hand"


def test_the_guide_shows_how_every_sheet_is_cut(booklets, german_set):
    """A picture for each file with straight cuts, that says which are made first; stones are cut along their shape."""
    with pikepdf.open(io.BytesIO(booklets["guide-screen.pdf"])) as pdf:
        pictures = [str(node.Alt) for kind, node in tags(pdf.Root.StructTreeRoot.K) if kind == "/Figure"]
    assert "zuerst 1–5, dann quer dazu 6–10; der Rand bleibt ganz" in pictures[0]
    assert len(pictures) == sum(bool(file["layout"]["cuts"]) for file in german_set.manifest["files"]
                                if file["part"] != "stones")
