"""The page about strangers' decks says what holds: its names and figures are those of the program."""

from __future__ import annotations

import re

import pytest

from ppgen.assets import shipped
from ppgen.cli import ceiling
from ppgen.engine.booklets import prose
from ppgen.engine.drawing import font_files, svgcheck, templates, textcheck
from ppgen.engine.guard import cost, payment, sandbox, tagcost
from ppgen.games.own_deck import loading
from ppgen.play import files, history
from ppgen.production import workshop
from ppgen.reading import fields, pdf_form
from tests.hostile.test_fuzz import CORPUS, PART
from tools.fuzz_readers import READERS

PAGE = (shipped() / "docs" / "hostile-decks.md").read_text(encoding="utf-8")
MB = 1_000_000
ROWS = {
    "steps for a face": (payment.MAX_STEPS,),
    "a template's size; of it between braces": (templates.MAX_CHARACTERS, templates.MAX_CODE),
    "between braces, in all templates of a set": (templates.MAX_ALL_CODE,),
    "a text put together": (payment.MAX_TEXT,),
    "a text given to `text()` or `paragraph()`": (payment.MAX_LETTERING,),
    "the SVG of a face": (templates.MAX_SVG,),
    "a whole number; a power; places of `round` and `%9d`": (payment.MAX_POWER, payment.MAX_PLACES),
    "elements, as drawn; levels, also through `<use>`": (cost.MAX_SHAPES, svgcheck.MAX_DEPTH, cost.MAX_HEIGHT),
    "attributes of an element": (svgcheck.MAX_ATTRIBUTES,),
    "numbers in outlines, as drawn; a letter counts as five": (cost.MAX_NUMBERS,),
    "clips, masks, opacities, fills with patterns or gradients, as drawn": (cost.MAX_LAYERS,),
    "dashes": (cost.MAX_DASHES,),
    "how far anything reaches": (round(cost.MAX_REACH / 1000),),
    "a `<text>`: characters, `<tspan>`, font size": (
        textcheck.MAX_TEXT, textcheck.MAX_SPANS, round(tagcost.MAX_FONT_SIZE)),
    "a file; a TOML file": (fields.MAX_BYTES // MB, fields.MAX_TOML),
    "a CSV file": (fields.MAX_ROWS, fields.MAX_COLUMNS, fields.MAX_LINES),
    "a text or a cell": (fields.MAX_CHARACTERS,),
    "tables and lists in each other; parts of a key": (fields.MAX_DEPTH,),
    "copies of a piece; pieces of a build, all copies together": (loading.MAX_COPIES, workshop.MAX_PIECES),
    "notes (`>`) in notes, in rules and guide": (prose.MAX_NOTES,),
    "fonts; files in their folder; one of them": (
        font_files.MAX_FONTS, font_files.MAX_FILES, font_files.MAX_BYTES // MB),
}
SENTENCES = (
    f"{ceiling.SECONDS} s of processor time", f"{ceiling.MEMORY // 1024 ** 3} GB of memory",
    f"from {ceiling.LEAST} to {ceiling.MOST:g}", f"the first {fields.MAX_PROBLEMS} are shown",
    f"up to {files.MAX_BYTES // MB} MB", f"{files.MAX_VALUES:,} values", f"texts of {files.MAX_CHARACTERS} characters",
    f"{files.MAX_ROWS} rows of {files.MAX_COLUMNS} columns", f"{pdf_form.MAX_FIELDS:,} fields",
    f"PDF forms up to {pdf_form.MAX_BYTES // MB} MB", f"each value {pdf_form.LONGEST_VALUE} characters",
    f"{history.MAX_BYTES // MB} MB at most and {history.MAX_ROW // MB} MB for a game",
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
    assert not [name for name in allowed if f"`{name}`" not in PAGE]


def test_the_corpus_is_where_the_page_says():
    assert f"`{CORPUS.relative_to(shipped()).as_posix()}/`" in PAGE
