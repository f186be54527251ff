"""Turns albums and problems into the page that shows them: HTML that is whole without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template

from ppgen.engine.geometry import Size
from ppgen.engine.units import INCH
from ppgen.errors import Problem
from ppgen.preview.album import Album, Piece, Section
from ppgen.preview.darkroom import MOST_PIXELS, pixels
from ppgen.preview.pages import Page

SCREEN_DPI = 96
"""The pixels an inch of a screen, as style sheets count them (CSS Values 3, 5.2)."""
DPIS = (96, 192, 384)
"""What pictures are made at; the browser chooses by its screen and the zoom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the page says beside its pictures: the number of the look, what was told of it, what is wrong."""

    number: int
    said: str = ""
    problems: tuple[Problem, ...] = ()


def faces_page(albums: Sequence[Album], shown: Album | None, words: Words) -> str:
    """The page of an album's faces."""
    sections = "\n".join(_faces(section) for section in shown.sections) if shown else ""
    if not sections:
        sections = ('<p class="nothing">' + ("What you asked for has no faces. Look at its pages." if shown else
                                            "Nothing has been drawn yet.") + "</p>")
    return _page("faces", albums, shown, words, sections)


def pages_page(albums: Sequence[Album], shown: Album | None, pages: Sequence[Page], words: Words) -> str:
    """The page of the pages that would be printed of an album."""
    parts = dict.fromkeys(page.part for page in pages)
    titles = {page.part: page.title for page in pages}
    titles |= {section.name: section.title for section in shown.sections} if shown else {}
    two_sided = {page.part for page in pages if page.side == "back"}
    sections = "\n".join(_section(part, titles.get(part, ""), "", [
        _figure(f"{page.part} {page.number}", page.name,
                f"{page.number} <small>{page.side if part in two_sided else ''}</small>",
                [_img("front", page.negative.key, page.negative.size, f"{page.part}, page {page.number}")])
        for page in pages if page.part == part]) for part in parts)
    return _page("pages", albums, shown, words, sections)


def picture_path(key: str, dpi: int) -> str:
    return f"/picture/{key}-{dpi}.png"


def dpis_for(size: Size) -> tuple[int, ...]:
    """At how many pixels an inch a picture of so many mm may be had."""
    return tuple(dpi for dpi in DPIS if pixels(size, dpi) <= MOST_PIXELS) or (36,)


def _page(view: str, albums: Sequence[Album], shown: Album | None, words: Words, sections: str) -> str:
    home = f"/{shown.id}" if shown else ""
    views = (("faces", "Faces"), ("pages", "Pages"))
    template = Template((files("ppgen.preview") / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        number=words.number, view=view, lang=escape(shown.lang if shown else "en"),
        title=escape(shown.title if shown else "ppgen preview"), facts=escape(shown.facts if shown else ""),
        views="\n".join(_link(f"/{name}{home}", title, name == view) for name, title in views),
        sets="\n".join(_link(f"/{view}/{album.id}", album.label, album is shown)
                       for album in albums) if len(albums) > 1 else "",
        said=escape(words.said), wrong="" if words.problems else "hidden", count=len(words.problems),
        problems="\n".join(map(_problem, words.problems)), sections=sections)


def _link(path: str, title: str, here: bool) -> str:
    current = ' aria-current="page"' if here else ""
    return f'<a href="{escape(path)}"{current}>{escape(title)}</a>'


def _problem(problem: Problem) -> str:
    place = f"{problem.place}:{problem.line}" if problem.line else problem.place
    key = f" <span>{escape(problem.key)}</span>" if problem.key else ""
    remedy = f" <em>{escape(problem.remedy)}</em>" if problem.remedy else ""
    return f"<li><code>{escape(place)}</code>{key} <strong>{escape(problem.what)}</strong>{remedy}</li>"


def _faces(section: Section) -> str:
    count = sum(piece.copies for piece in section.pieces)
    return _section(section.name, section.title, str(count), [_piece(piece) for piece in section.pieces])


def _section(name: str, title: str, note: str, figures: Iterable[str]) -> str:
    heading = f"{escape(title or name)} <small>{escape(note)}</small>"
    return (f'<section id="part-{escape(name)}">\n<h2>{heading}</h2>\n'
            '<div class="row">\n' + "\n".join(figures) + "\n</div>\n</section>")


def _piece(piece: Piece) -> str:
    sides = [_img("front", piece.front.key, piece.front.size, f"{piece.id}, front")]
    if piece.back:
        sides.append(_img("back", piece.back.key, piece.back.size, f"{piece.id}, back"))
    copies = f' <small class="copies">×{piece.copies}</small>' if piece.copies > 1 else ""
    return _figure(piece.id, piece.id, f"{escape(piece.id)}{copies}", sides)


def _figure(named: str, id: str, caption: str, sides: Sequence[str]) -> str:
    """A picture or two with a caption, which is HTML."""
    card = f'<span class="card">{"".join(sides)}</span>'
    if len(sides) > 1:  # the script makes the button one that turns the card over
        card = (f'<button type="button" class="turn" aria-pressed="false" title="Turn {escape(named)} over" disabled>'
                f"{card}</button>")
    return f'<figure id="{escape(id)}">{card}<figcaption>{caption}</figcaption></figure>'


def _img(side: str, key: str, size: Size, alt: str) -> str:
    width, height = (round(length / INCH * SCREEN_DPI) for length in (size.width, size.height))
    dpis = dpis_for(size)
    choice = ", ".join(f"{picture_path(key, dpi)} {round(size.width / INCH * dpi)}w" for dpi in dpis)
    return (f'<img class="{side}" alt="{escape(alt)}" width="{width}" height="{height}" loading="lazy" '
            f'decoding="async" sizes="{width}px" srcset="{choice}" src="{picture_path(key, dpis[-1])}">')
