"""ppgen open on the command line: what it says while the page is open, and its options."""

from __future__ import annotations

import pytest

from .conftest import gone_on

DOT = '<circle cx="11" cy="11" r="1" fill="#FF0000"/></g>'


@pytest.mark.parametrize(("text", "words", "said"), [
    ("", ("--ink", "low"), "No such option '--ink'"), ("", ("nosuch",), "nosuch"),
    ('[build]\nonly = "cookies"\n', (), "the set has no part 'cookies'"),
    ('[build]\npaper = "blah"\n', (), "--paper: unknown paper 'blah'"),
    ('[open]\nread-only = "perhaps"\n', (), "neither true nor false")])
def test_what_is_not_there_is_refused(desk, text, words, said):
    (desk.folder / "ppgen.toml").write_text(text, encoding="utf-8")
    done = desk.ppgen("open", "--serve", "--port", "0", *words)
    assert done.exit_code in (1, 2) and said in done.output
    assert not desk.files().keys() - {"ppgen.toml"}


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
