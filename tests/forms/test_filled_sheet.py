"""The filled-in score sheet: it shows what was counted, in every viewer, and is read back as it was."""

from __future__ import annotations

import io
import subprocess

import pikepdf
import pypdfium2
import pytest

from ppgen.games.card_game.scoring import CardScoring, Tally, TallyNames, score_game
from ppgen.printing.set_build import fill_score_sheet
from ppgen.reading.pdf_form import read_form_fields
from tests.node import tool
from tests.pages.scorer.games import dealt

from .conftest import fields_of, form_values

WORDS = ("Åse Čapek", "Ørsted", "良子", "Ærø", "24. 12. 2026")


def sheet_of(*game: object) -> bytes:
    return fill_score_sheet("card-game", form_values(*game), "de")


def counted(tally: Tally) -> tuple:
    """A tally without the zeros that nobody writes down."""
    return (tally.name, {country: count for country, count in tally.cards.items() if count},
            {country: count for country, count in tally.symbols.items() if count},
            tally.ships, tally.carriages, tally.minus_two)


@pytest.fixture(scope="module")
def game(deck):
    """Three players, with names that are hard to print."""
    tallies = (Tally(name="Åse Čapek", cards={"france": 5}, symbols={"france": 4}, ships=3, carriages=4, minus_two=1),
               Tally(name="Ørsted", cards={"france": 2, "denmark": 2}, symbols={"france": 3, "denmark": 1}, ships=7),
               Tally(name="良子", cards={"france": 1, "denmark": 2}, symbols={"denmark": 1}, ships=5, carriages=5))
    return score_game(tallies, deck.rules), tallies


@pytest.fixture(scope="module")
def filled(game):
    return sheet_of(*game, "24. 12. 2026", "Ærø")


def test_fields_hold_what_was_counted_and_its_points(filled, game):
    with pikepdf.open(io.BytesIO(filled)) as pdf:
        held = {name: str(field.V) for name, field in fields_of(pdf).items() if "/V" in field}
    assert held == form_values(*game, "24. 12. 2026", "Ærø")
    assert (held["p1.france.country_points"], held["p1.law_points"], held["p3.chain_points"]) == ("8", "-2", "10")


@pytest.mark.slow
def test_random_games_are_read_back_as_they_were(workshop, deck, tmp_path):
    scoring = CardScoring(deck=deck, names=TallyNames(deck, workshop.assets.game("card_game") / "locales"))
    for number in (1, 2):
        tallies = dealt(number, deck)
        score = score_game(tallies, deck.rules)
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(sheet_of(score, tallies, "heute", "Ulm"))
        raw = scoring.from_fields(read_form_fields(path), path.name)
        read = scoring.score(raw, partial=True)
        assert [counted(Tally(**player)) for player in read.players] == [counted(tally) for tally in tallies]
        assert read.facts == {"date": "heute", "place": "Ulm"}
        assert not read.warnings  # no total differs
        assert {player.name: player.total for player in read.score.players} == {
            player.name: player.total for player in score.players}


def test_pdfium_finds_the_words_on_the_page(filled):
    with pypdfium2.PdfDocument(filled) as pdf:
        pdf.init_forms()
        pdf[0].flatten()
        text = pdf[0].get_textpage().get_text_range()  # the page as it is loaded anew
    for words in WORDS:
        assert words in text
    assert text.count("\u22122") == 3  # points, too, have the minus sign of the row's name and rule


def test_poppler_prints_ink_where_a_value_stands(filled, score_sheet, tmp_path):
    """Each filled field's box has ink that the empty sheet has not, in its middle or at its left edge; no other has."""
    pictures = []
    for name, content in (("empty", score_sheet), ("filled", filled)):
        (tmp_path / f"{name}.pdf").write_bytes(content)
        subprocess.run([tool("pdftoppm"), "-r", "144", "-gray", tmp_path / f"{name}.pdf", tmp_path / name], check=True,
                       capture_output=True)
        pictures.append(next(tmp_path.glob(f"{name}-*.pgm")))
    from PIL import Image, ImageChops

    empty, full = (Image.open(picture) for picture in pictures)
    changed = ImageChops.difference(empty, full)
    with pikepdf.open(io.BytesIO(filled)) as pdf:
        for name, field in fields_of(pdf).items():
            left, bottom, right, top = (2 * float(edge) for edge in field.Rect)
            box = (round(left), round(changed.height - top), round(right), round(changed.height - bottom))
            ink = changed.crop(box).point(lambda value: 255 * (value > 60)).getbbox()
            assert (ink is not None) == ("/V" in field), name
            if ink and len(str(field.V)) > 1:
                gaps = ink[0], box[2] - box[0] - ink[2]
                assert (abs(gaps[0] - gaps[1]) < 8 if int(field.Q) else 0 < gaps[0] < 8) and min(gaps) > 0, name
                assert abs(ink[1] + ink[3] - box[3] + box[1]) < 0.25 * (box[3] - box[1]), name


@pytest.mark.slow
def test_a_filled_sheet_goes_on_computing(pdfjs, filled, tmp_path):
    path = tmp_path / "filled.pdf"
    path.write_bytes(filled)
    held, _ = pdfjs(path, [("p3.france.cards", "6")])
    assert [held[f"p{n}.france.country_points"] for n in (1, 2, 3)] == ["6", "5", "8"]


def test_a_script_that_no_font_has_is_left_to_the_viewer(workshop, score_sheet):
    from ppgen.engine.pdf.form_fields import fill_form

    with pikepdf.open(io.BytesIO(fill_form(score_sheet, {"p1.name": "दीपा"}, workshop.fonts))) as pdf:
        field = fields_of(pdf)["p1.name"]
        assert (str(field.V), "/AP" in field) == ("दीपा", False)
