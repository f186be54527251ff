"""The finished PDFs, reopened with other tools: exact, embedded, placed right, the same on every run."""

import re
import shutil
import subprocess
from functools import reduce

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops

from ppgen.engine.pdf.typesetting import GREY_PROFILE
from tests.pdf_reading import ink_of_letters, read_page

PARTS = ("cards", "tablets", "score-sheet", "calibration")
MM = 72 / 25.4


def tool(name):
    """The path of a command; the test is skipped where it is not installed."""
    return shutil.which(name) or pytest.skip(f"{name} is not installed")


@pytest.fixture(params=PARTS)
def pdf(request, german_set):
    """Each file of the German set in turn."""
    with pikepdf.open(german_set.pdf(request.param)) as opened:
        yield opened


@pytest.mark.parametrize(("words", "good"), [
    (("pdffonts",), r"(?s)\A.+?\n-[- ]+\n([A-Z]{6}\+.* yes yes (yes|no) .*\n)+\Z"),
    (("qpdf", "--check"), "No syntax or stream encoding errors found"),
    (("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=nullpage"), r"\A\Z")], ids=lambda words: words[0])
@pytest.mark.parametrize("part", ["cards", "score-sheet"])
@pytest.mark.slow
def test_other_programs_find_all_fonts_embedded_and_subset_and_nothing_to_complain_of(german_set, part, words, good):
    done = subprocess.run([tool(words[0]), *words[1:], german_set.pdf(part)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(good, done.stdout), done.stdout


ACCENTS = {"#9e3b31", "#b8352e"}
"""Colours of headings and numbers beside black."""


@pytest.mark.parametrize("part", ["rules", "guide", "score-sheet", "calibration", "cards"])
def test_what_is_read_or_filled_in_is_set_in_black_ink(german_set, part):
    """Printers screen any other colour. Letters on coloured grounds are white; those of faces are not looked at."""
    for file in german_set.folder.rglob(f"{part}*.pdf"):
        with pypdfium2.PdfDocument(file) as document:
            inks = {ink for page in document for ink in ink_of_letters(page, deep=part != "cards")}
        assert "#000000" in inks and inks <= {"#000000", "#ffffff", "#fffbf0", *ACCENTS}, file.name
        with pikepdf.open(file) as pdf:
            spaces = [*colour_spaces(pdf)]
        assert (pikepdf.Name.DeviceGray in spaces or part == "cards") and 1 not in spaces, file.name


@pytest.mark.slow
@pytest.mark.parametrize("skin", ["", "woodcut"])
def test_a_printer_with_one_ink_screens_nothing_of_low_ink_but_the_bars_of_the_countries(small_desk, skin):
    options = ["--skin", skin] if skin else []
    small_desk.ppgen("build", "-l", "de", "--ink", "low", "--only", "cards", "--only", "score-sheet", *options)
    for part in ("cards", "score-sheet"):
        (file,) = small_desk.folder.rglob(f"{part}*.pdf")
        with pypdfium2.PdfDocument(file) as document:
            page = document[0].render(scale=600 / 72).to_pil().convert("RGB")
        lightest, least = (reduce(pick, page.split()) for pick in (ImageChops.lighter, ImageChops.darker))
        grey = ImageChops.difference(lightest, least).point([255] * 48 + [0] * 208)
        dark = ImageChops.darker(grey, lightest.point([255] * 128 + [0] * 128))
        column = reduce(ImageChops.darker, (ImageChops.offset(lightest, n, 0) for n in range(-2, 3)))
        darkest = reduce(ImageChops.darker, (ImageChops.offset(column, 0, n) for n in range(-2, 3)))
        far_from_black = darkest.point([0] * 24 + [255] * 232)
        assert ImageChops.darker(dark, far_from_black).histogram()[255] < 0.001 * dark.histogram()[255], file.name


def colour_spaces(pdf):
    """The colour spaces that drawings use: names, and the number of components of calibrated ones."""
    for item in pdf.objects:
        resources = item.get("/Resources", {}) if isinstance(item, pikepdf.Dictionary | pikepdf.Stream) else {}
        for name, space in resources.get("/ColorSpace", pikepdf.Dictionary()).items():
            if name != GREY_PROFILE:
                yield int(space[1].N) if isinstance(space, pikepdf.Array) else space


def test_each_page_has_its_label_and_its_bookmark(german_set):
    with pypdfium2.PdfDocument(german_set.pdf("cards")) as document:
        labels = [document.get_page_label(page) for page in range(len(document))]
        marks = [(mark.get_title(), mark.get_dest().get_index()) for mark in document.get_toc()]
    assert labels[:3] == ["1 Vorderseite", "1 Rückseite", "2 Vorderseite"]
    assert len(set(labels)) == len(labels) == german_set.entry("cards")["pages"]
    assert marks[0] == ("Blatt 1 von 4, Vorderseite", 0)
    assert [page for _, page in marks] == list(range(len(labels)))


def test_each_face_is_in_the_file_once(german_set):
    """However often it is placed: 112 places, one back, and no more fronts than there are cards."""
    with pikepdf.open(german_set.pdf("cards")) as pdf:
        placed = [[face.form.objgen for face in read_page(page).faces] for page in pdf.pages]
    assert sum(map(len, placed)) == 112
    fronts, backs = (set().union(*side) for side in (placed[::2], placed[1::2]))
    assert len(backs) == 1
    assert 40 < len(fronts) <= 56


DPI = 100
GHOSTSCRIPT = ("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=png16m", "-r{dpi}", "-dFirstPage={page}",
               "-dLastPage={page}", "-sOutputFile={picture}", "{pdf}")
RENDERERS = {"smoothed Ghostscript": ((*GHOSTSCRIPT[:-1], "-dTextAlphaBits=4", "-dGraphicsAlphaBits=4", "{pdf}"), 40),
             "Ghostscript": (GHOSTSCRIPT, 75), "MuPDF": (("mutool", "draw", "-q", "-r{dpi}", "-o", "{picture}", "{pdf}",
                                                          "{page}"), 50)}


@pytest.mark.slow
@pytest.mark.parametrize(("renderer", "part", "page"), [
    ("smoothed Ghostscript", "cards", 2), ("smoothed Ghostscript", "rules", 1), ("Ghostscript", "tablets", 1),
    *(("MuPDF", part, 1) for part in ("cards", "stones", "score-sheet"))])
def test_other_renderers_show_the_colours_that_pdfium_does(german_set, tmp_path, renderer, part, page):
    """Proofs of print shops and conversions to pictures are smoothed: patterns must not turn white there."""
    (program, *words), bound = RENDERERS[renderer]
    pdf, picture = german_set.pdf(part), tmp_path / "page.png"
    subprocess.run([tool(program), *(word.format(dpi=DPI, page=page, picture=picture, pdf=pdf) for word in words)],
                   check=True, capture_output=True)
    with pypdfium2.PdfDocument(pdf) as document:
        shown = [Image.open(picture).convert("RGB"),
                 document[page - 1].render(scale=DPI / 72).to_pil().convert("RGB")]
        size = [round(length / MM) for length in document[page - 1].get_size()]
    fields = ImageChops.difference(*(each.resize(size, Image.Resampling.BOX) for each in shown))  # of 1 mm
    differences = sorted(reduce(ImageChops.lighter, fields.split()).tobytes())
    assert differences[len(differences) * 99 // 100] < bound
