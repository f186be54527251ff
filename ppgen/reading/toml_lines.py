"""Turns a TOML text into the line on which each of its tables and keys stands (tomllib keeps none)."""

from __future__ import annotations

import re
from functools import lru_cache

from ppgen.reading.limits import Trail

# Every repetition takes all it can and gives nothing back (*+): a line of a million characters that is nearly a key
# would else be tried in every way that it can be cut up.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_NAME = rf"""{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+"""
_HEADER = re.compile(rf"[ \t]*+(\[{{1,2}}+)[ \t]*+({_NAME})[ \t]*+\]{{1,2}}")
_KEY = re.compile(rf"[ \t]*+({_NAME})[ \t]*+=")
_PARTS = re.compile(_PART)
_QUOTED = re.compile(r"""\"(?:[^"\\]|\\.)*+(?:"|$)|'[^']*+(?:'|$)|#.*+""")
_LONG = re.compile(rf"(?:^|[\[{{,])[ \t]*+((?:{_PART}[ \t]*+\.[ \t]*+){{12}})", re.MULTILINE)


def line_of_long_key(text: str) -> int:
    """The line of the first key of more than twelve parts, for each of which tomllib takes ever longer; 0 if none."""
    long = _LONG.search(text)
    return text.count("\n", 0, long.start(1)) + 1 if long else 0


@lru_cache(maxsize=8)  # asked for anew with every key of a file
def toml_lines(text: str) -> dict[Trail, int]:
    """The line (from 1) of each table and key; an int in a trail counts [[tables]]."""
    lines: dict[Trail, int] = {}
    counts: dict[Trail, int] = {}
    table: Trail = ()
    inside = ""  # the quotes of a text that runs over several lines
    brackets = 0  # how deep inside a list that runs over several lines
    for number, line in enumerate(text.split("\n"), 1):
        if inside:
            inside = "" if inside in line else inside
            continue
        if brackets > 0:
            brackets += _brackets(line)
            continue
        if header := _HEADER.match(line):
            table = tuple(part.strip("\"'") for part in _PARTS.findall(header[2]))
            table = next(((*head, counts[head] - 1, *table[n:]) for n in range(len(table) - 1, 0, -1)
                          if (head := table[:n]) in counts), table)
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                table = (*table, counts[table] - 1)
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *(part.strip("\"'") for part in _PARTS.findall(key[1]))), number)
            for quotes in ('"""', "'''"):
                inside = quotes if line.count(quotes) == 1 else inside
            brackets = 0 if inside else _brackets(line[key.end():])
    return lines


def _brackets(line: str) -> int:
    """How many lists a line opens more than it closes; brackets in quotes and comments don't count."""
    bare = _QUOTED.sub("", line)
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")
