"""Drawings of Inkscape, Figma and Affinity as templates: text in, text out.

A drawing is read (``engine/svg/drawing_cleaning.py``), its page is placed (:mod:`drawing_places`), its labels are
bound to columns (:mod:`drawing_places`), its texts become calls of ``rich()`` (:mod:`drawing_texts`).

Here the rest is written: shapes with all transforms on themselves, in millimetres of the trim; pictures as calls of
``image()``; clips, masks and paints where they are used. Each element keeps its line, so that messages about the
template name those of the drawing. What is left out is reported once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import groupby, islice
from math import hypot
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree

from ppgen.cache import cached_by
from ppgen.engine.adoption.drawing_places import (BACK, GROUND_GROWTH_MM, INKSCAPE, TEXTS, Binding, Bound, Columns,
                                                  Findings, Ground, SharedParts, format_matrix, has_real_size,
                                                  is_visible, label_of, language_test, near_columns, own_matrix,
                                                  page_size, place_page, quote, read_binding, shape_box,
                                                  viewport_matrix)
from ppgen.engine.adoption.drawing_texts import TextSetting, write_text
from ppgen.engine.drawing.fonts import house_fonts, read_fonts
from ppgen.engine.drawing.svg_check import check_svg
from ppgen.engine.geometry import Insets, Rect, Size
from ppgen.engine.pictures.picture import MAX_FILE_BYTES, layer_box
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.engine.svg.drawing_cleaning import (EFFECTS, EMBEDDED, NOT_IN_PLACE, Drawing, DrawingError, Style,
                                               add_opacity, clean_colour, clean_value, parse_drawing, reference)
from ppgen.engine.svg.elements import IDENTITY, SVG, Matrix, local_tag, multiply, parse_transform
from ppgen.engine.svg.subset import ELEMENTS, GRADIENTS, SHAPES
from ppgen.errors import InputError, Problem
from ppgen.process.supervision import Options, read_supervised
from ppgen.reading.fields import is_file_name, read_source
from ppgen.records import asdict, dataclass, field, replace

MAX_DRAWN, MAX_CLONES = 20_000, 12  # elements as often as they are drawn, and levels of clones of clones
MAX_GROUP = 500  # elements of a group that are searched for what shows its column
MAX_BRACES = 1_000  # braces in texts; names in those beyond are not compared with the columns
SMALL_SHARE, PALE, MEDIUM = 0.1, 0.9, 0.5  # areas below this share of the face keep more of their colour in low ink

MAX_EFFECTS, MAX_LAYERS = 12, 30  # elements that are layers each by itself; more go into layers with others

_BLEED = Insets.all(3.0)  # bleed of a picture over the whole page
_GEOMETRY = {"rect": "x y width height rx ry", "circle": "cx cy r", "ellipse": "cx cy rx ry", "line": "x1 y1 x2 y2",
             "polyline": "points", "polygon": "points", "path": "d"}
_PAINT_GEOMETRY = frozenset(
    "x1 y1 x2 y2 cx cy r fx fy gradientUnits gradientTransform spreadMethod x y width height patternUnits "
    "patternContentUnits patternTransform viewBox preserveAspectRatio".split())
_LINE = ("stroke-opacity stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray "
         "stroke-dashoffset")
_LOST_EFFECTS = {"filter": ("a filter (blur, shadow)", "draw the shadow as a shape, or put it into a picture"),
                 "mix-blend-mode": ("a blend mode", "use opacity, or put it into a picture"),
                 **dict.fromkeys(EFFECTS[2:], ("an arrow head", "turn the line into paths"))}
_PLAIN = (ELEMENTS - {"text", "tspan"}) | NOT_IN_PLACE | {"image"}
"""Elements that a layer can show: words need the deck's fonts."""
MAX_CODE = 40_000  # characters between braces: they take two seconds to compile
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")
_UNDRAWN = {"foreignObject": ("text that only browsers show", "turn it into a text of the program"),
            "textPath": ("a text on a path", "turn it into paths"), "script": ("a script", "leave it out"),
            "mesh": ("a mesh gradient", "use a picture"), "video": ("a film", "use a picture")}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptedDrawing:
    """A drawing as a template: what shows columns, what of it is left out, and how its page becomes the piece."""

    name: str
    template: str
    page: str
    width: float  # of the piece, in mm
    height: float  # that its page needs then, in mm
    is_real: bool  # False if its size is in pixels
    bound: tuple[Bound, ...]
    notes: tuple[Problem, ...]
    columns: tuple[str, ...]
    linked: tuple[tuple[str, int], ...]  # the files of pictures that it links to, and the line of each

    @property
    def unshown(self) -> tuple[str, ...]:
        """Columns that nothing shows."""
        shown = {each.column for each in self.bound}
        return tuple(name for name in self.columns if name not in shown and name.removeprefix(BACK) not in shown)


