"""The child that reads files of strangers may crash, hang, eat memory or go mad: the next file is read all the same."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from ppgen.errors import InputError, Problem
from ppgen.process import supervision
from ppgen.process.supervision import Options, read_supervised
from tests.reading.test_tables import workbook

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def measure(content: bytes, options: Options) -> object:
    return [len(content), options.get("unit", "")]


def misbehave(content: bytes, options: Options) -> object:
    match content.decode().partition(" "):
        case "crash", _, number:
            os.kill(os.getpid(), int(number))
        case "end", *_:
            os._exit(3)
        case "eat", *_:
            return len(bytearray(3_000_000_000))
        case "hang", *_:
            while True:
                pass
        case "grow", *_:
            held = [bytearray(10_000_000)]
            while time.sleep(0.01) is None:
                held.append(bytearray(held[-1]))
        case "sleep", *_:
            time.sleep(100)
        case "panic", *_:
            raise BaseException("in Rust")
        case "refuse", *_:
            raise InputError([Problem(place="a.csv", line=3, what="is wrong", remedy="mend it")])
        case "write", _, path:
            Path(path).write_text("x", encoding="utf-8")
        case "connect", *_:
            socket.create_connection(("127.0.0.1", 9), timeout=1)
        case "files", *_:
            return sorted({os.path.realpath(entry) for entry in os.scandir("/proc/self/fd")})
    return "nothing"


def lines(content: str) -> list[str]:
    with pytest.raises(InputError) as refused:
        read_supervised(misbehave, content.encode(), {}, "a.png", "save it again")
    return [str(problem) for problem in refused.value.problems]


@pytest.fixture(autouse=True)
def new_child():
    supervision._forget_child()
    supervision._failures.clear()
    yield
    supervision._forget_child()
    supervision._failures.clear()


@pytest.mark.slow
@pytest.mark.parametrize(("content", "line"), [
    (f"crash {signal.SIGSEGV:d}", "a.png: crashes the library that reads it (save it again)"),
    (f"crash {signal.SIGABRT:d}", "a.png: crashes the library that reads it (save it again)"),
    (f"crash {getattr(signal, 'SIGKILL', 9):d}",
     "a.png: was ended from outside, as systems do when memory is short (close other programs, and try again)"),
    ("end", "a.png: crashes the library that reads it (save it again)"),
    ("panic", "a.png: is damaged (BaseException: in Rust) (save it again)"),
    ("refuse", "a.csv:3: is wrong (mend it)"),
    pytest.param("eat", "a.png: takes more than 1 GB of memory to read (make it smaller)",
                 marks=pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's limit of memory")),
])
def test_a_file_that_ends_its_reader_costs_one_message(content, line):
    for _ in range(2):
        assert lines(content) == [line]
        assert read_supervised(measure, b"1234", {"unit": "mm"}, "b.png", "") == [4, "mm"]


@pytest.mark.parametrize(("content", "bound", "limit"), [
    ("hang", "MAX_CPU_S", "0.3 s"), ("sleep", "MAX_WAIT_S", "0.3 s on the clock")])
def test_a_file_has_its_time(content, bound, limit, monkeypatch):
    with monkeypatch.context() as patch:  # the good file may have its usual time
        patch.setattr(supervision, bound, 0.3)
        assert lines(content) == [f"a.png: takes more than {limit} to read (save it again)"]
        begun = supervision._children[0].number
        assert lines(content) == [f"a.png: takes more than {limit} to read (save it again)"]
        assert supervision._children[0].number == begun  # not tried again
    supervision._forget_child()  # has the bounds that held when it was forked
    assert read_supervised(measure, b"1234", {}, "b.png", "") == [4, ""]


def measure_shared(content: bytes, options: Options) -> object:
    shared = supervision.shared_content(options)
    return misbehave(shared, options) if shared.startswith(b"hang") else len(content + shared)


def test_a_unit_that_failed_is_tried_again_with_other_shared_content(monkeypatch):
    """As a face is when its template has been corrected."""
    monkeypatch.setattr(supervision, "MAX_CPU_S", 0.3)
    for _ in range(2):
        with pytest.raises(supervision.OverrunError):
            supervision.run_supervised(measure_shared, b"1", {}, supervision.Shared(b"hang"))
        assert supervision.run_supervised(measure_shared, b"1", {}, supervision.Shared(b"22")) == 3


def test_a_unit_may_have_several_times_the_bounds_of_others(monkeypatch):
    monkeypatch.setattr(supervision, "MAX_CPU_S", 0.1)
    with pytest.raises(supervision.OverrunError) as over:
        supervision.run_supervised(misbehave, b"hang", {}, times=3)
    assert over.value.describe("to set", "") == "takes more than 0.3 s to set"


def test_a_part_that_ends_the_child_is_known_when_the_whole_begins_again():
    assert supervision.run_supervised(with_part, f"crash {signal.SIGSEGV:d}".encode(), {}) == [
        "part: crashes the library that reads it (leave it out)"]
    assert supervision.run_supervised(with_part, b"fine", {}) == "nothing"


def with_part(content: bytes, options: Options) -> object:
    try:
        return read_supervised(misbehave, content, options, "part", "leave it out")
    except InputError as error:
        return [str(problem) for problem in error.problems]


def test_a_large_file_comes_back_whole():
    content = os.urandom(1_000) * 5_000
    assert read_supervised(measure, content, {}, "a.png", "") == [5_000_000, ""]
    assert len(read_supervised(repeat, b"ab", {"times": 2_000_000}, "a.png", "")) == 4_000_000


def repeat(content: bytes, options: Options) -> object:
    return content.decode() * options["times"]


def test_a_reader_has_no_files_of_the_program_and_writes_none(tmp_path):
    with (tmp_path / "open.txt").open("w"):
        held = read_supervised(misbehave, b"files", {}, "a.png", "")
    assert not [path for path in held if str(tmp_path) in path or path.startswith("/dev/pts")]
    (tmp_path / "kept.txt").write_text("mine", encoding="utf-8")
    assert lines(f"write {tmp_path / 'kept.txt'}")
    assert (tmp_path / "new.txt").exists() is False
    assert "Error" in lines("connect")[0]


def test_a_forked_process_has_a_child_of_its_own():
    assert read_supervised(measure, b"1", {}, "a", "") == [1, ""]
    reader, writer = os.pipe()
    if not (child := os.fork()):
        os.write(writer, json.dumps([read_supervised(measure, b"22", {}, "a", "") for _ in range(50)]).encode())
        os._exit(0)
    assert [read_supervised(measure, b"1", {}, "a", "") for _ in range(50)] == [[1, ""]] * 50
    os.waitpid(child, 0)
    assert json.loads(os.read(reader, 10_000)) == [[2, ""]] * 50


DECK = """[cards]
table = "cards.csv"
front = "card.svg.j2"

