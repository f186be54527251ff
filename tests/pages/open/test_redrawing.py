"""Looking again: only what may have changed is drawn and rendered, and nothing good is lost by a mistake."""

from __future__ import annotations

import gc

import pytest


def test_a_second_look_draws_nothing(make_redrawer):
    redrawer = make_redrawer()
    first = redrawer.refresh()
    assert first.is_first and first.drawn
    again = redrawer.refresh()
    assert (again.is_first, again.drawn, again.changed) == (False, 0, ())


def test_one_changed_row_is_one_piece(make_redrawer, deck_files):
    redrawer = make_redrawer()
    redrawer.refresh()
    deck_files.change("cards.csv", "Orc,Bites,1", "Orc,Bites,3")
    look = redrawer.refresh()
    assert (look.changed, look.drawn) == (("orc",), 2)  # its back reads the row, too


def test_a_template_draws_its_own_faces_again_and_those_that_use_it(make_redrawer, deck_files):
    redrawer = make_redrawer()
    redrawer.refresh()
    deck_files.change("card.svg.j2", "margin=3", "margin=2")
    look = redrawer.refresh()
    assert {*look.changed} == {"orc", "elf-of-the-long-river"} and look.drawn == 2  # not the back
    deck_files.change("macros.svg.j2", "{% macro", "{# nothing else #}{% macro")
    look = redrawer.refresh()
    assert look.drawn == 2 and not look.changed


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
