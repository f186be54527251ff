"""Turns ``examples.toml`` into the worked examples of the rules: real positions on the map.

The rules show nothing that the scoring code did not work out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from ppgen.errors import Problems, listed
from ppgen.games.board_game.board.model import Board
from ppgen.reading.fields import Fields, read_toml

Topic = Literal["turn", "limit", "cloisters", "alliance", "chain"]
TOPICS: tuple[Topic, ...] = ("turn", "limit", "cloisters", "alliance", "chain")
SEATS = "ABCD"
"""The players of the examples, by their seat."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A cloister or a councillor: the seat of its player, from 0, and whether it was just placed."""

    seat: int
    fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A position: the cloister on each space that is not empty, by its label, and each country's councillors.

    ``lands`` are the countries that its picture shows. Of a turn, ``hand`` are the ids of the player's cards and
    ``played`` the places of those that are played, from 0; of an alliance, ``box`` is the number of its box.
    """

    id: str
    shows: Topic
    lands: tuple[str, ...]
    cloisters: Mapping[str, Piece]
    councillors: Mapping[str, tuple[Piece, ...]]
    hand: tuple[str, ...] = ()
    played: tuple[int, ...] = ()
    box: int = 0

    def spaces_of(self, seat: int) -> tuple[str, ...]:
        """The labels of the spaces with that player's cloisters."""
        return tuple(label for label, piece in self.cloisters.items() if piece.seat == seat)

    def held(self, board: Board, country: str) -> tuple[int, ...]:
        """How many cloisters each player has in a country."""
        counts = Counter(piece.seat for label, piece in self.cloisters.items() if label in board.labels[country])
        return tuple(counts[seat] for seat in range(len(SEATS)))

    def court(self, country: str) -> tuple[int, ...]:
        """How many councillors each player has in a country."""
        counts = Counter(piece.seat for piece in self.councillors.get(country, ()))
        return tuple(counts[seat] for seat in range(len(SEATS)))


def read_examples(folder: Path, board: Board) -> tuple[Example, ...]:
    """The examples of a data folder. Raises InputError with every problem: spaces that the map has not, most likely."""
    problems = Problems()
    top = read_toml(folder, "examples.toml", problems)
    examples = tuple(_example(row, board) for row in top.take_tables("examples"))
    top.close()
    problems.raise_if_any()
    return examples


def _example(row: Fields, board: Board) -> Example:
    shows = cast(Topic, row.take_choice("shows", TOPICS))
    countries = [country.id for country in board.countries]
    lands = tuple(_known(row, "lands", row.take_texts("lands"), countries))
    cloisters: dict[str, Piece] = {}
    for country, letters in _letters(row, "spaces", countries).items():
        labels = board.labels[country]
        if len(letters) != len(labels):
            row.note("spaces", f"{country}: {len(letters)} letters, but there are {len(labels)} spaces",
                     "one letter a space, . for an empty one")
        cloisters |= {label: piece for label, letter in zip(labels, letters, strict=False)
                      if letter != "." and (piece := _piece(row, "spaces", letter))}
    councillors = {country: tuple(piece for letter in letters if (piece := _piece(row, "councillors", letter)))
                   for country, letters in _letters(row, "councillors", countries).items()}
    hand: tuple[str, ...] = ()
    played: tuple[int, ...] = ()
    box = 0
    if shows == "turn":
        hand = tuple(_known(row, "hand", row.take_texts("hand"), [kind.id for kind in board.cards]))
        found = row.raw("played")
        if not isinstance(found, list) or not all(n in range(1, len(hand) + 1) for n in found):
            row.note("played", "is not a list of cards of the hand", f"numbers from 1 to {len(hand)}")
        else:
            played = tuple(n - 1 for n in found)
    if shows == "alliance":
        box = row.take_int("box", 1, len(board.alliances))
    example = Example(id=row.take_text("id"), shows=shows, lands=lands, cloisters=cloisters, councillors=councillors,
                      hand=hand, played=played, box=box)
    row.close()
    return example


def _letters(row: Fields, key: str, countries: list[str]) -> dict[str, str]:
    """A text for each country."""
    if not row.is_table(key):
        return {}
    table = row.take_table(key)
    found = {country: table.take_text(country) for country in table}
    table.close()
    return {country: found[country] for country in _known(row, key, tuple(found), countries)}


def _known(row: Fields, key: str, names: tuple[str, ...], known: list[str]) -> list[str]:
    """Those of the names that are known; the others are noted."""
    for name in names:
        if name not in known:
            row.note(key, f"{name!r} is not known", f"known: {listed(known)}")
    return [name for name in names if name in known]


def _piece(row: Fields, key: str, letter: str) -> Piece | None:
    if letter.upper() not in SEATS:
        row.note(key, f"{letter!r} is no player", f"{SEATS[0]} to {SEATS[-1]}, or a small letter for a new piece")
        return None
    return Piece(SEATS.index(letter.upper()), letter.islower())
