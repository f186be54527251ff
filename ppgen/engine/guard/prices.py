"""The functions that templates may call, each with its price in steps by the arguments it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jinja2
from markupsafe import Markup

Price = Callable[[Mapping[str, Any]], float]


class RefusedError(jinja2.TemplateRuntimeError):
    """Something that templates must not do, in plain words, with what to do instead."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that templates may call; its text is markup. ``price`` is its cost in steps by its arguments.

    It is paid for each time, whoever calls it: what it sets in type may be a stranger's.
    """

    name: str
    work: Callable[..., str]
    price: Price
    pay: Callable[[Helper, tuple[Any, ...], Mapping[str, Any]], None]

    def __call__(self, *args: Any, **kwargs: Any) -> Markup:
        self.pay(self, args, kwargs)
        try:
            return Markup(self.work(*args, **kwargs))
        except KeyError as error:
            raise RefusedError(f"{self.name}() does not know {error}", "see docs/templates.md") from error
        except (TypeError, ValueError, ArithmeticError) as error:
            raise RefusedError(f"{self.name}() can't work with what it is given: {error}",
                               "see docs/templates.md") from error


def _price_of_paragraph(given: Mapping[str, Any]) -> float:
    """Each piece that a line may break at is measured with the line before it, in as many as 25 sizes."""
    words = str(given.get("words", ""))
    pieces = 1 + words.count(" ") + sum(1 for character in words if character >= "\u3000")
    smallest = min(given.get("size", 1), given.get("min_size") or given.get("size", 1))
    line = abs(given.get("width", 0)) / max(0.2 * smallest, 0.001)  # no character is narrower than a fifth of the size
    return 500 + 1.5 * pieces * float(min(len(words), line))


PRICES: Mapping[str, Price] = {
    "text": lambda given: 200 + 10 * len(str(given.get("words", ""))),
    "paragraph": _price_of_paragraph,
    "ruler": lambda given: 100 + 100 * abs(given.get("length", 0)),
    "drift_scale": lambda given: 100 + 400 * abs(given.get("reach", 0)),
    "band": lambda given: 500 + 150 * (abs(given.get("width", 0)) + abs(given.get("height", 0)))
                          / (abs(given.get("thick", 1)) or 1),
    "diaper": lambda given: 2_000,
    "lozenges": lambda given: 2_000,
    "line_drawing": lambda given: 100 + len(str(given.get("drawing", ""))) / 10,
    "woodcut": lambda given: 10_000 + len(str(given.get("drawing", ""))),
}
"""The cost of the drawing functions in steps; those that are not named cost 100."""
