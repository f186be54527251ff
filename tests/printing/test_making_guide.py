"""The making guide: the order and the ends of its cuts, and how its words are written in every language."""

import re
from dataclasses import replace
from itertools import pairwise, product

import pytest

from ppgen.assets import Assets
from ppgen.engine.booklets.booklet import FigureLabel, iter_words
from ppgen.engine.component import Stock
from ppgen.engine.geometry import A4, Format, Size
from ppgen.engine.imposition.impose import impose, impose_tiled
from ppgen.engine.imposition.sheets import Backs, BookletLayout, Item, SheetSpec
from ppgen.printing.request import PLAIN_SKIN, BuildRequest
from ppgen.printing.set_booklets import (NUMBER_WIDTH_MM, PICTURE_HEIGHT_MM, GuideFacts, GuideFile, draw_sheet,
                                         guide_facts_to_read, make_guide, straight_cuts)
from ppgen.printing.workshop import PrintRun, Workshop
from ppgen.reading.texts import load_texts
from ppgen.shipped import shipped_root
from tests.test_languages import LANGUAGES

LETTER = Format("letter", Size(215.9, 279.4))
CARDS = GuideFile(part="cards", title="Deck", stock=Stock.CARD, sheets=1, both_sides=False,
                  imposition=impose([Item(id="card", size=Size(44, 68))] * 9, SheetSpec(paper=A4), "cards"))


@pytest.mark.parametrize("backs", list(Backs))
@pytest.mark.parametrize(("paper", "size"), [(A4, Size(44, 68)), (LETTER, Size(63.5, 88.9)), (A4, Size(22, 22))])
def test_cuts_go_from_mark_to_mark_and_leave_the_margin_whole(size, paper, backs):
    """The long cuts come first; every edge of every piece is cut; no cut goes on through the margin, where the
    marks of the others stand."""
    items = [Item(id=f"piece-{n}", size=size, edge="plain") for n in range(15)]
    for sheet in impose(items, SheetSpec(paper=paper, backs=backs), "pieces").sheets:
        fronts = [piece for piece in sheet.sides[0].placements if piece.face == "front"]
        first, later = straight_cuts(sheet)
        assert {cut.upright for cut in first} == {not cut.upright for cut in later}
        assert max(b - a for cut in first for a, b in cut.runs) >= max(b - a for cut in later for a, b in cut.runs)
        for cut in (*first, *later):
            for start, end in cut.runs:
                ends = {(box.y, box.bottom) if cut.upright else (box.x, box.right)
                        for box in (piece.bleed_box for piece in fronts)}
                assert start in {a for a, _ in ends} and end in {b for _, b in ends}
        for piece in fronts:
            for cuts, edges, (low, high) in (
                    ([cut for cut in (*first, *later) if cut.upright], (piece.trim.x, piece.trim.right),
                     (piece.trim.y, piece.trim.bottom)),
                    ([cut for cut in (*first, *later) if not cut.upright], (piece.trim.y, piece.trim.bottom),
                     (piece.trim.x, piece.trim.right))):
                for edge in edges:
                    assert any(abs(cut.at - edge) < 0.001 and any(a <= low and high <= b for a, b in cut.runs)
                               for cut in cuts)


def test_how_a_board_is_cut_is_told_where_its_tiles_are_joined(workshop):
    """A picture of a tile has nothing to show of cuts; a set without other sheets has no section on cutting."""
    spec, texts = SheetSpec(paper=A4), workshop.texts("en")
    board = GuideFile(part="board", title="Plan", stock=Stock.BOARD, sheets=4, both_sides=False,
                      imposition=impose_tiled([Item(id="board", size=Size(510, 374), has_back=False)], spec, "board"))

    def told(*files: GuideFile) -> str:
        request = BuildRequest(langs=("en",), papers=(A4,), backs=Backs.NONE, booklet=BookletLayout.FOLDED)
        making = GuideFacts(request=request, paper=A4, files=files, sleeve=None)
        return "\n".join(words for _, words in iter_words(make_guide(texts, making)))

    both = told(board, CARDS)
    assert "“Plan”: which tile goes where." in both and "“Deck”, sheet" in both and "“Plan”, sheet" not in both
    assert "Cutting" not in told(board).split("\n")
    assert "cloth tape" in both and "cloth tape" not in told(CARDS)


@pytest.mark.parametrize(("size", "are_cards"), [(Size(44, 68), True), (Size(68, 44), True), (Size(44, 44), False)])
def test_the_guide_tells_of_cards_where_some_are_printed(workshop, size, are_cards):
    request = BuildRequest(langs=("en",), papers=(A4,), card_size=workshop.game.card_size)
    facts = GuideFacts(request=request, paper=A4, files=(replace(CARDS, sizes=frozenset({size})),), sleeve=None)
    written = [words for _, words in iter_words(make_guide(workshop.texts("en"), facts))]
    assert ["Sleeves" in written, any("cards of 44" in words for words in written)] == [are_cards] * 2


