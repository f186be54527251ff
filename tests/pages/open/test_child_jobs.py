"""Jobs of the page: commands in processes of their own."""

from __future__ import annotations

import io
import os
import sys
import time

import click
import pytest
from PIL import Image, ImageColor

from ppgen.cli.open import open_command
from ppgen.cli.page_jobs import PrintDefaults, draw_first_face, open_workbench, page_jobs
from ppgen.cli.program import main
from ppgen.errors import InputError, Problem
from ppgen.pages import local_server
from ppgen.pages.local_server import Job, JobRunner, JobStatus
from ppgen.pages.open.page_looks import PageView

COMMAND = """
import json, os, signal, sys, time
from ppgen.process.system import report_step
print("a warning", file=sys.stderr)
report_step("half", 1, 2)
match sys.argv[1]:
    case "wrong": sys.exit("deck.toml:3: is wrong (mend it)")
    case "nothing": sys.exit(0)
    case "crash": os.abort()
    case "long": time.sleep(60)
    case "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork():
            report_step("deaf", 0, 0)
        time.sleep(60)
print(json.dumps({"pid": os.getpid()}))
"""


def arguments(choices):
    if choices["way"] == "field":
        raise InputError([Problem(place="a-x", what="is not a number")])
    return [choices["way"]]


@pytest.fixture
def jobs(monkeypatch):
    monkeypatch.setattr(local_server, "PROGRAM", (sys.executable, "-c", COMMAND))
    runner = JobRunner({"work": Job(arguments, lambda choices, found, lines: {**choices, **found, "lines": lines}),
                        "bug": Job(arguments, lambda *_: {}["x"])})
    yield runner
    runner.close()


def finish(jobs: JobRunner, way: str, name: str = "work") -> JobStatus:
    assert jobs.start(name, {"way": way})
    return wait(jobs)


def wait(jobs: JobRunner) -> JobStatus:
    until = time.monotonic() + 120
    while jobs.status.state == "running" and time.monotonic() < until:
        time.sleep(0.01)
    return jobs.status


def said(status):
    return [" ".join(error.values()).strip() for error in status.errors]


def test_each_job_is_a_process_with_steps_messages_and_a_result(jobs):
    done = [finish(jobs, "well") for _ in range(2)]
    assert [(status.number, status.step, status.done, status.total) for status in done] == [
        (1, "half", 1, 2), (2, "half", 1, 2)]
    assert len({status.result["pid"] for status in done} | {os.getpid()}) == 3
    assert done[0].result["way"] == "well" and done[0].result["lines"] == ["a warning"]


@pytest.mark.parametrize(("way", "words"), [
    ("wrong", ["a warning", "deck.toml:3: is wrong (mend it)"]), ("nothing", ["a warning"]),
    ("crash", ["crashed"]), ("field", ["a-x is not a number"])])
def test_what_went_wrong_is_told_and_the_next_job_works(jobs, way, words):
    status = finish(jobs, way)
    assert (status.state, said(status)) == ("failed", words)
    assert finish(jobs, "well").state == "done"


def test_a_job_can_be_stopped_and_no_other_begins_meanwhile(jobs):
    assert jobs.start("work", {"way": "long"}) and not jobs.start("work", {"way": "well"})
    while not jobs.status.step:
        time.sleep(0.01)
    jobs.stop()
    assert said(wait(jobs)) == ["stopped"] and finish(jobs, "well").state == "done"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_job_that_does_not_listen_is_killed_with_its_children(jobs, monkeypatch):
    monkeypatch.setattr(local_server, "GRACE_PERIOD_S", 0.2)
    jobs.start("work", {"way": "stubborn"})
    while jobs.status.step != "deaf":
        time.sleep(0.01)
    jobs.stop()
    assert said(wait(jobs)) == ["stopped"]  # its child had kept the pipe open
    assert finish(jobs, "well").state == "done"


def test_a_job_is_a_command_with_its_choices_and_the_usual_options_of_a_build(golden_cases):
    usual = {"changed": True, "where": "type:hero", "bleed": "3mm", "back_offset": "1,-2", "only": ["cards"]}
    program = click.Context(main, default_map={"build": usual})

    def answer(words):
        job, *choices = words.split()
        with open_command.make_context("open", ["--serve", "-o", "x"], parent=program) as context:
            try:
                yield " ".join(page_jobs(PrintDefaults.of(context))[job].arguments(
                    {key: value.replace("+", " ") for key, _, value in (each.partition("=") for each in choices)}))
            except InputError as error:
                yield error

    golden_cases("page-jobs", answer)


