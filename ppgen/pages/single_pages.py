"""Pages in one file: the scorer page and the table."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import count, groupby
from pathlib import Path

from ppgen import __version__
from ppgen.assets import SKINS
from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Point
from ppgen.engine.pdf.form_fields import subset_font
from ppgen.engine.pictures.face_pictures import FacePicture, at_dpi, crop_face, faces_webp, take_pictures
from ppgen.engine.shapes import Folded, ShapeKind
from ppgen.errors import InputError, Phrase, Problems, RequestError, join_names
from ppgen.games.interface import LEARN, TOOLS, Game, ScorerGame, TableGame, TableSetUp
from ppgen.lines import format_json
from ppgen.pages.local_server import SHIPPED
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.printing.manifest import Json
from ppgen.printing.request import BuildRequest
from ppgen.printing.workshop import Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress
from ppgen.reading.fields import read_source
from ppgen.reading.texts import Texts, languages, load_texts
from ppgen.records import dataclass, replace
from ppgen.shipped import shipped_root
from ppgen.targets.piece_pictures import (Export, ExportedFile, NamedPiece, choose_pieces, draw_all, export_facts,
                                          name_pieces)

# --- Files ---
# WOFF fonts (WOFF File Format 1.0), half as large as TrueType.

_HEADER, _ENTRY, _TABLE = ">4sIIHHIHHIIIII", ">4sIIII", ">4sIII"


def woff(program: bytes) -> bytes:
    """Convert a TrueType program to WOFF, with each table compressed. The same input gives the same bytes."""
    flavour, count = struct.unpack(">IH", program[:6])
    entries, tables = b"", b""
    offset, unpacked = 44 + 20 * count, 12 + 16 * count
    for number in range(count):
        tag, checksum, start, length = struct.unpack(_TABLE, program[12 + 16 * number:28 + 16 * number])
        table = program[start:start + length]
        packed = min(table, zlib.compress(table, 9), key=len)  # of the same length, it counts as not compressed
        entries += struct.pack(_ENTRY, tag, offset + len(tables), len(packed), length, checksum)
        tables += packed + bytes(-len(packed) % 4)
        unpacked += length + -length % 4
    header = struct.pack(_HEADER, b"wOFF", flavour, offset + len(tables), count, 0, unpacked, 1, 0, 0, 0, 0, 0, 0)
    return header + entries + tables


# Script and style: modules joined in order; scripts are minified
#
# The modules are plain scripts in the scope of one function. The page's policy allows the results by their hashes.

def join_scripts(modules: Iterable[str], starts: Iterable[str]) -> str:
    """Join modules (rjsmin allows no template in a template's placeholder) to a script that starts the pages."""
    import rjsmin  # needed by this export only

    pages = ", ".join(f"{name}()" for name in starts)
    whole = "\n".join(('(() => {\n"use strict";', *modules, f"start([{pages}]);\n}})();"))
    return str(rjsmin.jsmin(whole)) + "\n"


def join_styles(modules: Iterable[str], font: bytes) -> str:
    """Join modules to one style with the embedded font KK."""
    joined = re.sub(r"/\*.*?\*/|\s*([{};]|\s)\s*", r"\1", "\n".join(modules), flags=re.DOTALL).strip()
    source = f"data:font/woff;base64,{base64.b64encode(woff(font)).decode()}"
    return f"@font-face{{font-family:KK;font-weight:700;src:url({source})}}\n{joined}\n"


def policy(script: str, style: str, *sources: str) -> str:
    """Return the content security policy of a page with this script and style, and further ``sources``."""
    return "; ".join(("default-src 'none'", f"script-src {_hash(script)}", f"style-src {_hash(style)}", *sources,
                      "base-uri 'none'", "form-action 'none'"))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# --- Skeleton ---

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def fill_in(skeleton: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda match: values[match[1]], skeleton)


def data_block(name: str, data: object) -> str:
    """Write data for the script to read from the element with this id."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


# --- Scorer page ---
# Scorer page: one HTML file with games, texts and scripts that scores on a phone, and its companions on the web.

HOME = Path("scorer")  # folder of the page's templates, in the shipped templates folder and in that of each game there
TEXT_TABLES = frozenset(("scorer", "page", "explain", "results", "counted", "places", "wrong", "countries", "tally",
                         "score", "scoring", "label", "row", "entry", "verdict"))
"""Tables of the texts that the page's scripts use; ``label`` and those behind it are a deck's."""
PLAIN = "".join(map(chr, range(0x20, 0x7F)))
_ID = re.compile(r"""(\bid="|href="\#|url\(\#)([^")]+)""")
_ROOT = re.compile(r"<svg[^>]*>(.*)</svg>\s*", re.DOTALL)
_LONG_PATH = re.compile(r'<path((?: (?!id=|d=)[\w-]+="[^"]*")*) d="([^"]{30,})"((?: (?!id=)[\w-]+="[^"]*")*) ?/>')
"""A path worth sharing with other signs. One with an id may be used in a clip path, which may not use another."""
NAMED_TABLES = frozenset(("wrong", "score", "scoring"))
"""Tables of the texts whose keys stand as they are in scripts and data; most others' are put together there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Material of a page."""

    skeleton: str  # its HTML with `{{placeholders}}`
    worker: str  # the service worker
    styles: Sequence[str]
    scripts: Sequence[str]
    starts: Sequence[str]  # functions that make the games' pages from their data
    data: Mapping[str, Json]
    texts: Mapping[str, Mapping[str, Mapping[str, str]]]  # words by language and game; common ones under ""
    names: Mapping[str, str]
    signs: Mapping[str, Face]  # drawn faces by name
    font: bytes  # a TrueType program with the letters of titles
    name: str  # of the page's file
    store: str  # key of its entry in the browser's storage


def gather_material(workshops: Sequence[Workshop], first: str = "") -> Material:
    """Read and draw the games' material in all their common languages. Raises InputError, RequestError.

    The ``first`` language, if any, must be one of them.
    """
    games = {workshop.game.id: _page_of(workshop) for workshop in workshops}
    langs = _languages(workshops, games)
    if first and first not in langs:
        raise RequestError.at("--lang", Phrase("not_page_language", lang=first),
                              Phrase("one_of", message=join_names(langs)))
    home = workshops[0].assets.common_templates / HOME
    folders = [Path(workshop.game.folder) / HOME for workshop in workshops]
    modules = {workshop.game.id: _files(workshop, folder, "js")
               for workshop, folder in zip(workshops, folders, strict=True)}
    house = _files(workshops[0], HOME / "script", "js")
    skins = [Path(SKINS) / folder.name / HOME for folder in workshops[0].templates.folders[:-1]]  # before the others
    texts = {lang: {workshop.game.id: (games[workshop.game.id].words or workshop.texts)(lang) for workshop in workshops}
             for lang in langs}
    scripts = list(dict.fromkeys(source for page in games.values() for source in page.scripts))
    scripts += [*house, *(text for own in modules.values() for text in own)]
    data = {game: dict(page.data) for game, page in games.items()}
    words = _words_by_game(texts, "".join((*scripts, json.dumps(data))))
    return Material(
        skeleton=read_source(home, "page.html").text, worker=read_source(home, "worker.js").text,
        styles=[text for folder in (HOME / "style", *folders, *skins) for text in _files(workshops[0], folder, "css")],
        scripts=scripts, starts=[page.start for page in games.values()], data=data, texts=words,
        names={lang: next(iter(own.values()))("language.name") for lang, own in texts.items()},
        signs=_draw_signs(workshops, games), font=_title_font(workshops[0], words.values()),
        name=page_name(workshops),
        store=f"{workshops[0].game.id}/{STORE}" if workshops[0].game.deck else STORE)


def face_svg(face: Face, name: str) -> str:
    """Convert the face's drawing to a symbol; the ids in it become the name and a number."""
    match = _ROOT.fullmatch(face.svg)
    assert match, f"{name} is not an SVG"
    numbers: dict[str, int] = {}
    inside = _ID.sub(lambda found: f"{found[1]}{name}.{numbers.setdefault(found[2], len(numbers))}", match[1])
    inside = re.sub(r">\s+<", "><", re.sub(r"\s+", " ", inside)).strip()
    return f'<symbol id="{name}" viewBox="0 0 {face.size.width:g} {face.size.height:g}">{inside}</symbol>'


def _share_paths(symbols: str) -> str:
    """Let each long path stand once in the element ``shapes``: lions are the same on all arms."""
    uses = Counter(match[2] for match in _LONG_PATH.finditer(symbols))
    names = {path: f"shape-{number}" for number, path in enumerate(path for path, count in uses.items() if count > 1)}
    shapes = "".join(f'<path id="{name}" d="{path}"/>' for path, name in names.items())
    shared = _LONG_PATH.sub(lambda match: f'<use href="#{names[match[2]]}"{match[1]}{match[3]}/>'
                            if match[2] in names else match[0], symbols)
    return f'<defs id="shapes">{shapes}</defs>{shared}'


def _page_of(workshop: Workshop) -> ScorerGame:
    if not workshop.game.scorer:
        raise RequestError.at("--game", Phrase("not_scored", name=workshop.game.id), Phrase("scored_game"))
    return workshop.game.scorer(workshop.assets.common("locales"))


def _languages(workshops: Sequence[Workshop], games: Mapping[str, ScorerGame]) -> tuple[str, ...]:
    """Return the languages of all the games. Raises InputError if there are none."""
    known = [languages(each.assets.common("locales") if games[each.game.id].words else
                       each.assets.game(each.game.folder) / "locales") for each in workshops]
    common = tuple(lang for lang in known[0] if all(lang in each for each in known))
    if not common:
        raise InputError.at("locales", "the games have no language in common",
                            f"add the missing ones of {join_names(known[0])}")
    return common


def _words_by_game(texts: Mapping[str, Mapping[str, Texts]], source: str) -> dict[str, dict[str, dict[str, str]]]:
    """Return the texts that the page's ``source`` uses, by language and game; those equal in all games under ""."""
    named = set(re.findall(rf"\b(?:{'|'.join(NAMED_TABLES)})\.[\w.]+", source))

    def is_used(key: str) -> bool:
        table = key.partition(".")[0]
        return table in TEXT_TABLES and (table not in NAMED_TABLES or key in named)

    own = {lang: {game: {key: words for key, words in each.words.items() if is_used(key)}
                  for game, each in games.items()} for lang, games in texts.items()}
    alike = [{key for key in next(iter(games.values())) if len({each.get(key) for each in games.values()}) == 1}
             for games in own.values()]
    common = set.intersection(*alike)
    return {lang: {"": {key: words for key, words in next(iter(games.values())).items() if key in common},
                   **{game: {key: words for key, words in each.items() if key not in common}
                      for game, each in games.items()}} for lang, games in own.items()}


def _files(workshop: Workshop, folder: Path, ending: str) -> list[str]:
    """Read the shipped modules of a folder, sorted by name."""
    home = workshop.assets.common_templates / folder
    return [read_source(home, path.name).text for path in sorted(home.glob(f"*.{ending}"))]


def _draw_signs(workshops: Sequence[Workshop], games: Mapping[str, ScorerGame]) -> dict[str, Face]:
    """Draw the signs of all the games, each from the first game that has it. Raises InputError with every problem."""
    problems, found = Problems(), dict[str, Face]()
    for workshop in workshops:
        studio = replace(workshop.studio(workshop.texts(workshop.game.lang), "full"), marked=False)
        for name, request in games[workshop.game.id].signs.items():
            if name not in found:
                try:
                    found[name] = studio.draw(request, 0, f"[scorer {name}]")
                except InputError as error:
                    problems.extend(error.problems)
    problems.raise_if_any()
    return found


def _title_font(workshop: Workshop, words: Iterable[Mapping[str, Mapping[str, str]]]) -> bytes:
    """Subset the title font to the letters of all texts, without digits: its 1 reads as an I."""
    letters = {*PLAIN, *(letter for each in words for table in each.values() for text in table.values()
                         for letter in text)}
    font = workshop.fonts.styles["title"][0]
    return subset_font(font, sorted(letter for letter in letters if not letter.isdigit())).program


# --- The page, and its companions on the web ---

SCORER_FOLDER, STORE = "scorer", "ppgen-scorer"
SITE_PAGE = "index"  # name of the page on a site, where its folder is its address
ICONS = (192, 512)  # sizes of the app's icons, in pixels
GROUND = "#F6EDD9"
SOURCES = "img-src data: blob:", "font-src data:", "manifest-src 'self'", "worker-src 'self'"


def page_name(workshops: Sequence[Workshop]) -> str:
    """The name of the page's file without its suffix: that of the deck, or of the shipped games."""
    game = workshops[0].game
    return game.id if game.deck else SHIPPED


def compose_page(material: Material, first: str = "", site: Sequence[str] = ()) -> str:
    """Compose the page in the ``first`` or the device's language; it links to a ``site`` in these languages."""
    script, style = join_scripts(material.scripts, material.starts), join_styles(material.styles, material.font)
    opened = first or next(iter(material.texts))
    words = material.texts[opened][""]
    icon = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 120 120">{_inside(_arms(material))}</svg>'
    values = {
        "lang": opened, "first": first, "languages": " ".join(material.texts), "site": " ".join(site),
        "version": f"ppgen {__version__}", "file": material.name, "store": material.store,
        "names": " ".join(name.replace(" ", "_") for name in material.names.values()),
        "title": words["scorer.title"], "noscript": words["scorer.noscript"], "policy": policy(script, style, *SOURCES),
        "icon": f"data:image/svg+xml;base64,{base64.b64encode(icon.encode()).decode()}"}
    parts = {"style": style, "script": script, "data": "\n".join(_data(material)),
             "signs": _share_paths("".join(face_svg(face, name) for name, face in material.signs.items()))}
    escaped = {name: escape(value) for name, value in values.items()}
    return fill_in(material.skeleton, escaped | parts)


def companion_files(material: Material, page: str, page_name: str, workshop: Workshop) -> Iterator[BuiltFile]:
    """Yield web manifest, icons and service worker of a page, whose file has this name."""
    words = next(iter(material.texts.values()))[""]
    icon = _icon_face(material)
    names = [f"icon-{side}.png" for side in ICONS]
    pictures = [FacePicture(face=icon, width=side, height=side, dpi=72) for side in ICONS]
    yield _file("manifest.webmanifest", format_json({
        "name": words["scorer.title"], "short_name": words["scorer.title"], "start_url": f"{page_name}.html",
        "scope": "./", "display": "standalone", "background_color": GROUND, "theme_color": GROUND,
        "icons": [{"src": name, "sizes": f"{side}x{side}", "type": "image/png", "purpose": "any maskable"}
                  for name, side in zip(names, ICONS, strict=True)]}))
    folder = ["./"] if page_name == SITE_PAGE else []
    kept = json.dumps([*folder, f"{page_name}.html", "manifest.webmanifest", *names])
    yield _file("worker.js", fill_in(material.worker, {
        "name": hashlib.sha256(page.encode()).hexdigest()[:16], "files": kept}))
    for name, content in zip(names, take_pictures(pictures, workshop.fonts.folder), strict=True):
        yield BuiltFile(path=f"{SCORER_FOLDER}/{name}", content=content)


def _data(material: Material) -> Iterator[str]:
    """Yield data blocks; the page parses each on first use."""
    for game, data in material.data.items():
        yield data_block(f"game-{game}", data)
    keys = {game: sorted(words, key=lambda key: key.rpartition("."))
            for game, words in next(iter(material.texts.values())).items()}
    yield data_block("texts", {game: {table: [key.rpartition(".")[2] for key in own] for table, own in groupby(
        known, lambda key: key.rpartition(".")[0])} for game, known in keys.items()})
    for lang, texts in material.texts.items():
        yield data_block(f"texts-{lang}", {game: [texts[game][key] for key in known] for game, known in keys.items()})


def _icon_face(material: Material) -> Face:
    """Icon: the arms of the first game on vellum, small enough for masks of any shape."""
    arms = _arms(material)
    side = max(arms.size.width, arms.size.height) * 1.75
    x, y = (side - arms.size.width) / 2, (side - arms.size.height) / 2
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side:g} {side:g}">'
           f'<rect x="0" y="0" width="{side:g}" height="{side:g}" fill="{GROUND}"/>'
           f'<g transform="translate({x:g} {y:g})">{_inside(arms)}</g></svg>')
    return Face(svg=svg, size=type(arms.size)(side, side), bleed=0)


