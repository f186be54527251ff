"""What is kept between runs: whole or not at all, by this user only, and never too much."""

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ppgen import cache
from ppgen.cache import Store, cached, file_state_key, folder_digest, open_cache


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


def test_nothing_is_made_where_nothing_is_kept(folder):
    assert Store(folder).find("one") is None
    Store(folder).close()
    assert not folder.exists()


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


def test_an_entry_under_the_name_of_another_is_not_found(folder):
    """As a backup may put it there."""
    kept(folder, one=b"first", two=b"second")
    one, two = folder / "one", folder / "two"
    first = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(first)
    assert (Store(folder).find("one"), Store(folder).find("two")) == (None, None)


def test_no_run_sees_half_a_file(folder, monkeypatch):
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("killed")))
    kept(folder, one=b"content")
    assert list(folder.iterdir()) == []


def test_two_runs_at_once_keep_the_same_thing(folder):
    one, other = Store(folder), Store(folder)
    for store in (one, other):
        store.keep("mark", b"content")
    one.close()
    other.close()
    assert [path.name for path in folder.iterdir()] == ["mark"]
    assert Store(folder).find("mark") == b"content"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows knows other rights")
class TestOthers:
    def test_the_folder_is_the_users_own(self, folder):
        kept(folder, one=b"content")
        assert folder.stat().st_mode & 0o777 == 0o700 and (folder / "one").stat().st_mode & 0o777 == 0o600

    def test_a_folder_that_others_may_write_in_is_not_used(self, folder):
        kept(folder, one=b"content")
        folder.chmod(0o777)
        kept(folder, two=b"content")
        assert Store(folder).find("one") is None and not (folder / "two").exists()

    def test_nor_one_that_is_a_link(self, folder, tmp_path):
        kept(folder, one=b"content")
        link = tmp_path / "link"
        link.symlink_to(folder)
        assert Store(link).find("one") is None

    @pytest.mark.parametrize("spoil", ["link", "pipe", "writable"])
    def test_nor_a_file_that_is_a_link_or_no_file_or_open_to_others(self, folder, tmp_path, spoil):
        kept(folder, one=b"content")
        file = folder / "one"
        if spoil == "writable":
            file.chmod(0o666)
        else:
            file.rename(tmp_path / "elsewhere")
            os.mkfifo(file) if spoil == "pipe" else file.symlink_to(tmp_path / "elsewhere")
        assert Store(folder).find("one") is None

    def test_what_belongs_to_another_user_is_not_used(self, folder, monkeypatch):
        kept(folder, one=b"content")
        somebody = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: somebody)
        assert Store(folder).find("one") is None


def test_what_was_not_used_for_longest_goes(folder, monkeypatch):
    monkeypatch.setattr(cache, "MAX_STORE_FILES", 8)
    kept(folder, **{f"n{number}": b"content" for number in range(8)})
    for number in range(8):
        os.utime(folder / f"n{number}", (number, number))
    assert Store(folder).find("n0") == b"content"  # it is used now
    (folder / ".left-by-a-killed-run").touch()
    os.utime(folder / ".left-by-a-killed-run", (1, 1))
    kept(folder, n8=b"content")
    assert sorted(path.name for path in folder.iterdir()) == ["n0", "n4", "n5", "n6", "n7", "n8"]


def test_bytes_are_bounded_too(folder, monkeypatch):
    monkeypatch.setattr(cache, "MAX_STORE_BYTES", 4000)
    for number in range(9):
        kept(folder, **{f"n{number}": bytes(1000)})
        os.utime(folder / f"n{number}", (time.time() - 100 + number,) * 2)
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 4000 and Store(folder).find("n8") == bytes(1000)


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


