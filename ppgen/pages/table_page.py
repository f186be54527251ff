"""A table to play on: one HTML page with all pieces of a set, to move, flip, turn and shuffle. It asks no network."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import count

from ppgen import __version__
from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Point
from ppgen.engine.pictures.face_pictures import at_dpi, crop_face, faces_webp
from ppgen.engine.shapes import Folded, ShapeKind
from ppgen.games.interface import LEARN, TOOLS, Game, TableGame, TableSetUp
from ppgen.pages.single_page import data_block, fill_in, policy
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.printing.manifest import Json
from ppgen.printing.request import BuildRequest
from ppgen.printing.workshop import Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress
from ppgen.reading.texts import Texts, languages, load_texts
from ppgen.shipped import shipped_root
from ppgen.targets.piece_pictures import (Export, ExportedFile, NamedPiece, choose_pieces, draw_all, export_facts,
                                          name_pieces)

FOLDER, WORDS = "table", "table."
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
        kinds = [(piece.component, texts.words.get(f"{WORDS}piece_{part.part.name}", part.part.title), _sides(piece))
                 for part in parts for piece in name_pieces(part)]
        faces = list(dict.fromkeys(face for *_, sides in kinds for face in sides))
        page = partial(_write_page, workshop, texts, parts, kinds, faces, f"{FOLDER}/{name}.html", links)
        exports.append(Export(folder=FOLDER, facts=export_facts("table", workshop.game, texts.lang, request),
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
    say = _words(texts.lang)
    data = {"id": f"{workshop.game.id}-{texts.lang}", "each": USUAL_DEAL, "pictures": pictures,
            "kinds": [_describe(*kind, [number[side] for side in kind[-1]]) for kind in kinds],
            "words": {key.removeprefix(WORDS): text for key, text in say.words.items() if key.startswith(WORDS)},
            "tools": game.tools, "more": [tool for tool in TOOLS if tool not in game.tools], "links": links,
            "learn": _describe_steps(workshop.game, texts, game, places),
            "setups": {players: _lay_out(game, players, own_parts, places)
                       for players in range(game.least, game.most + 1)}}
    page = _fill(texts, say, data)
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
            "told": component.description.replace("\n", ", "), "w": size.width, "h": size.height,
            "cut": component.shape.kind not in (ShapeKind.RECTANGLE, ShapeKind.ROUNDED),
            "front": 0 if is_die else pictures[0],
            "back": pictures[1] if len({*pictures}) == 2 and not is_die else None,  # tokens are alike on both sides
            "faces": pictures if is_die else []}


def _words(lang: str) -> Texts:
    """The words of the page, in English for languages that ppgen does not speak."""
    folder = shipped_root() / "data" / "locales"
    return load_texts(lang if lang in languages(folder) else "en", [folder])


def _fill(texts: Texts, say: Texts, data: Mapping[str, object]) -> str:
    home = shipped_root() / "templates" / "table"
    page, style, script = ((home / name).read_text(encoding="utf-8")
                           for name in ("page.html", "style.css", "script.js"))
    values = {"title": texts("game.title"), "lang": say.lang, "version": f"ppgen {__version__}",
              **{key: say(f"table.{key}") for key in (
                  "help", "list", "acts", "more", "note_keep", "learn", "learn_back", "learn_close", "noscript")}}
    return fill_in(page, {**{name: escape(value) for name, value in values.items()},
                          "policy": policy(script, style, "img-src blob:"), "style": style, "script": script,
                          "data": data_block("data", data)})
