"""Jobs of the page in processes of their own."""

from __future__ import annotations

import os
import time

import pytest

from ppgen.errors import InputError, Problem
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
    until = time.monotonic() + 30
    while jobs.status.state == "running" and time.monotonic() < until:
        time.sleep(0.01)
    return jobs.status


def test_each_job_has_a_process_of_its_own(jobs):
    done = [finish(jobs, "well") for _ in range(3)]
    assert [status.number for status in done] == [1, 2, 3]
    assert len({status.result["pid"] for status in done} | {os.getpid()}) == 4


@pytest.mark.parametrize(("way", "words"), [
    ("wrong", "deck.toml:3: is wrong (mend it)"), ("bug", "unexpected KeyError: this is a bug in ppgen"),
    ("crash", "A library crashed over the files, or they took too much time or memory.")])
def test_what_went_wrong_is_told_and_the_next_job_works(jobs, way, words):
    status = finish(jobs, way)
    assert (status.state, status.errors) == ("failed", (words,))
    assert finish(jobs, "well").state == "done"


def test_a_job_can_be_stopped_and_no_other_begins_meanwhile(jobs):
    assert jobs.start("work", {"way": "long"}) and not jobs.start("work", {"way": "well"})
    while not jobs.status.step:
        time.sleep(0.01)
    jobs.stop()
    assert wait(jobs).errors == ("Stopped.",) and finish(jobs, "well").state == "done"


def test_closing_ends_a_job(jobs):
    jobs.start("work", {"way": "long"})
    start = time.monotonic()
    jobs.close()
    assert time.monotonic() - start < 10 and not jobs.start("work", {"way": "well"})
