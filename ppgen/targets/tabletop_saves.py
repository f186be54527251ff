"""Exchange of pieces in a saved game of Tabletop Simulator: new pictures, names and cards, everything else as it lies.

A save is a JSON file with ``ObjectStates``; bags and decks hold further objects in ``ContainedObjects``, objects with
several states in ``States``, and things fixed to others in ``ChildObjects``. A deck lists the ``CardID`` of its cards
in ``DeckIDs``; the hundreds of such a number are the key of a sheet in ``CustomDeck``, unique in the save. Pieces are
found by their id, which ppgen writes into ``GMNotes``, else by their name. The order of keys stays.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ppgen.errors import InputError, display_path
from ppgen.reading.fields import read_bytes, refuse_file
from ppgen.targets.tabletop_objects import State, object_guid

MAX_SAVE_BYTES = 100_000_000
MAX_OBJECTS, MAX_DEPTH = 200_000, 60  # objects in a save, and how deep they may lie in each other
DECKS, CARDS = ("Deck", "DeckCustom"), ("Card", "CardCustom")
INFINITE_BAG = "Infinite_Bag"
PICTURES = {"CustomImage": ("ImageURL", "ImageSecondaryURL"), "CustomMesh": ("MeshURL", "DiffuseURL")}


# --- Files ---

@dataclass(kw_only=True)
class TableSave:
    """A saved game that was read; ``document`` is changed in place."""

    path: Path
    original: bytes
    document: State

    @classmethod
    def read(cls, path: Path) -> TableSave:
        """Read a saved game. Raises InputError for anything else."""
        data = read_bytes(path, MAX_SAVE_BYTES, "it is not a saved game")
        try:
            document = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise refuse_file(path, "is not a saved game of Tabletop Simulator: not JSON",
                              "name a file of its folder Saves") from error
        if not isinstance(document, dict) or not isinstance(document.get("ObjectStates"), list):
            raise refuse_file(path, "is not a saved game of Tabletop Simulator: it has no ObjectStates",
                              "name a file of its folder Saves")
        return cls(path=path, original=data, document=document)

    @property
    def is_changed(self) -> bool:
        return bool(json.loads(self.original) != self.document)

    def dump(self) -> bytes:
        """Write the save, in ASCII. Raises InputError for one that JSON can't express."""
        try:
            return json.dumps(self.document, indent=2, allow_nan=False).encode()
        except (ValueError, RecursionError) as error:
            raise refuse_file(self.path, "is nested too deep, or has infinite numbers",
                              "name a saved game of Tabletop Simulator") from error

    def backup_name(self) -> str:
        """The name of a copy beside the file, which does not exist yet."""
        number = 1
        while (self.path.parent / (name := f"{self.path.name}.bak{number if number > 1 else ''}")).exists():
            number += 1
        return name


# --- Exchange ---

@dataclass(kw_only=True)
class ExchangeReport:
    """The ids of pieces: exchanged ones, copies added and removed; ``homeless`` ones have no deck or bag in the save,
    and those ``left`` are not in the set any more but lie elsewhere than in its deck.
    """

    exchanged: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    homeless: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class _Piece:
    """A piece of ours: its state, its copies, and the deck or bag that it comes in, if any."""

    state: State
    copies: int
    home: State | None


def exchange_pieces(save: TableSave, ours: Sequence[State], is_complete: bool = True) -> ExchangeReport:
    """Exchange the pieces of a set in a save: pictures, names, descriptions, and the number of copies.

    ``ours`` are the objects of the saved object of the set; if it is not ``is_complete``, nothing is added or removed.
    Raises InputError if the save has none of the pieces.
    """
    exchange = _Exchange(save, ours)
    if is_complete and exchange.report.exchanged:
        exchange.complete()
    exchange.list_cards()
    if not exchange.report.exchanged:
        raise InputError.at(display_path(save.path), "has no card, tile or board of this set",
                            "pieces are found by their names; put the saved object on the table once")
    return exchange.report


