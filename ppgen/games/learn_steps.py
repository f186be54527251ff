"""Steps of *Learn to play*: a walk through the first turns of a game with its pieces, on the table page."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from ppgen.engine.geometry import Point
from ppgen.errors import Problems, join_names, suggest
from ppgen.reading.fields import Fields, format_value, read_toml

LEARN, LEARN_FILE = "learn", "learn.toml"  # table of `deck.toml` and of the locale files: texts by step
MAX_STEPS, MAX_STEP_TEXT, MAX_STEP_PIECES = 40, 400, 60
MAX_PLACE_MM = 2_000
_NAME = re.compile(r"[a-z0-9]+([_-][a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnStep:
    """A step: pieces (ids or kinds) to show, and pieces to move to a place, a seat (from 1) or another piece."""

    name: str
    show: tuple[str, ...]
    move: tuple[tuple[str, Point | int | str], ...]


def load_steps(folder: Path, describe: Callable[[], list[dict[str, object]]],
               spots: Collection[str], seats: int) -> tuple[LearnStep, ...]:
    """Load the steps of a shipped game, whose texts stand in its locale files. Raises InputError."""
    problems = Problems()
    top = read_toml(folder, LEARN_FILE, problems)
    records = describe()
    names = dict.fromkeys(str(record[key]) for key in ("id", "kind") for record in records)
    steps = take_steps(top, names, spots, seats)
    problems.raise_if_any()
    return steps


def take_steps(table: Fields, pieces: Collection[str], spots: Collection[str], seats: int,
               words: dict[str, str] | None = None) -> tuple[LearnStep, ...]:
    """Take the steps of ``[learn]``, and their texts into ``words`` unless they are in the locale files."""
    names = [*table]
    if len(names) > MAX_STEPS:
        table.note("", f"has {len(names)} steps", f"at most {MAX_STEPS}: the first turns only")
        return ()
    steps = []
    for name in names:
        step = table.take_table(name)
        if not table.is_table(name):
            continue
        if not _NAME.fullmatch(name):
            table.note(name, f"{format_value(name)} is not a name", "small letters, digits and hyphens")
        if words is not None:
            words[f"{LEARN}.{name}"] = _take_text(step)
        steps.append(LearnStep(name=name, show=tuple(_take_shown(step, pieces)),
                               move=tuple(_take_moves(step, pieces, spots, seats))))
        step.close()
    return tuple(steps)


def _take_text(step: Fields) -> str:
    text = step.take_text("text")
    if "text" in step and not text.strip() and text:
        step.note("text", "is empty", "write a text")
    if len(text) > MAX_STEP_TEXT:
        step.note("text", f"has {len(text)} characters", f"at most {MAX_STEP_TEXT}: make it two steps")
    if "{" in text or "}" in text:
        step.note("text", "has a brace", "leave it out")
    return text


def _take_shown(step: Fields, pieces: Collection[str]) -> Iterator[str]:
    shown = step.take_texts("show", ())
    if len(shown) > MAX_STEP_PIECES:
        step.note("show", f"has {len(shown)} pieces", f"at most {MAX_STEP_PIECES}, or the name of their part")
        return
    for piece in shown:
        if _is_known(step, "show", piece, pieces):
            yield piece


def _take_moves(step: Fields, pieces: Collection[str], spots: Collection[str],
                seats: int) -> Iterator[tuple[str, Point | int | str]]:
    moves = step.raw("move") if "move" in step else []
    if not isinstance(moves, list) or len(moves) > MAX_STEP_PIECES:
        step.note("move", "is not a list of moves", f'write [["PIECE", "PLACE"]], at most {MAX_STEP_PIECES}')
        return
    for move in moves:
        match move:
            case [str(piece), str(to)]:
                seat = to.removeprefix("seat ")
                if to in (f"seat {n}" for n in range(1, seats + 1)):
                    place: Point | int | str = int(seat)
                elif _is_known(step, "move", to, [*pieces, *spots]):
                    place = to
                else:
                    continue
            case [str(piece), [int() | float() as x, int() | float() as y]] if (
                    abs(x) <= MAX_PLACE_MM and abs(y) <= MAX_PLACE_MM):
                place = Point(x, y)
            case _:
                step.note("move", f"{format_value(move, 60)} is not a move",
                          'write a piece and its place, like ["coin", "seat 1"]: a seat, another piece, [x, y] in mm')
                continue
        if _is_known(step, "move", piece, pieces):
            yield piece, place


def _is_known(step: Fields, key: str, name: str, known: Collection[str]) -> bool:
    if name in known:
        return True
    shown = [*known]
    step.note(key, f"there is no piece {format_value(name, 60)}",
              suggest(name, shown, f"ids of `ppgen list`: {join_names(shown[:6])}{' …' if len(shown) > 6 else ''}"))
    return False
