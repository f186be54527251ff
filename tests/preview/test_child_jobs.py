"""Jobs of the page in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from ppgen.errors import InputError, Problem
from ppgen.preview import child_jobs
from ppgen.preview.child_jobs import JobRunner, JobStatus

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork, jobs are threads")


def work(choices, report):
    report("half", 1, 2)
    match choices["way"]:
        case "wrong":
            raise InputError([Problem(place="deck.toml", line=3, what="is wrong", remedy="mend it")])
        case "bug":
            raise KeyError("nix")
        case "crash":
            os.abort()
        case "long":
            time.sleep(60)
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            report("deaf", 0, 0)
            time.sleep(60)
        case "talkative":
            return {"text": "x" * 5_000}
        case "busy":
            while True:
                pass
    return {"pid": os.getpid(), "way": choices["way"]}


@pytest.fixture
def jobs():
    runner = JobRunner({"work": work})
    yield runner
    runner.close()


def finish(jobs: JobRunner, way: str) -> JobStatus:
    assert jobs.start("work", {"way": way})
    return wait(jobs)


def wait(jobs: JobRunner) -> JobStatus:
    until = time.monotonic() + 120
    while jobs.status.state == "running" and time.monotonic() < until:
        time.sleep(0.01)
    return jobs.status


def said(status):
    return [tuple(error.values()) for error in status.errors]


def test_each_job_has_a_process_of_its_own(jobs):
    done = [finish(jobs, "well") for _ in range(3)]
    assert [status.number for status in done] == [1, 2, 3]
    assert len({status.result["pid"] for status in done} | {os.getpid()}) == 4


@pytest.mark.parametrize(("way", "words"), [
    ("wrong", ("deck.toml:3", "is wrong", "mend it")), ("bug", ("", "unexpected KeyError: this is a bug in ppgen", "")),
    ("crash", ("", "A library crashed over the files, or they took too much time or memory.", ""))])
def test_what_went_wrong_is_told_and_the_next_job_works(jobs, way, words):
    status = finish(jobs, way)
    assert (status.state, said(status)) == ("failed", [words])
    assert finish(jobs, "well").state == "done"


def test_a_job_can_be_stopped_and_no_other_begins_meanwhile(jobs):
    assert jobs.start("work", {"way": "long"}) and not jobs.start("work", {"way": "well"})
    while not jobs.status.step:
        time.sleep(0.01)
    jobs.stop()
    assert said(wait(jobs)) == [("", "Stopped.", "")] and finish(jobs, "well").state == "done"


def test_a_job_that_does_not_listen_is_killed(monkeypatch):
    monkeypatch.setattr(child_jobs, "GRACE_PERIOD_S", 0.2)
    jobs = JobRunner({"work": work})
    jobs.start("work", {"way": "stubborn"})
    while jobs.status.step != "deaf":
        time.sleep(0.01)
    jobs.stop()
    assert wait(jobs).state == "failed" and finish(jobs, "well").state == "done"
    jobs.close()


def test_a_job_can_say_only_so_much(jobs, monkeypatch):
    monkeypatch.setattr(child_jobs, "MAX_LINE_BYTES", 1_000)
    assert finish(jobs, "well").state == "done"  # the next line has the limit
    assert finish(jobs, "talkative").state == "failed" and finish(jobs, "well").state == "done"


LIMITED = """
import resource, time
from tests.preview.test_child_jobs import JobRunner, finish, said, work
resource.setrlimit(resource.RLIMIT_CPU, (4, resource.RLIM_INFINITY))
jobs = JobRunner({"work": work})
print(said(finish(jobs, "busy"))[0][1], finish(jobs, "well").state)
jobs.close()
"""


@pytest.mark.slow
def test_a_job_has_the_limits_of_the_program():
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=240, check=False)
    assert done.stdout.startswith("A library crashed") and done.stdout.endswith("memory. done\n"), done.stderr


def test_closing_ends_a_job(jobs):
    jobs.start("work", {"way": "long"})
    start = time.monotonic()
    jobs.close()
    assert time.monotonic() - start < 10 and not jobs.start("work", {"way": "well"})
