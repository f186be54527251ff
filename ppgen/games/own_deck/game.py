"""Own decks as games: their parts, and what commands know of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from ppgen.assets import DECK, SCORE_FILE, is_flat_deck
from ppgen.engine.component import Component, Pad, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.templates import UNKNOWN_NAMES, find_names_read
from ppgen.engine.geometry import Format, Formats, Size
from ppgen.games.interface import FlatFolder, Game
from ppgen.games.own_deck.deck import PICTURES, TITLE_COLUMNS, DeckPiece, OwnDeck, PieceBatch, load_deck
from ppgen.games.own_deck.flat import FlatDeck
from ppgen.games.own_deck.rules import (
    ABOUT_FILE,
    RULES_FOLDER,
    RULES_TEMPLATES,
    RULES_TITLES,
    about_deck,
    check_rules,
    rules_of_markdown,
    rules_of_own_deck,
)
from ppgen.reading.tables import Cell
from ppgen.reading.texts import Texts

MAX_TITLE, MAX_DESCRIPTION = 60, 1_000
"""Characters of the title of a piece without a column for it, and of its description."""


def open_own_deck(folder: Path, formats: Formats, templates: Path | None = None) -> Game:
    """Open the deck in its data folder; ``templates`` is the folder of its templates. Raises InputError with all
    problems.
    """
    read = UNKNOWN_NAMES if templates is None or is_flat_deck(folder) else find_names_read(templates)
    deck = load_deck(folder, formats, read)
    flat, inside, rules = deck.flat, None, rules_of_own_deck if (folder / RULES_FOLDER).is_dir() else None
    about = False
    if flat:
        about = (folder / ABOUT_FILE).is_file()
        made = {**flat.made, **RULES_TEMPLATES} if flat.rules or about else flat.made
        titles = {lang: RULES_TITLES.get(lang, RULES_TITLES["en"]) for lang in flat.rules}
        inside = FlatFolder(words=flat.words, made=made, drawings=flat.drawings,
                            values=partial(_values, flat), rules=titles)
        rules = partial(rules_of_markdown, folder, flat.rules, flat.version) if flat.rules else rules
    return Game(id=deck.id, folder=DECK, flat=inside, score_sheet=_score_sheet(folder), version=flat.version if flat else "", lang=deck.lang,
                card_size=deck.card_size, parts=partial(parts, deck), describe=partial(describe, deck), box=deck.box,
                is_own_deck=True, rules=rules, about=partial(about_deck, folder) if about else None,
                warnings=(*deck.warnings, *check_rules(folder / RULES_FOLDER)))


def _score_sheet(folder: Path) -> Callable[[Texts, Pad], Part] | None:
    """The function that makes the score sheet, if the deck has rules of scoring. Raises InputError if they are wrong."""
    if not (folder / SCORE_FILE).exists():
        return None
    from ppgen.games.own_deck.sheet import rule_sheet_part
    from ppgen.play.score_file import read_rules

    read_rules(folder)
    return partial(rule_sheet_part, folder)


def parts(deck: OwnDeck, texts: Texts, card_size: Format) -> tuple[Part, ...]:
    """The parts of the deck, in the order of ``deck.toml``."""
    return tuple(_part(batch, texts, card_size.size) for batch in deck.batches)


def _values(flat: FlatDeck, texts: Texts) -> dict[str, object]:
    """The values that every template of a flat deck gets."""
    deck = SimpleNamespace(title=texts.words["game.title"], author=texts.words["game.author"], version=flat.version,
                           **{name: SimpleNamespace(**facts) for name, facts in flat.totals.items()})
    return {"deck": deck, "colours": dict(flat.colours)}


def describe(deck: OwnDeck) -> list[dict[str, object]]:
    """A record for each piece: its part as ``kind``, and its cells."""
    return [{"id": piece.id, "kind": batch.name, **piece.cells, "copies": piece.copies}
            for batch in deck.batches for piece in batch.pieces]


def _part(batch: PieceBatch, texts: Texts, card: Size) -> Part:
    title = texts(f"parts.{batch.name}")
    return Part(name=batch.name, title=title, stock=batch.stock, layout=batch.layout,
                components=tuple(_component(piece, texts, piece.cut.size or card, title) for piece in batch.pieces))


def _component(piece: DeckPiece, texts: Texts, size: Size, part: str) -> Component:
    cells = piece.localized_cells(texts.lang)
    places = {column: piece.line._replace(key=piece.headings.get(column, column)) for column in piece.cells}
    origins = {str(words): places[column] for column, words in piece.cells.items() if words != ""}
    origins |= {f"card.{column}": places[column] for column in sorted(piece.numbers) if cells.get(column) == ""}

    def face(template: str, side: str) -> FaceRequest:
        if template.lower().endswith(PICTURES):  # the same on all pieces, so it is drawn once
            values, key = {}, template
        else:
            # attributes, not a dictionary: a column may have the name "values" or "copy"
            card = {"id": piece.id, "copies": piece.copies, **piece.facts, **cells}
            values, key = {"card": SimpleNamespace(**card), **piece.variables}, piece.id
        values["side"] = side
        if piece.cut.net:
            values["net"] = piece.cut.net
        shape = piece.cut.shape if side == "front" else piece.cut.shape.mirrored
        return FaceRequest(template=template, size=size, shape=shape, values=values, key=key, origins=origins)

    words = (str(cell) for cell in cells.values() if isinstance(cell, str) and cell and not _is_picture(cell))
    usual = (next(words, "")[:MAX_TITLE] if piece.headings else part) if piece.facts else ""
    return Component(id=piece.id, description=_describe_cells(piece, cells, texts.lang),
                     family=f"{part}: {piece.block}" if piece.block else "",
                     title=next((str(cells[name]) for name in TITLE_COLUMNS if cells.get(name)), usual),
                     copies=piece.copies, front=face(piece.front, "front"),
                     back=face(piece.back, "back") if piece.back else None)


def _is_picture(cell: str) -> bool:
    return cell.lower().endswith(PICTURES)


def _describe_cells(piece: DeckPiece, cells: Mapping[str, Cell], lang: str) -> str:
    """Write the cells of a piece of a flat deck line by line, without its title and its pictures."""
    lines = (f"{piece.headings.get(name) or piece.headings.get(f'{name}.{lang}', name)}: {cell}"
             for name, cell in cells.items()
             if piece.facts and cell != "" and name not in TITLE_COLUMNS and not _is_picture(str(cell)))
    return "\n".join(lines)[:MAX_DESCRIPTION]
