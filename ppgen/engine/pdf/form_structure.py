"""Structure of a page with a form (ISO 32000-1, 14.7 and 14.8), as PDF/UA-1 asks for: headings, tables, paragraphs.

It is read off the page: fields beside each other are a row, which the words before them head; the first line of words
is the title. Drawings, marks and labels of the sheet are artifacts.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf

from ppgen.engine.geometry import MM, Rect

_NUMBER = rb"(-?[\d.]+) "
_WORDS = re.compile(rb"q " + 6 * _NUMBER + rb"cm(?:(?!\nQ\b).)*?\bBT\b.*?/f\d+ ([\d.]+) Tf(.*?)\nET\nQ\n?", re.DOTALL)
"""Words as typst writes them: a transformation, colours, and a text object."""
SAME_LINE_MM, SAME_EDGE_MM = 0.6, 1.0
"""Maximum distance of words on a line, and of the first words of paragraphs from the margin."""
SPACED_EM = 0.53
"""Maximum distance of letters that are set apart, as a share of the type size (in mm for one in points): 1.5 em."""


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of a page by the number of their marked content; in millimetres from the top left corner of the face."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of a row: words that head it, or a field's widget with the words over it."""

    x: float
    words: Sequence[_Words]
    widget: pikepdf.Object | None = None


@dataclass(slots=True)
class _Row:
    """Fields beside each other, each with its widget, and the words among them."""

    fields: list[tuple[Rect, pikepdf.Object]] = field(default_factory=list)
    words: list[_Words] = field(default_factory=list)
    top: float = float("inf")
    bottom: float = 0.0

    def add(self, rect: Rect, widget: pikepdf.Object) -> None:
        self.fields.append((rect, widget))
        self.top, self.bottom = min(self.top, rect.y), max(self.bottom, rect.bottom)

    def cells(self) -> list[_Cell]:
        """The cells from left to right."""
        cells, left = [], self.words
        for rect, widget in self.fields:
            cells.append(_Cell(rect.x, [each for each in left if rect.x <= each.x < rect.right], widget))
            left = [each for each in left if not rect.x <= each.x < rect.right]
        edges = [cell.x for cell in cells]
        for _, group in groupby(sorted(left, key=lambda each: each.x), key=lambda each: bisect(edges, each.x)):
            words = [*group]
            cells.append(_Cell(words[0].x, words))
        return sorted(cells, key=lambda cell: cell.x)


class StructureWriter:
    """Tags the pages of a document one after the other."""

    def __init__(self, pdf: Pdf) -> None:
        self._pdf = pdf
        self._parents = pdf.make_indirect(Array())  # the number tree from content to elements (14.7.4.4)
        root = pdf.Root.StructTreeRoot = pdf.make_indirect(Dictionary(
            Type=Name.StructTreeRoot, ParentTree=Dictionary(Nums=self._parents)))
        self._document = root.K = self._element("Document", root)
        pdf.Root.MarkInfo = Dictionary(Marked=True)

    def tag(self, page: pikepdf.Page, height: float, fields: Sequence[tuple[Rect, pikepdf.Object]]) -> None:
        """Tag a page that shows one face of this ``height``, and its fields, each with its widget."""
        (face,) = page.resources.XObject.values()
        content, words = _mark_words(face.read_bytes(), float(face.BBox[3]) * MM["pt"], height)
        face.write(content)
        elements = self._lay_out(page, face, _rows(fields), words)
        face.StructParents = self._add_parent(Array([elements[each.number] for each in words]))
        streams = [*page.obj.Contents]
        shown = next(n for n, stream in enumerate(streams, 1) if b" Do " in stream.read_bytes())
        begin, end = (self._pdf.make_stream(mark) for mark in (b"/Artifact BMC\n", b"\nEMC"))
        page.obj.Contents = Array([*streams[:shown], begin, *streams[shown:], end])

    def _lay_out(self, page: pikepdf.Page, face: pikepdf.Object, rows: Sequence[_Row],
                 words: Sequence[_Words]) -> dict[int, pikepdf.Object]:
        """Make the elements from the top, and return that of each number; words between rows begin a new table."""
        elements: dict[int, pikepdf.Object] = {}

        def make(kind: str, parent: pikepdf.Object, words: Iterable[_Words] = ()) -> pikepdf.Object:
            element = self._element(kind, parent)
            for each in words:
                element.K.append(Dictionary(Type=Name.MCR, Pg=page.obj, Stm=face, MCID=each.number))
                elements[each.number] = element
            return element

        apart: dict[int, list[_Words]] = {}  # words outside of rows by the number of rows above them
        for each in words:
            above = sum(row.top <= each.y for row in rows)
            if above and each.y <= rows[above - 1].bottom:
                rows[above - 1].words.append(each)
            else:
                apart.setdefault(above, []).append(each)
        for above, row in enumerate((*rows, None)):
            lines = _lines(apart.get(above, ()))
            for n, line in enumerate(lines if row else _paragraphs(lines)):
                make("P" if above or n else "H1", self._document, line)
            if row and (above == 0 or lines):
                later = next((n for n in sorted(apart) if n > above), len(rows))
                self._add_table(page, [each.cells() for each in rows[above:later]], make)
        return elements

    def _add_table(self, page: pikepdf.Page, rows: Sequence[Sequence[_Cell]],
                   make: Callable[..., pikepdf.Object]) -> None:
        """Add a table whose columns are those of its longest row; other cells span columns up to their neighbour's."""
        table = make("Table", self._document)
        edges = [cell.x - SAME_EDGE_MM for cell in max(rows, key=len)]
        for cells in rows:
            row, columns = make("TR", table), [0]
            for n, cell in enumerate(cells[1:], 1):
                column = max(bisect(edges, cell.x) - 1, columns[-1] + 1)
                columns.append(min(column, len(edges) - len(cells) + n))
            for cell, column, following in zip(cells, columns, (*columns[1:], len(edges)), strict=True):
                element = make("TH" if cell.widget is None else "TD", row, cell.words)
                element.A = Dictionary(O=Name.Table, ColSpan=following - column)
                if cell.widget is None:
                    element.A.Scope = Name.Row
                else:
                    form = make("Form", element)
                    form.K = Dictionary(Type=Name.OBJR, Obj=cell.widget, Pg=page.obj)
                    cell.widget.StructParent = self._add_parent(form)

    def _add_parent(self, parent: pikepdf.Object) -> int:
        number = len(self._parents) // 2
        self._parents.append(number)
        self._parents.append(parent)
        return number

    def _element(self, kind: str, parent: pikepdf.Object) -> pikepdf.Object:
        element = self._pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name(f"/{kind}"), P=parent, K=Array()))
        if Name.S in parent:
            parent.K.append(element)
        return element