def _arms(material: Material) -> Face:
    return next(face for name, face in material.signs.items() if name.startswith(("arms-", "badge")))


def _inside(face: Face) -> str:
    return face.svg[face.svg.index(">") + 1:face.svg.rindex("</svg>")]


def _file(name: str, text: str) -> BuiltFile:
    return BuiltFile(path=f"{SCORER_FOLDER}/{name}", content=text.encode())


# --- Export ---

def scorer_page(workshops: Sequence[Workshop], first: str = "") -> str:
    """Make the page of these games, which opens in the ``first`` language. Raises InputError, RequestError."""
    return compose_page(gather_material(workshops, first), first)


def export_scorer(workshops: Sequence[Workshop], first: str = "", site: Sequence[str] = ()) -> list[BuiltFile]:
    """Make the page and its companions, for a ``site``, if any. Raises what :func:`scorer_page` raises."""
    material = gather_material(workshops, first)
    page, name = compose_page(material, first, site), SITE_PAGE if site else material.name
    return [_file(f"{name}.html", page), *companion_files(material, page, name, workshops[0])]


# --- Table ---
# A table to play on: one HTML page with all pieces of a set, to move, flip, turn and shuffle. It asks no network.

TABLE, PREFIX = "table", "table."
DPI, LONGEST_PX, QUALITY = 150, 1600, 76  # resolution of pictures, the most pixels of a side, and the quality of WebP
USUAL_DEAL = 5

