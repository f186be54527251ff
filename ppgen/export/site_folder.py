"""A site of games to print: PDFs in all variants, pages in each language, pictures, the scorer page and checksums."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from ppgen import __version__
from ppgen.assets import shipped_root
from ppgen.engine.drawing.rendering import FaceMemory
from ppgen.engine.geometry import Format
from ppgen.engine.imposition.sheets import Backs
from ppgen.engine.pdf.form_text import subset_font
from ppgen.errors import InputError, Problem
from ppgen.export.exported_files import EPOCH, ExportProgress, file_name
from ppgen.export.scorer_page import PAGE, export_scorer, woff
from ppgen.export.site_pages import SiteGame, SiteVariant, write_pages
from ppgen.export.site_pictures import SitePictures
from ppgen.production.manifest import Json, dump_manifest, manifest_files
from ppgen.production.output_files import BuiltFile
from ppgen.production.request import BuildRequest
from ppgen.production.set_build import build_set
from ppgen.production.workshop import Workshop
from ppgen.reading.file_limits import read_bytes

SITE, FILES, SUMS, CONTENTS = "site", "files", "SHA256SUMS", "site.json"
MAX_FILES = 1000
"""Files in an HTML game that itch.io takes."""
MAX_SUMS_BYTES = 2_000_000
WEB_LETTERS = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2027), 0x2030, 0x2039, 0x203A,
                                0x2044, 0x20AC, 0x2122, 0x2190, 0x2192, 0x2212, 0x202F, 0x2009)))
"""Letters of the languages in Latin script, and signs; pages in others use fonts of the reader's system."""
WEB_FONTS = {"title": "title", "text": "text", "italic": "italic", "strong": "bold"}
"""Name of the font file for each text style."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A finished site: its files with paths below the folder ``site``, entries of its PDFs, and warnings."""

    files: tuple[BuiltFile, ...]
    entries: tuple[Json, ...]
    warnings: tuple[Problem, ...]


def build_count(requests: Sequence[BuildRequest], backs: Sequence[Backs], inks: Sequence[str]) -> int:
    """Number of steps that :func:`export_site` reports."""
    return len(requests) * (len(backs) * len(inks) + 1)


def export_site(workshops: Sequence[Workshop], requests: Sequence[BuildRequest], backs: Sequence[Backs],
                inks: Sequence[str], zips: bool, watch: ExportProgress) -> Site:
    """Make the site of these games, in memory; each has a request. Raises InputError with every problem."""
    pdfs: dict[str, bytes] = {}
    entries: list[Json] = []
    warnings: list[Problem] = []
    games: list[SiteGame] = []
    for workshop, request in zip(workshops, requests, strict=True):
        remembering = replace(workshop, memory=FaceMemory(), known_texts={})
        variants: list[SiteVariant] = []
        for back in backs:
            for ink in inks:
                built = build_set(replace(request, backs=back, ink=ink, folder=FILES), remembering)
                warnings += built.warnings
                pdfs |= {f"{FILES}/{file.path}": file.content for file in built.files if file.path.endswith(".pdf")}
                for manifest in built.manifests:
                    variant = _variant(manifest, request.papers, back, ink)
                    variants.append(variant)
                    entries += ({**_entry(file), "game": workshop.game.id, "lang": variant.lang,
                                 "paper": variant.paper.name, "backs": back.value, "ink": ink}
                                for file in variant.files)
                watch(1)
        games.append(SiteGame(workshop=remembering, request=request, variants=tuple(variants),
                              name=file_name(workshop.game.id)))
    pictures = SitePictures(workshops[0].fonts)
    scorer = PAGE if all(game.workshop.game.scorer for game in games) else ""
    archives = dict(_archives(games, pdfs)) if zips else {}
    sizes = {name: len(content) for name, content in archives.items()}
    pages = write_pages(games, pdfs, pictures, scorer, sizes, watch)
    files = [*(BuiltFile(path=path, content=content) for path, content in pdfs.items()), *pages, *pictures.built(),
             *(BuiltFile(path=name, content=content) for name, content in archives.items()),
             *_look(workshops[0], shipped=all(game.is_shipped for game in games))]
    if scorer:
        score = export_scorer([game.workshop for game in games])
        files += (replace(file, path=f"score/{PurePosixPath(file.path).name}") for file in score)
    document = {"version": __version__, "games": [game.workshop.game.id for game in games], "files": entries}
    files.append(BuiltFile(path=CONTENTS, content=dump_manifest(document).encode()))
    files.sort(key=lambda file: file.path)
    sums = "".join(f"{hashlib.sha256(file.content).hexdigest()}  {file.path}\n" for file in files)
    files.append(BuiltFile(path=SUMS, content=sums.encode()))
    if len(files) > MAX_FILES:
        warnings.append(Problem(place=SITE, what=f"has {len(files):,} files, and itch.io takes at most {MAX_FILES:,}",
                                remedy="choose fewer languages with --lang, or one --paper; other hosts take them all"))
    return Site(files=tuple(replace(file, path=f"{SITE}/{file.path}") for file in files), entries=tuple(entries),
                warnings=tuple(dict.fromkeys(warnings)))


