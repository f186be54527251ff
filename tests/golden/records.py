"""Files as text that can be read and compared: what is on the pages of a PDF and in its form, what a picture, a
drawing, an archive or JSON has."""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import zipfile
from collections.abc import Iterator
from ctypes import byref, c_double
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from tests.pdf_reading import MM

WIDTH = 160
GREYS = "@#+-. "
"""From black to white."""


def record(path: Path, folder: Path) -> Iterator[str]:
    """A line with the file's place, then what it has."""
    yield path.relative_to(folder).as_posix()
    yield from (f"  {line}" for line in contents(path.name, path.read_bytes()))


def pages(lines: Iterator[str]) -> Iterator[str]:
    """The first line of a record, then a digest of each page, or of all of it."""
    yield next(lines)
    for part in re.split(r"\n(?=  page )", "\n".join(lines)):
        yield f"  {digest(part.encode())} {part.partition(':')[0].strip() if part.startswith('  page ') else ''}"


def contents(name: str, content: bytes) -> Iterator[str]:
    match name.rpartition(".")[2]:
        case "json":
            yield from tree(json.loads(content))
        case "png" | "jpg":
            yield from picture(content)
        case "pdf":
            yield from document(content)
        case "zip" | "xlsx" | "ods":
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                for each in archive.namelist():
                    yield each
                    yield from (f"  {line}" for line in contents(each, archive.read(each)))
        case "html":
            text = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>|<[^>]*>", "\n", content.decode("utf-8"))
            yield from filter(None, map(str.strip, html.unescape(text).splitlines()))
        case "css" | "js" | "ttf" | "otf" | "woff2" | "ico":
            pass
        case _:
            yield from content.decode("utf-8").splitlines()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def shown(number: float) -> str:
    return f"{round(number, 2) + 0:g}"


def tree(value: Any, key: str = "", indent: str = "") -> Iterator[str]:
    """JSON, a line for each value that has room in one; numbers are rounded, and digests are left out."""
    text = json.dumps(value, ensure_ascii=False)
    text = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.4g}", re.sub(r"\b[\da-f]{40,}\b", "…", text))
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


# --- PDF ---

def document(content: bytes) -> Iterator[str]:
    """What it calls itself, and of each page its size, words in lines, links and fields of a form, in mm."""
    with pikepdf.open(io.BytesIO(content)) as opened, pypdfium2.PdfDocument(content) as drawn:
        root = opened.Root
        yield f"“{opened.docinfo.get('/Title', '')}” {root.get('/Lang', '')} {root.get('/PageLayout', '')}"
        names = {field.objgen: name for name, field in fields(root.get("/AcroForm", {}).get("/Fields", ()))}
        if names:
            yield from form(root)
        for outline in drawn.get_toc():
            yield f"{' ' * outline.level}> {outline.get_title()}"
        for number, (page, shown_page) in enumerate(zip(opened.pages, drawn, strict=True), 1):
            width, height = (float(edge) * MM for edge in page.mediabox[2:])
            yield f"page {number}: {shown(width)} × {shown(height)} {drawing(shown_page)}"
            yield from words(shown_page, height)
            yield from (annotation(each, height, names) for each in page.get("/Annots", ()))


def drawing(page: pypdfium2.PdfPage) -> str:
    """How many paths and pictures a page has, and the smallest box of all."""
    boxes, kinds = [], []
    for found in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=15):
        boxes.append([edge * MM for edge in found.get_bounds()])
        kinds.append(found.type)
    if not boxes:
        return ""
    left, bottom, right, top = (pick(box[at] for box in boxes) for at, pick in enumerate((min, min, max, max)))
    total = sum(abs(number) for box in boxes for number in box)
    return (f"({kinds.count(pdfium.FPDF_PAGEOBJ_PATH)} paths, {kinds.count(pdfium.FPDF_PAGEOBJ_IMAGE)} pictures, "
            f"{shown(left)} to {shown(right)}, {shown(bottom)} to {shown(top)}, in all {total:.0f})")


def words(page: pypdfium2.PdfPage, height: float) -> Iterator[str]:
    """Each line with the place where it begins, from the top left, and the size of its type in points."""
    text, at = page.get_textpage(), 0
    for line in text.get_text_range().splitlines(keepends=True):
        if line.strip():
            x, y = c_double(), c_double()
            pdfium.FPDFText_GetCharOrigin(text, at, byref(x), byref(y))
            size = pdfium.FPDFText_GetFontSize(text, at)
            yield f"  {x.value * MM:6.1f} {height - y.value * MM:6.1f} {shown(size):>5}  {line.strip()}"
        at += len(line)


def fields(found: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    for field in found:
        name = f"{above}.{field.T}".lstrip(".")
        if "/Kids" in field:
            yield from fields(field.Kids, name)
        else:
            yield name, field


def form(root: Any) -> Iterator[str]:
    """The order of calculation, and a digest of each script of the document."""
    if order := root.AcroForm.get("/CO"):
        yield f"calculates {len(order)}: " + digest(" ".join(str(each.get("/TU", "")) for each in order).encode())
    scripts = root.get("/Names", {}).get("/JavaScript", {}).get("/Names", ())
    for name, action in zip(scripts[::2], scripts[1::2], strict=True) if scripts else ():
        code = action.JS.read_bytes() if isinstance(action.JS, pikepdf.Stream) else bytes(action.JS)
        yield f"script {name} {digest(code)}"


def annotation(found: Any, height: float, names: dict[Any, str]) -> str:
    """A link or field: its box from the top left, its name, tooltip, value, flags and actions."""
    left, bottom, right, top = (float(edge) * MM for edge in found.Rect)
    box = f"  {left:6.1f} {height - top:6.1f} {right - left:6.1f} {top - bottom:5.1f}"
    if str(found.Subtype) != "/Widget":
        target = found.get("/A", {}).get("/URI", "") or "page" * ("/Dest" in found or "/A" in found)
        return f"{box}  {found.Subtype} {target}"
    facts = [f"{key[1:]}={found[key]}" for key in ("/V", "/Q", "/Ff", "/MaxLen", "/DA") if key in found]
    actions = [f"{kind[1:]}: {action.JS}" for kind, action in found.get("/AA", {}).items()]
    return f"{box}  {names.get(found.objgen, '')}: {found.get('/TU', '')} | {' '.join(facts)} | {' | '.join(actions)}"
