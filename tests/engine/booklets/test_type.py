"""How the booklets, the score sheet and the tablets are set: what stays together, and what keeps its distance."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pypdfium2
import pytest

from ppgen.engine.booklets.booklet import Block, Booklet, Figure, Listing, Panel, Paragraph, parse_line
from ppgen.engine.booklets.booklet_pdf import typeset
from ppgen.engine.geometry import Format, Size
from ppgen.printing.drawn_parts import parts_on_a4

pytestmark = pytest.mark.usefixtures("kept")

LANGUAGES = ("da", "de", "en", "fr", "ja", "nl")
MINI, POKER = Format("mini-euro", Size(44, 68)), Format("poker", Size(63.5, 88.9))
BETWEEN = re.compile(r"\r?\n")


def set_pdf(workshop, lang: str, blocks: Sequence[Block], width: float = 122) -> bytes:
    """A booklet of these blocks whose text is so many mm wide."""
    booklet = Booklet(title="Title", running="Title", lang=lang, page=Size(width + 26, 210), blocks=tuple(blocks))
    studio = workshop.studio(workshop.texts(lang), "full")
    faces = {request: studio.draw(request, 0, "test") for request in booklet.requests()}
    return typeset(booklet, faces, workshop.fonts, picture_dpi=0)


def set_lines(workshop, lang: str, blocks: Sequence[Block], width: float) -> list[str]:
    """Its lines, without the words at the foot of its pages."""
    lines = (line.strip() for line in lines_of(set_pdf(workshop, lang, blocks, width)))
    return [line for line in lines if line and not re.fullmatch(r"(\d+ )?Title( \d+)?|\d+", line)]


def lines_of(document: bytes) -> list[str]:
    with pypdfium2.PdfDocument(document) as pdf:
        return [line for page in pdf for line in BETWEEN.split(page.get_textpage().get_text_range())]


def lettering(svg: str) -> list[tuple[str, float, float]]:
    """Each line of text with its baseline and its size, in mm."""
    found = re.findall(r'<text [^>]*?y="([\d.]+)" font-size="([\d.]+)"[^>]*>(.*?)</text>', svg, re.DOTALL)
    return [(re.sub(r"<[^>]+>", "", words), float(y), float(size)) for y, size, words in found]


@pytest.mark.parametrize("width", (44, 60))
def test_the_last_line_of_a_paragraph_is_no_stub(workshop, width):
    for lang, words, least in (("ja", "取ったカードは国ごとに分け、自分の前に表向きで並べます。その枚数は3枚です。", 4),
                               ("nl", "Zodra de rijen leeg zijn, volgt meteen de puntentelling.", 14),
                               ("en", "As soon as the display is empty the game is over, and you score it.", 7)):
        lines = set_lines(workshop, lang, [Paragraph(parse_line(words))], width)
        assert re.sub("[ \u00ad\ufffe]", "", "".join(lines)) == words.replace(" ", "")
        assert len(lines) == 1 or len(lines[-1]) >= least, lines


@pytest.mark.parametrize("width", range(34, 70, 4))
def test_a_word_in_katakana_is_not_divided(workshop, width):
    words = "スタートプレイヤーはカード3ユーロ（エネルギー・プラント）、小「ジョーカー」：フランケン/アラゴンの{}で、"
    words = words.format("マーカー") + words.format("ポイントトラック")
    lines = [line.replace(" ", "") for line in set_lines(workshop, "ja", [Paragraph(parse_line(words))], width)]
    assert "".join(lines) == words
    assert not [each for each in pairwise(lines) if re.search("[ァ-ヺー][ァ-ヺー・]", f"{each[0][-1]}{each[1][0]}")]
    assert not [line for line in lines if line[0] in "、。）」：・ー" or line[-1] in "（「3"]


def test_a_picture_without_room_goes_to_the_next_page_and_the_text_goes_on(workshop):
    picture = Figure(size=Size(80, 60), parts=(), alt="A picture", caption=parse_line("Caption"), floats=True)
    filling = tuple(Paragraph(parse_line(f"Line {n}.")) for n in range(30))
    after = tuple(Paragraph(parse_line(f"After {n}.")) for n in range(3))
    lines = set_lines(workshop, "en", (*filling, picture, *after), 100)
    assert lines.index("After 2.") < lines.index("Caption"), "text fills the page"
    short = set_lines(workshop, "en", (*filling[:4], picture, *after), 100)
    assert short.index("Caption") < short.index("After 0."), "where there is room it stands in its place"


@pytest.mark.parametrize("kind", ["example", "note"])
def test_a_panel_goes_to_the_next_page_as_a_whole_and_only_a_long_note_is_divided(workshop, kind):
    def pages(entries):
        words = [Paragraph(parse_line("Zeile für Zeile wird die Seite voll.")) for _ in range(26)]
        panel = Panel(blocks=(Listing(tuple(parse_line(f"Punkt {n}") for n in range(entries))),), kind=kind)
        with pypdfium2.PdfDocument(set_pdf(workshop, "de", [*words, panel])) as pdf:
            return [page.get_textpage().get_text_range().count("Punkt") for page in pdf]

    assert pages(20) == [0, 20]
    if kind == "note":
        assert sum(pages(80)) == 80


LONG = "Nimm einen abgegebenen Stein zurück in deinen Vorrat."
"""Three lines on a tablet."""


@pytest.mark.parametrize(("lang", "ink", "card"), [
    *((lang, "full", MINI) for lang in LANGUAGES), ("long", "full", MINI), ("long", "low", POKER)])
def test_the_words_of_a_tablet_keep_clear_of_its_rule_and_rim(workshop, deck, lang, ink, card):
    texts = workshop.texts("de" if lang == "long" else lang)
    if lang == "long":
        texts = replace(texts, words={**texts.words, **{f"laws.{law.id}.text": LONG for law in deck.laws}})
    pieces = {piece.id: piece for part in parts_on_a4(workshop, texts, card) for piece in part.components}
    for law in deck.laws:
        svg = workshop.studio(texts, ink).draw(pieces[law.component].front, 0, "test").svg
        rule = float(re.findall(r'd="M[\d.]+ ([\d.]+)h[\d.]+M[\d.]+ [\d.]+h', svg)[-1])
        placed = re.findall(r"translate\([\d.]+[ ,]([\d.]+)\) scale\(([\d.]+)\)", svg)
        spark = next(float(radius) for y, radius in placed if abs(float(y) - rule) < 0.01)
        found = lettering(svg)
        above = [(y, size) for _, y, size in found if y < rule]
        below = [(y, size) for _, y, size in found if y > rule]
        assert above
        assert len(below) >= (2 if lang == "long" else 1)
        # Kanji reach a little below the baseline, and higher than capitals.
        assert rule - max(y + 0.12 * size for y, size in above) >= spark + 0.6
        assert min(y - (0.85 if lang == "ja" else 0.66) * size for y, size in below) - rule >= spark + 0.9
        stone = pieces[law.component].front.size
        assert stone.height - max(y + 0.25 * size for y, size in below) >= 0.1 * stone.width  # the rim of the stone