def adopt_drawing(folder: Path, name: str, size: Size | None, columns: Collection[str], *,
                  colours: Collection[str] = (), families: Collection[str] = ()) -> AdoptedDrawing:
    """Make a drawing the template of pieces of a ``size`` with these columns, without one of the size of its page.

    ``colours`` are columns whose values are names of colours of the deck, ``families`` its fonts. The supervised child
    does it, unless an earlier run did. Raises InputError with all problems.
    """
    source = read_source(folder, name, MAX_FILE_BYTES)
    options = {"name": name, "place": source.name, "size": size and [size.width, size.height],
               "columns": [*columns], "colours": [*colours], "families": [*families]}
    found = json.loads(cached_by("adopted drawing", source.text, options, make=lambda: json.dumps(read_supervised(
        make_template, source.text.encode(), options, source.name, "simplify it, or save it again")).encode()))
    pictures, linked = PictureFolder(folder), tuple((file, line) for file, line in found["linked"])
    missing = [Problem(name, f"the picture '{file}' is missing, and left out", "put it into art/", line=line)
               for file, line in linked if pictures.is_missing(file)]
    return AdoptedDrawing(**{**found, "columns": tuple(found["columns"]), "linked": linked,
                             "bound": tuple(Bound(**bound) for bound in found["bound"]),
                             "notes": (*(Problem(**note) for note in found["notes"]), *missing)})


def deck_families(folder: Path) -> Collection[str]:
    """The families of a deck's fonts; what is wrong with them is reported where they are set."""
    own = folder / "fonts"
    with suppress(InputError):
        return read_fonts(own, has_house=True).families if own.is_dir() else house_fonts().families
    return house_fonts().families


def adopt_alone(folder: Path, name: str, columns: Collection[str]) -> AdoptedDrawing:
    """Make a template of a drawing that no deck has yet, for pieces as large as its page. Raises InputError."""
    return adopt_drawing(folder, name, None, columns, families=deck_families(folder))


def make_template(content: bytes, options: Options) -> dict[str, Any]:
    """Make a drawing a template in the supervised child: an :class:`AdoptedDrawing` as JSON. Raises InputError."""
    try:
        drawing = parse_drawing(content.decode())
        size = Size(*options["size"]) if options["size"] else page_size(drawing)
        columns = Columns(options["columns"], options["colours"])
        given = options["name"], drawing, size, columns, options["families"]
        adopter, is_fixed = _Adopter(*given), options["size"] is not None
        adopted = adopter.adopt(is_fixed)
        if adopter.layers > MAX_EFFECTS or _is_refused(adopted.template, size):
            adopted = _Adopter(*given, is_coarse=True).adopt(is_fixed)
        return asdict(adopted)
    except DrawingError as error:
        raise InputError.at(options["place"], error.what, error.remedy, line=error.line) from error


def _is_refused(template: str, size: Size) -> bool:
    """True if a template, without its words and pictures, is more than a face may have."""
    from ppgen.engine.drawing.templates import MAX_CHARACTERS

    if len(template) > MAX_CHARACTERS or sum(map(len, _CODE.findall(template))) > MAX_CODE:
        return True
    drawn = re.sub(r'="\{\{[^{}]*\}\}"', '="#000000"', template)
    drawn = _CODE.sub("", re.sub(r'(="[^"<>{}]*)\{\{[^{}]*\}\}', r"\g<1>1", drawn))
    box = f"0 0 {size.width:g} {size.height:g}"
    svg = f'<svg xmlns="{SVG}" viewBox="{box}">{drawn}</svg>'
    return check_svg(svg, box)[0] is None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """The surroundings of an element. In masks and clips (``is_plain``) nothing is bound, and colours stay."""

    matrix: Matrix
    style: Style
    paints: Mapping[str, str] = field(default_factory=dict)
    is_plain: bool = False
    is_white: bool = False
    clones: int = 0


