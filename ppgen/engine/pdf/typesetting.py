"""typst: documents and faces set as PDF and pixels, and the PDF objects that others share."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from html import unescape
from math import atan2, degrees, hypot
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lxml import etree

from ppgen.cache import cached_by, folder_digest
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import (JOINED, WORDS_ADVANCE, WORDS_FAMILY, WORDS_SHIFT, Font, FontBook, count_spaced,
                                        default_instance, glyph_outlines, measure_advance, svg_family, words_font)
from ppgen.engine.drawing.lettering import SHARES
from ppgen.engine.geometry import INCH, Rect, Size, pdf_box
from ppgen.engine.pictures.picture_pixels import with_pixels, with_placeholders
from ppgen.engine.svg.elements import SPACE, SVG, Matrix, apply_matrix, multiply, parse_transform
from ppgen.engine.svg.subset import GRADIENTS, PLACED_BY_REFERENCE
from ppgen.errors import InputError, Problem, shorten
from ppgen.process.supervision import Options, OverrunError, is_limited, run_supervised, start_supervision
from ppgen.reading.fields import refuse_file
from ppgen.records import dataclass, replace
from ppgen.shipped import shipped_root

if TYPE_CHECKING:  # pikepdf takes longer to import than all of ppgen: what is in the cache does without it
    from pikepdf import Array, Object, Page, Pdf

# --- PDF objects ---

PACKING: Literal[5] = 5  # of zlib: 6 takes 1.4 times as long for 2 % less
TILING = 1  # the type of patterns that are repeated (ISO 32000-1, 8.7.3)


def save_pdf(pdf: Pdf) -> bytes:
    """Save the finished document. The same input gives the same bytes."""
    from pikepdf import ObjectStreamMode, settings

    settings.set_flate_compression_level(PACKING)
    _blend_patterns(pdf)
    target = io.BytesIO()
    pdf.save(target, deterministic_id=True, object_stream_mode=ObjectStreamMode.generate, compress_streams=True,
             fix_metadata_version=False)  # it is right already
    # After data that end in CR, LF would make CR LF, a single end of line (ISO 19005-2, 6.1.7.1). CR alone is one too.
    with target.getbuffer() as content:  # in place: pictures make it large
        for end in re.finditer(rb"\r\nendstream", content):
            content[end.start() + 1] = ord("\r")
    return target.getvalue()


def _blend_patterns(pdf: Pdf) -> None:
    """Give patterns a transparent graphics state, or Ghostscript blends their edges with white (ISO 32000-1, 8.4.5)."""
    from pikepdf import Dictionary, Name, Stream

    for item in pdf.objects:
        if isinstance(item, Stream) and item.get(Name.PatternType) == TILING:
            resources = item.get(Name.Resources)
            if isinstance(resources, Dictionary) and Name.ExtGState not in resources:
                resources.ExtGState = Dictionary(Blended=Dictionary(ca=0.99))


def pdf_rectangle(rect: Rect, page: Size) -> Array:
    """A rectangle of a page (mm, y down) as a PDF array."""
    from pikepdf import Array

    return Array([round(edge, 4) for edge in pdf_box(rect, page)])


def page_to_form(pdf: Pdf, page: Page) -> Object:
    """Copy a page of another document as a Form XObject (ISO 32000-1, 8.10); changes the page in that document, too.

    The content is taken as it is: pikepdf's own function unpacks it, so that saving would have to pack it again.
    """
    from pikepdf import Name

    page.contents_coalesce()
    form = page.obj.Contents
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, page.mediabox
    for name in (Name.Resources, Name.Group):
        if name in page.obj:
            form[name] = page.obj[name]
    return pdf.copy_foreign(form)


# --- Text as outlines ---
# A picture of words, which can't be searched, copied or read aloud.

_TEXT_ATTRIBUTES = frozenset({"x", "y", "font-family", "font-size", "font-weight", "font-style", "text-anchor",
                              "letter-spacing", SPACE})


_Attributes = Mapping[str, str]


class _SetRun(NamedTuple):
    """Characters of an SVG text in one style, those of a <tspan> with its attributes; ``x`` from the text's start."""

    words: str
    attributes: _Attributes
    font: Font
    size: float
    spacing: float
    x: float

    @property
    def width(self) -> float:
        spaces = self.spacing and self.spacing * count_spaced(self.words)
        return measure_advance(self.font.path, self.words, not self.spacing) * self.size + spaces


