"""New decks of finished art: cards whose faces are pictures, drawings or pages already."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, count, product
from math import isclose
from pathlib import Path

from ppgen.assets import DECK_FILE
from ppgen.engine.drawing.face_tools import find_bleed
from ppgen.engine.geometry import INCH, Formats, Size, read_formats
from ppgen.errors import InputError, Problems, display_path, shorten
from ppgen.games.interface import ArtRequest, NewDeck
from ppgen.games.own_deck.art_folder import FinishedCard, FinishedFace, read_art_folder
from ppgen.games.own_deck.art_sheets import read_art_sheets, sort_sizes
from ppgen.games.own_deck.deck import DEFAULT_LANG
from ppgen.games.own_deck.layout_writer import quote
from ppgen.games.own_deck.new_deck import read_cut
from ppgen.shipped import shipped_root

USUAL_BLEEDS = 0.0, 36 / 300 * INCH, INCH / 8, 3.0, 2.0, 5.0, 4.0, 2.5, 1.5
"""Bleeds (mm) in the order in which they are guessed; the second is that of MakePlayingCards."""
REAL_BLEEDS, WHOLE_MM = 5, 0.3
"""The first bleeds, which lengths in mm may have; and the difference of whole millimetres that are taken for such."""
USUAL_DPI = 300, 600, 400, 150, 200, 800, 1200, 250, 350, 450
SAME_SHAPE, SAME_LENGTH_MM = 0.0035, 0.4
"""Relative difference of two proportions, and difference of lengths, that are taken for the same."""


def deck_from_art(request: ArtRequest) -> NewDeck:
    """Make a deck of finished art. Raises InputError with every problem, before anything is written."""
    problems = Problems()
    size = read_cut(request.size, request.shape, problems) if request.size else None
    notes: list[str] = []
    formats = read_formats(shipped_root() / "data")
    found: dict[str, object] = {}
    picture = b""
    if tables := sorted(request.source.glob("decks/*/cards.csv")):  # as Cider saves it
        raise InputError.at("--from", f"'{display_path(request.source)}' is a project of Cider", "give a table of its: "
                            f"--from {display_path(tables[0])} --art {display_path(request.source / 'assets')}")
    if request.source.is_dir() and not request.grid:
        cards = read_art_folder(request.source, request.backs, notes, problems)
    else:
        cards, found, picture = read_art_sheets(request, size, formats, notes, problems)
    if problems and picture:
        return NewDeck(files={}, notes=tuple(notes), warnings=tuple(problems), picture=picture, found=found)
    problems.raise_if_any()
    deck = _write_deck(request, cards, formats, notes)
    return replace(deck, files={**deck.files, **({"grid.png": picture} if picture else {})},
                   found={**found, **deck.found})


def _write_deck(request: ArtRequest, cards: Sequence[FinishedCard], formats: Formats, notes: list[str]) -> NewDeck:
    """Write the tables and ``deck.toml``: a part for each size of cards in a folder."""
    lines = [f"title = {quote(request.title)}", 'version = "0.1"', f"lang = {quote(request.lang or DEFAULT_LANG)}"]
    files: dict[str, bytes | Path] = {DECK_FILE: b""}
    counts: list[str] = []
    rest = [*cards]
    while rest:
        name = rest[0].part
        of_part = [card for card in rest if card.part == name]
        guesses = Counter(_guess_size(card.front, formats) for card in of_part)
        guess, bleed, is_sure = guesses.most_common(1)[0][0]
        trim = read_cut(guess, "rectangle", Problems())
        if not request.size:
            of_part = [card for card in of_part if _fits(card.front, trim)] or of_part
        rest = [card for card in rest if card not in of_part]
        part = next(each for each in chain((name,), (f"{name}-{n}" for n in count(2))) if f"{each}.csv" not in files)
        if part != name:
            notes.append(f"of another size, in the part {part}: {shorten([card.name for card in of_part])}")
        size = request.size or guess
        if not (request.size or is_sure):
            notes.append(f"{part}: size guessed from the proportions (--size says it)")
        backs = {card.back.path for card in of_part if card.back}
        lines += ["", f"[{part}]", f'table = "{part}.csv"', f"size = {quote(size)}",
                  *([f"shape = {quote(request.shape)}"] if request.shape != "rectangle" else []),
                  *([] if bleed is None or request.size else [f'bleed = "{bleed:g}mm"']),
                  'front = "{front}"', *(['back = "{back}"'] if backs else [])]
        rows = [("name", "copies", "front", "back"),
                *((card.name, card.copies, card.front.path, card.back.path if card.back else "") for card in of_part)]
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows(row if backs else row[:3] for row in rows)
        files[f"{part}.csv"] = table.getvalue().encode()
        files |= {face.path: face.content for card in of_part for face in (card.front, card.back) if face}
        counts.append(f"{part}: {sum(card.copies for card in of_part)} of {size}, {len(of_part)} different, "
                      + (f"{len(backs)} backs" if len(backs) != 1 else "one back"))
    if filled := len({face.path for card in cards for face in (card.front, card.back) if face and face.is_filled}):
        notes.append(f"rounded corners of {filled} {'picture' if filled == 1 else 'pictures'} filled, as cards are cut "
                     "square: a corner punch rounds them")
    files[DECK_FILE] = ("\n".join(lines) + "\n").encode()
    return NewDeck(files=files, notes=(*counts, *notes), found={
        "cards": sum(card.copies for card in cards), "backs": len({card.back.path for card in cards if card.back})})


# Sizes

def _fits(face: FinishedFace, size: Size) -> bool:
    """Whether a face has the proportions of a size, with or without a bleed."""
    aspect = face.width / face.height
    if (aspect > 1) != (size.width > size.height):
        aspect = 1 / aspect
    return find_bleed(aspect, size) is not None or isclose(aspect, size.width / size.height, rel_tol=0.01)


def _guess_size(face: FinishedFace, formats: Formats) -> tuple[str, float | None, bool]:
    """The size of a card as ``deck.toml`` says it, by its sides in mm, by its dpi, else by its proportions.

    With it comes its bleed, if it is known, or a square, whose proportions don't show it; and whether it is more than
    its proportions. A picture's dpi counts where it leads to a known size or to whole millimetres.
    """
    if any(abs(face.dpi - dpi) < 0.5 for dpi in USUAL_DPI):
        width, height = (side / face.dpi * INCH for side in (face.width, face.height))
        size, bleed, _ = _guess_size(replace(face, width=width, height=height, is_real=True, dpi=0.0), formats)
        if size in formats.sizes:
            return size, bleed, True
        if max(abs(side - round(side)) for side in (width, height)) <= WHOLE_MM:
            short, long = sorted(map(round, (width, height)))
            return f"{short}mm x {long}mm", bleed, True
    width, height = sorted((face.width - 2 * face.bleed, face.height - 2 * face.bleed))
    is_square = isclose(width, height, rel_tol=0.02)
    costs: list[tuple[float, str]] = []
    bleeds = USUAL_BLEEDS[:1 if is_square or face.bleed else REAL_BLEEDS if face.is_real else None]
    for (rank, name), (place, bleed) in product(enumerate(sort_sizes(formats)), enumerate(bleeds)):
        trim = formats.sizes[name].portrait
        sides = trim.width + 2 * bleed, trim.height + 2 * bleed
        if face.is_real:
            cost = (abs(width - sides[0]) + abs(height - sides[1])) / SAME_LENGTH_MM * (2 if bleed else 1)
        else:
            cost = abs(width / height * sides[1] / sides[0] - 1) / SAME_SHAPE
        if cost < 1 and (face.is_real or not (bleed or is_square) or (
                find_bleed(width / height, trim) is not None and _have_usual_dpi((width, height), sides))):
            costs.append((cost + 0.3 * place + 0.1 * rank, name))
    if costs:
        return min(costs)[1], face.bleed or (0.0 if is_square else None), face.is_real
    if not face.is_real:
        width, height = (width / 300 * INCH, height / 300 * INCH) if is_square else (63.5, 63.5 * height / width)
    digits = 1 if face.is_real else 2
    return (f"{round(width, digits):g}mm x {round(height, digits):g}mm",
            face.bleed if face.is_real else 0.0 if is_square else None, face.is_real)


def _have_usual_dpi(pixels: tuple[float, float], sides: tuple[float, float]) -> bool:
    return any(max(abs(mm / INCH * dpi - given) for given, mm in zip(pixels, sides, strict=True)) < 1.1
               for dpi in USUAL_DPI)
