"""A stranger's deck on the command line: lines that say what is wrong, exit code 1, nothing written, no traceback."""

import json
import time

import pytest

from ppgen.process import supervision

SOON_S = 10.0


@pytest.fixture
def refused(own_desk):
    """Build the stones from a spoilt copy of the shipped set; the lines on stderr."""

    def lines(*command):
        start = time.process_time()
        result = own_desk.ppgen(*command) if command else own_desk.build("--quiet")
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
    SVG + "{{ ''.__class__ }}</svg>":
        f"{STONE}:2 [claim-stone-1 front de] and 4 more: '__class__' of a text is not for",
    '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n' + SVG + "</svg>":
        f"{STONE} [claim-stone-1 front de] and 4 more: has a DOCTYPE",
    SVG + "{{ '<rect data-src=\"a:x\" fill=\"q\"/>' | safe }}</svg>":
        "a [claim-stone-1 front de] and 4 more: fill 'q' is not a colour",
    "\x1b[2J": f"{STONE}:1 and 4 more: holds a control character (U+001B)",
}
"""One of each kind; all others: test_templates.py and test_svg.py."""


def test_templates_are_refused_with_their_lines(refused, own_desk):
    for text, line in TEMPLATES.items():
        (own_desk.folder / STONE).write_text(text, encoding="utf-8")
        [found] = refused()
        assert found.startswith(line)


@pytest.fixture
def short_time(monkeypatch):
    """A fifth of a second for each unit, in a child of its own."""
    monkeypatch.setattr(supervision, "MAX_CPU_S", 0.2)
    supervision._forget_child()
    yield
    supervision._forget_child()


@pytest.mark.slow
@pytest.mark.usefixtures("short_time")
def test_a_template_that_is_a_bomb_is_refused_alike_every_time(refused, own_desk):
    (own_desk.folder / STONE).write_text(
        SVG + "{% for a in range(99999) %}{% for b in range(99999) %}\n{% endfor %}{% endfor %}</svg>")
    [found] = refused()
    assert found.startswith(f"{STONE}:2 [claim-stone-1 front de] and 4 more: takes more than 0.2 s for a face")
    assert refused() == [found]


def test_a_name_cannot_steer_the_terminal(refused, own_desk):
    name = own_desk.folder / "a\x1b[2J\n\udce4.json"
    try:
        name.write_text(json.dumps({"players": [{"name": "\x1b]0;x\x07"}]}))
    except OSError:
        pytest.skip("the file system does not take such names")
    [found] = refused("score", str(name))
    assert found.startswith("a\\x1b[2J\\n\\udce4.json players[0].name: holds a control character")


def test_all_copies_together_have_a_bound_that_is_told_before_any_work(desk):
    assert desk.ppgen("new", "mine", "--starter", "empty").exit_code == 0
    rows = "".join(f"card-{n},Text,500\n" for n in range(21))
    (desk.folder / "mine/cards.csv").write_text(f"name,text,copies\n{rows}")
    (desk.folder / "mine/card.svg.j2").write_text("{{ never drawn }}")
    done = desk.ppgen("build", "--data", "mine")
    assert done.exit_code == 1
    assert "mine: has 10,501 pieces with all their copies, more than 10,000 (print fewer" in done.stderr
