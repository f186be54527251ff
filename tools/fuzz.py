"""Turns random bytes into templates, SVG, data files and tallies, and looks for anything but a clear refusal.

    python tools/fuzz.py svg --seconds 60        one of the targets
    python tools/fuzz.py all --seconds 60        each of them for so long

Needs ppgen itself and atheris (``pip install atheris``), which watches what parts of the program an input
comes to and goes on from there. An input that breaks something is kept in the working folder as ``crash-…``;
run it again with ``python tools/fuzz.py svg crash-…``.

Right is: a result, or an InputError, within a few seconds. Wrong is any other exception, or a long wait.
What the bytes of an input mean is told in ``fuzz_inputs.py``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType, ModuleType
from typing import Any

from ppgen.assets import Assets, shipped
from ppgen.engine.drawing.faces import Face, FrameOfFace, helpers
from ppgen.engine.drawing.fonts import FontBook, read_fonts
from ppgen.engine.drawing.svgcheck import check_svg
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.formats import Formats, read_formats
from ppgen.engine.geometry import Size
from ppgen.engine.typesetting import faces_pdf, faces_png
from ppgen.errors import InputError, Problems
from ppgen.form_reading import read_form_fields
from ppgen.games.card_game.deck.loading import load_deck
from ppgen.games.card_game.deck.model import Deck
from ppgen.games.card_game.tallies.checked import check_tallies
from ppgen.games.card_game.tallies.csv_sheet import read_csv_tallies
from ppgen.games.card_game.tallies.files import read_json, read_toml_tallies
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.own_deck.loading import load_deck as load_own_deck
from ppgen.reading import read_csv, read_toml
from ppgen.texts import Texts, load_texts
from tools import fuzz_inputs as inputs
from tools.fuzz_inputs import either

PATIENCE_S = 10.0
"""Longer is a fault; generous, as fuzzing makes everything slow."""
VIEW_BOX = "-2 -2 48 72"

@cache
def _fonts() -> FontBook:
    return read_fonts(shipped() / "data" / "fonts")


@cache
def _formats() -> Formats:
    return read_formats(shipped() / "data")


@cache
def _deck() -> Deck:
    return load_deck(shipped() / "data" / "card_game")[0]


@cache
def _names() -> Names:
    return Names(_deck(), shipped() / "data" / "card_game" / "locales")


@cache
def _texts() -> Texts:
    assets = Assets.at()
    return load_texts("de", (assets.common("locales"), assets.game("card_game") / "locales"))


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


def _file(name: str, text: str) -> Path:
    """A file with that text; half characters are written as what no decoder takes."""
    path = Path(_folder().name) / name
    path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    return path


def fuzz_svg(data: bytes) -> None:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{VIEW_BOX}">'
    check_svg(head + either(data, inputs.SVG, inputs.svg_forest) + "</svg>", _fonts(), VIEW_BOX)


def fuzz_drawing(data: bytes) -> None:
    """What the check lets through is drawn: typst is native code, whose panics are not exceptions."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{VIEW_BOX}">'
    checked, _ = check_svg(head + inputs.svg_forest(inputs.Choices(data, sound=True)) + "</svg>", _fonts(), VIEW_BOX)
    if checked:
        face = Face(svg=checked.text, size=Size(44, 68), bleed=2)
        list(faces_pdf([face], _fonts().folder))
        faces_png([face], _fonts().folder, 60)


def fuzz_template(data: bytes) -> None:
    path = _file("a.svg.j2", either(data, inputs.TEMPLATE, inputs.whole_template))
    values = {"t": _texts(), "face": FrameOfFace(width=44, height=68, bleed=2), "ink": "full",
              "card": {"words": ("fan", "cross"), "x": {"y": 1.5}}}
    outcomes = set()
    for _ in range(2):
        try:
            outcomes.add(TemplateSet((path.parent,), helpers(_fonts())).render(path.name, values, "[fuzz]"))
        except InputError as error:
            outcomes.add(str(error))
    assert len(outcomes) == 1, f"not the same twice: {outcomes}"
    assert not re.search(r"\bat 0x[0-9a-f]{6}", outcomes.pop()), "tells where something lies in memory"