def text_to_outlines(svg: str, fonts: FontBook) -> str:
    """Replace the texts of checked SVG by outlines."""
    if "<text" not in svg:
        return svg
    root = etree.fromstring(svg.encode())
    for text in list(root.iter(f"{{{SVG}}}text")):
        _replace_by_outlines(text, fonts)
    return etree.tostring(root, encoding="unicode")


def _replace_by_outlines(text: etree._Element, fonts: FontBook, for_readers: bool = False) -> None:
    """Replace the text by a group with one path for each run of characters, with the paint of its <tspan>."""
    attributes = {str(name): str(value) for name, value in text.items()}
    start, runs = _set_runs(attributes, [({str(name): str(value) for name, value in span.items()}, span.text or "")
                                         for span in text], fonts)
    group = etree.Element(f"{{{SVG}}}g")
    for name, value in text.attrib.items():
        if name not in _TEXT_ATTRIBUTES:
            group.set(name, value)
    place = etree.SubElement(group, f"{{{SVG}}}g", transform=f"translate({start:.3f} {text.get('y', '0')})")
    for run in runs:
        y = float(run.attributes.get("y", text.get("y", "0"))) - float(text.get("y", "0"))
        drawn: etree._Element | None = None
        words = _hidden_words(run, y) if for_readers else ()
        if words is None:
            drawn = etree.SubElement(place, f"{{{SVG}}}text", {
                "x": f"{run.x:.3f}", "y": f"{y:.3f}", "font-size": f"{run.size:.3f}", SPACE: "preserve",
                "font-family": svg_family(run.font.family), "font-weight": str(run.font.weight),
                "font-style": "italic" if run.font.italic else "normal", "letter-spacing": f"{run.spacing:.3f}"})
            drawn.text = run.words
        elif outline := glyph_outlines(run.font.path, run.words, run.size, run.x, run.spacing):
            drawn = etree.SubElement(place, f"{{{SVG}}}path", d=outline)
            if y:
                drawn.set("transform", f"translate(0 {y:.3f})")
        if drawn is not None:
            drawn.attrib.update({name: value for name, value in run.attributes.items()
                                 if name not in _TEXT_ATTRIBUTES})
        place.extend(words or ())
    group.tail = text.tail
    parent = text.getparent()
    assert parent is not None
    parent.replace(text, group)


def _set_runs(text: _Attributes, spans: Iterable[tuple[_Attributes, str]], fonts: FontBook
              ) -> tuple[float, list[_SetRun]]:
    """Where a text starts, given its attributes, and its runs, given the attributes and words of each <tspan>."""
    start, runs = float(text.get("x", "0")), list[_SetRun]()
    for attributes, words in spans:
        font = fonts.find(attributes["font-family"], int(attributes["font-weight"]),
                          attributes.get("font-style") == "italic")
        assert font is not None, "it was set in it"
        size = float(attributes.get("font-size", text.get("font-size", 0)))
        spacing = float(attributes.get("letter-spacing", text.get("letter-spacing", 0)))
        follows = runs[-1].x + runs[-1].width if runs and "x" not in attributes else 0.0
        x = float(attributes["x"]) - start if "x" in attributes else follows
        runs.append(_SetRun(words, attributes, font, size, spacing, x))
    share = SHARES[text["text-anchor"]]
    if share and runs:
        start -= share * (runs[-1].x + runs[-1].width - runs[-1].spacing)  # the renderer puts it between letters only
    return start, runs


# Invisible words over outlines
#
# PDF readers find and copy what the glyphs of a font stand for, in the order of the content. What they make of scripts
# whose glyphs join, stack or change places with their neighbours is wrong, with ActualText too, as most pass over it.
# So these are outlines under words in a font whose glyphs are all alike, one for each character. Its characters are
# shifted to a plane for private use, where the renderer neither joins nor reorders them, and shifted back in the PDF.

_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")


def outline_for_readers(svg: str, fonts: FontBook) -> str:
    """Set the scripts of checked SVG that PDF readers can't find as outlines under invisible words."""
    if svg.isascii() or not any(JOINED.search(words.partition("</text>")[0]) for words in svg.split("<text ")[1:]):
        return svg
    root = etree.fromstring(svg.encode())
    for text in list(root.iter(f"{{{SVG}}}text")):
        if JOINED.search("".join(map(str, text.itertext()))):
            _replace_by_outlines(text, fonts, for_readers=True)
    return etree.tostring(root, encoding="unicode")


