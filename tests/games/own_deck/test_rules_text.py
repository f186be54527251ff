"""``rules.md`` of a flat deck: booklet, tagged pages, other languages, and what is wrong with it."""

import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from ppgen.assets import Assets
from ppgen.engine.geometry import A4, Format, Size
from ppgen.errors import InputError
from ppgen.printing.request import BuildRequest
from ppgen.printing.set_booklets import typeset_rules
from ppgen.printing.workshop import PrintRun, Workshop
from tests.games.own_deck.decks import lay_out, read_deck
from tests.pdf_reading import texts_of

CARD = Format("poker", Size(63.5, 88.9))
DECK = read_deck("goblin-rules")


@pytest.fixture
def deck(desk):
    lay_out(desk.folder, DECK)
    gradient = Image.linear_gradient("L").resize((400, 300))
    (desk.folder / "art").mkdir()
    Image.merge("RGB", (gradient, gradient.rotate(90), gradient.rotate(180))).save(desk.folder / "art/wolf.jpg")
    return desk


def typeset(folder, rules=None, lang="en"):
    if rules is not None:
        (folder / "rules.md").write_text(rules, encoding="utf-8")
    workshop = Workshop.open(Assets.at(data=folder))
    request = BuildRequest(langs=(lang,), papers=(A4,), card_size=CARD)
    return typeset_rules(PrintRun(request, workshop, workshop.texts(lang), A4))


def problems(folder, rules):
    with pytest.raises(InputError) as refused:
        typeset(folder, rules)
    return str(refused.value).replace(f"{folder}/", "").splitlines()


def test_whatever_is_wrong_is_told_at_once_with_its_line_and_a_guess(deck):
    found = problems(deck.folder, "# A\n\n:card[dragn] {coi} **x\n\n- :part[card]\n\n![a](art/wulf.jpg) ![b](../x)\n")
    assert found == [
        r"rules.md:3: '**' is not paired (**strong** without spaces inside, or \* for a star that is printed)",
        "rules.md:3: there is no card 'dragn' (did you mean :card[fire-dragon]?)",
        "rules.md:3: there is no icon {coi} (did you mean {coin}?)",
        "rules.md:5: there is no part 'card' (did you mean :part[cards]?)",
        "rules.md:7: there is no picture 'art/wulf.jpg' (did you mean art/wolf.jpg?)",
        "rules.md:7: '../x' is not a file of the deck's folder (write a path inside the folder)"]


def test_the_page_about_it_is_true(deck):
    """Its example makes a booklet, and its messages are those of these mistakes."""
    page = (Path(__file__).parents[3] / "docs/rules-in-markdown.md").read_text(encoding="utf-8")
    example, messages = (re.search(pattern, page, re.DOTALL)[1]
                         for pattern in (r"```markdown\n(.*?)```", r"```\n(rules\.md:.*?)```"))
    for names in (("setup.jpg", "wolf.jpg"), ("{heart}", "{coin}"), ("card[dragon]", "card[fire-dragon]")):
        example = example.replace(*names)
    assert typeset(deck.folder, example).left_out == ()
    found = problems(deck.folder, "\n" * 11 + "**a\n" + "\n" * 5 + ":card[dragn]\n" + "\n" * 12 + "| a | b |\n|---|\n")
    assert [each.replace("fire-dragon", "dragon") for each in found] == messages.strip().splitlines()


def test_nothing_leaves_the_page(deck):
    """Long words, tables, boxes and headings; deep lists; rows of cards."""
    long = "Donaudampfschifffahrtsgesellschaftskapitän" * 3
    text = "\n\n".join((
        f"# {long} of the Gate", f"## {long}", f"### {long}", long, f"- a\n  - b\n    - {long}", f"> **E** {long}",
        "> " + "words that fill a box " * 300, "| a | b |\n|--|--|\n" + "| one two three | four |\n" * 90,
        ":card[goblin] " * 14, f"| a | b |\n|--|--|\n| {'many words in a cell ' * 20} | {'more words ' * 20} |",
        "a " * 1_000 + "{coin} :card[knight]", f"https://example.org/{'x' * 200}"))
    made = typeset(deck.folder, text)
    with pypdfium2.PdfDocument(made.pages) as document:
        assert len(document) > 5
        for page in document:
            width, words = page.get_width(), page.get_textpage()
            boxes = [words.get_charbox(n) for n in range(words.count_chars())]
            assert min(left for left, *_ in boxes) > 13 / 25.4 * 72 - 2
            assert max(right for _, _, right, _ in boxes) < width - 13 / 25.4 * 72 + 3
            assert min(bottom for _, bottom, *_ in boxes) > 10
    heads = [page for page in texts_of(made.pages) if re.search(r"a\s+b\s+one two three", page)]
    assert len(heads) > 2, "the head again"


def finished(path, pages):
    """A PDF of pages of these sides and turns, each wholly coloured, with its number and a link."""
    pdf = Canvas(str(path))
    for number, (across, up, _) in enumerate(pages, 1):
        pdf.setPageSize((across, up))
        pdf.setFillColorRGB(0.4, 0.6, 1)
        pdf.rect(0, 0, across, up, stroke=0, fill=1)
        pdf.setFillColorRGB(0, 0, 0)
        pdf.drawString(across / 3, up / 2, f"page {number}")
        pdf.linkURL("https://example.org", (0, 0, across, up))
        pdf.showPage()
    pdf.save()
    with pikepdf.open(path, allow_overwriting_input=True) as document:
        for page, (_, _, turn) in zip(document.pages, pages, strict=True):
            page.obj.Rotate = turn
        document.save(path)


@pytest.mark.slow
def test_each_page_of_a_finished_pdf_is_whole_in_the_middle_of_its_own(deck):
    pages = [(500, 700, 0), (500, 700, 90), (700, 500, 0), (700, 500, 270), (842, 1191, 180), (150, 900, 0),
             (419, 595, 0)]
    finished(deck.folder / "book.pdf", pages)
    assert deck.ppgen("new", "game", "--from", "book.pdf", "--as", "booklet").exit_code == 0
    made = typeset(deck.folder / "game")
    assert [words.strip() for words in texts_of(made.pages)] == [f"page {n}" for n in range(1, 8)]
    with pypdfium2.PdfDocument(made.pages) as document:
        for page, (across, up, turn) in zip(document, pages, strict=True):
            across, up = (up, across) if turn % 180 else (across, up)
            seen = page.render().to_pil().convert("L").point(lambda light: 255 * (light < 250))
            (left, top, right, bottom), (width, height) = seen.getbbox(), seen.size
            assert min(width - right + left, height - bottom + top) <= 2, "as large as the page"
            assert (right - left) / (bottom - top) == pytest.approx(across / up, rel=0.02)
            assert (left + right, top + bottom) == pytest.approx((width, height), abs=3)
    told = deck.run("build", "--data", "game", "--only", "rules").stderr
    assert told.count("warning: rules.pdf: pages of ") == 4, "once for each scale"
    with pikepdf.open(deck.folder / "output/en/rules-a4.pdf") as sheets:
        assert len(sheets.pages) == 4 and not [page for page in sheets.pages if "/Annots" in page]


@pytest.mark.parametrize("content", [b"", b"%PDF-1.4 torn", b"# Words"])
def test_a_finished_pdf_that_is_wrong_is_named(deck, content):
    (deck.folder / "rules.pdf").write_bytes(content)
    deck.change("deck.toml", "title", 'rules = "rules.pdf"\ntitle')
    with pytest.raises(InputError) as refused:
        typeset(deck.folder)
    assert {problem.place for problem in refused.value.problems} == {"rules.pdf"}
