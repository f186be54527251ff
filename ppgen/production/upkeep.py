"""Turns the manifests that earlier builds left in a folder into the files there that a new build makes superfluous."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ppgen.errors import InputError
from ppgen.production.built import BuiltFile
from ppgen.production.manifest import Json, to_json
from ppgen.reading.limits import read_bytes, refusal

MOST_BYTES, LONGEST_MANIFEST = 200_000_000, 20_000_000
"""A larger file is none of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftovers:
    """Files of earlier builds, as paths in the output folder: as they were built, and those changed since."""

    unchanged: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def superseded(output: Path, manifests: Iterable[Json], files: Iterable[BuiltFile]) -> Leftovers:
    """What earlier builds left in the output folder, in the languages of these ``manifests``, without these files."""
    written = {file.path for file in files}
    unchanged: list[str] = []
    changed: list[str] = []
    for game, lang in sorted({(str(manifest["game"]), str(manifest["lang"])) for manifest in manifests}):
        names = [PurePosixPath(path).name for path in written if PurePosixPath(path).parent.name == lang]
        found = leftovers(output / lang, game, names)
        unchanged += (f"{lang}/{name}" for name in found.unchanged)
        changed += (f"{lang}/{name}" for name in found.changed)
    return Leftovers(unchanged=tuple(unchanged), changed=tuple(changed))


def leftovers(folder: Path, game: str, written: Collection[str]) -> Leftovers:
    """What earlier builds of the game wrote into the folder of a language, by name, without what is ``written`` now.

    A manifest may come from anywhere: only plain files that are in this very folder, are called as parts are and have
    the bytes that it says count, and manifests that are exactly as they are written. A folder that is a link has none.
    """
    if folder.is_symlink() or not folder.is_dir():
        return Leftovers()
    manifests: set[str] = set()
    named: dict[str, set[str]] = {}
    for path in sorted(folder.glob("manifest-*.json")):
        for name, digest in _files(path, game):
            named.setdefault(name, set()).add(digest)
            manifests.add(path.name)
    here = {path.name for path in folder.iterdir()} - set(written)
    digests = {name: digest for name in here & set(named) if (digest := _digest(folder / name))}
    unchanged = {name for name, digest in digests.items() if digest in named[name]}
    return Leftovers(unchanged=tuple(sorted(unchanged | (manifests & here))),
                     changed=tuple(sorted(set(digests) - unchanged)))


def _files(manifest: Path, game: str) -> Iterator[tuple[str, str]]:
    """The names and SHA-256 of the files that a manifest names; none if it is no manifest of the game."""
    try:
        text = _content(manifest, LONGEST_MANIFEST).decode()
        document = json.loads(text)
        if to_json(document) != text or document["game"] != game or document["lang"] != manifest.parent.name:
            return
        found = [_named(file, document["lang"]) for file in document["files"]]
    except (InputError, ValueError, RecursionError, TypeError, KeyError):
        return
    yield from filter(None, found)


def _named(file: Any, lang: str) -> tuple[str, str] | None:
    *folders, name = PurePosixPath(file["path"]).parts
    ours = name.startswith(f"{file['part']}-") and name.endswith(".pdf") and not {"/", "\\"} & set(name)
    return (name, str(file["sha256"])) if ours and folders[-1:] == [lang] and ".." not in folders else None


def _digest(path: Path) -> str:
    """The SHA-256 of a plain file; empty for what is none, or is a link."""
    try:
        return hashlib.sha256(_content(path)).hexdigest()
    except InputError:
        return ""


def _content(path: Path, most: int = MOST_BYTES) -> bytes:
    if path.is_symlink():
        raise refusal(path, "is a link")
    return read_bytes(path, most, "")
