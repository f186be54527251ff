"""Turns the page's material into the finished HTML file, and into what lies beside it on web space."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping

from ppgen import __version__
from ppgen.engine.drawing.face import Face
from ppgen.engine.pictures.faces import Picture, take_pictures
from ppgen.export.scorer.bundle import policy, script_of, style_of
from ppgen.export.scorer.gather import Material, svg_of
from ppgen.production.built import BuiltFile
from ppgen.production.manifest import Json
from ppgen.production.workshop import Workshop

PAGE, FOLDER = "kardinal-koenig.html", "scorer"
ICONS = (192, 512)
"""The sides of the app's icons, in pixels."""
GROUND = "#F6EDD9"

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def page_of(material: Material, first: str = "") -> str:
    """The page. It opens in the ``first`` language, or else in that of the device."""
    script, style = script_of(material.scripts, material.starts), style_of(material.styles, material.font)
    opened = first or next(iter(material.texts))
    words = material.texts[opened][""]
    values = {
        "lang": opened, "first": first, "languages": " ".join(material.texts), "version": f"ppgen {__version__}",
        "names": " ".join(name.replace(" ", "_") for name in material.names.values()),
        "title": words["scorer.title"], "noscript": words["scorer.noscript"], "policy": policy(script, style),
        "icon": f"data:image/svg+xml;base64,{base64.b64encode(_icon(material).encode()).decode()}"}
    parts = {"style": style, "script": script, "data": "\n".join(_data(material)),
             "signs": "".join(svg_of(face, name) for name, face in material.signs.items())}
    escaped = {name: html.escape(value) for name, value in values.items()}
    return _filled(material.skeleton, escaped | parts)


def beside(material: Material, page: str, workshop: Workshop) -> Iterator[BuiltFile]:
    """The manifest, icons and service worker for web space."""
    words = next(iter(material.texts.values()))[""]
    icon = _icon_face(material)
    names = [f"icon-{side}.png" for side in ICONS]
    pictures = [Picture(face=icon, width=side, height=side, dpi=72) for side in ICONS]
    yield _file("manifest.webmanifest", _dumped({
        "name": words["scorer.title"], "short_name": words["scorer.title"], "start_url": PAGE, "scope": "./",
        "display": "standalone", "background_color": GROUND, "theme_color": GROUND,
        "icons": [{"src": name, "sizes": f"{side}x{side}", "type": "image/png", "purpose": "any maskable"}
                  for name, side in zip(names, ICONS, strict=True)]}))
    kept = json.dumps([PAGE, "manifest.webmanifest", *names])
    yield _file("worker.js", _filled(material.worker, {
        "name": hashlib.sha256(page.encode()).hexdigest()[:16], "files": kept}))
    for name, content in zip(names, take_pictures(pictures, workshop.fonts.folder), strict=True):
        yield BuiltFile(path=f"{FOLDER}/{name}", content=content)


def page_file(page: str) -> BuiltFile:
    return _file(PAGE, page)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda match: values[match[1]], text)


def _data(material: Material) -> Iterator[str]:
    """Data blocks: each is read when it is first wanted."""
    for game, data in material.data.items():
        yield _block(f"game-{game}", data)
    keys = {game: sorted(words) for game, words in next(iter(material.texts.values())).items()}
    yield _block("texts", keys)
    for lang, texts in material.texts.items():
        yield _block(f"texts-{lang}", {game: [texts[game][key] for key in known] for game, known in keys.items()})


def _block(name: str, data: object) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def _icon(material: Material) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 120 120">{_inside(_arms(material))}</svg>'


def _icon_face(material: Material) -> Face:
    """The arms of the first game on vellum, small enough for masks of any shape."""
    arms = _arms(material)
    side = max(arms.size.width, arms.size.height) * 1.75
    x, y = (side - arms.size.width) / 2, (side - arms.size.height) / 2
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side:g} {side:g}">'
           f'<rect x="0" y="0" width="{side:g}" height="{side:g}" fill="{GROUND}"/>'
           f'<g transform="translate({x:g} {y:g})">{_inside(arms)}</g></svg>')
    return Face(svg=svg, size=type(arms.size)(side, side), bleed=0)


def _arms(material: Material) -> Face:
    return next(face for name, face in material.signs.items() if name.startswith("arms-"))


def _inside(face: Face) -> str:
    return face.svg[face.svg.index(">") + 1:face.svg.rindex("</svg>")]


def _file(name: str, text: str) -> BuiltFile:
    return BuiltFile(path=f"{FOLDER}/{name}", content=text.encode())


def _dumped(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
