"""Every text of the page is said by its scripts, and all that they say is there."""

from __future__ import annotations

import re

import pytest

from ppgen.assets import Assets
from ppgen.pages.single_pages import Material, gather_material
from ppgen.printing.workshop import Workshop

COMPOSED = ("look_", "hand_", "stone_", "store_", "ask_")
"""How the keys begin that scripts put together."""


@pytest.fixture(scope="module")
def workshops(workshop) -> list[Workshop]:
    return [workshop, Workshop.open(Assets.at(), game="board-game")]


@pytest.fixture(scope="module")
def material(workshops) -> Material:
    return gather_material(workshops)


def scripts(folder: str) -> str:
    home = Assets.at().templates / folder
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(home.glob("*.js")))


def test_every_text_is_said(workshops):
    """``ppgen check`` passes over these tables, so this is where a text that nobody says is found."""
    own = {each.game.id: scripts(f"{each.game.folder}/scorer") for each in workshops}
    house = "".join((scripts("scorer/script"), *own.values()))
    for each in workshops:
        for key in each.texts("en").words:
            table, _, name = key.partition(".")
            quoted = {"scorer": f'"{name}"', "page": f'"{key}"'}.get(table)
            code = own[each.game.id] if table == "page" else house
            assert not quoted or quoted in code or name.startswith(COMPOSED) or name == "noscript", key


@pytest.mark.slow
def test_all_that_is_said_is_there(workshops, material):
    words = material.texts["en"]
    house = re.findall(r'(?<![.\w])say\("(\w+)"', scripts("scorer/script"))
    assert len(house) > 50 and not {f"scorer.{key}" for key in house} - set(words[""])
    for each in workshops:
        said = re.findall(r'page\.say\("([\w.]+)"', scripts(f"{each.game.folder}/scorer"))
        assert len(said) > 10 and not set(said) - set(words[""]) - set(words[each.game.id])


@pytest.mark.slow
def test_no_template_stands_in_a_placeholder_of_another(material):
    """The minifier would take the text between them for code."""
    for script in material.scripts:
        assert not (found := re.search(r"\$\{(?:[^{}`]|\{[^{}`]*\})*`.*", script)), found


def test_templates_of_ones_own_may_leave_the_page_out(tmp_path):
    common = Workshop.open(Assets.at(templates=tmp_path)).assets.common_templates
    assert (common / "scorer" / "page.html").is_file()
