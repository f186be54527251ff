"""Every text of the page is said by its scripts, and all that they say is there."""

from __future__ import annotations

import re

import pytest

from ppgen.assets import Assets
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

COMPOSED = {"scorer": ("look_", "hand_", "stone_", "store_"), "page": ("ask_",)}
"""How the keys begin that scripts put together."""


def scripts(workshop: Workshop, folder: str) -> str:
    home = workshop.assets.templates / folder / "scorer" if folder else workshop.assets.templates / "scorer"
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(home.rglob("*.js")))


def keys(texts: Texts, table: str) -> set[str]:
    return {key.partition(".")[2] for key in texts.words if key.startswith(f"{table}.")}


@pytest.mark.parametrize("table", ["scorer", "page"])
def test_every_text_is_said(workshop, table):
    code = scripts(workshop, "") + scripts(workshop, workshop.game.folder)
    spelled = r'["\']{}["\']' if table == "scorer" else r'["\']page\.{}["\']'
    unused = [key for key in keys(workshop.texts("en"), table) if not re.search(spelled.format(re.escape(key)), code)
              and not key.startswith(COMPOSED[table])]
    assert set(unused) <= ({"title", "noscript"} if table == "scorer" else set())


def test_all_that_is_said_is_there(workshop):
    texts = workshop.texts("en")
    house = re.findall(r'(?<![.\w])say\("(\w+)"', scripts(workshop, ""))
    games = re.findall(r'page\.say\("([\w.]+)"', scripts(workshop, workshop.game.folder))
    assert len(house) > 50 and len(games) > 10
    assert not set(house) - keys(texts, "scorer") and not set(games) - set(texts.words)


def test_templates_of_ones_own_may_leave_the_page_out(tmp_path):
    common = Workshop.open(Assets.at(templates=tmp_path)).assets.common_templates
    assert (common / "scorer" / "page.html").is_file()
