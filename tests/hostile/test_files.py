"""Data files of strangers: TOML, CSV, locale files and fonts, as large, deep and strange as they can be."""

import os
import shutil
import time

import pytest

from ppgen.engine.drawing.fonts import read_fonts
from ppgen.errors import InputError, Problem, Problems
from ppgen.games.own_deck.deck_loading import load_deck
from ppgen.reading.fields import MAX_PROBLEMS, Source, read_csv, read_source, read_toml
from ppgen.reading.texts import load_texts

SOON_S = 4.0
TURN = "a character that turns the direction of reading (U+202E)"


def soon(read, *args):
    """Call a reader; it must come back soon."""
    start = time.process_time()
    try:
        return read(*args)
    finally:
        assert time.process_time() - start < SOON_S


@pytest.fixture
def toml(tmp_path):
    """The problems of a TOML text, whose every key is taken as a text."""

    def problems(text):
        (tmp_path / "some.toml").write_text(text, encoding="utf-8", newline="")
        found = Problems()
        top = soon(read_toml, tmp_path, "some.toml", found)
        for key in top:
            top.take_text(key)
        top.close()
        return found

    return problems


NOT_TOML = {
    "brackets": ("\na = " + "[" * 99_999, 0, "is not valid TOML: nested too deep"),
    "tables in tables": ("\na = " + "{a = " * 20 + "1" + "}" * 20, 2, "is nested deeper than 12"),
    "lists in lists": ("\na = " + "[" * 20 + "]" * 20, 2, "is nested deeper than 12"),
    "a key of many parts": ("\n" + ".".join("a" * 99_999) + " = 1", 2, "has a key of too many parts"),
    "a key of many quoted parts": ('\n"\\"".' + '"a".' * 99_999 + "a = 1", 2, "has a key of too many parts"),
    "a header of many parts": ("\n[ " + " . ".join("a" * 50_000) + " ]", 2, "has a key of too many parts"),
    "an inline key of many parts": ("\na = {b = 1, " + ".".join("a" * 99_999) + " = 1}", 2, "a key of too many parts"),
    "digits": ("\na = " + "1" * 99_999, 2, "is not valid TOML: a number is too long"),
    "digits with _": ("\na = " + "1_" * 9_999 + "1", 2, "a number is too long"),
    "hexadecimal digits": ("\na = 0x" + "f" * 99_999, 2, "is a number out of range"),
    "a number beyond 64 bits": (f"\na = {2 ** 63}", 2, "is a number out of range"),
    "a day that is none": ("\na = 2024-02-31", 2, "is not valid TOML"),
    "a long text": ('\na = "' + "x" * 20_001 + '"', 2, "has a text of more than 20000 characters"),
    "a long key": ("\n" + "x" * 20_001 + " = 1", 0, "has a text of more than 20000 characters"),
    "a large file": ("#\n" * 300_000, 0, "is larger than 500 kB"),
    "an escaped control character": ('\na = "\\u001b[2J"', 2, "holds a control character (U+001B)"),
    "an escaped turn of direction": ('\na = "\\u202e"', 2, f"holds {TURN}"),
    "a control character in a key": ('\n"a\\u0007" = 1', 0, "holds a control character (U+0007)"),
    "a control character": ('\na = "\x1b"', 2, "holds a control character (U+001B)"),
    "a zero": ("\na = '\0'", 2, "holds a control character (U+0000)"),
    "a turn of direction": ('\na = "\u202e"', 2, f"holds {TURN}"),
    "half a character": ('\na = "\\ud800"', 2, "is not valid TOML"),
    "a key twice": ("a = 1\na = 1", 2, "is not valid TOML"),
    "a table twice": ("[a]\n[a]", 2, "is not valid TOML"),
}


@pytest.mark.parametrize(("text", "line", "what"), NOT_TOML.values(), ids=NOT_TOML)
def test_toml_that_goes_too_far_is_refused(toml, text, line, what):
    [found] = toml(text)
    assert what in found.what
    assert found.line == line


