"""Drawings as templates: an SVG file in the supported subset, with ``{column}`` where the words of a column go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from ppgen.engine.geometry import Size
from ppgen.errors import Problem, Problems, join_names
from ppgen.reading.fields import read_source
from ppgen.reading.file_limits import refuse_file
from ppgen.reading.tables import column_name

MIN_BLEED_MM, MAX_BLEED_MM = 0.5, 10.0
"""A page that is larger than the piece by this much on each side has a bleed of its own."""
PROPORTION_TOLERANCE = 0.01
MAX_HEAD = 10_000
"""Characters in which the root of a drawing begins and ends."""

_ROOT = re.compile(r"<svg\b((?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>")
_VIEW_BOX = re.compile(r"""\bviewBox\s*=\s*["']([^"']*)["']""")
_NAMESPACES = re.compile(r"""\sxmlns:[\w-]+\s*=\s*["'][^"'<>]*["']""")
_COLUMN = re.compile(r"\{([^{}<>\n]{1,100})\}")
_UNBOXED = re.compile(r"<text\b(?![^<>]*\bdata-width=)")
_JINJA = re.compile(r"\{(?=[{%#])|[%}#](?=\})")


def drawing_template(folder: Path, name: str, size: Size, columns: Sequence[str]) -> str:
    """Return the template of a drawing for pieces of a ``size`` with these columns. Each line stays where it was.

    A page with a bleed of its own is laid over the trim with that; another of the same proportions is scaled to it.
    Texts without a box of their own may be as wide as the page.
    Raises InputError for a drawing without a view box or of other proportions, and for unknown columns.
    """
    source = read_source(folder, name)
    root = _ROOT.search(source.text, 0, MAX_HEAD)
    end = source.text.rfind("</svg>")
    if not root or end < root.end():
        raise refuse_file(source.path, "is not an SVG drawing", "save it as plain SVG")
    box = _VIEW_BOX.search(root[1])
    try:
        x, y, width, height = map(float, (box[1] if box else "").replace(",", " ").split())
        if not (width > 0 and height > 0):
            raise ValueError
    except ValueError as error:
        raise refuse_file(source.path, "has no viewBox", f'write viewBox="0 0 {size.width:g} {size.height:g}"',
                          source.text.count("\n", 0, root.start()) + 1) from error
    around = (width - size.width) / 2
    has_bleed = (MIN_BLEED_MM <= around <= MAX_BLEED_MM
                 and abs((height - size.height) / 2 - around) < PROPORTION_TOLERANCE * size.height)
    if not has_bleed and abs(width / height * size.height / size.width - 1) > PROPORTION_TOLERANCE:
        raise refuse_file(source.path, f"the page is {width:g} × {height:g}, the piece {size}",
                          "give both the same proportions")
    scale = f"{{{{ face.width / {size.width if has_bleed else width:g} }}}}"
    shift = f"{-x - around if has_bleed else -x:g} {-y - around if has_bleed else -y:g}"
    body = "\n" * source.text.count("\n", 0, root.end()) + source.text[root.end():end]
    problems = Problems()

    def fill(match: re.Match[str]) -> str:
        column = column_name(match[1])
        if column in columns:
            return f"{{{{ card.{column} }}}}"
        near = get_close_matches(column, columns, n=1)
        problems.append(Problem(
            place=source.name, line=body.count("\n", 0, match.start()) + 1, what=f"there is no column {match[0]}",
            remedy=f"did you mean {{{near[0]}}}?" if near else f"columns: {join_names(columns) or 'none'}"))
        return ""

    if match := _JINJA.search(body):
        raise refuse_file(source.path, f"holds '{body[match.start():match.start() + 2]}'",
                          "write {column} with single braces, or call it .svg.j2",
                          body.count("\n", 0, match.start()) + 1)
    filled = _UNBOXED.sub(f'<text data-width="{width:g}"', _COLUMN.sub(fill, body))
    problems.raise_if_any()
    space = "".join(_NAMESPACES.findall(root[1]))
    return f'<g{space} transform="scale({scale}) translate({shift})">{filled}</g>'
