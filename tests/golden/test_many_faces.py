"""What templates and drawings make of many random inputs, as records. ``pytest --update-golden`` writes them anew."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ppgen.engine.drawing.face import Face, FrameOfFace
from ppgen.engine.drawing.face_tools import FaceTools, find_lack
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.ornament import band, diaper, drift_scale, lozenge_pattern, ornament, ruler
from ppgen.engine.drawing.sandbox import RefusedError
from ppgen.engine.drawing.svg_check import check_svg, find_fine_details, thicken_strokes
from ppgen.engine.drawing.woodcut import to_line_drawing, to_night, to_woodcut
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.engine.pdf.typesetting import outline_for_readers, text_to_outlines
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.engine.shapes import (CIRCLE, HEXAGON, OCTAGON, die, grow_outline, parse_chains, path_shape, rounded_shape,
                                 standee, tent)
from tests.golden.grammar import expand, read_grammar
from tests.golden.records import digest, numbers_of, shown, weigh
from tests.golden.test_zoo import ZOO, quarters

RULES = read_grammar("faces")


def draw(tools: FaceTools, chance: random.Random, drawings: list[str]) -> Iterator[object]:
    """A call, and what it draws, reports and remembers."""
    name, _, words = expand(RULES, chance, "@call").partition("(")
    given = eval(f"dict({words}", {"Rect": Rect, "Size": Size, "standee": standee, "tent": tent, "die": die})
    reported = list[Rect]()
    tools.report = reported.append
    try:
        drawn = getattr(tools, name)(**given)
        if name == "open_panel":
            drawn = tools.close_panel(f"{drawn.view_box} {drawn.outline}")
    except (RefusedError, ValueError, ArithmeticError, LookupError) as refused:
        yield f"{name}({words} {refused} {getattr(refused, 'remedy', '')}"
        return
    text = drawn if isinstance(drawn, str) else "".join(f"{each} {getattr(each, 'points', '')}" for each in drawn) if (
        isinstance(drawn, list)) else str(drawn)
    numbers = numbers_of(text)
    drawings += [text] * (text[:1] == "<")
    yield (f"{name}({words}: {text.count('<')} tags, {len(numbers)} numbers, {shown(weigh(numbers))} "
           f"{digest(text.encode())}" + "".join(f", in {box}" for box in reported))
    if name in ("text", "paragraph", "rich", "badge"):
        yield " ".join(map(shown, find_lack(tools, name, given, Size(chance.uniform(5, 40), 9), chance.random() < 0.3)))


def draw_face(chance: random.Random, folder: Path, fonts) -> Iterator[object]:
    """Some calls on one face: what is drawn before changes letters, and the edge."""
    tools = FaceTools(frame=FrameOfFace(width=63.5, height=88.9, bleed=chance.choice((0, 2, 3.5))), ink=chance.choice((
        "full", "low")), lettering=Lettering(fonts=fonts), pictures=PictureFolder(folder))
    yield f"{tools.ink}, bleed {tools.frame.bleed}"
    drawings = list[str]()
    for _ in range(5):
        yield from draw(tools, chance, drawings)
    made = tools.finish(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{tools.frame.view_box}">'
                        f'{"".join(drawings)}</svg>')
    face = Face(svg=made, size=Size(63.5, 88.9), bleed=tools.frame.bleed)
    others = text_to_outlines(made, fonts), outline_for_readers(made, fonts), thicken_strokes(made, 0.3)
    yield " ".join(digest(other.encode()) for other in others)
    yield from find_fine_details(face)
    yield from check_svg(made, tools.frame.view_box, texts=tools.lettering.judged)[1]
    yield f"edge {tools.edge} cuts {tools.cuts} used {[*tools.used]} faults {tools.faults} {digest(made.encode())}"
    judged = [each for verdict in tools.lettering.judged.values() for each in (*verdict.faults, *verdict.markup)]
    yield from dict.fromkeys(f"{getattr(each, 'what', each)} {getattr(each, 'share', 0):.3f}" for each in judged)


# --- Shapes ---

def measure(points: Iterable[Point]) -> str:
    found = [each for at in points for each in (at.x, at.y)]
    return f"{len(found)} {shown(weigh(found))}"


def shape(chance: random.Random) -> Iterator[object]:
    data, trim = expand(RULES, chance, "@path"), Rect(*(chance.randint(*each) for each in (
        (-3, 9), (0, 4), (20, 60), (20, 60))))
    yield " ".join([data, *(f"{is_closed} {measure(Point(each.real, each.imag) for each in points)}"
                            for points, is_closed in parse_chains(data, chance.choice((0, 0.1, 1))))])
    kinds = [HEXAGON, OCTAGON, CIRCLE, rounded_shape(chance.choice((1, 4, 40)))]
    with suppress(ValueError):
        kinds += [path_shape(data, Rect(0, 0, 40, 40))] * 4
    net = chance.choice((standee(Size(chance.randint(9, 40), 45), 10), tent(40, 18, 25, 7), die(16)))
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
    drawing = expand(RULES, chance, "@drawing")
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


@pytest.mark.parametrize("part", range(3))
def test_what_template_functions_make_of_many_arguments_has_not_changed(golden, tmp_path, fonts, part):
    (tmp_path / "art").mkdir()
    for name, sides in {"wide.jpg": (160, 90), "tall.png": (552, 792), "clear.png": (60, 130)}.items():
        quarters(*sides, alpha="clear" in name).save(tmp_path / "art" / name)
    shutil.copy(next((ZOO / "icons").glob("*.svg")), tmp_path / "art/drawing.svg")
    faces = [(seed, draw_face(random.Random(f"face {seed}"), tmp_path, fonts)) for seed in range(part, 120, 3)]
    golden(f"many-faces-{part}.txt", "\n".join(f"{seed}: {line}" for seed, face in faces for line in face).replace(
        tmp_path.name, "FOLDER") + "\n")