def test_values_of_other_kinds_are_told_as_they_are_written(toml):
    found = toml("a = nan\nb = -inf\nc = 2024-05-01\nd = [1, 2]\ne = {x = 1}\nf = 0x10\ng = 07:32:00\nh = true\n")
    assert [(problem.line, problem.what) for problem in found] == [
        (1, "nan is not a text"), (2, "-inf is not a text"), (3, "2024-05-01 is not a text"),
        (4, "[1, 2] is not a text"), (5, '{"x": 1} is not a text'), (6, "16 is not a text"),
        (7, "07:32:00 is not a text"), (8, "true is not a text")]


def test_a_long_value_is_told_in_short(toml):
    [found] = toml("a = [" + "1, " * 9_000 + "]")
    assert len(str(found)) < 300


MANY = {
    "keys": "".join(f"a{n} = 1\n" for n in range(6_000)),
    "headers": "".join(f"[a{n}]\n" for n in range(6_000)),
    "lists of tables": "[[a]]\n" * 9_000,
    "parts of keys": "".join(".".join("abcdefghijk") + f".b{n} = 1\n" for n in range(2_000)),
    "numbers": "a = [" + "1," * 20_000 + "]",
    "lines that look like headers": "".join(f'a{n} = ["#' + " " * 9_000 + '"]\n' for n in range(50)),
    "lines of quotes": "".join(f"a{n} = '''" + '"\\' * 4_000 + "'''\n" for n in range(50)),
}


@pytest.mark.parametrize("text", MANY.values(), ids=MANY)
@pytest.mark.slow
def test_much_toml_is_read_soon_and_its_problems_are_bounded(toml, text):
    assert len(soon(toml, text)) <= MAX_PROBLEMS


def test_lines_are_found_soon_in_text_that_is_no_toml(tmp_path):
    for text in ('["#' + " " * 50_000 + '"]', "[" + " " * 50_000 + "a", "a" * 50_000, '"\\' * 50_000,
                 "a = '" + '"\\' * 50_000, "[" * 50_000, "a." * 50_000, 'a = """\n' + "x\n" * 50_000):
        assert soon(Source(tmp_path, text).line_of, ("a", "b")) in (0, 1)


@pytest.fixture
def table(tmp_path):
    """The rows and problems of a CSV text with the columns id and name."""

    def read(text):
        (tmp_path / "some.csv").write_bytes(text.encode() if isinstance(text, str) else text)
        problems = Problems()
        return soon(read_csv, tmp_path, "some.csv", ("id", "name"), problems), problems

    return read


NOT_CSV = {
    "many rows": ("id,name\n" + "a,b\n" * 40_000, 20_002, "has more than 20000 rows"),
    "many empty lines": ("id,name\n" + "\n" * 200_001, 200_001, "has more than 200000 lines"),
    "lines inside of cells": ('id,name\na,"' + "\n" * 99_999 + '"', 100_001, "a cell of more than 20000 characters"),
    "a cell of megabytes": ('id,name\na,"' + "x" * 5_000_000 + '"', 2, "field larger than field limit"),
    "a long cell": ("id,name\na," + "x" * 20_001, 2, "has a cell of more than 20000 characters"),
    "columns": ("id," * 50_000 + "name", 1, "has more than 200 columns"),
    "cells": ("id,name\n" + "a," * 99_999, 2, "has 100000 cells, the first line 2"),
    "a column twice": ("id,name,id\na,b,c", 1, "column must stand in the first line once"),
    "a lone quote": ('id,name\na,"b', 2, "is not valid CSV"),
    "a quote inside": ('id,name\n"a"b,c', 2, "is not valid CSV"),
    "a zero": ("id,name\na\0,b", 2, "holds a control character (U+0000)"),
    "an escape": ("id,name\na,\x1b[2J", 2, "holds a control character (U+001B)"),
    "a turn of direction": ("id,name\na,\u202eb", 2, f"holds {TURN}"),
    "no text": (b"id,name\n\xff\xfe\xfa", 0, "is not UTF-8 text"),
    "half a character": (b"id,name\n\xed\xa0\x80", 0, "is not UTF-8 text"),
}


