"""Files as text that can be read and compared: what is on the pages of a PDF, as another program reads it, and in its
form; what a picture, a drawing, an archive or JSON has. Any other place, size, edge, colour, order or word is another
line.

Lengths are mm from the upper left corner of the page. Shapes that look alike are one line: how many, the room around
all of them, the mean place of their points, and a sum that knows the place of each (:func:`weigh`).
"""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import textwrap
import zipfile
from collections.abc import Callable, Iterable, Iterator
from ctypes import byref, c_char, c_double, c_float, c_int, c_uint
from dataclasses import dataclass, field
from itertools import groupby
from math import atan2, degrees, hypot
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree
from PIL import Image

from tests.pdf_reading import MM, Matrix, multiply, tags

WIDTH = 160
GREYS = "@#+-. "
"""From black to white."""
OFF_EDGES = 0.13
"""Lengths are round in the program; this part of a digit beside them nothing is rounded up here and down elsewhere."""


def shown(number: float, digits: int = 2) -> str:
    return f"{round(number + OFF_EDGES * 0.1 ** digits, digits):.{digits}f}".rstrip("0").rstrip(".")


def weigh(numbers: Iterable[float]) -> float:
    """A sum in which each place has a weight of its own: it tells orders apart, turns and mirror images too."""
    return sum((n * 37 % 101 + 1) * number for n, number in enumerate(numbers)) / 50


def wrapped(head: str, parts: Iterable[str], between: str = " · ") -> list[str]:
    return textwrap.wrap(f"{head}{between.join(parts)}", 190, subsequent_indent="      ", break_long_words=False,
                         break_on_hyphens=False) or [head]


def record(path: Path, folder: Path, brief: bool = False) -> Iterator[str]:
    """A line with the file's place, then what it has; ``brief`` as one shape for all of a page."""
    yield path.relative_to(folder).as_posix()
    yield from (f"  {line}" for line in contents(path.name, path.read_bytes(), brief, path.parent))


def pages(lines: Iterator[str]) -> Iterator[str]:
    """The first line of a record, then a digest of each page, or of all of it."""
    yield next(lines)
    for part in re.split(r"\n(?=  page )", "\n".join(lines)):
        yield f"  {digest(part.encode())} {part.partition(',')[0].split(chr(10))[0] * part.startswith('  page ')}"


def contents(name: str, content: bytes, brief: bool = False, folder: Path = Path()) -> Iterator[str]:
    match name.rpartition(".")[2]:
        case "json":
            yield from tree(json.loads(content))
        case "png" | "jpg":
            yield from picture(content)
        case "pdf":
            yield from pdf_lines(content, brief)
        case "svg" if not brief:
            yield from svg_lines(content)
        case "zip":
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                for each in archive.namelist():
                    yield each
                    yield from (f"  {line}" for line in contents(each, archive.read(each), brief))
        case "html":
            text = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>|<!--.*?-->|</[^>]*>|<\w+>", "\n", content.decode("utf-8"))
            text = re.sub(r"<(\w[^>]*)>", lambda tag: f"\n‹{tag[1]}›\n", text)
            text = re.sub(r"[\w./-]+[.]webp", lambda name: pixels((folder / name[0]).read_bytes()), text)
            yield from filter(None, map(str.strip, html.unescape(text).splitlines()))
        case "css" | "js" | "ttf" | "otf" | "woff2" | "ico" | "xlsx":
            pass
        case _:
            yield from content.decode("utf-8").splitlines()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def tree(value: Any, key: str = "", indent: str = "") -> Iterator[str]:
    """JSON, a line for each value that has room in one; numbers are rounded, and digests are left out."""
    text = json.dumps(value, ensure_ascii=False)
    text = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.4g}", re.sub(r"\b[\da-f]{24,}\b", "…", text))
    if not isinstance(value, dict | list) or len(indent + key + text) < WIDTH:
        yield indent + key + text
        return
    if key:
        yield indent + key.rstrip()
    for each in value:
        inner = f"{each}: " if isinstance(value, dict) else "- "
        yield from tree(value[each] if isinstance(value, dict) else each, inner, indent + " " * bool(key))


