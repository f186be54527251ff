"""Wrong input: every problem with its place, exit code 1, no traceback, no file harmed."""

import os
import shutil

import pytest

from ppgen.shipped import shipped_root

CARDS = "data/card_game/cards.csv"
BACK = "templates/card_game/claim-stone.svg.j2"


def lines_of(done):
    """What was told on stderr, a line a problem."""
    assert done.exit_code == 1, done.output
    assert done.stdout == ""
    assert "Traceback" not in done.output
    return done.stderr.splitlines()


@pytest.mark.parametrize(("path", "old", "new", "words"), [
    (CARDS, "france-1,france,", "france-1,frnace,", "country: 'frnace' is not known (one of france"),
    (CARDS, "france-1,france,", "france-1,france,crown,", "has 5 cells"),
    (CARDS, "france-1,france,", ",france,", "id: is missing"),
    (CARDS, "france-4,france,", "france-3,france,", "id: 'france-3' is given twice"),
    (CARDS, "france-1,france,", "france-1,\"france\"x,", "is not valid CSV"),
    ("data/card_game/countries.toml", "number = 8", 'number = "eight"', "number: 'eight' is not a whole number"),
    ("data/card_game/countries.toml", "number = 8", "nubmer = 8", "nubmer: is not known (did you mean number? known: "),
    ("data/card_game/countries.toml", '"#212E82"', '"blue"', "colour: 'blue' is not allowed here"),
    ("data/card_game/laws.toml", "copies = 2", "copies = -2", "copies: -2 is out of range"),
    ("data/fonts/fonts.toml", "Cinzel-Bold.ttf", "Gone.ttf", "font file Gone.ttf not found"),
    ("data/locales/de.toml", 'front = "', 'frnt = "', "text is missing"),
    ("data/card_game/locales/de.toml", "title = ", "title ", "is not valid TOML"),
    ("data/papers.toml", '"210x297mm"', '"210 by 297"', "papers.a4: '210 by 297' is not a size"),
    (BACK, "</svg>", "{{ stone.palyer }}</svg>", "'palyer' is not one of "),
    (BACK, "stones.jeton(", "stons.jeton(", "'stons' is undefined"),
    (BACK, "</svg>", '<rect filter="url(#f)"/></svg>', 'attribute filter="url(#f)" of <rect> is not supported'),
    (BACK, "</svg>", '<text font-family="Arial" font-size="2" data-width="9">x</text></svg>',
     "font 'Arial' is not in the set"),
])
def test_a_mistake_is_told_with_file_line_and_remedy(desk, path, old, new, words):
    """Beside the game's, only the folder or file with the mistake is copied."""
    kind, name, *_ = path.split("/")
    for each in dict.fromkeys((f"{kind}/card_game", f"{kind}/{name}")):
        source = shipped_root() / each
        (shutil.copytree if source.is_dir() else shutil.copy)(source, desk.folder / each)
    line = desk.change(path, old, new)
    done = desk.ppgen("build", f"--{kind}", kind, "--lang", "de", "--only", "stones")
    told = [found for found in lines_of(done) if words in found]
    assert told, "not told at all"
    if words != "text is missing":  # which has no line: it is told at the table it belongs to
        assert any(found.startswith((f"{path}:{line} ", f"{path}:{line}: ")) for found in told), told
    assert not (desk.folder / "output").exists()


def test_problems_of_two_languages_are_told_together(own_desk):
    for lang in ("de", "en"):
        own_desk.change(f"data/card_game/locales/{lang}.toml", "[countries]", "[cuontries]")
    done = own_desk.ppgen("build", "--data", "data", "--lang", "all", "--only", "tokens")
    places = {line.partition(" ")[0] for line in lines_of(done)}
    assert {"de.toml", "en.toml"} <= places


@pytest.mark.parametrize("command", ["build", "check", "list"])
def test_folders_that_are_not_there_are_told_both(desk, command):
    done = desk.ppgen(command, "--data", "nodata", "--templates", "notemplates")
    assert done.exit_code == 1
    assert "nodata: folder not found" in done.output
    assert "notemplates: folder not found" in done.output


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


@pytest.mark.parametrize(("words", "code"), [
    (("--version",), 0), (("list", "--data", "gone"), 1), (("build", "--paper", "no"), 2),
])
def test_exit_codes_of_a_real_process(process, tmp_path, words, code):
    done = process(*words, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert (done.stdout == "") == (code != 0)
    assert (done.stderr != "") == (code != 0)
    assert "\x1b" not in done.stdout + done.stderr
