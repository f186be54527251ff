"""``ppgen build`` from the outside: data on stdout, messages on stderr, files whole or not at all."""

import json
import os
import re
import sys

import pexpect
import pytest

from tests.conftest import ROOT, run_python


@pytest.mark.slow
def test_a_terminal_shows_what_is_drawn_and_laid_out(desk):
    at_once = ("from ppgen.cli import command_group, program; command_group.PROGRESS_DELAY_S = -1; "
               "program.main(prog_name='ppgen')")
    words = ["build", "--only", "tablets", "--only", "stones", "-l", "de"]
    terminal = pexpect.spawn(sys.executable, ["-c", at_once, *words], cwd=desk.folder, encoding="utf-8", timeout=60,
                             env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}, dimensions=(24, 100))
    steps = re.findall(r"(de: \w+) +\[[#-]+\] +(\d/4)", terminal.read())
    assert [*dict.fromkeys(steps)] == [("de: Anrechtssteine", "1/4"), ("de: Gesetzestafeln", "2/4"),
                                       ("de: Anrechtssteine", "3/4"), ("de: Anrechtssteine", "4/4")]


@pytest.mark.parametrize(("settings", "lang"), [
    ({}, "de"), ({"LANG": "en_GB.UTF-8"}, "en"), ({"LANG": "en_GB.UTF-8", "LC_ALL": "de_AT.UTF-8"}, "de"),
    ({"LANG": "tlh_KX.UTF-8"}, "de"), ({"LANG": "C"}, "de"),
])
def test_without_a_language_the_locale_decides_else_german(desk, monkeypatch, settings, lang):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    done = desk.ppgen("build", "--only", "tablets", "--dry-run", "--json")
    assert [found["lang"] for found in json.loads(done.stdout)] == [lang]


@pytest.mark.slow
def test_pieces_alone_load_nothing_of_what_is_written_on_or_read(tmp_path):
    """Of scoring, only what reads a deck's score.toml."""
    code = ("import sys; sys.argv = 'ppgen build -q --no-cache --lang de --only stones'.split()\n"
            "from ppgen.cli.program import main\ntry: main()\nexcept SystemExit: pass\n"
            "other = ('ppgen.play.rule_game', 'ppgen.play.game_scoring', 'ppgen.engine.pdf.form_fields', "
            "'ppgen.engine.booklets', 'ppgen.games.board_game.board', 'sqlite3', 'svgwrite')\n"
            "print([name for name in other if name in sys.modules])")
    done = run_python("-c", code, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.slow
def test_a_deck_in_full_ink_is_printed_without_what_knows_colours(desk):
    """Which takes a tenth of the time of a small deck to load, also in the supervised child."""
    desk.run("new", "deck", "--starter", "deck-builder", "--quiet")
    code = ("import sys; sys.modules['coloraide'] = None\nfrom ppgen.cli.program import main\n"
            "main('build -q --no-cache --only cards --data deck'.split())")
    done = run_python("-c", code, cwd=desk.folder)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_deck_printed_again_loads_nothing_of_rules_drawings_and_new_decks(desk):
    (desk.folder / "cards.csv").write_text("name,text\nAnt,Draw **two** cards.\n", encoding="utf-8")
    desk.run("new", "deck", "--from", "cards.csv", "--quiet")
    words = "build -q --only cards --data deck".split()
    code = (f"import sys\nfrom ppgen.cli.program import main\ntry: main({words})\nexcept SystemExit: pass\n"
            "other = ('ppgen.engine.booklets', 'ppgen.engine.adoption', 'ppgen.making', 'uharfbuzz', 'typst', "
            "'pikepdf', 'jinja2', 'ppgen.engine.drawing.woodcut')\n"
            "print([name for name in other if name in sys.modules])")
    desk.run(*words)
    done = run_python("-c", code, cwd=desk.folder)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.fixture
def earlier(desk):
    """The files of an earlier build, which stays as it was."""
    assert desk.ppgen("build", "--lang", "de", "--only", "tablets", "--quiet").exit_code == 0
    for path in (desk.folder / "output").rglob("*.*"):
        path.write_bytes(b"earlier " + path.name.encode())
    return desk.files()


@pytest.mark.parametrize("has_links", [True, False], ids=["disk", "memory stick"])
def test_a_new_build_replaces_the_earlier_one_and_leaves_no_other_file(desk, earlier, monkeypatch, has_links):
    def refused(*_words, **_options):
        raise PermissionError(1, "Operation not permitted")

    if not has_links:
        monkeypatch.setattr(os, "link", refused)
    assert desk.ppgen("build", "--lang", "de", "--only", "tablets").exit_code == 0
    assert desk.files().keys() == earlier.keys()
    assert not [content for content in desk.files().values() if content.startswith(b"earlier")]


def test_a_folder_in_the_place_of_a_file_is_told_and_nothing_else_replaced(desk, earlier):
    manifest = next(desk.folder / name for name in earlier if name.endswith(".json"))
    manifest.unlink()
    manifest.mkdir()
    done = desk.ppgen("build", "--lang", "de", "--only", "tablets")
    assert done.exit_code == 1
    assert manifest.name in done.stderr
    assert desk.files() == {name: content for name, content in earlier.items() if name.endswith(".pdf")}