def picture(content: bytes) -> Iterator[str]:
    """Its size and a small grey picture of it."""
    with Image.open(io.BytesIO(content)) as opened:
        dpi = "".join(f" {value:.0f}" for value in opened.info.get("dpi", ()))
        yield f"{opened.width} × {opened.height} {opened.mode}{dpi}"
        if opened.width > 40:
            wide = min(32, max(8, opened.width // 40))
            small = opened.convert("RGBA").resize((wide, max(2, round(wide * opened.height / opened.width / 2))))
            ground = Image.new("RGBA", small.size, "white")
            ground.alpha_composite(small)
            grey = ground.convert("L")
            signs = [GREYS[min(5, value * 6 // 256)] for value in grey.tobytes()]
            yield from ("".join(signs[row:row + wide]) for row in range(0, len(signs), wide))


def pixels(content: bytes) -> str:
    """The size and tones of a picture that a page shows."""
    with Image.open(io.BytesIO(content)) as opened:
        return f"{opened.width} × {opened.height} {tones(opened.convert('RGB')).replace(' ', ',')}"


# --- Pages of a PDF ---

@dataclass
class Alike:
    """What looks alike on a page."""

    first: int
    number: int = 0
    ways: int = 0
    points: list[tuple[float, float]] = field(default_factory=list)

    def add(self, points: list[tuple[float, float]]) -> None:
        self.number += 1
        self.points += points

    def __str__(self) -> str:
        across, down = ([at[axis] for at in self.points] for axis in (0, 1))
        means = (sum(each) / len(each) for each in (across, down))
        return (f"{self.number} × {len(self.points)} points  in {' '.join(map(shown, (min(across), min(down))))} – "
                f"{' '.join(map(shown, (max(across), max(down))))}  mean {' '.join(map(shown, means))}  "
                f"weight {shown(weigh(each for at in self.points for each in at), 1)}")


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


def _colour(ask: Callable[..., int], *found: object) -> str:
    channels = [c_uint() for _ in range(4)]
    if not ask(*found, *map(byref, channels)):
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
        words.append(f"fill {_colour(pdfium.FPDFPageObj_GetFillColor, found)}" + " even-odd" * (fill.value == 1))
    if stroke.value:
        pdfium.FPDFPageObj_GetStrokeWidth(found, byref(width))
        scale = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
        lengths = (c_float * max(1, dashes))()
        pdfium.FPDFPageObj_GetDashArray(found, lengths, dashes)
        ends = pdfium.FPDFPageObj_GetLineCap(found), pdfium.FPDFPageObj_GetLineJoin(found)
        words.append(f"line {_colour(pdfium.FPDFPageObj_GetStrokeColor, found)} {shown(width.value * scale, 3)}"
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
    small = picture.resize((3, 3), Image.Resampling.BOX).tobytes()
    return " ".join("".join(f"{(each + 5) // 17:x}"[:1] for each in small[n:n + 3]) for n in range(0, 27, 3))


def _clip(found: pypdfium2.PdfObject, to_page: Matrix) -> Iterator[tuple[float, float]]:
    clip = pdfium.FPDFPageObj_GetClipPath(found)
    for n in range(max(0, pdfium.FPDFClipPath_CountPaths(clip))):
        count = pdfium.FPDFClipPath_CountPathSegments(clip, n)
        yield from _points((pdfium.FPDFClipPath_GetPathSegment(clip, n, m) for m in range(max(0, count))),
                           _matrix(found, to_page, own=False))


def _look(text: pypdfium2.PdfTextPage, at: int) -> str:
    """The face, size, colour and turn of a letter."""
    matrix, name = pdfium.FS_MATRIX(), (c_char * 80)()
    pdfium.FPDFText_GetMatrix(text, at, byref(matrix))
    pdfium.FPDFText_GetFontInfo(text, at, name, 80, byref(c_int()))
    turn, wide, high = degrees(atan2(matrix.b, matrix.a)), hypot(matrix.a, matrix.b), hypot(matrix.c, matrix.d)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(pdfium.FPDFText_GetTextObject(text, at))
    return (f"{name.value.decode().rpartition('+')[2]} {shown(pdfium.FPDFText_GetFontSize(text, at) * high)} pt "
            + _colour(pdfium.FPDFText_GetFillColor, text, at) + f" turned {shown(turn, 1)}" * (abs(turn) > 0.01)
            + f" mode {mode}" * (mode != 0) + f" wide {shown(wide / (high or 1))}" * (abs(wide - high) > 0.004 * high))


def _words(page: pypdfium2.PdfPage, to_page: Matrix) -> Iterator[str]:
    """Runs of letters that look alike, with the places of the first and the last letter."""
    text, runs, look = page.get_textpage(), list[tuple[str, list[str], list[tuple[str, str]]]](), ""
    for at in range(text.count_chars()):
        sign, x, y = pdfium.FPDFText_GetUnicode(text, at), c_double(), c_double()
        if not (space := chr(sign).isspace()):
            look = _look(text, at)
        if sign in (10, 13) or not runs or runs[-1][0] != look:
            runs.append((look, [], []))
        runs[-1][1].append("-" if sign in (2, 0xFFFE) else chr(sign))
        if not space:
            pdfium.FPDFText_GetCharOrigin(text, at, byref(x), byref(y))
            across, down = _place(to_page, x.value, y.value)
            runs[-1][2].append((shown(across), shown(down)))
    found = dict[str, dict[str, list[str]]]()
    for look, signs, ((left, top), *rest) in (run for run in runs if run[2]):
        words = "".join(signs).strip().encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        place = left + (f"–{rest[-1][0]}" if rest else "") + f" {top}"
        found.setdefault(look, {}).setdefault(words, []).append(place)
    for look, texts in found.items():
        yield from wrapped(f"{look}: ", (
            f"{words} {', '.join(places[:6])}" + f" … {len(places)}, {_sum(places)}" * (len(places) > 6)
            for words, places in texts.items()))


def _sum(places: list[str]) -> str:
    """The weight of all their numbers."""
    return shown(weigh(float(each) for place in places for each in re.split("[ –]", place)), 1)


def page_lines(page: pypdfium2.PdfPage, brief: bool) -> Iterator[str]:
    width, height = page.get_size()
    boxes = {name: box for name, box in (("trim", page.get_trimbox()), ("bleed", page.get_bleedbox()),
                                         ("crop", page.get_cropbox())) if box != page.get_mediabox()}
    yield (f"{shown(width * MM)} × {shown(height * MM)}"
           + "".join(f", {name} {' '.join(shown(each * MM) for each in box)}" for name, box in boxes.items())
           + f", rotated {page.get_rotation()}" * bool(page.get_rotation()))
    left, _, _, top = page.get_mediabox()
    to_page: Matrix = (MM, 0, 0, -MM, -left * MM, top * MM)
    looks, clips = dict[str, Alike](), Alike(0)
    for number, found in enumerate(page.get_objects(max_depth=15)):
        if found.type == pdfium.FPDF_PAGEOBJ_FORM:
            continue
        if clip := [*_clip(found, to_page)]:
            clips.add(clip)
        if found.type == pdfium.FPDF_PAGEOBJ_TEXT:
            continue
        if found.type == pdfium.FPDF_PAGEOBJ_PATH:
            look, points = _path(found, to_page)
        elif found.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            look, points = _image(found, to_page)
        else:
            look, points = "shading", _corners(_matrix(found, to_page))
        look = look.partition(" ")[0] if brief else look
        looks.setdefault(look, Alike(number)).add(points)
        looks[look].ways += number
    yield from (f"{look}, from {alike.first}, order {alike.ways}: {alike}" for look, alike in looks.items())
    if clips.points:
        yield f"clips: {clips}"
    yield from _words(page, to_page)


# --- Drawings ---

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
        yield (words + f" × {len(rows)}" * (len(rows) > 1)
               + (f": {' '.join(map(shown, flat))}" if len(flat) < 9 else
                  f": {len(flat)} numbers, sum {shown(sum(flat))}, weight {shown(weigh(flat))}" if flat else ""))


# --- What stands on no page ---

def described(thing: object, depth: int = 0) -> str:
    """A resource in one line: its entries, and of a stream how many commands it has and the weight of their numbers."""
    if isinstance(thing, pikepdf.Stream):
        entries = {name: value for name, value in thing.items() if name not in ("/Length", "/Filter", "/DecodeParms")}
        if "/BBox" in entries:
            commands = [*pikepdf.parse_content_stream(thing)]
            total = weigh(float(each) for operands, _ in commands for each in operands
                          if isinstance(each, int | float) or type(each).__name__ == "Decimal")
            entries["commands"] = f"{len(commands)}, weight {shown(total, 1)}"
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


def _fields(found: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    for each in found:
        name = f"{above}.{each.T}".lstrip(".")
        if "/Kids" in each:
            yield from _fields(each.Kids, name)
        else:
            yield name, each


def _annotation(found: Any, height: float, names: dict[Any, str]) -> str:
    """A link or field: its box, its name, tooltip, value, flags and actions."""
    left, bottom, right, top = (float(edge) * MM for edge in found.Rect)
    box = f"{shown(left)} {shown(height - top)} {shown(right - left)} {shown(top - bottom)}"
    if str(found.Subtype) != "/Widget":
        target = found.get("/A", {}).get("/URI", "") or "page" * ("/Dest" in found or "/A" in found)
        return f"{found.Subtype} {target} {box}"
    facts = [f"{key[1:]} {described(found[key])}" for key in ("/FT", "/V", "/Q", "/Ff", "/MaxLen", "/DA", "/MK")
             if key in found]
    actions = [f"{kind[1:]}: {action.JS}" for kind, action in found.get("/AA", {}).items()]
    return f"{names.get(found.objgen, '')} {box}: {found.get('/TU', '')} | {' '.join(facts)} | {' | '.join(actions)}"


def _of_all(pdf: pikepdf.Pdf) -> Iterator[str]:
    """What a document calls itself, its outline and tags; the order of calculation, and a digest of each script."""
    root = pdf.Root
    facts = {name: str(value) for name, value in pdf.docinfo.items() if "Date" not in name} | {
        name: described(root[name]) for name in ("/Lang", "/PageLayout", "/PageMode", "/ViewerPreferences",
                                                 "/OpenAction") if name in root}
    yield " ".join(f"{name[1:]} {value}" for name, value in sorted(facts.items()))
    if order := root.get("/AcroForm", {}).get("/CO"):
        yield f"calculates {len(order)}: " + digest(" ".join(str(each.get("/TU", "")) for each in order).encode())
    scripts = root.get("/Names", {}).get("/JavaScript", {}).get("/Names", ())
    for name, action in zip(scripts[::2], scripts[1::2], strict=True) if scripts else ():
        code = action.JS.read_bytes() if isinstance(action.JS, pikepdf.Stream) else bytes(action.JS)
        yield f"script {name} {digest(code)}"
    yield from _runs(sorted(_resources(pdf)))
    if "/StructTreeRoot" in root:
        kinds = (kind[1:] + (f" {node.Alt}" if "/Alt" in node else "") for kind, node in tags(root.StructTreeRoot.K))
        yield from wrapped("tags ", _runs(kinds), " ")


def pdf_lines(content: bytes, brief: bool = False) -> Iterator[str]:
    """The record of a PDF."""
    with pypdfium2.PdfDocument(content) as document, pikepdf.open(io.BytesIO(content)) as pdf:
        yield from _of_all(pdf)
        yield from (f"{'>' * (item.level + 1)} {item.get_title()}" for item in document.get_toc())
        names = {each.objgen: name for name, each in _fields(pdf.Root.get("/AcroForm", {}).get("/Fields", ()))}
        known = dict[tuple[str, ...], int]()
        for number, (page, inside) in enumerate(zip(document, pdf.pages, strict=True), 1):
            notes = (_annotation(each, float(inside.mediabox[3]) * MM, names) for each in inside.get("/Annots", ()))
            found = (*page_lines(page, brief), *_runs(notes))
            first = known.setdefault(found, number)
            yield f"page {number}" + f", like page {first}" * (first != number)
            yield from (f"  {line}" for line in found if first == number)


def _runs(words: Iterable[str]) -> Iterator[str]:
    for word, each in groupby(words):
        count = len([*each])
        yield word + f" × {count}" * (count > 1)


def without_versions(text: str) -> str:
    """The same for every release."""
    return re.sub(r"(ppgen |version: \")\d+\.\d+\.\d+[^\s\"]*", r"\1VERSION", text)
