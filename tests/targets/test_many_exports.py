"""What shops and tables get of many random parts, as a record: names, sizes, counts, notes and saved objects; pictures
by what is asked of them. ``pytest --update-golden`` writes it anew."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from ppgen import __version__
from ppgen.engine.component import GRID, TILED, Component, Part, Stock
from ppgen.engine.geometry import Size
from ppgen.engine.pictures.face_pictures import FacePicture
from ppgen.engine.shapes import CIRCLE, HEXAGON, OCTAGON, RECTANGLE, Net, die, standee, tent
from ppgen.errors import InputError
from ppgen.printing.workshop import Workshop
from ppgen.records import replace
from ppgen.shipped import shipped_root
from ppgen.targets import piece_pictures, shop_files, virtual_tables
from ppgen.targets.piece_pictures import Export, export_contact, export_png
from ppgen.targets.shop_files import export_for_shop, product_format, read_shops
from ppgen.targets.virtual_tables import TableSave, exchange_pieces, export_tabletopia, export_tts
from tests.golden.records import digest
from tests.targets.plain_game import POKER, asked, face, piece

SHOPS = read_shops(shipped_root() / "data")


def any_parts(chance: random.Random) -> Iterator[Part]:
    for n in range(chance.randint(1, 3)):
        size = chance.choice((POKER, POKER, Size(44, 68), Size(89, 51), Size(22, 25), Size(70, 70), Size(300, 210)))
        shape, pieces = chance.choice((RECTANGLE, RECTANGLE, CIRCLE, HEXAGON, OCTAGON)), list[Component]()
        alike = chance.random() < 0.5
        nets: list[Net | None] = [standee(Size(25, 45), 10), tent(40, 18, 25, 7), die(16)]
        net = chance.choice([*[None] * 15, *nets])
        size, shape = (net.size, net.shape) if net else (size, shape)
        for m in range(chance.choice((1, 2, 3, 10, 13))):
            id = f"part {n}" if not m and chance.random() < 0.3 else f"p{n}-{m}"
            made = piece(id, size, chance.choice(("#FF0000", "#00FF00")), copies=chance.choice((1, 1, 2, 11)))
            back = None if net or chance.random() < 0.3 else replace(face(size, "#0000FF" if alike else chance.choice((
                "#0000FF", "#FFFF00"))), shape=shape)
            front = replace(made.front, shape=shape, values={**made.front.values, **({"net": net} if net else {})})
            pieces.append(replace(made, front=front, back=front if back and chance.random() < 0.1 else back,
                                  family=chance.choice(("", "", "Gems")), colour=chance.choice(("", "", "#aa0000"))))
        yield Part(name=f"part {n}", title=f"Part {n}", components=tuple(pieces), layout=chance.choice((
            GRID, GRID, TILED)), stock=chance.choice((Stock.CARD, Stock.CARD, Stock.BOARD, Stock.FOLDED)))


def describe(each: FacePicture) -> bytes:
    return f"{each.width}×{each.height} {each.dpi:.3f} {each.on_paper} {each.turn} {each.corner:.3f}\n".encode()


def export(name: str, game: Workshop, chance: random.Random, exchange: Callable[..., object]) -> tuple[Export, ...]:
    if name not in SHOPS:
        return (export_tabletopia(game, asked()) if name == "tabletopia" else
                export_tts(game, asked(), chance.choice(("", "https://x.org/a")), exchange) if name == "tts" else
                export_contact(game, asked()) if name == "contact" else
                export_png(game, asked(), chance.choice((37, 37, 5000)), chance.choice((0, 2)),
                           chance.choice((0, 3, 19))))
    product = chance.choice(SHOPS[name].cards)
    size = product_format(product)
    return export_for_shop(game, asked(card_size=size, usual_card=size), SHOPS[name], product)


def test_what_shops_and_tables_get_of_many_parts_has_not_changed(golden, plain, tmp_path, monkeypatch):
    for module in (piece_pictures, virtual_tables):
        monkeypatch.setattr(module, "take_pictures", lambda pictures, _: map(describe, pictures))
    monkeypatch.setattr(virtual_tables, "contact_print", lambda contents, *given: repr((contents, given)).encode())
    monkeypatch.setattr(piece_pictures, "document_pdf", lambda _, inputs, fonts: inputs["sheet"].encode())
    monkeypatch.setattr(piece_pictures, "page_png", lambda sheet, _, dpi: bytes(24) + sheet + f"{dpi:.3f}".encode())
    monkeypatch.setattr(shop_files, "layers_pdf", lambda faces, _: faces)
    monkeypatch.setattr(shop_files, "card_pages", lambda pages, faces, info, dpi: "\n".join((
        f"{len(faces)} {dpi} {info.bookmarks} {info.title}",
        *(f"{page.turn} {page.face.size}" for page in pages))).encode())
    lines, saved, usual = list[str](), list[Any](), plain()
    kinds = [*SHOPS, "tts", "png", "contact", "tts", "tabletopia"]

    def seal(text: str) -> str:
        return digest(text.replace(Path.cwd().as_uri(), "HERE").replace(__version__, "VERSION").encode())

    for seed in range(120):
        chance, steps, name = random.Random(f"export {seed}"), list[object](), kinds[seed % len(kinds)]
        parts = tuple(any_parts(chance))
        game = replace(usual, game=replace(usual.game, parts=lambda *_, parts=parts: parts))
        try:
            exports = export(name, game, chance, saved.append)
        except InputError as refused:
            lines.append(f"{seed} {name}: {refused}")
            continue
        for made in exports:
            lines += map(str, (f"{seed} {made.folder}: {made.pictures}", *made.left_out, *made.warnings, *made.hints))
            files = [*made.files(lambda *step, steps=steps: steps.append(step))]
            for ending in (".png", ".pdf", ".json", ".txt", ".obj"):
                text = "\n".join(f"{file.file.path} {file.facts} {file.file.content.decode()}" for file in files
                                 if file.file.path.endswith(ending))
                lines += (f"{ending} {text.count(chr(10))} lines {seal(text)}",) * bool(text)
            lines.append(seal(f"{made.facts} {steps}"))
    for n, (before, after) in enumerate(pairwise(saved)):
        (path := tmp_path / "save.json").write_text(json.dumps({"ObjectStates": before}), encoding="utf-8")
        save = TableSave.read(path)
        with suppress(InputError):
            lines.append(str(exchange_pieces(save, after, is_complete=n % 5 > 0)))
            lines.append(seal(save.dump().decode()))
    golden("many-exports.txt", "\n".join(lines).replace(str(Path.cwd()), "HERE") + "\n")
