"""Drawings as pixels: those with blur, shadows or pictures in them, which the subset can't have. typst draws them.

Of a drawing that is a template only what shapes can't show becomes pixels, element by element: a layer.
"""

from __future__ import annotations

from base64 import b64encode

from lxml import etree

from ppgen.engine.geometry import Rect
from ppgen.engine.svg.drawing_cleaning import NOT_IN_PLACE, Drawing, DrawingError, parse_drawing
from ppgen.engine.svg.elements import HREFS, SVG, local_tag
from ppgen.errors import InputError
from ppgen.process.supervision import Options
from ppgen.shipped import Phrase

LONGEST_PX = 2000  # the longer side: 300 dpi on a piece of 170 mm
LAYER_GROWTH = 0.15  # a layer reaches beyond the page by this share of its width, as far as a bleed may
LAYER = "data-layer"  # an attribute of a layer's root: it is for pixels, whatever its definitions hold
_INSIDE = ("#", "data:image/png", "data:image/jpeg", "data:image/webp", "data:image/gif")
_PAGE = b"""\
#set page(width: float(sys.inputs.width) * 1pt, height: float(sys.inputs.height) * 1pt, margin: 0pt, fill: none)
#image(bytes(sys.inputs.drawing), format: "svg", width: 100%, height: 100%, fit: "stretch")"""


def draw_pixels(content: bytes, options: Options) -> str:
    """Draw an SVG file of that ``name`` in the supervised child: a PNG in Base64. Raises InputError."""
    import typst

    drawing = _parse(content, options["name"])
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
        raise InputError.at("", what, "simplify it, or save it as PNG") from error
    return b64encode(made if isinstance(made, bytes) else made[0]).decode()


def _parse(content: bytes, name: str) -> Drawing:
    try:
        return parse_drawing(content.decode("utf-8-sig", "replace"), keeps_pictures=True)
    except DrawingError as error:
        raise InputError.at("", f"{name} {error.what}", error.remedy) from error


def cut_layer(content: bytes, options: Options) -> str:
    """Cut siblings out of an SVG file by their numbers; all else is only defined. Raises InputError."""
    drawing = _parse(content, options["name"])
    elements = [*drawing.root.iter()]
    first, last = int(options["first"]), int(options["last"])
    if not 0 < first <= last < len(elements) or elements[first].getparent() is not elements[last].getparent():
        raise InputError.at("", f"{options['name']} is not in the drawing", Phrase("save_again"))
    parent: etree._Element | None = elements[first].getparent()
    kept = {each for each in elements[first:last + 1] if each.getparent() is parent}
    while parent is not None:
        for child in [*parent]:
            if child not in kept and local_tag(child) not in NOT_IN_PLACE:
                hidden = etree.Element(f"{{{SVG}}}defs")
                parent.replace(child, hidden)
                hidden.append(child)
        if local_tag(parent) == "switch":  # its first child is hidden now
            parent.tag = f"{{{SVG}}}g"
        parent.set("style", f"{parent.get('style', '')};opacity:1;filter:none;mask:none;clip-path:none")
        kept, parent = {parent}, parent.getparent()
    box = layer_box(drawing.box)
    for name in ("x", "y", "width", "height", "preserveAspectRatio"):
        drawing.root.attrib.pop(name, "")
    drawing.root.set(LAYER, "pixels")
    drawing.root.set("viewBox", f"{box.x:.9g} {box.y:.9g} {box.width:.9g} {box.height:.9g}")
    return etree.tostring(drawing.root, encoding="unicode")


def layer_box(page: Rect) -> Rect:
    """The box of each layer of a page, in its units."""
    by = page.width * LAYER_GROWTH
    return Rect(page.x - by, page.y - by, page.width + 2 * by, page.height + 2 * by)
