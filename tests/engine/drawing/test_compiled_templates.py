"""What shipped templates were compiled to when they were installed draws the same, and nobody else gets it."""

from pathlib import Path

import jinja2
import pytest

from ppgen.engine.drawing.sandbox import INSTALLED, CompiledCache
from ppgen.engine.drawing.templates import TemplateSet, compile_templates
from ppgen.errors import InputError
from tests.conftest import run_python

CARD = """<svg>
{% from "parts.svg.j2" import part with context %}
  {{ part(number) }}
</svg>
"""
PARTS = """{% macro part(number) %}
<g id="{{ name }}">
  <path d="M{{ 12 / number }} 0"/>
</g>
{% endmacro %}
"""
SKIN = '<svg>{% include "under/card.svg.j2" %}</svg>'


@pytest.fixture
def home(tmp_path: Path, own_cache: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that ppgen ships: its ``templates``."""
    monkeypatch.setattr("ppgen.engine.drawing.sandbox.shipped_root", lambda: tmp_path)
    monkeypatch.setattr(CompiledCache, "memory", {})
    (tmp_path / "templates" / "skins" / "plain").mkdir(parents=True)
    for name, text in (("card", CARD), ("parts", PARTS), ("skins/plain/card", SKIN)):
        (tmp_path / "templates" / f"{name}.svg.j2").write_text(text, encoding="utf-8")
    return tmp_path


def install(home: Path) -> None:
    (home / INSTALLED).mkdir()
    for name, text in compile_templates(home / "templates"):
        (home / INSTALLED / name).write_text(text, encoding="utf-8")


def drawn(home: Path, number: int, *folders: str) -> str:
    templates = TemplateSet([home / folder for folder in folders or ("templates",)], home / "templates")
    return templates.render("card.svg.j2", {"number": number, "name": "<"}, "[card]")


def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile(self, source, name=None, *_, **__):
        raise AssertionError(f"{name} is compiled")

    monkeypatch.setattr(jinja2.Environment, "compile", compile)


def test_installed_templates_draw_the_same_and_are_not_compiled(home, monkeypatch):
    skin = "templates/skins/plain", "templates"
    before = drawn(home, 3), drawn(home, 3, *skin)
    assert all('<path data-src="parts.svg.j2:3" d="M4.0 0"/>' in svg for svg in before)
    install(home)
    CompiledCache.memory.clear()
    no_compiler(monkeypatch)
    assert (drawn(home, 3), drawn(home, 3, *skin)) == before


def test_their_mistakes_are_shown_where_they_stand(home, monkeypatch):
    def mistake() -> list[str]:
        with pytest.raises(InputError) as caught:
            drawn(home, 0)
        return [str(problem) for problem in caught.value.problems]

    before = mistake()
    assert "parts.svg.j2:3" in before[0]
    install(home)
    CompiledCache.memory.clear()
    no_compiler(monkeypatch)
    assert mistake() == before


def test_a_strangers_templates_never_use_it(home, monkeypatch):
    """Not even if they are the same, letter by letter: theirs have the meter in them."""
    install(home)
    (home / "own").mkdir()
    for name in ("card.svg.j2", "parts.svg.j2"):
        (home / "own" / name).write_bytes((home / "templates" / name).read_bytes())
    no_compiler(monkeypatch)
    with pytest.raises(InputError, match="is compiled"):
        drawn(home, 3, "own")


def test_they_are_compiled_with_the_requirements_of_a_build_alone(home):
    """pip builds in an environment that has only what ``[build-system]`` requires."""
    code = ("import sys\n"
            "class Missing:\n"
            "    def find_spec(self, name, *rest):\n"
            "        top = name.partition('.')[0]\n"
            "        if top not in sys.stdlib_module_names and top not in ('jinja2', 'markupsafe', 'ppgen'):\n"
            "            raise ImportError(name)\n"
            "sys.meta_path.insert(0, Missing())\n"
            "from pathlib import Path\n"
            "from ppgen.engine.drawing.templates import compile_templates\n"
            f"print(len([*compile_templates(Path({str(home / 'templates')!r}))]))")
    done = run_python("-c", code, cwd=home)
    assert (done.stdout, done.stderr) == ("4\n", "")
