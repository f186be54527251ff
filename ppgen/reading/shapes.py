"""Takes what the data of several games have alike from fields: identifiers, codes, colours, numbers, no value twice."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ppgen.errors import counted
from ppgen.reading.fields import Fields, shown_value


def take_id(row: Fields, key: str) -> str:
    # ids become file names
    return take_pattern(row, key, r"[a-z0-9][a-z0-9_-]{0,39}", "small letters, digits and hyphens")


def take_code(row: Fields) -> str:
    return take_pattern(row, "code", r"[A-Z]{2}", "two capital letters, like FR")


def take_colour(row: Fields, key: str = "colour") -> str:
    return take_pattern(row, key, r"#[0-9A-Fa-f]{6}", "# and six hexadecimal digits, like #332288")


def take_pattern(row: Fields, key: str, pattern: str, described: str) -> str:
    text = row.take_text(key)
    if text and not re.fullmatch(pattern, text):
        row.note(key, f"'{text}' is not allowed here", f"write {described}")
    return text


def take_numbers(row: Fields, key: str, count: int, least: float, most: float) -> tuple[float, ...]:
    """A list of so many numbers between the bounds; as many ``least`` where it isn't one."""
    value = row.raw(key)
    if (numbers := _numbers(value, least, most)) and len(numbers) == count:
        return numbers
    row.note(key, "is missing" if value is None else f"{shown_value(value)} is not allowed here",
             f"write {counted(count, 'number')} from {least:g} to {most:g}, like [{', '.join('0' * count)}]")
    return (least,) * count


def take_number_cell(row: Fields, key: str, least: float, most: float) -> float:
    """A number in a cell of a table; ``least`` where it isn't one."""
    text = row.take_text(key)
    if re.fullmatch(r"-?\d{1,6}(\.\d{1,6})?", text, re.ASCII) and least <= float(text) <= most:
        return float(text)
    if text:
        row.note(key, f"'{text}' is not allowed here", f"write a number from {least:g} to {most:g}")
    return least


def note_repeated(rows: Sequence[Fields], key: str, values: Sequence[object]) -> None:
    """Note each value that an earlier row has already, but for stand-ins of values noted as wrong."""
    wrong = {(problem.place, problem.line) for row in rows[:1] for problem in row.problems}
    first: dict[object, Fields] = {}
    for row, value in zip(rows, values, strict=True):
        if wrong and (row.source.name, row.line(key)) in wrong:
            continue
        if first.setdefault(value, row) is not row:
            row.note(key, f"'{value}' stands here again", f"first in line {first[value].line(key)}")


def close(*tables: Fields) -> None:
    """Close all of them."""
    for table in tables:
        table.close()


def _numbers(value: object, least: float, most: float) -> tuple[float, ...]:
    """A list of numbers between the bounds, or nothing."""
    if not isinstance(value, list):
        return ()
    numbers = tuple(float(part) for part in value if isinstance(part, int | float) and not isinstance(part, bool))
    return numbers if len(numbers) == len(value) and all(least <= each <= most for each in numbers) else ()