@pytest.mark.parametrize(("text", "line", "what"), NOT_CSV.values(), ids=NOT_CSV)
def test_csv_that_goes_too_far_is_refused(table, text, line, what):
    rows, problems = table(text)
    assert what in problems[0].what
    assert problems[0].line == line
    assert len(rows) <= 20_000


def test_a_formula_is_a_text_like_any_other(table):
    [row], problems = table("id,name\n=cmd|' /C calc'!A0,@SUM(1)")
    assert (row.take_text("id"), row.take_text("name"), problems) == ("=cmd|' /C calc'!A0", "@SUM(1)", [])


def test_problems_of_many_rows_are_bounded(table):
    rows, problems = table("id,name\n" + "a,b,c\n" * 5_000)
    for row in rows:
        row.take_int("id", 0, 1)
    assert len(problems) == MAX_PROBLEMS


def test_a_deck_of_a_hundred_thousand_columns_is_refused(tmp_path, formats):
    (tmp_path / "deck.toml").write_text('[cards]\ntable = "c.csv"\nfront = "f.svg.j2"\n')
    (tmp_path / "c.csv").write_text(",".join(f"c{n}" for n in range(100_000)) + "\na\n")
    with pytest.raises(InputError, match="100000 columns"):
        soon(load_deck, tmp_path, formats)


@pytest.mark.parametrize("words", [
    "{0}", "{}", "{a.b}", "{a[0]}", "{a!r}", "{a!r:>1000000}", "{a:>1000000000}", "{{", "}}", "{{a}}", "{A}", "{ä}",
    "{a b}", "%(a)s {", "{" * 9_999, "{a" * 9_999, "{n}}"])
def test_only_plain_placeholders_are_texts(tmp_path, words):
    (tmp_path / "de.toml").write_text(f"\n[sheet]\nfront = '{words}'\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        soon(load_texts, "de", (tmp_path,))
    [found] = caught.value.problems
    assert (found.line, found.key, found.what) == (3, "sheet.front", "has a brace that is not a {placeholder}")


def test_format_strings_of_other_kinds_are_just_words(tmp_path):
    (tmp_path / "de.toml").write_text("a = '%s %(x)s %n ${x} \\\\N{x'\nb = '%99999999d {n}'".replace("\\\\N{x", ""))
    texts = load_texts("de", (tmp_path,))
    assert texts("b", n="%s{n}") == "%99999999d %s{n}"


def test_a_locale_with_thousands_of_keys_is_told_in_bounds(tmp_path):
    (tmp_path / "de.toml").write_text("a = 'b'\n")
    (tmp_path / "en.toml").write_text("".join(f"b{n} = ''\n" for n in range(5_000)))
    with pytest.raises(InputError) as caught:
        soon(load_texts, "en", (tmp_path,))
    assert len(caught.value.problems) <= 3 * MAX_PROBLEMS


@pytest.fixture
def folder(tmp_path):
    """A data folder, and beside it what it must not lead to."""
    (tmp_path / "secret.toml").write_text("secret = 1")
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


OUTSIDE = "lies outside the folder"
STRANGE = {
    "a link outside": (lambda path: path.symlink_to("../secret.toml"), OUTSIDE),
    "an absolute link outside": (lambda path: path.symlink_to(path.parents[1] / "secret.toml"), OUTSIDE),
    "a link to a link outside": (lambda path: (path.with_name("other").symlink_to("../secret.toml"),
                                               path.symlink_to("other")), OUTSIDE),
    "a folder that leads outside": (lambda path: path.symlink_to(".."), OUTSIDE),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), OUTSIDE),
    "a link to a process": (lambda path: path.symlink_to("/proc/self/environ"), OUTSIDE),
    "a link to nowhere": (lambda path: path.symlink_to("gone"), "file not found"),
    "a link to itself": (lambda path: path.symlink_to("some.toml"), "leads nowhere"),
    "links in a circle": (lambda path: (path.with_name("other").symlink_to("some.toml"), path.symlink_to("other")),
                          "leads nowhere"),
    "a pipe": (lambda path: os.mkfifo(path), "is not a regular file"),
    "a folder": (lambda path: path.mkdir(), "is a folder"),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and links of POSIX")
