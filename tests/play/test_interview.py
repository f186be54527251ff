"""The score sheet while it is filled in: what keys do to it, what is said, what a screen shows."""

from __future__ import annotations

import json

import pytest

from ppgen.assets import shipped_root
from ppgen.errors import InputError
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.games.card_game.scoring import CardScoring
from ppgen.games.card_game.tallies import TallyNames, sheet_plan
from ppgen.lines import display_width
from ppgen.play import interview
from ppgen.play.interview import Interview
from ppgen.play.sheet_plan import RunningScore, SheetCell, SheetColumn, SheetPlan, SheetRow, Takes
from ppgen.play.sheet_screen import complaints, gaps, missing_hint, question, render_screen, untouched_hint
from ppgen.play.validation import split_letters
from ppgen.reading.texts import Texts, languages

DATA = shipped_root() / "data" / "card_game"
DECK, _ = load_deck(DATA)


def spoken(lang: str) -> Texts:
    return TallyNames(DECK, DATA / "locales", lang).say


SCORING = CardScoring(deck=DECK, names=TallyNames(DECK, DATA / "locales"))
PLAN, DE, EN = sheet_plan(DECK), spoken("de"), spoken("en")


def cell(field: str) -> SheetCell:
    found = SheetCell.parse(field)
    assert found
    return found


def enter(sheet: Interview, *words: str) -> Interview:
    """Type each word and go on with Enter."""
    for word in words:
        sheet = interview.move_cursor(interview.type_key(sheet, word), 1)
    return sheet


@pytest.fixture
def sheet() -> Interview:
    """Three names are in, the pen is at the first box of France."""
    return enter(Interview(plan=PLAN), "Anna", "Bo", "Cy", "")


def test_an_empty_name_ends_the_names(sheet):
    assert (sheet.cursor.field, sheet.seats) == ("p1.france.cards", (1, 2, 3))
    assert enter(Interview(plan=PLAN), "Anna", "").cursor.field == "p3.name"


def test_the_pen_goes_country_by_country_and_back(sheet):
    went = [sheet.cursor.field]
    for _ in range(8):
        sheet = enter(sheet, "1")
        went.append(sheet.cursor.field)
    assert went == [f"p{seat}.{country}.{column}" for country in ("france", "saxony") for seat in (1, 2, 3)
                    for column in ("cards", "symbols")][:9]


def test_who_has_no_card_of_a_country_is_not_asked_for_its_symbols(sheet):
    assert enter(sheet, "0").cursor.field == enter(sheet, "").cursor.field == "p2.france.cards"
    assert enter(sheet, "0", "3", "1", "").cursor.field == "p1.saxony.cards"
    # typed all the same: one comes back to it
    there = interview.type_key(interview.set_cell(sheet, cell("p1.france.symbols")), "2")
    back = interview.set_cell(there, cell("p1.france.cards"))
    assert interview.move_cursor(back, 1).cursor.field == "p1.france.symbols"


def counted(sheet: Interview) -> Interview:
    """All cards are Anna's, none has a symbol."""
    for country in DECK.countries:
        sheet = enter(sheet, str(country.number), "", "", "")
    return sheet


def test_rows_that_nobody_was_asked_for_are_not_counted(sheet):
    assert untouched_hint(sheet, DE).startswith("Frankreich, Sachsen, ")
    sheet = counted(sheet)
    assert (sheet.cursor.field, missing_hint(sheet, DE)) == ("p1.ships", "")
    assert untouched_hint(sheet, DE) == "Schiffe, Kutschen, Tafeln −2"
    sheet = enter(sheet, "3", "", "")
    assert untouched_hint(sheet, DE) == "Kutschen, Tafeln −2"
    skipped = interview.move_row(sheet, 1)
    assert (skipped.cursor.field, untouched_hint(skipped, DE)) == ("p1.minus_two", "Kutschen, Tafeln −2")
    sheet = enter(sheet, "", "", "", "", "")
    assert (sheet.cursor.field, interview.is_last(sheet), untouched_hint(sheet, DE)) == ("p3.minus_two", True, "")
    assert untouched_hint(interview.move_cursor(sheet, -1), DE) == "Tafeln −2"