_Kind = tuple[Component, str, Sequence[Face]]  # component, name of one of its part, faces: six of a die, else two


def export_table(workshop: Workshop, request: BuildRequest, links: Sequence[tuple[str, str]] = ()
                 ) -> tuple[Export, ...]:
    """Export the table of each language; ``links`` are words and addresses. Raises InputError."""
    exports = []
    drawn = draw_all(workshop, request, choose_pieces(workshop, request), lambda *_: 0.0)
    for texts, parts in drawn:
        name = f"{workshop.game.id}-{texts.lang}" if len(drawn) > 1 else workshop.game.id
        kinds = [(piece.component, texts.words.get(f"{PREFIX}piece_{part.part.name}", part.part.title), _sides(piece))
                 for part in parts for piece in name_pieces(part)]
        faces = list(dict.fromkeys(face for *_, sides in kinds for face in sides))
        page = partial(_write_page, workshop, texts, parts, kinds, faces, f"{TABLE}/{name}.html", links)
        exports.append(Export(folder=TABLE, facts=export_facts("table", workshop.game, texts.lang, request),
                              pictures=len(faces), files=page))
    return tuple(exports)


def _sides(piece: NamedPiece) -> Sequence[Face]:
    net, front = piece.component.net, piece.front.face
    if net and net.kind is Folded.DIE:
        return [crop_face(front, net.panels[str(value)]) for value in range(1, 7)]
    if net:  # a figure lies on the table with its front up
        front = crop_face(front, net.panels["front"], "front" in net.turned)
    return [front, piece.back.face] if piece.back else [front]