@pytest.mark.parametrize(("place", "what"), STRANGE.values(), ids=STRANGE)
def test_only_plain_files_in_the_folder_are_read(folder, place, what):
    place(folder / "some.toml")
    with pytest.raises(InputError, match=what):
        soon(read_source, folder, "some.toml")


@pytest.mark.parametrize("name", ["../secret.toml", "a/../../secret.toml", "/etc/passwd", "/dev/zero", "..", ".", "",
                                  "a\0b", "a" * 300, "a/" * 3000, "\n", "\x1b[2J", "\udce4"])
def test_a_file_is_asked_for_by_a_plain_name(folder, name):
    with pytest.raises(InputError) as caught:
        soon(read_source, folder, name)
    assert str(caught.value).isprintable()


def test_a_large_file_is_not_read_to_its_end(folder):
    with (folder / "some.toml").open("wb") as file:
        file.truncate(100_000_000_000)  # a hole: it takes no room
    with pytest.raises(InputError, match="is larger than 8 MB"):
        soon(read_source, folder, "some.toml")


FONTS = '[[fonts]]\nfamily = "EB Garamond"\nfile = "{file}"\n\n' \
    '[[fonts]]\nfamily = "EB Garamond"\nfile = "EBGaramond-Regular.ttf"\n\n[styles.text]\nfamilies = ["EB Garamond"]\n'


@pytest.fixture
def book(tmp_path, fonts):
    """The problems of a fonts folder with one font."""
    shutil.copy(fonts.folder / "EBGaramond-Regular.ttf", tmp_path)

    def problems(file="EBGaramond-Regular.ttf"):
        (tmp_path / "fonts.toml").write_text(FONTS.replace("{file}", file))
        with pytest.raises(InputError) as caught:
            soon(read_fonts, tmp_path)
        return [f"{problem.line} {problem.what}" for problem in caught.value.problems]

    return problems


@pytest.mark.parametrize(("file", "what"), {
    "../../etc/passwd": "lies outside the fonts folder", "/etc/passwd": "lies outside the fonts folder",
    "/dev/zero": "lies outside the fonts folder", "gone.ttf": "font file gone.ttf not found",
    "fonts.toml": "is not a font", "": "is empty", ".": "not found", "a" * 300: "outside the fonts folder"}.items())
def test_a_font_is_a_font_file_in_the_folder(book, file, what):
    [found] = book(file)
    assert found.startswith("3 ")
    assert what in found


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and links of POSIX")
def test_the_fonts_folder_holds_plain_files_only(book, tmp_path):
    """typst reads all that is in it, and follows links wherever they lead."""
    (tmp_path / "root").symlink_to("/")
    assert book() == ["0 holds 'root', which is not a regular file"]
    (tmp_path / "root").unlink()
    os.mkfifo(tmp_path / "pipe.ttf")
    assert book() == ["0 holds 'pipe.ttf', which is not a regular file"]
    (tmp_path / "pipe.ttf").unlink()
    with (tmp_path / "large.ttf").open("wb") as file:
        file.truncate(60_000_000)
    assert book() == ["0 holds 'large.ttf', which is larger than 50 MB"]
    (tmp_path / "large.ttf").unlink()
    for number in range(501):
        (tmp_path / f"{number}.txt").touch()
    assert book() == ["0 holds more than 500 files"]


@pytest.mark.parametrize("spoilt", [b"", b"\0" * 1000, b"OTTO" + b"\xff" * 1000, b"\0\1\0\0" + b"\xff" * 100_000])
def test_a_spoilt_font_is_no_font(book, tmp_path, spoilt):
    (tmp_path / "EBGaramond-Regular.ttf").write_bytes(spoilt)
    assert book()[0] == "3 EBGaramond-Regular.ttf is not a font"


def test_a_problem_is_one_line_that_does_nothing_to_a_terminal():
    problem = Problem(place="a\nb\x1b[2J", line=1, key="\ud800", what="x" * 99_999 + "\u202e", remedy="\x07\r\x9b1m")
    text = str(problem)
    assert text.isprintable()
    assert "a\\nb\\x1b[2J:1 \\ud800: xxx" in text
    assert len(text) < 3_000
    text.encode()