class TestDigestsOfFolders:
    @pytest.fixture
    def source(self, tmp_path, monkeypatch):
        monkeypatch.setattr(cache, "SETTLE_TIME_S", -60.0)
        (tmp_path / "source").mkdir()
        (tmp_path / "source" / "file").write_text("before")
        return tmp_path / "source"

    def digest(self, folder, source):
        with open_cache(folder):
            return folder_digest(source)

    @pytest.mark.skipif(os.name != "posix", reason="Windows notes no time of the last change")
    def test_what_an_earlier_run_has_read_is_not_read_again(self, folder, source, monkeypatch):
        before = self.digest(folder, source)
        monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("read again"))
        assert self.digest(folder, source) == before is not None

    @pytest.mark.skipif(os.name != "posix", reason="Windows notes no time of the last change")
    def test_a_change_is_seen_whatever_size_and_times_a_file_claims(self, folder, source):
        before, about = self.digest(folder, source), (source / "file").stat()
        (source / "file").write_text("after!")
        os.utime(source / "file", ns=(about.st_atime_ns, about.st_mtime_ns))
        assert self.digest(folder, source) not in (before, None)
        (source / "file").write_text("before")
        assert self.digest(folder, source) == before

    def test_without_times_of_changes_contents_count(self, folder, source, monkeypatch):
        """A file system may know only the mtime, which a program can set."""
        state = cache._folder_state
        monkeypatch.setattr(cache, "_folder_state", lambda *place: tuple(
            file._replace(mtime=10 ** 18, ctime=10 ** 18) for file in state(*place)))
        before = self.digest(folder, source)
        (source / "file").write_text("after!")
        assert self.digest(folder, source) not in (before, None)

    def test_what_was_changed_just_now_is_read_each_time(self, folder, source, monkeypatch):
        """It may change once more, and its times be the same."""
        monkeypatch.setattr(cache, "SETTLE_TIME_S", 60.0)
        before = self.digest(folder, source)
        read = []
        monkeypatch.setattr(Path, "read_bytes", lambda _: read.append(1) or b"before")
        assert self.digest(folder, source) == before and read

    def test_what_says_that_it_was_written_just_now_is_read_each_time(self, folder, source, monkeypatch):
        """Windows tells when a file began to be there, and not when anything of it changed."""
        monkeypatch.setattr(cache, "SETTLE_TIME_S", 0.0)
        ahead = time.time() + 60
        os.utime(source / "file", (ahead, ahead))
        before = self.digest(folder, source)
        monkeypatch.setattr(Path, "read_bytes", lambda _: b"after!")
        assert self.digest(folder, source) != before

    @pytest.mark.skipif(os.name != "posix", reason="Windows has no time of the last change")
    def test_a_folder_of_the_program_is_never_read_and_each_change_shows(self, folder, source, monkeypatch):
        (source / "inside").mkdir()
        monkeypatch.setattr(cache, "_PROGRAM", source)
        monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} was read"))
        before, about = self.digest(folder, source), (source / "file").stat()
        assert self.digest(folder, source) == before is not None
        (source / "file").write_text("after!")  # of the same size
        os.utime(source / "file", ns=(about.st_atime_ns, about.st_mtime_ns))
        changed = self.digest(folder, source)
        (source / "inside" / "more").write_text("")
        assert len({before, changed, self.digest(folder, source), self.digest(folder, source / "inside")}) == 4

    def test_a_folder_of_the_program_that_may_change_unnoticed_is_read(self, folder, source, monkeypatch):
        monkeypatch.setattr(cache, "_PROGRAM", source)
        monkeypatch.setattr(cache, "_have_change_times", lambda _: False)
        before, about = self.digest(folder, source), (source / "file").stat()
        (source / "file").write_text("after!")
        os.utime(source / "file", ns=(about.st_atime_ns, about.st_mtime_ns))
        assert self.digest(folder, source) not in (before, None)

    def test_a_copy_has_the_same_digest(self, folder, source, tmp_path):
        shutil.copytree(source, tmp_path / "copy")
        assert self.digest(folder, tmp_path / "copy") == self.digest(folder, source)


def test_folders_with_links_have_no_digest(folder, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "file").write_text("text")
    with open_cache(folder):
        assert folder_digest(source)
        (source / "link").symlink_to("/dev/zero")
        assert folder_digest(source) is None


def test_a_place_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").touch()
    with open_cache(tmp_path / "file" / "below"):
        assert cached("one", lambda: b"content") == b"content"


def test_threads_keep_things_at_once(folder, monkeypatch):
    monkeypatch.setattr(cache, "MAX_BUFFERED_BYTES", 1000)
    store = Store(folder)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: store.keep(f"n{number}", bytes(90)), range(400)))
    store.close()
    assert len(list(folder.iterdir())) == 400


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
