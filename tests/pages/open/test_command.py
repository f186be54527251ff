"""ppgen open on the command line: what it says while the page is open, and its options."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgen.cli.open import open_command
from ppgen.cli.program import main

from .conftest import gone_on

DOT = '<circle cx="11" cy="11" r="1" fill="#FF0000"/></g>'


@pytest.mark.parametrize(("text", "words", "said"), [
    ("", ("--ink", "low"), "No such option '--ink'"), ("", ("nosuch",), "nosuch"),
    ("", ("--start", "--lang", "de"), "--lang: "),
    ('[build]\nonly = "cookies"\n', (), "the set has no part 'cookies'"),
    ('[build]\npaper = "blah"\n', (), "--paper: unknown paper 'blah'"),
    ('[open]\nread-only = "perhaps"\n', (), "neither true nor false")])
def test_what_is_not_there_is_refused(desk, text, words, said):
    (desk.folder / "ppgen.toml").write_text(text, encoding="utf-8")
    done = desk.ppgen("open", "--serve", "--port", "0", *words)
    assert done.exit_code in (1, 2) and said in done.output
    assert not desk.files().keys() - {"ppgen.toml"}


@pytest.mark.parametrize(("words", "place", "data", "sheets"), [
    ("games/orcs", "games/orcs", ".", None), ("games/set", "games/set", "data", None), ("games", "games", None, None),
    ("games/orcs --start", "games", None, None), ("--start games/set", "games", None, None),
    ("cards.pdf", ".", None, "cards.pdf")])
def test_a_folder_is_opened_as_if_one_stood_in_it(desk, words, place, data, sheets):
    for folder in ("games/orcs", "games/set/data", "games/set/templates"):
        (desk.folder / folder).mkdir(parents=True)
    (desk.folder / "games/orcs/deck.toml").touch()
    (desk.folder / "games/set/ppgen.toml").write_text('data = "data"\ntemplates = "templates"\n')
    root = main.make_context("ppgen", ["open"])
    root.invoked_subcommand = "open"
    found = open_command.make_context("open", words.split(), parent=root).params
    assert Path.cwd() == (desk.folder / place).resolve()
    assert (found["data"], found["sheets"]) == (data and Path(data), sheets and Path(sheets))


@pytest.mark.slow
def test_each_save_is_reported_and_what_is_wrong(deck_files):
    with gone_on(deck_files.folder) as start:
        page = start()
        page.line("Watching ")
        page.line("faces drawn in")
        deck_files.change("card.svg.j2", "</g>", DOT)
        page.line("card.svg.j2 saved: 2 faces changed (orc, ")
        line = deck_files.change("card.svg.j2", DOT, "{% if %}</g>")
        page.line("card.svg.j2 saved: 1 problem; the pictures stay as they were")
        page.line(f"card.svg.j2:{line} [orc front en] and 1 more: is not a valid")
        deck_files.change("card.svg.j2", "{% if %}</g>", "</g>")
        page.line("card.svg.j2 saved: 2 faces changed")
        assert page.interrupt() == 0, page.lines
        assert not any("Traceback" in line or "Aborted" in line for line in page.lines)
