"""Form fields: their text and fonts, the structure of a page, and the fields on it."""

from __future__ import annotations

import io
import re
import struct
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String

from ppgen.engine.component import FieldForm, FormField
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import BOX_SIGN, Font, FontBook, report_damaged_font
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.geometry import MM, Point, Rect, Size, points
from ppgen.engine.imposition.sheets import Placement, Sheet
from ppgen.engine.pdf.typesetting import faces_pdf, page_to_form, pdf_rectangle, save_pdf
from ppgen.records import dataclass, field

# --- Text ---

_LAYOUT = ("GSUB", "GPOS", "GDEF", "kern", "DSIG", "meta")  # that only a text shaper reads


@dataclass(frozen=True, slots=True, kw_only=True)
class FontSubset:
    """A TrueType program with only some characters, and its measures in thousandths of the font size."""

    name: str
    program: bytes
    widths: Mapping[str, int] = field(hash=False)  # advances by character
    ascent: int
    descent: int  # negative
    cap_height: int
    italic_angle: float
    bbox: tuple[int, int, int, int]

    def width(self, text: str) -> int:
        """The width of a text; characters that are not in the subset count nothing."""
        return sum(self.widths.get(character, 0) for character in text)


def subset_font(font: Font, characters: Iterable[str]) -> FontSubset:
    """Reduce a font to these characters. The same input gives the same bytes."""
    return _cached_subset(font, "".join(sorted(set(characters))))


@lru_cache(maxsize=16)
def _cached_subset(font: Font, characters: str) -> FontSubset:
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.sets(uharfbuzz.SubsetInputSets.UNICODE).update(map(ord, characters))
    wanted.sets(uharfbuzz.SubsetInputSets.DROP_TABLE_TAG).update(
        int.from_bytes(tag.encode("ascii"), "big") for tag in _LAYOUT)
    wanted.flags = uharfbuzz.SubsetFlags.NO_HINTING
    with report_damaged_font(font.path):
        face = uharfbuzz.subset(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(font.path))), wanted)
        shaper, scale = uharfbuzz.Font(face), 1000 / face.upem
        glyphs = {character: shaper.get_nominal_glyph(ord(character)) for character in characters}
        return FontSubset(name=font.path.stem, program=bytes(face.blob.data),
                          widths={character: round(shaper.get_glyph_h_advance(glyph) * scale)
                                  for character, glyph in glyphs.items() if glyph is not None},
                          **_measures(face, shaper, scale))


def _measures(face: Any, shaper: Any, scale: float) -> dict[str, Any]:
    """The entries of a font descriptor (ISO 32000-1, 9.8.1) from the tables hhea, head and post and from the H."""
    ascent, descent = struct.unpack(">hh", face.reference_table("hhea").data[4:8])
    box = struct.unpack(">hhhh", face.reference_table("head").data[36:44])
    (angle,) = struct.unpack(">i", face.reference_table("post").data[4:8])
    letter = shaper.get_nominal_glyph(ord("H"))
    capital = shaper.get_glyph_extents(letter).y_bearing if letter is not None else 0.7 / scale * 1000
    return {"ascent": round(ascent * scale), "descent": round(descent * scale),
            "cap_height": round(capital * scale), "italic_angle": angle / 65536,
            "bbox": tuple(round(edge * scale) for edge in box)}


# Text in form fields: fonts after ISO 32000-1, 9.6 and 9.7, field text after 12.7.3.3

