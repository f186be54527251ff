"""Parts of any names, sizes and numbers, drawn plainly, and what is asked of their export."""

from __future__ import annotations

import io

from PIL import Image

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Format, Size
from ppgen.printing.request import BuildRequest
from ppgen.targets.piece_pictures import Export

TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">
  <rect x="{{ face.all.x }}" y="{{ face.all.y }}" width="{{ face.all.width }}" height="{{ face.all.height }}"
    fill="{{ colour }}"/>
  <rect x="0" y="0" width="{{ face.width }}" height="{{ face.height / 4 }}" fill="#000000"/>
</svg>
"""
POKER = Size(63.5, 88.9)


def piece(id: str, size: Size = POKER, colour: str = "#FF0000", back: FaceRequest | None = None,
          copies: int = 1) -> Component:
    """A piece of one colour with a black bar at its top."""
    return Component(id=id, title=id.title(), copies=copies, back=back, front=face(size, colour))


def face(size: Size = POKER, colour: str = "#0000FF") -> FaceRequest:
    return FaceRequest(template="plain.svg.j2", size=size, values={"colour": colour})


def part(name: str, *components: Component, stock: Stock = Stock.CARD) -> Part:
    return Part(name=name, title=name.title(), components=components, stock=stock)


def asked(**more: object) -> BuildRequest:
    card = Format("poker", POKER)
    return BuildRequest(**{"langs": ("en",), "papers": (), "card_size": card, "usual_card": card, **more})


def contents(exports: tuple[Export, ...]) -> dict[str, bytes]:
    """All files of all exports."""
    return {made.file.path: made.file.content for export in exports for made in export.files(lambda *_: None)}


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))
