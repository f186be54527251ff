"""Turns a data folder into a game that can be printed: its data, fonts and templates read; and that into its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ppgen import __version__
from ppgen.assets import Assets
from ppgen.documents.names import BOOKLETS, BOX, CALIBRATION, GUIDE, RULES, has_words, missing
from ppgen.documents.pack import USUAL, Pack
from ppgen.engine.component import Pad, Part, Stock
from ppgen.engine.drawing.faces import Studio, helpers
from ppgen.engine.drawing.font_files import read_fonts
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.memory import Memory
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.formats import Format
from ppgen.engine.imposition.impose import page_area
from ppgen.engine.imposition.values import SheetSpec
from ppgen.errors import InputError, Problem, Problems, shown_path
from ppgen.games.catalogue import open_game, owners, usual_game
from ppgen.games.game import SCORE_SHEET, Game
from ppgen.production.selection import check_names, selected, spelled_out
from ppgen.reading.texts import Texts, draft_texts

MAX_PIECES = 10_000
"""The most pieces of a build, all copies together: some 600 sheets."""
LEAST_PAGE = 5.0
"""On less (mm) nobody writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSet:
    """The parts to print, the booklets by name, and what was left out (paper too small, no words), with the reason."""

    parts: tuple[Part, ...]
    booklets: tuple[str, ...] = ()
    left_out: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """A game with its data read, and the fonts and templates to print it with.

    With a ``memory`` no face is drawn twice.
    """

    game: Game
    assets: Assets
    fonts: FontBook
    templates: TemplateSet
    memory: Memory | None = None

    @classmethod
    def open(cls, assets: Assets, skin: str = "", game: str = "", choices: Mapping[str, str] | None = None) -> Workshop:
        """Read the data of the game (by its name, if there are several) and the fonts; ``choices`` is what of the game
        to make in which way.

        Raises InputError with the problems of both, RequestError for a game that is not there, or has no such choice.
        """
        folders = assets.template_folders(skin)
        problems = Problems()
        with problems.gathering():
            found = open_game(assets, game).choosing(choices or {})
        with problems.gathering():
            fonts = read_fonts(assets.common("fonts"))
        problems.raise_if_any()
        templates = TemplateSet(folders, helpers(fonts), assets.common_templates)
        return cls(game=found, assets=assets, fonts=fonts, templates=templates)

    @property
    def apart(self) -> str:
        """What tells the game's files from those of others of its data folder: its name, if it had to be named."""
        return "" if usual_game(self.assets) == self.game.id else self.game.id

    @property
    def makings(self) -> tuple[Workshop, ...]:
        """This one, and those with the game as it is made with each other value of each choice."""
        return (self, *(replace(self, game=game) for game in self.game.makings[1:]))

    @property
    def booklets(self) -> tuple[str, ...]:
        """The booklets that the set may have."""
        return BOOKLETS if self.game.rules else (GUIDE,)

    def texts(self, lang: str) -> Texts:
        """The texts of a language; booklets may be without. Raises InputError."""
        texts, problems = self.draft(lang)
        problems.raise_if_any()
        return texts

    def draft(self, lang: str) -> tuple[Texts, Problems]:
        """The texts of a language as far as they are right, and what is wrong with them.

        Raises InputError for files that can't be read at all.
        """
        booklets = [folders for folders in self.written.values()
                    if all((folder / f"{lang}.toml").is_file() for folder in folders)]
        locales = self.assets.common("locales"), self.assets.game(self.game.folder) / "locales"
        return draft_texts(lang, (*locales, *(folder for folders in booklets for folder in folders)), self.game.lang)

    @property
    def written(self) -> dict[str, tuple[Path, ...]]:
        """The folders with the words of each booklet, a file for each language in all of them."""
        game = self.assets.game(self.game.folder)
        return {RULES: (game / "rules",),
                GUIDE: (self.assets.common("guide"), *((game / "guide",) if self.game.advice else ()))}

    def studio(self, texts: Texts, ink: str) -> Studio:
        """Where the game's faces are drawn in a language."""
        return Studio(templates=self.templates, fonts=self.fonts, ink=ink, common={"t": texts, "version": __version__},
                      memory=self.memory)

    def parts(self, texts: Texts, card_size: Format, spec: SheetSpec, wanted: tuple[str, ...],
              pack: Pack = USUAL, pad: Pad | None = None) -> PartSet:
        """The parts of the set, or the wanted ones and pieces; ``pack`` is how the cards go into the box, ``pad``
        how pages to write on are wanted, if not one to a page.

        Raises RequestError for a part that the set has not, InputError for a wanted one that does not fit.
        """
        room = page_area(spec)
        pad = pad or Pad(room=room)
        if min(pad.room.width, pad.room.height) < LEAST_PAGE:
            raise InputError([Problem(
                place="--paper", what=f"no room is left between margins of {spec.margin:g} mm on {spec.paper.name}"
                + (f" for {pad.abreast} to a page" if pad.abreast > 1 else ""),
                remedy="choose a larger paper, or a smaller --margin")])
        parts = list(self.game.parts(texts, card_size))
        texts(f"parts.{BOX}")  # asked for by every set, as ppgen check names the texts that nobody asks for
        colours = self.game.swatches
        documents: dict[str, Callable[[], Part]] = {
            CALIBRATION: lambda: _calibration(texts, spec, room, colours, self.apart)}
        if self.game.box and any(part.stock is Stock.CARD for part in parts):
            boxed, cut_room, rules = tuple(parts), page_area(spec, cut_out=True), bool(self.game.rules)
            documents = {BOX: lambda: _tuck_box(texts, self.game.box, boxed, pack, cut_room, rules), **documents}
        wanted = spelled_out(wanted, self.game.groups)
        sheet = self.game.score_sheet
        others = (*self.game.groups, *((SCORE_SHEET,) if sheet else ()), *documents, *self.booklets)
        check_names(wanted, parts, others, "the set has no part '{name}'", owners(self.assets))
        booklets = tuple(name for name in self.booklets if not wanted or name in wanted)
        wordless = missing(texts, booklets)
        if wanted and wordless:
            raise InputError(wordless)
        left_out = [replace(problem, what=f"left out: {problem.what}") for problem in wordless]
        if sheet and (not wanted or SCORE_SHEET in wanted):
            parts.append(sheet(texts, pad))
        for name, document in documents.items():
            if not wanted or name in wanted:
                try:
                    parts.append(document())
                except InputError as error:
                    if wanted:
                        raise
                    left_out += (replace(problem, what=f"left out: {problem.what}") for problem in error.problems)
        chosen = selected(parts, wanted)
        pieces = sum(component.copies for part in chosen for component in part.components)
        if pieces > MAX_PIECES:
            raise InputError([Problem(place=shown_path(self.assets.game(self.game.folder)),
                                      what=f"has {pieces:,} pieces with all their copies, more than {MAX_PIECES:,}",
                                      remedy="print fewer copies at once, or some parts with --only")])
        return PartSet(parts=chosen,
                       booklets=tuple(name for name in booklets if has_words(texts, name)), left_out=tuple(left_out))


def _calibration(*asked: Any) -> Part:
    from ppgen.documents.calibration import calibration  # only for who prints it

    return calibration(*asked)


def _tuck_box(*asked: Any) -> Part:
    from ppgen.documents.tuck_box import tuck_box

    return tuck_box(*asked)
