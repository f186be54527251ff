"""Turns games and their assets into everything that the scorer page is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ppgen.engine.drawing.face import Face
from ppgen.engine.forms.font_cuts import cut
from ppgen.errors import InputError, Problem, Problems, RequestError, listed
from ppgen.games.game import ScorerGame
from ppgen.production.manifest import Json
from ppgen.production.workshop import Workshop
from ppgen.reading.fields import read_source
from ppgen.reading.texts import Texts, languages

HOME = Path("scorer")
"""Where the page's templates are: below the templates folder, and below that of each game."""
SPOKEN = "scorer."
"""How the keys of the page's own texts begin."""
PLAIN = "".join(map(chr, range(0x20, 0x7F)))
_KEY = re.compile(r'"([a-z_]+\.[\w.]+)"|`([a-z_]+\.(?:[^`$]|\$\{[^}]*\})*)`')
_HOLE = re.compile(r"\$\{[^}]*\}")
_ID = re.compile(r"""(\bid="|href="\#|url\(\#)""")
_ROOT = re.compile(r"<svg[^>]*>(.*)</svg>\s*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a page is made of.

    ``skeleton`` is its HTML with ``{{places}}``, ``worker`` the service worker; ``texts`` are the words by language and
    game (the house's under ""), ``signs`` drawn faces by name, ``starts`` the functions that make the games' pages of
    their ``data``; ``font`` is a TrueType program with the letters of titles.
    """

    skeleton: str
    worker: str
    styles: Sequence[str]
    scripts: Sequence[str]
    starts: Sequence[str]
    data: Mapping[str, Json]
    texts: Mapping[str, Mapping[str, Mapping[str, str]]]
    names: Mapping[str, str]
    signs: Mapping[str, Face]
    font: bytes


def gather(workshops: Sequence[Workshop]) -> Material:
    """Read and draw what the page of these games needs, in all their languages.

    Raises InputError with what is wrong with texts and templates, RequestError for a game that has no page.
    """
    games = {workshop.game.id: _page_of(workshop) for workshop in workshops}
    folders = [Path(workshop.game.folder) / HOME for workshop in workshops]
    texts = {lang: {workshop.game.id: workshop.texts(lang) for workshop in workshops} for lang in _languages(workshops)}
    scripts = list(dict.fromkeys(source for page in games.values() for source in page.scripts))
    scripts += [text for folder in (HOME / "script", *folders) for text in _files(workshops[0], folder, "js")]
    words = _words(texts, _said(scripts))
    return Material(
        skeleton=_read(workshops[0], HOME, "page.html"), worker=_read(workshops[0], HOME, "worker.js"),
        styles=[text for folder in (HOME / "style", *folders) for text in _files(workshops[0], folder, "css")],
        scripts=scripts,
        starts=[page.start for page in games.values()],
        data={game: dict(page.data) for game, page in games.items()}, texts=words,
        names={lang: next(iter(own.values()))("language.name") for lang, own in texts.items()},
        signs=_drawn(workshops, games), font=_title_font(workshops[0], words.values()))


def svg_of(face: Face, name: str) -> str:
    """The face's drawing as a symbol of this name. What is named in it is named after it."""
    match = _ROOT.fullmatch(face.svg)
    assert match, f"{name} is no SVG"
    inside = _ID.sub(lambda found: f"{found[1]}{name}.", match[1])
    inside = re.sub(r">\s+<", "><", re.sub(r"\s+", " ", inside)).strip()
    return f'<symbol id="{name}" viewBox="0 0 {face.size.width:g} {face.size.height:g}">{inside}</symbol>'


def _page_of(workshop: Workshop) -> ScorerGame:
    if not workshop.game.scorer:
        raise RequestError([Problem(place="--game", what=f"'{workshop.game.id}' can't be counted on the page",
                                    remedy="choose a game that ppgen score knows")])
    return workshop.game.scorer(workshop.assets.common("locales"))


def _languages(workshops: Sequence[Workshop]) -> tuple[str, ...]:
    """The languages that all the games have."""
    known = [languages(each.assets.game(each.game.folder) / "locales") for each in workshops]
    common = tuple(lang for lang in known[0] if all(lang in each for each in known))
    if not common:
        raise InputError([Problem(place="locales", what="the games have no language in common",
                                  remedy=f"add the missing ones of {listed(known[0])}")])
    return common


def _said(scripts: Iterable[str]) -> Callable[[str], bool]:
    """Whether these scripts say the text of a key: they quote it, or put it together (``tally.${row}``)."""
    quoted: set[str] = set()
    made: set[str] = set()
    for script in scripts:
        for whole, parts in _KEY.findall(script):
            if whole:
                quoted.add(whole)
            else:
                made.add(".*".join(map(re.escape, _HOLE.split(parts))))
    pattern = re.compile("|".join(sorted(made)) or "(?!)")
    return lambda key: key.startswith(SPOKEN) or key in quoted or bool(pattern.fullmatch(key))


def _words(texts: Mapping[str, Mapping[str, Texts]],
           said: Callable[[str], bool]) -> dict[str, dict[str, dict[str, str]]]:
    """The words that are said, by language and game: those that are the same in all games under ""."""
    own = {lang: {game: {key: words for key, words in each.words.items() if said(key)} for game, each in games.items()}
           for lang, games in texts.items()}
    alike = [{key for key in next(iter(games.values())) if len({each.get(key) for each in games.values()}) == 1}
             for games in own.values()]
    common = set.intersection(*alike)
    return {lang: {"": {key: words for key, words in next(iter(games.values())).items() if key in common},
                   **{game: {key: words for key, words in each.items() if key not in common}
                      for game, each in games.items()}} for lang, games in own.items()}


def _files(workshop: Workshop, folder: Path, ending: str) -> list[str]:
    """The modules of a templates folder in the order of their names."""
    home = _home(workshop, folder)
    return [read_source(home, path.name).text for path in sorted(home.glob(f"*.{ending}"))]


def _read(workshop: Workshop, folder: Path, name: str) -> str:
    return read_source(_home(workshop, folder), name).text


def _home(workshop: Workshop, folder: Path) -> Path:
    """One's own folder of that name, else the shipped one."""
    own = workshop.assets.templates / folder
    return own if own.is_dir() else workshop.assets.common_templates / folder


def _drawn(workshops: Sequence[Workshop], games: Mapping[str, ScorerGame]) -> dict[str, Face]:
    """The signs of all the games, each name from the first that has it. Raises InputError with every problem."""
    problems, found = Problems(), dict[str, Face]()
    for workshop in workshops:
        studio = replace(workshop.studio(workshop.texts(workshop.game.lang), "full"), marked=False)
        for name, request in games[workshop.game.id].signs.items():
            if name not in found:
                try:
                    found[name] = studio.draw(request, 0, f"[scorer {name}]")
                except InputError as error:
                    problems.extend(error.problems)
    problems.raise_if_any()
    return found


def _title_font(workshop: Workshop, words: Iterable[Mapping[str, Mapping[str, str]]]) -> bytes:
    """The title font with the letters of all texts but digits: its 1 reads as an I."""
    letters = {*PLAIN, *(letter for each in words for table in each.values() for text in table.values()
                         for letter in text)}
    font = workshop.fonts.styles["title"][0]
    return cut(font, sorted(letter for letter in letters if not letter.isdigit())).program
