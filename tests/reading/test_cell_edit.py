"""A cell is changed in its file, and nothing else."""

import csv
import io
import os
import sys

import pytest
from hypothesis import given, strategies as st

from ppgen.process import file_writing
from ppgen.reading.editing import CellEditor, EditConflict, EditError, FileHistory, find_cells, set_column

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="Windows lets administrators make links")


@pytest.fixture
def opened(tmp_path):
    """Write a file, and return its path with an editor."""
    def write(data: bytes = b"a,b\n1,2\n", name: str = "cards.csv"):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name, CellEditor(FileHistory(tmp_path))

    return write


def escape(content: bytes) -> str:
    return content.decode("latin-1").encode("unicode_escape").decode()


def unescape(text: str) -> bytes:
    return text.encode().decode("unicode_escape").encode("latin-1")


def test_everything_around_the_cell_stays_to_the_byte(golden_cases, opened):
    def answer(text):
        place, _, data = text.partition("\n")
        (line, column, *old), data = place.split(" ", 2), unescape(data)
        path, editor = opened(data)
        editor.write(path, int(line), int(column), unescape("".join(old)).decode(), "x")
        yield escape(path.read_bytes())
        editor.history.undo()
        assert path.read_bytes() == data

    golden_cases("cell-edits", answer)


@pytest.mark.parametrize(("line", "column", "old"), [(2, 0, "0"), (3, 0, "1"), (2, 2, "1"), (2, -1, "2"), (1, 0, "a")])
def test_a_row_or_value_that_is_no_longer_there_is_a_conflict(opened, line, column, old):
    path, editor = opened()
    with pytest.raises(EditConflict):
        editor.write(path, line, column, old, "x")
    assert path.read_bytes() == b"a,b\n1,2\n"


@pytest.mark.parametrize("new", ["\x00", "\x1b[2J", "\u202e", "\ud800", "x" * 2_001])
def test_characters_that_cannot_be_seen_and_long_texts_are_refused(opened, new):
    path, editor = opened()
    with pytest.raises(EditError):
        editor.write(path, 2, 0, "1", new)


@pytest.mark.parametrize(("name", "data"), [
    ("cards.xlsx", b"PK\x03\x04"), ("cards.txt", b"a,b\n1,2\n"), ("cards.csv", b"a,b\n\xff,2\n"),
    ("cards.csv", b'a,b\n"1,2\n'),
    ("cards.csv", b'a,b\n"1"x,2\n')])
def test_other_files_are_refused(opened, name, data):
    path, editor = opened(data, name)
    with pytest.raises(EditError):
        editor.write(path, 2, 0, "1", "x")
    assert path.read_bytes() == data


def test_a_new_column_has_a_cell_in_each_row_that_has_cells():
    assert set_column("a,c\n1,2\n3,4\n\n", "a", "b", {2: "x"}) == "a,b,c\n1,x,2\n3,,4\n\n"
    assert set_column("a;b\n1;2\n3\n", "a", "b", {2: "x", 3: "y"}) == "a;b\n1;x\n3;y\n"


@needs_links
def test_links_and_files_elsewhere_are_refused(tmp_path):
    deck = tmp_path / "deck"
    deck.mkdir()
    other = tmp_path / "cards.csv"
    other.write_bytes(b"a,b\n1,2\n")
    (deck / "link.csv").symlink_to(other)
    (deck / "own.csv").write_bytes(b"a,b\n1,2\n")
    (deck / "inner.csv").symlink_to("own.csv")  # it would become a file
    for path in (other, deck / "link.csv", deck / "inner.csv", deck / ".." / "cards.csv"):
        with pytest.raises(EditError, match="outside"):
            CellEditor(FileHistory(deck)).write(path, 2, 0, "1", "x")
    assert other.read_bytes() == b"a,b\n1,2\n"


def test_a_change_is_not_taken_back_over_that_of_another_program(opened):
    path, editor = opened()
    editor.write(path, 2, 0, "1", "x")
    path.write_bytes(b"a,b\nx,3\n")
    with pytest.raises(EditConflict, match="by another program"):
        editor.history.undo()
    assert path.read_bytes() == b"a,b\nx,3\n"
    with pytest.raises(EditError, match="nothing to take back"):
        FileHistory(path.parent).undo()


def test_rows_come_and_go_and_nothing_else_changes(golden_cases, opened):
    def answer(text):
        wish, _, data = text.partition("\n")
        (number, action), data = wish.split(), unescape(data)
        path, editor = opened(data)
        line, cells = int(number), [cell.value for cell in editor.read(path)[int(number) - 1].cells]
        editor.change_row(path, line, cells, action)
        yield escape(path.read_bytes())
        editor.history.undo()
        for known, wish in (([*cells, "x"], action), (["other", *cells[1:]], action), (cells, "eval")):
            with pytest.raises(EditError):
                editor.change_row(path, line, known, wish)
        assert path.read_bytes() == data

    golden_cases("row-edits", answer)


