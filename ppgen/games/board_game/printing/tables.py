"""Turns the facts of the board into the tables of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppgen.engine.booklets.document import Block, Figure, Line, Paragraph, Picture, Span, Table
from ppgen.engine.booklets.prose import line_of
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game.board.model import MAX_PLAYERS, MIN_PLAYERS
from ppgen.games.board_game.printing import figures
from ppgen.games.board_game.printing.cabinet import Cabinet
from ppgen.lines import display_width

HAND, OPEN = 3, 2
"""Cards in a hand, and cards that lie open beside the draw pile."""
NARROW = 28
"""Alliances of so many letters (a kana is two) stand in three columns, longer ones in two."""
SHIELD, SHIELD_BY_KANA = 7.0, 5.6
"""How wide the arms of a country are in the overview, in mm: two lines of words have room beside them. Words in kana
take more of the page."""


def cards_removed(players: int) -> int:
    """How many cards of each kind go back into the box (Danish rules, section 'Forberedelse')."""
    return MAX_PLAYERS - players


def material(cabinet: Cabinet, values: Mapping[str, object]) -> Sequence[Block]:
    """What is in the box, with a picture of each kind."""
    side = 6.0
    players = range(len(cabinet.board.players))
    pieces = {of: [cabinet.piece(of, seat, 0.2 + seat * (side + 0.7), 0.2, side) for seat in players]
              for of in ("cloister", "councillor", "marker")}
    black = cabinet.piece("marker", None, 0.2 + len(players) * (side + 0.7), 0.2, side)
    cards = [cabinet.card(kind, 0.2 + n * 8.2, 0.2, 7.6) for n, kind in enumerate(cabinet.board.cards)]
    pictures = {
        "board": figures.small_board(cabinet, 17, cabinet.say("material.board_alt")),
        "cards": figures.row_of(cards, cabinet.say("material.cards_alt")),
        "cloisters": figures.row_of(pieces["cloister"], cabinet.say("material.cloisters_alt")),
        "councillors": figures.row_of(pieces["councillor"], cabinet.say("material.councillors_alt")),
        "markers": figures.row_of([*pieces["marker"], black], cabinet.say("material.markers_alt"))}
    rows = tuple((figure, line_of(cabinet.say(f"material.{key}", **values))) for key, figure in pictures.items())
    return (Table(head=(), rows=rows, widths=(43.5, 0), plain=True),
            Paragraph(line_of(cabinet.say("material.note").strip())))


def piles(cabinet: Cabinet) -> Table:
    """What the number of players changes."""
    total = sum(kind.copies for kind in cabinet.board.cards)
    rows = []
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        removed = cards_removed(players)
        left = total - removed * len(cabinet.board.cards)
        cells = (players, removed or cabinet.say("setup.none"), left, left - HAND * players - OPEN)
        rows.append(tuple((Span(str(cell)),) for cell in cells))
    head = tuple(line_of(cabinet.say(f"setup.{key}")) for key in ("players", "removed", "left", "pile"))
    return Table(head=head, rows=tuple(rows), widths=(20, 0, 28, 30), centred=(0, 1, 2, 3))


def boxes(cabinet: Cabinet) -> Table:
    """The countries of each alliance; those over water are marked."""
    cells: list[Line] = []
    for alliance in cabinet.board.alliances:
        one, other = map(cabinet.country, alliance.countries)
        words = {wet: cabinet.say(f"alliances.{key}", box=alliance.box, one=one, other=other)
                 for wet, key in ((False, "by_land"), (True, "by_water"))}
        cells.append(line_of(words[alliance.water]))
    widest = max(display_width("".join(span.words for span in cell)) for cell in cells)
    columns = 3 if widest <= NARROW else 2
    rows = -(-len(cells) // columns)
    cells += [()] * (columns * rows - len(cells))
    return Table(head=(), rows=tuple(tuple(cells[n::rows]) for n in range(rows)), widths=(0,) * columns, plain=True)


def overview(cabinet: Cabinet) -> Table:
    """Each country on a line: its code, its spaces, the cards that name it, its alliances."""
    board = cabinet.board
    names = [cabinet.country(country.id) for country in board.countries]
    kana = display_width(names[0]) > len(names[0])
    side = SHIELD_BY_KANA if kana else SHIELD
    rows: list[tuple[Line | Figure, ...]] = []
    for country, name in zip(board.countries, names, strict=True):
        partners = [cabinet.say("lands.partner", country=cabinet.country(other), box=alliance.box)
                    for alliance in board.alliances if country.id in alliance.countries
                    for other in alliance.countries if other != country.id]
        if kana:  # they would be torn anywhere: two lines, about as long
            half = min(range(1, len(partners)), key=lambda at: max(
                display_width("".join(words)) for words in (partners[:at], partners[at:])))
            partners[half] = f"\n{partners[half]}"
        arms = Picture(request=cabinet.arms(country.arms, side), box=Rect(0.2, 0.2, side, side * 1.2), outline=False)
        numbers = (len(board.labels[country.id]), board.kind_of[country.id].copies)
        rows.append((Figure(size=Size(side + 0.4, side * 1.2 + 0.4), parts=(arms,), alt=name),
                     (Span(name, strong=True),), *((Span(str(words)),) for words in (country.code, *numbers)),
                     (Span(cabinet.listed(partners)),)))
    head = ((), *(line_of(cabinet.say(f"lands.{key}")) for key in ("country", "code", "spaces", "cards", "partners")))
    return Table(head=head, rows=tuple(rows), widths=(side + 3, 25.2, 10.5, 11.5, 12, 0), centred=(2, 3, 4))
