"""What commands print and what they write, as transcripts in ``commands/``: played again, each must read the same.

A transcript has comments (``#``), files (``= NAME`` with their lines after ``|``, or ``= NAME PATH`` of a file or
folder of the repository) and command lines (``$``), each with what came of it: standard output, standard error after
``!``, and an exit code that is not 0. JSON is shortened. Besides ``ppgen`` there are ``look``, which describes files as
:mod:`tests.golden.records` does, ``digest``, which has a digest of each page of it, and ``edit FILE OLD NEW`` (of the
first OLD; a backslash and n are a new line). ``< NAME`` answers the questions of a command from a file. A transcript
with ``slow`` in its name is slow.

``pytest --update-golden`` writes what comes of the lines now: look at the difference.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from ppgen import __version__
from ppgen.cli import start
from ppgen.process.system import PROGRESS_MARK
from ppgen.shipped import shipped_root
from tests.conftest import ROOT, Desk
from tests.golden.records import pages, record, tree

FOLDER = Path(__file__).parent / "commands"
TRANSCRIPTS = [pytest.param(path.name, id=path.stem, marks=[pytest.mark.slow] if "slow" in path.stem else [])
               for path in sorted(FOLDER.glob("*.txt"))]
NEW_YEAR = 1_767_225_600
"""The first of January 2026, at which all files of a transcript are made."""


def run(words: list[str], answers: Path | None, patch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run a command as the program does, with the messages of click in the user's language."""
    patch.setattr(sys, "argv", words)
    patch.setattr("ppgen.cli.score.can_ask", lambda: bool(answers))
    patch.setattr("ppgen.cli.printer.can_ask", lambda: bool(answers))
    with CliRunner().isolation(answers.read_bytes() if answers else None) as (out, err, _):
        code = start._execute()
        printed, errors = (stream.getvalue().decode() for stream in (out, err))
    lines = tree(json.loads(printed)) if printed[:1] in ("{", "[") else printed.splitlines()
    yield from (f"  {line}".rstrip() for line in lines)
    yield from (f"! {line}".rstrip() for line in errors.replace(PROGRESS_MARK, "step ").splitlines())
    if code:
        yield f"[{code}]"


def play(script: list[str], desk: Desk) -> Iterator[str]:
    """The lines of a transcript, each command line with what comes of it."""
    before = ""
    for line in script:
        if before and line[0] != "|" and (line[0] != "#" or before != "#"):
            yield ""
        before = line[0]
        yield line
        if before == "=":
            name, *source = line[2:].split()
            target = desk.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source and (ROOT / source[0]).is_dir():
                shutil.copytree(ROOT / source[0], target, dirs_exist_ok=True)
            else:
                target.write_bytes((ROOT / source[0]).read_bytes() if source else b"")
        elif before == "|":
            with target.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line[2:] + "\n")
        elif before == "$":
            line, _, answers = line[2:].partition(" < ")
            words = shlex.split(line)
            with pytest.MonkeyPatch.context() as patch:
                while "=" in words[0]:
                    patch.setenv(*words.pop(0).split("=", 1))
                if words[0] == "edit":
                    desk.change(*(word.replace("\\n", "\n") for word in words[1:]))
                elif words[0] in ("look", "digest"):
                    paths = [path for word in words[1:] for path in sorted(desk.folder.glob(word)) if path.is_file()]
                    for path in paths:
                        lines = record(path, desk.folder, brief=words[0] == "look")
                        yield from (f"  {each}".rstrip() for each in (lines if words[0] == "look" else pages(lines)))
                else:
                    yield from run(words, desk.folder / answers if answers else None, patch)


@pytest.mark.usefixtures("no_waiting_for_disks")
@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_what_commands_say_and_write_has_not_changed(desk, golden, monkeypatch, name):
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(desk.folder / "home"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NEW_YEAR))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("ppgen.cli.options._limit_process", lambda *_: None)
    script = [line for line in (FOLDER / name).read_text("utf-8").splitlines() if line[:1] in ("#", "=", "|", "$")]
    text = "\n".join(play(script, desk)) + "\n"
    for path, word in ((shipped_root(), "SHIPPED"), (desk.folder, "FOLDER")):
        text = text.replace(str(path), word).replace(path.name if word == "FOLDER" else str(path), word)
    text = re.sub(r"(SHIPPED|FOLDER)[^\n ]*", lambda found: found[0].replace("\\", "/"), text)
    golden(f"commands/{name}", re.sub(r"FOLDER/home/(?:[\w. ]+/)*", "HOME/", text).replace(__version__, "VERSION"))