def test_what_was_taken_back_can_be_made_again_until_something_else_is_changed(opened):
    path, editor = opened()
    editor.write(path, 2, 0, "1", "x")
    editor.write(path, 2, 1, "2", "y")
    for content in (b"a,b\nx,2\n", b"a,b\n1,2\n"):
        editor.history.undo()
        assert path.read_bytes() == content
    for content in (b"a,b\nx,2\n", b"a,b\nx,y\n"):
        editor.history.redo()
        assert path.read_bytes() == content
    with pytest.raises(EditError, match="nothing to make again"):
        editor.history.redo()
    editor.history.undo()
    editor.write(path, 2, 0, "x", "z")
    assert (editor.history.undo_count, editor.history.redo_count) == (2, 0)


@pytest.mark.windows
@pytest.mark.parametrize("change", [lambda path: path.write_bytes(b"other"), lambda path: path.unlink(), pytest.param(
    lambda path: (path.unlink(), os.mkfifo(path)), marks=pytest.mark.skipif(os.name != "posix", reason="needs FIFOs"))])
def test_a_file_that_changes_while_it_is_written_is_not_overwritten(opened, monkeypatch, change):
    path, editor = opened()
    monkeypatch.setattr("ppgen.process.file_writing.os.fsync", lambda _: change(path))
    with pytest.raises(EditConflict):
        editor.write(path, 2, 0, "1", "x")
    assert not path.is_file() or path.read_bytes() == b"other"
    assert {*path.parent.iterdir()} <= {path}


@pytest.mark.windows
@pytest.mark.parametrize("way", ["exchange", "link", "linked"])
def test_what_another_program_saves_in_the_last_moment_is_kept(opened, monkeypatch, way):
    path, editor = opened()
    module, name = (file_writing, "_swap") if way == "exchange" else (os, "link")
    call, theirs = getattr(module, name), path.with_name("theirs")

    def save(*places, **options):
        if way == "linked":  # the file has a second name by now, and is written into
            call(*places, **options)
            path.write_bytes(b"theirs")
            return None
        theirs.write_bytes(b"theirs")
        theirs.replace(path)
        return call(*places, **options)

    if way != "exchange":
        monkeypatch.setattr(file_writing, "_swap", lambda *_: False)
    monkeypatch.setattr(module, name, save)
    with pytest.raises(EditConflict):
        editor.write(path, 2, 0, "1", "x")
    assert path.read_bytes() == b"theirs" and {*path.parent.iterdir()} == {path}


@pytest.mark.windows
def test_what_another_program_makes_or_changes_is_neither_replaced_nor_removed(opened, monkeypatch):
    path, editor = opened()
    for name, before, after in (("cards.csv", path.read_bytes(), None), ("new.csv", None, b"mine")):
        made = path.with_name(name)
        monkeypatch.setattr(file_writing, "_check_replaceable", lambda _, made=made: made.write_bytes(b"x"))
        with pytest.raises(EditConflict):
            editor.history.write_all({made: (before, after)})
        assert made.read_bytes() == b"x"


CELL = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp"), exclude_characters="\ufffe\uffff",
                             include_characters='\n"; ,'), max_size=6)


@given(rows=st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=4), new=CELL,
       place=st.tuples(st.integers(0, 3), st.integers(0, 2)), end=st.sampled_from(["\n", "\r\n"]),
       separator=st.sampled_from(",;\t"), quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_any_table_differs_in_the_span_of_the_cell_only(tmp_path_factory, rows, new, place, end, separator, quoting):
    out = io.StringIO()
    table = [["one", "two", "three"], *rows]
    csv.writer(out, delimiter=separator, lineterminator=end, quoting=quoting).writerows(
        [[cell.replace("\n", end) for cell in row] for row in table])
    text = out.getvalue()
    records = find_cells(text)
    assert [[cell.value.replace(end, "\n") for cell in record.cells] for record in records] == table
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(text.encode())
    record = records[1 + place[0] % len(rows)]
    cell, editor = record.cells[place[1]], CellEditor(FileHistory(path.parent))
    editor.write(path, record.line, place[1], cell.value, new)
    after = path.read_bytes().decode()
    assert after.startswith(text[:cell.start]) and after.endswith(text[cell.end:])
    changed = [list(row) for row in table]
    changed[1 + place[0] % len(rows)][place[1]] = new
    assert [[each.value.replace(end, "\n") for each in row.cells] for row in find_cells(after)] == changed
    assert editor.history.undo_count == (after != text)
    if after != text:
        editor.history.undo()
    assert path.read_bytes() == text.encode()
