"""One name, one thing: file names and class names of the package."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

from ppgen.games.catalogue import GAMES

PACKAGE = Path(__file__).parent.parent / "ppgen"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_assets" not in path.parts)


@cache
def _read(path: Path) -> str:
    return path.read_text("utf-8")


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


def test_a_module_is_a_subject_of_some_hundred_lines() -> None:
    sizes = {path.relative_to(PACKAGE).as_posix(): len(_read(path).splitlines()) for path in MODULES}
    assert len(sizes) <= 150
    assert {name: size for name, size in sizes.items() if size > 1000} == {}


def test_a_class_name_stands_once_except_in_parallel_chapters_of_the_games() -> None:
    names = [(name, path) for path in MODULES for name in re.findall(r"^ *class ([A-Za-z]\w*)", _read(path), re.M)]
    assert len(names) > 300
    assert _repeated(names) == {}


def _imports(path: Path, files: AbstractSet[str]) -> set[str]:
    """The files of the package that a file imports, also in functions and for types only."""
    names = {*re.findall(r"^ *import (ppgen[\w.]+)", _read(path), re.M)}
    for module, listed in re.findall(r"^ *from (ppgen[\w.]*) import (\([^)]+\)|.+)", _read(path), re.M):
        modules = {f"{module}.{name}" for name in re.findall(r"\w+", listed)}
        names |= modules & files or {module}
    return names & files


def _circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The largest groups of nodes that reach each other."""
    def reach(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            waiting += (fresh := graph[waiting.pop()] - found)
            found |= fresh
        return found

    reachable = {node: reach(node) for node in graph}
    circles = {frozenset(other for other in reached if node in reachable[other])
               for node, reached in reachable.items() if node in reached}
    return sorted(map(sorted, circles))


def test_a_circle_is_found_with_its_members_only() -> None:
    assert _circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"e"}}) == [["b", "c"], ["e"]]


def test_no_files_import_each_other_in_a_circle() -> None:
    paths = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in MODULES}
    graph = {name: _imports(path, paths.keys() - {name}) for name, path in paths.items()}
    assert "ppgen.printing.workshop" in graph["ppgen.review.set_check"] and _circles(graph) == []
