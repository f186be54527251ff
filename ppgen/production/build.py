"""Turns a build request into files: data → parts → faces → sheets → PDF and manifest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ppgen import __version__
from ppgen.assets import Assets
from ppgen.documents.calibration import calibration
from ppgen.engine.assembly import DocumentInfo, assemble
from ppgen.engine.component import Part
from ppgen.engine.faces import Studio, helpers
from ppgen.engine.fonts import FontBook, read_fonts
from ppgen.engine.formats import Format
from ppgen.engine.imposition import impose, impose_pages, page_area
from ppgen.engine.imposition.values import Backs, Imposition, SheetSpec
from ppgen.engine.pages import Captions, draw_pages
from ppgen.engine.templates import TemplateSet
from ppgen.engine.typesetting import faces_pdf
from ppgen.errors import InputError, Problem, Problems, RequestError, listed
from ppgen.games.catalogue import Game
from ppgen.production.drawing import DrawnPart, draw_parts
from ppgen.production.manifest import Json, file_entry, to_json
from ppgen.production.request import BuildRequest
from ppgen.texts import Texts, load_texts


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFile:
    """A finished file; ``path`` is relative to the output folder, with forward slashes."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSet:
    """All files of a build, the manifests among them, and what may want a second look."""

    files: tuple[BuiltFile, ...]
    manifests: tuple[Json, ...]
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """A game with its data read, and the fonts and templates to print it with."""

    game: Game
    content: Any
    warnings: tuple[Problem, ...]
    assets: Assets
    fonts: FontBook
    templates: TemplateSet

    @classmethod
    def open(cls, game: Game, assets: Assets) -> Workshop:
        """Read the game's data and the fonts. Raises InputError with the problems of both."""
        problems = Problems()
        loaded: tuple[Any, tuple[Problem, ...]] = (None, ())
        fonts: FontBook | None = None
        try:
            loaded = game.load(assets.game(game.folder))
        except InputError as error:
            problems.extend(error.problems)
        try:
            fonts = read_fonts(assets.common("fonts"))
        except InputError as error:
            problems.extend(error.problems)
        problems.raise_if_any()
        assert fonts is not None
        return cls(game=game, content=loaded[0], warnings=loaded[1], assets=assets, fonts=fonts,
                   templates=TemplateSet((assets.templates,), helpers(fonts)))

    def texts(self, lang: str) -> Texts:
        """The texts of a language. Raises InputError."""
        return load_texts(lang, (self.assets.common("locales"),
                                 self.assets.game(self.game.folder) / "locales"))

    def studio(self, texts: Texts, ink: str) -> Studio:
        """Where the game's faces are drawn in a language."""
        return Studio(templates=self.templates, fonts=self.fonts, ink=ink, common={"t": texts, "version": __version__})

    def parts(self, texts: Texts, card_size: Format, spec: SheetSpec, wanted: tuple[str, ...]) -> tuple[Part, ...]:
        """The parts of the set, or the wanted ones. Raises InputError for a part that it has not."""
        room = page_area(spec)
        parts = (*self.game.parts(self.content, texts, card_size, room), calibration(texts, spec, room))
        names = tuple(part.name for part in parts)
        if unknown := [name for name in wanted if name not in names]:
            raise RequestError(Problem(place="--only", what=f"the set has no part '{name}'",
                                       remedy=f"known: {listed(names)}") for name in unknown)
        return tuple(part for part in parts if not wanted or part.name in wanted)


def build(request: BuildRequest, workshop: Workshop) -> BuiltSet:
    """Build everything that is asked for, in memory.

    Raises InputError with the problems of every language and paper; then nothing is built.
    """
    problems = Problems()
    files: list[BuiltFile] = []
    manifests: list[Json] = []
    for lang in request.langs:
        for paper in request.papers:
            try:
                built, manifest = print_set(request, workshop, workshop.texts(lang), paper)
            except RequestError:
                raise
            except InputError as error:
                problems.extend(error.problems)
            else:
                files += built
                manifests.append(manifest)
    problems.raise_if_any()
    return BuiltSet(files=tuple(files), manifests=tuple(manifests), warnings=workshop.warnings)


def print_set(request: BuildRequest, workshop: Workshop, texts: Texts,
               paper: Format) -> tuple[list[BuiltFile], Json]:
    """The files of one language on one paper, with their manifest. Raises InputError with every problem."""
    spec = request.spec(paper)
    parts = workshop.parts(texts, request.card_size, spec, request.parts)
    drawn = draw_parts(parts, workshop.studio(texts, request.ink), spec, texts.lang)
    variant = request.variant(paper)
    files: list[BuiltFile] = []
    entries: list[Json] = []
    for part in drawn:
        imposition = _impose(part, spec)
        path = f"{texts.lang}/{part.part.name}-{variant}.pdf"
        content = _print(part, imposition, request, workshop, texts, paper)
        files.append(BuiltFile(path=path, content=content))
        entries.append(file_entry(path, part.part.name, content, imposition))
    manifest: Json = {
        "version": __version__, "game": workshop.game.id, "lang": texts.lang,
        "paper": {"name": paper.name, "width_mm": round(paper.size.width, 4), "height_mm": round(paper.size.height, 4)},
        "card_size": {"name": request.card_size.name, "width_mm": request.card_size.size.width,
                      "height_mm": request.card_size.size.height},
        "ink": request.ink, "files": entries}
    name = "-".join(("manifest", variant, *request.parts))
    files.append(BuiltFile(path=f"{texts.lang}/{name}.json", content=to_json(manifest).encode()))
    return files, manifest


def _impose(part: DrawnPart, spec: SheetSpec) -> Imposition:
    if part.part.pages:
        return impose_pages(part.items, spec)
    if spec.backs is Backs.FOLD and not all(item.has_back for item in part.items):
        spec = replace(spec, backs=Backs.NONE)
    return impose(part.items, spec, part.part.name)


def _print(part: DrawnPart, imposition: Imposition, request: BuildRequest, workshop: Workshop,
           texts: Texts, paper: Format) -> bytes:
    captions, bookmarks, labels = [], [], []
    for number, sheet in enumerate(imposition.sheets, 1):
        for side in sheet.sides:
            number_of = texts("sheet.number", n=number, of=len(imposition.sheets))
            named = texts(f"sheet.{side.name}")
            captions.append(Captions(
                label=" · ".join((texts("game.title"), part.part.title, texts("language.name"), paper.name.upper(),
                                  str(request.card_size.size), number_of, named, texts(f"ink.{request.ink}"),
                                  f"ppgen {__version__}")),
                hint=texts("sheet.hint")))
            bookmarks.append(f"{number_of}, {named}")
            labels.append(f"{number} {named}")
    duplex = any(len(sheet.sides) > 1 for sheet in imposition.sheets)
    info = DocumentInfo(
        title=f"{texts('game.title')}: {part.part.title}", author=texts("game.author"),
        subject=texts("game.subject"), lang=texts.lang, creator=f"ppgen {__version__}",
        bookmarks=bookmarks, page_labels=labels, flip=request.flip if duplex else None, date=request.date)
    pages = draw_pages(imposition.sheets, captions, workshop.fonts)
    return assemble(pages, imposition.sheets, part.faces, faces_pdf(part.distinct, workshop.fonts.folder), info)


