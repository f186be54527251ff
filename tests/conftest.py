"""What the tests share: copies of the shipped folders to spoil, a built German set, golden files."""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import pickle
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from ppgen.assets import Assets
from ppgen.cache import open_cache
from ppgen.cli.options import CACHE_FOLDER, CACHE_VARIABLE
from ppgen.cli.program import main
from ppgen.engine.drawing.fonts import FontBook, read_fonts
from ppgen.engine.geometry import Formats, read_formats
from ppgen.games.card_game.deck import Deck, load_deck
from ppgen.games.catalogue import GAME_KINDS
from ppgen.printing.workshop import Workshop
from ppgen.process.supervision import start_supervision
from ppgen.shipped import shipped_root

OnceForAll = Callable[[str, Callable[[Path], str]], tuple[Path, str]]

IN_CI = bool(os.environ.get("CI"))
"""Continuous integrations set it. There all tools are at hand."""

# The same examples on every machine and run, and no clock: a law either holds or it does not.
PLAIN = settings(derandomize=True, deadline=None, database=None, print_blob=False)
settings.register_profile("quick", PLAIN, max_examples=15)
settings.register_profile("long", PLAIN, max_examples=300)  # pytest --hypothesis-profile long
settings.load_profile("quick")
# No constants of our modules as examples: which of them are imported already depends on the order of the tests.
vars(providers)["_get_local_constants"] = lambda: providers._local_constants

ROOT = Path(__file__).resolve().parent.parent
_caches = count()
SETTINGS = ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "NO_COLOR", "FORCE_COLOR", "SOURCE_DATE_EPOCH")
"""What a developer's shell may set and the program heeds."""

SLOW_S = 0.7
"""A test that takes more processor time (own and children's, without fixtures) should be marked as slow."""
MUST_BE_SLOW_S = 4.0
"""In CI an unmarked test that takes more fails: far over the limit, as machines differ and may be busy."""

if hasattr(os, "register_at_fork"):  # children that are let crash print no traceback
    os.register_at_fork(after_in_child=faulthandler.disable)

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # run in the background of a shell: all processes would ignore it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


