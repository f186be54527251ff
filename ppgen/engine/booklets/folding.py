"""Turns a set booklet into its finished PDF: page by page, or on sheets to fold in the middle.

With ``assembly`` the home of pikepdf. Folded sheets hold the pages as pictures: their tags are lost, so the
page-by-page edition is the one for screen readers.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import pikepdf
from pikepdf import Dictionary, Name, Pdf

from ppgen.cache.store import made_from
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.backs import turn_of_backs
from ppgen.engine.imposition.values import Flip
from ppgen.engine.pdf.assembly import DocumentInfo, describe
from ppgen.engine.pdf_file import form_of, saved
from ppgen.engine.units import points

SPREAD = 4
"""Pages on a folded sheet of paper."""
TICK = 9.0
"""Length of the marks at both ends of the fold, in mm: printers leave the outermost 4 to 7 blank."""


@dataclass(frozen=True, slots=True)
class FoldedSheet:
    """The pages on a sheet, from 0, left before right; None is blank."""

    front: tuple[int | None, int | None]
    back: tuple[int | None, int | None]


def saddle_stitch(pages: int) -> tuple[FoldedSheet, ...]:
    """Which pages lie where when all sheets are folded into each other, the outermost sheet first.

    Blank pages come before the last one, so that this stays on the back.
    """
    blanks = -pages % SPREAD
    order: list[int | None] = [*range(pages - 1), *[None] * blanks, pages - 1]
    last = len(order) - 1
    return tuple(FoldedSheet(front=(order[last - 2 * n], order[2 * n]),
                             back=(order[2 * n + 1], order[last - 2 * n - 1])) for n in range(len(order) // SPREAD))


def page_count(document: bytes) -> int:
    with Pdf.open(io.BytesIO(document)) as pdf:
        return len(pdf.pages)


def finished(document: bytes, info: DocumentInfo) -> bytes:
    """The document with what it says of itself; its tags and bookmarks stay. The same input gives the same bytes."""
    return made_from("finished", document, info, make=lambda: _finished(document, info))


def _finished(document: bytes, info: DocumentInfo) -> bytes:
    with Pdf.open(io.BytesIO(document)) as pdf:
        describe(pdf, info)
        marked = pdf.Root.get(Name.MarkInfo)
        if marked is not None and Name.Suspects in marked:
            del marked[Name.Suspects]  # false is what it is without; poppler complains of the key
        seen: set[tuple[int, int]] = set()
        for page in pdf.pages:
            _part_resources(page.obj, seen)
        return saved(pdf)


def _part_resources(shown: pikepdf.Object, seen: set[tuple[int, int]]) -> None:
    """Give a page, and the forms on it, lists of their own of the fonts and forms that they name: typst shares some."""
    if shown.objgen in seen or Name.Resources not in shown:
        return
    seen.add(shown.objgen)
    resources = shown.Resources = copy(shown.Resources)
    for kind in (Name.Font, Name.XObject):
        if kind in resources:
            resources[kind] = copy(resources[kind])
    for form in resources.get(Name.XObject, Dictionary()).values():
        if form.get(Name.Subtype) == Name.Form:
            _part_resources(form, seen)


def folded(document: bytes, sheets: Sequence[FoldedSheet], paper: Size, page: Size, flip: Flip,
           info: DocumentInfo) -> bytes:
    """The pages two by two on landscape paper, both sides, with marks where it is folded."""
    return made_from("folded", document, sheets, paper, page, flip, info,
                     make=lambda: _folded(document, sheets, paper, page, flip, info))


def _folded(document: bytes, sheets: Sequence[FoldedSheet], paper: Size, page: Size, flip: Flip,
            info: DocumentInfo) -> bytes:
    with Pdf.open(io.BytesIO(document)) as source, Pdf.new() as pdf:
        forms = [form_of(pdf, sheet) for sheet in source.pages]
        for sheet in sheets:
            for pair, turn in ((sheet.front, 0), (sheet.back, turn_of_backs(paper, flip))):
                _add_side(pdf, [None if n is None else forms[n] for n in pair], paper, page, turn)
        describe(pdf, info)
        return saved(pdf)


def _add_side(pdf: Pdf, pair: Sequence[pikepdf.Object | None], paper: Size, page: Size, turn: int) -> None:
    width, height, fold = points(paper.width), points(paper.height), points(paper.width / 2)
    low, tick = points((paper.height - page.height) / 2), points(TICK)
    content = [f"-1 0 0 -1 {width:.4f} {height:.4f} cm"] if turn else []
    xobjects = Dictionary()
    for name, x, form in zip(("/Left", "/Right"), (fold - points(page.width), fold), pair, strict=True):
        if form is not None:
            xobjects[name] = form
            content.append(f"q 1 0 0 1 {x:.4f} {low:.4f} cm {name} Do Q")
    content.append(f"0.6 G 0.4 w {fold:.4f} 0 m {fold:.4f} {tick:.4f} l {fold:.4f} {height - tick:.4f} m "
                   f"{fold:.4f} {height:.4f} l S")
    added = pdf.add_blank_page(page_size=(width, height))
    added.obj[Name.MediaBox] = pikepdf.Array([0, 0, round(width, 4), round(height, 4)])
    added.obj[Name.Resources] = Dictionary(XObject=xobjects)
    added.contents_add(pdf.make_stream(("q\n" + "\n".join(content) + "\nQ\n").encode("ascii")))
