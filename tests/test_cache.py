"""What is kept between runs: whole or not at all, by this user only, and never too much."""

import os
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from ppgen import cache
from ppgen.cache import Store, cache_key, cached, file_state_key, folder_digest, open_cache
from ppgen.engine.imposition.sheets import Backs, Flip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "some" / "where"


def kept(folder: Path, **things: bytes) -> None:
    store = Store(folder)
    for mark, content in things.items():
        store.keep(mark, content)
    store.close()


def test_what_was_kept_is_found_by_later_runs(folder):
    kept(folder, one=b"first", two=b"")
    assert [Store(folder).find(mark) for mark in ("one", "two", "three")] == [b"first", b"", None]


@pytest.mark.parametrize("damage", [
    lambda content: content[:-1], lambda content: content + b"x", lambda _: b"", lambda content: b"x" + content[1:],
    lambda content: content[:40] + bytes([content[40] ^ 1]) + content[41:]])
def test_what_is_torn_or_damaged_is_not_found_and_written_anew(folder, damage):
    kept(folder, one=b"a content of some length")
    file = folder / "one"
    file.write_bytes(damage(file.read_bytes()))
    assert Store(folder).find("one") is None
    with open_cache(folder):
        assert cached("one", lambda: b"again") == b"again"
    assert Store(folder).find("one") == b"again"


def test_two_runs_at_once_keep_the_same_thing(folder):
    one, other = Store(folder), Store(folder)
    for store in (one, other):
        store.keep("mark", b"content")
    one.close()
    other.close()
    assert [path.name for path in folder.iterdir()] == ["mark"]
    assert Store(folder).find("mark") == b"content"


def keep_on_shelf(folder: Path, **things: bytes) -> None:
    store = Store(folder)
    for mark, content in things.items():
        store.keep(mark, content, "shelf")
        assert store.find(mark, "shelf") == content
    store.close()


def test_small_entries_share_the_files_of_a_shelf(folder):
    keep_on_shelf(folder, a1=b"first\n", a2=b"", b1=b"0 3\nand more")
    keep_on_shelf(folder, a3=b"later")
    assert sorted(path.name for path in folder.iterdir()) == ["shelf-a", "shelf-b"]
    marks = "a1", "a2", "a3", "b1", "b2"
    assert [Store(folder).find(mark, "shelf") for mark in marks] == [b"first\n", b"", b"later", b"0 3\nand more", None]
    assert Store(folder).find("a1") is None and Store(folder).find("a1", "other") is None
    (folder / "shelf-a").write_bytes((folder / "shelf-a").read_bytes()[:-1])
    assert [Store(folder).find(mark, "shelf") for mark in marks] == [None, None, None, b"0 3\nand more", None]


def test_runs_at_once_put_their_entries_on_one_shelf(folder):
    one, other = Store(folder), Store(folder)
    for store, mark in ((one, "a1"), (other, "a2")):
        store.keep(mark, mark.encode(), "shelf")
    one.close()
    other.close()
    assert [Store(folder).find(mark, "shelf") for mark in ("a1", "a2")] == [b"a1", b"a2"]


def test_the_oldest_of_a_full_shelf_go(folder, monkeypatch):
    monkeypatch.setattr(cache, "MAX_ENTRY_BYTES", 45)
    keep_on_shelf(folder, a1=b"x" * 15, a2=b"x" * 15)
    keep_on_shelf(folder, a3=b"x" * 15)
    assert [bool(Store(folder).find(mark, "shelf")) for mark in ("a1", "a2", "a3")] == [False, True, True]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows knows other rights")
@pytest.mark.parametrize("spoil", [
    "link", "pipe", "file 020", "file 002", "folder 020", "folder 002", "folder of links", "owner"])
def test_what_others_may_write_is_not_used(folder, tmp_path, monkeypatch, spoil):
    kept(folder, one=b"content")
    file, there, owner = folder / "one", folder, os.geteuid()
    assert folder.stat().st_mode & 0o777 == 0o700 and file.stat().st_mode & 0o777 == 0o600
    if spoil[-1].isdigit():  # each bit alone
        (file if spoil.startswith("file") else folder).chmod(0o700 | int(spoil[-3:], 8))
    elif spoil == "folder of links":
        there = tmp_path / "link"
        there.symlink_to(folder)
    elif spoil == "owner":
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    else:
        file.rename(tmp_path / "elsewhere")
        os.mkfifo(file) if spoil == "pipe" else file.symlink_to(tmp_path / "elsewhere")
    assert Store(there).find("one") is None