collect_ignore = [] if sys.platform == "win32" else ["process/test_on_windows.py"]  # test_windows.py runs it


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests as slow. Workers begin with their files, then with those of most slow tests, so that none ends
    long after the rest."""
    waiting, slow = set[Path](), Counter[Path]()
    for item in items:
        if "real_browser" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
            waiting.add(item.path)
        slow[item.path] += item.get_closest_marker("slow") is not None
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: (
            item.path.name != "test_windows.py", item.path not in waiting, -slow[item.path]))


def pytest_collection_finish() -> None:
    """Thousands of tests stay in memory: exclude them from garbage collection, and collect the rest less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def processor_time() -> float:
    """Seconds that this process and its finished children have computed."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    start = processor_time()
    yield
    took = processor_time() - start
    item.user_properties.append(("processor time", took))
    if IN_CI and took > MUST_BE_SLOW_S and not item.get_closest_marker("slow"):
        pytest.fail(f"took {took:.1f} s of processor time: mark it with @pytest.mark.slow", pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """With --durations, list tests that lack the mark of slow ones."""
    if config.getoption("durations") is None:
        return
    for report in terminalreporter.getreports("passed"):
        took = dict(report.user_properties).get("processor time", 0)
        if took > SLOW_S and "slow" not in report.keywords:
            terminalreporter.write_line(f"not marked as slow, but took {took:.1f} s: {report.nodeid}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """In CI a test that skips itself, for want of a tool, fails; one that is marked has no meaning on this system."""
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail") and not any(item.iter_markers("skipif")):
        report.outcome, report.longrepr = "failed", f"skipped, but in CI nothing may be missing: {call.excinfo.value}"
    return report


@pytest.fixture(scope="session")
def real_browser() -> None:
    """Browser fixtures request this one: what needs a browser is slow."""


def for_all_workers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is the same one for all workers of a run."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base  # there the workers' folders stand together


@pytest.fixture(scope="session", autouse=True)
def common_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is drawn once is kept for all tests in a folder of the session's own, not in the developer's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(for_all_workers(tmp_path_factory) / "cache"))
        yield


@pytest.fixture(scope="session", autouse=True)
def toml_memory() -> Iterator[None]:
    """Parse each TOML text once: thousands of commands read the same shipped data."""
    parse = tomllib.loads
    parsed = lru_cache(500)(lambda text: pickle.dumps(parse(text)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tomllib, "loads", lambda text: pickle.loads(parsed(text)))
        yield


@pytest.fixture(scope="session", autouse=True)
def early_child() -> None:
    """The supervised child is forked before typst has threads in this process: a fork loses them, and waits for them.
    """
    start_supervision()


@pytest.fixture
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nothing is kept yet, and nothing for other tests: for a test that patches what draws, or counts drawings."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path_factory.getbasetemp() / f"cache-{next(_caches)}"))


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same settings on every machine: none."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def kept() -> Iterator[None]:
    """What the tests of a module draw with no command is kept as well."""
    with open_cache(Path(os.environ[CACHE_VARIABLE]) / CACHE_FOLDER):
        yield


@pytest.fixture(scope="module")
def no_waiting_for_disks() -> Iterator[None]:
    """Many histories are written, and none is to outlive a power cut."""
    connect = sqlite3.connect

    def hasty(*args: Any, **options: Any) -> sqlite3.Connection:
        db = connect(*args, **options)
        db.execute("PRAGMA synchronous = OFF")
        return db

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", hasty)
        yield


@pytest.fixture
def golden(request: pytest.FixtureRequest):
    """Compare a text with ``tests/golden/NAME``, or write it with ``--update-golden``."""

    def compare(name: str, text: str) -> None:
        path = ROOT / "tests" / "golden" / name
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.is_file(), f"no golden file {name}: run pytest --update-golden and look at it"
        assert text == path.read_text(encoding="utf-8"), f"{name} has moved; if that is meant, run --update-golden"

    return compare


@pytest.fixture
def golden_cases(golden) -> Callable[[str, Callable[[str], Iterable[object]]], list[str]]:
    """Answer each text of ``tests/golden/cases/NAME.txt``, whose lines stand after ``|``; return the texts.

    What comes of it stands below, a line each. ``pytest --update-golden`` writes it anew; read the diff.
    """
    def compare(name: str, answer: Callable[[str], Iterable[object]]) -> list[str]:
        path, texts, made = ROOT / "tests" / "golden" / "cases" / f"{name}.txt", list[str](), list[str]()
        for head, case in re.findall(r"(?m)((?:^#.*\n)*)((?:^\|.*\n)+)", path.read_text(encoding="utf-8")):
            texts.append(re.sub(r"(?m)^\| ?", "", case).removesuffix("\n"))
            lines = (line for each in answer(texts[-1]) for line in str(each).splitlines())
            made.append(head + case + "".join(f"  {line}".rstrip() + "\n" for line in lines))
        assert texts
        golden(f"cases/{name}.txt", "\n".join(made))
        return texts

    return compare


@pytest.fixture(scope="session")
def fonts() -> FontBook:
    return read_fonts(shipped_root() / "data" / "fonts")


@pytest.fixture(scope="session")
def formats() -> Formats:
    return read_formats(shipped_root() / "data")


@pytest.fixture(scope="session")
def workshop() -> Workshop:
    """The shipped set, opened."""
    return Workshop.open(Assets.at())


@pytest.fixture(scope="session")
def deck() -> Deck:
    """The shipped deck."""
    return load_deck(shipped_root() / "data" / "card_game")[0]


@dataclass(frozen=True)
class Desk:
    """A working folder with copies of the shipped data and templates, to be changed by a test."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def templates(self) -> Path:
        return self.folder / "templates"

    def with_set(self, game: str = "card_game") -> Desk:
        """The desk with copies of the data and templates that one game is printed from."""
        others = [folder for folder in GAME_KINDS if folder != game and (shipped_root() / "data" / folder).is_dir()]
        ignored = shutil.ignore_patterns(*others, "fonts", "icons", "starters", "looks", "site", "table")
        shutil.copytree(shipped_root() / "data", self.data, ignore=ignored)
        shutil.copytree(shipped_root() / "templates", self.templates, ignore=ignored)
        return self

    def with_small_set(self) -> Desk:
        """The desk with copies of the card game's, with a card of each country in one size: drawn in a second."""
        self.with_set()
        cards, countries = (self.data / "card_game" / name for name in ("cards.csv", "countries.toml"))
        head, *rows = cards.read_text(encoding="utf-8").splitlines(keepends=True)
        cards.write_text(head + "".join(row for row in rows if "-1," in row), encoding="utf-8")
        numbers = re.sub(r"number = \d+", "number = 1", countries.read_text(encoding="utf-8"))
        countries.write_text(numbers, encoding="utf-8")
        (self.data / "sizes.toml").write_text('[sizes]\nmini-euro = "44x68mm"\n', encoding="utf-8")
        return self

    def ppgen(self, *words: str) -> Result:
        """Run a command in this process and this folder."""
        return CliRunner().invoke(main, list(words))

    def run(self, *words: str, code: int = 0) -> Result:
        """Run a command that ends with that code."""
        done = self.ppgen(*words)
        assert done.exit_code == code, done.output
        return done

    def built(self, *words: str) -> dict:
        """Build, and return the (first) manifest."""
        return json.loads(self.run("build", *words, "--json").stdout)[0]

    def own(self, command: str, *words: str) -> Result:
        """Run a command on the copies."""
        return self.ppgen(command, "--data", "data", "--templates", "templates", *words)

    def build(self, *words: str) -> Result:
        """Build the German stones, the quickest part, from the copies."""
        return self.own("build", "--lang", "de", "--only", "stones", *words)

    def change(self, path: str, old: str, new: str) -> int:
        """Replace the first ``old`` in a file; the line (from 1) that it stood on."""
        file = self.folder / path
        text = file.read_text(encoding="utf-8")
        assert old in text, f"{path} has no {old!r}"
        whole = file.with_name(f".{file.name}.tmp")  # a preview that watches never sees half of it
        whole.write_text(text.replace(old, new, 1), encoding="utf-8")
        whole.replace(file)
        return text[:text.index(old)].count("\n") + 1

    def files(self) -> dict[str, bytes]:
        """Every file under ``output``, hidden ones too."""
        return {path.relative_to(self.folder).as_posix(): path.read_bytes()
                for path in sorted((self.folder / "output").rglob("*")) if path.is_file()}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """An empty working folder (with the shipped set to be had by default)."""
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