FONT = "/Wingdings"
"""The resource name of the font to type in, which has nothing to do with the font of that name.

PDFium uses a form's own font for letters beyond Latin-1 only if it takes that for a symbol font, which it decides by
this name. Elsewhere the name has no meaning (12.7.3.3).
"""
FIELD_INK, FIELD_COLOUR = "0.1 0.16 0.42", "#1a296b"
"""The colour of typed text: the dark blue of a pen, unlike anything printed."""
FIELD_MARGIN = 2.0  # distance of text from the ends of its field, in points, as in viewers
MAX_FONT_SIZE_PT = 14.0  # maximum of an automatic font size
_FIRST = 32
_REPLACED = "¢£¤¥¦§¨©ª¬\u00ad®¯°±²³´µ¶¸¹º¼½¾×÷‡ˆ‰‹˜›™ƒ†•€…„¿¡«»‚“”—"
"""Characters of WinAnsiEncoding that are not needed in names or numbers …"""
_LETTERS = {
    letter: name for letters, names in (
        ("ČčĆćĎďĐđĚě", "Ccaron ccaron Cacute cacute Dcaron dcaron Dcroat dcroat Ecaron ecaron"),
        ("ĘęĄąĞğİıŁł", "Eogonek eogonek Aogonek aogonek Gbreve gbreve Idotaccent dotlessi Lslash lslash"),
        ("ŃńŇňŐőŘř", "Nacute nacute Ncaron ncaron Ohungarumlaut ohungarumlaut Rcaron rcaron"),
        ("ŚśŞşŤťŮů", "Sacute sacute Scedilla scedilla Tcaron tcaron Uring uring"),
        ("ŰűŹźŻż", "Uhungarumlaut uhungarumlaut Zacute zacute Zdotaccent zdotaccent"),
        ("ŌōŪūȘș−", "Omacron omacron Umacron umacron Scommaaccent scommaaccent minus"))
    for letter, name in zip(letters, names.split(), strict=True)}
"""… and the letters of European names (and romanized Japanese ones) and the minus sign that take over their codes, with
their names in the Adobe Glyph List."""
_DIFFERENCES = {character.encode("cp1252")[0]: letter for character, letter in zip(_REPLACED, _LETTERS, strict=True)}
_CODES = {code: bytes([code]).decode("cp1252") for code in range(_FIRST, 256)
          if code not in (0x7F, 0x81, 0x8D, 0x8F, 0x90, 0x9D)} | _DIFFERENCES
TYPEABLE = "".join(_CODES.values())  # of the font to type in: one byte each, mostly as in WinAnsiEncoding


def embed_font(pdf: Pdf, font: FontSubset) -> pikepdf.Object:
    """Embed the font to type in, a simple one (9.6.6), without a subset tag: viewers would refuse to type."""
    widths = [font.widths.get(_CODES.get(code, ""), 0) for code in range(_FIRST, 256)]
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name(f"/{font.name}"), Flags=32, FontBBox=Array(font.bbox),
        ItalicAngle=round(font.italic_angle, 2), Ascent=font.ascent, Descent=font.descent, CapHeight=font.cap_height,
        StemV=80, FontFile2=pdf.make_stream(font.program, Length1=len(font.program)))
    return pdf.make_indirect(Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name(f"/{font.name}"), FirstChar=_FIRST, LastChar=255,
        Widths=Array(widths), FontDescriptor=pdf.make_indirect(descriptor), Encoding=Dictionary(
            Type=Name.Encoding, BaseEncoding=Name.WinAnsiEncoding, Differences=Array([
                entry for code, letter in sorted(_DIFFERENCES.items())
                for entry in (code, Name(f"/{_LETTERS[letter]}"))]))))


# --- Structure ---
# Structure of a page with a form (ISO 32000-1, 14.7 and 14.8), as PDF/UA-1 asks for: headings, tables, paragraphs. It
# is read off the page: fields beside each other are a row, which the words before them head; the first line of words is
# the title. Drawings, marks and labels of the sheet are artifacts.

_NUMBER = rb"(-?[\d.]+) "
_TEXT_BEGINS = re.compile(rb"(?<!\S)BT(?!\S)")  # the operator (ISO 32000-1, 9.4.1)
_WORDS = re.compile(rb"q\n" + 6 * _NUMBER + rb"cm(?:(?!\nQ\b).)*?\bBT\b.*?/f\d+ ([\d.]+) Tf(.*?)\nET\nQ\n?", re.DOTALL)
"""Words as typst writes them: a transformation, colours, and a text object."""
SAME_LINE_MM, SAME_EDGE_MM = 0.6, 1.0
"""Maximum distance of words on a line, and of the first words of paragraphs from the margin."""
SPACED_EM = 0.53
"""Maximum distance of letters that are set apart, as a share of the type size (in mm for one in points): 1.5 em."""


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of a page by the number of their marked content; in millimetres from the top left corner of the face."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of a row: words that head it, or a field's widget with the words over it."""

    x: float
    words: Sequence[_Words]
    widget: pikepdf.Object | None = None


