"""ppgen open on the command line: what it says while the page is open, and its options."""

from __future__ import annotations

import pytest

DOT = '<circle cx="11" cy="11" r="1" fill="#FF0000"/></svg>'


def test_preview_is_told_its_successors(desk):
    done = desk.ppgen("preview", "--watch")
    assert done.exit_code == 2
    assert "No such command 'preview'. Did you mean open, export png or export png --contact?" in done.output


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
def test_each_save_is_reported_and_what_is_wrong(going, own_desk):
    (own_desk.folder / "ppgen.toml").write_text('[build]\nonly = "stones"\n', encoding="utf-8")
    page = going()
    page.line("Watching data")
    page.line("faces drawn in")
    own_desk.change("templates/card_game/claim-stone.svg.j2", "</svg>", DOT)
    page.line("templates/card_game/claim-stone.svg.j2 saved: 5 faces changed (claim-stone-1, ")
    line = own_desk.change("templates/card_game/claim-stone.svg.j2", DOT, "{% if %}</svg>")
    page.line("claim-stone.svg.j2 saved: 1 problem; the pictures stay as they were")
    page.line(f"templates/card_game/claim-stone.svg.j2:{line} [claim-stone-1 front de] and 4 more: is not a valid")
    own_desk.change("templates/card_game/claim-stone.svg.j2", "{% if %}</svg>", "</svg>")
    page.line("claim-stone.svg.j2 saved: 5 faces changed")
    assert page.interrupt() == 0, page.lines
    assert not any("Traceback" in line or "Aborted" in line for line in page.lines)
