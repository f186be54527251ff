"""What many random pictures, drawings and texts become, as records. ``pytest --update-golden`` writes them anew."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from ppgen.engine.adoption.adopted_drawing import adopt_alone
from ppgen.engine.booklets.booklet import Booklet, WebPageWriter, fit_booklet, parse_blocks
from ppgen.engine.booklets.markdown import read_markdown
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.pictures.face_pictures import (at_dpi, contact_print, coverage, crop_face, find_difference,
                                                 take_pictures)
from ppgen.engine.pictures.picture import PictureError, lighten_drawing, recolour_icon
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.engine.pictures.picture_pixels import copy_picture, vanishes_on_dark
from ppgen.errors import InputError, Problems
from ppgen.reading.fields import Source
from ppgen.records import replace
from tests.games.own_deck.test_drawings import adopt
from tests.golden.grammar import expand, read_grammar
from tests.golden.records import digest, numbers_of, pixels, shown, weigh
from tests.golden.test_zoo import quarters

RULES = read_grammar("files")


def save_any_picture(chance: random.Random, path: Path) -> str:
    """Save a picture of any kind, mode, resolution and turn; some files are damaged."""
    kind, exif = chance.choice(("PNG", "PNG", "JPEG", "JPEG", "WEBP", "GIF")), Image.Exif()
    exif[0x112] = chance.choice((1, 1, 3, 6, 8, 5))
    mode = chance.choice({"PNG": ("RGB", "RGBA", "L", "LA", "P", "1", "I;16"), "JPEG": ("RGB", "L", "CMYK")}.get(kind, (
        "RGB",)))
    image = quarters(chance.randint(3, 90), chance.randint(3, 90), alpha="A" in mode).point(
        lambda value: value // 4 if path.name == "1" else value)
    image = image.convert("L").convert("I").convert("I;16") if mode == "I;16" else image.convert(mode)
    options = chance.choice(({}, {"dpi": (300, 300)}, {"quality": 40}, {"progressive": True}, {"lossless": True},
                             {"compress_level": 0}, {"optimize": True}))
    image.save(out := io.BytesIO(), kind, exif=exif, **options)
    content = out.getvalue()
    path.write_bytes(content[:len(content) // 2] if chance.random() < 0.08 else content)
    return f"{kind} {mode} {options}"


def read_pictures(chance: random.Random, folder: Path, _: FontBook) -> Iterator[object]:
    (folder / "art").mkdir(exist_ok=True)
    said = save_any_picture(chance, path := folder / "art" / chance.choice(("a.png", "b.jpg", "c", "d.gif")))
    try:
        found = PictureFolder(folder).find(path.name)
        side, variant = chance.choice((0, 20, 500)), chance.choice(("full", "low"))
        colours, mask = copy_picture(found, variant, side, chance.choice((100, 100, 130, 70)))
    except PictureError as refused:
        yield f"{said}: {refused} {refused.remedy}"
    else:
        yield (f"{said}: {found.kind} {found.width} × {found.height} turn {found.turn} {found.mode} {found.intact} "
               f"{found.lossy} {found.is_opaque} {vanishes_on_dark(found)}, {variant} {side}: {pixels(colours)}"
               + (f" mask {pixels(mask)}" if mask else ""))
    path.unlink()


def adopt_drawings(chance: random.Random, folder: Path, _: FontBook) -> Iterator[object]:
    drawing = expand(RULES, chance, "@drawing")
    try:
        made = adopt(folder, drawing)
        yield f"{shown(weigh(numbers_of(made.template)))} {digest(made.template.encode())}"
        yield from (*made.notes, *made.bound)
        alone = adopt_alone(folder, "card.svg", ())
        yield f"{alone.width:.2f} × {alone.height:.2f} {alone.is_real}"
    except InputError as refused:
        yield refused
    (folder / "icon.svg").write_text(drawing, "utf-8")
    try:
        found = PictureFolder(folder).find("icon.svg")
    except PictureError as refused:
        yield f"{refused} {refused.remedy}"
        return
    bodies = [found.body, lighten_drawing(found.body)]
    bodies += [recolour_icon(found.body, found.view_box)] * found.is_drawing
    yield f"{found.kind} {found.width:g} × {found.height:g} {found.view_box} " + " ".join(
        f"{shown(weigh(numbers_of(body)))} {digest(body.encode())}" for body in bodies)


def set_texts(chance: random.Random, folder: Path, fonts: FontBook) -> Iterator[object]:
    """Rules in Markdown, or in the words of games, as a booklet and a web page."""
    text = expand(RULES, chance, "@rules")
    source, problems = Source(folder / "rules.md", text), Problems()
    try:
        if chance.random() < 0.7:
            found = read_markdown(source, problems)
            blocks = found.blocks
            yield from (*problems, *[found.title] * bool(found.title))
        else:
            blocks = parse_blocks(text.replace("**", "*"), {"figure": parse_blocks("> in", {})})
        booklet, warnings = fit_booklet(Booklet(
            title="T", running="R", lang="en", blocks=tuple(blocks), source=source, size=chance.choice((7.5, 9)),
            page=chance.choice((Size(105, 148), Size(70, 100)))), fonts)
    except (ValueError, InputError) as refused:
        yield refused
        return
    page = WebPageWriter(str, str).write(booklet.blocks)
    yield from warnings
    made = str(booklet.blocks).replace(str(folder), "")
    yield f"{digest(made.encode())} page {page.count('<')} {digest(page.encode())}"


def take_photos(chance: random.Random, _: Path, fonts: FontBook) -> Iterator[object]:
    """Pictures of a face, and of one that differs a little: turned, on paper, with round corners, side by side."""
    size, bleed, mark = Size(*(chance.randint(20, 60) for _ in "xy")), chance.choice((0, 2)), chance.randint(4, 15)
    faces = [Face(size=size, bleed=bleed, svg=(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-bleed} {-bleed} {size.width + 2 * bleed} '
        f'{size.height + 2 * bleed}"><rect x="-2" y="-2" width="20" height="30" fill="#d02020"/><rect x="18" width="9" '
        f'height="6" fill="#2040d0"/>{extra}</svg>')) for extra in ("", f'<circle cx="{mark}" cy="9" r="3"/>')]
    turn, dpi, corner = chance.choice((0, 90, 270)), chance.choice((50, 72)), chance.choice((0, 6))
    pictures = [replace(at_dpi(face, dpi, corner), turn=turn, on_paper=chance.random() < 0.5) for face in faces]
    made = [*take_pictures(pictures, fonts.folder)]
    slot = pictures[0].pixels
    yield " ".join(map(pixels, (*made, contact_print([(1, made[0]), (3, made[1])], 2, 3, slot, 72))))
    yield find_difference(*made, size)
    yield f"{[round(each, 3) for each in coverage(faces, fonts.folder)]} " + digest(crop_face(
        faces[0], Rect(3, 4, 9, 8), chance.random() < 0.5).svg.encode())


ASKED: dict[str, tuple[Callable[..., Iterator[object]], int]] = {
    "pictures": (read_pictures, 80), "drawings": (adopt_drawings, 120), "texts": (set_texts, 120),
    "photos": (take_photos, 12)}


@pytest.mark.parametrize("name", ASKED)
def test_what_many_files_become_has_not_changed(golden, tmp_path, fonts, name):
    ask, number = ASKED[name]
    lines = [f"{seed}: {line}" for seed in range(number) for line in ask(
        random.Random(f"{name} {seed}"), tmp_path, fonts)]
    golden(f"many-{name}.txt", "\n".join(lines).replace(f"{tmp_path}/", "") + "\n")
