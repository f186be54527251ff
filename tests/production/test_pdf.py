"""The finished PDFs, reopened with other tools: exact, embedded, placed right, the same on every run."""

import json
import re
import shutil
import subprocess

import pikepdf
import pypdfium2
import pytest
from pikepdf import Name
from PIL import Image, ImageChops, ImageStat

PARTS = ("cards", "tablets", "score-sheet", "calibration")
MM = 72 / 25.4
PIXELS = 8
"""Pixels to a millimetre of the pictures that are compared."""


def tool(name):
    """The path of a command; the test is skipped where it is not installed."""
    return shutil.which(name) or pytest.skip(f"{name} is not installed")


@pytest.fixture(params=PARTS)
def pdf(request, german_set):
    """Each file of the German set in turn."""
    with pikepdf.open(german_set.pdf(request.param)) as opened:
        yield opened


@pytest.fixture(scope="session")
def cards(german_set):
    """The country cards."""
    with pikepdf.open(german_set.pdf("cards")) as opened:
        yield opened


def pictures(path, pages):
    document = pypdfium2.PdfDocument(path)
    try:
        return [document[page].render(scale=PIXELS / MM).to_pil().convert("RGB") for page in pages]
    finally:
        document.close()


def cut_out(picture, placement, inset=1.0):
    """The picture of a placement without a rim, which smoothing and rounding touch."""
    x, y, width, height = (placement[key] for key in ("x_mm", "y_mm", "width_mm", "height_mm"))
    return picture.crop([round(value * PIXELS) for value in (x + inset, y + inset, x + width - inset,
                                                             y + height - inset)])


def difference(one, other):
    """The mean difference of two pictures, 0 to 255, at a pixel to a millimetre: finer ones are the renderer's."""
    size = [length // PIXELS for length in one.size]
    small = [picture.resize(size, Image.Resampling.BOX) for picture in (one, other)]
    return sum(ImageStat.Stat(ImageChops.difference(*small)).mean) / 3


def mean(picture):
    return sum(ImageStat.Stat(picture).mean) / 3


def fonts_in(pdf):
    """Every font dictionary of a document, with the descriptor that holds its file."""
    for found in pdf.objects:
        if isinstance(found, pikepdf.Dictionary) and found.get("/Type") == Name.Font and "/BaseFont" in found:
            descendant = found.DescendantFonts[0] if "/DescendantFonts" in found else found
            yield str(found.BaseFont), descendant.get("/FontDescriptor")


def test_every_font_is_embedded_and_subset(pdf):
    """But those to write into form fields with: they need all their letters."""
    fonts = list(fonts_in(pdf))
    form = pdf.Root.get("/AcroForm", {})
    writing = {str(font.BaseFont) for font in form.get("/DR", {}).get("/Font", {}).values()}
    assert fonts
    for name, descriptor in fonts:
        assert name in writing or re.fullmatch(r"/[A-Z]{6}\+.+", name), f"{name} is not subset"
        assert descriptor is not None, f"{name} is not embedded"
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor.keys()), f"{name} is not embedded"


@pytest.mark.parametrize("part", PARTS)
def test_pdffonts_agrees(german_set, part):
    table = subprocess.run([tool("pdffonts"), german_set.pdf(part)], capture_output=True, text=True, check=True).stdout
    rows = table.splitlines()[2:]
    assert rows
    for row in rows:
        assert re.search(r"\byes yes (yes|no) ", row), row
        assert re.match(r"[A-Z]{6}\+", row), row


