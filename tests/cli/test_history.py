"""``ppgen history``: what is kept stays kept, changes can be undone, runs at the same time don't lose games."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from ppgen.play.game_history import SCHEMA_VERSION, History, SavedGame

GAME = (Path(__file__).parent / "saved.toml").read_text("utf-8")


pytestmark = pytest.mark.usefixtures("no_waiting_for_disks")


@pytest.fixture(scope="module")
def two_games(tmp_path_factory):
    """A history of two games."""
    with chdir(tmp_path_factory.mktemp("games")):
        Path("game.toml").write_text(GAME, encoding="utf-8")
        for place in ("Köln", "Bonn"):
            words = ["score", "game.toml", "--save", "--place", place, "-q", "--history", "games.db"]
            assert CliRunner().invoke(main, words).exit_code == 0
        return Path("games.db").read_bytes()


@pytest.fixture
def shelf(desk, two_games):
    """A working folder with a file of tallies and a history of two games."""
    (desk.folder / "game.toml").write_text(GAME, encoding="utf-8")
    (desk.folder / "other.toml").write_text(GAME.replace("Anna", "Ann").replace("4", "2"), encoding="utf-8")
    (desk.folder / "games.db").write_bytes(two_games)
    return desk


def run(desk, *words):
    return desk.ppgen(*words, "--history", "games.db")


def listed(desk):
    return json.loads(run(desk, "history", "list", "--json").stdout)


def test_without_a_choice_it_lies_in_the_users_data_folder(shelf, monkeypatch, tmp_path):
    import sys

    if sys.platform != "linux":
        pytest.skip("the folder is set by XDG_DATA_HOME here only")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    assert shelf.ppgen("score", "game.toml", "--save", "-q").exit_code == 0
    assert (tmp_path / "home" / "ppgen" / "history.sqlite3").is_file()
    assert "Anna 4" in shelf.ppgen("history").stdout


def forged(*statements: str):
    def forge(path: Path) -> None:
        with sqlite3.connect(path) as db:
            for statement in statements:
                db.execute(statement)
        db.close()
    return forge


def rewritten(change: Callable[[bytes], bytes]):
    return lambda path: path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize("spoil, what", [
    (rewritten(lambda content: content[:5000]), "is damaged"),
    (rewritten(lambda content: content[:100] + b"\xff" * 8000), "is damaged"),
    (rewritten(lambda _: b"my diary\n" * 500), "is damaged, or no history"),
    (forged(f"PRAGMA user_version = {SCHEMA_VERSION + 1}"), "was written by a newer ppgen"),
    (lambda path: (path.unlink(), forged("CREATE TABLE photos (id)")(path)), "is a database of another program"),
    (forged("UPDATE games SET place = zeroblob(2000000)"), "too big")])
def test_a_file_that_is_not_sound_is_refused_and_left_alone(shelf, spoil, what):
    path = shelf.folder / "games.db"
    spoil(path)
    content = path.read_bytes()
    commands = [["history", "list"], ["history", "edit", "1", "game.toml"], ["history", "delete", "1"]]
    if what != "too big":  # which only who reads the game finds
        commands += [["score", "game.toml", "--save"], ["history", "undo"]]
    for words in commands:
        done = run(shelf, *words, *(["-q"] if words[1] not in ("list", "undo") else []))
        assert (done.exit_code, what in done.stderr, "Traceback" in done.stderr) == (1, True, False), done.output
        assert words[0] != "score" or "Anna" in done.stdout, "the result is printed nevertheless"
    assert path.read_bytes() == content
    assert sorted(file.name for file in shelf.folder.iterdir()) == ["game.toml", "games.db", "other.toml"]


@pytest.mark.parametrize("is_own", [True, False])
def test_a_place_that_can_t_be_written_is_told_with_a_remedy(shelf, monkeypatch, is_own):
    (shelf.folder / "home").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(shelf.folder / "home"))
    done = shelf.ppgen("score", "game.toml", "--save", *([] if is_own else ["--history", "home/games.db"]))
    assert (done.exit_code, "Anna" in done.stdout) == (1, True)
    assert "choose another file with --history)" in done.stderr and "Errno" not in done.stderr, done.stderr


ENDLESS = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT "


@pytest.mark.parametrize("statements", [
    ("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
     "CREATE TRIGGER u AFTER UPDATE ON games BEGIN DELETE FROM games; END",
     "CREATE TRIGGER v AFTER INSERT ON changes BEGIN DELETE FROM games; END"),
    ("ALTER TABLE games RENAME TO other", f"CREATE VIEW games AS {ENDLESS} id, '' AS game, '' AS date, '' AS place, "
     "'' AS tallies, '' AS result FROM n"),
    ("DROP TABLE changes", f"CREATE VIEW changes AS {ENDLESS} id, '' AS kind, 1 AS game_id, '' AS before FROM n"),
    ("DROP TABLE changes",), ("ALTER TABLE games DROP COLUMN place",),
    ("ALTER TABLE games ADD bomb AS (hex(zeroblob(900000000)))",)])
def test_nothing_in_a_file_runs_and_what_it_stops_changes_nothing(shelf, statements):
    path = shelf.folder / "games.db"
    forged(*statements)(path)
    content = path.read_bytes()
    for words in (["history", "list"], ["history", "show", "1"]):
        done = run(shelf, *words)
        assert done.exit_code == 0 or "is damaged, or no history: " in done.stderr, done.output
        assert path.read_bytes() == content
    for words in (["score", "game.toml", "--save"], ["history", "edit", "1", "game.toml"], ["history", "delete", "1"],
                  ["history", "undo"]):
        done = run(shelf, *words, *(["-q"] if words[-1] != "undo" else []))
        assert done.exit_code == 0 or "is damaged, or no history: " in done.stderr, done.output
        assert path.read_bytes() == content if done.exit_code else count_games(path)
        path.write_bytes(content)


def count_games(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT count(*) FROM games").fetchone()[0]


def test_a_history_of_version_1_is_read_and_changed(shelf):
    """The first layout, as ppgen 0.1.0 wrote it."""
    result = shelf.ppgen("score", "game.toml", "--json", "-q").stdout
    path = shelf.folder / "games.db"
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.executescript("""
            CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, date TEXT NOT NULL,
                place TEXT NOT NULL, tallies TEXT NOT NULL, result TEXT NOT NULL);
            CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, game_id INTEGER NOT NULL,
                before TEXT);
            PRAGMA application_id = 1886414696; PRAGMA user_version = 1""")
        db.execute("INSERT INTO games (game, date, place, tallies, result) VALUES ('card-game', '', 'Ulm', '{}', ?)",
                   (result,))
        db.commit()
    assert run(shelf, "history", "edit", "1", "other.toml", "--place", "Bonn", "-q").exit_code == 0
    assert run(shelf, "history", "undo").exit_code == 0
    assert [(game["place"], game["winners"]) for game in listed(shelf)] == [("Ulm", ["Bo"])]


@pytest.mark.parametrize("statement", [
    "UPDATE games SET date = x'00ff' WHERE id = 1", "UPDATE games SET place = CAST(x'ff' AS TEXT) WHERE id = 1",
    "UPDATE games SET tallies = '5' WHERE id = 1", "UPDATE games SET result = '{}' WHERE id = 1",
    "UPDATE games SET result = replace(result, '\"winners\": [\"Bo\"]', '\"winners\": [\"Bo\", 1]') WHERE id = 1",
    "UPDATE games SET result = replace(result, '\"total\": 5', '\"total\": 1" + "0" * 400 + "') WHERE id = 1",
    "UPDATE games SET result = replace(result, '\"total\": 5', '\"total\": true') WHERE id = 1",
    "UPDATE games SET result = '" + "[" * 5000 + "' WHERE id = 1"])
def test_a_damaged_game_is_named_and_the_others_are_shown(shelf, statement):
    forged(statement)(shelf.folder / "games.db")
    for words, shown in {("list", "--json"): "Bonn", ("list",): "Bonn", ("export",): "Bonn"}.items():
        done = run(shelf, "history", *words)
        assert (done.exit_code, shown in done.stdout) == (1, True)
        assert done.stderr.startswith("games.db game 1: is damaged: ") and done.stderr.count("\n") == 1
        assert done.stderr.endswith(" (ppgen history delete 1 takes it out)\n")
    for words in (["show", "1"], ["show", "1", "--tallies"], ["edit", "1", "game.toml"], ["edit", "1", "--place", "X"]):
        done = run(shelf, "history", *words)
        assert (done.exit_code, done.stdout) == (1, "") and "games.db game 1: is damaged: " in done.stderr
    assert run(shelf, "history", "show", "2").exit_code == 0
    done = run(shelf, "history", "delete", "1", "--lang", "en")
    assert (done.exit_code, done.stderr) == (0, "Game 1 is removed for good: it was damaged.\n")
    assert [game["place"] for game in listed(shelf)] == ["Bonn"]
    assert run(shelf, "history", "undo").exit_code == 0, "the change before is taken back"


@pytest.mark.parametrize("place", ["\x1b]0;owned\x07", "a\nb", "\u202eab", "x\x9b2J"])
def test_what_steers_a_terminal_is_refused_and_spelled_out_in_files_of_others(shelf, place):
    for option in ("--place", "--date"):
        for words in (["score", "game.toml", "--save"], ["history", "edit", "1"]):
            done = run(shelf, *words, option, place)
            assert (done.exit_code, done.stderr.startswith(f"{option}: has a character ")) == (2, True)
    db = sqlite3.connect(shelf.folder / "games.db")
    for table, what in (("games", "place"), ("games", "date")):
        db.execute(f"UPDATE {table} SET {what} = ?", (place,))
    db.execute("UPDATE games SET result = replace(result, 'Anna', ?)", (json.dumps(place)[1:-1],))
    db.commit()
    db.close()
    for words in (["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--format", "json"],
                  ["export"]):
        done = run(shelf, "history", *words)
        assert done.exit_code == 0
        assert place not in done.stdout and all(line.isprintable() for line in done.stdout.splitlines())
    assert repr(place)[1:-1] in run(shelf, "history", "list").stdout


def keep(path: str, number: int) -> int:
    """Keep a game; run in a process of its own."""
    game = SavedGame(game="g", date="", place=str(number), tallies={},
                     result={"players": [{"name": "A", "total": number}], "winners": ["A"]})
    return History(Path(path)).save(game)


@pytest.mark.slow
def test_runs_at_the_same_time_lose_no_game(tmp_path):
    path = tmp_path / "games.db"
    with ProcessPoolExecutor(8) as pool:
        ids = list(pool.map(keep, [str(path)] * 40, range(40)))
    games = History(path).games().games
    assert sorted(ids) == [game.id for game in games] == list(range(1, 41))
    assert {game.place for game in games} == {str(number) for number in range(40)}
