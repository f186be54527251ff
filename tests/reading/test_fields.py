"""Files of data, read one field at a time: what is wrong has its file, line and key, all together."""

import errno
import json
import os
import sys
import tomllib
from functools import partial
from unittest.mock import Mock

import pytest

from ppgen.errors import InputError, Problems
from ppgen.reading.fields import MAX_BYTES, MAX_ROWS, read_csv, read_source, read_toml
from ppgen.shipped import compile_toml, shipped_root

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="Windows lets administrators make links")


def read_text(folder, read, text, *columns):
    """What is read of a text, and where its problems are noted."""
    (folder / "some").write_text(text, encoding="utf-8")
    problems = Problems()
    return read(folder, "some", *columns, problems), problems


@pytest.fixture
def toml(tmp_path):
    return partial(read_text, tmp_path, read_toml)


@pytest.fixture
def table(tmp_path):
    return lambda text: read_text(tmp_path, read_csv, text, ("id", "name"))


def told(problems):
    return [(problem.line, problem.key, problem.what) for problem in problems]


def test_a_value_of_the_wrong_kind_is_told_with_line_and_key(golden_cases, toml):
    def answer(text):
        taken, _, line = text.partition("\n")
        fields, problems = toml(f"\n\n{line}")
        kind, *bounds = taken.split()
        getattr(fields, f"take_{kind}")("x", *([bounds] if kind == "choice" else map(int, bounds)))
        yield from (f"{problem.line} {problem.key}: {problem.what}" for problem in problems)

    golden_cases("field-kinds", answer)


def test_a_list_of_tables_has_a_limit(toml):
    fields, problems = toml(f"x = [{'{},' * (MAX_ROWS + 1)}]")
    fields.take_tables("x")
    assert told(problems) == [(1, "x", f"has more than {MAX_ROWS} entries")]


def test_an_unknown_key_is_told_the_known_ones(toml):
    fields, problems = toml("name = 'x'\n[[cards]]\nid = 'a'\n\nnmae = 'b'\n")
    fields.take_text("name")
    (card,) = fields.take_tables("cards")
    card.take_text("id")
    card.close()
    assert told(problems) == [(5, "cards.nmae", "is not known")]
    assert problems[0].remedy == "known: id"


def test_a_bad_csv_header_is_told_column_by_column(table):
    _, problems = table("id,nmae\n1,2\n")
    assert told(problems) == [(1, "name", "column must stand in the first line once"),
                              (1, "nmae", "column is not known")]


@pytest.mark.parametrize(("text", "line", "what"), [
    ("id,name\na,b,c\n", 2, "has 3 cells, the first line 2"),
    ('id,name\na,b\n"a,b\n', 3, "is not valid CSV"),
    ('id,name\n"a"b,c\n', 2, "is not valid CSV"),
])
def test_a_broken_row_is_told_with_its_line(table, text, line, what):
    _, problems = table(text)
    assert [problem.line for problem in problems] == [line]
    assert what in problems[0].what


def test_rows_have_a_limit(table):
    rows, problems = table("id,name\n" + "a,b\n" * (MAX_ROWS + 5))
    assert len(rows) == MAX_ROWS
    assert [problem.what for problem in problems] == [f"has more than {MAX_ROWS} rows"]


def refusal(folder, name):
    with pytest.raises(InputError) as caught:
        read_source(folder, name)
    return caught.value.problems[0].what


@pytest.mark.windows
def test_files_that_cannot_be_read_are_refused_in_plain_words(tmp_path, monkeypatch):
    (tmp_path / "latin").write_bytes("name = 'König'".encode("latin-1"))
    (tmp_path / "large").write_bytes(b"#" * (MAX_BYTES + 1))
    (tmp_path / "folder").mkdir()
    assert [refusal(tmp_path, name) for name in ("latin", "large", "folder", "gone")] == [
        "is not UTF-8 text", "is larger than 8 MB", "is a folder", "file not found"]
    with monkeypatch.context() as patch:  # as Windows refuses a folder
        patch.setattr(os, "open", Mock(side_effect=PermissionError(errno.EACCES, "denied")))
        assert refusal(tmp_path, "folder") == "is a folder"


@needs_links
def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path):
    (tmp_path / "secret.toml").write_text("a = 1")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "some.toml").symlink_to(tmp_path / "secret.toml")
    assert "outside the folder" in refusal(tmp_path / "data", "some.toml")
    assert "outside the folder" in refusal(tmp_path / "data", "../secret.toml")


def test_shipped_toml_has_the_same_values_as_the_json_that_it_is_compiled_to(monkeypatch):
    monkeypatch.setattr("ppgen.shipped.find_compiled", lambda text: None)
    files = [path.read_text(encoding="utf-8") for folder in ("data", "templates")
             for path in (shipped_root() / folder).rglob("*.toml")]
    assert sorted(repr(json.loads(values)) for _, values in compile_toml(shipped_root())
                  ) == sorted(repr(tomllib.loads(text)) for text in files)
