"""Laws of reading: every key of a TOML file knows its line; a table comes back from CSV as it was written."""

import csv
import io
import tomllib
from pathlib import Path

from hypothesis import HealthCheck, given, settings, strategies as st

from ppgen.errors import Problems
from ppgen.reading.fields import Source, read_csv

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