def test_a_job_says_where_its_files_are_and_what_is_new_to_say(desk):
    (desk.folder / "x/en").mkdir(parents=True)
    (desk.folder / "x/en/cards-a4.pdf").write_bytes(bytes(7))
    files = [{"path": "x/en/cards-a4.pdf", "part": "cards", "pages": 4, "sheets": 2, "more": 1}]
    wrong = {"place": "a.csv", "line": 3, "key": "b", "what": "is odd", "remedy": "mend it", "more": 2, "others": ["c"]}
    with open_command.make_context("open", ["-o", "x"], parent=click.Context(main)) as context:
        jobs = page_jobs(PrintDefaults.of(context))
        assert jobs["make"].result({}, [{"files": files}], ["new"]) == {
            "files": [{"path": "x/en/cards-a4.pdf", "name": "cards-a4.pdf", "part": "cards", "pages": 4, "sheets": 2,
                       "bytes": 7}], "folder": f"{desk.folder.name}/x", "notes": ["new"]}
        assert jobs["export"].result({}, [{"files": files}], []) == {
            "files": [{"path": "x/en/cards-a4.pdf"}], "folder": f"{desk.folder.name}/x/en", "notes": []}
        assert jobs["export"].result({}, [], [])["folder"] == f"{desk.folder.name}/x"
        assert jobs["playtest"].result({}, [{"files": files}, {"files": files}], []) == {"files": files * 2}
        (found,) = jobs["check"].result({}, {"problems": [], "warnings": [wrong]}, [])["problems"]
        (entry,) = found["entries"]
        assert (found["cause"], found["level"], entry["key"], entry["more"]) == ("a.csv:3", "warning", "b", 2)


def test_first_faces_are_of_the_first_part_a_third_of_it_apart(desk):
    (desk.folder / "deck.toml").write_text(
        'title = "A"\n[cards]\ntable = "cards.csv"\nsize = "40x60mm"\nfront = "card.svg.j2"\n'
        '[wide]\nsize = "90x45mm"\nfront = "wide.svg.j2"\n', "utf-8")
    colours = ["#ff0000", "#00ff00", "#0000ff", "#000000", "#ffffff", "#ffff00"]
    (desk.folder / "cards.csv").write_text("\n".join(["Name,Tone", *(f"n,{tone}" for tone in colours)]), "utf-8")
    (desk.folder / "card.svg.j2").write_text("{{ fill(card.tone) }}", "utf-8")
    (desk.folder / "wide.svg.j2").write_text('{{ fill("#808080") }}', "utf-8")
    with open_command.make_context("open", [], parent=click.Context(main)) as context:
        defaults = PrintDefaults.of(context)
        for number, (size, tone) in enumerate([((227, 340), "#ff0000"), ((227, 340), "#0000ff"),
                                               ((227, 340), "#ffffff"), ((340, 170), "#808080")]):
            with Image.open(io.BytesIO(draw_first_face(defaults, number))) as face:
                assert face.size == size
                assert max(abs(one - other) for one, other in zip(
                    face.convert("RGB").getpixel((9, 9)), ImageColor.getrgb(tone), strict=True)) < 9
        with pytest.raises(InputError, match="fewer pieces"):
            draw_first_face(defaults, 4)


def test_the_page_knows_what_differs_from_the_print_after_each_save(deck_files, monkeypatch):
    monkeypatch.chdir(deck_files.folder)
    with open_command.make_context("open", [], parent=click.Context(main)) as context:
        defaults = PrintDefaults.of(context)
        bench, read = open_workbench(defaults, None, read_only=True), defaults.reader()
        read()
        assert not bench.states(PageView())  # nothing is remembered as printed
        deck_files.run("printed", "-q")
        deck_files.change("cards.csv", "Bites", "Barks")
        read()
        assert bench.states(PageView(lang="en")) == {"changed": ("orc",), "new": ()}
        assert bench.choices()["ink"] == ("full", "low")
