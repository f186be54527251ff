"""Drawings as pixels: those with blur, shadows or pictures in them, which the subset can't have. typst draws them."""

from __future__ import annotations

from base64 import b64encode

from lxml import etree

from ppgen.engine.drawing.drawing_cleaning import DrawingError, parse_drawing
from ppgen.engine.svg import HREFS
from ppgen.errors import InputError, Problem
from ppgen.reading.wall import Options

LONGEST_PX = 2000
"""The longer side: 300 dpi on a piece of 170 mm."""
_INSIDE = ("#", "data:image/png", "data:image/jpeg", "data:image/webp", "data:image/gif")
_PAGE = b"""\
#set page(width: float(sys.inputs.width) * 1pt, height: float(sys.inputs.height) * 1pt, margin: 0pt, fill: none)
#image(bytes(sys.inputs.drawing), format: "svg", width: 100%, height: 100%, fit: "stretch")"""


def draw_pixels(content: bytes, options: Options) -> str:
    """Draw an SVG file of that ``name`` behind the wall: a PNG in Base64. Raises InputError."""
    import typst

    text = content.decode("utf-8-sig", "replace")
    try:
        drawing = parse_drawing(text, keeps_pictures=True)
    except DrawingError as error:
        raise InputError([Problem(place="", what=f"{options['name']} {error.what}", remedy=error.remedy)]) from error
    for element in drawing.root.iter():
        for name in HREFS:
            if not element.get(name, "#").strip().startswith(_INSIDE):
                del element.attrib[name]  # nothing outside of the file is read, nor a drawing in the drawing
    sides = {"width": drawing.box.width, "height": drawing.box.height}
    for side, length in sides.items():
        drawing.root.set(side, f"{length:g}")
    pixels = {side: str(max(1, round(length * LONGEST_PX / max(sides.values())))) for side, length in sides.items()}
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[])
    inputs = {"drawing": etree.tostring(drawing.root, encoding="unicode"), **pixels}
    try:
        made = typst.compile(_PAGE, font_paths=fonts, sys_inputs=inputs, format="png", ppi=72.0)
    except typst.TypstError as error:
        is_large, name = "limit" in str(error), options["name"]
        what = f"{name} has more shapes than can be drawn" if is_large else f"{name} is a damaged drawing"
        raise InputError([Problem(place="", what=what, remedy="simplify it, or save it as PNG")]) from error
    return b64encode(made if isinstance(made, bytes) else made[0]).decode()