def test_what_is_still_to_be_counted_is_named_once(sheet):
    begun = enter(sheet, "5", "", "2", "", "1", "")
    named = gaps(begun, DE).split(", ")
    assert named == ["Sachsen 0 von 7", "Ungarn 0 von 6", "Kastilien 0 von 7", "Franken 0 von 7", "Bayern 0 von 6",
                     "Italien 0 von 6", "England 0 von 5", "Dänemark 0 von 4", "Schiffe", "Kutschen", "Tafeln −2"]
    assert gaps(enter(counted(sheet), "", "", ""), DE) == "Kutschen, Tafeln −2"


def test_what_was_passed_is_remembered(sheet):
    sheet = enter(counted(sheet), "", "", "")
    again = interview.from_draft(PLAN, json.loads(json.dumps(interview.to_draft(sheet))))
    assert again == sheet and untouched_hint(again, EN) == "Carriages, Tablets −2"


def test_the_pen_goes_to_what_is_wrong_and_the_next_digit_replaces_it(sheet):
    sheet = interview.type_key(enter(sheet, "5", "2", "4"), "1")
    assert (sheet.cursor.field, sheet.text(sheet.cursor)) == ("p2.france.symbols", "1")
    sheet = interview.set_cell(sheet, interview.cell_at(sheet, "p2.france.cards"))
    assert interview.type_key(sheet, "3").text(cell("p2.france.cards")) == "3"
    assert interview.cell_at(enter(Interview(plan=PLAN), "Anna", "Bo"), "") == cell("p3.name")


def test_the_pen_goes_back_the_same_way(sheet):
    sheet = enter(sheet, *["1"] * 8)
    for _ in range(8):
        sheet = interview.move_cursor(sheet, -1)
    assert sheet.cursor.field == "p1.france.cards"
    assert interview.move_cursor(sheet, -1).cursor.field == "p5.name"


def test_up_and_down_stay_in_the_column(sheet):
    sheet = enter(sheet, "1")
    down = interview.move_row(sheet, 1)
    assert (sheet.cursor.field, down.cursor.field) == ("p1.france.symbols", "p1.saxony.symbols")
    assert interview.move_row(down, 9).cursor.field == "p1.carriages"
    assert interview.move_row(down, 99).cursor.field == "p1.minus_two"
    assert interview.move_row(down, -99).cursor.field == "p1.name"


def test_a_digit_replaces_and_a_plus_goes_on(sheet):
    sheet = interview.move_cursor(enter(sheet, "3"), -1)
    assert interview.type_key(sheet, "5").text(sheet.cursor) == "5"
    assert interview.type_key(interview.type_key(sheet, "+"), "2").text(sheet.cursor) == "3+2"
    assert interview.erase_cell(sheet).text(sheet.cursor) == ""
    assert {interview.type_key(sheet, key).text(sheet.cursor) for key in ("x", "\x1bOP")} == {"3"}


def test_totals_run_along(sheet):
    sheet = enter(sheet, "3+2", "4", "2", "", "1")
    assert SCORING.running(sheet.cells).totals == {1: 8 + 4, 2: 5, 3: 2}


def test_too_many_cards_are_flagged_at_once(sheet):
    sheet = enter(sheet, "5", "", "4")
    for lang, said in (
            ("en", "France: 9 cards in all, only 8 exist: Anna 5, Bo 4 (count again)"),
            ("de", "Frankreich: zusammen 9 Karten, es gibt nur 8: Anna 5, Bo 4 (bitte nachzählen)"),
            ("ja", "フランス：合計9枚、全部で8枚しかありません：Anna 5、Bo 4（数え直してください）")):
        names = TallyNames(DECK, DATA / "locales", lang)
        with pytest.raises(InputError) as error:
            CardScoring(deck=DECK, names=names).score(SCORING.from_fields(interview.fields(sheet), "sheet"))
        assert list(complaints(error.value.problems, names.say)) == [said]
    assert missing_hint(sheet, EN).startswith("Saxony 0 of 7, ")