def _hidden_words(run: _SetRun, y: float) -> list[etree._Element] | None:
    """Return a text for each word, as wide as its outlines; None for other scripts in a text.

    From right to left each letter has a place of its own: some readers follow the content, others the places. As in any
    PDF, brackets are those that are seen.
    """
    words = run.words.strip("\u200f")
    at, is_leftward, texts = 0.0, words != run.words, []
    if not all(words_font().has(chr(ord(letter) + WORDS_SHIFT)) for letter in words):
        return None
    for word in re.findall(r"\S+\s*|\s+", words):
        seen = str(word).translate(_MIRRORED if is_leftward else {})
        width = run.size * measure_advance(run.font.path, word, not run.spacing) + run.spacing * count_spaced(word)
        at += width
        hidden = etree.Element(f"{{{SVG}}}text", {
            "font-family": WORDS_FAMILY, "font-size": f"{run.size:.3f}", "font-weight": "400", "font-style": "normal",
            "letter-spacing": "0", "fill": "#000", "fill-opacity": "1", "stroke": "none", SPACE: "preserve"})
        advance = WORDS_ADVANCE * run.size
        if is_leftward:
            hidden.set("x", " ".join(f"{advance * n:.3f}" for n in reversed(range(len(seen)))))
        stretch, x = max(width, run.size / 20) / len(seen) / advance, run.width - at if is_leftward else at - width
        hidden.set("transform", f"matrix({stretch:.5f} 0 0 1 {run.x + x:.3f} {y:.3f})")
        hidden.text = "".join([chr(ord(letter) + WORDS_SHIFT) for letter in seen])
        texts.append(hidden)
    return texts


# --- Texts that typst sets ---
# typst's renderer of SVG draws each glyph by itself, outlines included, which takes longer than all else of a face and
# makes its content three times as long. So typst itself sets the plain texts, between the pieces of the drawing.

_PLAIN = re.compile("[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u052f\u1d00-\u1dbf\u1e00-\u1fff\u2010-\u2027\u202f-\u205e"
                    "\u20a0-\u20cf\u2100-\u22ff\u25a0-\u25ff]+")
"""Characters that typst sets as its renderer does. It kerns Chinese and Japanese, and narrows their punctuation."""
_PLAIN_ATTRIBUTES = frozenset(_TEXT_ATTRIBUTES - {SPACE} | {"xml:space", "fill"})
_PLAIN_FILL = re.compile("#[0-9A-Fa-f]{3}(?:[0-9A-Fa-f]{3})?")
_PLAIN_GROUP = re.compile('<g(?: transform="([^"]*)")?>')
_ROOT = re.compile(r'<svg xmlns="[^"]*" viewBox="([^"]*)">')
"""A root element without attributes that affect the drawing as a whole."""
_NODE = re.compile(r"<(?:text (?P<text>[^>]*)>(?P<spans>.*?)</text>|(?P<end>/)?"
                   rf"(?P<tag>{'|'.join(sorted(PLACED_BY_REFERENCE | GRADIENTS | {'g', 'defs'}))})\b(?P<rest>[^>]*)>)")
_SPAN = re.compile(r"<tspan ([^>]*)>([^<]*)</tspan>")
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_DRAWN = re.compile(r"<(?!/?g\b)")
_ID, _REFERENCE = re.compile(r' id="([^"]+)"'), re.compile(r'#([^")]+)')
MAX_REPEATS = 4  # length of all that the pieces of a face repeat because they refer to it, in lengths of the face
_PlainRun = tuple[float, float, float, float, float, str, int, bool, Mapping[str, float], str, str]
"""x, y, turn, size and spacing in mm of the page; family, weight, slant, axes and colour; the words."""


def _split_texts(face: Face, fonts: FontBook) -> list[str | list[_PlainRun]]:
    """Split a face into pieces of its drawing and the plain texts on them, in the order in which they are painted."""
    svg = outline_for_readers(face.svg, fonts)
    root = _ROOT.match(svg)
    if not root or "<text " not in svg:
        return [svg]
    left, top, width, _ = map(float, root[1].split())
    scale = (face.size.width + 2 * face.bleed) / width
    to_page: Matrix = (scale, 0.0, 0.0, scale, -left * scale, -top * scale)
    cuts: list[tuple[str, list[_PlainRun]]] = []  # a piece of the drawing, and the texts after it
    opened, matrices, defined, drawn, start = list[re.Match[str]](), list[Matrix | None]([to_page]), "", "", root.end()
    for node in _NODE.finditer(svg, start):
        if node["end"]:
            begun, _ = opened.pop(), matrices.pop()
            if begun["tag"] != "g" and matrices[-1]:
                defined += svg[begun.start():node.end()]
                drawn, start = drawn + svg[start:begun.start()], node.end()
        elif node["tag"]:
            if not node["rest"].endswith("/"):
                opened.append(node)
                matrices.append(_matrix_within(node[0], matrices[-1]))
        elif (matrix := matrices[-1]) and (runs := _plain_runs(node["text"], node["spans"], fonts, matrix)):
            cuts.append((drawn + svg[start:node.start()] + "</g>" * len(opened), runs))
            drawn, start = "".join(group[0] for group in opened), node.end()
    if not cuts:
        return [svg]

    pieces = [*cuts, (drawn + svg[start:].removesuffix("</svg>"), [])]
    drawings = [piece for piece, _ in pieces if _DRAWN.search(piece)]
    definitions = _find_definitions(drawings, defined)
    if definitions is None:
        return [svg]
    layers: list[str | list[_PlainRun]] = []
    for piece, runs in pieces:
        if piece in definitions:
            layers.append(f"{root[0]}{definitions[piece]}{piece}</svg>")
        if layers and isinstance(layers[-1], list):
            layers[-1] += runs
        elif runs:
            layers.append(runs)
    return layers


