"""Memory of a site's languages: one that was made of the same inputs is taken from the folder of the earlier site.

The cache knows which files a language has, by their SHA-256. Their contents are those of the earlier site, if all of
them are still there: nothing is computed, and nothing is kept twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ppgen.assets import Assets
from ppgen.cache import cache_key, current_store, folder_digest
from ppgen.errors import InputError, Problem
from ppgen.export.site_choices import SitePreset
from ppgen.production.manifest import Json
from ppgen.production.request import BuildRequest
from ppgen.production.workshop import Workshop
from ppgen.reading.file_limits import read_bytes

MAX_FILE_BYTES = 50_000_000
"""Size of a file of a site; one with a larger file is made anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageSite:
    """All of a site that is in one language: contents of files by path, entries of its PDFs."""

    files: Mapping[str, bytes]
    entries: Sequence[Json]
    warnings: Sequence[Problem] = ()
    problems: Sequence[Problem] = ()


def language_key(games: Sequence[tuple[Workshop, BuildRequest]], presets: Sequence[SitePreset],
                 *others: object) -> str | None:
    """Return the cache key of a language with these games and presets; ``others`` is what else it depends on.

    None without a cache, or for data and templates other than the shipped ones: those may be anywhere, and change while
    they are read.
    """
    shipped = Assets.at()
    digests = folder_digest(shipped.data), folder_digest(shipped.templates)
    sets = [*games, *((preset.workshop, preset.request) for preset in presets)]
    if not all(digests) or any(workshop.assets != shipped for workshop, _ in sets):
        return None
    return cache_key("language of a site", digests, others, [(preset.name, preset.description) for preset in presets],
                     [(workshop.game.id, dict(workshop.game.chosen), request) for workshop, request in sets])


def remember(key: str | None, digests: Mapping[str, str], entries: Sequence[Json]) -> None:
    """Note which files the language has: the SHA-256 of each by its path."""
    if key and (store := current_store()):
        store.keep(key, json.dumps([digests, entries]).encode())


def recall(key: str | None, folder: Path) -> LanguageSite | None:
    """Return the language as it is in the folder of an earlier site; None if a file is missing or differs."""
    store = current_store()
    if not key or not store or not (noted := store.find(key)):
        return None
    digests, entries = json.loads(noted)
    files: dict[str, bytes] = {}
    for path, digest in digests.items():
        try:
            files[path] = read_bytes(folder / path, MAX_FILE_BYTES, path)
        except InputError:
            return None
        if hashlib.sha256(files[path]).hexdigest() != digest:
            return None
    return LanguageSite(files=files, entries=entries)
