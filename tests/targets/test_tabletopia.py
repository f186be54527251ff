"""Pictures for Tabletopia have 10 pixels to a millimetre, and equally many within a type."""


import pytest

from ppgen.engine.geometry import Size
from ppgen.targets.tabletopia import export_tabletopia
from tests.targets.plain_game import asked, contents, opened, part, piece


def sizes(files):
    return {path.rpartition("/")[2]: opened(content).size for path, content in files.items() if path.endswith(".png")}


def test_ten_pixels_to_a_millimetre(desk):
    done = desk.ppgen("export", "tabletopia", "-l", "en", "--only", "tokens")
    assert done.exit_code == 0, done.output
    made = sizes(desk.files())
    assert {size for name, size in made.items() if "claim" in name} == {(220, 220)}
    assert {size for name, size in made.items() if "claim" not in name} == {(317, 381)}
    text = (desk.folder / "output/en/tabletopia-tokens/README.txt").read_text(encoding="utf-8")
    for name in made:
        assert name in text


def test_no_picture_is_larger_than_tabletopia_takes(plain):
    game = plain(part("boards", piece("a", Size(400, 20)), piece("b", Size(10, 401)), piece("c", Size(500, 10))))
    assert list(sizes(contents(export_tabletopia(game, asked()))).values()) == [(4000, 200), (100, 4000), (4000, 80)]


def test_the_readme_tells_the_copies(plain):
    game = plain(part("deck", piece("a", copies=2), piece("b")))
    text = contents(export_tabletopia(game, asked()))["en/tabletopia/README.txt"].decode()
    assert [line.split() for line in text.splitlines() if "front.png" in line] == [
        ["A", "2", "deck-01-a-front.png", "-"], ["B", "1", "deck-02-b-front.png", "-"]]


@pytest.mark.parametrize("words", [("--only", "box"), ("--only", "x"), ("--lang", "xx")])
def test_nonsense_is_refused(desk, words):
    assert desk.ppgen("export", "tabletopia", *words).exit_code == 2
    assert not (desk.folder / "output").exists()