def _find_definitions(drawings: Sequence[str], blocks: str) -> Mapping[str, str] | None:
    """Find the elements that are drawn by reference, for each drawing.

    None if a drawing repeats another one, or if these elements would make the face much longer.
    """
    if len(drawings) < 2:
        return dict.fromkeys(drawings, blocks)
    definitions = _split_definitions(blocks)
    names = {*definitions, *(name for drawing in drawings for name in _ID.findall(drawing))}
    found, room = dict[str, str](), MAX_REPEATS * (len(blocks) + sum(map(len, drawings)))
    for drawing in drawings:
        known, searched, needed = set[str](), [drawing], set[str]()
        while searched and room >= 0:
            element = searched.pop()
            known.update(_ID.findall(element))
            for name in names.intersection(_REFERENCE.findall(element)).difference(known):  # or digits of a colour
                if name not in definitions:
                    return None
                if (other := definitions[name]) not in needed:
                    needed.add(other)
                    searched.append(other)
                    room -= len(other)
        found[drawing] = f"<defs>{''.join(sorted(needed))}</defs>" if needed else ""
    return found if room >= 0 else None


@lru_cache(maxsize=8)  # many faces of a deck have the same ones
def _split_definitions(blocks: str) -> Mapping[str, str]:
    """Split blocks into the elements that are drawn by reference, by each id in them."""
    elements = [etree.tostring(child, encoding="unicode", with_tail=False)
                for block in etree.fromstring(f"<defs>{blocks}</defs>")
                for child in (block if block.tag == "defs" else [block])]
    return {name: element for element in elements for name in _ID.findall(element)}


def _matrix_within(element: str, around: Matrix | None) -> Matrix | None:
    """The matrix within groups that only move what is in them; None within any other element."""
    group = _PLAIN_GROUP.fullmatch(element)
    return multiply(around, parse_transform(group[1] or "")) if group and around else None


def _plain_runs(attributes: str, spans: str, fonts: FontBook, matrix: Matrix) -> list[_PlainRun]:
    """The runs of a text at their places on the page; none if typst itself would set one of them otherwise."""
    a, b, c, d, _, _ = matrix
    scale, turn = hypot(a, b), round(degrees(atan2(b, a)), 6)
    is_turned = abs(a - d) + abs(b + c) < scale / 1e6  # and no more; a scale of 0 is none
    text, found, given = dict(_ATTRIBUTE.findall(attributes)), _SPAN.findall(spans), list[tuple[_Attributes, str]]()
    if not is_turned or not found or not text.keys() <= _PLAIN_ATTRIBUTES:
        return []
    for more, escaped in found:
        about, words = {"fill": text.get("fill", ""), **dict(_ATTRIBUTE.findall(more))}, unescape(escaped)
        if not (about.keys() <= _PLAIN_ATTRIBUTES and _PLAIN.fullmatch(words) and _PLAIN_FILL.fullmatch(about["fill"])):
            return []
        given.append((about, words))
    placed: list[_PlainRun] = []
    start, runs = _set_runs(text, given, fonts)
    for run in runs:
        x, y = apply_matrix(matrix, start + run.x, float(run.attributes.get("y", text["y"])))
        placed.append((round(x, 4), round(y, 4), turn, round(run.size * scale, 5), round(run.spacing * scale, 5),
                       run.font.family, run.font.weight, run.font.italic, default_instance(run.font.path),
                       run.attributes["fill"], run.words))
    return placed


# --- Typesetting ---