@pytest.fixture
def own_desk(desk: Desk) -> Desk:
    """A working folder with data and templates of its own: the card game's, like that of ``ppgen init``."""
    return desk.with_set()


@pytest.fixture
def small_desk(desk: Desk) -> Desk:
    """The same with a card of each country, in one size."""
    return desk.with_small_set()


@pytest.fixture
def faces_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """``ppgen check`` draws all faces, and does not print the set."""
    monkeypatch.setattr("ppgen.review.set_check._check_printed", lambda *_: None)


def run_python(*words: str, cwd: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the program at hand as a process of its own."""
    surroundings = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return subprocess.run(
        [sys.executable, *words], cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=600,
        env={**surroundings, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **settings})


def run_ppgen(*words: str, cwd: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m ppgen`` as a process of its own."""
    return run_python("-m", "ppgen", *words, cwd=cwd, **settings)


@pytest.fixture(scope="session")
def process():
    """:func:`run_ppgen`, for tests that need a real process."""
    return run_ppgen


@dataclass(frozen=True)
class BuiltFolder:
    """What ``ppgen build --lang de`` wrote."""

    folder: Path
    manifest: dict

    def pdf(self, part: str) -> Path:
        return self.folder / self.entry(part)["path"]

    def entry(self, part: str) -> dict:
        return next(file for file in self.manifest["files"] if file["part"] == part)


@pytest.fixture(scope="session")
def once_for_all(tmp_path_factory: pytest.TempPathFactory) -> OnceForAll:
    """``once_for_all(NAME, MAKE)``: a folder that one of the workers fills for all of them, and what ``make`` said."""
    base = for_all_workers(tmp_path_factory)

    def filled(name: str, make: Callable[[Path], str]) -> tuple[Path, str]:
        folder, done, failed = base / name, base / f"{name}.done", base / f"{name}.failed"
        try:
            folder.mkdir()
        except FileExistsError:
            waited = time.monotonic()
            while not done.exists():
                assert not failed.exists(), f"{name} failed in another worker"
                assert time.monotonic() - waited < 900, f"{name} is never done"
                time.sleep(0.05)
        else:
            try:
                said = make(folder)
            except BaseException:
                failed.touch()
                raise
            (base / f"{name}.begun").write_text(said, encoding="utf-8")
            (base / f"{name}.begun").rename(done)
        return folder, done.read_text(encoding="utf-8")

    return filled


@pytest.fixture(scope="session")
def german_set(once_for_all: OnceForAll) -> BuiltFolder:
    """The complete German set, built once by a process of its own."""
    def make(folder: Path) -> str:
        done = run_ppgen("build", "--lang", "de", "--json", cwd=folder, PYTHONHASHSEED="1")
        return done.stdout if done.returncode == 0 else json.dumps(done.stderr)

    folder, said = once_for_all("german", make)
    manifests = json.loads(said)
    assert isinstance(manifests, list), manifests
    return BuiltFolder(folder, manifests[0])
