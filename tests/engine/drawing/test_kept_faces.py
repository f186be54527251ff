"""Faces in the cache, and in a run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ppgen.cache import open_cache
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.rendering import FaceRenderer, dump_face
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import Size
from ppgen.reading.texts import Texts
from ppgen.shipped import shipped_root


def studio(folder: Path, fonts, monkeypatch, words: dict[str, str], ours: bool = True,
           lang: str = "de") -> FaceRenderer:
    monkeypatch.setattr(TemplateSet, "are_ours", ours)
    monkeypatch.setattr(FaceRenderer, "_draw_supervised", draw_here)  # where drawings are counted
    return FaceRenderer(templates=TemplateSet((folder,)), fonts=fonts, ink="full",
                        common={"t": Texts(lang=lang, words=words)})


def draw_here(renderer: FaceRenderer, *args: Any) -> tuple[Face, bytes]:
    face, used = renderer.draw_here(*args)
    return face, dump_face(face, used, renderer.fonts.used_styles)


@pytest.fixture
def face(tmp_path: Path) -> FaceRequest:
    (tmp_path / "face.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">\n<g id="a">\n'
        """{{ text('<a data-src="x"> ' ~ t("said"), x=1, y=5, width=50, size=3) }}</g></svg>""")
    return FaceRequest(template="face.svg", size=Size(60, 20), values={}, worded=True)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates that are filled in."""
    names: list[str] = []
    render = TemplateSet.render

    def noted(self: TemplateSet, name: str, *more: object) -> str:
        names.append(name)
        return render(self, name, *more)

    monkeypatch.setattr(TemplateSet, "render", noted)
    return names


@pytest.mark.parametrize("ours", [True, False])
def test_a_face_is_kept_for_its_language(tmp_path, fonts, monkeypatch, face, drawn, ours):
    with open_cache(tmp_path.parent / f"{tmp_path.name}-kept"):
        faces = [studio(tmp_path, fonts, monkeypatch, {"said": lang}, ours=ours, lang=lang).draw(face, 0, "")
                 for lang in ("de", "fr", "de")]
    assert len(drawn) == 2 and faces[0] == faces[2] != faces[1]


def test_a_shipped_face_without_words_is_drawn_once_for_all_languages(tmp_path, fonts, monkeypatch, face, drawn):
    (tmp_path / "face.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}"/>')
    for ours, worded, drawings in ((True, False, 1), (True, True, 2), (False, False, 2)):
        with open_cache(tmp_path.parent / f"{tmp_path.name}-{ours}-{worded}"):
            for lang in ("de", "fr", "de"):
                renderer = studio(tmp_path, fonts, monkeypatch, {"said": lang}, ours=ours, lang=lang)
                renderer.draw(replace(face, worded=worded), 0, "")
        assert len(drawn) == drawings
        drawn.clear()


def test_a_kept_face_still_tells_what_its_fonts_lack(tmp_path, fonts, monkeypatch, face, drawn):
    monkeypatch.setattr(FaceRenderer, "_draw_supervised", draw_here)
    (tmp_path / "face.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">'
        '{{ text("A", x=1, y=5, width=9, size=3, style="Cinzel/italic") }}</svg>')
    for _ in range(2):
        book = replace(fonts)
        with open_cache(tmp_path.parent / f"{tmp_path.name}-kept"):
            FaceRenderer(templates=TemplateSet((tmp_path,)), fonts=book, ink="full",
                         common={}).draw(face, 0, "")
        assert [*book.substitutes] == [("Cinzel", "italic")]
    assert len(drawn) == 1


@pytest.mark.parametrize(("template", "times"), [
    ("a", 1), ("{{ face.width }}{{ side }}", 1), ("{{ card }}", 3), ("{% include 'part.svg' %}", 3),
    ("{% import 'part.svg' as part with context %}{{ part.m() }}", 3),
    ("{% macro m() %}{{ card }}{% endmacro %}{{ m() }}", 3)])
def test_a_face_that_looks_up_nothing_of_its_card_is_drawn_once(tmp_path, fonts, monkeypatch, template, times):
    (tmp_path / "part.svg").write_text("{% macro m() %}{{ card }}{% endmacro %}{{ card }}")
    (tmp_path / "back.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}"><title>'
                                       f"{template}</title></svg>")
    asked: list[object] = []
    draw = FaceRenderer._draw_supervised
    monkeypatch.setattr(FaceRenderer, "_draw_supervised", lambda *args: asked.append(args) or draw(*args))
    kept = tmp_path.parent / f"{tmp_path.name}-kept"
    for drawn in (times, 0):  # what a face looked up is in the cache with it
        renderer = FaceRenderer(templates=TemplateSet((tmp_path,)), fonts=fonts, ink="full", common={})
        with open_cache(kept):
            for card in "abc":
                values = {"card": card, "side": "back"}
                request = FaceRequest(template="back.svg", size=Size(60, 20), key=card, values=values)
                assert card in (svg := renderer.draw(request, 0, "").svg) or times == 1, svg
        assert len(asked) == drawn
        asked.clear()
    renderer.draw(replace(request, size=Size(61, 20)), 0, "")
    assert len(asked) == 1


def test_shipped_templates_that_no_game_owns_are_drawn_in_the_process(tmp_path, fonts, monkeypatch):
    monkeypatch.setattr(FaceRenderer, "_draw_supervised", lambda *args: pytest.fail("asked the child"))
    templates = TemplateSet((tmp_path,), shipped_root() / "templates")
    renderer = FaceRenderer(templates=templates, fonts=fonts, ink="full", common={})
    request = FaceRequest(template="shared/booklet-ornament.svg.j2", size=Size(10, 10), values={})
    assert renderer.draw(request, 0, "").svg
    (tmp_path / "shared").mkdir()  # a stranger's macros may come from there
    assert not replace(templates).shared
