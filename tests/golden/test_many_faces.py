"""What templates and drawings make of many random inputs, as records. ``pytest --update-golden`` writes them anew."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ppgen.engine.drawing.face import FrameOfFace
from ppgen.engine.drawing.face_tools import FITS, FaceTools, find_lack
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.ornament import band, diaper, drift_scale, lozenge_pattern, ornament, ruler
from ppgen.engine.drawing.sandbox import RefusedError
from ppgen.engine.drawing.woodcut import to_line_drawing, to_night, to_woodcut
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.engine.shapes import (CIRCLE, HEXAGON, OCTAGON, Net, die, grow_outline, parse_chains, path_shape,
                                 rounded_shape, standee, tent)
from tests.golden.records import digest, numbers_of, shown, weigh
from tests.golden.test_zoo import ZOO, quarters

COLOURS = ["#000", "#ffffff", "#a02020", "gold", "#f4ecd8", "#23263f"]
WORDS = ["Draw a card", "Office", "4", "Æther — “fünf”", "one two three four five six seven eight nine", "ماء نار",
         "ماء (12) Fire א!", "竜は飛ぶ。「火」", "a/very-long_word|that.breaks/here", "Line one\nLine two"]
MARKED = ["**Draw** {sword} 2, *then* ==stop==.", "- one\n- two {coin}{coin}\n- three", "first\n\nsecond **para**graph"]
RUNS = ["Go ", "then **stop** now ", "ماء (12) Fire", "- item {coin} ", "\n", " ", {"words": "Large", "size": 6.3},
        {"words": "low", "rise": -1.2, "size": 2}, {"words": "a line", "lines": "underline", "line_fill": "gold"},
        {"words": "Small Caps 4", "capitals": "small"}, {"words": "wide", "spacing": 0.3, "fill": "#f4ecd8"},
        {"words": "struck", "lines": "strike overline", "style": "title"}]
PICTURES = ["wide", "tall.png", "tall.png", "clear.png", "drawing.svg", "", "none.png"]
PLACES: dict[str, Callable[[random.Random], Any]] = {
    "x": lambda chance: round(chance.uniform(-1, 40), 1), "y": lambda chance: round(chance.uniform(1, 70), 1),
    "width": lambda chance: round(chance.uniform(8, 60), 1), "height": lambda chance: round(chance.uniform(3, 40), 1)}
LETTERS: dict[str, Callable[[random.Random], Any]] = {
    "size": lambda chance: round(chance.uniform(1.8, 7), 1), "style": lambda chance: chance.choice(["text", "title"]),
    "fill": lambda chance: chance.choice(COLOURS),
    "outline": lambda chance: chance.choice(["", "#fff 0.4", "#fff", "red 1"]),
    "shadow": lambda chance: chance.choice(["", "#0006 0.3 0.2"]), "dir": lambda chance: chance.choice(["", "", "rtl"]),
    "min_size": lambda chance: round(chance.uniform(0.6, 1.7), 1)}
BOX: dict[str, Callable[[random.Random], Any]] = {"box": lambda chance: Rect(2, 3, chance.randint(5, 50), 20)}
ANCHORS, VALIGNS = ("start", "middle", "end"), ("top", "middle", "bottom")
ASKED: dict[str, tuple[dict[str, Callable[[random.Random], Any]], dict[str, Callable[[random.Random], Any]]]] = {
    "text": ({"words": lambda chance: chance.choice(WORDS), **{key: PLACES[key] for key in ("x", "y", "width")},
              "size": LETTERS["size"]}, {
        **LETTERS, **BOX, "anchor": lambda chance: chance.choice(ANCHORS), "spacing": lambda chance: 0.1,
        "bend": lambda chance: chance.choice((-3, 4))}),
    "paragraph": ({"words": lambda chance: chance.choice(WORDS), **PLACES, "size": LETTERS["size"]}, {
        **LETTERS, **BOX, "anchor": lambda chance: chance.choice(ANCHORS), "leading": lambda chance: 1.4,
        "valign": lambda chance: chance.choice(VALIGNS)}),
    "rich": ({"words": lambda chance: chance.choice(WORDS + MARKED * 2 + [chance.choices(RUNS, k=4)] * 9), **PLACES,
              "size": LETTERS["size"], "height": lambda chance: chance.choice((None, 5, 12.3, 30))}, {
        **LETTERS, **BOX, "align": lambda chance: chance.choice(("start", "center", "end", "left", "right")),
        "valign": lambda chance: chance.choice(VALIGNS), "leading": lambda chance: 1.1, "spacing": lambda chance: 0.05,
        "contour": lambda chance: "#fff 0.2", "accent": lambda chance: "#b02020", "keep": lambda chance: True}),
    "text_reach": ({"words": lambda chance: chance.choice(WORDS), "width": PLACES["width"], "size": LETTERS["size"]}, {
        "min_size": LETTERS["min_size"], "style": LETTERS["style"], "spacing": lambda chance: 0.1}),
    "image": ({"name": lambda chance: chance.choice(PICTURES), "fit": lambda chance: chance.choice(FITS)}, {
        **PLACES, **BOX, "radius": lambda chance: chance.choice((0, 3)), "turn": lambda chance: 90,
        "focus": lambda chance: chance.choice(("top", "20% 70%", "left")), "opacity": lambda chance: 0.4,
        "clip": lambda chance: chance.choice(("", "", "M0 0H9V9Z")), "ink": lambda chance: "full",
        "bleed": lambda chance: 1.5}),
    "icon": ({"name": lambda chance: chance.choice(["sword", "{coin}", "sord"]), "x": PLACES["x"], "y": PLACES["y"],
              "size": LETTERS["size"]}, {"fill": LETTERS["fill"]}),
    "fill": ({"colour": LETTERS["fill"]}, {}),
    "panel": ({}, {**PLACES, **BOX, "margin": lambda chance: 2, "radius": lambda chance: 3, "fill": LETTERS["fill"],
                   "stroke": LETTERS["fill"], "stroke_width": lambda chance: 1.23456, "opacity": lambda chance: 0.3}),
    "badge": ({"words": lambda chance: chance.choice(["4", "XII", "{sword}", ""])}, {
        "x": PLACES["x"], "y": PLACES["y"], "r": LETTERS["size"], "fill": LETTERS["fill"], "style": LETTERS["style"],
        **BOX}),
    "qr": ({"words": lambda chance: chance.choice(WORDS), "x": PLACES["x"], "y": PLACES["y"], "size": PLACES["width"]},
           {"fill": LETTERS["fill"], "ground": LETTERS["fill"]}),
    "rows": ({"count": lambda chance: chance.randint(0, 7)}, {
        **PLACES, **BOX, "columns": lambda chance: chance.randint(1, 4), "gap": lambda chance: 1.5}),
    "track": ({"first": lambda chance: chance.randint(-2, 3), "last": lambda chance: chance.randint(9, 40)}, {
        **BOX, "along": lambda chance: chance.choice(("edge", "row", "column")), "inset": lambda chance: 3,
        "depth": lambda chance: 4}),
    "hexes": ({"columns": lambda chance: chance.randint(0, 4), "rows": lambda chance: chance.randint(1, 5)}, {
        **PLACES, **BOX, "pointy": lambda chance: True}),
    "tone": ({"colour": LETTERS["fill"]}, {"paper": lambda chance: 0.6}),
    "has_picture": ({"name": lambda chance: chance.choice(PICTURES)}, {}),
    "open_panel": ({"net": lambda chance: any_net(chance)}, {})}
"""What each function is given always, and what sometimes."""
OFTEN = ["text", "paragraph", "rich", "rich", "image", "image", "image", "panel"]


def draw(tools: FaceTools, chance: random.Random, name: str) -> Iterator[object]:
    """A call, and what it draws, reports and remembers."""
    always, sometimes = ASKED[name]
    given = {key: make(chance) for key, make in always.items()}
    given |= {key: make(chance) for key, make in sometimes.items() if chance.random() < 0.3}
    given = {key: value for key, value in given.items() if "box" not in given or key not in PLACES}
    if name == "open_panel":
        given["name"] = chance.choice([*given["net"].panels])
    reported = list[Rect]()
    tools.report = reported.append
    words = ", ".join(f"{key}={value.kind if key == 'net' else value!r}" for key, value in given.items())
    try:
        drawn = getattr(tools, name)(**given)
        if name == "open_panel":
            drawn = tools.close_panel(f"{drawn.view_box} {drawn.outline}")
    except (RefusedError, ValueError, ArithmeticError) as refused:
        yield f"{name}({words}) {refused} {getattr(refused, 'remedy', '')}"
        return
    text = drawn if isinstance(drawn, str) else "".join(f"{each} {getattr(each, 'points', '')}" for each in drawn) if (
        isinstance(drawn, list)) else str(drawn)
    numbers = numbers_of(text)
    yield (f"{name}({words}): {text.count('<')} tags, {len(numbers)} numbers, {shown(weigh(numbers))} "
           f"{digest(text.encode())}" + "".join(f", in {box}" for box in reported))
    if name in ("text", "paragraph", "rich", "badge"):
        yield " ".join(map(shown, find_lack(tools, name, given, Size(chance.uniform(5, 40), 9), chance.random() < 0.3)))


def draw_face(chance: random.Random, folder: Path, fonts) -> Iterator[object]:
    """Some calls on one face: what is drawn before changes letters, and the edge."""
    tools = FaceTools(frame=FrameOfFace(width=63.5, height=88.9, bleed=chance.choice((0, 2, 3.5))), ink=chance.choice((
        "full", "low")), lettering=Lettering(fonts=fonts), pictures=PictureFolder(folder))
    yield f"{tools.ink}, bleed {tools.frame.bleed}"
    for _ in range(5):
        yield from draw(tools, chance, chance.choice([*ASKED, *OFTEN]))
    made = tools.finish("<svg>·</svg>")
    yield f"edge {tools.edge} cuts {tools.cuts} used {[*tools.used]} faults {tools.faults} {digest(made.encode())}"
    for words, verdict in tools.lettering.judged.items():
        yield from (f"{digest(words.encode())} {verdict}",) * bool(verdict.faults or verdict.markup)


# --- Shapes ---

def any_net(chance: random.Random) -> Net:
    return chance.choice((standee(Size(chance.randint(9, 40), 45), 10), tent(40, 18, chance.randint(15, 30), 7),
                          die(16)))


def any_path(chance: random.Random) -> str:
    """A ring of each kind of command, absolute or not, that seldom crosses itself."""
    data, at = "M2 2", [(20, 3), (38, 9), (30, 22), (39, 37), (20, 30), (4, 38), (1, 20)]
    for x, y in at[:chance.randint(2, 7)]:
        x, y, off = x + chance.randint(-2, 2), y + chance.randint(-2, 2), [chance.randint(-3, 3) for _ in range(4)]
        data += chance.choice((
            f"L{x} {y}", f"L{x},{y}", f"H{x}", f"V{y}", f"l{off[0]} {off[1] + 3}", f"Q{x + off[0]} {y - 4} {x} {y}",
            f"C{x - off[0]} {y - 3} {x + 2} {y - off[1]} {x} {y}", f"T{x} {y}", f"S{x - 4} {y + off[2]} {x} {y}",
            f"A{5 + off[0]} {6 + off[1]} {off[2] * 9} {chance.randint(0, 1)} {chance.randint(0, 1)} {x} {y}",
            f"q{off[0]} {off[1]} {off[2]} 4", f"t{off[3]} 3", f"s1 {off[0]} {off[1]} 2", f"h{off[2]}", f"v{off[3]}"))
    return data + chance.choice(("Z", "z", "Z", "zm2 2h5v4z"))


def measure(points: Iterable[Point]) -> str:
    found = [each for at in points for each in (at.x, at.y)]
    return f"{len(found)} {shown(weigh(found))}"


def shape(chance: random.Random) -> Iterator[object]:
    data, trim = any_path(chance), Rect(chance.randint(-3, 9), 4, chance.randint(20, 60), chance.randint(20, 60))
    yield " ".join([data, *(f"{is_closed} {measure(Point(each.real, each.imag) for each in points)}"
                            for points, is_closed in parse_chains(data, chance.choice((0, 0.1, 1))))])
    kinds = [HEXAGON, OCTAGON, CIRCLE, rounded_shape(chance.choice((1, 4, 40)))]
    with suppress(ValueError):
        kinds += [path_shape(data, Rect(0, 0, 40, 40))] * 4
    net = any_net(chance)
    for each in (chance.choice(kinds), net.shape):
        outline, size = each.outline(trim.size), chance.choice((0, 0.4, 2))
        yield (f"{each.kind} {outline.svg[:60]} {measure(outline.points)} {outline.box} "
               + " ".join(f"{measure(other.place(trim, turn).points)}" for turn in (0, 180) for other in (
                   outline, each.mirrored.outline(trim.size)))
               + " grown " + " ".join(map(measure, grow_outline(outline, size))) + " folds " + " ".join(
                   measure((fold.start, fold.end)) for fold in each.place_folds(trim, 180)))
    rooms = [net.panel_room(name, 2) for name in net.panels]
    yield f"{net.kind} {net.size} {measure(net.outline)} " + " ".join(map(str, (*rooms, *net.glued)))


# --- Drawings drawn anew, and ornament ---

def redraw(chance: random.Random) -> Iterator[object]:
    paints = "#4E6599 #B8352E #F1E4C6 #3A2C22 #FFF1C6 #E6B83F url(#gilt) #fff black #FFD65C none #111111".split()
    paints += [f"#{chance.randrange(0x1000000):06X}" for _ in range(9)]

    def thing() -> str:
        paint = " ".join(f'{key}="{chance.choice(words)}"' for key, words in (
            ("fill", paints), ("stroke", paints), ("stroke-width", (0.2, 1, 3))))
        paint += chance.choice(("", ' fill-opacity="0.3"', ' transform="scale(-0.5 0.4)"', ' stroke-linecap="round"'))
        return chance.choice((
            f'<path d="{any_path(chance)}" {paint}/>', f'<path d="M1 2h30v20h-30Z" {paint}/>',
            f'<circle cx="9" cy="8" r="{chance.randint(1, 9)}" {paint}/>',
            f'<rect width="9" height="7" x="11" {paint}/>', f'<ellipse cx="9" cy="8" rx="4" ry="6" {paint}/>',
            f'<g {paint}><path d="M3 3L20 9"/><path d="M3 3L20 9"/></g>'))

    drawing = "".join(thing() for _ in range(chance.randint(1, 5)))
    knife = {"knife": chance.choice((0.09, 0.3)), "line": chance.choice((1.25, 2)), "scale": chance.choice((1, 0.4)),
             "paints": chance.choice(("", "#4E6599=#FFFFFF stroke:#111111=none"))}
    names, across = ornament(), {"x": chance.randint(0, 9), "y": 3, "width": 50, "height": chance.randint(20, 70)}
    is_special = [chance.random() < 0.5 for _ in range(6)]
    for drawn in (
            to_line_drawing(drawing=drawing, line="#222222", width=0.3 * is_special[0]), to_night(drawing=drawing),
            to_woodcut(drawing=drawing, black="#111111", red="#BB2222", paper="#FFFFEE",
                       **knife if any(is_special) else {}),
            diaper(id="d", kind=chance.choice([*names["diapers"]]), size=chance.choice((4, 8)), stroke="#222222",
                   **{"x": 1.5, "width": 0.3, "fill": "#aa0000"} if is_special[1] else {}),
            band(kind=chance.choice([*names["bands"]]), thick=3, **across, fill="#aa0000",
                 **{"stroke": "#222222", "line": 0.4, "level": True} if is_special[2] else {}),
            lozenge_pattern(id="l", size=4, stroke="#222222",
                            **{"width": 0.4, "dot": "#aa0000"} if is_special[3] else {}),
            ruler(x=3, y=4, length=chance.randint(0, 30), upright=is_special[4]),
            drift_scale(x=3, y=4, reach=3, upright=is_special[4], far=is_special[5], fan=chance.choice((1, 1.5)))):
        yield f"{drawn.count('<')} tags {shown(weigh(numbers_of(drawn)))} {digest(drawn.encode())}"


@pytest.mark.parametrize("ask", [shape, redraw])
def test_what_becomes_of_many_paths_and_drawings_has_not_changed(golden, ask):
    golden(f"many-{ask.__name__}s.txt", "".join(f"{seed}: {line}\n" for seed in range(200) for line in ask(
        random.Random(f"{ask.__name__} {seed}"))))


def test_what_template_functions_make_of_many_arguments_has_not_changed(golden, tmp_path, fonts):
    (tmp_path / "art").mkdir()
    for name, sides in {"wide.jpg": (160, 90), "tall.png": (552, 792), "clear.png": (60, 130)}.items():
        quarters(*sides, alpha="clear" in name).save(tmp_path / "art" / name)
    shutil.copy(next((ZOO / "icons").glob("*.svg")), tmp_path / "art/drawing.svg")
    faces = [(seed, draw_face(random.Random(f"face {seed}"), tmp_path, fonts)) for seed in range(160)]
    golden("many-faces.txt", "\n".join(f"{seed}: {line}" for seed, face in faces for line in face) + "\n")
