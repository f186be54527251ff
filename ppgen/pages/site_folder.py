"""A site of games to print: PDFs in all variants, pages in each language, pictures, the scorer page and checksums."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Any

from ppgen import __version__
from ppgen.engine.imposition.sheets import Backs
from ppgen.engine.pdf.assembly import plan_correction
from ppgen.engine.pdf.form_fields import subset_font
from ppgen.errors import InputError, Problem, Problems
from ppgen.lines import format_json
from ppgen.pages.single_pages import SITE_PAGE, export_scorer, export_table, woff
from ppgen.pages.site_pages import (LARGE_PRINT, PageFrame, SiteGame, SitePictures, SitePreset, SiteSet, look_of,
                                    parts_of, table_links, with_look, write_entrance, write_pages)
from ppgen.printing.drawn_parts import output_kind
from ppgen.printing.manifest import Json, manifest_files
from ppgen.printing.request import OPTIONS, BuildRequest
from ppgen.printing.set_build import StepCounter, build_set, run_jobs
from ppgen.printing.workshop import SCORE_PAGE, Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress
from ppgen.reading.fields import read_bytes
from ppgen.records import dataclass, field, replace
from ppgen.review.set_check import check
from ppgen.shipped import shipped_root
from ppgen.targets.piece_pictures import file_name

SITE, FILES, SUMS, CONTENTS, LICENCE = "site", "files", "SHA256SUMS", "site.json", "LICENCE.txt"
MAX_FILES = 1000  # files in an HTML game that itch.io takes
MAX_SUMS_BYTES, MAX_LICENCE_BYTES = 2_000_000, 200_000
WEB_LETTERS = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2027), 0x2030, 0x2039, 0x203A,
                                0x2044, 0x20AC, 0x2122, 0x2190, 0x2192, 0x2212, 0x202F, 0x2009)))
"""Letters of the languages in Latin script, and signs; pages in others use fonts of the reader's system."""
WEB_FONTS = {"title": "title", "text": "text", "italic": "italic", "strong": "bold"}
"""Name of the font file for each text style."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A finished site: its files with their paths in it, entries of its PDFs, and warnings."""

    files: tuple[BuiltFile, ...]
    entries: tuple[Json, ...]
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageSite:
    """All of a site that is in one language: contents of files by path, entries of its PDFs."""

    files: Mapping[str, bytes]
    entries: Sequence[Json]
    warnings: Sequence[Problem]
    problems: Sequence[Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRequest:
    """The sets of each game on a site."""

    backs: Sequence[Backs]
    looks: Sequence[str]  # inks, and LARGE_PRINT if it is offered
    presets: Mapping[str, Sequence[SitePreset]] = field(default_factory=dict)  # by game
    title: str = ""  # if it is not that of the games
    home: str = ""  # address of ppgen's project, which the pages link to
    links: Sequence[tuple[str, str]] = ()  # titles and addresses of other games, on the web or below the site

    def presets_of(self, workshop: Workshop) -> Sequence[SitePreset]:
        return self.presets.get(workshop.game.id, ())


def export_site(workshops: Sequence[Workshop], requests: Sequence[BuildRequest], site: SiteRequest,
                watch: Progress) -> Site:
    """Make the site of these games, in memory; each has a request. Raises InputError with every problem."""
    langs = tuple(dict.fromkeys(lang for request in requests for lang in request.langs))
    ids = [workshop.game.id for workshop in workshops]
    frame = PageFrame(title=site.title, licence=bool(licence := _read_licence(workshops[0])),
                      home=site.home, links=site.links, scorer=f"{SITE_PAGE}.html" if all(
                          workshop.game.scorer for workshop in workshops) else "")
    games = list(zip((replace(each, results={}) for each in workshops), requests, strict=True))
    counter = StepCounter(len(langs))
    total = sum(len(request.langs) * (len(site.backs) * len(site.looks) + 1 + len(site.presets_of(workshop)))
                for workshop, request in games)  # sets, and the pages of each game
    here = [[game for game in games if lang in game[1].langs] for lang in langs]

    def make_language(number: int) -> LanguageSite:
        def step(name: str) -> None:
            if (done := counter.count(number)) is not None:
                watch(f"{langs[number]} {name}", done, total)

        return _make_language(here[number], langs[number], site, frame, step)

    made = list(run_jobs([partial(make_language, number) for number in range(len(langs))]))
    problems = Problems(problem for each in made for problem in each.problems)
    problems.raise_if_any()
    contents: dict[str, bytes] = {}
    for each in made:
        contents |= each.files
    contents |= write_entrance(games, langs, site.backs, site.looks, site.title) | _look(workshops[0])
    if licence:
        contents[LICENCE] = licence
    if frame.scorer:
        pages = export_scorer([workshop for workshop, _ in games], site=langs)
        contents |= {f"{SCORE_PAGE}{PurePosixPath(file.path).name}": file.content for file in pages}
    entries = tuple(entry for each in made for entry in each.entries)
    contents[CONTENTS] = format_json({"version": __version__, "games": ids, "files": entries}).encode()
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in sorted(contents.items())}
    sums = "".join(f"{digest}  {path}\n" for path, digest in digests.items())
    files = [*sorted(contents.items()), (SUMS, sums.encode())]
    warnings = [warning for each in made for warning in each.warnings]
    warnings += (Problem("about.md", "is missing: the page says nothing about the game and its author",
                         "write it beside deck.toml") for workshop in workshops if workshop.game.deck
                 and not workshop.game.deck.about)
    if len(files) > MAX_FILES:
        warnings.append(Problem(SITE, f"has {len(files):,} files, and itch.io takes at most {MAX_FILES:,}",
                                "choose fewer languages with --lang, or one --paper; other hosts take them all"))
    return Site(files=tuple(BuiltFile(path=path, content=content) for path, content in files),
                entries=entries, warnings=tuple(dict.fromkeys(warnings)))


