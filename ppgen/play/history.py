"""Keeps finished games in an SQLite file, and everything that was done to them, so that it can be undone.

A game is its id, date, place, tallies and result; the last two are JSON objects. Of the result only
``players`` (each with ``name`` and ``total``), ``winners`` and ``tie_break`` are looked at, so any game
can be kept. Every change is one transaction; runs at the same time wait for each other.

Histories are sent around like tallies: nothing in one is taken on trust. Its tables must be those that are made here
and nothing else; what is in them is read by :mod:`ppgen.play.kept`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppgen.errors import InputError, Problem
from ppgen.play.kept import Change, KeptGame, Kind, change_of, game_of, row_of
from ppgen.reading.limits import place_of, refusal

SCHEMA_VERSION = 1
APPLICATION_ID = 0x70706768
"""``ppgh`` in the header of the file: this is a history of ppgen."""
PATIENCE_S = 20.0
"""How long to wait while another run writes."""
MAX_BYTES, MAX_ROW = 100_000_000, 1_000_000
"""Of a file and of a row: ten thousand games, and a hundred times what a game needs."""
_TABLES = (
    """CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, date TEXT NOT NULL,
                           place TEXT NOT NULL, tallies TEXT NOT NULL, result TEXT NOT NULL)""",
    """CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, game_id INTEGER NOT NULL,
                             before TEXT)""")
_COLUMNS = "id, game, date, place, tallies, result"

@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGames:
    """The games of a history in the order in which they were kept, and what is wrong with those that are damaged."""

    games: tuple[KeptGame, ...] = ()
    damaged: tuple[Problem, ...] = ()


class History:
    """The games in a file. Reading never makes or changes a file; the first game kept makes it.

    Every method raises InputError if the file is damaged, of a newer version, somebody else's, or
    can't be read or written; such a file stays as it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def games(self) -> KeptGames:
        """All games. A damaged one does not keep the others from being read."""
        games: list[KeptGame] = []
        damaged: list[Problem] = []
        if self.path.exists():
            with self._open(write=False) as db:
                for row in db.execute(f"SELECT {_COLUMNS} FROM games ORDER BY id") if _made(db) else ():
                    try:
                        games.append(game_of(row))
                    except ValueError as error:
                        damaged.append(self._damaged_game(row[0], error))
        return KeptGames(games=tuple(games), damaged=tuple(damaged))

    def game(self, id: int) -> KeptGame:
        """The game with that id. Raises InputError if there is none."""
        if not self.path.exists():
            raise self._no_game(id)
        with self._open(write=False) as db:
            return self._one(db, id)

    def save(self, game: KeptGame) -> int:
        """Keep a game; its new id. Ids of deleted games are not given again."""
        with self._open(write=True) as db:
            id = db.execute("INSERT INTO games (game, date, place, tallies, result) VALUES (?, ?, ?, ?, ?)",
                            row_of(game)[1:]).lastrowid
            assert id is not None
            _note(db, "save", id, None)
            return id

    def edit(self, game: KeptGame) -> None:
        """Put a game in the place of the one with its id."""
        with self._open(write=True) as db:
            before = self._one(db, game.id)
            _put(db, game)
            _note(db, "edit", game.id, before)

    def delete(self, id: int) -> bool:
        """Take a game out. False if it was damaged: then it can't be brought back."""
        if not self.path.exists():
            raise self._no_game(id)
        with self._open(write=True) as db:
            row = self._row(db, id)
            db.execute("DELETE FROM games WHERE id = ?", (id,))
            try:
                _note(db, "delete", id, game_of(row))
            except ValueError:
                return False
            return True

    def undo(self) -> Change | None:
        """Take the last change back, and forget it: undoing again goes further back. None if there is none."""
        if not self.path.exists():
            return None
        with self._open(write=True) as db:
            row = db.execute("SELECT id, kind, game_id, before FROM changes ORDER BY id DESC LIMIT 1").fetchone()
            if row is None:
                return None
            change = change_of(*row[1:])
            if change.before is None:
                db.execute("DELETE FROM games WHERE id = ?", (change.game_id,))
            else:
                _put(db, change.before)
            db.execute("DELETE FROM changes WHERE id = ?", (row[0],))
            return change

    def _one(self, db: sqlite3.Connection, id: int) -> KeptGame:
        try:
            return game_of(self._row(db, id))
        except ValueError as error:
            raise InputError([self._damaged_game(id, error)]) from error

    def _row(self, db: sqlite3.Connection, id: int) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = None
        if _made(db):
            row = db.execute(f"SELECT {_COLUMNS} FROM games WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise self._no_game(id)
        return row

    def _no_game(self, id: int) -> InputError:
        return self._refused(f"there is no game {id}", "ppgen history list shows them all")

    def _damaged_game(self, id: int, error: ValueError) -> Problem:
        return Problem(place=place_of(self.path), key=f"game {id}", what=f"is damaged: {error}",
                       remedy=f"ppgen history delete {id} takes it out")

    @contextmanager
    def _open(self, write: bool) -> Iterator[sqlite3.Connection]:
        """The checked file; when writing, within a transaction that is taken back if anything goes wrong."""
        try:
            if self.path.exists() and not self.path.is_file():
                raise self._refused("is no plain file", "choose another file with --history")
            if self.path.exists() and self.path.stat().st_size > MAX_BYTES:
                raise self._refused(f"is larger than {MAX_BYTES // 1_000_000} MB", "choose another file with --history")
            # rw also for reading: SQLite then settles what a crashed run left half done
            uri = f"{self.path.absolute().as_uri()}?mode={'rwc' if write else 'rw'}"
            with closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE_S, isolation_level=None)) as db:
                db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW)
                db.text_factory = _text
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
        except (sqlite3.OperationalError, OSError) as error:
            first = ("make room" if "full" in str(error) else
                     "correct the folder's permissions" if self.path.parent.is_dir() else "make its folder first")
            remedy = ("another ppgen is writing: try again" if "locked" in str(error) else
                      f"{first}, or choose another file with --history")
            raise self._refused(f"can't be {'written' if write else 'read'}: {error}", remedy) from error
        except (sqlite3.Error, ValueError) as error:
            raise self._damaged(str(error)) from error

    def _check(self, db: sqlite3.Connection) -> None:
        """Refuse what is not a sound history of this version."""
        [version], [owner] = (db.execute(f"PRAGMA {name}").fetchone() for name in ("user_version", "application_id"))
        made = {" ".join(str(statement).split()) for [statement] in db.execute(
            "SELECT sql FROM sqlite_schema WHERE NOT (type = 'table' AND name LIKE 'sqlite\\_%' ESCAPE '\\')")}
        if (version or made or owner) and owner != APPLICATION_ID:
            raise self._refused("is a database of another program", "choose another file with --history")
        if version > SCHEMA_VERSION:
            raise self._refused(f"was written by a newer ppgen (version {version}, this one knows {SCHEMA_VERSION})",
                                "update ppgen, or choose another file with --history")
        if made != {" ".join(statement.split()) for statement in _TABLES if version}:
            raise self._damaged("its tables are not those that ppgen makes")
        [verdict] = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise self._damaged(str(verdict))

    def _damaged(self, detail: str) -> InputError:
        return self._refused(f"is damaged, or no history: {detail}",
                             "it was left as it is: put a copy in its place, or choose another file with --history")

    def _refused(self, what: str, remedy: str) -> InputError:
        return refusal(self.path, what, remedy)


def _made(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone()[0])


def _make(db: sqlite3.Connection) -> None:
    for statement in _TABLES:
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _text(data: bytes) -> str | bytes:
    """A text of the file; what is no UTF-8 stays bytes, and is refused where a text belongs."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _put(db: sqlite3.Connection, game: KeptGame) -> None:
    db.execute(f"INSERT OR REPLACE INTO games ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", row_of(game))


def _note(db: sqlite3.Connection, kind: Kind, id: int, before: KeptGame | None) -> None:
    db.execute("INSERT INTO changes (kind, game_id, before) VALUES (?, ?, ?)",
               (kind, id, json.dumps(row_of(before), ensure_ascii=False) if before else None))
