"""Turns a set into pictures of the pages that a build would print of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from ppgen.documents.names import WORDS, has_words
from ppgen.engine.formats import Format
from ppgen.engine.pictures.rasters import page_sizes
from ppgen.errors import Problem, RequestError
from ppgen.preview.darkroom import Negative
from ppgen.preview.request import PreviewRequest
from ppgen.production.build import print_set
from ppgen.production.manifest import files_in
from ppgen.production.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of a file of the set, counted from 1; ``side`` is front or back, ``shows`` the components on it.

    ``title`` is the part's name in the language of the set, where it is a booklet.
    """

    name: str
    part: str
    title: str
    number: int
    side: str
    shows: tuple[str, ...]
    negative: Negative


def pages_of(workshop: Workshop, request: PreviewRequest, lang: str, paper: Format) -> tuple[Page, ...]:
    """The pages of a language on a paper, or those on which the named components are. Raises InputError."""
    texts = workshop.texts(lang)
    printed = print_set(request.build, workshop, texts, paper)
    contents = [file.content for file in printed.files if file.path.endswith(".pdf")]
    entries = files_in(printed.manifests)
    titles = {name: texts(key) for name, key in WORDS.items() if has_words(texts, name)}
    # Booklets are looked at page by page, as they read, not as they lie on the paper before it is folded.
    pages = tuple(page for entry, content in zip(entries, contents, strict=True)
                  if entry["part"] not in WORDS or not entry["sheets"]
                  for page in _pages(entry, content, titles.get(entry["part"], "")))
    if not request.names:
        return pages
    chosen = tuple(page for page in pages if any(fnmatchcase(id, name) for id in page.shows for name in request.names))
    if not chosen:
        raise RequestError([Problem(place="NAME", what="none of these is on a page", remedy="see ppgen list")])
    return chosen


def _pages(entry: dict[str, Any], document: bytes, title: str) -> Iterator[Page]:
    sizes = page_sizes(document)
    digits = len(str(len(sizes)))
    for side, size in zip(entry["sides"], sizes, strict=True):
        number = side["page"]
        yield Page(
            name=f"{entry['part']}-page-{number:0{digits}}", part=entry["part"], title=title, number=number,
            side=side["side"],
            shows=tuple(dict.fromkeys(placed["component"] for placed in side["placements"])),
            negative=Negative(key=f"{entry['sha256'][:24]}-{number}", size=size, document=document, page=number - 1))
