"""Turns a deck of one's own into the game as the house knows it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace

from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.formats import Format, Formats
from ppgen.engine.geometry import Size
from ppgen.games.game import Game
from ppgen.games.own_deck.loading import load_deck
from ppgen.games.own_deck.model import Batch, OwnDeck, Piece
from ppgen.games.own_deck.rules import FOLDER as RULES
from ppgen.games.own_deck.rules import rules
from ppgen.reading.texts import Texts

FOLDER = "deck"
TITLES = ("title", "name")
"""The columns that say what a piece is called, where there is one."""


def open_own_deck(folder: Path, formats: Formats) -> Game:
    """The deck in its data folder. Raises InputError with every problem."""
    deck = load_deck(folder, formats)
    return Game(id=deck.id, folder=FOLDER, lang=deck.lang, card_size=deck.card_size, parts=partial(parts, deck),
                describe=partial(describe, deck), box=deck.box,
                rules=rules if (folder / RULES).is_dir() else None)


def parts(deck: OwnDeck, texts: Texts, card_size: Format) -> tuple[Part, ...]:
    """The parts of the deck, in the order of ``deck.toml``."""
    return tuple(_part(batch, texts, card_size.size) for batch in deck.batches)


def describe(deck: OwnDeck) -> list[dict[str, object]]:
    """A record for each piece: its part as ``kind``, and its cells."""
    return [{"id": piece.id, "kind": batch.name, **piece.cells, "copies": piece.copies}
            for batch in deck.batches for piece in batch.pieces]


def _part(batch: Batch, texts: Texts, card: Size) -> Part:
    return Part(name=batch.name, title=texts(f"parts.{batch.name}"), stock=batch.stock, layout=batch.layout,
                components=tuple(_component(piece, texts, piece.cut.size or card) for piece in batch.pieces))


def _component(piece: Piece, texts: Texts, size: Size) -> Component:
    cells = piece.told_in(texts.lang)
    written = {words: piece.line._replace(key=column) for column, words in piece.cells.items() if words}

    def face(template: str, side: str) -> FaceRequest:
        # Attributes, not a dictionary: a column may be called "values" or "copy".
        values = {"card": SimpleNamespace(id=piece.id, copies=piece.copies, **cells), "side": side}
        if piece.cut.net:
            values["net"] = piece.cut.net
        shape = piece.cut.shape if side == "front" else piece.cut.shape.mirrored
        return FaceRequest(template=template, size=size, shape=shape, values=values, key=piece.id, written=written)

    return Component(id=piece.id, title=next((cells[name] for name in TITLES if cells.get(name)), ""),
                     copies=piece.copies, front=face(piece.front, "front"),
                     back=face(piece.back, "back") if piece.back else None)
