"""Turns the parts of a set into the tuck box that holds them: what goes in, how deep it gets, and its page.

The arithmetic is in ``docs/box.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from ppgen.documents.box_net import net
from ppgen.documents.names import BOX
from ppgen.documents.pack import Pack
from ppgen.engine.component import PAGE, Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.errors import InputError, Problem
from ppgen.reading.texts import Texts

NET = "net"
"""The anchor with which the box's template states where the net's top left corner lies, and how it is turned."""
BOARD_THICKNESS = 1.0
"""Of the board below what is glued to board, in mm; the guide asks for 0.5 to 1 mm."""
SLEEVE, SLEEVE_THICKNESS = Size(4, 4), 0.2
"""So much wider and higher, and thicker, is a card in a sleeve, in mm: two films of 0.1 mm, welded outside the card."""
PLAY = 1.2
"""So much wider, higher and deeper than what it holds is the inside, in mm, so that cards slide."""
SHEETS, SHEET, PAPER_THICKNESS, MOST_FOLDS = 3, Size(210, 297), 0.1, 5
"""Sheets that are folded together: rules of eight pages as a booklet and a score sheet, or rules of up to twelve pages.
The size of one in mm (Letter folds down as small), its thickness (80 g/m²), and the most that it is folded in half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What lies in a box: the pieces, whether the folded paper does, and how high it all is (mm)."""

    pieces: tuple[Component, ...]
    paper: bool
    height: float


def tuck_box(texts: Texts, template: str, parts: Sequence[Part], pack: Pack, room: Size,
             rules: bool = False) -> Part:
    """The box for the cards and what fits beside them, on a page of its own, in the middle of its room.

    ``rules`` says whether the game has any. Where the net is too large for the room, they and then small pieces stay
    outside. Raises InputError if it does not fit with cards alone.
    """
    cards = [component for part in parts if part.stock is Stock.CARD for component in part.components]
    card = Size(max(card.size.width for card in cards), max(card.size.height for card in cards))
    sleeve = SLEEVE if pack.sleeved else Size(0, 0)
    inside = Size(card.width + sleeve.width + PLAY, card.height + sleeve.height + PLAY)
    for contents in _contents(parts, card, inside, pack, rules):
        box = net(inside, contents.height + PLAY)
        turned = box.size.width > room.width or box.size.height > room.height
        within = room.turned if turned else room
        if box.size.width <= within.width and box.size.height <= within.height:
            break
    else:
        raise InputError([Problem(place="--paper", key=BOX, what=f"the net of the box, {_rounded(box.size)}, does not "
                                  f"fit the {_rounded(room)} inside the margins", remedy="print it on larger paper")])
    pieces = [{"id": piece.id, "copies": piece.copies, "given": piece.front.values} for piece in contents.pieces]
    values = {"box": box, "turned": turned, "pieces": pieces, "paper": contents.paper,
              "cards": sum(piece.copies for piece in contents.pieces if piece.size == card)}
    return Part(name=BOX, title=texts("parts.box"), stock=Stock.BOX, layout=PAGE,
                components=(Component(id=BOX, front=FaceRequest(template=template, size=room, values=values)),))


def _contents(parts: Sequence[Part], card: Size, inside: Size, pack: Pack, rules: bool) -> Iterator[Contents]:
    """What may go in, from everything to cards alone."""
    stocks = {Stock.CARD: pack.thickness, Stock.BOARD: pack.thickness + BOARD_THICKNESS}
    pieces = [(component, stocks[part.stock]) for part in parts if part.stock in stocks
              for component in part.components if _on(component.size, inside)]
    cards = [(piece, thickness) for piece, thickness in pieces if piece.size == card] or pieces
    sleeves = sum(piece.copies for piece, _ in cards) * SLEEVE_THICKNESS * pack.sleeved
    folded = _layers(SHEET, inside) * SHEETS * PAPER_THICKNESS * rules
    for chosen, with_paper in ((pieces, bool(folded)), (pieces, False), (cards, False)):
        yield Contents(pieces=tuple(piece for piece, _ in chosen), paper=with_paper,
                       height=_height(chosen, inside) + sleeves + folded * with_paper)


def _height(pieces: Iterable[tuple[Component, float]], inside: Size) -> float:
    """Pieces of one size and thickness lie side by side in layers, one kind on the other."""
    counts: Counter[tuple[Size, float]] = Counter()
    for piece, thickness in pieces:
        counts[piece.size, thickness] += piece.copies
    return sum(ceil(count / _on(size, inside)) * thickness for (size, thickness), count in counts.items())


def _on(size: Size, inside: Size) -> int:
    """How many pieces of a size make a layer."""
    return max(int(inside.width // way.width) * int(inside.height // way.height) for way in (size, size.turned))


def _layers(sheet: Size, inside: Size) -> int:
    """The layers of a sheet that is folded in half, across its longer side, until it fits; 0 if it never does."""
    for folds in range(MOST_FOLDS + 1):
        if _on(sheet, inside):
            return int(2**folds)
        sheet = Size(sheet.height / 2, sheet.width).portrait
    return 0


def _rounded(size: Size) -> str:
    return f"{size.width:.0f} × {size.height:.0f} mm"