def _write_page(workshop: Workshop, texts: Texts, parts: Sequence[DrawnPart], kinds: Sequence[_Kind],
                faces: Sequence[Face], path: str, links: Sequence[tuple[str, str]],
                watch: Progress) -> Iterator[ExportedFile]:
    number = dict(zip(faces, count()))
    shots = [at_dpi(face, min(DPI, LONGEST_PX * 25.4 / max(face.size.width, face.size.height))) for face in faces]
    pictures = [base64.b64encode(content).decode()
                for content in faces_webp(shots, workshop.fonts.folder, QUALITY, watch)]
    places = {component.id: n for n, (component, *_) in enumerate(kinds)}
    game = workshop.game.table()
    own_parts = [part.part for part in parts]
    locales = shipped_root() / "data" / "locales"
    say = load_texts(texts.lang if texts.lang in languages(locales) else "en", [locales])
    data = {"id": f"{workshop.game.id}-{texts.lang}", "each": USUAL_DEAL, "pictures": pictures,
            "kinds": [_describe(*kind, [number[side] for side in kind[-1]]) for kind in kinds],
            "words": {**{key.removeprefix(PREFIX): text for key, text in say.words.items() if key.startswith(PREFIX)},
                      "join": say.words["results.list"]},
            "tools": game.tools, "more": [tool for tool in TOOLS if tool not in game.tools], "links": links,
            "learn": _describe_steps(workshop.game, texts, game, places),
            "setups": {players: _lay_out(game, players, own_parts, places)
                       for players in range(game.least, game.most + 1)}}
    home = shipped_root() / "templates" / "table"
    page, style, script = ((home / name).read_text(encoding="utf-8")
                           for name in ("page.html", "style.css", "script.js"))
    values = {"title": texts("game.title"), "lang": say.lang, "version": f"ppgen {__version__}",
              **{key: say(f"table.{key}") for key in (
                  "help", "list", "acts", "more", "note_keep", "learn", "learn_back", "learn_close", "noscript")}}
    page = fill_in(page, {**{name: escape(value) for name, value in values.items()},
                          "policy": policy(script, style, "img-src blob:"), "style": style, "script": script,
                          "data": data_block("data", data)})
    yield ExportedFile(file=BuiltFile(path=path, content=page.encode()), facts={})


