"""Looking again: only what may have changed is drawn and rendered, and nothing good is lost by a mistake."""

from __future__ import annotations

import gc

import pytest

from ppgen.engine.drawing.templates import TemplateSet
from ppgen.errors import RequestError
from ppgen.pages.open.album import template_keys


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


def test_every_problem_is_told_and_the_last_good_look_stays(make_redrawer, deck_files):
    redrawer = make_redrawer()
    good = redrawer.refresh()
    deck_files.change("card.svg.j2", "{{ rich(", "{{ nix }}{{ rich(")
    line = deck_files.change("back.svg.j2", "{{ panel(", "<blink/>{{ panel(")
    spoilt = redrawer.refresh()
    assert spoilt.albums == good.albums and not spoilt.changed
    places = {(problem.place.rpartition("/")[2], problem.line) for problem in spoilt.problems}
    assert ("back.svg.j2", line) in places and len(places) == 2
    deck_files.change("card.svg.j2", "{{ nix }}", "")
    deck_files.change("back.svg.j2", "<blink/>", "")
    mended = redrawer.refresh()
    assert not mended.problems and not mended.changed and not mended.is_first


def test_a_set_that_is_wrong_from_the_start_is_seen_when_it_is_mended(make_redrawer, deck_files):
    redrawer = make_redrawer()
    deck_files.change("deck.toml", 'size = "poker"', "size = ")
    assert redrawer.refresh().problems
    deck_files.change("deck.toml", "size = \n", 'size = "poker"\n')
    assert redrawer.refresh().is_first


def test_added_and_removed_components(make_redrawer, deck_files):
    redrawer = make_redrawer()
    redrawer.refresh()
    deck_files.change("cards.csv", "Orc,", "Owl,")
    look = redrawer.refresh()
    assert (look.added, look.removed, look.changed) == (("owl",), ("orc",), ())


def test_what_is_not_there_can_be_asked_for_only_at_the_start(make_redrawer, deck_files):
    with pytest.raises(RequestError, match="ork"):
        make_redrawer(parts=("ork",)).refresh()
    redrawer = make_redrawer(parts=("orc",))
    redrawer.refresh()
    deck_files.change("cards.csv", "Orc,", "Owl,")
    assert redrawer.refresh().problems  # it went with a save: no reason to end


def test_marks_follow_what_a_template_uses(tmp_path):
    def write(name, text):
        (tmp_path / name).write_text(text)
        return template_keys(TemplateSet([tmp_path], {}))

    write("leaf.j2", "a")
    write("card.j2", '{% import "art.j2" as art %}{{ art.x() }}')
    write("free.j2", "{% include 'le' ~ 'af.j2' %}")
    before = write("art.j2", '{% from "leaf.j2" import x %}')
    after = write("leaf.j2", "b")
    assert {name for name in after if after[name] != before[name]} == {"leaf.j2", "art.j2", "card.j2", "free.j2"}
    before, after = after, write("card.j2", "nothing")
    assert {name for name in after if after[name] != before[name]} == {"card.j2", "free.j2"}


def test_the_first_folder_that_has_a_template_counts(tmp_path):
    skin, plain = tmp_path / "skin", tmp_path / "plain"
    for folder in (skin, plain):
        folder.mkdir()
        (folder / "card.j2").write_text(folder.name)
    before = template_keys(TemplateSet([skin, plain], {}))
    (plain / "card.j2").write_text("another")
    assert template_keys(TemplateSet([skin, plain], {})) == before
