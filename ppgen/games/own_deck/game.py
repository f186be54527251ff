"""Own decks as games: their parts, and what commands know of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from ppgen.assets import DECK, SCORE_FILE
from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Format, Formats, Size
from ppgen.games.game_kind import call
from ppgen.games.interface import MAX_SEATS, Game, TableGame, set_up_piles
from ppgen.games.own_deck.deck import PICTURES, RULES, TITLE_COLUMNS, DeckPiece, OwnDeck, PieceBatch
from ppgen.games.own_deck.deck_loading import load_deck
from ppgen.reading.tables import Cell
from ppgen.reading.texts import Texts

USUAL_PLAYERS = 2, 4
SHEET = f"{__package__}.sheet:"  # heavy: few commands need it
MAX_TITLE, MAX_DESCRIPTION = 60, 1_000  # of the title of a piece without a column for it, and of its description


def open_own_deck(folder: Path, formats: Formats) -> Game:
    """Open the deck in its data folder. Raises InputError with all problems."""
    deck = load_deck(folder, formats)
    own, is_scored = deck.additions, (folder / SCORE_FILE).exists()
    return Game(
        id=deck.id, folder=DECK, lang=deck.lang, card_size=deck.card_size, parts=partial(parts, deck),
        describe=partial(describe, deck), box=deck.box, warnings=deck.warnings,
        score_sheet=partial(call, SHEET + "rule_sheet_part", folder) if is_scored else None,
        scorer=partial(call, SHEET + "scorer_game", folder, deck.id, own.words["game.title"],
                       own.words["game.author"]) if is_scored else None,
        table=partial(_table, folder, deck), deck=own,
        rules=partial(call, RULES + "rules_of_file", folder, own.rules, own.version) if own.rules else None)


def _table(folder: Path, deck: OwnDeck) -> TableGame:
    """The table of the deck, for as many players as its ``score.toml`` says, or two to four."""
    least, most = USUAL_PLAYERS
    if (folder / SCORE_FILE).exists():
        from ppgen.play.rule_file import read_rules

        rules = read_rules(folder)
        least, most = rules.least, min(rules.most, MAX_SEATS)
    return TableGame(least=least, most=max(least, most), learn=deck.learn, tools=deck.tools,
                     set_up=partial(set_up_piles, deck.deals, deck.rows))


def parts(deck: OwnDeck, texts: Texts, card_size: Format) -> tuple[Part, ...]:
    """The parts of the deck, in the order of ``deck.toml``."""
    size = card_size.size.portrait
    is_usual = size == deck.card_size.size.portrait
    return tuple(_part(batch, texts, None if is_usual or not batch.is_cards else size) for batch in deck.batches)


def describe(deck: OwnDeck) -> list[dict[str, object]]:
    """A record for each piece: its part as ``kind``, and its cells."""
    return [{"id": piece.id, "kind": batch.name, **piece.cells, "copies": piece.copies}
            for batch in deck.batches for piece in batch.pieces]


def _part(batch: PieceBatch, texts: Texts, card: Size | None) -> Part:
    """The part; ``card`` is another size to print it in."""
    title = texts(f"parts.{batch.name}")
    return Part(name=batch.name, title=title, stock=batch.stock, layout=batch.layout,
                size_spot=None if batch.is_cards else batch.size_spot,
                components=tuple(_component(piece, texts, card, title) for piece in batch.pieces))


def _component(piece: DeckPiece, texts: Texts, card: Size | None, part: str) -> Component:
    cut = piece.cut.scaled(card) if card else piece.cut
    cells = piece.localized_cells(texts.lang)
    places = {column: piece.line._replace(key=piece.headings.get(column, column)) for column in piece.cells}
    # of cells with the same words that of the language counts, else the first
    columns = [*piece.cells][::-1]
    columns.sort(key=lambda column: column.endswith(f".{texts.lang}"))
    origins = {str(piece.cells[column]): places[column] for column in columns if piece.cells[column] != ""}
    origins |= {f"card.{column}": places[column] for column in sorted(piece.numbers) if cells.get(column) == ""}

    def face(template: str, side: str) -> FaceRequest:
        if template.lower().endswith(PICTURES):  # the same on all pieces, so it is drawn once
            values, key = {}, template
        else:
            # attributes, not a dictionary: a column may have the name "values" or "copy"
            card = {"id": piece.id, "copies": piece.copies, **piece.facts, **cells}
            values, key = {"card": SimpleNamespace(**card), **piece.variables}, piece.id
        values["side"] = side
        if cut.net:
            values["net"] = cut.net
        shape = cut.shape if side == "front" else cut.shape.mirrored
        return FaceRequest(template=template, size=cut.size, drawn_size=piece.cut.size, shape=shape, values=values,
                           key=key, origins=origins)

    words = (str(cell) for cell in cells.values() if isinstance(cell, str) and cell and not _is_picture(cell))
    usual = next(words, "")[:MAX_TITLE] if piece.headings else part
    return Component(id=piece.id, description=_describe_cells(piece, cells, texts.lang),
                     family=f"{part}: {piece.block}" if piece.block else "",
                     title=next((str(cells[name]) for name in TITLE_COLUMNS if cells.get(name)), usual),
                     copies=piece.copies, front=face(piece.front, "front"),
                     back=face(piece.back, "back") if piece.back else None)


def _is_picture(cell: str) -> bool:
    return cell.lower().endswith(PICTURES)


def _describe_cells(piece: DeckPiece, cells: Mapping[str, Cell], lang: str) -> str:
    """Write the cells of a piece line by line, without its title and its pictures."""
    lines = (f"{piece.headings.get(name) or piece.headings.get(f'{name}.{lang}', name)}: {cell}"
             for name, cell in cells.items()
             if cell != "" and name not in TITLE_COLUMNS and not _is_picture(str(cell)))
    return "\n".join(lines)[:MAX_DESCRIPTION]
