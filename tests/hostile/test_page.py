"""The page about strangers' decks says what holds: its names and figures are those of the program."""

from __future__ import annotations

import re

import pytest

from ppgen.cli import options
from ppgen.engine.booklets import booklet
from ppgen.engine.drawing import (fonts, lettering, ornament, sandbox, sandbox as refusals, svg_check,
                                  svg_check as drawing_counts, templates)
from ppgen.games.own_deck import deck_loading
from ppgen.play import game_history, game_scoring
from ppgen.printing import workshop
from ppgen.process import supervision
from ppgen.reading import fields, fields as csv_tables, pdf_form
from ppgen.shipped import shipped_root
from tests.hostile.test_fuzz import CORPUS, PART
from tools.fuzz_readers import READERS

PAGE = (shipped_root() / "docs" / "hostile-decks.md").read_text(encoding="utf-8")
MB = 1_000_000
ROWS = {
    "a template": (templates.MAX_CHARACTERS,),
    "`ruler()` and `drift_scale()`; sides of a `band()`": (ornament.MAX_SCALE_MM, ornament.MAX_MOTIFS),
    "a text given to `text()` or `paragraph()`": (refusals.MAX_LETTERING,),
    "the SVG of a face": (templates.MAX_SVG,),
    "elements; levels, through `<use>`": (svg_check.MAX_ELEMENTS, svg_check.MAX_LEVELS, drawing_counts.MAX_HEIGHT),
    "shapes, as drawn; a clip, mask, opacity, picture, gradient, pattern or dashes count as": (
        drawing_counts.MAX_DRAWN, drawing_counts.LAYER),
    "numbers of an outline that count as another shape": (drawing_counts.NUMBERS,),
    "attributes of an element": (svg_check.MAX_ATTRIBUTES,),
    "a measure": (round(svg_check.MAX_REACH),),
    "a line of a text: changes of its look; font size": (lettering.MAX_RUNS, round(lettering.MAX_FONT_SIZE)),
    "a file; a TOML file": (fields.MAX_BYTES // MB, fields.MAX_TOML),
    "a CSV file": (fields.MAX_ROWS, fields.MAX_COLUMNS, fields.MAX_LINES),
    "a text or a cell; accents on a letter": (csv_tables.MAX_CHARACTERS,),
    "tables and lists in each other; parts of a key": (fields.MAX_NESTING,),
    "copies of a piece; pieces of a build, all copies together": (deck_loading.MAX_COPIES, workshop.MAX_PIECES),
    "notes (`>`) in notes, in rules and guide": (booklet.MAX_NOTES,),
    "fonts; files in their folder; one of them": (
        fonts.MAX_FONTS, fonts.MAX_FILES, fonts.MAX_BYTES // MB),
}
SENTENCES = (
    f"{supervision.MAX_CPU_S:g} s of processor time and {supervision.MAX_MEMORY_BYTES // 1_000_000_000} GB of memory",
    f"{supervision.MAX_RUN_S} s of processor time", f"{supervision.MAX_RUN_BYTES // 1_000_000_000} GB of memory",
    f"from {options.MIN_LIMIT} to {options.MAX_LIMIT:g}", f"the first {fields.MAX_PROBLEMS} are shown",
    f"up to {game_scoring.MAX_BYTES // MB} MB", f"{game_scoring.MAX_VALUES:,} values",
    f"texts of {game_scoring.MAX_CHARACTERS} characters",
    f"{game_scoring.MAX_ROWS} rows of {game_scoring.MAX_COLUMNS} columns", f"{pdf_form.MAX_FIELDS:,} fields",
    f"PDF forms up to {pdf_form.MAX_BYTES // MB} MB", f"each value {pdf_form.MAX_VALUE_LENGTH} characters",
    f"{game_history.MAX_BYTES // MB} MB at most and {game_history.MAX_ROW // MB} MB for a game",
    f"files of {len(READERS)} kinds",
    f"tries {round(sum(reader.runs // PART for reader in READERS.values()), -2):,} of them")


@pytest.mark.parametrize("row", ROWS)
def test_bounds_in_tables_are_those_of_the_program(row):
    found = re.search(rf"^\| {re.escape(row)} \| (.*) \|$", PAGE, re.MULTILINE)
    assert found, "no such row"
    figures = [int(figure.replace(",", "")) for figure in re.findall(r"[\d,]*\d", found[1])]
    assert all(figure in figures for figure in ROWS[row]), found[1]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_figures_in_sentences_are_those_of_the_program(sentence):
    assert sentence in " ".join(PAGE.split())


def test_what_is_left_to_templates_is_written_down():
    allowed = {*sandbox.ALLOWED_FILTERS, *sandbox.ALLOWED_TESTS, *sandbox.METHODS[str], *sandbox.METHODS[dict],
               *sandbox.METHODS[list], "range", "dict", "namespace", "loop.cycle", "loop.changed"}
    page = (shipped_root() / "docs" / "functions.md").read_text(encoding="utf-8")
    assert not [name for name in allowed if f"`{name}`" not in page]


def test_the_corpus_is_where_the_page_says():
    assert f"`{CORPUS.relative_to(shipped_root()).as_posix()}/`" in PAGE
