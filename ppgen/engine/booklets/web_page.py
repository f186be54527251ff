"""Booklets as web pages: the blocks that booklet.typ sets, written as HTML, and the environment of page templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from ppgen.engine.booklets.booklet import (Beside, Block, BookletTable, Contents, Cover, Divider, Entry, Figure, Foot,
                                           Gallery, Heading, InlinePicture, Listing, Panel, Paragraph, Span, TextLine)
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import INCH

if TYPE_CHECKING:
    from jinja2 import Environment

CSS_DPI = 96
FIGURE_SCALE = 1.15  # figures of a booklet are shown a little larger on a screen than on its small pages
MAX_HEADING_LEVEL = 4


@lru_cache(maxsize=1)
def page_templates(folder: Path) -> Environment:
    """The environment of ppgen's own page templates, which escapes all values."""
    import jinja2

    return jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True, trim_blocks=True,
                              lstrip_blocks=True, undefined=jinja2.StrictUndefined)


@dataclass(slots=True)
class WebPageWriter:
    """Writes blocks as HTML."""

    figure_source: Callable[[Figure], str]  # returns the address of a picture
    face_source: Callable[[FaceRequest], str]  # likewise
    sections: list[str] = field(default_factory=list)  # headings of the highest level; ids `s1`, `s2` …

    def write(self, blocks: Iterable[Block]) -> Markup:
        return Markup("\n").join(self._block(block) for block in blocks)

    def _block(self, block: Block, nested: bool = False) -> Markup:
        match block:
            case Heading():
                return self._heading(block, nested)
            case Paragraph():
                return _element("p", self._line(block.words))
            case Foot():
                return Markup('<p class="foot">{}</p>').format(self._line(block.words))
            case Cover():
                words = filter(None, (block.subtitle, block.facts))
                return Markup("").join(Markup('<p class="lead">{}</p>').format(each) for each in words)
            case Listing():
                start = Markup(' start="{}"').format(block.start) if block.numbered and block.start != 1 else ""
                entries = Markup("").join(map(self._entry, block.entries))
                tag = Markup("ol" if block.numbered else "ul")
                return Markup("<{}{}>{}</{}>").format(tag, start, entries, tag)
            case BookletTable():
                return self._table(block)
            case Panel():
                return Markup('<div class="panel">{}</div>').format(self._nested(block.blocks))
            case Beside():
                return Markup('<div class="beside"><div>{}</div><div>{}</div></div>').format(
                    self._nested(block.left), self._nested(block.right))
            case Figure():
                return self._figure(block)
            case Divider():
                return Markup("<hr>")
            case Contents():
                return Markup()
            case Gallery():
                raise TypeError("a gallery must become a figure before it is written")

    def _nested(self, blocks: Sequence[Block]) -> Markup:
        return Markup("").join(self._block(block, nested=True) for block in blocks)

    def _heading(self, heading: Heading, nested: bool) -> Markup:
        words = self._line(heading.line or (Span(heading.words),))
        if heading.level > 1 or nested:
            return _element(f"h{min(heading.level + 1, MAX_HEADING_LEVEL)}", words)
        self.sections.append(heading.words)
        return Markup('<h2 id="s{}">{}</h2>').format(len(self.sections), words)

    def _entry(self, entry: TextLine | Entry) -> Markup:
        if isinstance(entry, Entry):
            return _element("li", self._line(entry.words) + self._nested(entry.blocks))
        return _element("li", self._line(entry))

    def _table(self, table: BookletTable) -> Markup:
        def cell(content: TextLine | Figure | Gallery, column: int) -> Markup:
            inner = (self._line(content) if isinstance(content, tuple) else
                     self._figure(content) if isinstance(content, Figure) and content.caption else
                     self._scene(content) if isinstance(content, Figure) else self._block(content))
            side = "mid" if column in table.centred else "end" if column in table.ends else ""
            return Markup("<td{}>{}</td>").format(Markup(f' class="{side}"' if side else ""), inner)

        heads = Markup("").join(Markup('<th scope="col">{}</th>').format(self._line(words)) if words else
                                Markup("<td></td>") for words in table.head)
        head = Markup("<thead><tr>{}</tr></thead>").format(heads) if any(table.head) else ""
        rows = Markup("").join(_element("tr", Markup("").join(map(cell, row, range(len(row))))) for row in table.rows)
        return Markup('<div class="wide" tabindex="0" role="group"><table>{}<tbody>{}</tbody></table></div>'
                      ).format(head, rows)

    def _figure(self, figure: Figure) -> Markup:
        caption = _element("figcaption", self._line(figure.caption)) if figure.caption else ""
        return Markup("<figure>{}{}</figure>").format(self._scene(figure), caption)

    def _scene(self, figure: Figure) -> Markup:
        size = figure.size
        width, height = (round(side / INCH * CSS_DPI * FIGURE_SCALE) for side in (size.width, size.height))
        return Markup('<img src="{}" alt="{}" width="{}" height="{}" loading="lazy" decoding="async">').format(
            self.figure_source(figure), figure.alt, width, height)

    def _line(self, line: TextLine) -> Markup:
        # On paper, the address of a link stands behind its words.
        return Markup("").join(self._span(span) for last, span in pairwise((Span(""), *line))
                               if not (last.link and span.words == f" ({last.link.removeprefix('mailto:')})"))

    def _span(self, span: Span) -> Markup:
        if isinstance(span.shown, InlinePicture):
            return Markup('<img class="inline" src="{}" alt="{}">').format(self.face_source(span.shown.request),
                                                                           span.words)
        words = escape(span.words)
        if span.strong or span.keyword:
            words = _element("strong", words)
        elif span.emphasis:
            words = _element("em", words)
        return Markup('<a href="{}" rel="noopener">{}</a>').format(span.link, words) if span.link.startswith(
            ("https://", "http://", "mailto:")) else words


def _element(tag: str, inner: Markup) -> Markup:
    return Markup("<{0}>{1}</{0}>").format(Markup(tag), inner)
