"""Form fields on finished PDF pages, added and filled in."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String

from ppgen.engine.component import FieldForm, FormField
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Point, Size, points
from ppgen.engine.imposition.sheets import Placement, Sheet
from ppgen.engine.pdf.form_structure import StructureWriter
from ppgen.engine.pdf.form_text import (FIELD_INK, FONT, TYPEABLE, FieldText, FontSubset, draw_field_text, embed_font,
                                        layout_fields, subset_font)
from ppgen.engine.pdf.pdf_objects import pdf_rectangle, save_pdf

PRINT = 1 << 2  # annotation flag: shown on paper (ISO 32000-1, 12.5.3)
DO_NOT_SPELL_CHECK = 1 << 22  # field flag (12.7.4.3)
_ALIGNMENT = {"left": 0, "center": 1, "right": 2}  # the Q of a field (12.7.3.3)


def add_forms(document: bytes, sheets: Sequence[Sheet], forms: Mapping[str, FieldForm], fonts: FontBook) -> bytes:
    """Add the form of each placed item, by item, to the pages. Raises ValueError for two fields of a name."""
    with Pdf.open(io.BytesIO(document)) as pdf:
        writer = _FieldWriter(pdf, embed_font(pdf, _typing_font(fonts)))
        sides = [(sheet.size, side) for sheet in sheets for side in sheet.sides]
        for page, (size, side) in zip(pdf.pages, sides, strict=True):
            for placement in side.placements:
                if placement.face == "front" and (form := forms.get(placement.item)):
                    writer.add(form, page, placement, size)
        writer.finish()
        return save_pdf(pdf)


def fill_form(document: bytes, values: Mapping[str, str], fonts: FontBook) -> bytes:
    """Write values by full field name into a form, with their appearance. Raises ValueError for others."""
    with Pdf.open(io.BytesIO(document)) as pdf:
        fields = dict(_terminal_fields(pdf.Root.AcroForm.Fields, ""))
        if unknown := sorted(values.keys() - fields.keys()):
            raise ValueError(f"the form has no field {', '.join(unknown)}")
        texts = {name: value for name, value in values.items() if value}
        lines = layout_fields(pdf, {name: re.sub(r"^-(?=\d+$)", "−", value) for name, value in texts.items()}, fonts)
        for name, value in texts.items():
            field = fields[name]
            field.V = String(value)
            if lines[name].complete:
                field.AP = Dictionary(N=_appearance(pdf, field, lines[name]))
            else:  # a script that no shipped font covers: the viewer makes the appearance, as it may have a font
                del field["/AP"]
        return save_pdf(pdf)


class _FieldWriter:
    """Adds fields in the hierarchy of their names (ISO 32000-1, 12.7.3.1)."""

    def __init__(self, pdf: Pdf, font: pikepdf.Object) -> None:
        self.pdf, self.font = pdf, font
        self.fields = Array()
        self.calculated: list[str] = []  # also of fields on later pages
        self.nodes: dict[str, pikepdf.Object] = {}
        self.blanks: dict[tuple[float, float], pikepdf.Object] = {}
        self.scripts: dict[str, pikepdf.Object] = {}
        self.document_scripts: dict[str, pikepdf.Object] = {}
        self.structure = StructureWriter(pdf)

    def add(self, form: FieldForm, page: pikepdf.Page, placement: Placement, size: Size) -> None:
        widgets = Array()
        for field in form.fields:
            widget = self._widget(field, page, placement, size)
            widgets.append(widget)
            self._insert(field.name, widget)
        page.obj.Annots = widgets
        page.obj.Tabs = Name.S
        self.structure.tag(page, placement.trim.height,
                           [(field.rect, widget) for field, widget in zip(form.fields, widgets, strict=True)])
        self.calculated.extend(form.calculated)
        if form.script:
            self.document_scripts[placement.item] = self._action(form.script)

    def finish(self) -> None:
        with self.pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as meta:
            for key in ("pdfaid:part", "pdfaid:conformance"):  # does not allow scripts
                if key in meta:
                    del meta[key]
            meta["pdfuaid:part"] = "1"
        root = self.pdf.Root
        root.AcroForm = Dictionary(
            Fields=self.fields, DR=Dictionary(Font=Dictionary({FONT: self.font})),
            DA=String(_default_appearance(0)))
        if self.calculated:
            root.AcroForm.CO = Array([self.nodes[name] for name in self.calculated])
        if self.document_scripts:  # viewers run them when the document is opened (12.6.4.16)
            names = Array([entry for name in sorted(self.document_scripts)
                           for entry in (String(name), self.document_scripts[name])])
            root.Names = Dictionary(JavaScript=Dictionary(Names=names))

    def _widget(self, field: FormField, page: pikepdf.Page, placement: Placement, size: Size) -> pikepdf.Object:
        box = field.rect.shifted(Point(placement.trim.x, placement.trim.y))
        entries = {
            "/Type": Name.Annot, "/Subtype": Name.Widget, "/FT": Name.Tx, "/P": page.obj,
            "/Rect": pdf_rectangle(box, size),
            "/TU": String(field.tooltip), "/F": PRINT, "/Ff": DO_NOT_SPELL_CHECK,
            "/Q": _ALIGNMENT[field.align], "/DA": String(_default_appearance(points(field.font_size))),
            "/BS": Dictionary(W=0), "/MK": Dictionary()}
        if field.max_length:
            entries["/MaxLen"] = field.max_length
        scripts = {"/K": field.keystroke, "/F": field.format, "/C": field.calculate}
        actions = {key: self._action(script) for key, script in scripts.items() if script}
        if actions:
            entries["/AA"] = Dictionary(actions)
        widget = self.pdf.make_indirect(Dictionary(entries))
        widget.AP = Dictionary(N=self._blank(widget))
        return widget

    def _blank(self, widget: pikepdf.Object) -> pikepdf.Object:
        """The appearance of an empty field, one for all fields of a size."""
        size = _field_size(widget)
        if size not in self.blanks:
            self.blanks[size] = _appearance(self.pdf, widget, None)
        return self.blanks[size]

    def _insert(self, name: str, field: pikepdf.Object) -> None:
        if name in self.nodes:
            raise ValueError(f"two fields are called {name}")
        above, _, last = name.rpartition(".")
        field.T = String(last)
        self.nodes[name] = field
        if not above:
            self.fields.append(field)
            return
        if above not in self.nodes:
            self._insert(above, self.pdf.make_indirect(Dictionary(Kids=Array())))
        field.Parent = self.nodes[above]
        self.nodes[above].Kids.append(field)

    def _action(self, script: str) -> pikepdf.Object:
        """A JavaScript action (12.6.4.16), one for all fields with the same script."""
        if script not in self.scripts:
            self.scripts[script] = self.pdf.make_indirect(Dictionary(S=Name.JavaScript, JS=String(script)))
        return self.scripts[script]


def _terminal_fields(fields: Iterable[pikepdf.Object], above: str) -> Iterator[tuple[str, pikepdf.Object]]:
    """The fields that hold values, each after its full name (12.7.3.2)."""
    for field in fields:
        name = f"{above}.{field.T}" if above else str(field.T)
        if Name.Kids in field:
            yield from _terminal_fields(field.Kids, name)
        else:
            yield name, field


def _appearance(pdf: Pdf, field: pikepdf.Object, line: FieldText | None) -> pikepdf.Object:
    """The normal appearance of a field (12.7.3.3), empty if ``line`` is None."""
    width, height = _field_size(field)
    stream = pdf.make_stream(b"/Tx BMC\nEMC\n")
    resources = Dictionary()
    if line:
        size = float(str(field.DA).split()[1])
        stream.write(draw_field_text(line, width, height, size, int(field.Q)))
        resources.Font = Dictionary(dict(line.fonts))
    for key, value in (("/Type", Name.XObject), ("/Subtype", Name.Form), ("/Resources", resources),
                       ("/BBox", Array([0, 0, width, height]))):
        stream[key] = value
    return stream


def _field_size(field: pikepdf.Object) -> tuple[float, float]:
    left, bottom, right, top = (float(edge) for edge in field.Rect)
    return round(right - left, 2), round(top - bottom, 2)


def _default_appearance(size: float) -> str:
    """Font, size in points (0: as large as fits) and colour of typed text (12.7.3.3)."""
    return f"{FONT} {size:.4g} Tf {FIELD_INK} rg"


def _typing_font(fonts: FontBook) -> FontSubset:
    return subset_font(fonts.styles["text"][0], TYPEABLE)