@pytest.mark.parametrize("part", PARTS)
def test_qpdf_finds_nothing_to_complain_of(german_set, part):
    checked = subprocess.run([tool("qpdf"), "--check", german_set.pdf(part)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "No syntax or stream encoding errors found" in checked.stdout


@pytest.mark.parametrize("part", PARTS)
def test_ghostscript_draws_it_without_a_word(german_set, part):
    drawn = subprocess.run([tool("gs"), "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=nullpage", german_set.pdf(part)],
                           capture_output=True, text=True)
    assert (drawn.returncode, drawn.stdout + drawn.stderr) == (0, "")


def test_the_page_is_a4_to_the_thousandth_of_a_point(pdf):
    for page in pdf.pages:
        assert [float(value) for value in page.mediabox] == pytest.approx([0, 0, 595.276, 841.890], abs=6e-4)
        assert list(page.mediabox) == list(page.cropbox)
        assert page.get("/Rotate", 0) == 0


def test_trim_box_lies_in_bleed_box_lies_on_the_page(pdf):
    for page in pdf.pages:
        trim, bleed, media = ([float(value) for value in page.obj[name]] for name in
                              ("/TrimBox", "/BleedBox", "/MediaBox"))
        for inner, outer in ((trim, bleed), (bleed, media)):
            assert outer[0] <= inner[0] < inner[2] <= outer[2]
            assert outer[1] <= inner[1] < inner[3] <= outer[3]


def test_the_trim_box_is_the_bounds_of_the_manifests_placements(cards, german_set):
    for page, side in zip(cards.pages, german_set.entry("cards")["sides"], strict=True):
        placed = side["placements"]
        left, right = min(p["x_mm"] for p in placed), max(p["x_mm"] + p["width_mm"] for p in placed)
        top, bottom = min(p["y_mm"] for p in placed), max(p["y_mm"] + p["height_mm"] for p in placed)
        assert [float(value) for value in page.trimbox] == pytest.approx(
            [left * MM, (297 - bottom) * MM, right * MM, (297 - top) * MM], abs=1e-3)
        assert float(page.obj.BleedBox[0]) == pytest.approx((left - 2) * MM, abs=1e-3)


def test_the_document_says_what_it_is(pdf):
    about = {name: str(pdf.docinfo[name]) for name in ("/Title", "/Author", "/Subject", "/Creator")}
    assert about["/Title"].startswith("Kardinal & König – Das Kartenspiel: ")
    assert "Michael Schacht" in about["/Author"]
    assert about["/Subject"]
    assert about["/Creator"].startswith("ppgen ")
    assert str(pdf.Root.Lang) == "de"
    with pdf.open_metadata(update_docinfo=False, set_pikepdf_as_editor=False) as meta:
        assert meta["dc:title"] == about["/Title"]


def test_no_time_stamp_unless_asked_for(pdf):
    assert "/CreationDate" not in pdf.docinfo
    assert "/ModDate" not in pdf.docinfo


def test_it_asks_to_be_printed_at_full_size_on_its_own_paper(pdf):
    wishes = pdf.Root.ViewerPreferences
    assert wishes.PrintScaling == Name("/None")
    assert wishes.PickTrayByPDFSize
    assert wishes.DisplayDocTitle


def test_it_asks_for_duplex_where_there_are_backs(german_set):
    asked = {}
    for part in PARTS:
        with pikepdf.open(german_set.pdf(part)) as pdf:
            asked[part] = str(pdf.Root.ViewerPreferences.Duplex)
    assert asked == {"cards": "/DuplexFlipLongEdge", "tablets": "/DuplexFlipLongEdge", "score-sheet": "/Simplex",
                     "calibration": "/DuplexFlipLongEdge"}


def test_each_page_has_its_label_and_its_bookmark(german_set):
    document = pypdfium2.PdfDocument(german_set.pdf("cards"))
    labels = [document.get_page_label(page) for page in range(len(document))]
    marks = [(mark.get_title(), mark.get_dest().get_index()) for mark in document.get_toc()]
    document.close()
    assert labels[:3] == ["1 Vorderseite", "1 Rückseite", "2 Vorderseite"]
    assert len(set(labels)) == len(labels) == german_set.entry("cards")["pages"]
    assert marks[0] == ("Blatt 1 von 4, Vorderseite", 0)
    assert [page for _, page in marks] == list(range(len(labels)))


def test_there_is_no_picture_in_it_only_vectors(pdf):
    assert not [found for found in pdf.objects
                if isinstance(found, pikepdf.Stream) and found.get("/Subtype") == Name.Image]


def test_no_file_is_large(german_set):
    assert german_set.pdf("cards").stat().st_size < 1_000_000
    assert sum(german_set.pdf(part).stat().st_size for part in PARTS) < 2_000_000


def test_each_face_is_in_the_file_once(cards):
    """However often it is placed: 112 places, one back, and no more fronts than there are cards."""
    pages = list(cards.pages)
    placed = [{form.objgen for form in page.resources.XObject.values()} for page in pages]
    calls = [page.Contents.read_bytes() if isinstance(page.Contents, pikepdf.Stream)
             else b"\n".join(part.read_bytes() for part in page.Contents) for page in pages]
    assert sum(len(re.findall(rb"/\S+ Do\b", call)) for call in calls) == 112
    assert len(set.union(*placed[1::2])) == 1
    assert 40 < len(set.union(*placed[::2])) <= 56
    assert all(form.Subtype == Name.Form for page in pages for form in page.resources.XObject.values())


def test_the_marks_of_equal_sides_are_in_the_file_once(cards):
    """All fronts but those of the last sheet have the same, as have their backs."""
    marks = [page.Contents[1].objgen for page in cards.pages]
    assert len(marks) > 4
    assert len(set(marks[:-2:2])) == len(set(marks[1:-2:2])) == 1


def test_text_can_be_selected(german_set):
    document = pypdfium2.PdfDocument(german_set.pdf("cards"))
    words = document[0].get_textpage().get_text_range()
    document.close()
    assert words.count("Frankreich") == 8
    assert "Kardinal & König" in words
    assert "100 %" in words


@pytest.mark.parametrize("part", PARTS)
def test_every_page_bears_label_number_and_hint(german_set, part):
    document = pypdfium2.PdfDocument(german_set.pdf(part))
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    sheets = german_set.entry(part)["sheets"]
    for words, side in zip(pages, german_set.entry(part)["sides"], strict=True):
        named = "Vorderseite" if side["side"] == "front" else "Rückseite"
        assert re.search(rf"Blatt \d+ von {sheets} · {named}", words)
        assert "Mit 100 % drucken" in words
        assert "A4" in words


def test_the_scale_bar_is_50_mm_long(german_set):
    """The longest black run in the strip that the bar stands in."""
    (picture,) = pictures(german_set.pdf("calibration"), [0])
    grey = picture.convert("L")
    longest = 0
    for y in range(round((297 - 13) * PIXELS), round((297 - 7) * PIXELS)):
        run = 0
        for x in range(grey.width):
            run = run + 1 if grey.getpixel((x, y)) < 200 else 0
            longest = max(longest, run)
    assert longest / PIXELS == pytest.approx(50, abs=0.6)


def test_the_same_card_looks_the_same_wherever_it_lies(german_set):
    """The two claims of a placement: the picture lies there, and it is upright."""
    side = german_set.entry("tablets")["sides"][0]
    (picture,) = pictures(german_set.pdf("tablets"), [0])
    seen = {}
    for placement in side["placements"]:
        seen.setdefault(placement["component"], []).append(cut_out(picture, placement))
    twins = [found for found in seen.values() if len(found) > 1]
    assert twins
    for first, *others in twins:
        assert all(difference(first, other) < 6 for other in others)
    different = [found[0] for found in seen.values()]
    assert difference(different[0], different[1]) > 10


BLACK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}" data-edge="vellum">
<rect width="{{ face.width }}" height="{{ face.height }}" fill="#000000"/></svg>"""
"""A face that is black up to its trim."""


@pytest.fixture
def black_backs(own_desk):
    """Build tablets with such backs: a picture of each page, and the placements of each side."""
    (own_desk.templates / "card_game" / "law-tablet-back.svg.j2").write_text(BLACK)

    def built(*words):
        done = own_desk.own("build", "--lang", "de", "--only", "tablets", "--json", *words)
        assert done.exit_code == 0, done.output
        (entry,) = json.loads(done.stdout)[0]["files"]
        sides = [side["placements"] for side in entry["sides"]]
        return pictures(own_desk.folder / entry["path"], [*range(len(sides))]), sides

    return built


def test_each_back_lies_behind_its_front(black_backs):
    (_, back), (fronts, backs) = black_backs()
    seen_through = back.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    assert len(fronts) == 8
    for before, behind in zip(fronts, backs, strict=True):
        assert before["component"] == behind["component"]
        assert 210 - behind["x_mm"] - behind["width_mm"] == pytest.approx(before["x_mm"])
        assert mean(cut_out(seen_through, before)) < 6


def test_a_printed_card_reaches_beyond_its_cut(german_set):
    """Half a millimetre outside the outermost trim there is still the card's ground, not paper."""
    side = german_set.entry("cards")["sides"][0]
    (picture,) = pictures(german_set.pdf("cards"), [0])
    first = side["placements"][0]
    middle = first["y_mm"] + first["height_mm"] / 2
    inside = picture.getpixel((round((first["x_mm"] + 0.5) * PIXELS), round(middle * PIXELS)))
    outside = picture.getpixel((round((first["x_mm"] - 1) * PIXELS), round(middle * PIXELS)))
    paper = picture.getpixel((round((first["x_mm"] - 6) * PIXELS), round((middle + 5) * PIXELS)))
    assert inside == outside != paper
    assert paper == (255, 255, 255)


def test_source_date_epoch_is_the_only_date(process, tmp_path):
    done = process("build", "--lang", "de", "--only", "tablets", cwd=tmp_path, SOURCE_DATE_EPOCH="1000000000")
    assert done.returncode == 0, done.stderr
    with pikepdf.open(tmp_path / "output/de/tablets-a4-duplex.pdf") as pdf:
        assert str(pdf.docinfo["/CreationDate"]) == "D:20010909014640Z"


@pytest.fixture
def build(desk):
    """Build tokens with options: their file and the sides of its manifest."""
    def built(*words):
        done = desk.ppgen("build", "--lang", "de", "--only", "tablets", "--json", *words)
        assert done.exit_code == 0, done.output
        (entry,) = json.loads(done.stdout)[0]["files"]
        return desk.folder / entry["path"], entry["sides"]

    return built


def test_low_ink_is_a_design_of_its_own_that_needs_less(build):
    whole = [(pictures(path, [0])[0], sides) for path, sides in (build("--ink", ink) for ink in ("full", "low"))]
    full, low = (cut_out(picture, sides[0]["placements"][0]) for picture, sides in whole)
    assert mean(low) > mean(full) + 10
    assert difference(low.convert("L").convert("RGB"), full.convert("L").convert("RGB")) > 10


def test_an_offset_moves_the_back_by_as_much_as_it_says(build):
    still, moved = pictures(build()[0], [1])[0], pictures(build("--back-offset", "3,-2")[0], [1])[0]
    sides = build("--back-offset", "3,-2")[1]
    for placement in sides[1]["placements"][:8]:
        before = {**placement, "x_mm": placement["x_mm"] - 3, "y_mm": placement["y_mm"] + 2}
        assert difference(cut_out(moved, placement), cut_out(still, before)) < 6


MARKED_BACK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">
<rect width="{{ face.width }}" height="{{ face.height / 4 }}" fill="#000000"/></svg>"""
"""A back whose upper quarter is black."""


@pytest.mark.parametrize("words", [(), ("--flip", "short"), ("--backs", "fold")])
def test_a_back_stands_as_the_manifest_says(own_desk, words):
    (own_desk.templates / "card_game" / "law-tablet-back.svg.j2").write_text(MARKED_BACK)
    done = own_desk.build("--json", *words)
    assert done.exit_code == 0, done.output
    entry, _ = json.loads(done.stdout)[0]["files"]
    for number, side in enumerate(entry["sides"]):
        (picture,) = pictures(own_desk.folder / entry["path"], [number])
        for placed in side["placements"]:
            if placed["face"] == "back":
                found = cut_out(picture, placed)
                strip = found.height // 8
                head = found.crop((0, 0, found.width, strip))
                foot = found.crop((0, found.height - strip, found.width, found.height))
                assert (mean(head) < 10) == (placed["turn"] == 0)
                assert (mean(foot) < 10) == (placed["turn"] == 180)


def test_rotation_turns_the_back_clockwise_about_the_pages_centre(build):
    still, turned = pictures(build()[0], [1])[0], pictures(build("--back-rotation", "2")[0], [1])[0]
    expected = still.rotate(-2, resample=Image.Resampling.BICUBIC, fillcolor="white")
    middle = (still.width // 4, still.height // 3, 3 * still.width // 4, 2 * still.height // 3)
    assert difference(turned.crop(middle), expected.crop(middle)) < 8
    assert difference(turned.crop(middle), still.crop(middle)) > 12


def test_a_back_beyond_the_fold_is_as_large_as_its_front(black_backs):
    (picture,), (placements,) = black_backs("--backs", "fold")
    backs = [placed for placed in placements if placed["face"] == "back"]
    assert len(backs) == 8
    for back in backs:
        assert mean(cut_out(picture, back)) < 6