def _mark_words(content: bytes, with_bleed: float, height: float) -> tuple[bytes, list[_Words]]:
    """Number the words of an artifact by height, with and without bleed; letters set apart become one word."""
    bleed = (with_bleed - height) / 2
    content = content.removeprefix(b"/Artifact BMC\n").removesuffix(b"EMC")
    parts, words, end, reach = list[bytes](), list[_Words](), 0, 0.0
    for match in _WORDS.finditer(content):
        scale, x, y, size = (float(match[n]) for n in (1, 5, 6, 7))
        at = _Words(len(words), x * MM["pt"] - bleed, height + bleed - y * MM["pt"])
        between = content[end:match.start()]
        is_same = words and not between.strip() and at.y == words[-1].y and 0 < at.x - reach < SPACED_EM * scale * size
        if not is_same:
            parts += [b"EMC\n" * bool(words), b"/Artifact BMC\n", between,
                      b"\nEMC\n/Span <</MCID %d>> BDC\n" % at.number]
            words.append(at)
        parts.append(match[0])
        end, reach = match.end(), at.x
    return b"".join((*parts, b"EMC\n" * bool(words), b"/Artifact BMC\n", content[end:], b"\nEMC")), words


def _rows(fields: Sequence[tuple[Rect, pikepdf.Object]]) -> list[_Row]:
    """The fields in rows from the top: one whose middle lies beside others belongs to their row."""
    rows: list[_Row] = []
    for rect, widget in sorted(fields, key=lambda each: each[0].y + each[0].height / 2):
        if not rows or rect.y + rect.height / 2 > rows[-1].bottom:
            rows.append(_Row())
        rows[-1].add(rect, widget)
    for row in rows:
        row.fields.sort(key=lambda each: each[0].x)
    return rows


def _lines(words: Iterable[_Words]) -> list[list[_Words]]:
    """The lines from the top, each from left to right."""
    lines: list[list[_Words]] = []
    for each in sorted(words, key=lambda each: each.y):
        if not lines or each.y - lines[-1][0].y > SAME_LINE_MM:
            lines.append([])
        lines[-1].append(each)
    return [sorted(line, key=lambda each: each.x) for line in lines]


def _paragraphs(lines: Sequence[list[_Words]]) -> list[list[_Words]]:
    """Lines joined to paragraphs: the first line of each begins at the margin."""
    paragraphs: list[list[_Words]] = []
    margin = min((line[0].x for line in lines), default=0.0) + SAME_EDGE_MM
    for line in lines:
        if line[0].x < margin or not paragraphs:
            paragraphs.append([])
        paragraphs[-1] += line
    return paragraphs
