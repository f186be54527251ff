"""Forged histories: whatever stands in a document of one, it is read and changed, or refused.

What commands say of them: tests/cli/test_history.py.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st

from ppgen.cli.program import main
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

leaves = (st.none() | st.booleans() | st.integers() | st.just(10 ** 400) | st.floats()
          | st.text(st.sampled_from("\x1b\n\u202e\ud800='-aÄ💥"), max_size=5) | st.just("Anna"))
documents = st.recursive(leaves, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(
    st.sampled_from(["players", "winners", "name", "total", "cards", "\x1b[2J", "=1"]), inside, max_size=3),
    max_leaves=8)

pytestmark = pytest.mark.usefixtures("no_waiting_for_disks")


@pytest.fixture(scope="module")
def sound(tmp_path_factory, no_waiting_for_disks):
    """A history of three games that were edited, and one that was deleted."""
    folder = tmp_path_factory.mktemp("history")
    (folder / "game.toml").write_text(GAME, encoding="utf-8")
    history = ["--history", str(folder / "sound.db"), "-q"]
    game = str(folder / "game.toml")
    for words in (*[["score", game, "--save"]] * 3, ["history", "edit", "2", game, "--place", "Trier"],
                  ["history", "delete", "3"]):
        assert CliRunner().invoke(main, [*words, *history]).exit_code == 0
    return folder


def forged(sound: Path, table: str, column: str, document: object) -> Path:
    path = sound / "forged.db"
    shutil.copy(sound / "sound.db", path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT max(rowid) FROM {table})",
                   (json.dumps(document),))
        db.commit()
    return path


def spoilt(draw: st.DrawFn, document: object) -> object:
    """The document with one of its values replaced, at any depth."""
    if isinstance(document, dict | list) and document and draw(st.integers(0, 4)):
        key = draw(st.sampled_from(list(document) if isinstance(document, dict) else range(len(document))))
        new = document.copy()
        new[key] = spoilt(draw, document[key])
        return new
    return draw(documents)


@pytest.mark.slow
@settings(max_examples=15)
@given(st.data())
def test_a_spoilt_document_is_read_or_refused(sound, data):
    table, column = data.draw(st.sampled_from([("games", "tallies"), ("games", "result"), ("changes", "before")]))
    with closing(sqlite3.connect(sound / "sound.db")) as db:
        [text] = db.execute(f"SELECT {column} FROM {table} ORDER BY id DESC").fetchone()
    document = json.loads(text)
    if column == "before" and data.draw(st.booleans()):
        document[-1] = json.dumps(spoilt(data.draw, json.loads(document[-1])))
    else:
        document = spoilt(data.draw, document)
    used_by_history(forged(sound, table, column, document))


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
