"""What many random pictures, drawings and texts become, as records. ``pytest --update-golden`` writes them anew."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from ppgen.engine.booklets.booklet import Booklet, WebPageWriter, fit_booklet, parse_blocks
from ppgen.engine.booklets.markdown import read_markdown
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Size
from ppgen.engine.pictures.picture import PictureError, lighten_drawing, recolour_icon
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.engine.pictures.picture_pixels import copy_picture, vanishes_on_dark
from ppgen.errors import InputError, Problems
from ppgen.reading.fields import Source
from tests.games.own_deck.test_drawings import adopt
from tests.golden.records import digest, numbers_of, pixels, shown, weigh
from tests.golden.test_zoo import quarters


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


def any_drawing(chance: random.Random, has_words: bool) -> str:
    """A drawing of another program: styles of all makings, groups, uses, clips, gradients, words."""
    def paint() -> str:
        colours = ("red", "#a02020", "#08f", "rgb(20,30,40)", "rgb(10%,50%,0%)", "none", "url(#g)", "currentColor",
                   "rgba(9,9,9,.5)", "hsl(120,50%,50%)", "#11223380", "inherit")
        given = {"fill": chance.choice(colours), "stroke": chance.choice(colours), "stroke-width": chance.choice((
            "2", "1mm", "3pt", "5%", "0")), "opacity": chance.choice(("1", "0.4", "50%")), "fill-opacity": "0.6",
            "stroke-dasharray": "3 1", "class": chance.choice("abc"), "display": chance.choice(("inline", "none")),
            "fill-rule": "evenodd", "visibility": chance.choice(("visible", "hidden")), "paint-order": "stroke",
            "transform": chance.choice(("translate(3 4)", "scale(2)", "rotate(30 9 9)", "skewX(20)",
                                        "matrix(1 0 0 -1 0 9)"))}
        chosen = {key: value for key, value in given.items() if chance.random() < 0.25}
        style = "".join(f"{key}:{chosen.pop(key)};" for key in [*chosen] if key not in ("class", "transform")
                        and chance.random() < 0.3)
        return " ".join(f'{key}="{value}"' for key, value in {**chosen, "style": style}.items() if value)

    def thing(depth: int) -> str:
        x, y = chance.randint(0, 40), chance.randint(0, 60)
        made = [f'<rect x="{x}" y="{y}" width="2{y % 10}" height="9" rx="{x % 4}" {paint()}/>', f'<g {paint()}>%s</g>',
                f'<circle cx="{x}" cy="{y}" r="{x % 9}" {paint()}/>', f'<path d="M{x} {y}h9v{x}l-3-4z" {paint()}/>',
                f'<use href="#u" x="{x}" y="{y}" {paint()}/>', f'<line x1="{x}" x2="30" y2="{y}" {paint()}/>',
                f'<polygon points="{x},{y} 30,9 4,50" {paint()}/>', f'<g clip-path="url(#c)" {paint()}>%s</g>',
                f'<text x="{x}" y="{y}" font-size="{x % 7 + 3}" {paint()}>Words {{name}} <tspan dx="2" dy="-1" '
                f'font-weight="bold" {paint()}>{x}</tspan></text>', f'<a {paint()}>%s</a>',
                f'<svg x="{x}" width="20" height="30" viewBox="0 0 9 9"><rect width="9" height="5" {paint()}/></svg>',
                f'<ellipse id="name" cx="{x}" cy="{y}" rx="9" ry="4"/>',
                f'<rect x="{x}" width="10" height="10" mask="url(#m)"/>',
                f'<text font="italic bold 4px/5px serif" x="{x}" y="{y}" text-anchor="end">{{cost}} of {{name}}</text>']
        each = chance.choice([each for each in made if has_words or not re.search("<(text|a)", each)])
        return each.replace("%s", "".join(thing(depth + 1) for _ in range(2))) if depth < 3 else made[0]

    head = chance.choice(('width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9"', 'width="240" height="336"',
                          'viewBox="10 5 63.5 88.9"', 'width="63.5mm" height="80mm" viewBox="0 0 127 178"',
                          'width="5in" viewBox="0 0 63.5 88.9" preserveAspectRatio="xMinYMax"'))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {head}><style>.a{{fill:{chance.choice(("red", "#123"))}}} '
            '.b, g > .c{stroke:blue;stroke-width:2} rect.a{opacity:.5}</style><defs>'
            '<linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="50%" style="stop-color:#00f;'
            'stop-opacity:.5"/></linearGradient><clipPath id="c"><rect width="30" height="40"/></clipPath>'
            '<symbol id="u" viewBox="0 0 10 20"><path d="M0 0h10v20z"/></symbol>'
            '<mask id="m"><circle r="9" fill="#fff"/></mask></defs>'
            + "".join(thing(0) for _ in range(chance.randint(1, 4))) + "</svg>")


def adopt_drawings(chance: random.Random, folder: Path, _: FontBook) -> Iterator[object]:
    drawing = any_drawing(chance, chance.random() < 0.5)
    try:
        made = adopt(folder, drawing)
        yield f"{shown(weigh(numbers_of(made.template)))} {digest(made.template.encode())}"
        yield from (*made.notes, *made.bound)
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
    words = ["Draw **two** cards", "a *long* walk", "==Stop== here", "{sword} 2", "`code`", "3 * 4", "“Go”", "<b>x</b>",
             "[link](https://x.org)", "Donaudampfschifffahrtsgesellschaft", "国カードを取る", "line  \nbreak", "\\*"]
    parts = ["# Title", "## Heading {#id}", "- one\n- two\n\n  more\n- three", "1. first\n2. second\n   - inner",
             "> a note", "> **Tip** note\n>\n> more", "| a | b {sword} |\n|:-:|--:|\n| 1 | two words |\n| 3 |  |",
             "---", "### Small", "<!-- h -->", "{figure}", "x {figure}", "    code", "- [ ] t", "a\nb", "{none}"]
    text = "\n\n".join(chance.choice(parts) if chance.random() < 0.5 else " ".join(
        chance.choices(words, k=chance.randint(1, 12))) for _ in range(chance.randint(1, 8)))
    problems = Problems()
    if chance.random() < 0.7:
        found = read_markdown(Source(folder / "rules.md", text), problems)
        blocks = found.blocks
        yield from (*problems, *[found.title] * bool(found.title))
    else:
        try:
            blocks = parse_blocks(text.replace("**", "*"), {"figure": parse_blocks("> in", {})})
        except ValueError as refused:
            yield refused
            return
    booklet, warnings = fit_booklet(Booklet(title="T", running="R", lang="en", blocks=tuple(blocks), page=chance.choice(
        (Size(105, 148), Size(70, 100))), size=chance.choice((7.5, 9))), fonts)
    page = WebPageWriter(str, str).write(booklet.blocks)
    yield from warnings
    made = str(booklet.blocks).replace(str(folder), "")
    yield f"{digest(made.encode())} page {page.count('<')} {digest(page.encode())}"


ASKED: dict[str, tuple[Callable[..., Iterator[object]], int]] = {
    "pictures": (read_pictures, 80), "drawings": (adopt_drawings, 60), "texts": (set_texts, 120)}


@pytest.mark.parametrize("name", ASKED)
def test_what_many_files_become_has_not_changed(golden, tmp_path, fonts, name):
    ask, number = ASKED[name]
    lines = [f"{seed}: {line}" for seed in range(number) for line in ask(
        random.Random(f"{name} {seed}"), tmp_path, fonts)]
    golden(f"many-{name}.txt", "\n".join(lines).replace(f"{tmp_path}/", "") + "\n")
