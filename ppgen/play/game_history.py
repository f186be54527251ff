"""History of finished games in an SQLite file, with undo.

A game is its id, date, place, tallies and result; the last two are JSON objects. Of the result only ``players`` (each
with ``name`` and ``total``), ``winners`` and ``tie_break`` are read, so the history works for any game. Each change is
one transaction; concurrent runs wait for each other.

Histories are sent around like tallies, so nothing in one is trusted: its triggers and views never run, each field is
checked, and characters that steer a terminal are escaped.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from ppgen.errors import InputError, Phrase, Problem, display_path, to_one_line
from ppgen.reading.fields import refuse_file
from ppgen.records import dataclass

SCHEMA_VERSION = 1  # `user_version` in the header of the file. Another layout of the tables needs the next number.
APPLICATION_ID = 0x70706768  # `ppgh` in the header of the file marks a history of ppgen
TIMEOUT_S = 20.0  # time to wait while another run writes
MAX_BYTES, MAX_ROW = 100_000_000, 1_000_000  # size of a file, ten thousand games, and of a row, a hundred times a game
_NEW_HISTORY = (
    """CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, date TEXT NOT NULL,
                           place TEXT NOT NULL, tallies TEXT NOT NULL, result TEXT NOT NULL)""",
    """CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, game_id INTEGER NOT NULL,
                             before TEXT)""",
    f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {SCHEMA_VERSION}")
_COLUMNS = "id, game, date, place, tallies, result"
MAX_DEPTH = 12  # nesting of tables and lists in a game

ChangeKind = Literal["save", "edit", "delete"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedGame:
    """A game of the history; ``id`` is 0 before it is saved."""

    id: int = 0
    game: str
    date: str
    place: str
    tallies: Mapping[str, Any]
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change: ``before`` is the earlier state of the game, None if it did not exist."""

    kind: ChangeKind
    game_id: int
    before: SavedGame | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedGames:
    """The games of a history in the order of their saving, and the problems of those that are damaged."""

    games: tuple[SavedGame, ...] = ()
    damaged: tuple[Problem, ...] = ()