@pytest.mark.parametrize("lang", ["de", "ja"])
@pytest.mark.parametrize("margin", [8.0, 5.5])
def test_the_guide_warns_of_print_near_the_edge(workshop, lang, margin):
    texts, spec = workshop.texts(lang), SheetSpec(paper=A4, margin=margin)
    cards = replace(CARDS, imposition=impose([Item(id="card", size=Size(44, 68))] * 9, spec, "cards"))
    request = BuildRequest(langs=(lang,), papers=(A4,))
    facts = GuideFacts(request=request, paper=A4, files=(cards,), sleeve=None)
    written = [words for _, words in iter_words(make_guide(texts, facts))]
    near = texts("guide.print.edge", margin="5.5" if lang in ("en", "ja") else "5,5")
    assert (near in written) is (margin < 6)


@pytest.mark.parametrize("size", [Size(7, 7), Size(10, 30), Size(44, 68)])
def test_no_number_of_a_cut_stands_on_another(size):
    """Where cuts lie closer than their numbers are wide, the picture leaves numbers out."""
    sheet = impose([Item(id="piece", size=size, has_back=False)] * 300, SheetSpec(paper=A4), "pieces").sheets[0]
    first, later = straight_cuts(sheet)
    scale = PICTURE_HEIGHT_MM / sheet.size.height
    labels = [part for part in draw_sheet(sheet, (*first, *later), scale) if isinstance(part, FigureLabel)]
    assert labels[0].words == "1"
    for upright, turned in ((True, False), (False, True)):
        boxes = [label.box for label in labels if (label.align == "right") is turned]
        rows = [[box for box in boxes if (box.y if upright else box.x) == line] for line in (0, 2.3)]
        assert rows[1], "the line beside the sheet is used first"
        for row in rows:
            middles = sorted(box.x + box.width / 2 if upright else box.y + box.height / 2 for box in row)
            assert all(after - before >= NUMBER_WIDTH_MM for before, after in pairwise(middles))


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(("game", "choices", "words"), [
    ("board-game", {}, {}), ("board-game", {"pieces": "none"}, {"backs": Backs.FOLD}),
    *(("card-game", {}, words) for words in (
        {}, {"backs": Backs.FOLD}, {"backs": Backs.NONE}, {"ink": "low"}, {"skin": "woodcut"}, {"skin": "manuscript"},
        {"skin": "plain"}, {"large_print": True}))], ids=str)
def test_the_guide_names_only_what_this_print_and_its_page_have(game, choices, words):
    """Parts are in its list of files, marks on the faces, controls on the page."""
    request = BuildRequest(langs=("en",), papers=(A4,), **words)
    workshop = Workshop.open(Assets.at(), PLAIN_SKIN if request.large_print else request.skin, game, choices)
    workshop = workshop.in_large_print() if request.large_print else workshop
    facts = guide_facts_to_read(PrintRun(request, workshop, workshop.texts("en"), A4), None)
    anchors, parts = {name for file in facts.files for name in file.shows}, {file.part for file in facts.files}
    duplex = request.backs is Backs.DUPLEX
    for lang, on_site in product(["de", "ja"] if words else LANGUAGES, (True, False)):  # all have the same keys
        texts = workshop.texts(lang)
        files = tuple(replace(file, title=texts(f"parts.{file.part}")) for file in facts.files)
        guide = make_guide(texts, replace(facts, files=files, on_site=on_site))
        written = [words for _, words in iter_words(guide)]
        titles = {text.casefold(): key for key, text in texts.words.items() if key.startswith("parts.")}
        named = {titles[words.casefold()].removeprefix("parts.") for words in written if words.casefold() in titles}
        assert named and named <= parts, lang
        text = "\n".join(written)
        for key in [key[:-6] for key in texts.words if key.startswith("guide.") and key.endswith(".shown")]:
            is_there = key.rpartition(".")[2] in anchors | {request.backs.value}
            either = [_plain(texts(f"{key}.{word}")) for word in ("shown", "missing")]
            assert [each in _plain(text) for each in either] == [is_there, not is_there], (lang, key)
        assert [_plain(texts(f"guide.print.{key}", form=texts("site.printer"))) in _plain(text)
                for key in ("drift_site", "drift")] == [duplex and on_site, duplex and not on_site], lang
    has_dots = request.large_print or request.skin == "plain"
    assert game != "card-game" or ("dots" in anchors) is has_dots


def _plain(text):
    return "".join(text.replace("*", "").replace("_", "").split())


QUOTED = re.compile("“[^“”]+”|„[^„“]+“|«[^«»]+»|»[^«»]+«|‘[^‘’]+’|「[^「」]+」|[*][^*]+[*]")
"""Names in the quotation marks of the six languages, or emphasized."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_pages_quote_is_a_text_of_the_same_page_or_of_print_dialogues(lang):
    """Names of buttons and forms can't differ from those that a text sends readers to."""
    texts = load_texts(lang, [shipped_root() / "data" / folder for folder in ("locales", "guide")])
    dialogue = _quoted(texts.words["guide.print.body"])
    for key, text in texts.words.items():
        page = key.partition(".")[0]
        if page in ("guide", "site", "scorer", "table"):
            known = dialogue | {words for name, words in texts.words.items() if name.startswith(f"{page}.")}
            assert _quoted(re.sub("[*][^*]+[*]", "", text)) <= known, key


def _quoted(text):
    return {name[1:-1].strip() for name in QUOTED.findall(text) if not {*"{_"} & {*name}}