@dataclass(slots=True)
class _Row:
    """Fields beside each other, each with its widget, and the words among them."""

    fields: list[tuple[Rect, pikepdf.Object]] = field(default_factory=list)
    words: list[_Words] = field(default_factory=list)
    top: float = float("inf")
    bottom: float = 0.0

    def add(self, rect: Rect, widget: pikepdf.Object) -> None:
        self.fields.append((rect, widget))
        self.top, self.bottom = min(self.top, rect.y), max(self.bottom, rect.bottom)

    def cells(self) -> list[_Cell]:
        """The cells from left to right."""
        cells, left = [], self.words
        for rect, widget in self.fields:
            cells.append(_Cell(rect.x, [each for each in left if rect.x <= each.x < rect.right], widget))
            left = [each for each in left if not rect.x <= each.x < rect.right]
        edges = [cell.x for cell in cells]
        for _, group in groupby(sorted(left, key=lambda each: each.x), key=lambda each: bisect(edges, each.x)):
            words = [*group]
            cells.append(_Cell(words[0].x, words))
        return sorted(cells, key=lambda cell: cell.x)


class StructureWriter:
    """Tags the pages of a document one after the other."""

    def __init__(self, pdf: Pdf) -> None:
        self._pdf = pdf
        self._parents = pdf.make_indirect(Array())  # the number tree from content to elements (14.7.4.4)
        root = pdf.Root.StructTreeRoot = pdf.make_indirect(Dictionary(
            Type=Name.StructTreeRoot, ParentTree=Dictionary(Nums=self._parents)))
        self._document = root.K = self._element("Document", root)
        pdf.Root.MarkInfo = Dictionary(Marked=True)

    def tag(self, page: pikepdf.Page, height: float, fields: Sequence[tuple[Rect, pikepdf.Object]]) -> None:
        """Tag a page that shows one face of this ``height``, and its fields, each with its widget."""
        (face,) = page.resources.XObject.values()
        words = _mark_words(face, height)
        elements = self._lay_out(page, face, _rows(fields), words)
        face.StructParents = self._add_parent(Array([elements[each.number] for each in words]))
        streams = [*page.obj.Contents]
        shown = next(n for n, stream in enumerate(streams, 1) if b" Do " in stream.read_bytes())
        begin, end = (self._pdf.make_stream(mark) for mark in (b"/Artifact BMC\n", b"\nEMC"))
        page.obj.Contents = Array([*streams[:shown], begin, *streams[shown:], end])

    def _lay_out(self, page: pikepdf.Page, face: pikepdf.Object, rows: Sequence[_Row],
                 words: Sequence[_Words]) -> dict[int, pikepdf.Object]:
        """Make the elements from the top, and return that of each number; words between rows begin a new table."""
        elements: dict[int, pikepdf.Object] = {}

        def make(kind: str, parent: pikepdf.Object, words: Iterable[_Words] = ()) -> pikepdf.Object:
            element = self._element(kind, parent)
            for each in words:
                element.K.append(Dictionary(Type=Name.MCR, Pg=page.obj, Stm=face, MCID=each.number))
                elements[each.number] = element
            return element

        apart: dict[int, list[_Words]] = {}  # words outside of rows by the number of rows above them
        for each in words:
            above = sum(row.top <= each.y for row in rows)
            if above and each.y <= rows[above - 1].bottom:
                rows[above - 1].words.append(each)
            else:
                apart.setdefault(above, []).append(each)
        for above, row in enumerate((*rows, None)):
            lines = _lines(apart.get(above, ()))
            for n, line in enumerate(lines if row else _paragraphs(lines)):
                make("P" if above or n else "H1", self._document, line)
            if row and (above == 0 or lines):
                later = next((n for n in sorted(apart) if n > above), len(rows))
                self._add_table(page, [each.cells() for each in rows[above:later]], make)
        return elements

    def _add_table(self, page: pikepdf.Page, rows: Sequence[Sequence[_Cell]],
                   make: Callable[..., pikepdf.Object]) -> None:
        """Add a table whose columns are those of its longest row; other cells span columns up to their neighbour's."""
        table = make("Table", self._document)
        edges = [cell.x - SAME_EDGE_MM for cell in max(rows, key=len)]
        for cells in rows:
            row, columns = make("TR", table), [0]
            for n, cell in enumerate(cells[1:], 1):
                column = max(bisect(edges, cell.x) - 1, columns[-1] + 1)
                columns.append(min(column, len(edges) - len(cells) + n))
            for cell, column, following in zip(cells, columns, (*columns[1:], len(edges)), strict=True):
                element = make("TH" if cell.widget is None else "TD", row, cell.words)
                element.A = Dictionary(O=Name.Table, ColSpan=following - column)
                if cell.widget is None:
                    element.A.Scope = Name.Row
                else:
                    form = make("Form", element)
                    form.K = Dictionary(Type=Name.OBJR, Obj=cell.widget, Pg=page.obj)
                    cell.widget.StructParent = self._add_parent(form)

    def _add_parent(self, parent: pikepdf.Object) -> int:
        number = len(self._parents) // 2
        self._parents.append(number)
        self._parents.append(parent)
        return number

    def _element(self, kind: str, parent: pikepdf.Object) -> pikepdf.Object:
        element = self._pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name(f"/{kind}"), P=parent, K=Array()))
        if Name.S in parent:
            parent.K.append(element)
        return element


