"""Fuzzed readers: for each kind of file, all that ppgen does with a stranger's file of that kind.

A result or an InputError is correct; anything else is a fault. Readers have the names of the files that they read, for
files of the data folder their paths in it.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from click.testing import CliRunner
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ppgen.assets import Assets
from ppgen.cli import score
from ppgen.cli.program import main
from ppgen.cli.score import Scorer
from ppgen.engine.booklets.booklet import Booklet, Paragraph, Span
from ppgen.engine.booklets.booklet_pdf import find_missing, typeset
from ppgen.engine.drawing.face import Face, FaceRequest, FrameOfFace
from ppgen.engine.drawing.face_tools import FaceTools
from ppgen.engine.drawing.fonts import FontBook, read_fonts
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.svg_check import check_svg
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import A4, Format, Size
from ppgen.engine.imposition.impose import impose_pages
from ppgen.engine.imposition.sheets import Captions, Item, SheetSpec
from ppgen.engine.pdf.assembly import draw_pages
from ppgen.engine.pdf.form_fields import subset_font
from ppgen.engine.pdf.typesetting import faces_pdf, faces_png
from ppgen.errors import InputError, Problem, Problems
from ppgen.games.board_game import NAME as BOARD_GAME
from ppgen.games.board_game.components import COMMON_FILE, SOURCES, source_digests
from ppgen.games.card_game import NAME as CARD_GAME
from ppgen.play.game_scoring import Scoring, read_file
from ppgen.printing.calibration import dump_printers, read_printers
from ppgen.printing.request import BuildRequest
from ppgen.printing.set_booklets import A5, GuideFacts, make_guide, sleeve_for
from ppgen.printing.workshop import Workshop
from ppgen.reading.fields import read_csv, read_toml
from ppgen.shipped import shipped_root
from ppgen.targets.shop_files import read_shops
from tools import fuzz_inputs as inputs

VIEW_BOX = "-2 -2 48 72"
LANG = "en"
OWN = "own"
"""Folder of a user's own deck, made by ``ppgen new --starter empty``; its files are read as ``own/…``."""
CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
GAME = json.dumps({"date": "2024-05-01", "place": "Trier", "players": [
    {"name": name, "cards": {"france": n, "saxony": 1}, "symbols": {"france": 1}, "ships": 1, "minus_two": n // 2}
    for n, name in enumerate(("Anna", "Bob", "Cem"), 1)]}, indent=1)
GAME_TOML = 'date = "2024-05-01"\n' + "".join(
    f'\n[[players]]\nname = "{name}"\ncards = {{ france = 2, saxony = "1+1" }}\nships = 1\n'
    for name in ("Anna", "Bob", "Cem"))
GAME_CSV = ",Anna,,Bob,,Cem,\n,cards,symbols,cards,symbols,cards,symbols\nFrance,1,1,2,1,,\nSaxony,,,3+1,1,1,1\n" \
           "ships,1,,,,,\ndate,2024-05-01\n"
GAME_PDF = "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages<</Type/Pages/Kids[7 0 R]/Count 1>>" \
           "/AcroForm<</Fields[2 0 R 3 0 R 4 0 R 5 0 R 6 0 R]>>>>\nendobj\n"
GAME_PDF += "".join(
    f"{n} 0 obj\n<</FT/Tx/T({name})/V({value})>>\nendobj\n" for n, (name, value) in enumerate(
        (("p1.name", "Anna"), ("p2.name", "Bob"), ("p3.name", "Cem"), ("p1.france.cards", "2+1"),
         ("p1.france.country_points", "14")), 2))
GAME_PDF += "7 0 obj\n<</Type/Page/MediaBox[0 0 9 9]>>\nendobj\ntrailer\n<</Root 1 0 R/Size 8>>\n%%EOF\n"
TEMPLATE = b"""{% macro m(a=1) %}<rect x="{{ a * 2 }}" width="{{ face.width }}" height="9"/>{% endmacro %}
{% for word in card.words %}{{ m(loop.index) }}{{ text(word | upper, x=1, y=9, width=face.width, size=4) }}{% endfor %}
{% if ink == "full" %}{{ band(kind="leaves", x=0, y=0, width=40, height=60, thick=4) }}{% endif %}
"""
FONT = "Cinzel-Bold.ttf"
FONTS = f'[[fonts]]\nfamily = "Cinzel"\nweight = 700\nfile = "{FONT}"\n\n[styles.text]\nfamilies = ["Cinzel"]\n' \
        '[styles.title]\nfamilies = ["Cinzel"]\n'
PRINTERS = '[home]\nback-offset = "0.5,-1"\nback-rotation = 0.25\nrulers = "99.6,100"\n'
MARKDOWN = ("# Goblins\n\nPay {coin}.\n\n| a | b |\n|---|--:|\n| :card[first-card] | 2 |\n\n- a\n  - b\n\n"
            "> **E** ==x==\n")
CONFIG = 'lang = ["de", "en"]\n\n[build]\npaper = "letter"\nonly = ["cards"]\nbleed = "2mm"\n\n' \
         '[export.png]\ndpi = 300\n\n[score]\nhistory = "games"\n'
DRAFT = '{"p1.name": "Anna", "p2.name": "Bob", "p1.france.cards": "2+1"}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """``read`` reads a file's bytes, ``files`` are such files, ``valid`` makes an accepted one; ``runs`` is the number
    of files for a test.
    """

    read: Callable[[bytes], None]
    files: Callable[[], SearchStrategy[bytes]]
    valid: Callable[[], bytes]
    runs: int


READERS: dict[str, Reader] = {}
"""Readers by the names of their files."""
Read = Callable[[bytes], None]


def reads(name: str, valid: Callable[[], bytes], fragments: Sequence[str] = (),
          wellformed: Callable[[], SearchStrategy[str]] = st.nothing, runs: int = 240,
          files: Callable[[], SearchStrategy[bytes]] | None = None) -> Callable[[Read], Read]:
    """Register the reader of a kind of file; :func:`tools.fuzz_inputs.files` makes its files unless ``files`` does."""
    valid = cache(valid)

    def register(read: Read) -> Read:
        READERS[name] = Reader(read=read, valid=valid, runs=runs,
                               files=files or (lambda: inputs.files(fragments, wellformed(), valid)))
        return read

    return register


# Files and folders

@cache
def _home() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


def _file(name: str, document: bytes) -> Path:
    path = Path(_home().name) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(document)
    return path


@contextmanager
def _replaced(path: Path, document: bytes) -> Iterator[None]:
    """Replace a file's content within the context."""
    before = path.read_bytes()
    path.write_bytes(document)
    try:
        yield
    finally:
        path.write_bytes(before)


@cache
def _fonts() -> FontBook:
    return read_fonts(shipped_root() / "data" / "fonts")


@cache
def _scoring() -> Scoring:
    return Scorer.at(None, LANG).scoring()


@cache
def _copy() -> Assets:
    """A copy of the shipped data, except for the large fonts; and the shipped templates."""
    data = Path(_home().name) / "copy"
    shutil.copytree(shipped_root() / "data", data, ignore=shutil.ignore_patterns("*.ttf", "fonts", "starters"))
    return Assets(data=data, templates=shipped_root() / "templates")


@cache
def _own() -> Path:
    """A user's own deck, with words, an icon and rules."""
    folder = Path(_home().name) / OWN
    _ppgen(Path(_home().name), "new", str(folder), "--starter", "empty")
    (folder / "words").mkdir()
    (folder / "words" / "en.toml").write_text('[game]\ntitle = "Goblins"\n', encoding="utf-8")
    (folder / "icons").mkdir()
    (folder / "icons" / "coin.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">'
                                               '<circle cx="4" cy="4" r="3"/></svg>', encoding="utf-8")
    (folder / "rules.md").write_text(MARKDOWN, encoding="utf-8")
    return folder


def _ppgen(folder: Path, *words: str) -> None:
    """Run a command in the folder. Raises InputError if it fails.

    Asserts that it ends with a known exit code, prints no control characters, and leaves no file after a failure.
    """
    before = sorted(folder.rglob("*"))
    with chdir(folder):
        done = CliRunner().invoke(main, words)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in (0, 1, 2), f"exit code {done.exit_code}"
    assert done.exit_code == 0 or done.stderr.strip(), "failed without a word"
    assert not CONTROL_CHARACTERS.search(done.output), f"prints what steers a terminal: {done.output!r}"
    assert done.exit_code == 0 or sorted(folder.rglob("*")) == before, "failed and left files"
    shutil.rmtree(folder / "output", ignore_errors=True)
    if done.exit_code:
        raise InputError([Problem(place="", what=done.stderr)])


def _shipped(name: str) -> bytes:
    return (shipped_root() / "data" / name).read_bytes()


# Data of games

def _read_set(assets: Assets, name: str) -> None:
    """Do all that ppgen does with the data of a game before drawing."""
    workshop = Workshop.open(assets, game=name)
    texts = workshop.texts(LANG)
    game = workshop.game
    parts = workshop.parts(texts, game.card_size, SheetSpec(paper=A4), ()).parts
    game.describe()
    game.table()
    making = GuideFacts(request=BuildRequest(langs=(LANG,), papers=(A4,)), paper=A4, files=(), advice=game.advice,
                        sleeve=sleeve_for(assets, game.card_size))
    find_missing(make_guide(texts, making), workshop.fonts)
    if game.rules and isinstance(rules := game.rules(texts, parts, A5, "full"), Booklet):
        find_missing(rules, workshop.fonts)
    read_shops(assets.common("shops.toml"))


def _read_data(name: str, document: bytes) -> None:
    with _replaced(_copy().data / name, document):
        if name in BOARD_FILES:
            _claim_map(_copy().data / "board_game")
        _read_set(_copy(), BOARD_GAME if name.startswith("board_game/") else CARD_GAME)


def _claim_map(folder: Path) -> None:
    """Make the drawn map claim that it was drawn for spoilt files, which would be refused else."""
    common = json.loads(_shipped(f"board_game/{COMMON_FILE}"))
    (folder / COMMON_FILE).write_text(json.dumps({**common, "drawn_for": source_digests(folder)}), encoding="utf-8")


TABLES = ("papers.toml", "sizes.toml", "sleeves.toml", "shops.toml", "card_game/countries.toml",
          "card_game/symbols.toml", "card_game/laws.toml", "card_game/stones.toml", "card_game/examples.toml",
          "card_game/game.toml", "card_game/learn.toml", "card_game/score.toml", "board_game/game.toml",
          "board_game/board.toml", "board_game/countries.toml", "board_game/alliances.toml", "board_game/pieces.toml",
          "board_game/examples.toml", "board_game/learn.toml")
CELLS = ("card_game/cards.csv", "board_game/cards.csv", "board_game/spaces.csv", "board_game/roads.csv")
WORDS = ("locales/en.toml", "guide/en.toml", "card_game/locales/en.toml", "card_game/rules/en.toml",
         "card_game/guide/en.toml", "board_game/locales/en.toml", "board_game/rules/en.toml",
         "board_game/guide/en.toml")
BOARD_FILES = tuple(f"board_game/{name}" for name in SOURCES)
MAPS = ("board_game/borders.json", f"board_game/{COMMON_FILE}", "board_game/map/en.json")
for _name, _fragments in (*((name, inputs.TOML) for name in TABLES),
                          *((name, (*inputs.TOML, *inputs.PROSE)) for name in WORDS),
                          *((name, inputs.CSV) for name in CELLS),
                          *((name, inputs.JSON) for name in MAPS)):
    reads(_name, partial(_shipped, _name), _fragments, runs=30)(partial(_read_data, _name))


@reads("any.toml", lambda: b"", inputs.TOML, inputs.toml_lines)
def _toml(document: bytes) -> None:
    path, problems = _file("a.toml", document), Problems()
    top = read_toml(path.parent, path.name, problems)
    for key in top:
        top.take_text(key)
        top.take_int(key, 0, 9)
        top.take_number(key, 0, 9)
        top.take_texts(key)
        for row in top.take_tables(key):
            row.take_text("a")
            row.close()
        top.take_table(key).close()
    problems.raise_if_any()


@reads("any.csv", lambda: b"id,name\na,b\n", inputs.CSV, inputs.csv_rows)
def _csv(document: bytes) -> None:
    path, problems = _file("a.csv", document), Problems()
    for row in read_csv(path.parent, path.name, ("id", "name"), problems):
        row.take_text("id")
        row.take_text("name")
        row.close()
    problems.raise_if_any()


# A user's own deck, printed

def _own_file(name: str) -> bytes:
    return (_own() / name).read_bytes()


def _read_own(name: str, part: str, document: bytes) -> None:
    with _replaced(_own() / name, document):
        _ppgen(_own(), "build", "--only", part)


for _name, _fragments, _part in (
        ("deck.toml", inputs.TOML, "cards"), ("cards.csv", inputs.CSV, "cards"),
        ("words/en.toml", (*inputs.TOML, *inputs.PROSE), "guide"),
        ("card.svg.j2", (*inputs.TEMPLATE, *inputs.SVG), "cards")):
    reads(f"{OWN}/{_name}", partial(_own_file, _name), _fragments, runs=20)(partial(_read_own, _name, _part))


@reads("rules.md", MARKDOWN.encode, (*inputs.PROSE, *inputs.MARKDOWN), runs=80)
def _markdown(document: bytes) -> None:
    _read_own("rules.md", "rules", document)


@reads("ppgen.toml", CONFIG.encode, (*inputs.TOML, "[build]\n", "[printer.save]\n", "'../x'", "'/x'"))
def _config(document: bytes) -> None:
    _ppgen(_file("config/ppgen.toml", document).parent, "list", "--json")


# Faces

@reads("any.svg", lambda: b'<g><rect x="1" y="1" width="9" height="9"/></g>', inputs.SVG, inputs.svg_forest)
def _svg(document: bytes) -> None:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{VIEW_BOX}">'
    check_svg(head + document.decode("utf-8", errors="surrogateescape") + "</svg>", VIEW_BOX)


@reads("drawn.svg", lambda: b'<circle r="9"/>', runs=150,
       files=lambda: inputs.svg_forest(valid=True).map(inputs.encode))
def _drawing(document: bytes) -> None:
    """Draw what passes the check: typst is native code, whose panics are not exceptions."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{VIEW_BOX}">'
    checked, _ = check_svg(head + document.decode("utf-8", errors="surrogateescape") + "</svg>", VIEW_BOX)
    if checked:
        face = Face(svg=checked.text, size=Size(44, 68), bleed=2)
        list(faces_pdf([face], _fonts()))
        faces_png([face], _fonts().folder, 60)


@reads("any.svg.j2", lambda: TEMPLATE, inputs.TEMPLATE, inputs.whole_template, runs=120)
def _template(document: bytes) -> None:
    path = _file("templates/a.svg.j2", document)
    frame = FrameOfFace(width=44, height=68, bleed=2)
    functions = FaceTools(frame=frame, ink="full", lettering=Lettering(fonts=_fonts())).functions
    values = {"t": _scoring().say, "face": frame, "ink": "full",
              "card": {"words": ("fan", "cross"), "x": {"y": 1.5}}}
    outcomes = set()
    for _ in range(2):
        try:
            outcomes.add(TemplateSet((path.parent,)).render(path.name, values, "[fuzz]", functions=functions))
        except InputError as error:
            outcomes.add(str(error))
    assert len(outcomes) == 1, f"not the same twice: {outcomes}"
    assert not re.search(r"\bat 0x[0-9a-f]{6}", outcomes.pop()), "tells where something lies in memory"


@cache
def _small_font() -> bytes:
    return subset_font(_fonts().styles["title"][0], "Frankeich Kardinal König Wort AB100").program


@reads("any.ttf", _small_font, runs=80, files=lambda: inputs.damage_bytes(_small_font()))
def _font(document: bytes) -> None:
    with TemporaryDirectory() as folder:  # a new folder each time: libraries cache fonts
        (Path(folder) / FONT).write_bytes(document)
        (Path(folder) / "fonts.toml").write_text(FONTS, encoding="utf-8")
        use_fonts(Path(folder))


@reads("fonts/fonts.toml", FONTS.encode, inputs.TOML, runs=60)
def _fonts_toml(document: bytes) -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / FONT).write_bytes(_small_font())
        (Path(folder) / "fonts.toml").write_bytes(document)
        use_fonts(Path(folder))


def use_fonts(folder: Path) -> None:
    """Do all that ppgen does with a font: read, measure, subset, set labels, faces and booklets."""
    fonts = read_fonts(folder)
    font = fonts.fonts[0]
    fonts.width("Frankreich", "text", 3)
    subset_font(font, "AB1")
    spec = SheetSpec(paper=Format("a6", Size(105, 148)))
    sheets = impose_pages([Item(id="x", size=Size(50, 50), has_back=False, edge="")], spec).sheets
    draw_pages(sheets, [Captions(label="Kardinal", hint="100")], fonts)
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><text x="1" y="8" font-size="5" '
           f'font-family="{font.family}" font-weight="{font.weight}">König</text></svg>')
    list(faces_pdf([Face(svg=svg, size=Size(40, 10), bleed=0)], fonts))
    ornament = FaceRequest(template="", size=Size(1, 1), values={})
    booklet = Booklet(title="A", running="A", lang="de", page=Size(105, 148), author="B", ink="full",
                      blocks=(Paragraph((Span("Wort"),)),), ornament=ornament)
    blank = Face(svg='<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', size=Size(1, 1), bleed=0)
    typeset(booklet, {ornament: blank}, fonts, picture_dpi=0)


# Tallies and saved files

def _tallies(name: str, document: bytes) -> None:
    game = _scoring().score(read_file(_file(name, document)).raw(_scoring()))
    json.dumps([game.result, game.written])


def _csv_tallies() -> SearchStrategy[bytes]:
    plain = inputs.files(inputs.CSV, inputs.csv_rows(), GAME_CSV.encode)
    return plain | plain | plain.map(lambda document: document.decode("utf-8", "replace").encode("utf-16"))


for _name, _text, _fragments, _wellformed in (
        ("game.json", GAME, inputs.JSON, inputs.json_game),
        ("game.toml", GAME_TOML, inputs.TOML, lambda: inputs.toml_lines().map("[[players]]\n".__add__)),
        ("game.csv", GAME_CSV, inputs.CSV, inputs.csv_rows),
        ("game.pdf", GAME_PDF, inputs.PDF, st.nothing)):
    reads(_name, _text.encode, _fragments, _wellformed, files=_csv_tallies if _name.endswith("csv") else None)(
        partial(_tallies, _name))


@reads("score-draft.json", DRAFT.encode, (*inputs.JSON, '"p1.name"'))
def _draft(document: bytes) -> None:
    with patch.object(score, "_draft_file", lambda scoring: _file("score-draft.json", document)):
        score._load_draft(_scoring(), _scoring().plan)


@reads("printers.toml", PRINTERS.encode, inputs.TOML)
def _printers(document: bytes) -> None:
    path = _file("printers.toml", document)
    printers = read_printers(path)
    path.write_text(dump_printers(printers), encoding="utf-8")
    assert read_printers(path) == printers


@cache
def _valid_history() -> bytes:
    folder = _file("kept/game.json", GAME.encode()).parent
    for place in ("Trier", "Mainz"):
        _ppgen(folder, "score", "game.json", "--save", "--history", "games", "--place", place)
    return (folder / "games").read_bytes()


def _read_history(file: Path) -> None:
    for words in ("list", "list --json", "show 1 --explain", "show 2 --format csv", "export",
                  "edit 1 ../kept/game.json", "delete 2", "undo", "undo", "undo"):
        with suppress(InputError):
            _ppgen(file.parent, "history", *words.split(), "--history", file.name)
    with suppress(OSError):
        for left in file.parent.iterdir():
            left.unlink()


@reads("history.sql", lambda: b"", inputs.SQL, runs=12)
def _history_forged(document: bytes) -> None:
    """Read a valid history after these statements."""
    file = _file("history/games", _valid_history())
    with closing(sqlite3.connect(file)) as db, suppress(sqlite3.Error):
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2_000_000)  # more than ppgen reads, and quick to write
        db.executescript(document.decode("utf-8", errors="replace"))
        db.commit()
    _read_history(file)


@reads("history.sqlite", _valid_history, runs=12, files=lambda: inputs.damage_bytes(_valid_history()))
def _history_damaged(document: bytes) -> None:
    _read_history(_file("history/games", document))
