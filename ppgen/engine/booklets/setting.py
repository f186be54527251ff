"""Turns a booklet and its drawn faces into the values that ``booklet.typ`` sets; finds words without a glyph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ppgen.engine.booklets.document import (
    MARGIN,
    Area,
    Beside,
    Block,
    Booklet,
    Cover,
    Figure,
    Foot,
    Heading,
    Label,
    Line,
    Listing,
    Numbers,
    Panel,
    Paragraph,
    Part,
    Picture,
    Stroke,
    Table,
    words_in,
)
from ppgen.engine.booklets.numbers import seals_of
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.fonts import Font, FontBook
from ppgen.engine.drawing.outlines import outlined
from ppgen.engine.geometry import Point, Rect

Values = dict[str, Any]

_BREAKS = "\t\n\u2028\u2029"
"""They part lines and words, and need no glyph."""
_DISALLOWED = "\ufeff"
"""What PDF/UA-1 does not want in a text, whatever the font has (ISO 14289-1, 7.21.7): the byte order mark."""


def settings_of(booklet: Booklet, faces: Mapping[FaceRequest, Face], fonts: FontBook) -> dict[str, str]:
    """The inputs of ``booklet.typ``: the booklet as JSON, and each picture's SVG; ``faces`` are all it requests."""
    svgs = list(dict.fromkeys(face.svg for face in faces.values()))
    numbers = {svg: n for n, svg in enumerate(svgs)}
    writer = _Writer({request: numbers[face.svg] for request, face in faces.items()}, faces)
    values = {
        "title": booklet.title, "author": booklet.author, "running": booklet.running,
        "lang": booklet.lang.partition("-")[0],  # typst knows no en-GB
        "page": {"width": booklet.page.width, "height": booklet.page.height}, "margin": MARGIN,
        "size": booklet.size, "ink": booklet.ink, "ornament": writer.numbers[booklet.ornament],
        "fonts": {style: [*dict.fromkeys(font.family for font in fonts.styles[style])] for style in ("text", "title")},
        "blocks": writer.blocks(booklet.blocks)}
    return {"book": json.dumps(values, ensure_ascii=False, sort_keys=True),
            # A picture has its words in its description; of what is printed on it, nothing belongs into the text.
            **{f"svg{n}": outlined(svg, fonts) for n, svg in enumerate(svgs)}}


def unprintable(booklet: Booklet, fonts: FontBook) -> tuple[tuple[str, str], ...]:
    """The characters that typst would refuse, and the words that each stands in, in order."""
    return tuple(dict.fromkeys((character, words) for style, words in words_in(booklet) for character in words
                               if not _is_printable(character, fonts.styles[style])))


@lru_cache(maxsize=20_000)
def _is_printable(character: str, fonts: tuple[Font, ...]) -> bool:
    return character in _BREAKS or (character not in _DISALLOWED and any(font.sets(character) for font in fonts))


@lru_cache(maxsize=1)
def source() -> bytes:
    """The typst source that sets booklets. It is code, not a template: typst would fetch packages for a stranger's."""
    return (Path(__file__).parent / "booklet.typ").read_bytes()


class _Writer:
    """Writes blocks as plain values, each picture as the number of its SVG."""

    def __init__(self, numbers: Mapping[FaceRequest, int], faces: Mapping[FaceRequest, Face]) -> None:
        self.numbers, self.faces = numbers, faces

    def blocks(self, blocks: Sequence[Block]) -> list[Values]:
        return [self.block(block) for block in blocks]

    def block(self, block: Block) -> Values:
        match block:
            case Heading():
                return {"kind": "heading", "words": block.words, "level": block.level, "opens": block.opens}
            case Paragraph():
                return {"kind": "paragraph", "words": _line(block.words)}
            case Foot():
                return {"kind": "foot", "words": _line(block.words)}
            case Listing():
                return {"kind": "listing", "numbered": block.numbered, "entries": [*map(_line, block.entries)]}
            case Table():
                return {"kind": "table", "head": [*map(_line, block.head)], "widths": block.widths,
                        "rows": [[self.cell(cell) for cell in row] for row in block.rows],
                        "centred": block.centred, "plain": block.plain}
            case Panel():
                return {"kind": "panel", "style": block.kind, "blocks": self.blocks(block.blocks)}
            case Beside():
                return {"kind": "beside", "width": block.width, "left": self.blocks(block.left),
                        "right": self.blocks(block.right)}
            case Cover():
                return {"kind": "cover", "art": self.block(block.art), "title": block.title,
                        "subtitle": block.subtitle, "facts": block.facts}
            case Figure():
                return {"kind": "figure", "width": block.size.width, "height": block.size.height, "alt": block.alt,
                        "caption": _line(block.caption), "floats": block.floats, "parts": [*self.parts(block.parts)]}

    def cell(self, cell: Line | Figure) -> Values:
        return self.block(cell) if isinstance(cell, Figure) else {"kind": "words", "words": _line(cell)}

    def parts(self, parts: Iterable[Part]) -> Iterator[Values]:
        for part in parts:
            match part:
                case Numbers():
                    yield from self.parts((part.picture, *seals_of(part, self.faces[part.picture.request].anchors)))
                case Picture():
                    boxed = part.request.shape.is_ruled
                    yield {"kind": "picture", "face": self.numbers[part.request], "box": _box(part.box),
                           "whole": part.box.width * part.request.size.height / part.request.size.width,
                           "corner": part.corner if boxed else 0.0, "veil": part.veil, "frame": part.frame,
                           "outline": part.outline and boxed}
                case Stroke():
                    yield {"kind": "stroke", "start": _point(part.start), "end": _point(part.end),
                           "arrow": part.arrow, "dashed": part.dashed, "width": part.width, "colour": part.colour,
                           "seal": part.seal}
                case Area():
                    yield {"kind": "area", "box": _box(part.box), "fill": part.fill, "stroke": part.stroke,
                           "corner": part.corner}
                case Label():
                    yield {"kind": "label", "words": part.words, "box": _box(part.box), "align": part.align,
                           "size": part.size, "style": part.style, "seal": part.seal}


def _line(line: Line) -> list[Values]:
    return [{"words": span.words, "strong": span.strong, "emphasis": span.emphasis} for span in line]


def _box(rect: Rect) -> Values:
    return {"x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height}


def _point(point: Point) -> Values:
    return {"x": point.x, "y": point.y}
