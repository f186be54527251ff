"""Own decks as games: parts, and the booklet of rules with pictures of the pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from ppgen.assets import DECK, is_flat_deck
from ppgen.engine.booklets.booklet import Booklet, BookletPicture, Figure, Heading, blocks_from_texts, column_width
from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.templates import UNKNOWN_NAMES, find_names_read
from ppgen.engine.geometry import Format, Formats, Rect, Size
from ppgen.errors import Problem, Problems
from ppgen.games.interface import FlatFolder, Game
from ppgen.games.own_deck.deck import PICTURES, TITLE_COLUMNS, DeckPiece, OwnDeck, PieceBatch, load_deck
from ppgen.games.own_deck.flat import FlatDeck
from ppgen.reading.fields import read_toml
from ppgen.reading.file_limits import display_place
from ppgen.reading.tables import Cell
from ppgen.reading.texts import Texts

RULES_FOLDER = "rules"
PICTURE_PIECES = 5
"""Pieces in the picture of a part, evenly spread over it."""
GAP_MM = 4.0
"""Distance of the pieces in a picture."""
MAX_TITLE, MAX_DESCRIPTION = 60, 1_000
"""Characters of the title of a piece without a column for it, and of its description."""
MAX_SCALE = 0.55
"""Scale of the pieces in a picture."""


def open_own_deck(folder: Path, formats: Formats, templates: Path | None = None) -> Game:
    """Open the deck in its data folder; ``templates`` is the folder of its templates. Raises InputError with all
    problems.
    """
    read = UNKNOWN_NAMES if templates is None or is_flat_deck(folder) else find_names_read(templates)
    deck = load_deck(folder, formats, read)
    flat = deck.flat
    inside = FlatFolder(words=flat.words, made=flat.made, drawings=flat.drawings,
                        values=partial(_values, flat)) if flat else None
    return Game(id=deck.id, folder=DECK, flat=inside, version=flat.version if flat else "", lang=deck.lang,
                card_size=deck.card_size, parts=partial(parts, deck), describe=partial(describe, deck), box=deck.box,
                is_own_deck=True,
                rules=rules_of_own_deck if (folder / RULES_FOLDER).is_dir() else None,
                warnings=(*deck.warnings, *check_rules(folder / RULES_FOLDER)))


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


# Rules

_MARKDOWN = {
    "heading": re.compile(r"#{1,6} .*"), "table": re.compile(r"\|.*\|"), "bullet": re.compile(r"[*+] .*"),
    "code": re.compile("```.*"), "note": re.compile("> .*"), "bold": re.compile(r".*?(\*\*[^*\s][^*]{0,60}+\*\*).*"),
    "picture or link": re.compile(r".*?(!?\[[^\[\]]{0,60}\]\([^()]{0,200}\)).*")}
"""Lines of Markdown that the rules do not know, by what they are."""
KNOWN_MARKUP = "rules know ## headings, - and 1. lists, > notes, *strong*, _emphasis_ and {part} for a picture"


def check_rules(folder: Path) -> Iterator[Problem]:
    """Warn of Markdown in the rules that is printed as typed, once for each kind, and of rules that are not read."""
    for path in sorted(folder.glob("*.md")):
        yield Problem(place=display_place(path), what="is not read: rules are the text rules.text.body of a .toml file",
                      remedy=f"put its text into {path.stem}.toml")
    for path in sorted(folder.glob("*.toml")):
        fields = read_toml(folder, path.name, Problems())  # its problems are reported when it is printed
        rules = fields.raw("rules")
        text = rules.get("text") if isinstance(rules, dict) else None
        body = text.get("body") if isinstance(text, dict) else None
        found: dict[str, list[str]] = {}
        for kind, words in find_markdown(body if isinstance(body, str) else ""):
            found.setdefault(kind, []).append(words)
        lines = fields.source.text.splitlines()
        for kind, (first, *others) in found.items():
            line = next((number for number, words in enumerate(lines, 1) if first in words), 0)
            yield Problem(place=fields.source.name, line=line, key="rules.text.body", more=len(others),
                          what=f"Markdown {kind} '{first}' is printed as typed", remedy=KNOWN_MARKUP)


def find_markdown(body: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the words of each line of Markdown that :func:`parse_blocks` takes for plain words."""
    for block in re.split(r"\n\s*\n", body.strip()):
        lines = [line.strip() for line in block.strip().splitlines()]
        while lines and lines[0].startswith("## "):
            lines.pop(0)
        is_note = all(line.startswith(">") for line in lines)
        for line in lines:
            for kind, pattern in _MARKDOWN.items():
                if (match := pattern.fullmatch(line)) and not (is_note and kind == "note"):
                    yield kind, match[match.lastindex or 0]


def rules_of_own_deck(texts: Texts, parts: Sequence[Part], page: Size, ink: str) -> Booklet:
    """Make the booklet of ``rules.text.body``; a line ``{cards}`` becomes a picture of the part ``cards``.

    Raises InputError for a line with an unknown part.
    """
    name, title = texts("rules.book.name"), texts("game.title")
    pictures = {part.name.replace("-", "_"): (_picture(part, column_width(page)),)
                for part in parts if not part.is_full_page}
    blocks = (Heading(title), *blocks_from_texts(texts, "rules.text.body", pictures, {}))
    return Booklet(title=f"{title}: {name}", running=f"{title} · {name}", lang=texts.lang, page=page, blocks=blocks,
                   author=texts("game.author"), ink=ink)


def _picture(part: Part, measure: float) -> Figure:
    """Draw some pieces of a part in a row, as large as the page allows."""
    stride = max(1, len(part.components) // PICTURE_PIECES)
    pieces = part.components[::stride][:PICTURE_PIECES]
    width = sum(piece.size.width for piece in pieces)
    height = max(piece.size.height for piece in pieces)
    scale = min((measure - GAP_MM * (len(pieces) - 1)) / width, MAX_SCALE)
    left = (measure - width * scale - GAP_MM * (len(pieces) - 1)) / 2

    def pictures() -> Iterator[BookletPicture]:
        x = left
        for piece in pieces:
            box = Rect(x, (height - piece.size.height) * scale / 2, piece.size.width * scale, piece.size.height * scale)
            yield BookletPicture(request=piece.front, box=box, corner=2.5 * scale)
            x = box.right + GAP_MM

    return Figure(size=Size(measure, height * scale), parts=tuple(pictures()),
                  alt=", ".join(dict.fromkeys(piece.title or piece.id for piece in pieces)))
