"""Turns drawn parts into their sheets, and these into finished PDF; tells what each file is called."""

from __future__ import annotations

from ppgen import __version__
from ppgen.documents.names import CALIBRATION
from ppgen.engine.component import Part, Stock, Way
from ppgen.engine.formats import Format
from ppgen.engine.imposition.impose import impose, impose_pages, impose_tiled
from ppgen.engine.imposition.values import Imposition
from ppgen.engine.pdf.assembly import DocumentInfo, assemble
from ppgen.engine.pdf.pages import Captions, draw_pages
from ppgen.engine.typesetting import layers_pdf
from ppgen.production.drawn import DrawnPart
from ppgen.production.request import BuildRequest, Kind
from ppgen.production.selection import stem_of
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts


def kind_of(part: Part) -> Kind:
    """The kind of file that a part comes in."""
    if part.stock is Stock.BOX:
        return Kind.BOX
    if part.name == CALIBRATION:
        return Kind.CALIBRATION
    if part.pages:
        return Kind.PAGES
    if part.layout.way is Way.TILED:
        return Kind.BOARD
    backed = not part.one_sided and any(component.back for component in part.components)
    return Kind.PIECES if backed else Kind.FRONTS


def file_stem(part: Part, request: BuildRequest, paper: Format) -> str:
    """The name of a part's file, without its ending."""
    variant = (part.variant,) if part.variant else ()
    return request.stem(part.name, paper, kind_of(part), *variant, *stem_of(part.only))


def impose_part(part: DrawnPart, request: BuildRequest, paper: Format) -> Imposition:
    """The part on its sheets. Raises InputError for what does not fit the paper."""
    spec = request.touching(kind_of(part.part)).spec(paper)
    if part.part.pages:
        return impose_pages(part.items, spec, part.part.layout.abreast, cut_out=part.part.stock is Stock.BOX)
    way = impose_tiled if part.part.layout.way is Way.TILED else impose
    return way(part.items, spec, part.part.name)


def print_part(part: DrawnPart, imposition: Imposition, request: BuildRequest, workshop: Workshop,
               texts: Texts, paper: Format) -> bytes:
    """The PDF of a part. Raises InputError."""
    pages, info = sheet_pages(part, imposition, request, workshop, texts, paper)
    # A scale is only asked of what is cut out: the calibration page measures the printer as it is.
    document = assemble(pages, imposition.sheets, part.faces, layers_pdf(part.distinct, workshop.fonts.folder), info,
                        request.scale)
    forms = {component.id: component.form for component in part.part.components if component.form}
    if not forms:
        return document
    from ppgen.engine.forms.widgets import add_forms  # heavy: only for what can be filled in

    return add_forms(document, imposition.sheets, forms, workshop.fonts)


def sheet_pages(part: DrawnPart, imposition: Imposition, request: BuildRequest, workshop: Workshop,
                texts: Texts, paper: Format) -> tuple[bytes, DocumentInfo]:
    """The pages of a part with their words, and what their file says of itself. Raises InputError."""
    captions, bookmarks, labels = [], [], []
    sizes = {component.size for component in part.part.components}
    size = () if part.part.pages or len(sizes) > 1 else map(str, sizes)
    about = (texts("game.title"), part.part.title, texts("language.name"), paper.title, *size)
    for number, sheet in enumerate(imposition.sheets, 1):
        for side in sheet.sides:
            number_of = texts("sheet.number", n=number, of=len(imposition.sheets))
            named = texts(f"sheet.{side.name}")
            tiles = [tile.name for placed in side.placements if (tile := placed.tile)]
            tile_named = texts("sheet.tile", name="".join(tiles))  # asked for by every set, as above
            shown = tile_named if tiles else named
            captions.append(Captions(
                label=" · ".join((*about, number_of, shown, texts(f"ink.{request.ink}"), f"ppgen {__version__}")),
                hint=texts("sheet.hint")))
            bookmarks.append(f"{number_of}, {shown}")
            labels.append(f"{number} {named}")
    duplex = any(len(sheet.sides) > 1 for sheet in imposition.sheets)
    info = DocumentInfo(
        title=f"{texts('game.title')}: {part.part.title}", author=texts("game.author"),
        subject=texts("game.subject"), lang=texts.lang, creator=f"ppgen {__version__}",
        bookmarks=bookmarks, page_labels=labels, flip=request.flip if duplex else None, date=request.date)
    return draw_pages(imposition.sheets, captions, workshop.fonts), info
