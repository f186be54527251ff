"""Two processes do what one does, in the same order, and leave nothing behind."""

import json
import os
import signal
import time
from functools import partial
from select import select

import pytest

from ppgen.printing import set_build
from ppgen.printing.set_build import StepCounter, run_jobs
from tests.conftest import run_python

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_build, "_may_fork", lambda: True)


def who(number: int) -> tuple[int, int]:
    return number, os.getpid()


def leave_number(file):
    """Write the number of this process into a file that appears whole."""
    file.with_suffix(".part").write_text(str(os.getpid()))
    file.with_suffix(".part").rename(file)


def test_results_come_in_order_from_two_processes(two):
    found = list(run_jobs([partial(who, number) for number in range(5)]))
    assert [number for number, _ in found] == [0, 1, 2, 3, 4]
    here = [process == os.getpid() for _, process in found]
    assert here == [True, False, True, False, True]


def test_steps_are_counted_however_many_a_job_has():
    counter = StepCounter(2)
    assert [counter.count(number % 2) for number in range(600)] == [*range(1, 601)]


def test_a_request_to_stop_ends_both(two, tmp_path):
    def job(number: int) -> None:
        if number:
            leave_number(tmp_path / "process")
            time.sleep(60)
        while not (tmp_path / "process").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(run_jobs([partial(job, 0), partial(job, 1)]))
    with pytest.raises(ChildProcessError):
        os.waitpid(int((tmp_path / "process").read_text()), os.WNOHANG)


def test_a_worker_whose_parent_was_killed_ends(two, tmp_path):
    def job(number: int) -> bytes:
        if number:
            leave_number(tmp_path / "process")
            while os.getppid() == parent:
                time.sleep(0.01)
            return bytes(10_000_000)  # more than a pipe holds
        while not (tmp_path / "process").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)
        return b""

    end, held_open = os.pipe()
    parent = os.fork()
    if not parent:
        parent = os.getpid()
        os.close(end)
        list(run_jobs([partial(job, 0), partial(job, 1)]))
    os.close(held_open)
    os.waitpid(parent, 0)
    has_ended = select([end], [], [], 60)[0]  # the last process that held the other end
    os.close(end)
    if not has_ended:
        os.kill(int((tmp_path / "process").read_text()), signal.SIGKILL)
        pytest.fail("it goes on")


@pytest.mark.slow
def test_a_build_of_two_languages_is_two_builds(process, desk):
    words = "build", "--only", "stones", "--quiet", "--no-cache"
    ran = process(*words, "--lang", "de", "--lang", "en", "-o", "both", cwd=desk.folder)
    assert ran.returncode == 0, ran.stderr
    for lang in ("de", "en"):
        desk.run(*words, "--lang", lang, "-o", lang)
    both, *apart = ({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.pdf")}
                    for folder in (desk.folder / name for name in ("both", "de", "en")))
    assert len(both) == 2 and both == apart[0] | apart[1]


@pytest.mark.slow
def test_they_find_what_is_wrong_with_languages_as_one_does(small_desk):
    """Texts too long, signs that no font has, a text that is missing, and a stroke that is too thin on all faces."""
    for lang, old, new in (("de", '"Frankreich"', '"Frankreich und Navarra samt allen Provinzen"'),
                           ("en", '"Bavaria"', '"\U00013080"'), ("fr", "saxony = ", "sachsen = ")):
        small_desk.change(f"data/card_game/locales/{lang}.toml", old, new)
    small_desk.change("templates/card_game/country-card.svg.j2", "</svg>",
                      '<path d="M9 9h1" stroke="#000000" stroke-width="0.01"/></svg>')
    code = ("from ppgen.printing import set_build; set_build._may_fork = lambda: {}; "
            "from ppgen.cli.start import run; run()")
    two, one = (run_python("-c", code.format(may_fork), "check", "--data", "data", "--templates", "templates",
                           *(word for lang in ("de", "en", "fr") for word in ("-l", lang)), "--json", "--no-cache",
                           cwd=small_desk.folder) for may_fork in (True, False))
    assert two.stdout == one.stdout
    found = " ".join(problem["what"] for problem in json.loads(two.stdout)["problems"])
    assert all(words in found for words in ("too wide", "Egyptian", "is missing", "a stroke of 0.01 mm"))
