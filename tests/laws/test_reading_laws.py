"""Laws of reading: lines of TOML files, tables in CSV, fields of forms, numbers and looks of workbooks."""

import csv
import io
import re
import tomllib
from pathlib import Path

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from ppgen.errors import Problems
from ppgen.reading.fields import Source, read_csv
from ppgen.reading.pdf_form import read_form_fields
from ppgen.reading.workbooks import _emphasise, format_number

SCALARS = ("1", "true", '"text"', "'# no comment'", '"[not.a.table]"', "[1, 2]", '["a", "b"]', '{ inner = "x" }',
           '"""one line"""')
LONG = ('"""\n[header]\nkey = 1\n"""', "'''\nkey = 2\n\n'''", '[\n  "a",\n  "b",\n]', '[\n  ["a", "b"],\n  ["c"],\n]',
        "[\n  # [comment]\n  1,\n]")
BETWEEN = ("", "# a comment", "# [header]", "  # key = 3")

names = st.sampled_from(["a", "b", "c-d", "e_2", "9", '"quoted key"', "'x.y'"])
values = st.sampled_from(SCALARS + LONG)
entries = st.lists(st.tuples(names, values, st.sampled_from(BETWEEN), st.sampled_from(["", "  "])), max_size=5,
                   unique_by=lambda entry: entry[0].strip("\"'"))


@st.composite
def documents(draw):
    """A TOML text, and the line of each key and table in it."""
    lines, places = [], {}

    def write(trail, table):
        for name, value, between, indent in table:
            if between:
                lines.append(between)
            places[*trail, name.strip("\"'")] = len(lines) + 1
            lines.extend(f"{indent}{name} = {value}".split("\n"))

    write((), [entry for entry in draw(entries) if len(entry[0]) != 1])  # one-letter names are for tables
    for table in draw(st.lists(st.sampled_from("stuvw"), max_size=3, unique=True)):
        if draw(st.booleans()):
            for number in range(draw(st.integers(1, 3))):
                places[table, number] = len(lines) + 1
                lines.append(f"[[{table}]]" if number else f"[[ {table} ]]  # first")
                write((table, number), draw(entries))
                if draw(st.booleans()):
                    places[table, number, "sub"] = len(lines) + 1
                    lines.append(f"[{table}.sub]")
                    write((table, number, "sub"), draw(entries))
        else:
            places[table,] = len(lines) + 1
            lines.append(f"[{table}]")
            write((table,), draw(entries))
    return "\n".join(lines) + "\n", places


@given(document=documents())
def test_every_key_of_a_toml_file_knows_its_line(document):
    text, places = document
    tomllib.loads(text)
    source = Source(Path("some.toml"), text)
    assert {trail: source.line_of(trail) for trail in places} == places


@given(document=documents())
def test_a_missing_key_is_placed_at_the_nearest_table_around_it(document):
    text, places = document
    source = Source(Path("some.toml"), text)
    for trail in places:
        assert source.line_of((*trail, "missing", "inside")) == places[trail]
    assert source.line_of(("missing",)) == 0


cells = st.text(st.sampled_from(" abcäß,;\t'\"€-8"), max_size=8).map(str.strip)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(cells, cells, cells), max_size=6), separator=st.sampled_from(",;\t"),
       mark=st.sampled_from(["", "\ufeff"]), end=st.sampled_from(["\n", "\r\n"]))
def test_a_table_comes_back_from_csv_as_a_spreadsheet_saved_it(tmp_path, rows, separator, mark, end):
    target = io.StringIO()
    csv.writer(target, delimiter=separator, lineterminator=end).writerows([("id", "name", "note"), *rows])
    (tmp_path / "some.csv").write_bytes((mark + target.getvalue()).encode())
    problems = Problems()
    read = read_csv(tmp_path, "some.csv", ("id", "name", "note"), problems)
    assert not problems
    assert [tuple(row.take_text(name, "") for name in ("id", "name", "note")) for row in read] == [
        row for row in rows if any(row)]
    assert [row.line() for row in read] == [number for number, row in enumerate(rows, 2) if any(row)]


TREES = st.recursive(
    st.tuples(st.none() | st.sampled_from(["5", "Ann", "竜"]), st.just({})),
    lambda kids: st.tuples(st.none() | st.sampled_from(["7", ""]), st.dictionaries(st.sampled_from("abc"), kids,
                                                                                  max_size=3)), max_leaves=9)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from("pqr"), TREES, min_size=1, max_size=3))
def test_a_field_has_the_names_of_its_parents_and_a_value_of_its_own_or_of_the_nearest(tmp_path, fields) -> None:
    wanted = {}

    def make(pdf: pikepdf.Pdf, name: str, node, prefix: str, inherited: str) -> pikepdf.Object:
        value, kids = node
        full, own = f"{prefix}{name}", inherited if value is None else value
        field = pikepdf.Dictionary(T=pikepdf.String(name), **({} if value is None else {"V": pikepdf.String(value)}))
        if kids:
            field.Kids = pikepdf.Array([make(pdf, kid, inner, f"{full}.", own) for kid, inner in kids.items()])
        else:  # a widget without a name is no field
            field.Kids = pikepdf.Array([pdf.make_indirect(pikepdf.Dictionary(Subtype=pikepdf.Name.Widget))])
            wanted[full] = own
        return pdf.make_indirect(field)

    with pikepdf.new() as pdf:
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array(
            [make(pdf, name, node, "", "") for name, node in fields.items()]))
        pdf.save(tmp_path / "form.pdf")
    found = read_form_fields(tmp_path / "form.pdf")
    assert found == wanted and [*found] == [*wanted]


@given(st.floats(-1e13, 1e13) | st.floats(-3, 3) | st.integers(-99, 99), st.sampled_from(
    ["General", "0", "0.00", "#,##0.0", "0.0##", '"x" 0.0', "000", "# ?/8"]))
def test_a_number_shown_below_zero_is_that_above_with_a_sign_and_no_other(number: float, code: str) -> None:
    above, below = (format_number(value, code) for value in (abs(number), -abs(number)))
    assert (above is None) == (below is None)
    if above is not None and number:
        assert below.count("-") == 1 and below.replace("-", "") == above
        digits = above.replace("x ", "").replace(",", "")
        near = {"0": 0.5, "000": 0.5, "0.00": 0.005, "#,##0.0": 0.05, "0.0##": 0.0005, '"x" 0.0': 0.05}.get(code, 1e-4)
        assert code == "# ?/8" or float(digits) == pytest.approx(abs(number), abs=near, rel=1e-9)


@given(st.lists(st.tuples(st.sampled_from(["ant", "bee ", " cat", " ", "4*5"]), st.sampled_from(["", "**", "*"])),
                min_size=1, max_size=5))
def test_marks_stand_around_words_of_another_look_and_change_no_letter(runs: list[tuple[str, str]]) -> None:
    shown, plain = _emphasise(runs), "".join(words for words, _ in runs)
    assert shown.replace("*", "") == plain.replace("*", "") and shown.count("*") >= plain.count("*")
    looks = {mark for words, mark in runs if words.strip()}
    assert (shown == plain) == (len(looks) < 2 or "*" in plain)
    assert not re.search(r"(?<=\s)\*+(?=\s)|^\*+\s", shown) or shown == plain
