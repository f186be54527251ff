"""Fonts whose tables lie: each library has errors of its own for them, and all of them end as a named problem."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.engine.drawing.fonts import read_fonts
from ppgen.errors import InputError
from tools.fuzz_readers import FONTS as TOML, use_fonts

NAME = "Cinzel-Bold.ttf"
TABLES = ("cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "OS/2", "post")
SPOILS: dict[str, Callable[[bytes], bytes | None]] = {
    "gone": lambda data: None,
    "empty": lambda data: b"",
    "zero": lambda data: b"\0" * len(data),
    "ones": lambda data: b"\xff" * len(data),
    "short": lambda data: data[:max(1, len(data) // 3)],
}


def tables_of(font: bytes) -> dict[str, bytes]:
    """The tables of a font file (OpenType 1.9, "Table Directory")."""
    (count,) = struct.unpack(">H", font[4:6])
    entries = [struct.unpack(">4sLLL", font[12 + 16 * n:28 + 16 * n]) for n in range(count)]
    return {tag.decode(): font[start:start + length] for tag, _, start, length in entries}


def font_of(tables: dict[str, bytes]) -> bytes:
    head = struct.pack(">4sHHHH", b"\0\1\0\0", len(tables), 0, 0, 0)
    start = len(head) + 16 * len(tables)
    directory, body = b"", b""
    for tag, data in sorted(tables.items()):
        directory += struct.pack(">4sLLL", tag.encode(), 0, start + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    return head + directory + body


def is_set_or_named(folder: Path, font: bytes) -> str:
    (folder / NAME).write_bytes(font)
    (folder / "fonts.toml").write_text(TOML)
    try:
        use_fonts(folder)
    except InputError as error:
        assert all(str(folder) in problem.place for problem in error.problems)
        return error.problems[0].what
    return ""


@pytest.fixture(scope="module")
def tables(fonts) -> dict[str, bytes]:
    return tables_of((fonts.folder / NAME).read_bytes())


def test_a_good_font_is_set(tmp_path, tables):
    assert is_set_or_named(tmp_path, font_of(tables)) == ""


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("table", TABLES)
def test_a_font_with_a_spoilt_table_is_set_or_named(tmp_path, tables, table, spoil):
    spoilt = SPOILS[spoil](tables[table])
    rest = {tag: data for tag, data in tables.items() if tag != table}
    is_set_or_named(tmp_path, font_of(rest if spoilt is None else {**rest, table: spoilt}))


def test_spoilt_tables_are_named_damaged(tmp_path, tables):
    """Without these no text can be measured or cut, whatever the library: it must not come out as printed."""
    for number, table in enumerate(("head", "glyf")):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert is_set_or_named(folder, font_of({**tables, table: b""}))


@pytest.mark.slow
@settings(max_examples=10)
@given(st.data())
def test_a_font_with_changed_bytes_is_set_or_named(tmp_path_factory, tables, data):
    font = bytearray(font_of(tables))
    for _ in range(data.draw(st.integers(1, 8))):
        font[data.draw(st.integers(0, len(font) - 1))] = data.draw(st.integers(0, 255))
    is_set_or_named(tmp_path_factory.mktemp("font"), bytes(font))


def test_a_font_that_fonts_toml_does_not_name_is_looked_at_before_anything_reads_it(tmp_path, fonts):
    """52 bytes that claim four billion fonts: typst would count them for ever."""
    shutil.copy(fonts.folder / NAME, tmp_path)
    (tmp_path / "fonts.toml").write_text(TOML)
    (tmp_path / "Stray.ttf").write_bytes(b"ttcf\0\1\0\0" + b"\xff" * 44)
    with pytest.raises(InputError, match=r"Stray\.ttf: is a collection of fonts"):
        read_fonts(tmp_path, has_house=True)


def test_a_collection_of_fonts_is_refused_by_its_first_bytes(tmp_path):
    (tmp_path / "fonts.toml").write_text(TOML)
    (tmp_path / NAME).write_bytes(b"ttcf\0\1\0\0" + b"\xff" * 44)
    with pytest.raises(InputError, match=r"Cinzel-Bold\.ttf is a collection of fonts"):
        read_fonts(tmp_path)