def _variant(manifest: Json, papers: Sequence[Format], backs: Backs, ink: str) -> SiteVariant:
    name: Any = manifest["paper"]
    paper = next(each for each in papers if each.name == name["name"])
    return SiteVariant(lang=str(manifest["lang"]), paper=paper, backs=backs, ink=ink,
                       files=tuple(manifest_files([manifest])))


def _entry(file: dict[str, Any]) -> Json:
    return {key: file[key] for key in ("path", "part", "stock", "sha256", "pages", "sheets")}


def _archives(games: Sequence[SiteGame], pdfs: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield a ZIP of each variant. PDFs are packed already."""
    for game in games:
        for variant in game.variants:
            name, target = game.archive(variant), io.BytesIO()
            with zipfile.ZipFile(target, "w") as archive:
                for path in variant.paths:
                    inside = f"{PurePosixPath(name).stem}/{PurePosixPath(path).name}"
                    archive.writestr(zipfile.ZipInfo(inside, EPOCH), pdfs[path])
            yield name, target.getvalue()


def _look(workshop: Workshop, shipped: bool) -> Iterator[BuiltFile]:
    """Yield style, scripts, fonts and licences."""
    home = shipped_root() / "templates" / SITE
    for name in ("page.css", "page.js", "language.js", "icon.svg"):
        yield BuiltFile(path=f"look/{name}", content=(home / name).read_bytes())
    for style, name in WEB_FONTS.items():
        font = workshop.fonts.house.styles[style][0]
        yield BuiltFile(path=f"look/{name}.woff", content=woff(subset_font(font, WEB_LETTERS).program))
    for family in ("Cinzel", "EBGaramond"):
        licence = shipped_root() / "data" / "fonts" / f"OFL-{family}.txt"
        yield BuiltFile(path=f"look/{licence.name}", content=licence.read_bytes())
    if shipped:
        yield BuiltFile(path="LICENCE.txt", content=(home / "licence.txt").read_bytes())
    yield BuiltFile(path=".nojekyll", content=b"")


# The earlier site

def find_old_files(folder: Path, files: Sequence[BuiltFile]) -> list[Path]:
    """Find the files of the earlier site in ``folder`` that the new one does not have, if nobody changed them.

    Its checksums are not trusted: only plain files below the folder with their digest count.
    """
    sums, new = folder / SITE / SUMS, {file.path for file in files}
    old: list[Path] = []
    try:
        lines = read_bytes(sums, MAX_SUMS_BYTES, "").decode().splitlines() if not sums.is_symlink() else []
    except (InputError, UnicodeDecodeError):
        return []
    home = (folder / SITE).resolve()
    for line in lines:
        digest, _, name = line.partition("  ")
        path = home / name
        if f"{SITE}/{name}" in new or ".." in PurePosixPath(name).parts or not path.is_file() or path.is_symlink():
            continue
        inside = path.resolve() == path and path.is_relative_to(home)
        if inside and hashlib.sha256(path.read_bytes()).hexdigest() == digest:
            old.append(folder / SITE / name)
    return old