def _mark_words(face: pikepdf.Object, height: float) -> list[_Words]:
    """Number the words of an artifact of this height without bleed; letters set apart become one word."""
    bleed = (float(face.BBox[3]) * MM["pt"] - height) / 2
    content = face.read_bytes().removeprefix(b"/Artifact BMC\n").removesuffix(b"EMC")
    parts, words, end, reach = list[bytes](), list[_Words](), 0, 0.0
    texts = [*_WORDS.finditer(content)]
    assert len(texts) == len(_TEXT_BEGINS.findall(content)), "typst writes words in another way: some would have no tag"
    for match in texts:
        scale, x, y, size = (float(match[n]) for n in (1, 5, 6, 7))
        at = _Words(len(words), x * MM["pt"] - bleed, height + bleed - y * MM["pt"])
        between = content[end:match.start()]
        is_same = words and not between.strip() and at.y == words[-1].y and 0 < at.x - reach < SPACED_EM * scale * size
        if not is_same:
            parts += [b"EMC\n" * bool(words), b"/Artifact BMC\n", between,
                      b"\nEMC\n/Span <</MCID %d>> BDC\n" % at.number]
            words.append(at)
        parts.append(match[0])
        end, reach = match.end(), at.x
    face.write(b"".join((*parts, b"EMC\n" * bool(words), b"/Artifact BMC\n", content[end:], b"\nEMC")))
    return words


def _rows(fields: Sequence[tuple[Rect, pikepdf.Object]]) -> list[_Row]:
    """The fields in rows from the top: one whose middle lies beside others belongs to their row."""
    rows: list[_Row] = []
    for rect, widget in sorted(fields, key=lambda each: each[0].y + each[0].height / 2):
        if not rows or rect.y + rect.height / 2 > rows[-1].bottom:
            rows.append(_Row())
        rows[-1].add(rect, widget)
    for row in rows:
        row.fields.sort(key=lambda each: each[0].x)
    return rows


def _lines(words: Iterable[_Words]) -> list[list[_Words]]:
    """The lines from the top, each from left to right."""
    lines: list[list[_Words]] = []
    for each in sorted(words, key=lambda each: each.y):
        if not lines or each.y - lines[-1][0].y > SAME_LINE_MM:
            lines.append([])
        lines[-1].append(each)
    return [sorted(line, key=lambda each: each.x) for line in lines]


def _paragraphs(lines: Sequence[list[_Words]]) -> list[list[_Words]]:
    """Lines joined to paragraphs: the first line of each begins at the margin."""
    paragraphs: list[list[_Words]] = []
    margin = min((line[0].x for line in lines), default=0.0) + SAME_EDGE_MM
    for line in lines:
        if line[0].x < margin or not paragraphs:
            paragraphs.append([])
        paragraphs[-1] += line
    return paragraphs


# --- Fields ---

PRINT = 1 << 2  # annotation flag: shown on paper (ISO 32000-1, 12.5.3)
DO_NOT_SPELL_CHECK = 1 << 22  # field flag (12.7.4.3)
_ALIGNMENT = {"left": 0, "center": 1, "right": 2}  # the Q of a field (12.7.3.3)


def add_forms(pdf: Pdf, sheets: Sequence[Sheet], forms: Mapping[str, FieldForm], fonts: FontBook) -> None:
    """Add the form of each placed item, by item, to the pages. Raises ValueError for two fields of a name."""
    writer = _FieldWriter(pdf, embed_font(pdf, _typing_font(fonts)))
    sides = [(sheet.size, side) for sheet in sheets for side in sheet.sides]
    for page, (size, side) in zip(pdf.pages, sides, strict=True):
        for placement in side.placements:
            if placement.face == "front" and (form := forms.get(placement.item)):
                writer.add(form, page, placement, size)
    writer.finish()


