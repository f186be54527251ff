"""Materials: what each stock is printed on, for the making guide, the manifest and the site."""

from __future__ import annotations

from dataclasses import dataclass

from ppgen.engine.component import Stock
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.sheets import Backs


@dataclass(frozen=True, slots=True)
class _Material:
    """Suffix of its text ``guide.files.…``, that with backs folded on (glued double), and the manifest's ``stock``."""

    usual: str
    folded_backs: str
    kind: str


WEIGHTS = {"card": 250, "card_fold": 140, "board": 140, "box": 225, "plain": 100, "folded": 180, "sticker": 100}
"""Weight of each material in g/m²: the middle of what its text says, without the greyboard behind."""


_MATERIALS = {
    Stock.CARD: _Material("card", "card_fold", "card"),
    Stock.BOARD: _Material("board", "board", "board"),
    Stock.BOX: _Material("box", "box", "card"),
    Stock.PLAIN: _Material("plain", "plain", "paper"),
    Stock.FOLDED: _Material("folded", "folded", "card"),
    Stock.STICKER: _Material("sticker", "sticker", "paper"),
}
MATERIALS = tuple(dict.fromkeys(name for each in _MATERIALS.values() for name in (each.usual, each.folded_backs)))
"""All materials; the text ``guide.files.…`` of each says paper and weight."""


def material(stock: Stock, backs: Backs) -> str:
    """Return the material of a stock: paper for cards is thinner where backs are folded and glued on."""
    return _MATERIALS[stock].folded_backs if backs is Backs.FOLD else _MATERIALS[stock].usual


def weigh(material: str, sheets: int, paper: Size) -> float:
    """Return the weight of sheets in grams."""
    return WEIGHTS[material] * sheets * paper.width * paper.height / 1e6


def stock_entries(stock: Stock, backs: Backs) -> dict[str, object]:
    """Return stock and material of a file as its manifest has them."""
    return {"stock": _MATERIALS[stock].kind, "material": material(stock, backs)}
