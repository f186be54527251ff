"""The booklet of rules: its tables, its examples and the figures between its texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ppgen.engine.booklets.booklet import (Beside, Block, Booklet, BookletPicture, BookletTable, Figure, Listing, Panel,
                                           Paragraph, Span, TextLine, column_width, parse_line)
from ppgen.engine.component import Part
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game import figures, map_figures
from ppgen.games.board_game.board import MAX_PLAYERS, MIN_PLAYERS, Board, Borders
from ppgen.games.board_game.figures import FigureSource
from ppgen.games.board_game.map_figures import TOPICS, PositionExample, read_examples
from ppgen.games.board_game.points import MIN_CHAIN, alliance_points, best_chains, country_points
from ppgen.games.rules_booklet import SEATS, RulesContents, rules_booklet
from ppgen.lines import display_width
from ppgen.reading.texts import Texts

# --- Tables ---

HAND, OPEN = 3, 2  # cards in a hand, and open cards next to the draw pile
NARROW = 28  # widest alliance that fits three columns, in letters (a kana is two); wider ones stand in two
SHIELD, SHIELD_BY_KANA = 5.2, 4.6  # width of arms in the overview, in mm; kana take more of the page


def cards_removed(players: int) -> int:
    """Number of cards of each kind that go back into the box (Danish rules, section 'Forberedelse')."""
    return MAX_PLAYERS - players


def material(source: FigureSource, values: Mapping[str, object]) -> Sequence[Block]:
    """List the contents of the box, with a picture of each sort."""
    side = 6.0
    players = range(len(source.board.players))
    pieces = {kind: [source.piece(kind, seat, 0.2 + seat * (side + 0.7), 0.2, side) for seat in players]
              for kind in ("cloister", "councillor", "marker")}
    black = source.piece("marker", None, 0.2 + len(players) * (side + 0.7), 0.2, side)
    cards = [source.card(kind, 0.2 + n * 8.2, 0.2, 7.6) for n, kind in enumerate(source.board.cards)]
    pictures = {
        "board": figures.small_board(source, 17, source.say("material.board_alt")),
        "cards": figures.row_figure(cards, source.say("material.cards_alt")),
        "cloisters": figures.row_figure(pieces["cloister"], source.say("material.cloisters_alt")),
        "councillors": figures.row_figure(pieces["councillor"], source.say("material.councillors_alt")),
        "markers": figures.row_figure([*pieces["marker"], black], source.say("material.markers_alt"))}
    rows = tuple((figure, parse_line(source.say(f"material.{key}", **values))) for key, figure in pictures.items())
    return (BookletTable(head=(), rows=rows, widths=(43.5, 0), plain=True),
            Paragraph(parse_line(source.say("material.note").strip())))


def piles(source: FigureSource) -> BookletTable:
    """List the cards removed and left for each number of players."""
    total = sum(kind.copies for kind in source.board.cards)
    rows = []
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        removed = cards_removed(players)
        left = total - removed * len(source.board.cards)
        cells = (players, removed or source.say("setup.none"), left, left - HAND * players - OPEN)
        rows.append(tuple((Span(str(cell)),) for cell in cells))
    head = tuple(parse_line(source.say(f"setup.{key}")) for key in ("players", "removed", "left", "pile"))
    return BookletTable(head=head, rows=tuple(rows), widths=(20, 0, 28, 30), centred=(0, 1, 2, 3))


def boxes(source: FigureSource) -> BookletTable:
    """List the countries of each alliance; those over water are marked."""
    cells: list[TextLine] = []
    for alliance in source.board.alliances:
        one, other = map(source.country_name, alliance.countries)
        words = {wet: source.say(f"alliances.{key}", box=alliance.box, one=one, other=other)
                 for wet, key in ((False, "by_land"), (True, "by_water"))}
        cells.append(parse_line(words[alliance.water]))
    widest = max(display_width("".join(span.words for span in cell)) for cell in cells)
    columns = 3 if widest <= NARROW else 2
    rows = -(-len(cells) // columns)
    cells += [()] * (columns * rows - len(cells))
    return BookletTable(head=(), rows=tuple(tuple(cells[n::rows]) for n in range(rows)), widths=(0,) * columns,
                        plain=True)


def overview(source: FigureSource) -> BookletTable:
    """List the countries with their codes, numbers of spaces and cards, and alliances."""
    board = source.board
    names = [source.country_name(country.id) for country in board.countries]
    kana = display_width(names[0]) > len(names[0])
    side = SHIELD_BY_KANA if kana else SHIELD
    rows: list[tuple[TextLine | Figure, ...]] = []
    for country, name in zip(board.countries, names, strict=True):
        partners = [source.say("lands.partner", country=source.country_name(other), box=alliance.box)
                    for alliance in board.alliances if country.id in alliance.countries
                    for other in alliance.countries if other != country.id]
        if kana:  # They would break anywhere: two lines of about the same length.
            half = min(range(1, len(partners)), key=lambda at: max(
                display_width("".join(words)) for words in (partners[:at], partners[at:])))
            partners[half] = f"\n{partners[half]}"
        arms = BookletPicture(request=source.arms(country.arms, side), box=Rect(0.2, 0.2, side, side * 1.2),
                              outline=False)
        numbers = (len(board.labels[country.id]), board.kind_by_country[country.id].copies)
        rows.append((Figure(size=Size(side + 0.4, side * 1.2 + 0.4), parts=(arms,), alt=name),
                     (Span(name, strong=True),), *((Span(str(words)),) for words in (country.code, *numbers)),
                     (Span(source.join_words(partners)),)))
    head = ((), *(parse_line(source.say(f"lands.{key}")) for key in ("country", "code", "spaces", "cards", "partners")))
    return BookletTable(head=head, rows=tuple(rows), widths=(side + 3, 24, 10, 10.5, 11, 0), centred=(2, 3, 4))


# --- The booklet ---

CONTENTS = RulesContents(
    sections=("idea", "material", "board", "setup", "turn", "placing", "cloister", "councillor", "drawing", "exchange",
              "interim", "end", "scoring", "cloisters", "alliances", "chains", "winner", "tips", "ours", "lands"),
    below=("placing", "cloister", "councillor", "drawing", "exchange", "cloisters", "alliances", "chains", "winner"),
    panels=("ours",), last="lands", size=8.7, compact=True)
"""Set so that the booklet has eight pages, two sheets, in every language."""
PANEL, GUTTER = 6.0, 4.0  # both edges of a panel, and between two columns, in mm, as in `booklet.typ`
COVER_HEIGHT, COVER_MAP = 0.44, 0.37  # of the cover picture, and the map in it, by its width


def rules_of_board_game(board: Board, borders: Borders, folder: Path, texts: Texts, parts: Sequence[Part], page: Size,
                        ink: str) -> Booklet:
    """Write the rules from a data ``folder`` for a page size and an ink. Raises InputError for its examples."""
    names = [texts(f"rules.players.{seat}") for seat in SEATS]
    source = FigureSource(board=board, borders=borders, texts=texts, names=names, measure=column_width(page))
    return _RulesAuthor(source, read_examples(folder, board), page).booklet(ink)


class _RulesAuthor:
    """Collects the values and the blocks that the texts of the sections insert."""

    def __init__(self, source: FigureSource, examples: Sequence[PositionExample], page: Size) -> None:
        self.source, self.board, self.say = source, source.board, source.say
        self.page, self.examples = page, examples
        self.names = dict(zip(SEATS, source.names, strict=True))
        self.values = self._values()
        self.inserts = self._inserts()

    def booklet(self, ink: str) -> Booklet:
        width = self.source.measure
        cover = self.source.cover(
            "board_game/rules-cover.svg.j2", Size(width, width * COVER_HEIGHT),
            {"shields": [country.arms for country in self.board.countries],
             "map": map_figures.paint_lands(self.source.chart, width * COVER_MAP)}, countries=len(self.board.countries))
        return rules_booklet(CONTENTS, cover, self.source.texts, self.page, ink, inserts=self.inserts,
                             values=self.values)

    def _values(self) -> dict[str, object]:
        board, join_words = self.board, self.source.join_words
        counts = [self.say("material.count", countries=self.source.card_name(kind), number=kind.copies)
                  for kind in board.cards]
        alone = next(kind for kind in board.cards if len(kind.countries) == 1)
        players = len(board.players)
        return {
            **self.names, "countries": len(board.countries), "alone": self.source.card_name(alone),
            "cards": sum(kind.copies for kind in board.cards), "counts": join_words(counts), "colours": players,
            "cloisters_each": board.cloisters, "cloisters": board.cloisters * players,
            "councillors_each": board.councillors, "councillors": board.councillors * players,
            "alliances": len(board.alliances), "hand": HAND, "open": OPEN, "chain": MIN_CHAIN,
            "water": join_words(str(alliance.box) for alliance in board.alliances if alliance.water),
            "order": join_words(self.source.country_name(country.id) for country in board.countries)}

    def _inserts(self) -> dict[str, Sequence[Block]]:
        examples = {topic: [example for example in self.examples if example.shows == topic] for topic in TOPICS}
        source = self.source
        return {
            "material": material(source, self.values), "map": self._map(), "piles": (piles(source),),
            "table": (figures.table_figure(source, MIN_PLAYERS, HAND, OPEN),),
            "three_two_one": (figures.placing_figure(source),), "turns": self._turns(examples["turn"]),
            "limits": (self._limits(examples["limit"]),), "boxes": (boxes(source),),
            "chains": self._chains(examples["chain"]), "overview": (overview(source),),
            **{example.id: (self._example(example),) for example in (*examples["cloisters"], *examples["alliance"])}}

    def _map(self) -> Sequence[Block]:
        entries = tuple(parse_line(self.say(f"board.{key}", **self.values)) for key in figures.PARTS_OF_BOARD)
        return (figures.board_figure(self.source), Listing(entries, numbered=True))

    def _turns(self, examples: Sequence[PositionExample]) -> Sequence[Block]:
        rows = []
        for example in examples:
            words = parse_line(self.say(f"examples.{example.id}", **self.names))
            rows.append((figures.hand_figure(self.source, example.hand, example.played),
                         figures.scene_figure(self.source, example), words))
        widths = tuple(max(figure.size.width for figure in column) + 2.8
                       for column in zip(*((hand, scene) for hand, scene, _ in rows), strict=True))
        return [Panel(blocks=(BookletTable(head=(), rows=(row,), widths=(*widths, 0), plain=True),)) for row in rows]

    def _chains(self, examples: Sequence[PositionExample]) -> Sequence[Block]:
        """The chains of the first player, two pictures in a row."""
        roads = [road.ends for road in self.board.roads]
        scenes: list[Figure] = []
        for example in examples:
            chains = best_chains(example.spaces_of(0), roads)
            words = self.say(f"examples.{example.id}", first_points=sum(map(len, chains)), chain=MIN_CHAIN)
            scenes.append(figures.scene_figure(self.source, example, chains, caption=parse_line(words)))
        rows = [tuple(scenes[n:n + 2]) for n in range(0, len(scenes), 2)]
        return [Panel(blocks=(BookletTable(head=(), rows=(row,), widths=(0, 0), plain=True),)) for row in rows]

    def _limits(self, examples: Sequence[PositionExample]) -> Panel:
        """Two countries side by side, with their limits of councillors; free places are dotted."""
        columns: list[tuple[Block, ...]] = []
        for example in examples:
            country = example.lands[0]
            cloisters, court = example.cloister_counts(self.board, country), example.councillors.get(country, ())
            limit, standing = max(cloisters), sum(not piece.fresh for piece in court)
            counts = {f"{seat}_count": count for seat, count in zip(SEATS, cloisters, strict=True)}
            words = self.say(f"examples.{example.id}", **self.names, **counts, limit=limit, standing=standing,
                             free=limit - standing)
            columns.append((figures.scene_figure(self.source, example, free=limit - len(court)),
                            Paragraph(parse_line(words))))
        half = (self.source.measure - PANEL - GUTTER) / 2
        return Panel(blocks=tuple(Beside(left=left, right=right, width=half)
                                  for left, right in zip(columns[::2], columns[1::2], strict=True)))

    def _example(self, example: PositionExample) -> Panel:
        points = self._points(example)
        values = {f"{seat}_points": score for seat, score in zip(SEATS, points, strict=True)}
        words = self.say(f"examples.{example.id}", **self.names, **values, box=example.box)
        figure = figures.scene_figure(self.source, example)
        right = (Paragraph(parse_line(words)), self._holdings(example, points))
        return Panel(blocks=(Beside(left=(figure,), right=right, width=figure.size.width),))

    def _points(self, example: PositionExample) -> tuple[int, ...]:
        if example.shows == "alliance":
            return alliance_points(*map(example.councillor_counts, example.lands))
        return country_points(example.cloister_counts(self.board, example.lands[0]))

    def _holdings(self, example: PositionExample, points: Sequence[int]) -> BookletTable:
        """Pieces and points of each player; players without councillors are left out of an alliance."""
        alliance = example.shows == "alliance"
        columns = ([example.councillor_counts(country) for country in example.lands] if alliance
                   else [example.cloister_counts(self.board, example.lands[0])])
        heads = [*map(self.source.country_name, example.lands)] if alliance else [self.say("examples.held")]
        rows = []
        for seat, name in enumerate(self.source.names):
            counts = [column[seat] for column in columns]
            if alliance and not any(counts):
                continue
            rows.append(((Span(name),), *((Span(str(count or "–")),) for count in counts),
                         (Span(str(points[seat]), strong=True),)))
        head = tuple(parse_line(words) for words in (self.say("examples.player"), *heads, self.say("examples.points")))
        return BookletTable(head=head, rows=tuple(rows), widths=(0, *(16 for _ in columns), 13),
                            centred=tuple(range(1, len(columns) + 2)))