BATCH_SIZE = 100  # number of faces in a typst document: enough to share fonts, few enough to bound memory
DRAWING_BATCH_SIZE = 29
"""Number of drawings without their words in a typst document: when one of them changes, all of them are set again. Each
document adds some 2 kB, so that half of a set of cards is about right."""
DOCUMENT_UNITS = 4  # time and memory of a document in the supervised child, in those of a face
LARGE_DRAWING = 4000  # length in characters from which a drawing is worth a page of its own under its words
FaceBatch = tuple[tuple[Face, ...], bytes]  # faces, and a PDF with a page for each
Finish = Callable[["Pdf"], None]  # changes a document before it is saved

_FACES = b"""
#set document(title: "faces")
#set place(top + left)
#set text(top-edge: "baseline", bottom-edge: "baseline", hyphenate: false, lang: "zxx")
#let given(name) = sys.inputs.at(name)
#for n in range(int(given("count"))) {
  let w = float(given("w" + str(n))) * 1mm
  let h = float(given("h" + str(n))) * 1mm
  page(width: w, height: h, margin: 0mm, fill: none, pdf.artifact(for layer in json(bytes(given("layers" + str(n)))) {
    if type(layer) == str {
      place(image(bytes(layer), format: "svg", width: w, height: h))
    } else {
      for (x, y, turn, size, spacing, family, weight, italic, axes, colour, words) in layer {
        let paint = rgb(colour)
        let (red, green, blue, _) = paint.components()
        let line = block(width: 99cm, text(  // never broken
          words, font: family, weight: weight, style: if italic { "italic" } else { "normal" }, size: size * 1mm,
          fill: if red == green and green == blue { luma(red) } else { paint },
          tracking: spacing * 1mm, ligatures: spacing == 0, variations: axes))
        place(dx: x * 1mm, dy: y * 1mm, if turn == 0 { line } else { rotate(turn * 1deg, origin: top + left, line) })
      }
    }
  }))
}
"""

_RASTERS = b"""
#let given(name) = sys.inputs.at(name)
#for n in range(int(given("count"))) {
  let length(name) = float(given(name + str(n))) * 1pt
  let (w, h, side, corner) = (length("w"), length("h"), length("side"), length("corner"))
  let drawing = place(top + left, image(bytes(given("svg" + str(n))), format: "svg", width: side, height: side))
  page(width: w, height: h, margin: 0pt, fill: none,
    block(width: w, height: h, clip: corner > 0pt, radius: corner, drawing))
}
"""
_EMPTY = b"#page(width: 1pt, height: 1pt, margin: 0pt)[]"
_TYPST_MEMORY = 10  # number of documents after which typst forgets what it drew
MAX_KEPT_PIXELS = 6_000_000  # of earlier documents in typst's memory (24 MB): to forget takes time, too
_kept_pixels = Counter[str]()


@dataclass(frozen=True, slots=True, kw_only=True)
class RasterImage:
    """A face in ``width`` × ``height`` pixels, bleed included; ``corner`` is the radius of its corners in pixels."""

    face: Face
    width: int
    height: int
    corner: float = 0.0


def faces_pdf(faces: Sequence[Face], fonts: FontBook) -> Iterator[FaceBatch]:
    """Set faces in batches, each a PDF with a page for each face: the trim with its bleed."""
    documents = ((batch, _faces_document(batch, fonts.folder, fonts)) for batch in _batches(faces, BATCH_SIZE))
    return _prefetch(documents) if len(faces) > BATCH_SIZE else documents


def _faces_document(faces: Sequence[Face], folder: Path, fonts: FontBook | None = None) -> bytes:
    """Set faces. With ``fonts`` typst sets their plain texts; without, pages have no marks, for tagged documents.

    ``pretty`` leaves content unpacked, which :func:`make_printable` changes before it is packed.
    """
    finish = _remove_marks if fonts is None else None
    return _cached_document(folder, "faces", fonts, [(face.svg, face.size, face.bleed) for face in faces],
                            make=lambda: _set_pdf(_FACES, _face_inputs(faces, fonts), folder, finish, pretty=True))


def _remove_marks(pdf: Pdf) -> None:
    """Leave out the marks of pages as artifacts (14.8.2.2), not allowed in marked content of another document."""
    for page in pdf.pages:
        page.contents_coalesce()
        content = page.obj.Contents.read_bytes()
        page.obj.Contents.write(content.removeprefix(b"/Artifact BMC\n").removesuffix(b"EMC"))


