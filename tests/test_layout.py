"""One name, one thing: file names and class names of the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "ppgen"
GAMES = ("card_game", "board_game", "own_deck")
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_assets" not in path.parts)


def _home(path: Path) -> str:
    """Where a name must be unique: the package, or for a chapter of a game that game."""
    return next((game for game in GAMES if game in path.parts), "the package")


def _repeated(names: list[tuple[str, Path]]) -> dict[str, list[str]]:
    """Names used in two files, except by parallel chapters: files of the same name in several games."""
    places = defaultdict(set)
    for name, path in names:
        places[name].add(path)
    return {name: sorted(str(path.relative_to(PACKAGE)) for path in paths)
            for name, paths in places.items()
            if len(paths) > 1 and not _parallel(paths)}


def _parallel(paths: set[Path]) -> bool:
    homes = {_home(path) for path in paths}
    return "the package" not in homes and len(homes) == len(paths) and len({path.name for path in paths}) == 1


def test_a_file_name_stands_once_except_for_parallel_chapters_of_the_games() -> None:
    names = [(path.name, path) for path in MODULES if not path.name.startswith("__")]
    assert _repeated(names) == {}


@pytest.mark.slow
def test_a_class_name_stands_once_except_in_parallel_chapters_of_the_games() -> None:
    names = [(node.name, path) for path in MODULES for node in ast.walk(ast.parse(path.read_text("utf-8")))
             if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    assert _repeated(names) == {}