def _make_language(games: Sequence[tuple[Workshop, BuildRequest]], lang: str, site: SiteRequest, frame: PageFrame,
                   step: Callable[[str], None]) -> LanguageSite:
    problems, warnings = Problems(), list[Problem]()
    files: dict[str, bytes] = {}
    kept: dict[str, str] = {}  # the path of each PDF by its SHA-256: sets share those that are equal
    entries: list[Json] = []
    made: list[SiteGame] = []
    for workshop, request in games:
        if not workshop.assets.is_shipped:
            findings = check(workshop, (lang,), [(ink, request.card_size) for ink in site.looks if ink != LARGE_PRINT])
            problems += findings.problems
            warnings += findings.warnings
            if findings.problems:
                continue
        sets: list[SiteSet] = []
        plans: dict[str, Json] = {}
        for name, wanted, printed in _wanted_sets(workshop, request, site):
            with problems.collect_errors():
                wanted = replace(wanted, langs=(lang,), folder=FILES)
                built = build_set(wanted, printed, with_ink=bool(name))
                warnings += built.warnings
                here = [_site_set(manifest, wanted, printed, name, kept) for manifest in built.manifests]
                paths = {*kept.values()}
                files |= {path: file.content for file in built.files if (path := f"{FILES}/{file.path}") in paths}
                for each in here:
                    plans |= _correction_plans(each, files, plans)
                sets += here
            step(f"{workshop.game.id} {name or f'{wanted.backs.value} {look_of(wanted)}'}")
        entries += (_entry(file, each) for each in sets for file in each.files)
        made.append(SiteGame(workshop=workshop, request=request, sets=tuple(sets), name=file_name(workshop.game.id),
                             presets=site.presets_of(workshop)))
        if not made[-1].variants:
            continue  # each set has reported its problems
        with problems.collect_errors():
            (table,) = export_table(workshop, replace(request, langs=(lang,)),
                                    table_links(made[-1], lang, len(games), frame.scorer))
            files |= {made[-1].table(lang): each.file.content for each in table.files(lambda *_: None)}
        files[made[-1].correction_plans(lang)] = json.dumps(plans, separators=(",", ":")).encode()
    if not problems:
        pictures = SitePictures(games[0][0].fonts)
        with problems.collect_errors():
            files |= write_pages(made, lang, files, pictures, frame, step)
        files |= pictures.files
    return LanguageSite(files=files, entries=entries, warnings=warnings, problems=problems)


def _wanted_sets(workshop: Workshop, request: BuildRequest,
                 site: SiteRequest) -> Iterator[tuple[str, BuildRequest, Workshop]]:
    """Yield the sets of a game to build: name of the preset or "" for one to choose, request and workshop."""
    large = workshop.in_large_print() if LARGE_PRINT in site.looks else workshop
    for backs, look in product(site.backs, site.looks):
        wanted = with_look(replace(request, backs=backs), look)
        yield "", wanted, large if wanted.large_print else workshop
    for preset in site.presets_of(workshop):
        yield preset.name, preset.request, _share(preset, workshop, request)


