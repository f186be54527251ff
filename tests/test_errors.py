"""A problem says where, what and what to do, in one line."""

from pathlib import Path

import pytest

from ppgen.errors import InputError, Problem, Problems, shown_path


@pytest.mark.parametrize(("problem", "line"), [
    (Problem(place="cards.csv", line=3, key="route", what="'shp' is not known", remedy="one of ship, carriage"),
     "cards.csv:3 route: 'shp' is not known (one of ship, carriage)"),
    (Problem(place="cards.csv", what="file not found"), "cards.csv: file not found"),
    (Problem(place="--paper", key="cards", what="too small"), "--paper cards: too small"),
])
def test_a_problem_is_one_line(problem, line):
    assert str(problem) == line


def test_the_same_problem_is_told_once():
    twice = Problem(place="a", what="b")
    assert InputError([twice, Problem(place="c", what="d"), twice]).problems == (twice, Problem(place="c", what="d"))


def test_there_is_no_error_without_a_problem():
    Problems().raise_if_any()
    with pytest.raises(ValueError):
        InputError([])


def test_a_path_is_shown_as_it_would_be_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert shown_path(tmp_path / "data" / "cards.csv") == "data/cards.csv"
    assert shown_path(tmp_path.parent / "cards.csv") == str(tmp_path.parent / "cards.csv")
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    assert shown_path(Path("link")) == "link"
    assert shown_path(tmp_path / "link") == "link"
