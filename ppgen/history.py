"""Keeps finished games in an SQLite file, and everything that was done to them, so that it can be undone.

A game is its id, date, place, tallies and result; the last two are JSON objects. Of the result only
``players`` (each with ``name`` and ``total``), ``winners`` and ``tie_break`` are looked at, so any game
can be kept. Every change is one transaction; runs at the same time wait for each other.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ppgen.errors import InputError, Problem, shown_path

SCHEMA_VERSION = 1
APPLICATION_ID = 0x70706768
"""``ppgh`` in the header of the file: this is a history of ppgen."""
PATIENCE_S = 20.0
"""How long to wait while another run writes."""

_TABLES = """
CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, date TEXT NOT NULL,
                    place TEXT NOT NULL, tallies TEXT NOT NULL, result TEXT NOT NULL);
CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, game_id INTEGER NOT NULL,
                      before TEXT);
"""
_COLUMNS = "id, game, date, place, tallies, result"

Kind = Literal["save", "edit", "delete"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """A game of the history; ``id`` is 0 as long as it is not in one."""

    id: int = 0
    game: str
    date: str
    place: str
    tallies: Mapping[str, Any]
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that was done: ``before`` is the game as it was, None where it was not there."""

    kind: Kind
    game_id: int
    before: KeptGame | None