def layers_pdf(faces: Sequence[Face], fonts: FontBook) -> Iterator[FaceBatch]:
    """Like :func:`faces_pdf`, but of many faces some get two pages: the drawing, and later the words that lie on it.

    Drawings are the same in all languages, and without words they need no fonts, which each document embeds again. So
    they come in smaller batches, most of which are cached from an earlier run or another language.
    """
    if len(faces) <= DRAWING_BATCH_SIZE:
        yield from faces_pdf(faces, fonts)
        return
    drawings, worded = _split_faces(faces)
    documents = ((batch, _faces_document([layer[face] for face in batch], fonts.folder, fonts))
                 for layer, size in ((drawings, DRAWING_BATCH_SIZE), (worded, BATCH_SIZE))
                 for batch in _batches([*layer], size))
    yield from _prefetch(documents) if len(faces) > BATCH_SIZE else documents


def bare_layers_pdf(faces: Sequence[Face], to_outlines: Callable[[str], str], fonts: Path) -> Iterator[FaceBatch]:
    """The layers of faces for a tagged document, without marks; ``to_outlines`` changes those with words."""
    drawings, worded = _split_faces(faces)
    for layer in (drawings, {face: replace(each, svg=to_outlines(each.svg)) for face, each in worded.items()}):
        for batch in _batches([*layer], BATCH_SIZE):
            yield batch, _faces_document([layer[face] for face in batch], fonts)


def _prefetch(documents: Iterator[FaceBatch]) -> Iterator[FaceBatch]:
    """Yield each document while the next one is being set: typst works outside Python's lock."""
    if is_limited():
        start_supervision()
    with ThreadPoolExecutor(max_workers=1) as executor:
        following = executor.submit(next, documents, None)
        while document := following.result():
            following = executor.submit(next, documents, None)
            yield document


def _split_faces(faces: Iterable[Face]) -> tuple[dict[Face, Face], dict[Face, Face]]:
    """The drawings of faces, and what comes with their words, each by its face; a face may have both."""
    drawings: dict[Face, Face] = {}
    worded: dict[Face, Face] = {}
    for face in faces:
        drawing, words = _split_layers(face.svg)
        if drawing:
            drawings[face] = replace(face, svg=drawing)
        if words:
            worded[face] = replace(face, svg=words)
    return drawings, worded


def _split_layers(svg: str) -> tuple[str, str]:
    """Split a face into its drawing and the words that come last in it: two SVGs of the same size.

    The drawing is empty if it is small or depends on the words; then all of the face counts as words. The words are
    empty if there are none.
    """
    drawing, *words = svg.removesuffix("</svg>").split("<text ")
    root = _ROOT.match(svg)
    separable = all(each.rstrip().endswith("</text>") and "url(#" not in each and 'id="' not in each for each in words)
    if not separable or not root or len(drawing) < LARGE_DRAWING:
        return "", svg
    return f"{drawing}</svg>", "<text ".join((root[0], *words)) + "</svg>" if words else ""


def faces_png(faces: Sequence[Face], fonts: Path, ppi: float) -> list[bytes]:
    """A PNG for each face, bleed included, at this resolution in pixels per inch."""
    shown = [replace(face, svg=with_pixels(face, ppi)) if face.pictures else face for face in faces]
    return [picture for batch in _batches(shown, BATCH_SIZE)
            for picture in _compile(_FACES, fonts, _face_inputs(batch), format="png", ppi=ppi)]


def rasters_png(rasters: Sequence[RasterImage], fonts: Path) -> list[bytes]:
    """A PNG (RGBA) of exactly the requested size for each; it is transparent where the face is blank."""
    inputs = {"count": str(len(rasters))}
    for n, raster in enumerate(rasters):
        inputs |= {f"svg{n}": _fit_to_pixels(raster), f"w{n}": str(raster.width), f"h{n}": str(raster.height),
                   f"side{n}": str(max(raster.width, raster.height)), f"corner{n}": f"{raster.corner:.4f}"}
    pictures = _compile(_RASTERS, fonts, inputs, format="png", ppi=72)
    _kept_pixels["all"] += sum(raster.width * raster.height for raster in rasters)
    if _kept_pixels["all"] > MAX_KEPT_PIXELS:
        _kept_pixels.clear()
        for _ in range(_TYPST_MEMORY):  # otherwise it keeps these pixels, maybe gigabytes, for ten more documents
            _compile(_EMPTY, fonts, {}, format="png", ppi=1)
    return pictures


