"""Rules of own decks: Markdown in a file beside ``deck.toml``, or the older texts in ``rules/``, as a booklet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from math import ceil, fsum
from pathlib import Path

from ppgen.engine.booklets.booklet import (BOOKLET_MARGIN, Block, Booklet, BookletPicture, BookletTable, Contents,
                                           Cover, Figure, FinishedBooklet, Gallery, Heading, InlinePicture, Mention,
                                           Span, TextLine, column_width, map_lines)
from ppgen.engine.booklets.markdown import read_markdown
from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import INCH, Rect, Size
from ppgen.engine.pictures.picture import MAX_FILE_BYTES, PictureError
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.errors import Phrase, Problems, join_names
from ppgen.games.own_deck.deck import ABOUT_FILE, ICON, PICTURE, to_id
from ppgen.reading.fields import read_inside, read_source
from ppgen.reading.tables import plain_heading
from ppgen.reading.texts import Texts
from ppgen.records import replace

MAX_RUNNING_TITLE = 60  # characters of the title at the foot of each page

PICTURE_PIECES = 5  # pieces in the picture of a part, evenly spread over it
GAP_MM = 4.0  # distance of the pieces in a picture
MAX_SCALE, MIN_SCALE = 0.55, 0.25  # scale of the pieces in a picture; a row that would be smaller becomes two
MAX_PICTURE_SHARE = 0.48  # height of a figure in parts of the page's text
MIN_PICTURE_DPI = 110  # a picture of few pixels is shown smaller than the page
CELL_PICTURE_MM = 17.0  # height of a figure in a table
ICON_HEIGHT, PIECE_HEIGHT = 1.05, 1.9  # height of icons and of pieces in a line, in parts of the size of its letters
USUAL_PIECE_MM = 88.9  # a picture beside pieces is as high as such a one
MIN_CONTENTS_HEADINGS, MIN_CONTENTS_LENGTH = 5, 12_000
"""Rules of so many chapters and characters have a table of contents; a wide character counts as three."""


def rules_of_file(folder: Path, files: Mapping[str, str], version: str, texts: Texts, parts: Sequence[Part],
                  page: Size, ink: str) -> Booklet | FinishedBooklet:
    """Make the booklet of a language's file: Markdown, or a finished PDF. Raises InputError with every problem."""
    name = files[texts.lang]
    if not name.lower().endswith(".pdf"):
        return rules_of_markdown(folder, files, version, texts, parts, page, ink)
    return FinishedBooklet(title=f"{texts('game.title')}: {texts('rules.book.name')}", lang=texts.lang, name=name,
                           content=read_inside(folder, name, MAX_FILE_BYTES))


def rules_of_markdown(folder: Path, files: Mapping[str, str], version: str, texts: Texts, parts: Sequence[Part],
                      page: Size, ink: str) -> Booklet:
    """Make the booklet of a language's file. Raises InputError with every problem."""
    problems = Problems()
    source = read_source(folder, files[texts.lang])
    text = read_markdown(source, problems)
    resolver = _Resolver(parts, PictureFolder(folder), page, problems)
    blocks = tuple(resolver.blocks(text.blocks, column_width(page)))
    problems.sort(key=lambda problem: problem.line)
    problems.raise_if_any()
    name, game = texts("rules.book.name"), texts("game.title")
    title = text.title or game
    cover = Cover(art=None, title=title, subtitle=name if title == game else "", facts=texts("game.author"))
    length = sum(3 if letter >= "\u3000" else 1 for letter in source.text)
    chapters = sum(isinstance(block, Heading) and block.level == 1 for block in blocks)
    is_long = chapters >= MIN_CONTENTS_HEADINGS and length >= MIN_CONTENTS_LENGTH
    full_title = title if plain_heading(name) in plain_heading(title) else f"{title}: {name}"
    foot = title if len(title) <= MAX_RUNNING_TITLE else f"{title[:MAX_RUNNING_TITLE - 1]}…"
    return Booklet(title=full_title, running=f"{foot} · {version or name}", lang=texts.lang, page=page,
                   blocks=(cover, *((Contents(),) if is_long else ()), *blocks), author=texts("game.author"), ink=ink,
                   source=source, warnings=tuple(resolver.warnings))


def about_deck(folder: Path, texts: Texts, parts: Sequence[Part], page: Size) -> Booklet:
    """Read ``about.LANG.md`` or ``about.md``, a page about the deck, as a booklet. Raises InputError."""
    own = f"{Path(ABOUT_FILE).stem}.{texts.lang}.md"
    name = own if (folder / own).is_file() else ABOUT_FILE
    spoken = replace(texts, words={**texts.words, "rules.book.name": ""})
    return rules_of_markdown(folder, {texts.lang: name}, "", spoken, parts, page, "full")


