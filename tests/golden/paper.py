"""What a PDF holds, as another program reads it, in lines that people can read: any other place, size, edge, colour,
order or word is another line.

Lengths are mm from the upper left corner of the page. What looks alike is one line: how many, the room around all of
it, the mean place of its points and the sum of the ways between them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from ctypes import byref, c_char, c_float, c_int, c_uint, c_ushort
from dataclasses import dataclass, field
from io import BytesIO
from itertools import groupby, pairwise
from math import atan2, degrees, hypot

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree
from PIL import Image

from tests.pdf_reading import MM, Matrix, multiply, tags

OFF_EDGES = 0.13
"""Lengths are round in the program; this part of a digit beside them nothing is rounded up here and down elsewhere."""


def shown(number: float, digits: int = 2) -> str:
    return f"{round(number + OFF_EDGES * 0.1 ** digits, digits):.{digits}f}".rstrip("0").rstrip(".")


def wrapped(head: str, parts: Iterable[str], between: str = " · ") -> list[str]:
    return textwrap.wrap(f"{head}{between.join(parts)}", 190, subsequent_indent="      ", break_long_words=False,
                         break_on_hyphens=False) or [head]


@dataclass
class Alike:
    """What looks alike on a page."""

    first: int
    number: int = 0
    ways: int = 0
    points: list[tuple[float, float]] = field(default_factory=list)
    length: float = 0.0
    words: dict[str, list[str]] = field(default_factory=dict)

    def add(self, points: list[tuple[float, float]]) -> None:
        self.number += 1
        self.points += points
        self.length += sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))

    def __str__(self) -> str:
        across, down = ([at[axis] for at in self.points] for axis in (0, 1))
        means = (sum(each) / len(each) for each in (across, down))
        return (f"{self.number} × {len(self.points)} points  in {' '.join(map(shown, (min(across), min(down))))} – "
                f"{' '.join(map(shown, (max(across), max(down))))}  mean {' '.join(map(shown, means))}  "
                f"way {shown(self.length, 1)}")


def _matrix(found: pypdfium2.PdfObject, to_page: Matrix, own: bool = True) -> Matrix:
    matrix = found.get_matrix().get() if own else (1, 0, 0, 1, 0, 0)
    while found.container is not None:
        found = found.container
        matrix = multiply(matrix, found.get_matrix().get())
    return multiply(matrix, to_page)


def _place(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _points(segments: Iterable[object], matrix: Matrix) -> list[tuple[float, float]]:
    x, y = c_float(), c_float()
    points = []
    for segment in segments:
        pdfium.FPDFPathSegment_GetPoint(segment, byref(x), byref(y))
        points.append(_place(matrix, x.value, y.value))
    return points


def _colour(found: pypdfium2.PdfObject, ask: Callable[..., int]) -> str:
    channels = [c_uint() for _ in range(4)]
    if not ask(found, *map(byref, channels)):
        return "pattern"
    red, green, blue, alpha = (each.value for each in channels)
    return f"#{red:02x}{green:02x}{blue:02x}" + (f"/{alpha}" if alpha < 255 else "")


def _corners(matrix: Matrix) -> list[tuple[float, float]]:
    return [_place(matrix, *at) for at in ((0, 0), (1, 0), (1, 1), (0, 1))]


def _path(found: pypdfium2.PdfObject, to_page: Matrix) -> tuple[str, list[tuple[float, float]]]:
    fill, stroke, width, dashes = c_int(), c_int(), c_float(), pdfium.FPDFPageObj_GetDashCount(found)
    pdfium.FPDFPath_GetDrawMode(found, byref(fill), byref(stroke))
    matrix, words = _matrix(found, to_page), []
    if fill.value:
        words.append(f"fill {_colour(found, pdfium.FPDFPageObj_GetFillColor)}" + " even-odd" * (fill.value == 1))
    if stroke.value:
        pdfium.FPDFPageObj_GetStrokeWidth(found, byref(width))
        scale = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
        lengths = (c_float * max(1, dashes))()
        pdfium.FPDFPageObj_GetDashArray(found, lengths, dashes)
        ends = pdfium.FPDFPageObj_GetLineCap(found), pdfium.FPDFPageObj_GetLineJoin(found)
        words.append(f"line {_colour(found, pdfium.FPDFPageObj_GetStrokeColor)} {shown(width.value * scale, 3)}"
                     + "".join(f" {shown(each * scale)}" for each in lengths[:dashes]) + f" ends {ends[0]}{ends[1]}")
    count = pdfium.FPDFPath_CountSegments(found)
    return ("path " + ", ".join(words),
            _points((pdfium.FPDFPath_GetPathSegment(found, n) for n in range(count)), matrix))


def _image(found: pypdfium2.PdfObject, to_page: Matrix) -> tuple[str, list[tuple[float, float]]]:
    matrix = _matrix(found, to_page)
    image = pypdfium2.PdfImage(found.raw, page=found.page, pdf=found.pdf)
    picture = image.get_bitmap().to_pil().convert("RGB")
    turn = degrees(atan2(matrix[1], matrix[0]))
    sides = [shown(hypot(*matrix[n:n + 2])) for n in (0, 2)]
    mirrored = matrix[0] * matrix[3] - matrix[1] * matrix[2] > 0
    return (f"picture {picture.width} × {picture.height} {sides[0]} × {sides[1]} mm" + f" turned {shown(turn, 1)}"
            * (abs(turn) > 0.01) + " mirrored" * mirrored + f" tones {tones(picture)}", _corners(matrix))


def tones(picture: Image.Image) -> str:
    """The colours of its ninths, a digit for red, green and blue each."""
    small = picture.convert("RGB").resize((3, 3), Image.Resampling.BOX).tobytes()
    return " ".join("".join(f"{(each + 5) // 17:x}"[:1] for each in small[n:n + 3]) for n in range(0, 27, 3))


def _clip(found: pypdfium2.PdfObject, to_page: Matrix) -> Iterator[tuple[float, float]]:
    clip = pdfium.FPDFPageObj_GetClipPath(found)
    for n in range(max(0, pdfium.FPDFClipPath_CountPaths(clip))):
        count = pdfium.FPDFClipPath_CountPathSegments(clip, n)
        yield from _points((pdfium.FPDFClipPath_GetPathSegment(clip, n, m) for m in range(max(0, count))),
                           _matrix(found, to_page, own=False))


def _text(found: pypdfium2.PdfObject, words: pypdfium2.PdfTextPage, to_page: Matrix
          ) -> tuple[str, str, tuple[str, str]]:
    matrix, size, name = _matrix(found, to_page), c_float(), (c_char * 80)()
    pdfium.FPDFTextObj_GetFontSize(found, byref(size))
    pdfium.FPDFFont_GetBaseFontName(pdfium.FPDFTextObj_GetFont(found), name, 80)
    letters = (c_ushort * 2000)()
    count = pdfium.FPDFTextObj_GetText(found, words, letters, 4000) // 2
    text = bytes(letters)[:max(0, count - 1) * 2].decode("utf-16-le", "replace").strip()
    turn, points = degrees(atan2(-matrix[1], matrix[0])), hypot(matrix[2], matrix[3]) * size.value / MM
    mode = pdfium.FPDFTextObj_GetTextRenderMode(found)
    colour = _colour(found, pdfium.FPDFPageObj_GetFillColor)
    wide = hypot(*matrix[:2]) / (hypot(*matrix[2:4]) or 1)
    look = (f"{name.value.decode().partition('+')[2] or name.value.decode()} {shown(points)} pt {colour}"
            + f" turned {shown(turn, 1)}" * (abs(turn) > 0.01) + f" mode {mode}" * (mode != 0)
            + f" wide {shown(wide)}" * (abs(wide - 1) > 0.004))
    return look, text, (shown(matrix[4]), shown(matrix[5]))


def page_lines(page: pypdfium2.PdfPage) -> Iterator[str]:
    width, height = page.get_size()
    boxes = {name: box for name, box in (("trim", page.get_trimbox()), ("bleed", page.get_bleedbox()),
                                         ("crop", page.get_cropbox())) if box != page.get_mediabox()}
    yield (f"{shown(width * MM)} × {shown(height * MM)}"
           + "".join(f", {name} {' '.join(shown(each * MM) for each in box)}" for name, box in boxes.items())
           + f", rotated {page.get_rotation()}" * bool(page.get_rotation()))
    left, _, _, top = page.get_mediabox()
    to_page, words = (MM, 0, 0, -MM, -left * MM, top * MM), page.get_textpage()
    looks, clips, line = dict[str, Alike](), Alike(0), ("", "", ("", ""), ("", ""))
    number = 0
    for number, found in enumerate(page.get_objects(max_depth=15)):
        if found.type == pdfium.FPDF_PAGEOBJ_FORM:
            continue
        if clip := [*_clip(found, to_page)]:
            clips.add(clip)
        if found.type == pdfium.FPDF_PAGEOBJ_TEXT:
            look, text, place = _text(found, words, to_page)
            if line[0] == look and line[2][1] == place[1]:  # letters of a line, each set by itself
                line = look, line[1] + text, line[2], place
            else:
                _keep_line(looks, number, *line)
                line = look, text, place, place
        else:
            if found.type == pdfium.FPDF_PAGEOBJ_PATH:
                look, points = _path(found, to_page)
            elif found.type == pdfium.FPDF_PAGEOBJ_IMAGE:
                look, points = _image(found, to_page)
            else:
                look, points = "shading", _corners(_matrix(found, to_page))
            looks.setdefault(look, Alike(number)).add(points)
            looks[look].ways += number
    _keep_line(looks, number, *line)
    for look, alike in looks.items():
        if alike.words:
            yield from wrapped(f"{look}, from {alike.first}: ", (
                f"{text} {', '.join(places[:6])}" + f" … {len(places)}, {_sum(places)}" * (len(places) > 6)
                for text, places in alike.words.items()))
        elif alike.points:
            yield f"{look}, from {alike.first}, order {alike.ways}: {alike}"
    if clips.points:
        yield f"clips: {clips}"
    yield from _runs(sorted(_links(page, to_page)))


def _keep_line(looks: dict[str, Alike], number: int, look: str, text: str, first: tuple[str, str],
               last: tuple[str, str]) -> None:
    if look:
        place = first[0] + f"–{last[0]}" * (last[0] != first[0]) + f" {first[1]}"
        looks.setdefault(look, Alike(number)).words.setdefault(text or "␣", []).append(place)


def _sum(places: list[str]) -> str:
    """The sum of all their numbers."""
    return shown(sum(float(each) for place in places for each in re.split("[ –]", place)), 1)


def _links(page: pypdfium2.PdfPage, to_page: Matrix) -> Iterator[str]:
    for n in range(pdfium.FPDFPage_GetAnnotCount(page)):
        note, box = pdfium.FPDFPage_GetAnnot(page, n), pdfium.FS_RECTF()
        pdfium.FPDFAnnot_GetRect(note, byref(box))
        if pdfium.FPDFAnnot_GetSubtype(note) == pdfium.FPDF_ANNOT_LINK:
            at = [shown(each) for corner in ((box.left, box.top), (box.right, box.bottom))
                  for each in _place(to_page, *corner)]
            yield f"link {' '.join(at)}"
        pdfium.FPDFPage_CloseAnnot(note)


# Drawings

_NUMBER = re.compile(r"(?<![#\w])-?\d*\.?\d+(?:e-?\d+)?")


def numbers_of(text: str) -> list[float]:
    return [*map(float, _NUMBER.findall(text))]


def svg_lines(svg: str | bytes) -> Iterator[str]:
    """The elements of a drawing in order; equal ones after each other, but for their numbers, in one line."""
    root = etree.fromstring(svg)
    parts = list[tuple[str, list[float]]]()
    for element in root.iter(etree.Element):
        depth, numbers = len([*element.iterancestors()]), list[float]()
        words = f"{' ' * depth}{etree.QName(element).localname}"
        for name, value in element.attrib.items():
            plain = _NUMBER.sub("", value)
            if len(plain) > 60 or (not re.search(r"[^\s,A-Za-z]", plain) and plain != value):
                numbers += numbers_of(value)
                words += f" {name}" + f"={plain}" * (name not in ("d", "points") and bool(plain.strip(" ,")))
                words += f" {''.join(sorted({*plain} - {' ', ','}))}" * (name == "d")
            else:
                words += f" {name}={value}"
        text = (element.text or "").strip()
        parts.append((words + f" “{text}”" * bool(text), numbers))
    for words, each in groupby(parts, key=lambda part: part[0]):
        rows = [numbers for _, numbers in each]
        flat = [number for row in rows for number in row]
        ways = sum(abs(b - a) for a, b in pairwise(flat))
        yield (words + f" × {len(rows)}" * (len(rows) > 1)
               + (f": {' '.join(map(shown, flat))}" if len(flat) < 9 else
                  f": {len(flat)} numbers, sum {shown(sum(flat))}, ways {shown(ways)}" if flat else ""))


# What stands in no page

def described(thing: object, depth: int = 0) -> str:
    """A resource in one line: its entries, and of a stream how many commands it has and the sum of their numbers."""
    if isinstance(thing, pikepdf.Stream):
        entries = {name: value for name, value in thing.items() if name not in ("/Length", "/Filter", "/DecodeParms")}
        if "/BBox" in entries:
            commands = [*pikepdf.parse_content_stream(thing)]
            total = sum(abs(float(each)) for operands, _ in commands for each in operands
                        if isinstance(each, int | float) or type(each).__name__ == "Decimal")
            entries["commands"] = f"{len(commands)}, sum {shown(total, 1)}"
            entries.pop("/Resources", None)
        else:
            entries["sum"] = str(sum(thing.read_bytes()))
        return described_entries(entries, depth)
    if isinstance(thing, pikepdf.Dictionary):
        return described_entries(dict(thing.items()), depth)
    if isinstance(thing, pikepdf.Array):
        return "[" + " ".join(described(each, depth + 1) for each in thing) + "]"
    if isinstance(thing, pikepdf.Name | pikepdf.String | str):
        return str(thing)
    return shown(float(thing), 3) if not isinstance(thing, bool) and thing is not None else str(thing)


def described_entries(entries: dict[str, object], depth: int) -> str:
    return "<" + " ".join(f"{name.removeprefix('/')} {described(value, depth + 1)}" for name, value in sorted(
        entries.items()) if name not in ("/Parent", "/P", "/Font", "/Metadata") and depth < 6) + ">"


def _resources(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Gradients, patterns and masks: what a viewer reads of a path does not say them."""
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
            for kind in ("/Shading", "/Pattern", "/ExtGState"):
                kinds = thing.get(kind)
                if (isinstance(kinds, pikepdf.Dictionary) and kind != "/Shading") or (kind == "/Shading" and isinstance(
                        kinds, pikepdf.Dictionary) and "/ShadingType" not in kinds):
                    yield from (f"{kind[1:]} {described(each)}" for each in kinds.values())


