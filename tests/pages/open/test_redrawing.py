"""Looking again: only what may have changed is drawn and rendered, and nothing good is lost by a mistake."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from ppgen.cache import open_cache
from ppgen.engine.drawing.rendering import FaceRenderer


@pytest.fixture
def drawn(monkeypatch, tmp_path_factory) -> Iterator[list[object]]:
    """The faces that are drawn, and neither found in the cache nor in an earlier look."""
    faces: list[object] = []
    draw = FaceRenderer._draw_supervised
    monkeypatch.setattr(FaceRenderer, "_draw_supervised", lambda *args: faces.append(args) or draw(*args))
    with open_cache(tmp_path_factory.mktemp("looks")):
        yield faces


def test_a_second_look_draws_nothing(make_redrawer, drawn):
    redrawer = make_redrawer()
    assert redrawer.refresh().is_first and drawn
    drawn.clear()
    again = redrawer.refresh()
    assert (again.is_first, drawn, again.changed) == (False, [], ())


def test_one_changed_row_is_one_piece(make_redrawer, deck_files, drawn):
    redrawer = make_redrawer()
    redrawer.refresh()
    drawn.clear()
    deck_files.change("cards.csv", "Orc,Bites,1", "Orc,Bites,3")
    look = redrawer.refresh()
    assert (look.changed, len(drawn)) == (("orc",), 2)  # its back reads the row, too


def test_a_changed_template_changes_its_own_faces_only(make_redrawer, deck_files):
    redrawer = make_redrawer()
    redrawer.refresh()
    deck_files.change("card.svg.j2", "margin=3", "margin=2")
    assert {*redrawer.refresh().changed} == {"orc", "elf-of-the-long-river"}  # not the back
    deck_files.change("macros.svg.j2", "{% macro", "{# nothing else #}{% macro")
    assert not redrawer.refresh().changed


@pytest.mark.slow
def test_a_look_that_failed_leaves_no_garbage(make_redrawer, deck_files):
    """Exceptions and the faces that they hold are in cycles; the program lets Python search for these rarely."""
    redrawer = make_redrawer()
    deck_files.change("card.svg.j2", "{{ rich(", "{{ nix }}{{ rich(")
    gc.collect()
    gc.disable()
    try:
        assert redrawer.refresh().problems
        assert gc.collect() < 100
    finally:
        gc.enable()
