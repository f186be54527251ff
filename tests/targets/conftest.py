"""A workshop with a game of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ppgen.engine.component import Part
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.games.interface import Game
from ppgen.printing.workshop import Workshop
from tests.targets.plain_game import TEMPLATE


@pytest.fixture
def plain(workshop: Workshop, tmp_path: Path) -> Callable[..., Workshop]:
    """A workshop whose game has the given parts."""
    folder = tmp_path / "plain-templates"
    folder.mkdir()
    (folder / "plain.svg.j2").write_text(TEMPLATE, encoding="utf-8")

    def made(*parts: Part) -> Workshop:
        game = Game(id="plain", folder=workshop.game.folder, lang="en", card_size="poker", parts=lambda *_: parts,
                    describe=lambda: [], table=workshop.game.table)
        return replace(workshop, game=game, templates=TemplateSet((folder,)))

    return made