def _outline(items: Iterable[pikepdf.OutlineItem], depth: int = 0) -> Iterator[str]:
    for item in items:
        yield f"{'>' * depth}{item.title}"
        yield from _outline(item.children, depth + 1)


def _fields(pdf: pikepdf.Pdf) -> Iterator[str]:
    looks = dict[str, Alike]()
    for number, page in enumerate(pdf.pages):
        height = float(page.mediabox[3]) * MM
        for note in page.get("/Annots", pikepdf.Array()):
            if note.get("/Subtype") == "/Widget":
                left, low, right, high = (float(each) * MM for each in note.Rect)
                kind = note.get("/FT") or note.get("/Parent", {}).get("/FT")
                keys = (f"{key[1:]} {described(note[key])}" for key in ("/Ff", "/Q", "/DA", "/MaxLen", "/MK")
                        if key in note)
                look = f"field {number + 1} {kind} {' '.join(keys)}"
                alike = looks.setdefault(look, Alike(number))
                alike.add([(left, height - high), (right, height - low)])
                alike.words[str(note.get("/T", ""))] = []
    for look, alike in looks.items():
        names = [*alike.words]
        yield from wrapped(f"{look}: {alike}: ", names if len(names) < 12 else [*names[:5], "…", *names[-5:]], " ")


