"""Pictures for Tabletopia have 10 pixels to a millimetre, and equally many within a type."""


import pytest

from tests.targets.plain_game import opened


def sizes(files):
    return {path.rpartition("/")[2]: opened(content).size for path, content in files.items() if path.endswith(".png")}


@pytest.mark.slow
def test_ten_pixels_to_a_millimetre(desk):
    done = desk.ppgen("export", "tabletopia", "-l", "en", "--only", "tokens")
    assert done.exit_code == 0, done.output
    made = sizes(desk.files())
    assert {size for name, size in made.items() if "claim" in name} == {(220, 220)}
    assert {size for name, size in made.items() if "claim" not in name} == {(317, 381)}
    text = (desk.folder / "output/en/tabletopia-tokens/README.txt").read_text(encoding="utf-8")
    for name in made:
        assert name in text
