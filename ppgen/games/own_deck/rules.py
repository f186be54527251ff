"""Turns the rules that somebody wrote for a deck of their own into a booklet with pictures of its pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppgen.engine.booklets.document import Booklet, Figure, Heading, Picture, measure_of
from ppgen.engine.booklets.prose import written_blocks
from ppgen.engine.component import Part
from ppgen.engine.geometry import Rect, Size
from ppgen.reading.texts import Texts

FOLDER = "rules"
SHOWN = 5
"""So many pieces of a part stand in its picture, evenly spread over the part."""
GAP = 4.0
"""Between the pieces of a picture, in mm."""
LARGEST = 0.55
"""So large, of their true size, are the pieces in a picture at most."""


def rules(texts: Texts, parts: Sequence[Part], page: Size, ink: str) -> Booklet:
    """The booklet of ``rules.text.body``; a line ``{cards}`` stands for a picture of the part ``cards``.

    Raises InputError for a line that names no part.
    """
    name, title = texts("rules.book.name"), texts("game.title")
    pictures = {part.name.replace("-", "_"): (_picture(part, measure_of(page)),) for part in parts if not part.pages}
    blocks = (Heading(title), *written_blocks(texts, "rules.text.body", pictures, {}))
    return Booklet(title=f"{title}: {name}", running=f"{title} · {name}", lang=texts.lang, page=page, blocks=blocks,
                   author=texts("game.author"), ink=ink)


def _picture(part: Part, measure: float) -> Figure:
    """Some pieces of a part in a row, as large as the page allows."""
    spread = max(1, len(part.components) // SHOWN)
    shown = part.components[::spread][:SHOWN]
    width = sum(piece.size.width for piece in shown)
    height = max(piece.size.height for piece in shown)
    scale = min((measure - GAP * (len(shown) - 1)) / width, LARGEST)
    left = (measure - width * scale - GAP * (len(shown) - 1)) / 2

    def pictures() -> Iterator[Picture]:
        x = left
        for piece in shown:
            box = Rect(x, (height - piece.size.height) * scale / 2, piece.size.width * scale, piece.size.height * scale)
            yield Picture(request=piece.front, box=box, corner=2.5 * scale)
            x = box.right + GAP

    return Figure(size=Size(measure, height * scale), parts=tuple(pictures()),
                  alt=", ".join(dict.fromkeys(piece.title or piece.id for piece in shown)))