def test_what_was_not_used_for_longest_goes(folder, monkeypatch):
    monkeypatch.setattr(cache, "MAX_STORE_BYTES", 8 * cache.BLOCK_BYTES)
    kept(folder, **{f"n{number}": b"content" for number in range(8)})
    for number in range(8):
        os.utime(folder / f"n{number}", (number, number))
    assert Store(folder).find("n0") == b"content"  # it is used now
    (folder / ".left-by-a-killed-run").touch()
    os.utime(folder / ".left-by-a-killed-run", (1, 1))
    kept(folder, n8=b"content")
    assert sorted(path.name for path in folder.iterdir()) == ["n0", "n4", "n5", "n6", "n7", "n8"]


def test_what_changes_while_it_is_read_is_not_kept(folder, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "file").write_text("before")
    with open_cache(folder):
        before = folder_digest(source)
        (source / "file").write_text("after!")
        os.utime(source / "file", (1, 1))
        cached("one", lambda: b"of either")
    assert Store(folder).find("one") is None
    with open_cache(folder):
        assert folder_digest(source) not in (before, None)


def test_folders_with_links_have_no_digest(folder, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "file").write_text("text")
    with open_cache(folder):
        assert folder_digest(source)
        (source / "link").symlink_to("/dev/zero")
        assert folder_digest(source) is None


def test_a_file_is_known_by_its_state_once_it_is_settled(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(b"a")
    assert file_state_key("x", path) is None, "no cache is open"
    with open_cache(tmp_path / "cache"):
        assert file_state_key("x", path) is None, "it may change again within the time that file systems record"
        old = time.time() - 60
        os.utime(path, (old, old))
        assert file_state_key("x", path) is None, "its ctime is that of the last change all the same"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ppgen.cache.SETTLE_TIME_S", -1.0)
            key = file_state_key("x", path)
            assert key and file_state_key("x", path) == key and file_state_key("y", path) != key
            path.write_bytes(b"b")
            os.utime(path, (old, old))
            assert file_state_key("x", path) != key


@pytest.mark.parametrize("seconds", [60.0, -60.0], ids=["just now", "settled"])
def test_a_change_is_seen_whatever_size_and_times_a_file_claims(folder, tmp_path, monkeypatch, seconds):
    def digest(source: Path) -> str | None:
        with open_cache(folder):
            return folder_digest(source)

    monkeypatch.setattr(cache, "SETTLE_TIME_S", seconds)
    (source := tmp_path / "source").mkdir()
    (source / "file").write_text("before")
    before, about = digest(source), (source / "file").stat()
    shutil.copytree(source, tmp_path / "copy")
    assert digest(tmp_path / "copy") == before
    (source / "file").write_text("after!")
    os.utime(source / "file", ns=(about.st_atime_ns, about.st_mtime_ns))
    assert digest(source) not in (before, None)


# Keys

@dataclass(frozen=True)
class Thing:
    name: str
    noted: list[str] = field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Other:
    name: str


Pair, Couple = (NamedTuple(name, [("one", str), ("other", str)]) for name in ("Pair", "Couple"))


def test_values_that_differ_have_marks_that_differ():
    values = [None, 0, 1, -1, True, 1.0, 0.1, 0.1 + 1e-15, "", "1", "a", b"a", "é", "\ud800", (), [], {}, ("a",), ["a"],
              {"a": 1}, {"a": "1"}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, (("a", 1),), ("a", "b"), ("ab",), ("a", ("b",)),
              (("a",), "b"), frozenset(), frozenset("ab"), Thing("a"), Other("a"), Pair("a", "b"), Couple("a", "b"),
              SimpleNamespace(a=1), Backs.DUPLEX,
              "duplex", Flip.LONG]
    marks = [cache_key("test", value) for value in values]
    assert None not in marks and len(set(marks)) == len(values)


def test_what_cannot_be_told_apart_has_no_mark():
    deep: list = []
    for _ in range(100):
        deep = [deep]
    assert [cache_key("test", value)
            for value in (object(), len, lambda: 1, {"a": {"b": iter("c")}}, deep)] == [None] * 5
