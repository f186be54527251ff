"""Random inputs by the grammars in ``grammars/``: lines ``name = alternative``, in which ``@name`` stands for one of
the alternatives of that name, ``@{a|b}`` for one of those, ``@{1..9}`` or ``@{0.5..9}`` for a number, ``@[…]`` for its
inside or, more often, for nothing; a backslash and n are a new line."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

PART = re.compile(r"@\[((?:[^\[\]]|\[[^\[\]]*\])*)\]|@\{([^{}]*)\}|@(\w+)")
MAX_DEPTH = 6  # from there on the first alternative is taken


def read_grammar(name: str) -> Mapping[str, Sequence[str]]:
    rules = defaultdict[str, list[str]](list)
    for line in (Path(__file__).parent / "grammars" / f"{name}.txt").read_text("utf-8").splitlines():
        head, _, alternative = line.partition(" = ")
        rules[head].append(alternative.replace("\\n", "\n"))
    return rules


def expand(rules: Mapping[str, Sequence[str]], chance: random.Random, text: str, depth: int = 0) -> str:
    def part(match: re.Match[str]) -> str:
        maybe, choice, name = match.groups()
        if name:
            return expand(rules, chance, chance.choice(rules[name]) if depth < MAX_DEPTH else rules[name][0], depth + 1)
        if maybe:
            return expand(rules, chance, maybe, depth) if chance.random() < 0.3 else ""
        low, dots, high = choice.partition("..")
        if not dots:
            return expand(rules, chance, chance.choice(choice.split("|")), depth)
        if "." in low:
            return f"{chance.uniform(float(low), float(high)):.1f}"
        return str(chance.randint(int(low), int(high)))

    return PART.sub(part, text)