[tiles]
table = "tiles.xlsx"
front = "card.svg.j2"
"""


def test_all_bad_files_of_a_run_are_reported_at_once(desk):
    (desk.folder / "art").mkdir()
    for number, content in enumerate((b"", b"\x89PNG\r\n\x1a\nx", b"\xff\xd8\xff\xe0", b"GIF89a")):
        (desk.folder / "art" / f"{number}.png").write_bytes(content)
    (desk.folder / "tiles.xlsx").write_bytes(b"PK\3\4")
    (desk.folder / "deck.toml").write_text(DECK.replace("tiles.xlsx", "cards.csv"), encoding="utf-8")
    (desk.folder / "cards.csv").write_text("Name,Art\na,0\nb,1\nc,2\nd,3\n", encoding="utf-8")
    (desk.folder / "card.svg.j2").write_text("{{ image(card.art, x=0, y=0, width=9, height=9) }}", encoding="utf-8")
    said = desk.ppgen("build", "-q").stderr
    assert [name for name in "0123" if f"art/{name}.png is " in said] == [*"0123"]


@pytest.mark.slow
def test_a_warm_build_starts_no_child(desk, monkeypatch):
    (desk.folder / "art").mkdir()
    Image.new("RGB", (300, 300), "#246").save(desk.folder / "art" / "a.png")
    (desk.folder / "tiles.xlsx").write_bytes(workbook(Cards=[["Name", "Art"], ["a", "a"]]))
    (desk.folder / "deck.toml").write_text(DECK + '\n[tokens]\ntable = "cards.csv"\nfront = "token.svg"\n',
                                           encoding="utf-8")
    (desk.folder / "cards.csv").write_text("Name,Art\na,a\n", encoding="utf-8")
    (desk.folder / "card.svg.j2").write_text("{{ image(card.art, x=0, y=0, width=9, height=9) }}", encoding="utf-8")
    (desk.folder / "token.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9"><rect width="63.5" height="88.9"/></svg>',
        encoding="utf-8")
    started: list[object] = []
    start = supervision._Child.__init__
    monkeypatch.setattr(supervision._Child, "__init__", lambda child: started.append(child) or start(child))
    for _ in range(2):
        done = desk.ppgen("build", "-q")
        assert done.exit_code == 0, done.stderr
        assert len(started) == 1
        supervision._forget_child()


@pytest.mark.slow
def test_without_fork_a_started_program_reads_and_is_started_again(monkeypatch):
    monkeypatch.delattr(os, "fork")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))  # has the readers of this module
    assert read_supervised(measure, b"1234", {"unit": "mm"}, "b.png", "") == [4, "mm"]
    assert lines("refuse") == ["a.csv:3: is wrong (mend it)"]
    assert lines("end") == ["a.png: crashes the library that reads it (save it again)"]
    assert read_supervised(measure, b"12", {}, "b.png", "") == [2, ""]


@pytest.fixture
def started(monkeypatch):
    """No fork, and the answers that Windows gives about a process."""
    def look(_: int) -> tuple[int, float]:
        number = supervision._children[0]._program.pid
        ticks = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[11:13]
        pages = int(Path(f"/proc/{number}/statm").read_text().split()[5])
        return pages * os.sysconf("SC_PAGESIZE"), sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    monkeypatch.delattr(os, "fork")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))  # has the readers of this module
    monkeypatch.setattr(supervision, "_measure", look)
    assert read_supervised(measure, b"", {}, "a.png", "") == [0, ""]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes of Linux")
@pytest.mark.parametrize(("content", "bound", "most", "limit"), [
    ("hang", "MAX_CPU_S", 0.5, "0.5 s"), ("sleep", "MAX_WAIT_S", 2.0, "2 s on the clock"),
    ("grow", "MAX_MEMORY_BYTES", 200_000_000, "0.2 GB of memory")])
def test_without_fork_the_parent_holds_the_bounds(content, bound, most, limit, monkeypatch, started):
    with monkeypatch.context() as patch:  # the next program may take its time to start
        patch.setattr(supervision, bound, most)
        for _ in range(2):
            with pytest.raises(InputError, match=f"takes more than {limit} to read"):
                read_supervised(misbehave, content.encode(), {}, "a.png", "")
    assert read_supervised(measure, b"12", {}, "b.png", "") == [2, ""]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes of Linux")
def test_without_fork_a_part_stops_the_clock_of_the_whole(monkeypatch, started):
    monkeypatch.setattr(supervision, "MAX_CPU_S", 0.6)
    assert supervision.run_supervised(with_parts, b"", {"parts": 4}) == 4
    with pytest.raises(supervision.OverrunError, match="slow"):
        supervision.run_supervised(with_parts, b"hang", {"parts": 1})


def with_parts(content: bytes, options: Options) -> object:
    for part in range(options["parts"]):
        read_supervised(work_a_while, bytes([part]), {}, "part", "")
    return options["parts"] if not content else misbehave(content, options)


def work_a_while(content: bytes, options: Options) -> object:
    start = time.process_time()
    while time.process_time() < start + 0.4:
        pass
    return ""