def pdf_lines(content: bytes) -> list[str]:
    """The record of a PDF."""
    lines = list[str]()
    with pypdfium2.PdfDocument(content) as document:
        known = dict[tuple[str, ...], int]()
        for number, page in enumerate(document, 1):
            found = (*page_lines(page),)
            first = known.setdefault(found, number)
            lines += [f" page {number}" + f", like page {first}" * (first != number),
                      *(f"  {line}" for line in (found if first == number else ()))]
    with pikepdf.open(BytesIO(content)) as pdf:
        info = {name: str(value) for name, value in pdf.docinfo.items() if "Date" not in name}
        root = {name: described(pdf.Root[name]) for name in ("/Lang", "/PageLayout", "/PageMode", "/ViewerPreferences",
                                                             "/OpenAction") if name in pdf.Root}
        lines.append(" of all " + " ".join(f"{name[1:]} {value}" for name, value in sorted((info | root).items())))
        lines += (f"  {line}" for line in _runs(sorted(_resources(pdf))))
        lines += (f"  {line}" for line in _fields(pdf))
        with pdf.open_outline() as outline:
            lines += (f"  {line}" for line in wrapped("outline ", _outline(outline.root)))
        if "/StructTreeRoot" in pdf.Root:
            kinds = (f"{kind[1:]}" + (f" {node.Alt}" if "/Alt" in node else "")
                     for kind, node in tags(pdf.Root.StructTreeRoot.K))
            lines += (f"  {line}" for line in wrapped("tags ", _runs(kinds), " "))
    return lines


def _runs(words: Iterable[str]) -> Iterator[str]:
    for word, each in groupby(words):
        count = len([*each])
        yield word + f" × {count}" * (count > 1)


def without_versions(text: str) -> str:
    """The same for every release."""
    return re.sub(r"ppgen \d+\.\d+\.\d+\S*", "ppgen VERSION", text)