class _Resolver:
    """Exchanges what a text mentions for pictures of it, as large as there is room for."""

    def __init__(self, parts: Sequence[Part], pictures: PictureFolder, page: Size, problems: Problems) -> None:
        self._parts = {part.name: part for part in parts if not part.is_full_page}
        self._pieces = {piece.id: piece for part in self._parts.values() for piece in part.components}
        self._titles = {plain_heading(piece.title): piece for piece in reversed(self._pieces.values()) if piece.title}
        self._pictures, self._problems, self.warnings = pictures, problems, Problems()
        self._max_height = MAX_PICTURE_SHARE * (page.height - 2 * BOOKLET_MARGIN)

    def blocks(self, blocks: Iterable[Block], room: float) -> Iterator[Block]:
        for block in blocks:
            match block:
                case Gallery():
                    figure = self._figure(block, room, self._max_height)
                    yield from (figure,) if figure else ()
                case BookletTable():
                    yield replace(block, head=tuple(map(self._line, block.head)), rows=tuple(
                        tuple(self._cell(cell, room / max(len(row), 2)) for cell in row) for row in block.rows))
                case _:
                    yield map_lines(block, lambda line, less: self._line(line),
                                    lambda inner, less: tuple(self.blocks(inner, room - less)))

    def _cell(self, cell: TextLine | Figure | Gallery, room: float) -> TextLine | Figure | Gallery:
        if isinstance(cell, Gallery):
            return self._figure(cell, room, CELL_PICTURE_MM, is_tight=True) or ()
        return cell if isinstance(cell, Figure) else self._line(cell)

    # Lines

    def _line(self, line: TextLine) -> TextLine:
        return tuple(chain.from_iterable(
            self._inline(span.shown, span) if isinstance(span.shown, Mention) else (span,) for span in line))

    def _inline(self, mention: Mention, span: Span) -> Iterator[Span]:
        for request, alt in self._find(mention, span.words):
            is_icon = request.template == ICON
            height = ICON_HEIGHT if is_icon else PIECE_HEIGHT
            yield replace(span, words=alt, shown=InlinePicture(request, height, is_icon))

    # Figures

    def _figure(self, gallery: Gallery, room: float, max_height: float, is_tight: bool = False) -> Figure | None:
        """Show things in rows of the same scale; pictures alone are as large as the room or their pixels allow."""
        found = [each for mention, words in gallery.things for each in self._find(mention, words)]
        if not found:
            return None
        things, alts = zip(*found, strict=True)
        are_pictures = all(request.template == PICTURE for request in things)
        caption = (Span(gallery.caption),) if gallery.caption else ()
        return draw_rows(things, room, max_height, ", ".join(dict.fromkeys(alts)), caption,
                         1.0 if are_pictures else MAX_SCALE, is_tight)

    # What is mentioned

    def _find(self, mention: Mention, words: str) -> Iterator[tuple[FaceRequest, str]]:
        """The faces to show, each with its description. Notes what is not found."""
        match mention.kind:
            case "card":
                if piece := self._piece(mention):
                    yield piece.front, piece.title or piece.id
            case "part":
                if part := self._parts.get(to_id(mention.name)):
                    stride = max(1, len(part.components) // PICTURE_PIECES)  # a few, evenly spread over it
                    yield from ((piece.front, piece.title or piece.id)
                                for piece in part.components[::stride][:PICTURE_PIECES])
                else:
                    self._note_missing(mention, "part", self._parts)
            case "picture" | "icon":
                yield from self._picture(mention, words)

    def _piece(self, mention: Mention) -> Component | None:
        piece = self._pieces.get(to_id(mention.name)) or self._titles.get(plain_heading(mention.name))
        if not piece:
            self._note_missing(mention, "card", [*self._pieces, *self._titles])
        return piece

    def _note_missing(self, mention: Mention, what: str, known: Iterable[str]) -> None:
        near = get_close_matches(mention.name.lower(), known, n=1)
        few = join_names([*known][:12])
        self._problems.append(mention.spot.problem(f"there is no {what} '{mention.name[:80]}'",
                                                   f"did you mean :{what}[{near[0]}]?" if near else
                                                   Phrase("known", message=few)))

    def _picture(self, mention: Mention, words: str) -> Iterator[tuple[FaceRequest, str]]:
        is_icon = mention.kind == "icon"
        name = f"{{{mention.name}}}" if is_icon else mention.name
        try:
            picture = self._pictures.find(name)
        except PictureError as error:
            self._problems.append(mention.spot.problem(str(error), error.remedy))
            return
        if not words:
            self.warnings.append(mention.spot.problem(
                f"the picture {mention.name} has no description", "write ![what it shows](…): screen readers say it"))
        height = USUAL_PIECE_MM
        if not picture.is_drawing and not is_icon:
            height = picture.height / MIN_PICTURE_DPI * INCH
        size = Size(height * picture.aspect, height)
        yield (FaceRequest(template=ICON if is_icon else PICTURE, size=size, values={"picture": name},
                           key=mention.name), words or Path(mention.name).stem)


def draw_rows(things: Sequence[FaceRequest], room: float, max_height: float, alt: str, caption: TextLine = (),
              max_scale: float = MAX_SCALE, is_tight: bool = False) -> Figure:
    """Draw faces in a row as large as the room allows, or in several rows; a tight figure is no wider."""
    def scale_of(row: Sequence[FaceRequest]) -> float:
        return (room - GAP_MM * (len(row) - 1)) / fsum(thing.size.width for thing in row)

    count = 1
    while count < len(things) and scale_of(things[:ceil(len(things) / count)]) < MIN_SCALE:
        count += 1
    length = ceil(len(things) / count)
    rows = [things[at:at + length] for at in range(0, len(things), length)]
    heights = [max(thing.size.height for thing in row) for row in rows]
    scale = min(*map(scale_of, rows), max_scale, (max_height - GAP_MM * (len(rows) - 1)) / fsum(heights))
    widths = [fsum(thing.size.width for thing in row) * scale + GAP_MM * (len(row) - 1) for row in rows]
    room, parts, top = max(widths) if is_tight else room, [], 0.0
    for row, width, height in zip(rows, widths, heights, strict=True):
        x = (room - width) / 2
        for thing in row:
            box = Rect(x, top + (height - thing.size.height) * scale / 2, thing.size.width * scale,
                       thing.size.height * scale)
            is_picture = thing.template == PICTURE
            parts.append(BookletPicture(request=thing, box=box, corner=0.0 if is_picture else 2.5 * scale,
                                        outline=not is_picture))
            x = box.right + GAP_MM
        top += height * scale + GAP_MM
    return Figure(size=Size(room, top - GAP_MM), parts=tuple(parts), alt=alt, caption=caption)