class _Exchange:
    """An exchange in one save."""

    def __init__(self, save: TableSave, ours: Sequence[State]) -> None:
        self.pieces = dict(_index_pieces(ours))
        names = Counter(str(piece.state["Nickname"]) for piece in self.pieces.values())
        self.ids = {name: key for key, piece in self.pieces.items() if names[name := str(piece.state["Nickname"])] == 1}
        self.objects = [*_walk(save.document["ObjectStates"], save.path)]
        self.keys = _SheetKeys(self.objects)
        self.guids = {str(state.get("GUID")) for state in self.objects}
        self.report = ExchangeReport()
        for state in self.objects:
            if name := self._match(state):
                self._exchange(state, self.pieces[name].state)
                self.report.exchanged.append(name)
        self.holders = [state for state in self.objects if isinstance(inside := state.get("ContainedObjects"), list)
                        and all(isinstance(each, dict) for each in inside)]

    def complete(self) -> None:
        """Add missing copies to the decks and bags of ours, remove what is gone, and report what can't be."""
        counts, removed = Counter(self.report.exchanged), set()
        for holder, ids in [*self._homes()]:
            removed |= self._fill(holder, ids, counts)
        sheets = {_file_of(sheet) for piece in self.pieces.values() for sheet in _sheets(piece.state).values()}
        self.report.left = [_name(state) for state in self.objects if _is_card(state) and state.get("GMNotes")
                            and not self._match(state) and id(state) not in removed
                            and any(_file_of(sheet) in sheets for sheet in _sheets(state).values())]

    def list_cards(self) -> None:
        """List the cards of each deck that holds some of ours."""
        for holder in self.holders:
            if holder.get("Name") in DECKS and any(map(self._match, holder["ContainedObjects"])):
                _list_cards(holder)

    def _match(self, state: State) -> str:
        """The id of the piece that an object is; empty if it is none of ours. Its id counts before its name."""
        for name in (str(state.get("GMNotes")), self.ids.get(str(state.get("Nickname")), "")):
            if (piece := self.pieces.get(name)) and (state.get("Name") == piece.state["Name"]
                                                     or (_is_card(state) and _is_card(piece.state))):
                return name
        return ""

    def _exchange(self, state: State, ours: State) -> None:
        state |= {key: ours[key] for key in ("Nickname", "Description", "GMNotes")}
        if _is_card(ours):
            ((key, sheet),) = _sheets(ours).items()
            number = self.keys.number(sheet)
            state["CardID"] = 100 * number + ours["CardID"] - 100 * int(key)
            state["CustomDeck"] = {str(number): dict(sheet)}
        for custom, keys in PICTURES.items():
            if custom in ours and isinstance(look := state.setdefault(custom, {}), dict):
                look |= {key: ours[custom][key] for key in keys}

    def _homes(self) -> Iterator[tuple[State, Collection[str]]]:
        """The decks and bags of the save for ours, with ids of pieces: by name, else that with most of them."""
        homes: dict[str, tuple[State | None, dict[str, None]]] = {}
        for name, piece in self.pieces.items():
            homes.setdefault(str(piece.home and piece.home["GUID"]), (piece.home, {}))[1][name] = None
        for home, names in homes.values():
            best, most = None, (False, 0)
            for holder in self.holders if home else ():
                count = sum(self._match(state) in names for state in holder["ContainedObjects"])
                is_named = home is not None and any(holder.get(key) == home[key] for key in ("Nickname", "GUID"))
                if count and holder.get("Name") != INFINITE_BAG and (is_named, count) > most:
                    best, most = holder, (is_named, count)
            if best:
                yield best, names
            else:
                found = {*self.report.exchanged}
                self.report.homeless += [name for name in names if name not in found]

    def _fill(self, holder: State, ids: Collection[str], counts: Counter[str]) -> set[int]:
        """Add missing copies to a deck or bag, and remove spare ones; return the ids of the removed objects."""
        contained, removed = holder["ContainedObjects"], []
        if 2 * sum(self._match(state) in ids for state in contained) >= len(contained):  # else it is a deck of theirs
            left = counts.copy()
            for state in reversed(contained):
                name = self._match(state)
                is_gone = not name and state.get("GMNotes") and not state.get("ContainedObjects")
                if is_gone or (name and left[name] > self.pieces[name].copies):
                    removed.append(state)
                    left[name] -= 1
            if len(contained) - len(removed) > 1:  # a deck needs two cards
                counts.update({name: left[name] - counts[name] for name in ids})
                self.report.removed += map(_name, removed)
            else:
                removed = []
        gone = {id(state) for state in removed}
        contained[:] = [state for state in contained if id(state) not in gone]
        endless = {self._match(state) for bag in self.holders if bag.get("Name") == INFINITE_BAG
                   for state in bag["ContainedObjects"]}
        for name in ids:
            piece = self.pieces[name]
            for copy in range(counts[name], piece.copies if name not in endless else 0):
                state = deepcopy(piece.state)
                self._exchange(state, piece.state)
                state["GUID"] = object_guid(f"{name} {copy}", self.guids)
                contained.append(state)
                self.report.added.append(name)
        return gone


