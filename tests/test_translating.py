"""What docs/translating.md says is done with a language that nobody speaks, and comes out as the page says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from ppgen.cli import check

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "translating.md").read_text(encoding="utf-8")
COPIES = re.findall(r"^ +cp (\S+) +(\S+sv\.toml)", PAGE, re.MULTILINE)
NEEDED = COPIES[:2]
SAYINGS = [match.replace(r"\|", "|") for match in re.findall(r"^ +\| `(.+?)` \|", PAGE, re.MULTILINE)]
SHEETS, GAME = (path for _, path in NEEDED)
COMMANDS = re.findall(r"^ *`?ppgen (.*?)`?\.?$", PAGE, re.MULTILINE)
COUNTS = [int(row.replace(",", "")) for row in re.findall(r"^\| [^|`]+ \| ([\d,]+) \| [\d,]+ \|", PAGE, re.MULTILINE)]
MESSAGES = ("counted", "results", "explain", "wrong", "template", "ask", "page")


def said(words: str) -> re.Pattern[str]:
    """A line of the page, with any number where it has one, and anything for …"""
    return re.compile(re.sub(r"\d+(\\\.\d)?", r"\\d+(\\.\\d)?", re.escape(words)).replace("…", ".*") + ".*")


def translated(text: str) -> str:
    """Each text a little different: words get an accent, what stands in braces stays."""
    def accented(match: re.Match[str]) -> str:
        return re.sub(r"(?<![\w{\\])([A-Za-z]\w*?)([aeiou])(?=\w*\b(?!\}))", r"\1ø", match[0])

    return re.sub(r'"""(?s:.*?)"""|"[^"\n]*"', accented, text)


def copy(own_desk, copies) -> None:
    for source, target in copies:
        shutil.copy(own_desk.folder / source, own_desk.folder / target)


def test_the_page_copies_every_file_of_a_language(own_desk) -> None:
    copy(own_desk, COPIES)
    assert len(list(own_desk.data.rglob("sv.toml"))) == len(COPIES) == len(list(own_desk.data.rglob("de.toml"))) == 7


def delete_messages(own_desk) -> None:
    """Delete the tables that the page says may go."""
    path = own_desk.folder / SHEETS
    path.write_text(path.read_text(encoding="utf-8").partition("\n[answers]")[0] + "\n", encoding="utf-8")
    path = own_desk.folder / GAME
    _, *tables = re.split(r"^(?=\[)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    kept = [table for table in tables if table[1:].partition("]")[0].partition(".")[0] not in MESSAGES]
    path.write_text("".join(kept), encoding="utf-8")


@pytest.mark.slow
def test_the_commands_of_the_page_run_as_written_without_messages_too(own_desk) -> None:
    assert all(f"`{table}`" in PAGE for table in MESSAGES)
    assert {line.split()[0] for line in COMMANDS} == {"check", "build", "score", "words"}
    copy(own_desk, COPIES)
    delete_messages(own_desk)
    for line in (line for line in COMMANDS if not line.startswith("check ")):  # that is below
        done = own_desk.ppgen(*line.split())
        assert (done.exit_code, done.exception) == (0, None), (line, done.output)
    assert {path.name.partition("-")[0] for path in (own_desk.folder / "look" / "sv").glob("*.pdf")} >= {
        "cards", "tablets", "stones", "score", "box", "calibration", "rules", "guide"}


def assert_counted(line: str, printed: int) -> None:
    """Within a tenth of what the page says, so that a new text needs no new page."""
    counts = re.search(r"of (\d+) printed texts and \d+ of (\d+) messages", line)
    assert counts and [int(count) for count in counts.groups()] == pytest.approx([printed, COUNTS[-1]], rel=0.1)


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
def test_each_thing_that_the_check_is_said_to_say_is_said_and_counted(small_desk, monkeypatch) -> None:
    looks = check.looks_to_check
    monkeypatch.setattr(check, "looks_to_check", lambda *words: looks(*words)[:1])  # words fit in both inks
    command = next(line for line in COMMANDS if line.startswith("check ")).split()

    def checked() -> list[str]:
        return small_desk.ppgen(*command).stderr.splitlines()

    copy(small_desk, NEEDED[:1])
    lines = checked()
    copy(small_desk, NEEDED)
    small_desk.change(GAME, "Am Ende aufdecken", "Visa denna lag när spelet är slut och alla har räknat sina "
                      "kort, och dra sedan ifrån poängen, för sådan är lagen i landet,")
    small_desk.change(GAME, '"Frankreich"', '"Frankrike med alla sina provinser"')
    small_desk.change(GAME, '"Sachsen"', '"Sachsen 𓂀"')
    small_desk.change(SHEETS, "{n} von {of}", "{n}")
    small_desk.change(SHEETS, "hint =", "nummer =")
    small_desk.change(GAME, 'title = "Abrechnungstabelle"\n', "")
    lines += checked()
    copy(small_desk, COPIES)
    lines += checked()
    assert_counted(lines[-1], sum(COUNTS[:-1]))
    for _, target in COPIES:
        path = small_desk.folder / target
        path.write_text(translated(path.read_text(encoding="utf-8")), encoding="utf-8")
    lines += checked()
    for saying in SAYINGS:
        assert any(said(saying).fullmatch(line) for line in lines), (saying, lines)
    assert lines[-1] == "No problems found (sv)."
