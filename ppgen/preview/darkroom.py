"""Turns faces and pages into PNG pictures, each one once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from ppgen.engine.geometry import Size
from ppgen.engine.pictures.rasters import page_png, smaller
from ppgen.engine.typesetting import faces_pdf
from ppgen.engine.units import INCH
from ppgen.preview.album import Shot

MOST_PIXELS = 50_000_000
"""A picture with more is refused: it would take all memory, and no screen could show it."""


def pixels(size: Size, dpi: float) -> float:
    """How many pixels a picture of so many mm would have."""
    return size.width * size.height * (dpi / INCH) ** 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative:
    """A page of a PDF that pictures can be made of: ``size`` of what they show, in mm, inside the ``inset``."""

    key: str
    size: Size
    document: bytes = field(repr=False)
    page: int
    inset: float = 0.0


class Darkroom:
    """Develops pictures from negatives, and remembers both under the key of what they show.

    ``developed`` counts the pictures that were made and not remembered. May be used from several threads.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._negatives: dict[str, Negative] = {}
        self._pictures: dict[str, dict[tuple[float, ...], bytes]] = {}
        self._round = 0
        self._used: dict[str, int] = {}
        self.developed = 0

    def expose(self, shots: Iterable[Shot], fonts: Path) -> None:
        """Take in the faces that are new; many at once are set much faster than one by one."""
        shots = tuple(shots)
        new = {shot.face: shot for shot in shots if shot.key not in self._negatives}
        negatives = [Negative(key=new[face].key, size=face.size, document=document, page=page, inset=face.bleed)
                     for batch, document in faces_pdf([*new], fonts) for page, face in enumerate(batch)]
        for negative in negatives:
            self.add(negative)
        with self._lock:
            self._used.update((shot.key, self._round) for shot in shots)

    def add(self, negative: Negative) -> None:
        with self._lock:
            self._negatives[negative.key] = negative
            self._used[negative.key] = self._round

    def size(self, key: str) -> Size | None:
        """What a picture will show, in mm; None for a key that is not there."""
        with self._lock:
            return self._negatives[key].size if key in self._negatives else None

    def picture(self, key: str, dpi: float) -> bytes:
        """The PNG of a negative. Raises KeyError for a key that is not there."""
        with self._lock:
            negative = self._negatives[key]
            self._used[key] = self._round
            pictures = self._pictures.setdefault(key, {})
            if (dpi,) in pictures:
                return pictures[dpi,]
        picture = page_png(negative.document, negative.page, dpi, negative.inset)
        with self._lock:
            pictures[dpi,] = picture
            self.developed += 1
        return picture

    def all_pictures(self, keys: Sequence[str], dpi: float) -> list[bytes]:
        """The PNGs of many negatives. While one is drawn, another is packed: that needs no lock of Python's."""
        with ThreadPoolExecutor(max_workers=2) as hands:
            return [*hands.map(lambda key: self.picture(key, dpi), dict.fromkeys(keys))]

    def reduced(self, key: str, dpi: float, width: int, height: int) -> bytes:
        """A picture made smaller, to so many pixels: much quicker than to draw it anew."""
        picture = self.picture(key, dpi)
        with self._lock:
            pictures = self._pictures[key]
            if (dpi, width, height) not in pictures:
                pictures[dpi, width, height] = smaller(picture, width, height, dpi)
            return pictures[dpi, width, height]

    def tidy(self) -> None:
        """End a round: forget what was used neither in it nor in the one before."""
        with self._lock:
            for key in [key for key, used in self._used.items() if used < self._round - 1]:
                del self._used[key]
                self._negatives.pop(key, None)
                self._pictures.pop(key, None)
            self._round += 1
