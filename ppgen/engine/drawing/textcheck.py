"""Turns the texts of drawn SVG into what is wrong with them: unknown fonts, missing glyphs, no room in their box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from lxml import etree

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.guard.tagcost import MAX_FONT_SIZE
from ppgen.engine.svg.subset import fits
from ppgen.engine.svg.tree import SVG, inherited, pieces, tag_of
from ppgen.errors import listed

MAX_TEXT, MAX_SPANS = 2_000, 100
"""Characters and <tspan> of a <text>: a line of type has a tenth of them."""
TOLERANCE = 0.02
"""Text may be this many millimetres wider than its box: the measuring, not the eye."""

Fault = tuple[str, str] | tuple[str, str, str, float]
"""What is wrong, and what to do; of a text that can't be set also the text and the share that is too much."""


def writing_faults(element: etree._Element, fonts: FontBook, well_written: bool) -> Iterator[Fault]:
    """What is wrong with a <text> and all that is in it; its numbers may be known to be ``well_written``."""
    said = list(pieces(element))
    if sum([len(words) for words, _ in said]) > MAX_TEXT:
        yield f"text '{_shortened(element)}' has more than {MAX_TEXT} characters", "use paragraph(), or several texts"
    elif len(list(element.iter())) > MAX_SPANS:
        yield f"text '{_shortened(element)}' has more than {MAX_SPANS} <tspan>", "use several texts"
    elif well_written or _is_well_written(element):
        yield from _text_faults(element, said, fonts)


def _text_faults(element: etree._Element, said: Iterable[tuple[str, etree._Element]],
                 fonts: FontBook) -> Iterator[Fault]:
    """Unknown fonts, missing glyphs, and a text wider than the box that it states."""
    width = 0.0
    for words, holder in said:
        family = inherited(holder, "font-family")
        font = fonts.find(family, int(inherited(holder, "font-weight") or 400),
                          inherited(holder, "font-style") == "italic")
        if font is None:
            yield (f"font '{family}' is not in the set in that weight and style",
                   f"known: {listed(fonts.families)}; or use text() of the templates")
            return
        if missing := font.lacks(words):
            named = some(f"'{character}' (U+{ord(character):04X})" for character in missing)
            yield (f"no font of the text style has {named}", "use other characters, or add a font to the style",
                   _words(_paragraph(element)), 0.0)
        spacing = float(inherited(holder, "letter-spacing") or 0)
        size = float(inherited(holder, "font-size") or 0)
        if not 0 < size <= MAX_FONT_SIZE:
            what = f"a font-size of {size:g}" if size else "no font-size"
            yield f"text '{_shortened(element)}' has {what}", "use text() or paragraph(), or write it in mm"
        width += font.advance(words, not spacing) * size + spacing * len(words)
    if not element.get("data-width"):
        yield f"text '{_shortened(element)}' states no box", "use text() or paragraph(), or add data-width"
    elif (over := width - _number(element, "data-width")) > TOLERANCE:
        yield (f"text '{_shortened(element)}' is {over:.1f} mm too wide for its box",
               "shorten it, or give it more room", _words(_paragraph(element)), over / width)


def _is_well_written(element: etree._Element) -> bool:
    """Whether the numbers of a text are numbers, its own and those around and inside it."""
    return all(fits(str(name), str(value)) for holder in (*element.iterancestors(), *element.iter())
               for name, value in holder.attrib.items())


def height_faults(paragraph: etree._Element, well_written: bool) -> Iterator[Fault]:
    """A paragraph that is higher than its box; its numbers may be known to be ``well_written``."""
    if not well_written and not _is_well_written(paragraph):
        return
    needed = _number(paragraph, "data-needs")
    if (over := needed - _number(paragraph, "data-height")) > TOLERANCE:
        yield (f"text '{_shortened(paragraph)}' is {over:.1f} mm too high for its box",
               "shorten it, or give it more room", _words(paragraph), over / needed)


def _number(element: etree._Element, name: str) -> float:
    return float(element.get(name, "0"))


def some(names: Iterable[str]) -> str:
    """The first of some names, as people read them."""
    first = list(islice(names, 21))
    return listed(first[:20]) + ("…" if len(first) > 20 else "") or "none"


def _shortened(element: etree._Element) -> str:
    """The words of a text, or the first of them."""
    words = _words(element)
    return words if len(words) <= 40 else words[:39] + "…"


def _words(element: etree._Element) -> str:
    """The words of a text; the lines of a paragraph with spaces between."""
    lines = [element] if tag_of(element) == "text" else element.iter(f"{{{SVG}}}text")
    return " ".join(" ".join("".join(map(str, line.itertext())) for line in lines).split())


def _paragraph(line: etree._Element) -> etree._Element:
    """The paragraph that a text is a line of, or the text itself."""
    around = line.getparent()
    return line if around is None or not around.get("data-needs") else around