def _fit_to_pixels(raster: RasterImage) -> str:
    """The SVG of a face in a square, whose ratio is exact: typst resamples pictures that are a fraction too long."""
    face = raster.face
    dpi = raster.width / (face.size.width + 2 * face.bleed) * INCH
    root, body = (with_pixels(face, dpi) if face.pictures else face.svg).split(">", 1)
    root = re.sub(r'\s(?:width|height|viewBox|preserveAspectRatio)="[^"]*"', "", root)
    side, bleed, size = max(raster.width, raster.height), face.bleed, face.size
    width = (size.width + 2 * bleed) * side / raster.width
    height = (size.height + 2 * bleed) * side / raster.height
    return (f'{root} width="{side}" height="{side}" preserveAspectRatio="none" '
            f'viewBox="{-bleed:g} {-bleed:g} {width:.9g} {height:.9g}">{body}')


def _batches(faces: Sequence[Face], size: int) -> Iterator[tuple[Face, ...]]:
    for start in range(0, len(faces), size):
        yield tuple(faces[start:start + size])


def _face_inputs(faces: Sequence[Face], fonts: FontBook | None = None) -> dict[str, str]:
    """The inputs of _FACES; with these fonts, typst itself sets the plain texts, and readers find all of them."""
    inputs = {"count": str(len(faces))}
    for n, face in enumerate(faces):
        layers = _split_texts(face, fonts) if fonts else [face.svg]
        inputs[f"layers{n}"] = json.dumps([with_placeholders(layer) if isinstance(layer, str) else layer
                                           for layer in layers], ensure_ascii=False)
        inputs[f"w{n}"] = f"{face.size.width + 2 * face.bleed:.6f}"
        inputs[f"h{n}"] = f"{face.size.height + 2 * face.bleed:.6f}"
    return inputs


def document_pdf(source: bytes, inputs: Mapping[str, str], fonts: Path, *key: object, finish: Finish | None = None,
                 **options: str) -> bytes:
    """Set a typst document as tagged PDF, or take it from the cache. Raises InputError if it can't be set.

    ``key`` is what ``finish`` changes the document by, besides the inputs.
    """
    return _cached_document(fonts, "pdf", source, inputs, options, *key,
                            make=lambda: _set_pdf(source, inputs, fonts, finish, **options))


def _cached_document(fonts: Path, kind: str, *values: object, make: Callable[[], bytes]) -> bytes:
    digest = folder_digest(fonts)
    return cached_by(kind, digest, *values, make=make) if digest else make()


def _set_pdf(source: bytes, inputs: Mapping[str, str], fonts: Path, finish: Finish | None,
             **options: str | bool) -> bytes:
    from pikepdf import Pdf

    (document,) = _compile(source, fonts, inputs, format="pdf", **options)
    with Pdf.open(io.BytesIO(document)) as pdf:
        if any(WORDS_FAMILY in value for value in inputs.values()):
            _hide_words(pdf)
        make_printable(pdf)
        if finish:
            finish(pdf)
        return save_pdf(pdf)


_BEFORE_NUMBER = frozenset(b" |\t|\n|\r|\f|\v|[".split(b"|"))
GREY_PROFILE = "/greys"  # the resource name of the profile that typst describes greys by
_NEARLY_ZERO = re.compile(rb"0\.000000\d+(?=[\s\]])")  # begins with plain characters: six times as quick


def make_printable(pdf: Pdf) -> None:
    """Write what typst calculates as printers need it: greys in black ink, and 0 for what is nearly zero.

    typst's own space for greys is calibrated, so that printers mix black of all inks; those of the device are black
    ink. Its profile stays among the resources, as a document without colours has no other. What is nearly zero stems
    from sines, which differ between systems.
    """
    from pikepdf import Array, Dictionary, Name, Stream

    contents = {page.obj.Contents.objgen for page in pdf.pages}
    for item in pdf.objects:
        spaces = item.get(Name.ColorSpace) if isinstance(item, Dictionary) else None  # of resources
        if isinstance(spaces, Dictionary):
            for name, space in [*spaces.items()]:
                if isinstance(space, Array) and space[0] == Name.ICCBased and space[1].N == 1:
                    spaces[name], spaces[GREY_PROFILE] = Name.DeviceGray, space
        if isinstance(item, Stream) and (item.get(Name.Subtype) == Name.Form or item.get(Name.PatternType) == TILING
                                         or item.objgen in contents) and (
                content := _write_zeros(item.read_bytes())) is not None:
            item.write(content)


