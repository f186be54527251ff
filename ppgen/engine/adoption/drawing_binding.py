"""Labels of a drawing bound to columns: ``name``, ``fill:rarity``, ``show:cost>3``, ``{name}`` inside words.

A label is Inkscape's, else Affinity's ``serif:id``, else the id. Expressions for templates are made here only: whatever
a drawing says becomes a string literal without braces, never code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches

from lxml import etree

from ppgen.engine.svg.elements import local_tag
from ppgen.engine.svg.subset import SHAPES
from ppgen.reading.tables import column_name
from ppgen.shipped import Phrase

INKSCAPE, SERIF = "{http://www.inkscape.org/namespaces/inkscape}", "{http://www.serif.com/}"
BACK = "back_"  # a column of this name is shown on backs in place of the one without
TEXTS = ("text", "flowRoot")
FILLED = SHAPES | {"image", "g", "use", *TEXTS}
MAX_LABEL, MAX_ORDERS = 200, 10  # characters of a label, and what it may ask for
_ORDER = re.compile(r"(fill|stroke|show|hide)\s*+:(.+)")
_PARTED = re.compile(r"\s*;\s*|\s+(?=(?:fill|stroke|show|hide)\s*:)")
_TEST = re.compile(r"!?+([^=!<>]++)(?:(==|!=|>=|<=|>|<|=)(.+))?+")
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_COLUMN = re.compile(r"\{([^{}<>\n]{1,100})\}")
_AUTOMATIC = re.compile(r"#.*|[A-Za-z]+[_-]?\d[\d_-]*")
"""Labels and ids that programs give by themselves: ``#text4138`` (Inkscape 0.92), ``text18``, ``Ellipse_3``."""
_LANGUAGE = re.compile(r"(?<![\w-])[A-Za-z]{2,3}(?![A-Za-z])")
"""The languages of ``systemLanguage``, without their regions."""
_RISKY = re.compile(r"[{}%#<>&]")
_MARKUP = re.compile(r"\\|\*|==|[{}•]|(?<!\S)-(?=\s)")
_NEAR = 0.75


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that a drawing may show, and those whose values are names of colours of the deck."""

    names: Collection[str] = ()
    colours: Collection[str] = ()

    def cell(self, name: str) -> str:
        """The expression of a column's cell."""
        behind = f"{BACK}{name}"
        return f'(card.{behind} if side == "back" else card.{name})' if behind in self.names else f"card.{name}"

    def colour(self, name: str) -> str:
        """The expression of the colour that a column names."""
        return f"colours.{name}[{self.cell(name)}]" if name in self.colours else self.cell(name)

    def nearest(self, name: str, cutoff: float = _NEAR) -> str:
        return next(iter(get_close_matches(column_name(name), self.names, n=1, cutoff=cutoff)), "")


@dataclass(slots=True)
class Binding:
    """The requests of a label: the ``column`` to show, expressions of paints and conditions; and its ``faults``."""

    label: str = ""
    column: str = ""
    paints: dict[str, str] = field(default_factory=dict)
    tests: list[str] = field(default_factory=list)
    uses: list[tuple[str, str]] = field(default_factory=list)  # columns, and how each is shown
    faults: list[tuple[str, str]] = field(default_factory=list)


def label_of(element: etree._Element) -> str:
    """The label of an element, or its id."""
    label = str(element.get(f"{INKSCAPE}label") or element.get(f"{SERIF}id") or "").strip()
    return (str(element.get("id", "")) if not label or label.startswith("#") else label)[:MAX_LABEL]


def read_binding(element: etree._Element, columns: Columns) -> Binding:
    """Read what the label of an element asks for."""
    binding = Binding(label_of(element))
    for words in [each for each in _PARTED.split(binding.label) if each][:MAX_ORDERS]:
        order = _ORDER.fullmatch(words)
        name = column_name(words)
        if order:
            _read_order(binding, order[1], order[2].strip(), columns)
        elif local_tag(element) not in FILLED:
            continue
        elif name in columns.names:
            binding.column = name
        elif not _AUTOMATIC.fullmatch(words) and (near := columns.nearest(words)):
            binding.faults.append((f"is like the column '{near}', but is not one: nothing is filled in",
                                   f"call it {near}"))
    return binding


def _read_order(binding: Binding, kind: str, words: str, columns: Columns) -> None:
    test = _TEST.fullmatch(words)
    name = column_name(test[1]) if test else ""
    if not test or name not in columns.names:
        near = columns.nearest(name, 0.5)
        binding.faults.append((f"there is no column '{name or words[:40]}'",
                               Phrase("did_you_mean_names", names=near) if near else "nothing is bound to it"))
    elif kind in ("fill", "stroke"):
        binding.paints[kind] = columns.colour(name)
        binding.uses.append((name, kind))
    else:
        cell, sign, value = columns.cell(name), test[2], (test[3] or "").strip()
        code = cell
        if sign:
            literal = value if _NUMBER.fullmatch(value) else quote(value.strip("'\""))
            code = f"({cell} != \"\" and {cell} {'==' if sign == '=' else sign} {literal})"
        binding.tests.append(f"not {code}" if (kind == "hide") != words.startswith("!") else code)
        binding.uses.append((name, f"{kind}s it" + (f" if {sign}{value}" if sign else "")))


def language_test(element: etree._Element) -> str:
    """The expression that tells whether an element is for the deck's language; empty if it is for all of them."""
    named = element.get("systemLanguage")
    if named is None:
        return ""
    codes = sorted({match[0].lower() for match in _LANGUAGE.finditer(named[:MAX_LABEL])})
    return f'(t.lang.lower().split("-")[0] in ({"".join(f"{quote(code)}, " for code in codes)}))'


def quote(words: str) -> str:
    """Write words as a string literal of a template, without any sign that begins or ends something there."""
    return _RISKY.sub(lambda match: f"\\x{ord(match[0]):02x}", json.dumps(words, ensure_ascii=False))


def escape_markup(words: str) -> str:
    """Escape the signs that ``rich()`` would read as markup."""
    return _MARKUP.sub(lambda match: "".join(f"\\{sign}" for sign in match[0]), words)


def split_at_columns(words: str, columns: Columns) -> Iterator[tuple[str, str]]:
    """Yield the words between columns, each with the column that follows; other words in braces stay."""
    at = 0
    for match in _COLUMN.finditer(words):
        if (name := column_name(match[1])) in columns.names:
            yield words[at:match.start()], name
            at = match.end()
    yield words[at:], ""


def near_columns(words: str, columns: Columns) -> Iterator[tuple[str, str]]:
    """Yield the names in braces that are not a column, but like one; and that one."""
    for match in _COLUMN.finditer(words):
        if column_name(match[1]) not in columns.names and (near := columns.nearest(match[1])):
            yield match[0], near