class _Adopter:
    """One drawing on its way to a template."""

    def __init__(self, name: str, drawing: Drawing, size: Size, columns: Columns, families: Collection[str],
                 is_coarse: bool = False) -> None:
        self.drawing, self.size, self.columns, self.is_coarse = drawing, size, columns, is_coarse
        self.texts = TextSetting(drawing=drawing, columns=columns, families=families, size=size)
        self.matrix, self.page = place_page(drawing, size)
        self.parts: list[str] = []
        self.line, self.drawn, self.wraps, self.braces = 1, 0, 0, 0
        self.linked: dict[str, int] = {}
        self.layers, self.numbers = 0, {element: n for n, element in enumerate(drawing.root.iter())}
        self.targets: dict[etree._Element, Binding] = {}
        self.is_inside = False
        self.shared, self.ground = SharedParts(), Ground(drawing, size)
        self.findings = Findings(name, drawing)

    def adopt(self, is_fixed: bool) -> AdoptedDrawing:
        root = self.drawing.root
        for selector in self.drawing.unread:
            self.findings.note(root, "a rule of a style sheet", "save it as plain SVG", f"the style '{selector}'")
        self.draw_children(root, _Around(matrix=self.matrix, style=self.drawing.style(root, {})))
        if self.findings.problems:
            raise InputError(self.findings.problems)
        ground = self.ground
        if ground.colour:
            self.parts[ground.at] = ground.markup
        drawn = "".join(self.parts)
        if not is_fixed:
            apart = ground.at + 1 if ground.colour and not ground.reaches_edge else 0
            head, drawn = "".join(self.parts[:apart]), "".join(self.parts[apart:])
            drawn = f'{head}<g transform="scale({{{{ face.width / {self.size.width:g} }}}})">{drawn}</g>'
        page = self.page + ("; its ground is carried on into the bleed" if ground.ends_at_page else "")
        return AdoptedDrawing(name=self.findings.name, template=f"{self.shared.markup}{drawn}\n", page=page,
                              width=self.size.width, is_real=has_real_size(self.drawing),
                              height=self.size.width * self.drawing.box.height / self.drawing.box.width,
                              bound=tuple(self.findings.bound), notes=tuple(self.findings.notes.values()),
                              columns=tuple(self.columns.names), linked=tuple(self.linked.items()))

    # Writing

    def put(self, words: str) -> None:
        self.parts.append(words)

    def go_to(self, element: etree._Element) -> None:
        """Go to the line of an element; definitions are written elsewhere."""
        missing = self.drawing.lines[element] - self.line
        if missing > 0 and not self.is_inside:
            self.put("\n" * missing)
            self.line += missing

    @contextmanager
    def written_inside(self) -> Iterator[list[str]]:
        """Write into another list: the inside of a definition."""
        outer, was_inside = self.parts, self.is_inside
        self.parts, self.is_inside = [], True
        try:
            yield self.parts
        finally:
            self.parts, self.is_inside = outer, was_inside

    # Elements

    def draw_children(self, element: etree._Element, around: _Around) -> None:
        blends = any("mix-blend-mode" in self.drawing.effects(child) for child in element)
        joins = self.is_coarse or blends
        for together, children in groupby(element, lambda child: joins and self._is_for_layer(child, around, blends)):
            if together and self.layers < MAX_LAYERS:
                layer = [*children]
                for child in layer:
                    if self._is_ground(child, around):  # it lies in the bleed, too
                        self.draw(child, around)
                self._draw_layer(layer)
                continue
            for child in children:
                self.draw(child, around)

    def draw(self, element: etree._Element, around: _Around, column: str = "") -> None:
        tag = local_tag(element)
        if not str(element.tag).startswith(f"{{{SVG}}}"):
            return
        if tag in _UNDRAWN:
            self.findings.note(element, *_UNDRAWN[tag])
        if tag in NOT_IN_PLACE or tag in _UNDRAWN:
            return
        self.drawn += 1
        if self.drawn > MAX_DRAWN:
            raise DrawingError(self.drawing.lines[element], f"draws more than {MAX_DRAWN:,} elements with its clones",
                               "use fewer clones")
        style = self.drawing.style(element, around.style)
        if style.get("display") == "none":
            return
        inner = replace(around, matrix=multiply(around.matrix, own_matrix(element)), style=style)
        if not is_visible(inner.matrix):
            return
        if self._may_be_layer(element, around) and self._is_beyond_shapes(element):
            self._draw_layer([element])
            return
        binding = Binding() if around.is_plain else read_binding(element, self.columns)
        parent = element.getparent()
        if (test := language_test(element)) and (parent is None or local_tag(parent) != "switch"):
            binding.tests.append(test)
        column = column or self._bind(element, tag, binding)
        if binding.paints:
            inner = replace(inner, paints={**around.paints, **binding.paints})
        for effect in self.drawing.effects(element):
            self.findings.note(element, *_LOST_EFFECTS[effect])
        self.go_to(element)
        opening = self._wrapping(element, tag, style, inner)
        self.put("".join(f"{{% if {test} %}}" for test in binding.tests) + opening)
        self.wraps += bool(opening or binding.tests)
        self._draw_inside(element, tag, inner, column)
        self.wraps -= bool(opening or binding.tests)
        self.put("</g>" * opening.count("<g ") + "{% endif %}" * len(binding.tests))

    def _draw_inside(self, element: etree._Element, tag: str, inner: _Around, column: str) -> None:
        if tag in TEXTS:
            self._draw_text(element, inner, column)
        elif tag in SHAPES:
            self._draw_shape(element, tag, inner, column)
        elif tag == "image":
            self._draw_image(element, inner, column)
        elif tag == "use":
            self._draw_clone(element, inner, column)
        elif tag == "switch":
            self._draw_choice(element, inner)
        elif tag == "svg":
            if "slice" in element.get("preserveAspectRatio", ""):
                self.findings.note(element, "the cut of an inner <svg>", "clip with a shape")
            self.draw_children(element, replace(inner, matrix=multiply(
                inner.matrix, viewport_matrix(self.drawing, element, element))))
        elif tag in ("g", "a"):
            self.draw_children(element, inner)
        else:
            self.findings.note(element, f"<{tag}>", "see docs/drawing-programs.md")

    def _draw_choice(self, element: etree._Element, inner: _Around) -> None:
        """Draw the first child that is for the deck's language, or for all."""
        drawn = 0
        for child in element:
            if local_tag(child) in ("foreignObject", ""):
                continue
            test = language_test(child)
            self.put(f"{{% {'elif' if drawn else 'if'} {test} %}}" if test else "{% else %}" if drawn else "")
            self.draw(child, inner)
            drawn += bool(test)
            if not test:
                break
        self.put("{% endif %}" if drawn else "")

    def _bind(self, element: etree._Element, tag: str, binding: Binding) -> str:
        """Note what a label asks for; return the column that the element itself shows."""
        for what, remedy in binding.faults:
            self.findings.warn(element, f"{label_of(element)} {what}", what, remedy)
        for name, use in binding.uses:
            self.findings.bind(element, name, use)
        if element in self.targets:
            binding.column = self.targets.pop(element).column
        elif binding.column and tag == "g":
            if element.get(f"{INKSCAPE}groupmode") == "layer":
                return ""  # it has its name for the designer
            tags = [f"{{{SVG}}}{each}" for each in (*TEXTS, *SHAPES, "image", "use")]
            inside = [each for each in islice(element.iter(*tags), MAX_GROUP)
                      if not any(local_tag(up) in NOT_IN_PLACE for up in each.iterancestors())]
            self.drawn += len(inside)  # so that groups in groups come to an end
            shown = [each for each in inside if not read_binding(each, self.columns).column]
            target = next((each for each in shown if local_tag(each) in TEXTS), next(iter(shown), None))
            if target is None and not inside:
                self.findings.warn(element, f"empty {binding.label}", "holds nothing that could be filled",
                                   "put a text, shape or picture into it")
            elif target is not None:
                self.targets[target] = binding
                use = "words" if local_tag(target) in TEXTS else "picture"
                self.findings.bind(element, binding.column, use)
            return ""
        elif binding.column:
            self.findings.bind(element, binding.column, "words" if tag in TEXTS else "picture")
        return binding.column

    def _wrapping(self, element: etree._Element, tag: str, style: Style, inner: _Around) -> str:
        """The tags of groups around an element: its clip, its mask, its opacity."""
        opening = ""
        if clip := style.get("clip-path", ""):
            opening += self._clip(element, clip, inner)
        if mask := style.get("mask", ""):
            opening += self._mask(element, mask, inner)
        opacity = clean_value("opacity", style.get("opacity", "1"))
        if tag not in SHAPES and opacity not in ("", "1"):
            opening += f'<g opacity="{opacity}">'
        return opening

    # Layers: what typst sets as vectors

    @cached_property
    def plain(self) -> Mapping[etree._Element, bool]:
        """True if each element, with all in it and what it clones, shows no column, no words and no linked picture."""
        known: dict[etree._Element, bool] = {}
        own = {element: self._is_plain(element) for element in self.numbers}
        for _ in range(MAX_CLONES // 3):  # a clone of a clone is known in the next round
            before = known
            known = {}
            for element in reversed([*self.numbers]):
                target = self.drawing.target(element) if local_tag(element) == "use" else None
                known[element] = (own[element] and all(known[child] for child in element)
                                  and (target is None or before.get(target, own[target])))
        return known

    def _is_plain(self, element: etree._Element) -> bool:
        tag = local_tag(element)
        if not str(element.tag).startswith(f"{{{SVG}}}") or tag in NOT_IN_PLACE:
            return True
        if tag not in _PLAIN or element.get("systemLanguage") is not None:
            return False
        if tag == "image":
            return reference(element).startswith("data:")
        binding = read_binding(element, self.columns)
        return not (binding.column or binding.paints or binding.tests or binding.faults)

    def _is_beyond_shapes(self, element: etree._Element) -> bool:
        """True if an element, or what it clones, has what the shapes of a face can't show."""
        target = self.drawing.target(element) if local_tag(element) == "use" else None
        inside = () if target is None else islice(target.iter(), MAX_GROUP)
        return any(self._has_turned_pattern(each) or ("slice" in each.get("preserveAspectRatio", "")
                   and local_tag(each) in ("svg", "symbol")) or any(
                       self.drawing.target(each, self.drawing.styles[each].get(name, "none")) is not None
                       for name in EFFECTS) for each in (element, *inside))

    def _has_turned_pattern(self, element: etree._Element) -> bool:
        """True if it is painted with a pattern whose tiles don't stand upright: hairlines would show between them."""
        return any(pattern is not None and local_tag(pattern) == "pattern"
                   and any(parse_transform(clean_value("patternTransform", pattern.get("patternTransform", "")))[1:3])
                   for pattern in (self.drawing.target(element, self.drawing.styles[element].get(name, "none"))
                                   for name in ("fill", "stroke")))

    def _may_be_layer(self, element: etree._Element, around: _Around) -> bool:
        return not around.is_plain and not around.clones and not around.paints and self.plain[element]

    def _is_for_layer(self, element: etree._Element, around: _Around, with_ground: bool) -> bool:
        """True if a layer may show an element with its neighbours; the ground has a bleed as a shape."""
        return (self._may_be_layer(element, around) and local_tag(element) not in _UNDRAWN
                and (with_ground or not self._is_ground(element, around)))

    def _is_ground(self, element: etree._Element, around: _Around) -> bool:
        tag, matrix = local_tag(element), multiply(around.matrix, own_matrix(element))
        box = shape_box(self.drawing, element, matrix) if tag in SHAPES else None
        return box is not None and self.ground.covers_page(element, tag, matrix, box)

    def _draw_layer(self, elements: Sequence[etree._Element]) -> None:
        drawn = [each for each in elements
                 if local_tag(each) not in NOT_IN_PLACE and str(each.tag).startswith(f"{{{SVG}}}")]
        if not drawn:
            return
        self.layers += 1
        self.go_to(drawn[0])
        box, (scale, _, _, _, x, y) = layer_box(self.drawing.box), self.matrix
        self.ground.reaches_edge = True
        name = f"{self.findings.name}{EMBEDDED}{self.numbers[drawn[0]]}-{self.numbers[drawn[-1]]}"
        self.put(f'{{{{ image({quote(name)}, x={box.x * scale + x:.3f}, y={box.y * scale + y:.3f}, '
                 f'width={box.width * scale:.3f}, height={box.height * scale:.3f}, fit="stretch") }}}}')

    def _draw_clone(self, element: etree._Element, inner: _Around, column: str) -> None:
        target = self.drawing.target(element)
        if target is None:
            self.findings.note(element, "a clone of what is not there", "unlink the clone")
            return
        if inner.clones >= MAX_CLONES:
            self.findings.note(element, "a clone of a clone of itself", "unlink the clones")
            return
        inner = replace(inner, clones=inner.clones + 1)
        if local_tag(target) in ("symbol", "svg"):
            place = viewport_matrix(self.drawing, target, element)
            self.draw_children(target, replace(inner, matrix=multiply(inner.matrix, place),
                                               style=self.drawing.style(target, inner.style)))
            return
        place = (1, 0, 0, 1, self.drawing.number(element, "x"), self.drawing.number(element, "y"))
        self.draw(target, replace(inner, matrix=multiply(inner.matrix, place)), column)

    # Shapes

    def _draw_shape(self, element: etree._Element, tag: str, inner: _Around, column: str) -> None:
        style = inner.style
        box = shape_box(self.drawing, element, inner.matrix)
        if style.get("visibility") in ("hidden", "collapse") or box is None:
            if tag == "path" and element.get("d", "").strip() and box is None:
                self.findings.note(element, "a path that is not understood", "draw it again")
            return
        fill = clean_colour(style.get("fill", "#000000"))[0]
        picture = "" if inner.is_plain else self._filling_picture(fill)
        if column or picture:
            self._draw_picture(element, inner, self.columns.cell(column) if column else quote(picture), "cover")
            if clean_colour(style.get("stroke", "none"))[0].startswith("#"):
                self.put(self._shape(element, tag, replace(inner, style={**style, "fill": "none"}), box))
            return
        covers = not inner.is_plain and self.ground.covers_page(element, tag, inner.matrix, box)
        if covers and self.ground.take(inner.paints.get("fill", ""), style, box, len(self.parts), bool(self.wraps)):
            self.put("")
            return
        if not inner.is_plain:
            self.ground.touch(box)
        self.put(self._shape(element, tag, inner, box, covers and tag == "rect"))

    def _shape(self, element: etree._Element, tag: str, inner: _Around, box: Rect, grows: bool = False) -> str:
        """Write a shape; one that ``grows`` is drawn beyond the page."""
        given: dict[str, str] = {}
        for name in _GEOMETRY[tag].split():
            words = str(element.get(name, ""))
            value = f"{self.drawing.number(element, name):.7g}" if words.endswith("%") else clean_value(name, words)
            given |= {name: value} if value else {}
        if grows:
            x, y, width, height = (self.drawing.number(element, name) for name in ("x", "y", "width", "height"))
            by = GROUND_GROWTH_MM / max(hypot(*inner.matrix[:2]), 1e-9)
            given = {"x": f"{x - by:.7g}", "y": f"{y - by:.7g}", "width": f"{width + 2 * by:.7g}",
                     "height": f"{height + 2 * by:.7g}"}
        attributes = "".join(f' {name}="{value}"' for name, value in (given | self._paint(inner, box)).items())
        place = f' transform="{format_matrix(inner.matrix)}"' if inner.matrix != IDENTITY else ""
        return f"<{tag}{attributes}{place}/>"

    def _paint(self, inner: _Around, box: Rect) -> dict[str, str]:
        style, given = inner.style, dict[str, str]()
        share = PALE if box.width * box.height > SMALL_SHARE * self.size.width * self.size.height else MEDIUM
        for name, default in (("fill", "#000000"), ("stroke", "none")):
            words = style.get(name, default)
            words = style.get("color", "#000000") if words.lower() == "currentcolor" else words
            value, opacity = clean_colour(words)
            if name in inner.paints and value != "none":
                code = inner.paints[name]
                given[name] = f"{{{{ tone({code}, {share}) }}}}" if name == "fill" else f"{{{{ {code} }}}}"
            elif inner.is_white and value != "none" and not value.startswith("url("):
                given[name] = "#ffffff"
            elif value.startswith("url("):
                given[name] = self._paint_server(words, share, inner)
            elif name == "fill" and not inner.is_plain:
                given[name] = self.shared.tone(value or default, share)
            else:
                given[name] = value
            if opacity < 1:
                style = add_opacity(style, f"{name}-opacity", opacity)
        names = ["fill-opacity", "fill-rule", *(_LINE.split() if given["stroke"] not in ("none", "") else ())]
        given |= {name: value for name in names if (value := clean_value(name, style.get(name, "")))}
        if (whole := clean_value("opacity", style.get("opacity", ""))) not in ("", "1"):
            given["opacity"] = whole
        return {name: value for name, value in given.items() if value}

    def _paint_server(self, words: str, share: float, inner: _Around) -> str:
        """The gradient or pattern that a paint refers to, written as a definition; else the paint in its place."""
        target = self.drawing.target(self.drawing.root, words)
        chain: list[etree._Element] = []
        while target is not None and target not in chain and len(chain) < MAX_CLONES:
            chain.append(target)
            target = self.drawing.target(target)
        tag = local_tag(chain[0]) if chain else ""
        full = next((each for each in chain if len(each)), None)
        if (tag not in GRADIENTS and tag != "pattern") or full is None or inner.clones >= MAX_CLONES:
            if chain and tag not in (*GRADIENTS, "pattern"):
                self.findings.note(chain[0], f"a paint of the kind <{tag}>", "use a colour, a gradient or a picture")
            fallback = clean_colour(words.partition(")")[2].strip() or "none")[0]
            return fallback if fallback.startswith("#") else "none"
        key = chain[0], share, inner.is_plain
        if key in self.shared.definitions:
            return self.shared.definitions[key][0]
        given: dict[str, str] = {}
        for each in reversed(chain):
            for name in map(str, each.attrib):
                if name in _PAINT_GEOMETRY and (clean := clean_value(name, str(each.get(name)))):
                    given[name] = clean
        attributes = "".join(f' {name}="{value}"' for name, value in given.items())
        if tag == "pattern":
            with self.written_inside() as parts:
                self.draw_children(full, _Around(matrix=IDENTITY, style={}, is_plain=True, clones=inner.clones + 1))
            return self.shared.define(key, tag, "".join(parts), attributes)
        stops = ""
        for stop in full.iter(f"{{{SVG}}}stop"):
            style = self.drawing.style(stop, {})
            colour, opacity = clean_colour(style.get("stop-color", "#000000"))
            opacity *= float(clean_value("stop-opacity", style.get("stop-opacity", "1")) or 1)
            shown = colour if inner.is_plain else self.shared.tone(colour, share)
            offset = clean_value("offset", str(stop.get("offset", "0"))) or "0"
            faint = f' stop-opacity="{opacity:.4g}"' if opacity < 1 else ""
            stops += f'<stop offset="{offset}" stop-color="{shown or "#000000"}"{faint}/>'
        return self.shared.define(key, tag, stops, attributes)

    # Clips and masks

    def _clip(self, element: etree._Element, words: str, inner: _Around) -> str:
        target = self.drawing.target(element, words)
        if target is None or local_tag(target) != "clipPath":
            if words != "none":
                self.findings.note(element, "a clip that is not a path", "clip with a shape")
            return ""
        if target.get("clipPathUnits") == "objectBoundingBox":
            self.findings.note(element, "a clip in shares of its object", "clip with a shape")
            return ""
        place = multiply(inner.matrix, own_matrix(target))
        shapes: list[str] = []
        for shape, matrix in self._clip_shapes(target, place, 0):
            box = shape_box(self.drawing, shape, matrix)
            if box is None:
                continue
            if not inner.is_plain and self.ground.covers_page(shape, local_tag(shape), matrix, box):
                return ""  # it clips to the page, and would take away what is carried on into the bleed
            rule = self.drawing.style(shape, {}).get("clip-rule", "")
            plain = _Around(matrix=matrix, style={"fill-rule": rule} if rule else {}, is_plain=True)
            drawn = self._shape(shape, local_tag(shape), plain, box)
            shapes.append(drawn.replace(" fill-rule=", " clip-rule="))
        reference_to = self.shared.define((target, inner.matrix), "clipPath", "".join(shapes))
        return f'<g clip-path="{reference_to}">'

    def _clip_shapes(self, holder: etree._Element, matrix: Matrix,
                     depth: int) -> Iterator[tuple[etree._Element, Matrix]]:
        for child in holder:
            place = multiply(matrix, own_matrix(child))
            self.drawn += 1
            if local_tag(child) in SHAPES:
                yield child, place
            elif local_tag(child) == "use" and (target := self.drawing.target(child)) is not None and depth < 3:
                place = multiply(place, (1, 0, 0, 1, self.drawing.number(child, "x"), self.drawing.number(child, "y")))
                if local_tag(target) in SHAPES:
                    yield target, multiply(place, own_matrix(target))
            elif local_tag(child) == "g" and depth < 3:
                yield from self._clip_shapes(child, place, depth + 1)
            elif local_tag(child) in TEXTS:
                self.findings.note(child, "a clip with letters", "turn them into paths")

    def _mask(self, element: etree._Element, words: str, inner: _Around) -> str:
        target = self.drawing.target(element, words)
        if target is None or local_tag(target) != "mask" or inner.clones >= MAX_CLONES:
            return ""
        key = target, inner.matrix
        if key not in self.shared.definitions:
            style = self.drawing.styles[target]
            with self.written_inside() as parts:
                self.draw_children(target, _Around(
                    matrix=inner.matrix, style=self.drawing.style(target, {}), is_plain=True,
                    is_white=style.get("mask-type") == "alpha", clones=inner.clones + 1))
            self.shared.define(key, "mask", "".join(parts), (
                f' maskUnits="userSpaceOnUse" x="{-GROUND_GROWTH_MM:g}" y="{-GROUND_GROWTH_MM:g}" '
                f'width="{self.size.width + 24:g}" height="{self.size.height + 24:g}"'))
        return f'<g mask="{self.shared.definitions[key][0]}">'

    # Pictures and texts

    def _filling_picture(self, fill: str) -> str:
        """The picture that fills a shape by a pattern, as Figma writes it; empty if none does."""
        target = self.drawing.target(self.drawing.root, fill) if fill.startswith("url(") else None
        if target is None or local_tag(target) != "pattern":
            return ""
        for each in target.iter(f"{{{SVG}}}image", f"{{{SVG}}}use"):
            image = each if local_tag(each) == "image" else self.drawing.target(each)
            if image is not None and local_tag(image) == "image":
                return self._picture_name(image)
        return ""

    def _picture_name(self, element: etree._Element) -> str:
        """The name of the picture that an image shows, inside the deck's folder; empty if it has none."""
        href = reference(element)
        if match := re.fullmatch(rf"data:{EMBEDDED}(\d+)", href):
            return f"{self.findings.name}{EMBEDDED}{match[1]}"
        if not href or href.startswith("data:") or re.match(r"(?i)(?:https?|ftp):", href):
            self.findings.note(element, "a picture that is not in a file or in the drawing",
                               "link a file of the deck, or embed it", "" if href else "an image without a picture")
            return ""
        name = unquote(re.sub(r"^file:/*", "/", href)).replace("\\", "/")
        if not is_file_name(name):
            self.findings.warn(element, f"outside {name}", f"is linked to '{name[:80]}', outside the deck's folder",
                               "put that file into art/")
            name = name.rpartition("/")[2]
        name = name.removeprefix("./")[:200]
        self.linked.setdefault(name, self.drawing.lines[element])
        return name

    def _draw_image(self, element: etree._Element, inner: _Around, column: str) -> None:
        name = "" if column or inner.is_plain else self._picture_name(element)
        if inner.is_plain and not column:
            self.findings.note(element, "a picture in a mask or pattern", "use shapes there")
        elif column or name:
            aspect = str(element.get("preserveAspectRatio", ""))
            fit = "cover" if column or "slice" in aspect else "stretch" if aspect.startswith("none") else "contain"
            self._draw_picture(element, inner, self.columns.cell(column) if column else quote(name), fit)

    def _draw_picture(self, element: etree._Element, inner: _Around, code: str, fit: str) -> None:
        """Draw a picture over the box of a shape or image, clipped to its outline."""
        own = shape_box(self.drawing, element)
        a, b, c, d, e, f = inner.matrix
        across, down = hypot(a, b), hypot(c, d)
        if own is None or not (own.width * across > 0.01 and own.height * down > 0.01):
            return
        box = Rect(own.x * across, own.y * down, own.width * across, own.height * down)
        tag, clip, radius, place = local_tag(element), "", "", ""
        if max(abs(b), abs(c)) < 1e-6 * across and min(a, d) > 0:
            box = Rect(box.x + e, box.y + f, box.width, box.height)
        else:
            place = format_matrix((a / across, b / across, c / down, d / down, e, f))
        if tag == "rect":
            corner = (self.drawing.number(element, "rx") or self.drawing.number(element, "ry")) * across
            radius = f", radius={corner:.3f}" if corner > 0.01 else ""
        elif tag != "image":
            shape = self._shape(element, tag, _Around(matrix=inner.matrix, style={}, is_plain=True), box)
            clip = f'<g clip-path="{self.shared.define((element, inner.matrix), "clipPath", shape)}">'
        if not place and tag in ("rect", "image") and self.ground.ends_with(box):
            self.ground.ends_at_page = True
            box, radius = box.grown(_BLEED), ""
        self.ground.touch(box)
        if fit == "contain" and abs(across - down) > 0.001 * across:  # it keeps its shape within its own box
            box, place = own, format_matrix(inner.matrix)
        opacity = clean_value("opacity", inner.style.get("opacity", "1")) if tag != "image" else "1"
        faint = f", opacity={opacity}" if opacity not in ("", "1") else ""
        call = (f'{{{{ image({code}, x={box.x:.3f}, y={box.y:.3f}, width={box.width:.3f}, height={box.height:.3f}, '
                f'fit="{fit}"{radius}{faint}) }}}}')
        if code in map(quote, self.linked):
            call = f"{{% if has_picture({code}) %}}{call}{{% endif %}}"
        turned = f'<g transform="{place}">{call}</g>' if place else call
        self.put(f"{clip}{turned}</g>" if clip else turned)

    def _draw_text(self, element: etree._Element, inner: _Around, column: str) -> None:
        words = "".join(map(str, element.itertext()))
        self.braces += words.count("{")
        for wrong, near in near_columns(words, self.columns) if not column and self.braces < MAX_BRACES else ():
            self.findings.problems.append(Problem(self.findings.name, f"there is no column {wrong}",
                                                  f"did you mean {{{near}}}?", line=self.drawing.lines[element]))
        for inside in element.iter(f"{{{SVG}}}textPath"):
            self.findings.note(inside, *_UNDRAWN["textPath"])
            return
        if inner.is_plain:
            self.findings.note(element, "a text in a mask or pattern", "turn it into paths")
            return
        written = write_text(self.texts, element, inner.style, inner.matrix, column)
        for name in dict.fromkeys(written.columns):
            self.findings.bind(element, name, "in its words")
        for kind, (where, what, remedy) in written.notes.items():
            self.findings.warn(where, kind, what, remedy)
        self.put(written.markup)
