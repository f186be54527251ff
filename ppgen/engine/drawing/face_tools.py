"""Functions that templates of a deck call for the face being drawn: pictures, icons, grounds.

They need what only a face has: its frame, its ink, the definitions that it collects. So a :class:`FaceTools` is made
for each face, and ``TemplateSet.render`` gets its functions. A new function is a method here, its name in
``FACE_FUNCTIONS`` (``templates.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from html import escape
from typing import Any

from ppgen.engine.drawing.face import FrameOfFace
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.pictures import FULL, LOW, Picture, PictureFolder, picture_tag
from ppgen.engine.drawing.svg_pictures import PictureError, lighten_drawing
from ppgen.engine.drawing.templates import FACE_FUNCTIONS
from ppgen.engine.geometry import Rect
from ppgen.engine.geometry import format_decimal as mm
from ppgen.engine.guard.metering import RefusedError
from ppgen.engine.svg import svg_element

EDGE_REACH = 0.2
"""What comes nearer to the trim than this (mm) may be cut."""
_ROOT = re.compile(r"""<svg\b(?:[^<>"']|"[^"]*+"|'[^']*+')*+(?<!/)>""")
_EDGE_NAME = re.compile(r"#?\w+")
_lightened = lru_cache(maxsize=200)(lighten_drawing)


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon of the deck: ``aspect`` is width by height, ``draw(x, y, size, fill)`` draws it with its middle at x, y.

    ``size`` is its height in mm.
    """

    aspect: float
    draw: Callable[[float, float, float, str], str]


@dataclass(slots=True, kw_only=True)
class FaceTools:
    """The functions of one face, and what they collect.

    ``used`` are the pictures by the names asked for, ``definitions`` elements for <defs> by id. ``edge`` says what the
    bleed shows, if it is the same all along it.
    """

    frame: FrameOfFace
    ink: str
    lettering: Lettering
    pictures: PictureFolder
    used: dict[str, Picture] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    edge: str = ""

    @property
    def functions(self) -> Mapping[str, Callable[..., str]]:
        """What templates call, by name."""
        return {name: getattr(self, name) for name in FACE_FUNCTIONS}

    def finish(self, svg: str) -> str:
        """Put the collected definitions and the edge into the root of the drawn SVG."""
        root = _ROOT.search(svg)
        if not root or not (self.definitions or self.edge):
            return svg
        edge = f' data-edge="{self.edge}"' if self.edge and "data-edge" not in root[0] else ""
        definitions = f"<defs>{''.join(self.definitions.values())}</defs>" if self.definitions else ""
        return f"{svg[:root.end() - 1]}{edge}>{definitions}{svg[root.end():]}"

    # Texts

    def rich(self, words: object, **options: Any) -> str:
        """Set text with markup and the deck's icons (:meth:`Lettering.rich`)."""
        return replace(self.lettering, icons=self.find_icon).rich(words, **options)

    # Pictures

    def image(self, name: object, x: float = 0, y: float = 0, width: float | None = None, height: float | None = None,
              fit: str = "cover", focus: str = "50% 50%", radius: float = 0, clip: str = "", opacity: float = 1,
              box: Rect | None = None, ink: str = "") -> str:
        """Draw a picture of the deck in a box; without one on the whole face. An empty name draws nothing."""
        words = str(name).strip()
        box = self._box(x, y, width, height, box) if fit != "bleed" else self.frame.all
        if not words:
            return ""
        self.mark_reach(box)
        picture = self._use(words)
        if not picture.digest:
            return self._gap(picture, box)
        place = fit_picture(picture.aspect, box, fit, focus)
        drawing = self._draw(picture, place, ink or self.ink)
        shown = place if fit == "contain" else box
        if clip or radius or (fit == "cover" and place != box):
            outline = svg_element("path", d=clip) if clip else _rectangle(shown, rx=mm(radius) if radius else "")
            drawing = f'<g clip-path="url(#{self._define("clipPath", outline)})">{drawing}</g>'
        return drawing if opacity == 1 else f'<g opacity="{mm(opacity)}">{drawing}</g>'

    def icon(self, name: object, x: float, y: float, size: float, fill: str = "#000") -> str:
        """Draw an icon with its middle at x, y; ``size`` is its height."""
        return self.find_icon(str(name).strip().strip("{}")).draw(x, y, size, fill)

    def find_icon(self, name: str) -> Icon:
        """Return the icon of that name, for a line of text. Raises RefusedError with the nearest name."""
        picture = self._use(f"{{{name}}}")

        def draw(x: float, y: float, size: float, fill: str) -> str:
            width = size * picture.aspect
            place = Rect(x - width / 2, y - size / 2, width, size)
            if not picture.digest:
                return self._gap(picture, place)
            drawing = self._draw(picture, place, FULL if picture.is_drawing else self.ink)
            return f'<g color="{escape(fill)}" fill="{escape(fill)}">{drawing}</g>' if picture.is_drawing else drawing

        return Icon(picture.aspect, draw)

    def _use(self, name: str) -> Picture:
        try:
            picture = self.used[name] = self.pictures.find(name)
        except PictureError as error:
            raise RefusedError(str(error), error.remedy) from None
        return picture

    def _draw(self, picture: Picture, place: Rect, ink: str) -> str:
        variant = LOW if ink == LOW else FULL
        if not picture.is_drawing:
            return picture_tag(picture, place, variant)
        body = picture.body if variant == FULL else _lightened(picture.body)
        name = self._define("symbol", body, f' viewBox="{picture.view_box}" preserveAspectRatio="none"')
        return (f'<use href="#{name}" x="{mm(place.x)}" y="{mm(place.y)}" width="{mm(place.width)}" '
                f'height="{mm(place.height)}"/>')

    def _gap(self, picture: Picture, box: Rect) -> str:
        """A grey box with the name of a missing picture."""
        fonts, size = self.lettering.fonts.styles["text"], min(3.0, box.height / 2)
        name = "".join(letter for letter in picture.name if any(font.has(letter) for font in fonts))
        words = self.lettering.text(name, x=box.x + box.width / 2, y=box.y + box.height / 2 + size / 3, fill="#444444",
                                    width=box.width * 0.9, size=size, min_size=size / 20, anchor="middle")
        return f"<g>{_rectangle(box, fill='#c8c8c8')}{words}</g>"

    # Grounds

    def fill(self, colour: str) -> str:
        """Fill the face and its bleed with a colour; in low ink with paper."""
        colour = "#ffffff" if self.ink == LOW else colour
        self.edge = f"fill-{colour.lstrip('#').lower()}" if _EDGE_NAME.fullmatch(colour) else ""
        return _rectangle(self.frame.all, fill=colour)

    # What the functions share

    def mark_reach(self, box: Rect) -> None:
        """Withdraw the edge if something drawn in this box reaches the trim: then the bleed differs along it."""
        if (min(box.x, box.y) <= EDGE_REACH or box.right >= self.frame.width - EDGE_REACH
                or box.bottom >= self.frame.height - EDGE_REACH):
            self.edge = ""

    def _box(self, x: float, y: float, width: float | None, height: float | None, box: Rect | None) -> Rect:
        if box is None:
            box = Rect(x, y, self.frame.width - x if width is None else width,
                       self.frame.height - y if height is None else height)
        if not (box.width > 0 and box.height > 0):
            raise RefusedError("a picture has no room", "give it a width and a height above 0")
        return box

    def _define(self, tag: str, inside: str, attributes: str = "") -> str:
        """Collect a definition, each once; return its id."""
        name = f"{tag.lower()}-{blake2b(f'{attributes}{inside}'.encode(), digest_size=8).hexdigest()}"
        self.definitions[name] = f'<{tag} id="{name}"{attributes}>{inside}</{tag}>'
        return name


def _rectangle(box: Rect, **attributes: str) -> str:
    return svg_element("rect", x=mm(box.x), y=mm(box.y), width=mm(box.width), height=mm(box.height), **attributes)


# Pictures in a box

FITS = ("cover", "contain", "stretch", "bleed")
_FOCUS_WORDS = {"left": ("0", "x"), "right": ("100", "x"), "top": ("0", "y"), "bottom": ("100", "y")}


def parse_focus(words: str) -> tuple[float, float]:
    """Return the shares of a picture's focus, across and down: ``50% 20%``, ``left``, ``center top``."""
    across, down = "50", "50"
    parts = words.split()
    for n, part in enumerate(parts):
        value, axis = _FOCUS_WORDS.get(part, ("50" if part in ("center", "middle") else part.rstrip("%"), "xy"[n % 2]))
        across, down = (value, down) if axis == "x" else (across, value)
    try:
        if not 0 < len(parts) <= 2:
            raise ValueError
        return tuple(min(max(float(value) / 100, 0.0), 1.0) for value in (across, down))  # type: ignore[return-value]
    except ValueError:
        raise RefusedError(f"focus '{words[:40]}' is not a place", 'write it like "50% 20%", "left" or "top"') from None


def fit_picture(aspect: float, box: Rect, fit: str, focus: str) -> Rect:
    """Return where a picture of that aspect lies, to fill or fit its box; its focus stays in sight."""
    if fit not in FITS:
        raise RefusedError(f"fit '{fit[:40]}' is not known", f"use {', '.join(FITS)}")
    width, height = box.width, box.height
    if fit != "stretch":
        if (aspect > width / height) == (fit != "contain"):
            width = height * aspect
        else:
            height = width / aspect
    across, down = parse_focus(focus)
    return Rect(box.x + (box.width - width) * across, box.y + (box.height - height) * down, width, height)
