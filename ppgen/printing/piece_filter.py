"""Filter expressions that select pieces by their cells: ``type:hero cost>3 -rare``.

The same language serves ``--where`` and the filter field of the page of ``ppgen open``. An expression is a list of
alternatives (``|`` or ``or``); each is a list of terms, all of which must match. Expressions come from anybody: they
have a maximum length, hold no patterns, and take time linear in cells and terms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from operator import ge, gt, le, lt
from typing import NamedTuple

from ppgen.errors import Problem, RequestError, join_names, suggest
from ppgen.shipped import Phrase

MAX_EXPRESSION, MAX_TERMS = 500, 50  # characters and terms of an expression
MAX_SLUG = 32  # characters of an expression in the name of a file, without its digest
STATE = "is"  # the column of states, which are not cells: `is:changed`
PART = "part"  # the name of the column `kind`, unless the table has a column of that name
COPIES = "copies"
Row = Mapping[str, object]  # a piece as `ppgen list --json` has it
States = Mapping[str, Collection[str]]  # the ids of the pieces in each known state

_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_TOKEN = re.compile(r"""\s*(?:(?P<either>\|+|or(?=\s))|(?P<minus>-*+)(?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s"|:=<>!]+))
    (?:(?P<operator>[<>]=?|!=|==?|:)(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"|]*)))?(?=[\s|]|$))""", re.VERBOSE)
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:[.,][0-9]{1,10})?")
_ACCENT = re.compile("[\u0300-\u036f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterTerm:
    """A condition on a piece; without a ``column`` it holds if any cell contains the value."""

    column: str = ""
    operator: str = ":"
    value: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceFilter:
    """An expression as typed, and its alternatives."""

    text: str
    alternatives: tuple[tuple[FilterTerm, ...], ...]

    def __str__(self) -> str:
        return self.text

    @property
    def slug(self) -> str:
        """The expression in names of files, after a hyphen: its words, and a digest of it."""
        words = re.sub(r"[\W_]+", "-", self.text.lower()).strip("-")[:MAX_SLUG].strip("-")
        return "-".join(("", *filter(None, (words, sha256(self.text.encode()).hexdigest()[:6]))))

    @property
    def needs_states(self) -> bool:
        """True if the selection depends on the states of pieces."""
        return any(term.column == STATE for terms in self.alternatives for term in terms)

    def select(self, rows: Iterable[Row], states: States | None = None) -> tuple[str, ...]:
        """Return the ids of the matching pieces. Raises RequestError with each unknown column and wrong comparison."""
        pieces = [(str(row["id"]), _flatten(row)) for row in rows]
        columns = dict.fromkeys(column for _, cells in pieces for column in cells)
        problems: list[Problem] = []
        alternatives = [[_compile(term, columns, pieces, states or {}, problems) for term in terms]
                        for terms in self.alternatives]
        if problems:
            raise RequestError(problems)
        return tuple(id for id, cells in pieces
                     if any(all(match(id, cells) for match in terms) for terms in alternatives))


class _Cell(NamedTuple):
    """The folded texts of a cell, and its number, if it is one."""

    texts: Sequence[str]
    number: float | None


_EMPTY = _Cell((), None)
_Cells = Mapping[str, _Cell]
_Match = Callable[[str, _Cells], bool]


def parse_filter(text: str) -> PieceFilter:
    """Parse an expression. Raises ValueError with what is wrong in plain words."""
    if len(text) > MAX_EXPRESSION:
        raise ValueError(f"has more than {MAX_EXPRESSION} characters")
    plain, place = unicodedata.normalize("NFKC", text).strip(), 0  # full-width signs of Japanese keyboards count, too
    terms: list[list[FilterTerm]] = [[]]
    while place < len(plain):
        match = _TOKEN.match(plain, place)
        if not match:
            rest = plain[place:].strip()
            raise ValueError(f"'{rest[:40]}' is not understood (write words, column:word, column>3; "
                             "quotes around blanks, - for not)")
        place = match.end()
        if match["either"]:
            terms.append([])
            continue
        first = match["bare"] if match["quoted"] is None else match["quoted"]
        operator, negated = (match["operator"] or "").replace("==", "="), len(match["minus"]) % 2 > 0
        if operator:
            value = match["word"] if match["phrase"] is None else match["phrase"]
            terms[-1].append(FilterTerm(column=first, operator=operator, value=value, negated=negated))
            if not value and operator not in ("=", "!="):
                raise ValueError(f"'{match[0].strip()}' has nothing to look for (write {first}= for empty cells)")
        else:
            terms[-1].append(FilterTerm(value=first, negated=negated))
    if not all(terms):
        raise ValueError("is empty" if not plain else "has nothing before or after 'or'")
    if sum(map(len, terms)) > MAX_TERMS:
        raise ValueError(f"has more than {MAX_TERMS} terms")
    return PieceFilter(text=text, alternatives=tuple(map(tuple, terms)))


def fold(text: str) -> str:
    """Normalize a text for comparison: without case and accents, full-width forms as usual ones."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", _ACCENT.sub("", decomposed))  # が stays another letter than か


def _flatten(row: Row) -> dict[str, _Cell]:
    """The cells of a piece by column; of counts also each as a column: ``symbols.cross``."""
    cells: dict[str, _Cell] = {}
    for column, value in row.items():
        if isinstance(value, Mapping):
            cells[column] = _Cell([fold(str(name)) for name in value], None)
            cells |= {f"{column}.{name}": _cell(count) for name, count in value.items()}
        else:
            cells[column] = _cell(value)
    return cells


def _cell(value: object) -> _Cell:
    values = value if isinstance(value, list | tuple) else [] if value is None or value == "" else [value]
    return _Cell([fold(str(each)) for each in values], _number(value))


def _number(value: object) -> float | None:
    if isinstance(value, int | float):
        return float(value)
    return float(value.replace(",", ".")) if isinstance(value, str) and _NUMBER.fullmatch(value) else None


def _compile(term: FilterTerm, columns: Collection[str], pieces: Sequence[tuple[str, _Cells]], states: States,
             problems: list[Problem]) -> _Match:
    """Return the test of a term; note an unknown column or state, and a comparison that makes no sense."""
    def note(what: str, remedy: str) -> _Match:
        problems.append(Problem("--where", what, remedy))
        return lambda id, cells: False

    if term.column == STATE and term.operator == ":":
        state = fold(term.value)
        if state not in states:
            known = join_names(f"is:{name}" for name in states)
            return note(f"'is:{term.value}' is not known here",
                        Phrase("known", message=known) if states else "it is for ppgen build and export")
        ids = states[state]
        return lambda id, cells: (id in ids) != term.negated
    from ppgen.reading.tables import column_name  # most runs have no filter

    where = _find_columns(term.column, columns) if term.column else []
    if term.column and not where:
        names = dict.fromkeys(PART if name == "kind" and PART not in columns else name for name in columns)
        return note(f"there is no column '{term.column}'",
                    suggest(column_name(term.column), names, f"columns: {join_names(names)}"))
    test = _test(term)
    if test is None:
        return note(f"'{term.value}' is not a number", f"write {term.column}{term.operator}3, or {term.column}:word")
    if term.operator in _COMPARISONS and not any(
            cells.get(name, _EMPTY).number is not None for _, cells in pieces for name in where):
        return note(f"column '{term.column}' holds no numbers", f"write {term.column}:word or {term.column}=word")
    negated = term.negated != (term.operator == "!=")
    quantify = any if term.value else all  # a text is empty if it is in all languages
    return lambda id, cells: quantify(test(cells.get(name, _EMPTY)) for name in where or cells) != negated


def _test(term: FilterTerm) -> Callable[[_Cell], bool] | None:
    """The test of a cell, before it is negated; None for a comparison with a word."""
    wanted, number = fold(term.value), _number(term.value)
    if compare := _COMPARISONS.get(term.operator):
        return None if number is None else lambda cell: cell.number is not None and compare(cell.number, number)
    if term.operator == ":" or not term.column:
        return lambda cell: any(wanted in text for text in cell.texts)
    if number is not None:
        return lambda cell: cell.number == number or wanted in cell.texts
    return lambda cell: wanted in cell.texts if wanted else not cell.texts


def _find_columns(name: str, columns: Collection[str]) -> list[str]:
    """The columns of a name, also as the table writes it, with those of its translations; none if it is unknown."""
    from ppgen.reading.tables import column_name, is_copies

    plain = column_name(name)
    for wanted in (name, plain):
        if found := [column for column in columns if column == wanted or column.startswith(f"{wanted}.")]:
            return found
    if plain == PART:
        return ["kind"]
    return [COPIES] if is_copies(name) else []