def fill_form(document: bytes, values: Mapping[str, str], fonts: FontBook) -> bytes:
    """Write values by full field name into a form, with their appearance. Raises ValueError for others."""
    with Pdf.open(io.BytesIO(document)) as pdf:
        fields = dict(_terminal_fields(pdf.Root.AcroForm.Fields, ""))
        if unknown := sorted(values.keys() - fields.keys()):
            raise ValueError(f"the form has no field {', '.join(unknown)}")
        faces: dict[Face, list[pikepdf.Object]] = {}
        for name, value in values.items():
            if value:
                fields[name].V = String(value)
                if any(BOX_SIGN in run.text for run in fonts.runs(value, "text")):
                    del fields[name]["/AP"]  # a script that no shipped font covers: the viewer may have a font
                else:
                    faces.setdefault(_draw_typed(fields[name], value, fonts), []).append(fields[name])
        for batch, typed in faces_pdf([*faces], fonts):
            with Pdf.open(io.BytesIO(typed)) as pages:
                for face, page in zip(batch, pages.pages, strict=True):
                    appearance = page_to_form(pdf, page)
                    appearance.write(appearance.read_bytes().replace(b"/Artifact BMC", b"/Tx BMC", 1))
                    for field in faces[face]:
                        field.AP = Dictionary(N=appearance)
        return save_pdf(pdf)


def _draw_typed(field: pikepdf.Object, value: str, fonts: FontBook) -> Face:
    """Draw what is typed into a field, in the size of the field or as large as fits (0), and smaller if need be."""
    size = Size(*(side * MM["pt"] for side in _field_size(field)))
    aligned, margin, text = int(field.Q), FIELD_MARGIN * MM["pt"], re.sub(r"^-(?=\d+$)", "−", value)
    wanted = float(str(field.DA).split()[1]) * MM["pt"]
    room = size.width - (0 if wanted and aligned == _ALIGNMENT["center"] else 2 * margin)
    fitting = min(wanted or min(MAX_FONT_SIZE_PT * MM["pt"], size.height * 0.75),
                  room / max(fonts.width(text, "text", 1), 0.01))
    words = Lettering(fonts=fonts).text(
        text, x=margin + aligned * (size.width / 2 - margin), width=room, size=fitting, fill=FIELD_COLOUR,
        anchor=("start", "middle", "end")[aligned],
        y=(size.height + _typing_font(fonts).cap_height / 1000 * fitting) / 2)
    box = f'viewBox="0 0 {size.width:g} {size.height:g}"'
    return Face(svg=f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{words}</svg>', size=size, bleed=0)


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
        for each in form.fields:
            widget = self._widget(each, page, placement, size)
            widgets.append(widget)
            self._insert(each.name, widget)
        page.obj.Annots = widgets
        page.obj.Tabs = Name.S
        self.structure.tag(page, placement.trim.height,
                           [(each.rect, widget) for each, widget in zip(form.fields, widgets, strict=True)])
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
        """The normal appearance of an empty field (12.7.3.3), one for all fields of a size."""
        size = _field_size(widget)
        if size not in self.blanks:
            self.blanks[size] = self.pdf.make_stream(b"/Tx BMC\nEMC\n", Type=Name.XObject, Subtype=Name.Form,
                                                     Resources=Dictionary(), BBox=Array([0, 0, *size]))
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
    for each in fields:
        name = f"{above}.{each.T}" if above else str(each.T)
        if Name.Kids in each:
            yield from _terminal_fields(each.Kids, name)
        else:
            yield name, each


def _field_size(field: pikepdf.Object) -> tuple[float, float]:
    left, bottom, right, top = (float(edge) for edge in field.Rect)
    return round(right - left, 2), round(top - bottom, 2)


def _default_appearance(size: float) -> str:
    """Font, size in points (0: as large as fits) and colour of typed text (12.7.3.3)."""
    return f"{FONT} {size:.4g} Tf {FIELD_INK} rg"


def _typing_font(fonts: FontBook) -> FontSubset:
    return subset_font(fonts.styles["text"][0], TYPEABLE)