def fuzz_toml(data: bytes) -> None:
    path, problems = _file("a.toml", either(data, inputs.TOML, inputs.toml_lines)), Problems()
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


def fuzz_texts(data: bytes) -> None:
    path = _file("xx.toml", either(data, inputs.TOML, inputs.toml_lines))
    texts = load_texts("xx", (path.parent,))
    for key in texts.words:
        texts(key, n=1, a="{n}", b=2)


def fuzz_csv(data: bytes) -> None:
    path, problems = _file("a.csv", either(data, inputs.CSV, inputs.csv_rows)), Problems()
    for row in read_csv(path.parent, path.name, ("id", "name"), problems):
        row.take_text("id")
        row.close()
    problems.raise_if_any()


def fuzz_deck(data: bytes) -> None:
    _file("deck.toml", 'id = "mine"\n[[parts]]\nname = "cards"\ntable = "cards.csv"\nfront = "deck/card.svg.j2"\n')
    load_own_deck(_file("cards.csv", either(data, inputs.CSV, inputs.csv_rows)).parent, _formats())


def fuzz_tallies_csv(data: bytes) -> None:
    text = either(data, inputs.CSV, inputs.csv_rows)
    raw = text.encode("utf-16" if data[:1] == b"\xfe" else "utf-8", errors="surrogatepass")
    check_tallies(read_csv_tallies(raw, "game.csv", _names()), _deck(), _names())


def fuzz_tallies_json(data: bytes) -> None:
    check_tallies(read_json(either(data, inputs.JSON, inputs.json_game), "game.json"), _deck(), _names())


def fuzz_tallies_toml(data: bytes) -> None:
    text = either(data, inputs.TOML, inputs.toml_lines)
    check_tallies(read_toml_tallies("[[players]]\n" + text, Path("game.toml")), _deck(), _names())


def fuzz_pdf(data: bytes) -> None:
    read_form_fields(_file("game.pdf", inputs.composed(data, inputs.PDF)))


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    name.removeprefix("fuzz_").replace("_", "-"): target for name, target in list(globals().items())
    if name.startswith("fuzz_")}


def run(target: Callable[[bytes], None], data: bytes) -> None:
    """Hand the bytes to a target. Raises whatever it raises but InputError, and TimeoutError if it takes too long."""
    start = time.process_time()
    try:
        target(data)
    except InputError as error:
        str(error).encode("utf-8")  # a message must be printable
    if (took := time.process_time() - start) > PATIENCE_S:
        raise TimeoutError(f"took {took:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("crash", nargs="?", type=Path, help="an input to run again, instead of new ones")
    parser.add_argument("--seconds", type=int, default=60)
    given = parser.parse_args()
    if given.target == "all":
        again = ([sys.executable, __file__, name, "--seconds", str(given.seconds)] for name in TARGETS)
        sys.exit(max(map(subprocess.call, again)))
    if given.crash:
        run(TARGETS[given.target], given.crash.read_bytes())
        return
    atheris: Any = import_module("atheris")
    for name, module in list(sys.modules.items()):
        if name.startswith("ppgen."):
            _instrument(atheris, module)
    atheris.Setup([sys.argv[0], f"-max_total_time={given.seconds}", "-max_len=400", "-verbosity=0"],
                  lambda data: run(TARGETS[given.target], data))
    atheris.Fuzz()


def _instrument(atheris: Any, holder: Any) -> None:
    """Let atheris see which lines of a module's functions an input comes to."""
    for value in list(vars(holder).values()):
        if isinstance(value, type) and isinstance(holder, ModuleType) and value.__module__ == holder.__name__:
            _instrument(atheris, value)
        elif isinstance(value, FunctionType) and value.__module__.startswith("ppgen."):
            atheris.instrument_func(value)


if __name__ == "__main__":
    main()
