"""Laws of two sets side by side, of their record, and of pages that a set has or refuses."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from ppgen.engine.component import Component, Pad, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import A4, Size
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.errors import InputError
from ppgen.printing.workshop import LARGE_SHEET, SCORE_PAGE, Workshop, _check_pages, _enlarge, _make_score_sheet
from ppgen.review.set_comparison import (PieceLook, PrintedVariant, SideLook, _entries, describe_changes, dump_record,
                                         find_changes, read_record)

NAMES = {"new": "NEW", "gone": "GONE", "back": "BACK"}
SIDES = st.builds(SideLook, digest=st.sampled_from("ab"), size=st.sampled_from([Size(63.5, 88.9), Size(44, 68)]))
PIECES = st.fixed_dictionaries({
    "part": st.sampled_from(["cards", "tokens"]), "copies": st.integers(1, 3),
    "cells": st.dictionaries(st.sampled_from(["name", "text"]), st.sampled_from(["", "x", "long " * 20]), max_size=2),
    "sides": st.tuples(SIDES, SIDES | st.none()).map(
        lambda looks: {name: look for name, look in zip(("front", "back"), looks, strict=True) if look})})
SETS = st.dictionaries(st.sampled_from("pqrs"), PIECES, max_size=4).map(
    lambda pieces: {id: PieceLook(id=id, **values) for id, values in pieces.items()})


@given(SETS, SETS)
def test_each_piece_that_differs_is_told_once_with_all_that_differs(old, new) -> None:
    changes = {change.piece.id: change for change in find_changes(old, new)}
    assert len(changes) == len(find_changes(old, new)) and not find_changes(old, old)
    for id in {*old, *new}:
        before, after = old.get(id), new.get(id)
        cells = {name for name in (*before.cells, *after.cells) if before.cells.get(name, "") != after.cells.get(
            name, "")} if before and after else set()
        looks = {side for side in ("front", "back") if (before and before.sides.get(side)) != (
            after and after.sides.get(side))} if before and after else set()
        differs = not before or not after or bool(cells or looks) or before.copies != after.copies
        assert (id in changes) == differs
        if not differs:
            continue
        change = changes[id]
        assert {*change.areas} == looks and {*change.cells} == cells
        assert change.to_print == (0 if not after else after.copies if looks or not before
                                   else max(0, after.copies - before.copies))
        entries = [*_entries(change, NAMES)]
        shown = after or before
        assert len(entries) == max(1, len(looks)) and all(entry.id == id for entry in entries)
        assert {entry.note for entry in entries} == {
            "NEW" if not before else "GONE" if not after else "" if before.copies == after.copies
            else f"× {before.copies} → {after.copies}"}
        assert [entry.part for entry in entries] == [
            shown.part + (" · BACK" if side == "back" else "") for side in ([*change.areas] or ["front"])]
        for entry, side in zip(entries, [*change.areas] or ["front"], strict=True):
            sizes = [each.sides[side].size for each in (after, before) if each and side in each.sides]
            assert entry.size == sizes[0] and entry.old_size == (sizes[-1] if sizes[-1] != sizes[0] else None)
            assert entry.area == change.areas.get(side) and bool(entry.cells) == (bool(cells) and entry is entries[0])
        kind = {(False, True): "added", (True, False): "removed", (True, True): "changed"}[bool(before), bool(after)]
        assert change.entry["change"] == kind and change.entry["copies"] == {
            "old": before.copies if before else 0, "new": after.copies if after else 0}
    lines = describe_changes([*changes.values()])
    told = Counter(id for line in lines for id in "pqrs" if id in line.split("  (")[0].replace(",", "").split())
    assert told == Counter([*changes])
    assert {line[2] for line in lines if line[0] in "+-"} == {*old} ^ {*new} and all(len(line) < 160 for line in lines)
    back = {change.piece.id: change for change in find_changes(new, old)}
    assert back.keys() == changes.keys()
    assert all(back[id].cells == {name: pair[::-1] for name, pair in change.cells.items()}
               for id, change in changes.items())


@given(st.dictionaries(st.builds(PrintedVariant, lang=st.sampled_from(["de", "ja"]), card_size=st.just("44 × 68 mm"),
                                 ink=st.sampled_from(["full", "low"]), choices=st.sampled_from([(), ("a=b",)])), SETS,
                       max_size=3))
def test_what_is_remembered_as_printed_is_read_back(tmp_path_factory: pytest.TempPathFactory, record) -> None:
    folder = tmp_path_factory.mktemp("record")
    file = dump_record(folder, record)
    assert read_record(folder / file.path) == {}
    (folder / file.path).write_bytes(file.content)
    assert read_record(folder / file.path) == {variant: looks for variant, looks in record.items() if looks}


@given(*[st.floats(1, 300)] * 4, st.integers(1, 2))
def test_pages_are_refused_that_are_too_small_to_write_on_and_pieces_only_grow(
        width: float, height: float, across: float, down: float, abreast: int) -> None:
    pad = Pad(room=Size(width, height), abreast=abreast)
    try:
        _check_pages(pad, SheetSpec(paper=A4))
        assert min(width, height) >= 5
    except InputError as error:
        assert min(width, height) < 5 and ("to a page" in str(error)) == (abreast > 1)
    face = FaceRequest(template="x", size=Size(width, height), values={})
    least, piece = Size(across, down), Component(id="a", front=face, back=face)
    part = _enlarge(Part(name="a", title="", components=(piece,)), least)
    for side in (part.components[0].front, part.components[0].back):
        assert (side.size.width, side.size.height) == (max(width, across), max(height, down)) and side.values["large"]
    (bare,) = _enlarge(Part(name="a", title="", components=(Component(id="a", front=face),)), Size(1, 1)).components
    assert bare.back is None and bare.front.size == face.size


@pytest.mark.parametrize(("less", "is_large"), [(Size(0, 0), True), (Size(1, 0), True), (Size(0, 1), True),
                                                (Size(1, 1), False)])
def test_a_score_sheet_in_large_print_needs_its_room_both_ways(less: Size, is_large: bool) -> None:
    room = Size(LARGE_SHEET.width - less.width, LARGE_SHEET.height - less.height)
    pad = Pad(room=room, abreast=1, large=is_large)
    if is_large and less != Size(0, 0):
        with pytest.raises(InputError, match="large print"):
            _make_score_sheet(lambda texts, pad: pad, None, pad, SheetSpec(paper=A4))
    else:
        assert _make_score_sheet(lambda texts, pad: pad, None, pad, SheetSpec(paper=A4)) is pad


@pytest.mark.parametrize("home", ["", "https://example.org"])
@pytest.mark.parametrize("scorer", [None, object()])
def test_a_code_leads_to_the_page_that_scores_the_game_if_the_site_has_one(home: str, scorer: object) -> None:
    shop = SimpleNamespace(game=SimpleNamespace(id="goblins", scorer=scorer))
    address = Workshop.address_to_scan(shop, home, "fr")
    assert address.startswith(home) and bool(address) == bool(home)
    assert (SCORE_PAGE in address and "game=goblins" in address and "lang=fr" in address) == bool(home and scorer)


@pytest.mark.parametrize(("rules", "finished"), [({}, False), ({"de": "Rules.PDF"}, True), ({"de": "rules.md"}, False),
                                                 ({"en": "rules.pdf"}, False)])
def test_rules_are_finished_if_they_are_a_pdf_in_the_language(rules: dict[str, str], finished: bool) -> None:
    assert Workshop.has_finished_rules(SimpleNamespace(game=SimpleNamespace(
        deck=SimpleNamespace(rules=rules))), "de") == finished
    assert not Workshop.has_finished_rules(SimpleNamespace(game=SimpleNamespace(deck=None)), "de")
