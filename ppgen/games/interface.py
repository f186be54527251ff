"""Interface of a game: everything that the rest of ppgen knows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.engine.component import Pad, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Format, Size
from ppgen.errors import Problem, RequestError, join_names
from ppgen.games.game_kind import Choice
from ppgen.reading.texts import Texts
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    from ppgen.engine.adoption.adopted_drawing import AdoptedDrawing
    from ppgen.engine.booklets.booklet import Booklet
    from ppgen.engine.colours import Swatch
    from ppgen.engine.drawing.fonts import FontBook
    from ppgen.games.table_setup import TableGame

Parts = Callable[[Texts, Format], tuple[Part, ...]]  # makes the parts of a set for a language and a card size
SCORE_SHEET = "score-sheet"  # name of the part for scoring by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerGame:
    """A game on the scorer page."""

    start: str  # function of `templates/GAME/scorer/*.js` that makes the page from the data
    scripts: tuple[str, ...]  # JavaScript twins of its scoring in Python
    data: Mapping[str, object]
    signs: Mapping[str, FaceRequest]  # drawings by their names in these scripts
    words: Callable[[str], Texts] | None = None  # its texts in a language, unless they are in its files


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckFolder:
    """Additions of a deck of one's own, which is made of tables and templates alone."""

    words: Mapping[str, str]  # texts that its data give
    made: Mapping[str, str]  # templates in place of its drawings and pictures
    drawings: Mapping[str, AdoptedDrawing]  # how these were understood
    values: Callable[[Texts], Mapping[str, object]]  # of all its templates, from the texts of a language
    rules: tuple[str, ...] = ()  # their languages
    about: Callable[[Texts, Sequence[Part], Size], Booklet] | None = None  # the text about the deck
    version: str = ""  # printed on its sheets
    missing_signs: Callable[[FontBook], Mapping[str, Problem]] = lambda fonts: {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game whose data have been read."""

    id: str
    folder: str  # name of its data folder
    lang: str  # its first language
    card_size: Format  # the default
    parts: Parts  # makes the parts of the set
    score_sheet: Callable[[Texts, Pad], Part] | None = None  # the part to write on
    describe: Callable[[], list[dict[str, object]]]  # lists its components
    swatches: tuple[tuple[Swatch, ...], ...] = ()  # groups of colours to tell apart
    rules: Callable[[Texts, Sequence[Part], Size, str], Booklet] | None = None
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # names for several parts at once
    choices: tuple[Choice, ...] = ()  # versions that it offers
    remade: Callable[[Mapping[str, str]], Parts] | None = None  # its parts by the values of choices
    chosen: Mapping[str, str] = field(default_factory=dict)  # values other than the defaults
    facts: Mapping[str, object] = field(default_factory=dict)  # further ones for programs
    large_sizes: Mapping[str, Size] = field(default_factory=dict)  # least ones of parts in large print
    scorer: Callable[[Path], ScorerGame] | None = None  # its scorer page, from the folder of the common texts
    table: Callable[[], TableGame]  # how it lies on the table of `ppgen export table`
    box: str = ""  # template of the tuck box
    loose_box: bool = False  # another for pieces that don't lie flat
    advice: tuple[str, ...] = ()  # its own sections of the making guide
    spoken: frozenset[str] = frozenset()  # tables of its locale files that are not printed
    warnings: tuple[Problem, ...] = ()  # advice for its designer
    deck: DeckFolder | None = None  # what only a deck of one's own has

    def with_choices(self, values: Mapping[str, str]) -> Game:
        """Return the game with values by the names of choices. Raises RequestError for those not on offer."""
        offered = {choice.name: choice for choice in self.choices}
        problems = [Problem(f"--{name}", Phrase("no_choice", game=self.id, name=name), Phrase("without_option"))
                    if name not in offered else
                    Problem(f"--{name}", Phrase("unknown_value", value=value),
                            Phrase("one_of", message=join_names(offered[name].values)))
                    for name, value in values.items() if name not in offered or value not in offered[name].values]
        if problems:
            raise RequestError(problems)
        unusual = {name: value for name, value in values.items() if value != offered[name].usual}
        return replace(self, parts=self.remade(unusual), chosen=unusual) if self.remade and unusual else self

    @property
    def version(self) -> str:
        """The version of a deck, printed on its sheets; empty for others."""
        return self.deck.version if self.deck else ""

    @property
    def chosen_words(self) -> tuple[str, ...]:
        """The words for the values of :attr:`chosen` in the names of files."""
        offered = {choice.name: choice for choice in self.choices}
        return tuple(offered[name].file_word(value) for name, value in self.chosen.items())

    @property
    def makings(self) -> tuple[Game, ...]:
        """The game with the default values, and with each other value of each choice."""
        return (self, *(self.with_choices({choice.name: value})
                        for choice in self.choices for value in choice.values[1:]))