class History:
    """The games in a file. Reading never makes or changes a file; the first game kept makes it.

    Every method raises InputError if the file is damaged, of a newer version, somebody else's, or
    can't be read or written; such a file stays as it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def games(self) -> tuple[KeptGame, ...]:
        """All games, in the order in which they were kept."""
        if not self.path.exists():
            return ()
        with self._open(write=False) as db:
            return tuple(map(_game, db.execute(f"SELECT {_COLUMNS} FROM games ORDER BY id"))) if _made(db) else ()

    def game(self, id: int) -> KeptGame:
        """The game with that id. Raises InputError if there is none."""
        if found := next((game for game in self.games() if game.id == id), None):
            return found
        raise self._no_game(id)

    def save(self, game: KeptGame) -> int:
        """Keep a game; its new id. Ids of deleted games are not given again."""
        with self._open(write=True) as db:
            id = db.execute("INSERT INTO games (game, date, place, tallies, result) VALUES (?, ?, ?, ?, ?)",
                            _row(game)[1:]).lastrowid
            assert id is not None
            _note(db, "save", id, None)
            return id

    def edit(self, game: KeptGame) -> None:
        """Put a game in the place of the one with its id."""
        with self._open(write=True) as db:
            before = self._one(db, game.id)
            _put(db, game)
            _note(db, "edit", game.id, before)

    def delete(self, id: int) -> None:
        with self._open(write=True) as db:
            before = self._one(db, id)
            db.execute("DELETE FROM games WHERE id = ?", (id,))
            _note(db, "delete", id, before)

    def undo(self) -> Change | None:
        """Take the last change back, and forget it: undoing again goes further back. None if there is none."""
        if not self.path.exists():
            return None
        with self._open(write=True) as db:
            row = db.execute("SELECT id, kind, game_id, before FROM changes ORDER BY id DESC LIMIT 1").fetchone()
            if row is None:
                return None
            change = Change(kind=row[1], game_id=row[2], before=_game(json.loads(row[3])) if row[3] else None)
            if change.before is None:
                db.execute("DELETE FROM games WHERE id = ?", (change.game_id,))
            else:
                _put(db, change.before)
            db.execute("DELETE FROM changes WHERE id = ?", (row[0],))
            return change

    def _one(self, db: sqlite3.Connection, id: int) -> KeptGame:
        row = db.execute(f"SELECT {_COLUMNS} FROM games WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise self._no_game(id)
        return _game(row)

    def _no_game(self, id: int) -> InputError:
        return InputError([Problem(place=shown_path(self.path), what=f"there is no game {id}",
                                   remedy="ppgen history list shows them all")])

    @contextmanager
    def _open(self, write: bool) -> Iterator[sqlite3.Connection]:
        """The checked file; when writing, within a transaction that is taken back if anything goes wrong."""
        try:
            # rw also for reading: SQLite then settles what a crashed run left half done
            uri = f"{self.path.absolute().as_uri()}?mode={'rwc' if write else 'rw'}"
            with closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE_S, isolation_level=None)) as db:
                db.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                try:
                    self._check(db)
                    if write and not _made(db):
                        _make(db)
                    yield db
                    db.execute("COMMIT")
                except BaseException:
                    if db.in_transaction:
                        db.execute("ROLLBACK")
                    raise
        except sqlite3.OperationalError as error:
            remedy = ("another ppgen is writing: try again" if "locked" in str(error)
                      else "correct the folder's permissions, or choose another file with --history")
            raise self._refused(f"can't be {'written' if write else 'read'}: {error}", remedy) from error
        except (sqlite3.DatabaseError, ValueError) as error:
            raise self._damaged(str(error)) from error

    def _check(self, db: sqlite3.Connection) -> None:
        """Refuse what is not a sound history of this version."""
        [version], [owner] = (db.execute(f"PRAGMA {name}").fetchone() for name in ("user_version", "application_id"))
        tables = {name for [name] in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if (version or tables or owner) and owner != APPLICATION_ID:
            raise self._refused("is a database of another program", "choose another file with --history")
        if version > SCHEMA_VERSION:
            raise self._refused(f"was written by a newer ppgen (version {version}, this one knows {SCHEMA_VERSION})",
                                "update ppgen, or choose another file with --history")
        [verdict] = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise self._damaged(verdict)
        if version and not {"games", "changes"} <= tables:
            raise self._damaged("its tables are missing")

    def _damaged(self, detail: str) -> InputError:
        return self._refused(f"is damaged, or no history: {detail}",
                             "it was left as it is: put a copy in its place, or choose another file with --history")

    def _refused(self, what: str, remedy: str) -> InputError:
        return InputError([Problem(place=shown_path(self.path), what=what, remedy=remedy)])


def _made(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone()[0])


def _make(db: sqlite3.Connection) -> None:
    for statement in filter(str.strip, _TABLES.split(";")):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _row(game: KeptGame) -> tuple[object, ...]:
    return (game.id, game.game, game.date, game.place, json.dumps(game.tallies, ensure_ascii=False),
            json.dumps(game.result, ensure_ascii=False))


def _game(row: tuple[Any, ...] | list[Any]) -> KeptGame:
    """The game of a row. Raises ValueError if it is not as it was written."""
    id, name, date, place, *documents = row
    try:
        tallies, result = map(json.loads, documents)
        if isinstance(tallies, dict) and all(isinstance(player["name"], str) and isinstance(player["total"], int)
                                             for player in result["players"]) and isinstance(result["winners"], list):
            return KeptGame(id=id, game=name, date=date, place=place, tallies=tallies, result=result)
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"game {id} can't be read") from error
    raise ValueError(f"game {id} can't be read")


def _put(db: sqlite3.Connection, game: KeptGame) -> None:
    db.execute(f"INSERT OR REPLACE INTO games ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", _row(game))


def _note(db: sqlite3.Connection, kind: Kind, id: int, before: KeptGame | None) -> None:
    db.execute("INSERT INTO changes (kind, game_id, before) VALUES (?, ?, ?)",
               (kind, id, json.dumps(_row(before), ensure_ascii=False) if before else None))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStatistics:
    """How one player has done. A ``draw`` is a shared win; ``mean`` and ``best`` are of the totals."""

    name: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    mean: float = 0.0
    best: int = 0


def statistics(games: tuple[KeptGame, ...]) -> tuple[PlayerStatistics, ...]:
    """The players of the games, the most wins first. Names that differ only in case are one player's."""
    found: dict[str, PlayerStatistics] = {}
    for game in games:
        drawn = game.result.get("tie_break") == "draw"
        for player in game.result["players"]:
            name, total = player["name"], player["total"]
            old = found.get(name.casefold()) or PlayerStatistics(name=name, best=total)
            won = name in game.result["winners"]
            found[name.casefold()] = replace(
                old, name=name, games=old.games + 1, wins=old.wins + (won and not drawn),
                draws=old.draws + (won and drawn), best=max(old.best, total),
                mean=(old.mean * old.games + total) / (old.games + 1))
    return tuple(sorted(found.values(), key=lambda each: (-each.wins, -each.mean, each.name)))
