"""A set is the same whatever was kept of it, and strangers' decks don't get into each other."""

import os
from pathlib import Path

import pytest

from ppgen.engine.drawing.sandbox import CompiledCache
from ppgen.engine.drawing.templates import TemplateSet

pytestmark = pytest.mark.usefixtures("own_cache")

QUICK = ("build", "--lang", "de", "--only", "stones", "--only", "calibration", "--quiet")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.*")) if path.is_file()}


def build(desk, *words: str) -> dict[str, bytes]:
    CompiledCache.memory.clear()
    done = desk.ppgen(*QUICK, *words)
    assert done.exit_code == 0, done.stderr
    return files(desk.folder / "output")


def cache() -> Path:
    return Path(os.environ["PPGEN_CACHE_DIR"]) / "made-1"


def no_drawing(monkeypatch) -> None:
    monkeypatch.setattr(TemplateSet, "render", lambda self, name, *_: pytest.fail(f"{name} is drawn"))
    monkeypatch.setattr("ppgen.engine.pdf.typesetting._compile", lambda *_, **__: pytest.fail("typst is called"))
    monkeypatch.setattr("ppgen.engine.pdf.assembly._draw_canvas", lambda *_: pytest.fail("pages are drawn"))


@pytest.mark.slow
def test_bytes_are_the_same_without_with_and_with_a_damaged_cache(desk, monkeypatch):
    without = build(desk, "--no-cache")
    assert not cache().exists()
    assert build(desk) == without
    kept = sorted(cache().iterdir())
    assert kept
    for number, file in enumerate(kept):
        content = file.read_bytes()
        file.write_bytes((content[:-3], b"", content[:60] + b"?" + content[61:], b"ppgen kept 1\n")[number % 4])
    assert build(desk) == without
    with monkeypatch.context() as patch:
        no_drawing(patch)
        assert build(desk) == without


@pytest.mark.slow
@pytest.mark.parametrize("words", ["--marks lines", "--margin 9mm", "--ink low", "--backs none",
                                   "--back-offset 0.3,0.2", "--brightness 120", "--flip short"])
def test_each_option_is_seen(desk, words):
    kept = build(desk)
    assert build(desk, *words.split()) == build(desk, "--no-cache", *words.split()) != kept


@pytest.mark.slow
def test_a_change_of_a_template_is_seen(own_desk):
    assert own_desk.build("--quiet").exit_code == 0
    before = files(own_desk.folder / "output")
    own_desk.change("templates/card_game/claim-stone.svg.j2", "<svg", '<svg opacity="0.5"')
    assert own_desk.build("--quiet").exit_code == 0
    assert files(own_desk.folder / "output") != before


@pytest.mark.slow
def test_no_code_is_kept_and_a_strangers_copy_shares_only_faces(own_desk, monkeypatch):
    monkeypatch.setattr("ppgen.engine.drawing.sandbox.INSTALLED", "nowhere")
    CompiledCache.memory.clear()
    assert own_desk.build("--quiet").exit_code == 0
    stranger = {path.name for path in cache().iterdir()}
    CompiledCache.memory.clear()
    assert own_desk.ppgen("build", "--lang", "de", "--only", "stones", "--quiet").exit_code == 0
    assert not any(path.read_bytes()[33:].startswith(b"\xe3") for path in cache().iterdir())  # marshal's code
    ours = [path for path in cache().iterdir() if path.name not in stranger]
    faces = [path for path in ours if b'{"edge"' in path.read_bytes()]
    assert faces, "shipped templates take faces that a stranger's copy of them drew"
