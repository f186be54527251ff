"""Reading four times as much takes about four times as long: no file of some kilobytes holds up a reader.

Each reader gets files of n and 4n of something: blanks, digits, braces, rules, rows. Quadratic work takes sixteen
times as long for the latter. Lines of Python that run are counted, the same number on each machine. Of the work of
libraries in C (regular expressions, lxml, Pillow) only the clock tells: there twice the proportion is allowed.
"""

import gc
import io
import json
import re
import sys
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image

from ppgen.engine.adoption import adopted_drawing
from ppgen.engine.booklets.booklet import parse_blocks
from ppgen.engine.booklets.markdown import read_markdown
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Size, read_formats
from ppgen.engine.pdf import typesetting
from ppgen.engine.pictures.picture import PageNeeded, PictureError, clean_drawing
from ppgen.engine.pictures.picture_files import inspect_picture, jpeg_segments
from ppgen.errors import InputError, Problems
from ppgen.games.own_deck.deck_loading import load_deck
from ppgen.play.game_scoring import read_file
from ppgen.reading import workbooks
from ppgen.reading.editing import EditError, find_cells
from ppgen.reading.fields import Source, parse_toml, read_source
from ppgen.reading.tables import read_table
from ppgen.review.set_comparison import read_record
from ppgen.shipped import shipped_root
from tests.reading.test_tables import workbook

pytestmark = pytest.mark.slow
MOST_LINES, FLOOR_LINES = 4.2, 300
"""Growth of the number of lines that run; the constant is for what is computed only once."""
MOST_TIME, FLOOR_S = 8, 0.03
"""Growth of processor time; below the floor the clock of the processor is coarser than what it measures."""
RUNS = 9
"""On a busy machine the best of some runs of either file counts; one good comparison ends them."""
Make = Callable[[int], str]

