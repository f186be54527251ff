"""Turns the board, the worked examples and the words of a language into the booklet of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ppgen.engine.booklets.document import (
    Beside,
    Block,
    Booklet,
    Cover,
    Figure,
    Listing,
    Panel,
    Paragraph,
    Picture,
    Span,
    Table,
    measure_of,
)
from ppgen.engine.booklets.prose import line_of
from ppgen.engine.component import Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game.board.model import MIN_PLAYERS, Board, Borders
from ppgen.games.board_game.printing import figures, maps, tables
from ppgen.games.board_game.printing.cabinet import Cabinet
from ppgen.games.board_game.printing.examples import Example, read_examples
from ppgen.games.board_game.printing.tables import HAND, OPEN
from ppgen.games.board_game.scoring.chains import LEAST, best_chains
from ppgen.games.board_game.scoring.points import alliance_points, country_points
from ppgen.games.rules_booklet import Contents, rules_booklet
from ppgen.reading.texts import Texts

CONTENTS = Contents(
    sections=("idea", "material", "board", "setup", "turn", "placing", "cloister", "councillor", "drawing", "exchange",
              "interim", "end", "scoring", "cloisters", "alliances", "chains", "winner", "tips", "ours", "lands"),
    below=("placing", "cloister", "councillor", "drawing", "exchange", "cloisters", "alliances", "chains", "winner"),
    panels=("ours",))
SEATS = ("first", "second", "third", "fourth")
PANEL, GUTTER = 6.0, 4.0
"""What the edges of a panel take of its width, and what lies between two columns, in mm, as in ``booklet.typ``."""
COVER_HEIGHT, COVER_MAP = 0.47, 0.39
"""Of the picture on the first page, and how wide the map in it is, as shares of its width."""


def rules(board: Board, borders: Borders, folder: Path, texts: Texts, parts: Sequence[Part], page: Size,
          ink: str) -> Booklet:
    """The rules in the language of the texts, on pages of that size. Their pictures are drawings of their own.

    ``folder`` is the game's data folder. Raises InputError for examples that don't suit the map.
    """
    names = [texts(f"rules.players.{seat}") for seat in SEATS]
    cabinet = Cabinet(board=board, borders=borders, texts=texts, names=names, measure=measure_of(page))
    return _Author(cabinet, read_examples(folder, board), page).booklet(ink)


class _Author:
    """Gathers what the texts of the sections are filled in with."""

    def __init__(self, cabinet: Cabinet, examples: Sequence[Example], page: Size) -> None:
        self.cabinet, self.board, self.common, self.t = cabinet, cabinet.board, cabinet.texts, cabinet.say
        self.page, self.measure = page, cabinet.measure
        self.examples = examples
        self.names = dict(zip(SEATS, cabinet.names, strict=True))
        self.values = self._values()
        self.inserts = self._inserts()

    def booklet(self, ink: str) -> Booklet:
        return rules_booklet(CONTENTS, self._cover(), self.common, self.page, ink, inserts=self.inserts,
                             values=self.values)

    # ---------- words ----------

    def _values(self) -> dict[str, object]:
        board, listed = self.board, self.cabinet.listed
        counts = [self.t("material.count", countries=self.cabinet.card_name(kind), number=kind.copies)
                  for kind in board.cards]
        alone = next(kind for kind in board.cards if len(kind.countries) == 1)
        players = len(board.players)
        return {
            **self.names, "countries": len(board.countries), "alone": self.cabinet.card_name(alone),
            "cards": sum(kind.copies for kind in board.cards), "counts": listed(counts), "colours": players,
            "cloisters_each": board.cloisters, "cloisters": board.cloisters * players,
            "councillors_each": board.councillors, "councillors": board.councillors * players,
            "alliances": len(board.alliances), "hand": HAND, "open": OPEN, "chain": LEAST,
            "water": listed([str(alliance.box) for alliance in board.alliances if alliance.water]),
            "order": listed([self.cabinet.country(country.id) for country in board.countries])}

    # ---------- pictures, tables, examples ----------

    def _inserts(self) -> dict[str, Sequence[Block]]:
        shown = {topic: [example for example in self.examples if example.shows == topic] for topic in ("turn", "chain")}
        limits = [example for example in self.examples if example.shows == "limit"]
        others = [example for example in self.examples if example.shows in ("cloisters", "alliance")]
        cabinet = self.cabinet
        return {
            "material": tables.material(cabinet, self.values), "map": self._map(), "piles": (tables.piles(cabinet),),
            "table": (figures.table(cabinet, MIN_PLAYERS, HAND, OPEN),),
            "three_two_one": (figures.three_two_one(cabinet),), "turns": self._turns(shown["turn"]),
            "limits": (self._limits(limits),), "boxes": (tables.boxes(cabinet),),
            "chains": self._chains(shown["chain"]), "overview": (tables.overview(cabinet),),
            **{example.id: (self._example(example),) for example in others}}

    def _cover(self) -> Cover:
        size = Size(self.measure, self.measure * COVER_HEIGHT)
        values = {"shields": [country.arms for country in self.board.countries],
                  "map": maps.painted(self.cabinet.chart, size.width * COVER_MAP)}
        art = FaceRequest(template="board_game/rules-cover.svg.j2", size=size, values=values)
        picture = Picture(request=art, box=Rect(0, 0, size.width, size.height), outline=False)
        alt = self.t("book.cover", countries=len(self.board.countries))
        return Cover(art=Figure(size=size, parts=(picture,), alt=alt), title=self.t("book.title"),
                     subtitle=f"{self.t('book.subtitle')} · {self.t('book.name')}", facts=self.t("book.facts"))

    def _map(self) -> Sequence[Block]:
        entries = tuple(line_of(self.t(f"board.{key}", **self.values)) for key in figures.PARTS_OF_BOARD)
        return (figures.board(self.cabinet), Listing(entries, numbered=True))

    def _turns(self, examples: Sequence[Example]) -> Sequence[Block]:
        rows = []
        for example in examples:
            words = line_of(self.t(f"examples.{example.id}", **self.names))
            rows.append((figures.hand(self.cabinet, example.hand, example.played),
                         figures.scene(self.cabinet, example), words))
        widths = tuple(max(figure.size.width for figure in column) + 2.8
                       for column in zip(*((hand, scene) for hand, scene, _ in rows), strict=True))
        return (Panel(blocks=tuple(Table(head=(), rows=(row,), widths=(*widths, 0), plain=True) for row in rows)),)

    def _chains(self, examples: Sequence[Example]) -> Sequence[Block]:
        """The chains of the first player, two pictures abreast."""
        roads = [road.ends for road in self.board.roads]
        scenes: list[Figure] = []
        for example in examples:
            chains = best_chains(example.spaces_of(0), roads)
            words = self.t(f"examples.{example.id}", first_points=sum(map(len, chains)), chain=LEAST)
            scenes.append(figures.scene(self.cabinet, example, chains, caption=line_of(words)))
        rows = [tuple(scenes[n:n + 2]) for n in range(0, len(scenes), 2)]
        return [Panel(blocks=(Table(head=(), rows=(row,), widths=(0, 0), plain=True),)) for row in rows]

    def _limits(self, examples: Sequence[Example]) -> Panel:
        """Two countries side by side: how many councillors may stand there. Places that are left are dotted."""
        columns: list[tuple[Block, ...]] = []
        for example in examples:
            country = example.lands[0]
            held, court = example.held(self.board, country), example.councillors.get(country, ())
            limit, standing = max(held), sum(not piece.fresh for piece in court)
            counts = {f"{seat}_count": count for seat, count in zip(SEATS, held, strict=True)}
            words = self.t(f"examples.{example.id}", **self.names, **counts, limit=limit, standing=standing,
                           free=limit - standing)
            columns.append((figures.scene(self.cabinet, example, free=limit - len(court)), Paragraph(line_of(words))))
        half = (self.measure - PANEL - GUTTER) / 2
        return Panel(blocks=tuple(Beside(left=left, right=right, width=half)
                                  for left, right in zip(columns[::2], columns[1::2], strict=True)))

    def _example(self, example: Example) -> Panel:
        """A position, and beside it what it says and the points of each player."""
        points = self._points(example)
        values = {f"{seat}_points": score for seat, score in zip(SEATS, points, strict=True)}
        words = self.t(f"examples.{example.id}", **self.names, **values, box=example.box)
        figure = figures.scene(self.cabinet, example)
        right = (Paragraph(line_of(words)), self._holdings(example, points))
        return Panel(blocks=(Beside(left=(figure,), right=right, width=figure.size.width),))

    def _points(self, example: Example) -> tuple[int, ...]:
        """What each player scores in an example of cloisters or of an alliance."""
        if example.shows == "alliance":
            one, other = map(example.court, example.lands)
            return alliance_points(one, other)
        return country_points(example.held(self.board, example.lands[0]))

    def _holdings(self, example: Example, points: Sequence[int]) -> Table:
        """What each player has, and scores; at a court those who have nothing anywhere are left out."""
        alliance = example.shows == "alliance"
        columns = ([example.court(country) for country in example.lands] if alliance
                   else [example.held(self.board, example.lands[0])])
        heads = ([self.cabinet.country(country) for country in example.lands] if alliance
                 else [self.t("examples.held")])
        rows = []
        for seat, name in enumerate(self.cabinet.names):
            held = [column[seat] for column in columns]
            if alliance and not any(held):
                continue
            rows.append(((Span(name),), *((Span(str(count or "–")),) for count in held),
                         (Span(str(points[seat]), strong=True),)))
        head = tuple(line_of(words) for words in (self.t("examples.player"), *heads, self.t("examples.points")))
        return Table(head=head, rows=tuple(rows), widths=(0, *(16 for _ in columns), 13),
                     centred=tuple(range(1, len(columns) + 2)))