def _share(preset: SitePreset, workshop: Workshop, request: BuildRequest) -> Workshop:
    """The workshop of a preset; that of the game if both look alike."""
    if (preset.request.large_print, preset.request.skin, preset.request.chosen) == (
            False, request.skin, request.chosen):
        return workshop
    return replace(preset.workshop, results=workshop.common_results)


def _site_set(manifest: Json, request: BuildRequest, workshop: Workshop, preset: str, kept: dict[str, str]) -> SiteSet:
    """The files of a set, those that are ``kept`` already under their first name; add the others to it."""
    name: Any = manifest["paper"]
    paper = next(each for each in request.papers if each.name == name["name"])
    files = tuple({**file, "path": kept.setdefault(file["sha256"], file["path"])}
                  for file in manifest_files([manifest]))
    return SiteSet(workshop=workshop, request=request, paper=paper, preset=preset, files=files)


def _correction_plans(site_set: SiteSet, pdfs: Mapping[str, bytes],
                      known: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """Yield the name and the plan of each PDF that a build for a printer would correct, except the ``known`` ones."""
    scaled = {part.name for part in site_set.run.parts().parts if output_kind(part) & OPTIONS["scale"].kinds}
    for file in site_set.files:
        name = PurePosixPath(file["path"]).name
        if scaled.issuperset(parts_of(file)) and name not in known:
            yield name, plan_correction(pdfs[file["path"]], [side["side"] == "back" for side in file["sides"]])


def _entry(file: dict[str, Any], site_set: SiteSet) -> Json:
    known = ("path", "part", "parts", "stock", "material", "sha256", "pages", "sheets")
    request, preset = site_set.request, site_set.preset
    return {**{key: file[key] for key in known if key in file}, "game": site_set.workshop.game.id,
            "lang": site_set.lang, "paper": site_set.paper.name, "backs": request.backs.value, "ink": request.ink,
            **({"preset": preset} if preset else {"large_print": True} if request.large_print else {})}


def _look(workshop: Workshop) -> dict[str, bytes]:
    home, fonts = shipped_root() / "templates" / SITE, shipped_root() / "data" / "fonts"
    own = "page.css", "page.js", "printer.js", "companion.js", "language.js", "icon.svg"
    files = {f"look/{name}": (home / name).read_bytes() for name in own}
    files |= {f"look/{name}": (fonts / name).read_bytes() for name in ("OFL-Cinzel.txt", "OFL-EBGaramond.txt")}
    for style, name in WEB_FONTS.items():
        font = workshop.fonts.house.styles[style][0]
        files[f"look/{name}.woff"] = woff(subset_font(font, WEB_LETTERS).program)
    return {**files, "worker.js": (home / "worker.js").read_bytes(), ".nojekyll": b""}


def _read_licence(workshop: Workshop) -> bytes:
    """The licence of the shipped games, or the file of one in the folder of a deck; empty if there is none."""
    if workshop.assets.is_shipped:
        return (shipped_root() / "templates" / SITE / "licence.txt").read_bytes()
    folder = workshop.assets.game(workshop.game.folder)
    files = (folder / f"{name}{suffix}" for name in ("LICENCE", "LICENSE") for suffix in (".txt", ".md", ""))
    path = next((path for path in files if path.is_file() and not path.is_symlink()), None)
    return read_bytes(path, MAX_LICENCE_BYTES, path.name) if path else b""


# --- The earlier site ---

def find_stale_files(folder: Path, files: Iterable[BuiltFile]) -> Iterator[Path]:
    """Yield an earlier site's unchanged files that are not written again. Its checksums are not trusted."""
    try:
        lines = read_bytes(folder / SUMS, MAX_SUMS_BYTES, "").decode().splitlines()
    except (InputError, UnicodeDecodeError):
        return
    written = {file.path for file in files}
    for digest, _, name in (line.partition("  ") for line in lines):
        path = folder / name
        if (name not in written and not path.is_symlink() and path.is_file()
                and path.resolve().is_relative_to(folder.resolve())
                and hashlib.sha256(path.read_bytes()).hexdigest() == digest):
            yield path
