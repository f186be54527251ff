"""What shipped templates were compiled to when they were installed draws the same, and nobody else gets it."""

import subprocess
import sys
import tomllib
from pathlib import Path
from runpy import run_path

import jinja2
import pytest

from ppgen.engine.drawing.templates import TemplateSet, compile_templates
from ppgen.engine.guard.template_environment import INSTALLED, CompiledCache
from ppgen.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
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
    monkeypatch.setattr("ppgen.engine.guard.template_environment.shipped_root", lambda: tmp_path)
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
    templates = TemplateSet([home / folder for folder in folders or ("templates",)], {}, home / "templates")
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


def test_an_edited_template_is_compiled_anew(home):
    install(home)
    (home / "templates/parts.svg.j2").write_text(PARTS.replace("path", "line"), encoding="utf-8")
    assert "<line " in drawn(home, 3)


def test_what_another_jinja2_compiled_is_not_used(home, monkeypatch):
    install(home)
    monkeypatch.setattr(jinja2, "__version__", "3.1.0")
    no_compiler(monkeypatch)
    with pytest.raises(InputError, match="is compiled"):
        drawn(home, 3)


def test_a_strangers_templates_never_use_it(home, monkeypatch):
    """Not even if they are the same, letter by letter: theirs have the meter in them."""
    install(home)
    (home / "own").mkdir()
    for name in ("card.svg.j2", "parts.svg.j2"):
        (home / "own" / name).write_bytes((home / "templates" / name).read_bytes())
    no_compiler(monkeypatch)
    with pytest.raises(InputError, match="is compiled"):
        drawn(home, 3, "own")


def test_compiling_needs_no_package_but_those_that_ppgen_is_built_with(home):
    required = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    asked = ("import pathlib, sys; from ppgen.engine.drawing.templates import compile_templates as compiled; "
             f"[*compiled(pathlib.Path({str(home / 'templates')!r}))]; print(*sys.modules)")
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    packages = {name.partition(".")[0] for name in done.stdout.split()} - sys.stdlib_module_names
    around = {"__main__", "_distutils_hack"}  # setuptools has every Python start with the latter
    assert packages - around == {"ppgen", "jinja2", "markupsafe"}, "Jinja2 brings the last one"
    assert [name for name in required if name.startswith("jinja2")]


def test_a_wheel_gets_the_modules_and_a_checkout_has_them_in_its_folder(home, monkeypatch):
    hook = pytest.importorskip("hatchling.builders.hooks.plugin.interface") and run_path(ROOT / "hatch_build.py")
    monkeypatch.setattr(sys, "path", [*sys.path])

    def built(version: str) -> tuple[dict[str, dict[str, str]], set[str]]:
        data: dict[str, dict[str, str]] = {"force_include": {}}
        templates = hook["TemplateBuildHook"](str(home), {}, None, None, "", "wheel")
        templates.initialize(version, data)
        names = {path.name for path in templates.compiled.iterdir()}
        templates.finalize(version, data, "")
        return data["force_include"], names

    wanted = {name for name, _ in compile_templates(home / "templates")}
    included, names = built("standard")
    assert names == wanted and list(included.values()) == [f"ppgen/_assets/{INSTALLED}"]
    assert not (home / INSTALLED).exists(), "a wheel is built without a trace in the checkout"
    for _ in range(2):
        (home / INSTALLED).mkdir(exist_ok=True)
        (home / INSTALLED / "of-an-older-template.py").touch()
        assert built("editable") == ({}, wanted)
        assert {path.name for path in (home / INSTALLED).iterdir()} == wanted