def _lay_out(game: TableGame, players: int, parts: Sequence[Part], places: Mapping[str, int]) -> Json:
    found: TableSetUp = game.set_up(players, parts)
    return {"rows": [round(y, 2) for y in found.rows],
            "seats": [[round(side, 2) for side in (seat.x, seat.y, seat.width, seat.height)] for seat in found.seats],
            "pieces": [[places[id], round(each.x, 2), round(each.y, 2), each.up, each.mix,
                        -1 if each.hand is None else each.hand, each.fixed]
                       for each in found.places for id in each.pieces]}


def _describe_steps(game: Game, texts: Texts, table: TableGame, places: Mapping[str, int]) -> list[Json]:
    """The steps of the first turns: text, kinds to show, and moves of kinds to ``[x, y]``, a seat or kinds."""
    kinds = {id: [number] for id, number in places.items()}
    for record in game.describe():
        number = places.get(str(record["id"]))
        if number is not None and record["kind"] not in places:
            kinds.setdefault(str(record["kind"]), []).append(number)

    def place(to: Point | int | str) -> Json:
        spot = table.spots.get(to) if isinstance(to, str) else to
        if isinstance(spot, Point):
            return {"at": [round(spot.x, 2), round(spot.y, 2)]}
        return {"seat": to - 1} if isinstance(to, int) else {"on": kinds.get(str(to), [])}

    return [{"text": texts.words[f"{LEARN}.{step.name}"],
             "show": [number for name in step.show for number in kinds.get(name, ())],
             "move": [[kinds[name], place(to)] for name, to in step.move if name in kinds]}
            for step in table.learn]


def _describe(component: Component, part: str, sides: Sequence[Face], pictures: Sequence[int]) -> Json:
    is_die, size = len(sides) > 2, sides[0].size
    return {"id": component.id, "title": component.title or component.id, "part": part,
            "told": component.description.splitlines(), "w": size.width, "h": size.height,
            "cut": component.shape.kind not in (ShapeKind.RECTANGLE, ShapeKind.ROUNDED),
            "front": 0 if is_die else pictures[0],
            "back": pictures[1] if len({*pictures}) == 2 and not is_die else None,  # tokens are alike on both sides
            "faces": pictures if is_die else []}
