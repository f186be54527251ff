"""A stranger's deck on the command line: lines that say what is wrong, exit code 1, nothing written, no traceback."""

import json
import os
import time

import pytest

from ppgen.process import supervision

SOON_S = 10.0


@pytest.fixture
def refused(own_desk):
    """Build the stones from a spoilt copy of the shipped set; the lines on stderr."""

    def lines(*words, command=None):
        start = time.process_time()
        result = own_desk.ppgen(*command) if command else own_desk.build("--quiet", *words)
        assert result.exit_code == 1, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert time.process_time() - start < SOON_S
        assert "Traceback" not in result.stderr
        assert not own_desk.files()
        found = result.stderr.splitlines()
        assert found
        assert all(line.isprintable() for line in found)
        return found

    return lines


STONE = "templates/card_game/claim-stone.svg.j2"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">\n'

TEMPLATES = {
    "a loop without end": (SVG + "{% for a in range(99999) %}{% for b in range(99999) %}\n{% endfor %}{% endfor %}"
                           "</svg>",
                           f"{STONE}:2 [claim-stone-1 front de] and 4 more: takes more than 1 s for a face"),
    "a text without end": (SVG + "{{ 'x' * 10 ** 11 }}</svg>",
                           f"{STONE}:2 [claim-stone-1 front de] and 4 more: takes more than 1 GB of memory"),
    "the class of a text": (SVG + "{{ ''.__class__ }}</svg>",
                            f"{STONE}:2 [claim-stone-1 front de] and 4 more: '__class__' of a text is not for"),
    "a file outside": (SVG + "{% include '../../etc/passwd' %}</svg>",
                       "../../etc/passwd [claim-stone-1 front de] and 4 more: is not a template's name"),
    "an entity": ('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n' + SVG + "</svg>",
                  f"{STONE} [claim-stone-1 front de] and 4 more: has a DOCTYPE"),
    "a script": (SVG + "<script/></svg>", f"{STONE}:2 [claim-stone-1 front de] and 4 more: <script> is not supported"),
    "a huge circle": (SVG + '<circle r="1e9"/></svg>',
                      f"{STONE}:2 [claim-stone-1 front de] and 4 more: r has a number beyond 1,000,000"),
    "half a character": (SVG + "<title>{{ '\\ud800' }}</title></svg>",
                         f"{STONE} [claim-stone-1 front de] and 4 more: has half a character (U+D800)"),
    "a mark of its own": (SVG + "{{ '<rect data-src=\"a:x\" fill=\"q\"/>' | safe }}</svg>",
                          "a [claim-stone-1 front de] and 4 more: fill 'q' is not a colour"),
    "an escape": ("\x1b[2J", f"{STONE}:1 and 4 more: holds a control character (U+001B)"),
}


BOMBS = ("a loop without end", "a text without end")


def assert_refused(refused, folder, case):
    text, line = TEMPLATES[case]
    (folder / STONE).write_text(text, encoding="utf-8")
    [found] = refused()
    assert found.startswith(line)


@pytest.mark.parametrize("case", [case for case in TEMPLATES if case not in BOMBS])
def test_a_template_is_refused_with_its_line(refused, own_desk, case):
    assert_refused(refused, own_desk.folder, case)


@pytest.fixture
def short_time(monkeypatch):
    """A second for each unit, in a child of its own."""
    monkeypatch.setattr(supervision, "MAX_CPU_S", 1.0)
    supervision._forget_child()
    yield
    supervision._forget_child()


@pytest.mark.slow
@pytest.mark.usefixtures("short_time")
@pytest.mark.parametrize("case", BOMBS)
def test_a_template_that_is_a_bomb_is_refused_with_its_line(refused, own_desk, case):
    assert_refused(refused, own_desk.folder, case)


DATA = {
    "a long key": ("data/card_game/laws.toml", "\n" + "a." * 9_999 + "a = 1\n", "has a key of too many parts"),
    "a long number": ("data/card_game/stones.toml", "\nx = 0x" + "f" * 9_999 + "\n", "is a number out of range"),
    "a column": ("data/card_game/cards.csv", ",x" * 300 + "\n", "cells, the first line 4"),
    "a zero": ("data/card_game/cards.csv", "a\0b\n", "holds a control character (U+0000)"),
    "a placeholder": ("data/locales/de.toml", '\n[x]\ny = "{0.__class__}"\n',
                      "has a brace that is not a {placeholder}"),
    "an escape": ("data/card_game/locales/de.toml", '\n[x]\ny = "\\u001b[2J"\n', "holds a control character (U+001B)"),
    "a font outside": ("data/fonts/fonts.toml", '\n[[fonts]]\nfamily = "x"\nfile = "../../../etc/passwd"\n',
                       "lies outside the fonts folder"),
}


@pytest.mark.parametrize(("path", "text", "what"), DATA.values(), ids=DATA)
def test_a_data_file_is_refused_with_its_line(refused, own_desk, path, text, what):
    with (own_desk.folder / path).open("a", encoding="utf-8") as file:
        file.write(text)
    found = refused()
    assert any(line.startswith(f"{path}:") and what in line for line in found), found


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and links of POSIX")
def test_a_pipe_or_a_link_in_the_place_of_a_file_is_refused(refused, own_desk):
    path = own_desk.data / "card_game" / "countries.toml"
    path.unlink()
    os.mkfifo(path)
    assert refused() == ["data/card_game/countries.toml: is not a regular file (put the file itself there)"]
    path.unlink()
    path.symlink_to("/etc/passwd")
    assert "lies outside the folder it was asked for in" in refused()[0]
    path.unlink()
    path.symlink_to(path)
    assert "leads nowhere" in refused()[0]


def test_a_name_cannot_steer_the_terminal(refused, own_desk):
    name = own_desk.folder / "a\x1b[2J\n\udce4.json"
    try:
        name.write_text(json.dumps({"players": [{"name": "\x1b]0;x\x07"}]}))
    except OSError:
        pytest.skip("the file system does not take such names")
    [found] = refused(command=("score", str(name)))
    assert found.startswith("a\\x1b[2J\\n\\udce4.json players[0].name: holds a control character")


@pytest.mark.slow
@pytest.mark.usefixtures("short_time")
def test_the_same_refusal_every_time(refused, own_desk):
    (own_desk.folder / STONE).write_text(TEMPLATES["a loop without end"][0])
    assert refused() == refused()


def test_all_copies_together_have_a_bound_that_is_told_before_any_work(desk):
    assert desk.ppgen("new", "mine", "--starter", "empty").exit_code == 0
    rows = "".join(f"card-{n},Text,500\n" for n in range(21))
    (desk.folder / "mine/cards.csv").write_text(f"name,text,copies\n{rows}")
    (desk.folder / "mine/card.svg.j2").write_text("{{ never drawn }}")
    done = desk.ppgen("build", "--data", "mine")
    assert done.exit_code == 1
    assert "mine: has 10,501 pieces with all their copies, more than 10,000 (print fewer" in done.stderr