class History:
    """The games in a file, made with the first saved game. Raises InputError for a damaged file, which stays."""

    def __init__(self, path: Path, makes_folder: bool = False) -> None:
        self.path, self.makes_folder = path, makes_folder

    def games(self) -> SavedGames:
        """Read all games. Damaged ones are reported and do not affect the others."""
        games: list[SavedGame] = []
        damaged: list[Problem] = []
        with self._open() as db:
            for row in db.execute(f"SELECT {_COLUMNS} FROM games ORDER BY id"):
                try:
                    games.append(_game_from_row(row))
                except ValueError as error:
                    damaged.append(self._damaged_game(row[0], error))
        return SavedGames(games=tuple(games), damaged=tuple(damaged))

    def game(self, id: int) -> SavedGame:
        """Read the game with this id. Raises InputError if there is none."""
        with self._open() as db:
            return self._load(db, id)

    def save(self, game: SavedGame) -> int:
        """Save a game and return its new id. Ids of deleted games are not reused."""
        with self._open(write=True, create=True) as db:
            id = db.execute("INSERT INTO games (game, date, place, tallies, result) VALUES (?, ?, ?, ?, ?)",
                            _to_row(game)[1:]).lastrowid
            assert id is not None
            _log_change(db, "save", id, None)
            return id

    def edit(self, game: SavedGame) -> None:
        """Replace the game with the same id."""
        with self._open(write=True) as db:
            before = self._load(db, game.id)
            _put(db, game)
            _log_change(db, "edit", game.id, before)

    def delete(self, id: int) -> bool:
        """Delete a game. Return False if it was damaged: then the deletion can't be undone."""
        with self._open(write=True) as db:
            row = self._row(db, id)
            db.execute("DELETE FROM games WHERE id = ?", (id,))
            try:
                _log_change(db, "delete", id, _game_from_row(row))
            except ValueError:
                return False
            return True

    def undo(self) -> Change | None:
        """Undo the last change and forget it; the next undo goes further back. Return None if there is no change."""
        with self._open(write=True) as db:
            row = db.execute("SELECT id, kind, game_id, before FROM changes ORDER BY id DESC LIMIT 1").fetchone()
            if row is None:
                return None
            change = _change_from_row(*row[1:])
            if change.before is None:
                db.execute("DELETE FROM games WHERE id = ?", (change.game_id,))
            else:
                _put(db, change.before)
            db.execute("DELETE FROM changes WHERE id = ?", (row[0],))
            return change

    def _load(self, db: sqlite3.Connection, id: int) -> SavedGame:
        try:
            return _game_from_row(self._row(db, id))
        except ValueError as error:
            raise InputError([self._damaged_game(id, error)]) from error

    def _row(self, db: sqlite3.Connection, id: int) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = db.execute(f"SELECT {_COLUMNS} FROM games WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise InputError.at("history", Phrase("no_saved_game", id=id), Phrase("history_list"))
        return row

    def _damaged_game(self, id: int, error: ValueError) -> Problem:
        return Problem(display_path(self.path), Phrase("damaged_game", message=error), Phrase("delete_game", id=id),
                       key=f"game {id}")

    @contextmanager
    def _open(self, write: bool = False, create: bool = False) -> Iterator[sqlite3.Connection]:
        """The checked file in a transaction, rolled back after errors and reading; a missing one is empty."""
        try:
            if create and self.makes_folder:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and not self.path.is_file():
                raise self._refusal(Phrase("not_regular"), Phrase("another_history"))
            size = self.path.stat().st_size if self.path.exists() else 0
            if size > MAX_BYTES:
                raise self._refusal(Phrase("too_large", number=MAX_BYTES // 1000000), Phrase("another_history"))
            # rw also for reading: SQLite then rolls back what a crashed run left unfinished
            uri = (f"{self.path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
                   if create or size else ":memory:")
            with closing(sqlite3.connect(uri, uri=True, timeout=TIMEOUT_S, isolation_level=None)) as db:
                db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW)
                db.text_factory = _decode_text
                db.set_authorizer(  # the last is the trigger or view that asks for an action
                    lambda *action: sqlite3.SQLITE_OK if action[-1] is None else sqlite3.SQLITE_DENY)
                db.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                try:
                    self._prepare(db)
                    yield db
                    db.execute("COMMIT" if write else "ROLLBACK")
                except BaseException:
                    if db.in_transaction:
                        db.execute("ROLLBACK")
                    raise
        except (sqlite3.OperationalError, OSError) as error:
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_ERROR:  # a table or column is missing
                raise self._damaged(str(error)) from error
            reason = getattr(error, "strerror", "") or str(error)
            first = (Phrase("more_room") if "full" in reason else Phrase("folder_permissions")
                     if self.makes_folder or self.path.parent.is_dir() else Phrase("make_folder"))
            remedy = (Phrase("history_locked") if "locked" in reason else Phrase("or_another_history", message=first))
            raise self._refusal(Phrase("unwritable" if write else "unreadable", message=reason), remedy) from error
        except (sqlite3.Error, ValueError) as error:
            raise self._damaged(str(error)) from error

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Make the tables of an empty file. Refuse any other than an intact history of this version."""
        [owner], [version], [schema] = (
            db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version", "schema_version"))
        if not (owner or version or schema):
            for statement in _NEW_HISTORY:
                db.execute(statement)
            return
        if owner != APPLICATION_ID:
            raise self._refusal(Phrase("other_database"), Phrase("another_history"))
        if version > SCHEMA_VERSION:
            raise self._refusal(Phrase("newer_history", version=version, known=SCHEMA_VERSION), Phrase("update_ppgen"))
        [verdict] = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise self._damaged(str(verdict))

    def _damaged(self, detail: str) -> InputError:
        return self._refusal(Phrase("damaged_history", message=detail), Phrase("put_copy"))

    def _refusal(self, what: str, remedy: str) -> InputError:
        return refuse_file(self.path, what, remedy)


def _decode_text(data: bytes) -> str | bytes:
    """Decode a text of the file; invalid UTF-8 stays bytes, which are refused as a text field later."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _put(db: sqlite3.Connection, game: SavedGame) -> None:
    db.execute(f"INSERT OR REPLACE INTO games ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", _to_row(game))


def _log_change(db: sqlite3.Connection, kind: ChangeKind, id: int, before: SavedGame | None) -> None:
    db.execute("INSERT INTO changes (kind, game_id, before) VALUES (?, ?, ?)",
               (kind, id, json.dumps(_to_row(before), ensure_ascii=False) if before else None))


# --- Rows of the tables ---

def _to_row(game: SavedGame) -> tuple[object, ...]:
    return (game.id, game.game, game.date, game.place, json.dumps(game.tallies, ensure_ascii=False),
            json.dumps(game.result, ensure_ascii=False))


def _game_from_row(row: object) -> SavedGame:
    """Read the game of a row. Raises ValueError, in plain words, if the row is damaged."""
    match row:
        case (int(id), str(name), str(date), str(place), str(tallies), str(result)):
            return SavedGame(id=id, game=to_one_line(name), date=to_one_line(date), place=to_one_line(place),
                             tallies=_document(tallies, "tallies"), result=_check_result(_document(result, "result")))
    raise ValueError(Phrase("not_text"))


def _document(text: str, field: str) -> dict[str, Any]:
    try:
        document = _sanitize(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise ValueError(Phrase("unreadable_field", field=field)) from error
    if isinstance(document, dict):
        return document
    raise ValueError(Phrase("unreadable_field", field=field))


def _sanitize(value: object, depth: int = 0) -> object:
    """The value with printable texts. Raises ValueError for excessive depths and numbers."""
    if depth > MAX_DEPTH:
        raise ValueError(Phrase("deep_inside"))
    match value:
        case str():
            return to_one_line(value)
        case dict():
            return {to_one_line(key): _sanitize(each, depth + 1) for key, each in value.items()}
        case list():
            return [_sanitize(each, depth + 1) for each in value]
        case int() | float() if not -2 ** 63 <= value < 2 ** 63:  # NaN fails the comparison too
            raise ValueError(Phrase("huge_number_inside"))
    return value


def _check_result(document: dict[str, Any]) -> dict[str, Any]:
    """The document, if it has the keys that are read. Raises ValueError."""
    match document:
        case {"players": [*players], "winners": [*winners]} if all(isinstance(name, str) for name in winners) and all(
                isinstance(each, dict) and isinstance(each.get("name"), str) and type(each.get("total")) is int
                for each in players):
            return document
    raise ValueError(Phrase("no_players_inside"))


def _change_from_row(*row: object) -> Change:
    """Read the change of a row. Raises ValueError if the row is damaged."""
    with suppress(ValueError, RecursionError):
        match row:
            case ("save" | "edit" | "delete") as kind, int(id), None:
                return Change(kind=kind, game_id=id, before=None)
            case ("save" | "edit" | "delete") as kind, int(id), str(text) if (
                    game := _game_from_row(json.loads(text))).id == id:
                return Change(kind=kind, game_id=id, before=game)
    raise ValueError(Phrase("unreadable_change"))