DRAWINGS: dict[str, tuple[int, Make]] = {
    "blanks in a font": (30, lambda n: f'<text font="1{" " * 3_900};" id="name">x</text>' * n),
    "blanks in a transform": (30, lambda n: f'<rect width="9" height="9" transform="translate{" " * 3_900}x"/>' * n),
    "blanks in dashes": (30, lambda n: f'<path d="M0 0h9" stroke="#000" stroke-dasharray="1{" " * 3_900}x"/>' * n),
    "digits in an arc": (50_000, lambda n: f'<path d="M0 0A{"1" * n}"/>'),
    "numbers": (10_000, lambda n: f'<path d="M0 0{"l1 1" * n}"/>'),
    "braces of a style": (8_000, lambda n: f"<style>{'{' * n}</style>"),
    "rules": (20, lambda n: "<style>" + "".join(f".a{k}{{fill:red}}" for k in range(n)) + "</style>"
              + '<path class="a1 a2 a3" d="M0 0h9"/>' * 300),
    "classes": (200, lambda n: "<style>.a{fill:red;stroke:#000}</style>"
                + f'<path class="{"a " * 1_900}" d="M0 0h9"/>' * (n // 10)),
    "groups with names": (100, lambda n: '<g id="name"><path d="M0 0h9"/></g>' * n),
    "runs of a text": (300, lambda n: f"<text>{'<tspan>a</tspan>' * n}</text>"),
    "lines of a text": (250, lambda n: "<text>" + '<tspan y="9" x="1">a</tspan>' * n + "</text>"),
    "words of a text": (10_000, lambda n: f"<text>{'word ' * n}</text>"),
    "braces of a text": (5_000, lambda n: f"<text>{'{' * n}</text>"),
    "clones": (300, lambda n: '<path id="p" d="M0 0h9v9z"/>' + '<use href="#p"/>' * n),
    "clips": (100, lambda n: "".join(f'<clipPath id="c{k}"><rect width="9" height="9"/></clipPath>'
                                     f'<rect width="9" height="9" clip-path="url(#c{k})"/>' for k in range(n))),
    "pictures": (20, lambda n: f'<image width="9" height="9" href="data:image/png;base64,{"A" * 9_000}"/>' * n),
    "comments": (3_000, lambda n: "<!-- <g> -->" * n),
}
TABLES: dict[str, tuple[int, Make]] = {
    "rows": (600, lambda n: "Name,Cost\n" + "Forest,3\n" * n),
    "headings": (40, lambda n: ",".join(["Name"] * n) + "\n" + ",".join("a" * n)),
    "quotes": (5_000, lambda n: 'Name\n"' + '""' * n + '"\n'),
    "blanks": (5_000, lambda n: f"Name{' ' * n}(d\na{' ' * n}b\n"),
    "blank lines": (8_000, lambda n: "\n" * n + "Name\na\n"),
    "accents": (5_000, lambda n: f"Name\na{chr(0x301) * n}\n"),
    "letters with accents": (20_000, lambda n: f"Name\n{('a' + chr(0x301)) * 9_000}\n" * (n // 5_000)),
}
TOML: dict[str, tuple[int, Make]] = {
    "keys": (1_000, lambda n: "".join(f"a{k} = 1\n" for k in range(n))),
    "lists of tables": (500, lambda n: "[[a]]\nb = 1\n" * n),
    "lines of a text": (10_000, lambda n: 'a = """\n' + "word = 1\n" * n + '"""\n'),
    "brackets": (10_000, lambda n: "a = '" + "[" * n + "'\n"),
}
MARKDOWN: dict[str, tuple[int, Make]] = {
    "paragraphs": (60, lambda n: "Pay **two** *coins*.\n\n" * n),
    "blanks": (20_000, lambda n: f"a{' ' * n}b"),
    "stars": (3_000, lambda n: "*a " * n), "strong stars": (3_000, lambda n: "**a" * n),
    "brackets": (500, lambda n: "[" * n), "pictures": (500, lambda n: "![a](" * n),
    "backticks": (2_000, lambda n: "`a``b" * n), "braces": (5_000, lambda n: "{" * n),
    "names in braces": (1_000, lambda n: "{coin} " * n), "pieces": (300, lambda n: ":card[a" * n),
    "colons": (10_000, lambda n: ":a" * n), "lines of a table": (120, lambda n: "|a|b|\n|-|-|\n" + "|c|d|\n" * n),
    "pipes": (3_000, lambda n: "|" * n + "\n" + "|-" * n), "hyphens of a table": (10_000, lambda n: "|a|\n|" + "-" * n),
}
TALLIES: dict[str, tuple[int, Make]] = {
    "game.json": (2_000, lambda n: json.dumps({"players": [{"name": "Anna"}] * n})),
    "deep.json": (2_000, lambda n: "[" * n), "text.json": (50_000, lambda n: '{"place": "' + "a" * n + '"}'),
    "sum.toml": (5_000, lambda n: "[[players]]\nname = 'A'\ncards = { france = '1" + "+1" * n + "' }\n"),
    "blanks.toml": (1_000, lambda n: "[[players]]\nname = 'A'\ncards = { france = '1" + " " * n + "x' }\n"),
    "game.csv": (1_000, lambda n: ",Anna,\n,cards,symbols\n" + "France,1,1\n" * n),
}


def grow(read, make, count: int) -> None:
    """Check the law for a reader; what it refuses is read as well."""
    run(read, make(count - 1))  # what is computed only once; each file is a new one, as contents are remembered
    few, many = (count_lines(read, make(each)) for each in (count, 4 * count))
    assert many <= MOST_LINES * few + FLOOR_LINES, f"grows too fast: {few} and {many} lines run"
    best = [float("inf")] * 2
    for more in range(1, RUNS + 1):
        sizes = count + more, 4 * (count + more)
        best = [min(least, run(read, make(each))) for least, each in zip(best, sizes, strict=True)]
        if best[1] < MOST_TIME * best[0] + FLOOR_S:
            return
    raise AssertionError(f"grows too fast: {', '.join(f'{each * 1000:.1f} ms' for each in best)}")


def run(read, file) -> float:
    """Read a file; return the processor time that it takes."""
    gc.disable()
    start = time.process_time()
    with suppress(InputError, PictureError, EditError, ValueError):
        read(file)
    took = time.process_time() - start
    gc.enable()
    return took


def count_lines(read, file) -> int:
    """Read a file; return how many lines of Python run for it, of ppgen and libraries."""
    lines = 0

    def trace(frame, event, _):
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run(read, file)
    finally:
        sys.settrace(before)
    return lines


def loop(count: int, depth: int) -> None:
    for _ in range(count):
        if depth > 1:
            loop(count, depth - 1)


def test_the_law_sees_work_that_grows_too_fast_in_python_and_in_libraries():
    grow(lambda count: loop(count, 1), lambda n: n, 200)
    with pytest.raises(AssertionError, match="lines run"):
        grow(lambda count: loop(count, 2), lambda n: n, 60)
    with pytest.raises(AssertionError, match="ms"):
        grow(lambda text: re.search("a+a+b", text), lambda n: "a" * n, 160)


def svg(inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="60mm" height="90mm" viewBox="0 0 60 90">{inside}</svg>'


@pytest.fixture(autouse=True)
def no_child(monkeypatch):
    """Readers run here, where their time is counted."""
    for module in (adopted_drawing, workbooks):
        monkeypatch.setattr(module, "read_supervised", lambda reader, content, options, *_: reader(content, options))


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def clean(_: Path, text: str, what: str) -> None:
    with suppress(PageNeeded):
        clean_drawing(svg(text).encode(), "a.svg", "a-")


def read_settings(_: Path, text: str, what: str) -> None:
    source = Source(path=Path("a.toml"), text=text)
    parse_toml(source)
    source.line_of(("a", 1))


READERS = {
    "pictures": (DRAWINGS, clean),
    "adopted drawings": (
        {what: made for what, made in DRAWINGS.items() if "text" in what or "name" in what or what == "rules"},
        lambda at, text, _: adopted_drawing.adopt_drawing(write(at, "card.svg", svg(text)), "card.svg", Size(60, 90),
                                                          ("name", "cost"))),
    "tables": (TABLES, lambda at, text, _: read_table(write(at, "cards.csv", text), "cards.csv", Problems(),
                                                      langs=("de", "en"))),
    "cells to edit": (TABLES, lambda at, text, _: find_cells(text)),
    "settings": (TOML, read_settings),
    "rules": (MARKDOWN, lambda at, text, _: read_markdown(read_source(write(at, "rules.md", text), "rules.md"),
                                                          Problems())),
    "our own rules": ({"lines of a list": (2_000, lambda n: "- a\n" + "b\n" * n)},
                      lambda at, text, _: parse_blocks(text, {})),
    "tallies": (TALLIES, lambda at, text, name: read_file(write(at, name, text) / name)),
}


@pytest.mark.parametrize(("kind", "what"), [(kind, what) for kind, (files, _) in READERS.items() for what in files])
def test_no_reader_of_texts_takes_much_longer_than_in_proportion(kind, what, tmp_path):
    files, read = READERS[kind]
    count, make = files[what]
    grow(lambda text: read(tmp_path, text, what), make, count)


@pytest.mark.parametrize("copies", [0, 1])
def test_decks_of_one_name(copies, tmp_path):
    formats = read_formats(shipped_root() / "data")
    write(tmp_path, "deck.toml", '[cards]\ntable = "cards.csv"\nfront = "card.svg.j2"\n')
    write(tmp_path, "card.svg.j2", "{{ card.name }}")
    grow(lambda text: load_deck(write(tmp_path, "cards.csv", text), formats),
         lambda n: "Name,Copies\n" + f"Forest,{copies}\n" * n, 300)


@pytest.mark.parametrize("what", {"rows": 1, "columns": 2})
def test_workbooks(what, tmp_path):
    def make(n):
        return workbook(Cards=[["Name", "Cost"], *[["a", 1]] * n] if what == "rows" else [["a"] * n] * 20)

    def read(data):
        (tmp_path / "cards.xlsx").write_bytes(data)
        read_table(tmp_path, "cards.xlsx", Problems())

    grow(read, make, {"rows": 300, "columns": 60}[what])


@pytest.mark.parametrize("what", ["pieces", "cells"])
def test_records_of_prints(what, tmp_path):
    def make(n):
        many, few = (n, 1) if what == "pieces" else (1, n)
        piece = {"part": "cards", "copies": 1, "sides": {}, "cells": {f"c{k}": "a" for k in range(few)}}
        kind = {"lang": "en", "card_size": "poker", "ink": "full", "skin": "", "choices": []}
        return json.dumps({"printed": [{"set": kind, "pieces": {f"p{k}": piece for k in range(many)}}]})

    grow(lambda text: read_record(write(tmp_path, "printed.json", text) / "printed.json"), make, 1_000)


def saved(kind: str, image: Image.Image | None = None, **options: object) -> bytes:
    target = io.BytesIO()
    (image or Image.effect_noise((640, 480), 50)).save(target, kind, **options)
    return target.getvalue()


def scans(n: int) -> bytes:
    content = saved("JPEG", progressive=True)
    *_, (_, start, end), _ = jpeg_segments(content)
    return content[:end] + content[start:end] * n + content[end:]


def chunks(n: int) -> bytes:
    content, chunk = saved("PNG"), b"tEXta\0b"
    return content[:33] + ((3).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")) * n + content[33:]


BITMAPS: dict[str, tuple[int, Callable[[int], bytes]]] = {
    "scans": (8, scans), "chunks": (1_000, chunks),
    "segments": (2_000, lambda n: saved("JPEG")[:2] + b"\xff\xe5\0\2" * n + saved("JPEG")[2:]),
    "no segments": (25_000, lambda n: saved("JPEG")[:2] + b"\xff\0" * n),
    "pixels": (300, lambda n: saved("PNG", Image.new("RGB", (1_000, n)))),
}


@pytest.mark.parametrize("what", BITMAPS)
def test_bitmaps(what):
    count, make = BITMAPS[what]
    grow(lambda content: inspect_picture(content, "a", "0" * 64), make, count)


def test_typst_forgets_pictures_of_so_many_pixels(monkeypatch):
    made = list[str]()
    monkeypatch.setattr(typesetting, "_compile", lambda source, *_, **options: made.append(
        "." if source == typesetting._EMPTY else "#") or [])
    for _ in range(30):
        typesetting.rasters_png([typesetting.RasterImage(
            face=Face(svg="<svg></svg>", size=Size(9, 9), bleed=0), width=1_000, height=1_000)], Path())
    runs = re.findall("#+", "".join(made))[1:-1]
    assert {*map(len, runs)} == {typesetting.MAX_KEPT_PIXELS // 1_000_000 + 1}
    assert "." * typesetting._TYPST_MEMORY in "".join(made)