def _index_pieces(ours: Iterable[State], home: State | None = None) -> Iterator[tuple[str, _Piece]]:
    """The pieces among our objects by their ids, each with its deck or bag."""
    counts: dict[str, _Piece] = {}
    for state in ours:
        if inside := state.get("ContainedObjects"):
            yield from _index_pieces(inside, state)
        else:
            counts.setdefault(str(state["GMNotes"]), _Piece(state=state, copies=0, home=home)).copies += 1
    yield from counts.items()


def _walk(states: Sequence[Any], path: Path) -> Iterator[State]:
    """All objects, also those in bags, decks, other states and on other objects. Raises InputError for too many."""
    todo: list[tuple[Any, int]] = [(state, 1) for state in reversed(states)]
    count = 0
    while todo:
        state, depth = todo.pop()
        if not isinstance(state, dict):
            continue
        count += 1
        if depth > MAX_DEPTH or count > MAX_OBJECTS:
            raise refuse_file(path, f"has more than {MAX_OBJECTS:,} objects, or nested deeper than {MAX_DEPTH}",
                              "name a saved game of Tabletop Simulator")
        yield state
        inside = [each for key in ("ContainedObjects", "ChildObjects") if isinstance(state.get(key), list)
                  for each in state[key]]
        states_of_it = state.get("States")
        inside += states_of_it.values() if isinstance(states_of_it, dict) else ()
        todo += [(each, depth + 1) for each in reversed(inside)]


class _SheetKeys:
    """Keys of sheets: that of an equal sheet in the save, else the next free one."""

    def __init__(self, objects: Iterable[State]) -> None:
        self.keys: dict[str, int] = {}
        self.last = 0
        for state in objects:
            for key, sheet in _sheets(state).items():
                if key.isascii() and key.isdigit() and len(key) < 8:
                    self.last = max(self.last, int(key))
                    self.keys.setdefault(json.dumps(sheet, sort_keys=True), int(key))

    def number(self, sheet: State) -> int:
        text = json.dumps(sheet, sort_keys=True)
        if text not in self.keys:
            self.last = self.keys[text] = self.last + 1
        return self.keys[text]


def _list_cards(deck: State) -> None:
    cards = deck["ContainedObjects"]
    if not all(isinstance(card, dict) and _card_key(card) for card in cards):
        return
    before = _sheets(deck)
    sheets: State = {}
    for card in cards:
        key = _card_key(card)
        sheet = _sheets(card).get(key) or before.get(key)
        if sheet is not None:
            sheets[key] = sheet
    deck |= {"DeckIDs": [card["CardID"] for card in cards], "CustomDeck": sheets}


def _card_key(card: State) -> str:
    """The key of a card's sheet; empty if it has no number."""
    number = str(card.get("CardID", ""))
    return str(int(number) // 100) if number.isascii() and number.isdigit() and len(number) < 10 else ""


def _is_card(state: State) -> bool:
    return state.get("Name") in CARDS


def _sheets(state: State) -> Mapping[str, State]:
    sheets = state.get("CustomDeck")
    return {key: sheet for key, sheet in sheets.items() if isinstance(sheet, dict)} if isinstance(sheets, dict) else {}


def _file_of(sheet: State) -> str:
    return str(sheet.get("FaceURL", "")).rpartition("/")[2]


def _name(state: State) -> str:
    return str(state.get("GMNotes") or state.get("Nickname") or "?")