def _hide_words(pdf: Pdf) -> None:
    """Set the font of invisible words in text rendering mode 3, and shift back what its glyphs stand for."""
    from pikepdf import Dictionary, Name, Stream

    fonts = {item.objgen for item in pdf.objects if isinstance(item, Dictionary) and str(
        item.get(Name.BaseFont, "")).endswith(f"+{WORDS_FAMILY.replace(' ', '')}-Regular") and Name.ToUnicode in item}
    for item in pdf.objects:
        if item.objgen in fonts:
            item.ToUnicode.write(_SHIFTED.sub(_shift_back, item.ToUnicode.read_bytes()))
        resources = item.get(Name.Resources) if isinstance(item, Stream | Dictionary) else None
        if resources is None or Name.Font not in resources:
            continue
        names = [name.encode() for name, font in resources.Font.items() if font.objgen in fonts]
        stream = item if isinstance(item, Stream) else item.Contents
        for name in names:
            stream.write(content := stream.read_bytes().replace(b"BT\n0 Tr\n%b " % name, b"BT\n3 Tr\n%b " % name))
            assert content.count(b"BT\n3 Tr\n%b " % name) == content.count(b"%b " % name), "typst sets fonts otherwise"


_SHIFTED = re.compile(rb"<(DB[89A-F][0-9A-F]D[C-F][0-9A-F]{2})>")


def _shift_back(match: re.Match[bytes]) -> bytes:
    code = ord(bytes.fromhex(match[1].decode()).decode("utf-16-be")) - WORDS_SHIFT
    return b"<%04X>" % code


def _write_zeros(content: bytes) -> bytes | None:
    """The content with 0 for each number that is nearly zero; None if there is none."""
    kept: list[bytes] = []
    end = 0
    for match in _NEARLY_ZERO.finditer(content):
        start = match.start() - (content[match.start() - 1:match.start()] == b"-")
        if content[start - 1:start] in _BEFORE_NUMBER and start:
            kept += content[end:start], b"0"
            end = match.end()
    return b"".join((*kept, content[end:])) if kept else None


def _compile(source: bytes, fonts: Path, inputs: Mapping[str, str], **options: Any) -> list[bytes]:
    """Compile a document to one PDF, or a PNG for each page. Raises InputError with typst's words.

    A run with files of strangers leaves this to the supervised child. typst sees a folder with nothing but the source:
    as that always has the same name, typst remembers the pictures of earlier documents.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder, "main.typ")
        file.write_bytes(source)
        if not is_limited():
            return _run_typst(file, fonts, inputs, options)
        settings = {"file": str(file), "fonts": str(fonts), "options": options}
        try:
            pages = run_supervised(set_document, pickle.dumps(inputs), settings, times=DOCUMENT_UNITS)
        except OverrunError as error:
            own = shorten([path.name for path in sorted(fonts.rglob("*.[ot]tf"))])
            problem = Problem("PDF", error.describe("to set", "crashes typst, which sets it"),
                              error.remedy(f"draw less on a face, or take other fonts than {own}"))
            raise InputError([problem]) from error
        return [b64decode(page) for page in pages]


def set_document(content: bytes, options: Options) -> list[str]:
    """Compile a document in the supervised child; its inputs are the content."""
    pages = _run_typst(Path(options["file"]), Path(options["fonts"]), pickle.loads(content), options["options"])
    return [b64encode(page).decode() for page in pages]


def _run_typst(file: Path, fonts: Path, inputs: Mapping[str, str], options: Mapping[str, Any]) -> list[bytes]:
    """Compile a file. All inputs were checked before, so what typst refuses is mostly a font that it can't read."""
    import typst

    # while ``ppgen open`` runs, fonts come and go
    state = frozenset((str(path), path.stat().st_mtime_ns) for path in fonts.rglob("*"))
    try:
        result = typst.compile(file, root=file.parent, font_paths=_typst_fonts(fonts, state), timestamp=0,
                               sys_inputs=dict(inputs), **options)
    except BaseException as error:  # a panic in Rust is not a subclass of Exception
        if not isinstance(error, typst.TypstError) and type(error).__name__ != "PanicException":
            raise
        if "Resource temporarily unavailable" in str(error):  # no memory for its threads
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
        words = str(error).splitlines()[0]
        raise refuse_file(fonts, f"typst can't set a text or picture with these fonts: {words}",
                          "fetch the fonts again, or leave out what they can't show") from error
    return result if isinstance(result, list) else [result]  # typst returns a single page bare


@lru_cache(maxsize=4)
def _typst_fonts(folder: Path, state: frozenset[tuple[str, int]]) -> Any:
    """The fonts of a folder, and ppgen's own after them: of fonts that are named alike, typst takes the first."""
    import typst

    folders = dict.fromkeys((str(folder), str(shipped_root() / "data" / "fonts")))
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[*folders])