@pytest.mark.parametrize("lang", languages(DATA / "locales"))
def test_the_screen_fits_80_by_24(lang):
    texts = spoken(lang)
    names = ("Anna", "Bo", "枢機卿のプレイヤーです", "Dörte von Hohenstein", "E")
    sheet = enter(Interview(plan=PLAN), *names, *["1+1"] * 20)
    shown = render_screen(sheet, SCORING.running(sheet.cells), texts,
                          [texts("ask.missing", rows=missing_hint(sheet, texts))] * 3)
    assert len(shown) <= 24
    assert max(sum(display_width(text) for _, text in line) for line in shown) <= 80
    assert question(sheet, texts) in shown[0][0][1]


def test_a_draft_is_gone_on_with(sheet):
    sheet = enter(sheet, "5", "4")
    draft = json.loads(json.dumps(interview.to_draft(sheet)))
    assert interview.from_draft(PLAN, draft) == sheet
    assert interview.from_draft(PLAN, {"cells": {"p1.atlantis.cards": "3", "p9.name": "x"}, "at": 3}) is None
    assert interview.from_draft(PLAN, []) is None


BOARD = SheetPlan(least=2, most=3, rows=tuple(
    SheetRow(key=key, label=f"countries.{key}", shared=True, columns=(
        *(SheetColumn(key=f"{key[:2].upper()}{n}", label=f"{key[:2].upper()}{n}", takes=Takes.LETTER, ask="ask.ships")
          for n in (1, 2, 3)), SheetColumn(key="court", takes=Takes.LETTERS, ask="ask.ships")))
    for key in ("france", "italy")))


@pytest.fixture
def board() -> Interview:
    """A sheet with rows that belong to all; the pen is at the first space of France."""
    return enter(Interview(plan=BOARD), "Anna", "Bo", "Cy")


def test_a_letter_is_a_cell_and_the_pen_goes_on_by_itself(board):
    assert (board.cursor.field, board.letters) == ("france.FR1", {1: "A", 2: "B", 3: "C"})
    for key in "x1b.":
        board = interview.type_key(board, key)
    assert (board.text(cell("france.FR1")), board.text(cell("france.FR2"))) == ("B", ".")
    assert board.cursor.field == "france.FR3"
    board = enter(interview.type_key(board, "c"), "aBx", "")
    assert (board.text(cell("france.court")), board.cursor.field) == ("AB", "italy.IT2")
    assert [row.key for row in interview.untouched_rows(board)] == ["italy"]


def test_names_of_another_script_need_no_input_method_for_letters():
    board = enter(Interview(plan=BOARD), "良子", "健", "Ö")
    assert board.letters == {1: "A", 2: "B", 3: "C"}
    assert interview.type_key(board, "b").text(cell("france.FR1")) == "B"


def test_letters_may_be_pasted_row_by_row(board):
    board = interview.type_key(board, "abcca")
    assert interview.fields(board) == {"p1.name": "Anna", "p2.name": "Bo", "p3.name": "Cy", "france.FR1": "A",
                                       "france.FR2": "B", "france.FR3": "C", "france.court": "CA"}


def test_up_and_down_find_the_rows_of_all(board):
    assert interview.move_row(board, 1).cursor.field == "italy.IT1"
    assert interview.move_row(board, -1).cursor.field == "p1.name"
    assert interview.move_row(enter(board, "a"), -1).cursor.field == "p1.name"
    assert interview.from_draft(BOARD, interview.to_draft(board)) == board


def test_a_row_of_all_shows_the_names_of_its_cells_above_it(board):
    shown = ["".join(text for _, text in line)
             for line in render_screen(interview.type_key(board, "ab"), RunningScore(totals={}, points={}), EN, [])]
    (above,) = [number for number, line in enumerate(shown) if "FR1 FR2 FR3" in line]
    assert shown[above + 1].startswith("France│   A   B") and "IT1" not in "".join(shown)


@pytest.mark.parametrize(("names", "letters"), [
    (("Anna", "Bo", "cy"), "ABC"), (("Anna", "anton", "Bo"), "ABC"), (("Zoe", "4x", "Bo"), "ABC"),
    (("Zoe", "Ｙu", "Öl"), "ZYÖ"), (("", "Bo"), "AB")])
def test_letters_are_those_of_the_names_where_these_differ(names, letters):
    assert "".join(split_letters(names)) == letters
