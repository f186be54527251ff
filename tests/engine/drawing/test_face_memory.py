"""No face is drawn twice, and what is remembered is what would be drawn."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.cache import open_cache
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.face_memory import FaceMemory
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import A4, Size
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.printing.workshop import Workshop
from ppgen.reading.texts import Texts
from ppgen.shipped import shipped_root


def studio(folder: Path, fonts, monkeypatch, words: dict[str, str], ours: bool = True, lang: str = "de",
           memory: FaceMemory | None = None) -> FaceRenderer:
    monkeypatch.setattr(TemplateSet, "are_ours", ours)
    return FaceRenderer(templates=TemplateSet((folder,), {}), fonts=fonts, ink="full", memory=memory,
                        common={"t": Texts(lang=lang, words=words)})


@pytest.fixture
def face(tmp_path: Path) -> FaceRequest:
    (tmp_path / "face.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">\n<g id="a">\n'
        '<text x="1" y="5" font-family="EB Garamond" font-size="3" data-width="50">'
        ' data-src="x"&gt; {{ t("said") }}</text></g></svg>')
    return FaceRequest(template="face.svg", size=Size(60, 20), values={})


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


def test_faces_are_drawn_once_for_all_languages_that_say_the_same(tmp_path, fonts, monkeypatch, face, drawn):
    memory = FaceMemory()
    texts = [{"said": "one", "other": "1"}, {"said": "one", "other": "2"}, {"said": "two", "other": "1"}]
    for marked in (True, False):
        for number, words in enumerate(texts):
            place = studio(tmp_path, fonts, monkeypatch, words, lang=f"l{number}", memory=memory)
            found = replace(place, marked=marked).draw(face, 0, "")
            assert place.common["t"].used == {"said": {words["said"]}}
            assert found == replace(place, marked=marked, memory=None).draw(face, 0, "")
            drawn.pop()  # that of the last line
    assert len(drawn) == 2


def test_templates_of_strangers_draw_for_each_language(tmp_path, fonts, monkeypatch, face, drawn):
    memory = FaceMemory()
    for lang in ("de", "en", "de"):
        studio(tmp_path, fonts, monkeypatch, {"said": "one"}, ours=False, lang=lang, memory=memory).draw(face, 0, "")
    assert len(drawn) == 2


@pytest.mark.parametrize(("ours", "wordless", "times"), [(True, True, 1), (True, False, 2), (False, True, 2)])
def test_a_face_without_words_is_kept_for_all_languages(tmp_path, fonts, monkeypatch, face, drawn, ours, wordless,
                                                        times):
    """But for those of strangers' templates, which may know a language without asking for its texts."""
    if wordless:
        (tmp_path / "face.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}"/>')
    with open_cache(tmp_path.parent / f"{tmp_path.name}-kept"):
        faces = [studio(tmp_path, fonts, monkeypatch, {"said": lang}, ours=ours, lang=lang).draw(face, 0, "")
                 for lang in ("de", "fr", "de")]
    assert len(drawn) == times
    assert faces[0] == faces[2] and (faces[0] == faces[1]) == wordless


@pytest.mark.parametrize("reading", ["card.name", "card['name']", "card.get('name')", "card.values() | first",
                                     "(card.items() | first)[1]", "card | list | first if card.name else ''"])
def test_words_are_noticed_however_a_template_reads_them(tmp_path, fonts, monkeypatch, face, reading):
    (tmp_path / "face.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}"><g id="{{ ' + reading + ' }}"/></svg>')
    place = studio(tmp_path, fonts, monkeypatch, {"said": "a"}, ours=True)
    place.draw(replace(face, words={"card": {"name": "said"}}, values={"card": {"name": "a"}}), 0, "")
    assert set(place.common["t"].used) == {"said"}


@pytest.mark.parametrize(("ours", "small", "times"), [(True, True, 1), (True, False, 3), (False, True, 2)])
def test_a_face_that_shows_none_of_its_words_is_kept_for_all_languages(tmp_path, fonts, monkeypatch, face, drawn, ours,
                                                                       small, times):
    (tmp_path / "face.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">'
        '{% if not face.small %}<g id="{{ card.name }}"/>{% endif %}</svg>')
    with open_cache(tmp_path.parent / f"{tmp_path.name}-kept"):
        for lang, name in (("de", "a"), ("fr", "b"), ("de", "a"), ("de", "b" if ours else "a")):
            place = studio(tmp_path, fonts, monkeypatch, {"said": name}, ours=ours, lang=lang)
            found = place.draw(replace(face, small=small, words={"card": {"name": "said"}},
                                       values={"card": {"name": name}}), 0, "")
            assert small or f'id="{name}"' in found.svg
            assert set(place.common["t"].used) == (set() if small or not ours else {"said"})
    assert len(drawn) == times


@pytest.mark.parametrize(("words", "room"), [
    ("Francien", True), ("Frankreich", True), ("Frankreichs", False), ("MMMMMMMM", False), ("La France", False),
    ("{name}", False), ("", False), ("𓂀", False)])
def test_a_word_that_is_no_wider_than_one_that_was_drawn_has_room(tmp_path, fonts, monkeypatch, face, words, room):
    memory = FaceMemory()
    studio(tmp_path, fonts, monkeypatch, {"said": "Frankreich"}, memory=memory).draw(face, 0, "")
    other = studio(tmp_path, fonts, monkeypatch, {"said": words}, lang="fr", memory=memory)
    assert (other.borrow(face, 0) is not None) == room
    assert other.common["t"].used == ({"said": {words}} if room else {})
    assert other.borrow(face, 2) is None, "with another bleed it was not drawn"


@pytest.mark.parametrize(("own", "room"), [("France", True), ("Francogallia", False), ("round", False)])
def test_words_among_the_values_are_compared_and_nothing_else(tmp_path, fonts, monkeypatch, face, own, room):
    """A value that is no text, such as a shape, may change all that is drawn."""
    memory = FaceMemory()
    value = {"france": "Frankreich", "said": "one"}
    studio(tmp_path, fonts, monkeypatch, value, memory=memory).draw(
        replace(face, values={"card": {"name": value["france"], "size": 1}}), 0, "")
    other = studio(tmp_path, fonts, monkeypatch, {"france": "" if own == "round" else own, "said": "one"}, lang="fr",
                   memory=memory)
    assert (other.borrow(replace(face, values={"card": {"name": own, "size": 1}}), 0) is not None) == room
    assert other.borrow(replace(face, values={"card": {"name": own, "size": 2}}), 0) is None


def test_a_memory_that_borrows_shows_the_face_with_the_wider_words(tmp_path, fonts, monkeypatch, face, drawn):
    memory = FaceMemory(borrows=True)
    said = [("de", "Frankreich"), ("en", "France"), ("nl", "Niederfrankreich")]
    faces = [studio(tmp_path, fonts, monkeypatch, {"said": words}, lang=lang, memory=memory).draw(face, 0, "")
             for lang, words in said]
    assert faces[0] == faces[1] != faces[2]
    assert len(drawn) == 2


def test_templates_of_strangers_are_drawn_to_see_whether_they_have_room(tmp_path, fonts, monkeypatch, face):
    memory = FaceMemory()
    for lang in ("de", "en"):
        place = studio(tmp_path, fonts, monkeypatch, {"said": "one"}, ours=False, lang=lang, memory=memory)
        assert place.borrow(face, 0) is None
        place.draw(face, 0, "")


def test_shipped_templates_know_nothing_of_a_language_but_its_texts():
    for file in (shipped_root() / "templates").rglob("*.j2"):
        code = " ".join(re.findall(r"\{[{%].*?[}%]\}", file.read_text(encoding="utf-8"), re.DOTALL))
        if " as t %}" not in code:  # there it is a template with macros
            assert not re.search(r"(?<![\w.])t(\.\w|\[)|\battr\(", code), file


def test_remembered_faces_of_the_set_are_those_that_are_drawn():
    plain = Workshop.open(Assets.at(), game="card-game")
    texts = plain.texts("de")
    one, other = replace(plain, memory=FaceMemory()).studio(texts, "full"), plain.studio(texts, "full")
    parts = plain.parts(texts, plain.game.card_size, SheetSpec(paper=A4), ("tablets", "stones")).parts
    for part in parts:
        for component in part.components:
            for _, request in component.faces():
                assert one.draw(request, 2, "") == other.draw(request, 2, "")
