"""A problem says where, what and what to do, in one line."""

import re
from pathlib import Path

import pytest

from ppgen.errors import Problem, display_path, merge_problems


@pytest.mark.parametrize(("problem", "line"), [
    (Problem(place="cards.csv", line=3, key="route", what="'shp' is not known", remedy="one of ship, carriage"),
     "cards.csv:3 route: 'shp' is not known (one of ship, carriage)"),
    (Problem(place="cards.csv", what="file not found"), "cards.csv: file not found"),
    (Problem(place="--paper", key="cards", what="too small"), "--paper cards: too small"),
])
def test_a_problem_is_one_line(problem, line):
    assert str(problem) == line


@pytest.mark.windows
def test_a_path_is_shown_as_it_would_be_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert display_path(tmp_path / "data" / "cards.csv") == "data/cards.csv"
    assert display_path(tmp_path.parent / "cards.csv") == str(tmp_path.parent / "cards.csv")
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    assert display_path(Path("link")) == "link"
    assert display_path(tmp_path / "link") == "link"


def test_problems_of_one_cause_are_told_by_the_first_with_the_number_of_the_others():
    def on(face, place="card.svg.j2", **more):
        return Problem(place=place, line=5, key=face, what="is wrong", **more)

    found = merge_problems([on("[a front]"), on("[b front]", more=2), on("title"), on("author"), on("[c]", "x.svg.j2")])
    assert [str(each) for each in found] == [
        "card.svg.j2:5 [a front] and 3 more: is wrong", "card.svg.j2:5 title: is wrong",
        "card.svg.j2:5 author: is wrong", "x.svg.j2:5 [c]: is wrong"]


def test_nothing_recorded_counts_one_in_the_plural():
    """Neither in English as messages are written, nor with the counted words of the six languages."""
    root = Path(__file__).parents[1]
    many = {f"1 {noun}s" for noun in ("back", "card", "cell", "column", "cut", "face", "file", "seam", "sheet", "tile")}
    for file in (root / "data").glob("**/??.toml"):
        texts = dict(re.findall(r'^(\w+) = "(.*)"$', file.read_text(encoding="utf-8"), re.MULTILINE))
        ones = {key: (one.replace("{count}", "1"), texts.get(key.removesuffix("_one"), ""))
                for key, one in texts.items() if key.endswith("_one")}
        many |= {said for one, plural in ones.values() if "{count}" in plural and (
            said := plural.replace("{count}", "1")) != one}
    plural = re.compile(r"(?<![\w.,:])(?<![x×] )(" + "|".join(map(re.escape, sorted(many))) + r")\b")
    found = [f"{file.name}: {match[0]}" for file in (root / "tests" / "golden").glob("**/*.txt")
             for match in plural.finditer(file.read_text(encoding="utf-8"))]
    assert len(many) > 60 and not found
