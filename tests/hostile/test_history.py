"""Forged histories: whatever stands in a cell, each command ends with a result or a line on stderr."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.errors import InputError
from ppgen.play.game_history import History

GAME = """\
date = 2026-03-01
place = "Köln"
[[players]]
name = "Anna"
cards = { denmark = 4 }
[[players]]
name = "Bo"
cards = { england = 3 }
[[players]]
name = "Cy"
"""
COLUMNS = {"games": ("id", "game", "date", "place", "tallies", "result"),
           "changes": ("id", "kind", "game_id", "before"), "sqlite_sequence": ("name", "seq")}
READING = (["list"], ["list", "--json"], ["export"],
           ["show", "2", "--tallies"], ["show", "2", "--format", "json"], ["show", "2", "--explain"],
           ["show", "2", "--format", "csv"], ["show", "2", "--format", "markdown"])
WRITING = (["edit", "2", "game.toml"], ["edit", "2", "--place", "Bonn"], ["delete", "2"], ["undo"])

leaves = (st.none() | st.booleans() | st.integers() | st.just(10 ** 400) | st.floats()
          | st.text(st.sampled_from("\x1b\n\u202e\ud800='-aÄ💥"), max_size=5) | st.just("Anna"))
documents = st.recursive(leaves, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(
    st.sampled_from(["players", "winners", "name", "total", "cards", "\x1b[2J", "=1"]), inside, max_size=3),
    max_leaves=8)
cells = (st.none() | st.integers(-2 ** 63, 2 ** 63 - 1) | st.floats() | st.binary(max_size=6)
         | documents.map(json.dumps) | st.sampled_from(["[" * 5000, '{"a":' * 5000, "9" * 5000, "", "save", "edit"])
         | st.text(st.sampled_from("\x00\x1b\n\u202e='-aÄ💥"), max_size=5))


pytestmark = pytest.mark.usefixtures("no_waiting_for_disks")


@pytest.fixture(scope="module")
def sound(tmp_path_factory, no_waiting_for_disks):
    """A history of three games that were edited, and one that was deleted."""
    from click.testing import CliRunner

    from ppgen.cli.program import main

    folder = tmp_path_factory.mktemp("history")
    (folder / "game.toml").write_text(GAME, encoding="utf-8")
    history = ["--history", str(folder / "sound.db"), "-q"]
    game = str(folder / "game.toml")
    for words in (*[["score", game, "--save"]] * 3, ["history", "edit", "2", game, "--place", "Trier"],
                  ["history", "delete", "3"]):
        assert CliRunner().invoke(main, [*words, *history]).exit_code == 0
    return folder


def forged(sound: Path, folder: Path, table: str, column: str, value: object) -> Path:
    path = folder / "forged.db"
    shutil.copy(sound / "sound.db", path)
    db = sqlite3.connect(path)
    try:
        text = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        cast = "CAST(? AS TEXT)" if isinstance(value, str) else "?"
        db.execute(f"UPDATE {table} SET {column} = {cast} WHERE rowid = (SELECT max(rowid) FROM {table})", (text,))
        db.commit()
    except sqlite3.IntegrityError:
        pass  # what SQLite itself refuses to hold
    finally:
        db.close()
    return path


@st.composite
def forgeries(draw: st.DrawFn) -> tuple[str, str, object]:
    """A cell, and what stands in it: anything, or a document of the game in which one value is another."""
    table = draw(st.sampled_from(list(COLUMNS)))
    return table, draw(st.sampled_from(COLUMNS[table])), draw(cells)


def spoilt(draw: st.DrawFn, document: object) -> object:
    """The document with one of its values replaced, at any depth."""
    if isinstance(document, dict | list) and document and draw(st.integers(0, 4)):
        key = draw(st.sampled_from(list(document) if isinstance(document, dict) else range(len(document))))
        new = document.copy()
        new[key] = spoilt(draw, document[key])
        return new
    return draw(documents)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.data())
def test_a_spoilt_document_is_read_or_refused(sound, data):
    table, column = data.draw(st.sampled_from([("games", "tallies"), ("games", "result"), ("changes", "before")]))
    db = sqlite3.connect(sound / "sound.db")
    [text] = db.execute(f"SELECT {column} FROM {table} ORDER BY id DESC").fetchone()
    db.close()
    document = json.loads(text)
    if column == "before" and data.draw(st.booleans()):
        document[-1] = json.dumps(spoilt(data.draw, json.loads(document[-1])))
        spoiled: object = document
    else:
        spoiled = spoilt(data.draw, document)
    used_by_history(forged(sound, sound, table, column, json.dumps(spoiled)))


def used_by_history(path: Path) -> None:
    """Do all that a history does; what comes out of it can be printed."""
    history = History(path)
    try:
        games = history.games()
    except InputError:
        return
    for game in games.games:
        for text in (game.game, game.date, game.place, *game.result["winners"]):
            assert text.isprintable()
            text.encode()
        json.dumps([game.tallies, game.result], ensure_ascii=False, allow_nan=False).encode()
    for act in (lambda: history.game(2), lambda: history.edit(history.game(1)), lambda: history.delete(2), history.undo,
                history.undo, lambda: history.save(history.game(1))):
        with suppress(InputError):
            act()


@pytest.mark.slow
@settings(max_examples=6)
@given(forgeries())
def test_no_command_ends_with_anything_but_a_result_or_a_line(sound, forgery):
    from click.testing import CliRunner

    from ppgen.cli.program import main

    for words in (*READING, *WRITING):
        path = forged(sound, sound, *forgery)
        words = [str(sound / word) if word == "game.toml" else word for word in words]
        done = CliRunner().invoke(main, ["history", *words, "--history", str(path)])
        assert done.exit_code in (0, 1), (words, done.output)
        assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
        assert all(line.isprintable() for line in done.output.splitlines()), words
        assert done.exit_code == 0 or done.stderr, words
