"""Looking again: only what may have changed is drawn and rendered, and nothing good is lost by a mistake."""

from __future__ import annotations

import gc

import pytest

from ppgen.engine.drawing.templates import TemplateSet
from ppgen.errors import RequestError
from ppgen.pages.open.album import template_keys

DOT = '<circle cx="11" cy="11" r="1" fill="#FF0000"/></svg>'


def test_a_second_look_draws_nothing(own_bench):
    bench = own_bench()
    first = bench.refresh()
    assert first.is_first and first.drawn
    again = bench.refresh()
    assert (again.is_first, again.drawn, again.changed) == (False, 0, ())


def test_one_changed_row_is_one_face(own_bench, own_desk):
    bench = own_bench(parts=("denmark-3", "denmark-4"))
    bench.refresh()
    own_desk.change("data/card_game/cards.csv", "denmark-3,denmark,star,ship", "denmark-3,denmark,rose,ship")
    look = bench.refresh()
    assert (look.changed, look.drawn) == (("denmark-3",), 1)


def test_a_template_draws_its_own_faces_again_and_those_that_use_it(own_bench, own_desk):
    bench = own_bench()
    bench.refresh()
    own_desk.change("templates/card_game/claim-stone.svg.j2", "</svg>", DOT)
    look = bench.refresh()
    stones = {f"claim-stone-{n}" for n in range(1, 6)}
    assert {*look.changed} == stones and look.drawn == 5  # stones have no backs
    own_desk.change("templates/card_game/art/laws.svg.j2", "{% macro", "{# nothing else #}{% macro")
    look = bench.refresh()
    assert look.drawn and not look.changed


@pytest.mark.slow
def test_a_look_that_failed_leaves_no_garbage(own_bench, own_desk):
    """Exceptions and the faces that they hold are in cycles; the program lets Python search for these rarely."""
    bench = own_bench()
    own_desk.change("templates/card_game/claim-stone.svg.j2", "</svg>", "{{ nix }}</svg>")
    gc.collect()
    gc.disable()
    try:
        assert bench.refresh().problems
        assert gc.collect() < 100
    finally:
        gc.enable()


def test_every_problem_is_told_and_the_last_good_look_stays(own_bench, own_desk):
    bench = own_bench()
    good = bench.refresh()
    own_desk.change("templates/card_game/claim-stone.svg.j2", "</svg>", "{{ nix }}</svg>")
    line = own_desk.change("templates/card_game/law-tablet-back.svg.j2", "</svg>", "<blink/></svg>")
    spoilt = bench.refresh()
    assert spoilt.albums == good.albums and not spoilt.changed
    places = {(problem.place.rpartition("/")[2], problem.line) for problem in spoilt.problems}
    assert ("law-tablet-back.svg.j2", line) in places and len(places) == 2
    own_desk.change("templates/card_game/claim-stone.svg.j2", "{{ nix }}", "")
    own_desk.change("templates/card_game/law-tablet-back.svg.j2", "<blink/>", "")
    mended = bench.refresh()
    assert not mended.problems and not mended.changed and not mended.is_first


def test_a_set_that_is_wrong_from_the_start_is_seen_when_it_is_mended(own_bench, own_desk):
    bench = own_bench()
    own_desk.change("data/card_game/stones.toml", "player = 1", "player = ")
    assert bench.refresh().problems
    own_desk.change("data/card_game/stones.toml", "player = \n", "player = 1\n")
    assert bench.refresh().is_first


@pytest.mark.slow
def test_added_and_removed_components(own_bench, own_desk):
    bench = own_bench(parts=("cards",))
    bench.refresh()
    own_desk.change("data/card_game/cards.csv", "denmark-4,", "denmark-north,")
    look = bench.refresh()
    assert (look.added, look.removed, look.changed) == (("denmark-north",), ("denmark-4",), ())


def test_what_is_not_there_can_be_asked_for_only_at_the_start(own_bench, own_desk):
    with pytest.raises(RequestError, match="frence-1"):
        own_bench(parts=("frence-1",)).refresh()
    bench = own_bench(parts=("denmark-4",))
    bench.refresh()
    own_desk.change("data/card_game/cards.csv", "denmark-4,", "denmark-north,")
    assert bench.refresh().problems  # it went with a save: no reason to end


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
