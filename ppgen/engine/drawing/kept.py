"""Turns faces, and the texts that their templates asked for, into bytes that are kept between runs, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ppgen.engine.drawing.anchors import Anchor
from ppgen.engine.geometry import Seams


def written(svg: str, edge: str, anchors: Mapping[str, Anchor], seams: Seams,
            asked: Mapping[str, Iterable[str]]) -> bytes:
    """A line with a face, but for its size and bleed, and what was said under each key that was asked for; its SVG."""
    about = json.dumps({
        "edge": edge, "seams": [seams.x, seams.y],
        "anchors": {name: [each.x, each.y, each.turn] for name, each in anchors.items()},
        "asked": {key: sorted(said) for key, said in asked.items()}})
    return f"{about}\n{svg}".encode()


def read(content: bytes) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """The fields of the face, and what was said."""
    about, _, svg = content.decode().partition("\n")
    kept = json.loads(about)
    return {"svg": svg, "edge": kept["edge"], "seams": Seams(*map(tuple, kept["seams"])),
            "anchors": {name: Anchor(*numbers) for name, numbers in kept["anchors"].items()}}, kept["asked"]
