"""What a game hands over to be printed, whatever its rules: the one thing that the house knows of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.engine.component import Pad, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.errors import Problem, RequestError, listed
from ppgen.games.choice import Choice
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.engine.booklets.document import Booklet
    from ppgen.engine.vision import Swatch

Parts = Callable[[Texts, Format], tuple[Part, ...]]
"""Makes the parts of a set for a card size."""
SCORE_SHEET = "score-sheet"
"""The part of a game that can be scored on which that is done by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerGame:
    """What a game hands over to be counted on the scorer page.

    ``scripts`` are the JavaScript sources that it shares with its scoring in Python, ``start`` is the function of
    ``templates/GAME/scorer/*.js`` that makes its page of ``data``; ``signs`` are the drawings by the names that these
    scripts know.
    """

    start: str
    scripts: tuple[str, ...]
    data: Mapping[str, object]
    signs: Mapping[str, FaceRequest]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game whose data have been read.

    ``folder`` is the name of its data folder, ``lang`` its first language, ``card_size`` that of its cards
    where none is asked for, ``warnings`` what its designer may want to think over.
    ``parts`` makes the parts of the set in a language, for a card size, ``score_sheet`` the one to write on, if there
    is one; ``groups`` are names for several of them at once; ``describe`` lists what is in the set; ``swatches`` gives
    the groups of colours that players must tell apart; ``rules`` writes the booklet of rules from the texts and all
    parts, for a page size and an ink.
    ``choices`` are what it makes in several ways, ``remade`` its parts where something was chosen, by the names of the
    choices; ``chosen`` are the values that are not usual.
    ``facts`` is what else a program may want to know of the set, by what it is called.
    ``scorer`` is what the scorer page counts it with, given the folder of the common locale files; ``box`` is the
    template of the tuck box, ``advice`` names sections of its own in the making guide, and ``spoken`` the tables of its
    locale files that are said and not printed.
    """

    id: str
    folder: str
    lang: str
    card_size: Format
    parts: Parts
    score_sheet: Callable[[Texts, Pad], Part] | None = None
    describe: Callable[[], list[dict[str, object]]]
    swatches: tuple[tuple[Swatch, ...], ...] = ()
    rules: Callable[[Texts, Sequence[Part], Size, str], Booklet] | None = None
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    remade: Callable[[Mapping[str, str]], Parts] | None = None
    chosen: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, object] = field(default_factory=dict)
    scorer: Callable[[Path], ScorerGame] | None = None
    box: str = ""
    advice: tuple[str, ...] = ()
    spoken: frozenset[str] = frozenset()
    warnings: tuple[Problem, ...] = ()

    def choosing(self, values: Mapping[str, str]) -> Game:
        """The game made so: ``values`` by the names of choices.

        Raises RequestError for a choice that the game does not offer, or a value that it has not.
        """
        offered = {choice.name: choice for choice in self.choices}
        problems = [Problem(place=f"--{name}", what=f"{self.id} has no choice of {name}", remedy="leave the option out")
                    if name not in offered else
                    Problem(place=f"--{name}", what=f"'{value}' is not known",
                            remedy=f"one of {listed(offered[name].values)}")
                    for name, value in values.items() if name not in offered or value not in offered[name].values]
        if problems:
            raise RequestError(problems)
        unusual = {name: value for name, value in values.items() if value != offered[name].usual}
        return replace(self, parts=self.remade(unusual), chosen=unusual) if self.remade and unusual else self

    @property
    def makings(self) -> tuple[Game, ...]:
        """The game, and as it is made with each other value of each choice."""
        return (self, *(self.choosing({choice.name: value}) for choice in self.choices for value in choice.values[1:]))
