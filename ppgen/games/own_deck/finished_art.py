"""New decks of finished art: cards whose faces are pictures, drawings or pages already."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import isclose
from pathlib import Path

from ppgen.assets import DECK_FILE
from ppgen.engine.drawing.face_tools import find_bleed
from ppgen.engine.geometry import INCH, Formats, Size, read_formats
from ppgen.errors import Problems, shorten
from ppgen.games.interface import ArtRequest, NewDeck
from ppgen.games.own_deck.art_folder import FinishedCard, read_art_folder
from ppgen.games.own_deck.art_sheets import read_art_sheets, sort_sizes
from ppgen.games.own_deck.deck import DEFAULT_LANG
from ppgen.games.own_deck.layout_writer import quote
from ppgen.games.own_deck.new_deck import read_cut
from ppgen.shipped import shipped_root

USUAL_BLEEDS = 0.0, 36 / 300 * INCH, INCH / 8, 3.0, 2.0, 5.0, 4.0, 2.5, 1.5
"""Bleeds (mm) in the order in which they are guessed; the second is that of MakePlayingCards."""
USUAL_DPI = 300, 600, 400, 150, 200, 800, 1200, 250, 350, 450
SAME_SHAPE, SAME_LENGTH_MM = 0.0035, 0.4
"""Relative difference of two proportions, and difference of lengths, that are taken for the same."""


@dataclass(slots=True)
class _ArtPart:
    """Cards of one size, as ``deck.toml`` says it, and the bleed of their pictures, where proportions don't show it."""

    name: str
    size: str
    bleed: float | None = None
    cards: list[FinishedCard] = field(default_factory=list)


def deck_from_art(request: ArtRequest) -> NewDeck:
    """Make a deck of finished art. Raises InputError with every problem, before anything is written."""
    problems = Problems()
    size = read_cut(request.size, request.shape, problems) if request.size else None
    notes: list[str] = []
    formats = read_formats(shipped_root() / "data")
    found: dict[str, object] = {}
    picture = b""
    if request.source.is_dir() and not request.grid:
        cards = read_art_folder(request.source, notes, problems)
    else:
        cards, found, picture = read_art_sheets(request, size, formats, notes, problems)
    if problems and picture:
        return NewDeck(files={}, notes=tuple(notes), warnings=tuple(problems), picture=picture, found=found)
    problems.raise_if_any()
    parts = [part for name in dict.fromkeys(card.part for card in cards)
             for part in _split_by_size(name, [card for card in cards if card.part == name], request, formats, notes)]
    deck = _write_deck(request, parts, notes)
    return replace(deck, files={**deck.files, **({"grid.png": picture} if picture else {})},
                   found={**found, **deck.found})


def _write_deck(request: ArtRequest, parts: Sequence[_ArtPart], notes: Iterable[str]) -> NewDeck:
    lines = [f"title = {quote(request.title)}", 'version = "0.1"', f"lang = {quote(request.lang or DEFAULT_LANG)}"]
    files: dict[str, bytes | Path] = {DECK_FILE: b""}
    told: list[str] = []
    for part in parts:
        has_backs = any(card.back for card in part.cards)
        lines += ["", f"[{part.name}]", f'table = "{part.name}.csv"', f"size = {quote(part.size)}",
                  *([f"shape = {quote(request.shape)}"] if request.shape != "rectangle" else []),
                  *([] if part.bleed is None else [f'bleed = "{part.bleed:g}mm"']),
                  'front = "{front}"', *(['back = "{back}"'] if has_backs else [])]
        table = io.StringIO()
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(("name", "copies", "front", *(("back",) if has_backs else ())))
        for card in part.cards:
            writer.writerow((card.name, card.copies, card.front.path,
                             *((card.back.path if card.back else "",) if has_backs else ())))
        files[f"{part.name}.csv"] = table.getvalue().encode()
        files |= {face.path: face.content for card in part.cards for face in (card.front, card.back) if face}
        backs = {card.back.path for card in part.cards if card.back}
        count = sum(card.copies for card in part.cards)
        told.append(f"{part.name}: {count} of {part.size}, {len(part.cards)} different, "
                    + (f"{len(backs)} backs" if len(backs) != 1 else "one back"))
    files[DECK_FILE] = ("\n".join(lines) + "\n").encode()
    cards = [card for part in parts for card in part.cards]
    return NewDeck(files=files, notes=(*told, *notes), found={
        "cards": sum(card.copies for card in cards), "backs": len({card.back.path for card in cards if card.back})})


# Sizes

def _split_by_size(name: str, cards: Sequence[FinishedCard], request: ArtRequest, formats: Formats,
                   notes: list[str]) -> list[_ArtPart]:
    """The part of the most usual size of these cards, and others of those that it does not fit."""
    parts: list[_ArtPart] = []
    rest = list(cards)
    while rest:
        guesses = Counter(_guess_size(card, formats) for card in rest)
        size, bleed = guesses.most_common(1)[0][0]
        part = _ArtPart(f"{name}-{len(parts) + 1}" if parts else name, request.size or size,
                        bleed if not request.size else None)
        trim = read_cut(part.size, request.shape, Problems())
        part.cards = [card for card in rest if request.size or _fits(card, trim)] or [*rest]
        rest = [card for card in rest if card not in part.cards]
        parts.append(part)
        if len(parts) > 1:
            notes.append(f"of another size, in the part {part.name}: {shorten([card.name for card in part.cards])}")
    return parts


def _fits(card: FinishedCard, size: Size) -> bool:
    """Whether a card has the proportions of a size, with or without a bleed."""
    aspect = card.front.width / card.front.height
    if (aspect > 1) != (size.width > size.height):
        aspect = 1 / aspect
    return find_bleed(aspect, size) is not None or isclose(aspect, size.width / size.height, rel_tol=0.01)


def _guess_size(card: FinishedCard, formats: Formats) -> tuple[str, float | None]:
    """The size of a card as ``deck.toml`` says it, by its sides in mm, else in pixels.

    With it comes its bleed, if it is known, or a square, whose proportions don't show it.
    """
    own = card.front.bleed
    width, height = sorted((card.front.width - 2 * own, card.front.height - 2 * own))
    is_square = isclose(width, height, rel_tol=0.02)
    best: tuple[float, str, float] | None = None
    for rank, name in enumerate(sort_sizes(formats)):
        trim = formats.sizes[name].portrait
        for place, bleed in enumerate(USUAL_BLEEDS if not is_square else USUAL_BLEEDS[:1]):
            sides = trim.width + 2 * bleed, trim.height + 2 * bleed
            if card.front.is_real:
                cost = (abs(width - sides[0]) + abs(height - sides[1])) / SAME_LENGTH_MM
                is_exact = cost < 1
            else:
                cost = abs(width / height * sides[1] / sides[0] - 1) / SAME_SHAPE
                is_exact = any(abs(sides[0] / INCH * dpi - width) < 1.1 and abs(sides[1] / INCH * dpi - height) < 1.1
                               for dpi in USUAL_DPI)
                is_exact = (is_exact and find_bleed(width / height, trim) is not None) or (place == 0 and not is_square)
            if cost < 1 and is_exact:
                cost += 0.3 * place + 0.1 * rank
                best = min(best or (cost, name, bleed), (cost, name, bleed))
    if best:
        return best[1], own or (0.0 if is_square else None)
    if card.front.is_real:
        return f"{width:.5g}mm x {height:.5g}mm", own
    width, height = (width / 300 * INCH, height / 300 * INCH) if is_square else (63.5, 63.5 * height / width)
    return f"{width:.4g}mm x {height:.4g}mm", 0.0 if is_square else None
