"""Wrong input: every problem with its place, exit code 1, no traceback, no file harmed."""

import os
import shutil

import pytest

BACK = "templates/card_game/claim-stone.svg.j2"


def lines_of(done):
    """What was told on stderr, a line a problem."""
    assert done.exit_code == 1, done.output
    assert done.stdout == ""
    assert "Traceback" not in done.output
    return done.stderr.splitlines()


def test_a_data_folder_need_not_repeat_what_is_shipped(own_desk):
    for name in ("papers.toml", "sizes.toml"):
        (own_desk.data / name).unlink()
    shutil.rmtree(own_desk.data / "locales")  # nor are fonts copied
    assert own_desk.build("--dry-run").exit_code == 0


@pytest.mark.parametrize("text", [
    '{% include "../../../secret.svg" %}', '{% include "link.svg.j2" %}', '<use href="../secret.svg#a"/>',
])
def test_a_template_reads_nothing_outside_its_folder(own_desk, text):
    (own_desk.folder / "secret.svg").write_text('<g id="a"><title>unspeakable</title></g>')
    (own_desk.templates / "link.svg.j2").symlink_to(own_desk.folder / "secret.svg")
    own_desk.change(BACK, "</svg>", f"{text}</svg>")
    done = own_desk.build()
    assert any(name in line for line in lines_of(done) for name in ("secret.svg", "link.svg.j2"))
    assert "unspeakable" not in done.output
    assert not (own_desk.folder / "output").exists()


@pytest.mark.slow
def test_the_program_runs_without_a_network(desk, process):
    """A process that may not open a socket builds the set all the same."""
    (desk.folder / "sitecustomize.py").write_text(
        "import socket\n"
        "def refused(*words, **options):\n    raise RuntimeError('the network is not to be read')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refused\n")
    root = process.__globals__["ROOT"].as_posix()
    done = process("build", "--lang", "de", "--only", "tokens", cwd=desk.folder,
                   PYTHONPATH=os.pathsep.join((str(desk.folder), root)))
    assert done.returncode == 0, done.stderr
