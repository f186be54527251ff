"""Turns a finished PDF and the forms of its faces into one that can be filled in, and fills it in.

With ``assembly`` the home of pikepdf. Interactive forms are ISO 32000-1, 12.7; nothing here is drawn
on the page: an empty form prints as if it were not there.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.forms.fields import Form, FormField
from ppgen.engine.forms.font_cuts import FontCut, cut
from ppgen.engine.forms.text import FONT, INK, TYPEABLE, Line, appearance, lines_of, simple_font
from ppgen.engine.geometry import Point, Size
from ppgen.engine.imposition.values import Placement, Sheet
from ppgen.engine.pdf_file import box_of, saved
from ppgen.engine.units import points

PRINT = 1 << 2
"""Annotation flag: shown on paper (ISO 32000-1, 12.5.3)."""
DO_NOT_SPELL_CHECK = 1 << 22
"""Field flag (12.7.4.3)."""
_ALIGNMENT = {"left": 0, "center": 1, "right": 2}
"""The Q of a field (12.7.3.3)."""


def add_forms(document: bytes, sheets: Sequence[Sheet], forms: Mapping[str, Form], fonts: FontBook) -> bytes:
    """Put the form of each placed item on the pages; ``forms`` is by item. The same input gives the same bytes.

    Raises ValueError if two fields have one name: an item with a form is placed once.
    """
    with Pdf.open(io.BytesIO(document)) as pdf:
        writer = _Writer(pdf, simple_font(pdf, _typing_font(fonts)))
        sides = [(sheet.size, side) for sheet in sheets for side in sheet.sides]
        for page, (size, side) in zip(pdf.pages, sides, strict=True):
            for placement in side.placements:
                if placement.face == "front" and (form := forms.get(placement.item)):
                    writer.add(form, page, placement, size)
        writer.finish()
        return saved(pdf)


def fill_form(document: bytes, values: Mapping[str, str], fonts: FontBook) -> bytes:
    """Write values (by full name) into a form, each with the appearance that viewers show and print.

    Raises ValueError for a name that the form has not.
    """
    with Pdf.open(io.BytesIO(document)) as pdf:
        form = pdf.Root.AcroForm
        fields = dict(_terminal(form.Fields, ""))
        if unknown := sorted(values.keys() - fields.keys()):
            raise ValueError(f"the form has no field {', '.join(unknown)}")
        written = {name: value for name, value in values.items() if value}
        lines = lines_of(pdf, form.DR.Font[FONT], _typing_font(fonts), written, fonts)
        for name, value in written.items():
            field = fields[name]
            field.V = String(value)
            if lines[name].complete:
                field.AP = Dictionary(N=_appearance(pdf, field, lines[name]))
            else:  # a script that no shipped font has: the viewer, which may have a font for it, makes its own
                del field["/AP"]
        return saved(pdf)


class _Writer:
    """Gathers fields into the hierarchy of their names (ISO 32000-1, 12.7.3.1)."""

    def __init__(self, pdf: Pdf, font: pikepdf.Object) -> None:
        self.pdf, self.font = pdf, font
        self.fields = Array()
        self.order = Array()
        self.nodes: dict[str, pikepdf.Object] = {}
        self.blanks: dict[tuple[float, float], pikepdf.Object] = {}
        self.scripts: dict[str, pikepdf.Object] = {}
        self.document_scripts: dict[str, pikepdf.Object] = {}

    def add(self, form: Form, page: pikepdf.Page, placement: Placement, size: Size) -> None:
        widgets = page.obj.get("/Annots", Array())
        for field in form.fields:
            widget = self._widget(field, page, placement, size)
            widgets.append(widget)
            self._hang(field.name, widget)
        # Table 30: structure order. Pages without structure are walked through in the order of Annots.
        page.obj.Annots = widgets
        page.obj.Tabs = Name.S
        self.order.extend(self.nodes[name] for name in form.calculated)
        if form.script:
            self.document_scripts[placement.item] = self._action(form.script)

    def finish(self) -> None:
        root = self.pdf.Root
        root.AcroForm = Dictionary(
            Fields=self.fields, DR=Dictionary(Font=Dictionary({FONT: self.font})),
            DA=String(_default_appearance(0)))
        if len(self.order):
            root.AcroForm.CO = self.order
        if self.document_scripts:  # run when the document is opened (12.6.4.16)
            names = Array([entry for name in sorted(self.document_scripts)
                           for entry in (String(name), self.document_scripts[name])])
            root.Names = Dictionary(JavaScript=Dictionary(Names=names))

    def _widget(self, field: FormField, page: pikepdf.Page, placement: Placement, size: Size) -> pikepdf.Object:
        box = field.rect.shifted(Point(placement.trim.x, placement.trim.y))
        entries = {
            "/Type": Name.Annot, "/Subtype": Name.Widget, "/FT": Name.Tx, "/P": page.obj,
            "/Rect": box_of(box, size),
            "/TU": String(field.tooltip), "/F": PRINT, "/Ff": DO_NOT_SPELL_CHECK,
            "/Q": _ALIGNMENT[field.align], "/DA": String(_default_appearance(points(field.font_size))),
            "/BS": Dictionary(W=0), "/MK": Dictionary()}
        if field.max_length:
            entries["/MaxLen"] = field.max_length
        actions = {key: self._action(script)
                   for key, script in (("/K", field.keystroke), ("/C", field.calculate)) if script}
        if actions:
            entries["/AA"] = Dictionary(actions)
        widget = self.pdf.make_indirect(Dictionary(entries))
        widget.AP = Dictionary(N=self._blank(widget))
        return widget

    def _blank(self, widget: pikepdf.Object) -> pikepdf.Object:
        """The appearance of an empty field, written once for all fields of a size."""
        size = _size_of(widget)
        if size not in self.blanks:
            self.blanks[size] = _appearance(self.pdf, widget, None)
        return self.blanks[size]

    def _hang(self, name: str, field: pikepdf.Object) -> None:
        if name in self.nodes:
            raise ValueError(f"two fields are called {name}")
        above, _, last = name.rpartition(".")
        field.T = String(last)
        self.nodes[name] = field
        if not above:
            self.fields.append(field)
            return
        if above not in self.nodes:
            self._hang(above, self.pdf.make_indirect(Dictionary(Kids=Array())))
        field.Parent = self.nodes[above]
        self.nodes[above].Kids.append(field)

    def _action(self, script: str) -> pikepdf.Object:
        """A JavaScript action (12.6.4.16), written once however many fields share it."""
        if script not in self.scripts:
            self.scripts[script] = self.pdf.make_indirect(Dictionary(S=Name.JavaScript, JS=String(script)))
        return self.scripts[script]


def _terminal(fields: Iterable[pikepdf.Object], above: str) -> Iterator[tuple[str, pikepdf.Object]]:
    """The fields that hold values, with their full names (12.7.3.2)."""
    for field in fields:
        name = f"{above}.{field.T}" if above else str(field.T)
        if Name.Kids in field:
            yield from _terminal(field.Kids, name)
        else:
            yield name, field


def _appearance(pdf: Pdf, field: pikepdf.Object, line: Line | None) -> pikepdf.Object:
    """The normal appearance of a field (12.7.3.3), of nothing if ``line`` is None."""
    width, height = _size_of(field)
    stream = pdf.make_stream(b"/Tx BMC\nEMC\n")
    resources = Dictionary()
    if line:
        size = float(str(field.DA).split()[1])
        stream.write(appearance(line, width, height, size, int(field.Q)))
        resources.Font = Dictionary(dict(line.fonts))
    for key, value in (("/Type", Name.XObject), ("/Subtype", Name.Form), ("/Resources", resources),
                       ("/BBox", Array([0, 0, width, height]))):
        stream[key] = value
    return stream


def _size_of(field: pikepdf.Object) -> tuple[float, float]:
    left, bottom, right, top = (float(edge) for edge in field.Rect)
    return round(right - left, 2), round(top - bottom, 2)


def _default_appearance(size: float) -> str:
    """Font, size in points (0: as large as fits) and colour of what is typed (12.7.3.3)."""
    return f"{FONT} {size:.4g} Tf {INK} rg"


def _typing_font(fonts: FontBook) -> FontCut:
    return cut(fonts.styles["text"][0], TYPEABLE)
