"""Workshop: a game with its fonts and templates, ready to print, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ppgen import __version__
from ppgen.assets import DECK_FILE, Assets
from ppgen.engine.component import Pad, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.fonts import FontBook, read_fonts
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.drawing.template_source import SUFFIXES
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import MAX_CARD_SIDE_MM, SMALLEST_CARD, Format, Size
from ppgen.engine.imposition.impose import page_area
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError, display_path
from ppgen.games.catalogue import (PARTS as PART_NAMES, default_game, folder_owners, game_languages, open_game,
                                   scored_folder)
from ppgen.games.game_kind import call
from ppgen.games.interface import SCORE_SHEET, Game
from ppgen.games.missing_signs import missing_signs
from ppgen.printing.request import (BOOKLETS, BOX, CALIBRATION, DEFAULT_PACK, GUIDE, PLAIN_SKIN, RULES, WORDS,
                                    BuildRequest, OutputKind, Pack, check_names, expand_names, fold, has_words,
                                    missing_words, select_parts)
from ppgen.reading.texts import Texts, draft_deck_texts, draft_texts, spoken_language
from ppgen.records import dataclass, replace

if TYPE_CHECKING:
    from ppgen.making.starters import Relook

Result = TypeVar("Result")
PartPicker = Callable[[Sequence[Part], Texts], tuple[Part, ...]]  # narrows the parts of a language to selected pieces
MAX_PIECES = 10_000  # pieces of a build, with all copies: some 600 sheets
LARGE_SHEET = Size(258, 178)  # least room in mm of a score sheet in large print, in landscape
MIN_PAGE_MM = 5.0  # smaller pages are too small to write on
CARDS_ONLY = f"--card-size is for cards: rectangles of {SMALLEST_CARD:g} to {MAX_CARD_SIDE_MM:g} mm on card"
TEXTS, PARTS = "texts", "parts"  # kinds of results, the first items of their keys
SCORE_PAGE = "score/"  # folder of the scorer page on a site: all of its address after that of the site


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSet:
    """Parts to print, names of booklets, and what was left out with the reason (paper too small, no words)."""

    parts: tuple[Part, ...]
    booklets: tuple[str, ...] = ()
    left_out: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """A game, and the fonts and templates to print it with. A ``picker`` leaves only the pieces it selects."""

    game: Game
    assets: Assets
    fonts: FontBook
    templates: TemplateSet
    marked: bool = False  # true if faces keep the template lines that drew them, for checks
    pictures: PictureFolder | None = None  # those of a deck of one's own
    picker: PartPicker | None = None
    large_print: bool = False  # parts with much type in their larger sizes
    results: dict[tuple[object, ...], Any] | None = None  # results by what they depend on, for many builds in one run

    @classmethod
    def open(cls, assets: Assets, skin: str = "", game: str = "", choices: Mapping[str, str] | None = None) -> Workshop:
        """Read a game (by name, if there are several) and the fonts. Raises InputError, RequestError."""
        folders = assets.template_folders(skin)
        problems = Problems()
        with problems.collect_errors():
            opened = open_game(assets, game).with_choices(choices or {})
        with problems.collect_errors():
            fonts = read_fonts(assets.common("fonts"), has_house=True)
        problems.raise_if_any()
        fonts = replace(fonts, direction=opened.deck.direction) if opened.deck else fonts
        pictures = PictureFolder(assets.game(opened.folder)) if opened.deck else None
        return cls(game=opened, assets=assets, fonts=fonts, templates=_open_templates(folders, assets, opened),
                   pictures=pictures)

    def in_version(self, skin: str, choices: Mapping[str, str]) -> Workshop:
        """The workshop with another skin and other choices, without reading game and fonts. Raises RequestError."""
        folders, game = self.assets.template_folders(skin), self.game.with_choices(choices)
        templates = (self.templates if folders == self.templates.folders else
                     _open_templates(folders, self.assets, game))
        return replace(self, game=game, templates=templates)

    def in_large_print(self) -> Workshop:
        """The workshop with the plain skin and larger pieces. Raises RequestError for templates without it."""
        if PLAIN_SKIN not in self.assets.skins:
            what = f"needs the skin '{PLAIN_SKIN}', which {display_path(self.assets.templates)} lacks"
            raise RequestError.at("--large-print", what, "draw it, docs/templates.md")
        folders = self.assets.template_folders(PLAIN_SKIN)
        return replace(self, templates=_open_templates(folders, self.assets, self.game), large_print=True)

    def in_look(self, look: Relook) -> Workshop:
        """Return the workshop of a deck in another look, which is not in its files."""
        deck = self.game.deck
        assert deck
        layouts = {name: after.decode() for name, (_, after) in look.changes.items()
                   if after is not None and name.endswith(SUFFIXES)}
        game = replace(self.game, deck=replace(
            deck, made={**deck.made, **layouts}, values=lambda texts: {**deck.values(texts), "colours": look.colours}))
        return replace(self, game=game, fonts=look.fonts,
                       templates=_open_templates(self.templates.folders, self.assets, game))

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Advice for the designer of the game. What its texts lack is known after they were drawn."""
        return (*self.game.warnings, *self.missing_signs)

    @property
    def missing_signs(self) -> tuple[Problem, ...]:
        """Problems of the characters that are printed as boxes: those of tables, and those met so far elsewhere."""
        cells = self.game.deck.signs if self.game.deck else {}
        return missing_signs(cells, self.fonts, (self.assets.game(self.game.folder), self.assets.common("locales")),
                             is_deck=self.game.deck is not None)

    @property
    def game_suffix(self) -> str:
        """Suffix of the game's file names: its name if it is not the default game of its data folder, else empty."""
        return "" if default_game(self.assets) == self.game.id else self.game.id

    @property
    def makings(self) -> tuple[Workshop, ...]:
        """This workshop, and one for each other value of each choice of the game."""
        return (self, *(replace(self, game=game) for game in self.game.makings[1:]))

    @property
    def booklets(self) -> tuple[str, ...]:
        """Names of the booklets that the set may have."""
        return BOOKLETS if self.game.rules else (GUIDE,)

    def has_finished_rules(self, lang: str) -> bool:
        """True if the rules in a language are a finished PDF, not words."""
        return self.game.deck is not None and self.game.deck.rules.get(lang, "").lower().endswith(".pdf")

    def texts(self, lang: str) -> Texts:
        """Read the texts of a language; those of booklets may be missing. Raises InputError."""
        def read() -> Texts:
            texts, problems = self.draft(lang)
            problems.raise_if_any()
            return texts

        return self.reuse((TEXTS, lang), read)

    def reuse(self, key: tuple[object, ...], make: Callable[[], Result]) -> Result:
        """Make a result once, if there are ``results`` of earlier builds; ``key`` is all that differs among these."""
        if self.results is None:
            return make()
        if key not in self.results:
            self.results[key] = make()
        result: Result = self.results[key]
        return result

    @property
    def common_results(self) -> dict[tuple[object, ...], Any]:
        """The results that are the same in every skin: texts and parts."""
        return {key: result for key, result in (self.results or {}).items() if key[0] in (TEXTS, PARTS)}

    def draft(self, lang: str) -> tuple[Texts, Problems]:
        """Read the valid texts of a language, and the problems of the others. Raises InputError."""
        spoken = spoken_language(lang, self.assets.common("locales")) if self.game.deck else lang
        booklets = [folders for folders in self.booklet_folders.values()
                    if all((folder / f"{spoken}.toml").is_file() for folder in folders)]
        if self.game.deck:
            folders, deck = [folder for each in booklets for folder in each], self.game.deck
            defaults = {WORDS[RULES]: f"parts.{RULES}"} if lang in deck.rules else {}
            return draft_deck_texts(lang, self.assets.common("locales"), folders, self.assets.data / "words",
                                    deck.words, self.assets.data / DECK_FILE, self.game.lang, defaults)
        locales = self.assets.common("locales"), self.assets.game(self.game.folder) / "locales"
        return draft_texts(lang, (*locales, *(folder for folders in booklets for folder in folders)), self.game.lang)

    @property
    def booklet_folders(self) -> dict[str, tuple[Path, ...]]:
        """Folders with the words of each booklet; a language needs a file in each of them. Markdown has none."""
        game = self.assets.game(self.game.folder)
        return {RULES: () if self.game.deck else (game / "rules",),
                GUIDE: (self.assets.common("guide"), *((game / "guide",) if self.game.advice else ()))}

    def missing_words(self, texts: Texts, names: Sequence[str]) -> tuple[Problem, ...]:
        """Return a problem for each booklet without words in the language."""
        markdown = self.game.deck.rules if self.game.deck else ()
        return tuple(replace(problem, place=f"{RULES}.{texts.lang}.md", remedy=f"translate {RULES}.md")
                     if markdown and problem.key == RULES else problem for problem in missing_words(texts, names))

    def studio(self, texts: Texts, ink: str) -> FaceRenderer:
        """Return the renderer of the game's faces in a language."""
        values = self.game.deck.values(texts) if self.game.deck else {}
        return FaceRenderer(templates=self.templates, fonts=self.fonts, ink=ink,
                            common={"t": texts, "version": __version__, **values}, marked=self.marked,
                            pictures=self.pictures)

    def pieces(self, texts: Texts, card_size: Format) -> Sequence[Part]:
        """Make the parts of the game itself, without score sheet, box and calibration page."""
        sizes = self.game.large_sizes if self.large_print else {}
        return self.reuse(self._pieces_key(texts, card_size), lambda: tuple(
            _enlarge(part, sizes[part.name]) if part.name in sizes else part
            for part in self.game.parts(texts, card_size)))

    def _pieces_key(self, texts: Texts, card_size: Format) -> tuple[object, ...]:
        return PARTS, "pieces", texts.lang, card_size, self.large_print, *sorted(self.game.chosen.items())

    def fit_card_size(self, texts: Texts, card_size: Format, wanted: Sequence[str]
                      ) -> tuple[Format, tuple[Problem, ...]]:
        """The usual card size if no wanted piece depends on it, else the given; and warnings about those that stay."""
        usual = self.game.card_size
        if card_size.size == usual.size:
            return card_size, ()
        pieces = self.pieces(texts, card_size)
        names = {name for part in pieces for name in (part.name, *(piece.id for piece in part.components))}
        wanted = expand_names(wanted, self.game.groups)
        wanted = wanted if names.issuperset(wanted) else ()
        parts = select_parts(pieces, wanted)
        is_usual = parts == select_parts(self.pieces(texts, usual), wanted)
        warnings = tuple(part.size_spot.problem(f"stays {part.components[0].size}", CARDS_ONLY)
                         for part in parts if part.size_spot and (is_usual or part.stock is Stock.CARD))
        return usual if is_usual else card_size, warnings

    def parts(self, texts: Texts, card_size: Format, spec: SheetSpec, wanted: tuple[str, ...],
              pack: Pack = DEFAULT_PACK, pad: Pad | None = None) -> PartSet:
        """Make the parts, or the ``wanted`` ones. Raises RequestError for an unknown part, InputError for a bad one."""
        pad = pad or Pad(room=page_area(spec))
        pad = replace(pad, home=self.address_to_scan(pad.home, texts.lang))
        pack = replace(pack, home=self.address_to_scan(pack.home, texts.lang))
        _check_pages(pad, spec)
        pieces = self.pieces(texts, card_size)
        makers = self._page_makers(texts, pieces, self._pieces_key(texts, card_size), spec, pack, pad)
        wanted = expand_names(wanted, self.game.groups)
        if SCORE_SHEET in wanted and not self.game.score_sheet:
            scored_folder(self.assets, self.game.id)  # raises: the deck has no rules of scoring
        if wanted:
            check_names(wanted, pieces, (*self.game.groups, *makers, *self.booklets),
                        lambda name: Phrase("no_part", name=name), folder_owners(self.assets),
                        lambda: self._find_titles(self._words()))
        if self.picker:
            return PartSet(parts=self._bound(self.narrow(select_parts(pieces, wanted), texts)))
        booklets = tuple(name for name in self.booklets if not wanted or name in wanted)
        wordless = self.missing_words(texts, booklets)
        if wanted and wordless:
            raise InputError(wordless)
        pages, unfit = _make_pages(makers, wanted)
        return PartSet(parts=self._bound(select_parts((*pieces, *pages), wanted)),
                       booklets=tuple(name for name in booklets if has_words(texts, name)),
                       left_out=tuple(replace(problem, what=Phrase("left_out", message=problem.what))
                                      for problem in (*wordless, *unfit)))

    def name_parts(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """Return the names of parts for their titles in any language of the set; other words stay as they are."""
        names = {*PART_NAMES, *self.game.groups, *(str(entry["id"]) for entry in self.game.describe())}
        if names.issuperset(wanted):
            return tuple(wanted)
        spoken = self._words()
        titles = self._find_titles(spoken)
        return tuple(name for word in wanted for name in (
            (word,) if word in names else self._find_pieces(word, spoken) or (titles.get(word.casefold(), word),)))

    def _words(self) -> tuple[Mapping[str, str], ...]:
        """The words of the set in each of its languages."""
        return tuple(self.draft(lang)[0].words for lang in game_languages(self.assets, self.game.folder))

    def _find_pieces(self, word: str, spoken: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
        """The pieces of a country, named in any language: all (``Frankreich``), or that number (``Frankreich-3``)."""
        country, _, number = fold(word).partition("-")
        keys = {key.partition(".")[2] for words in spoken for key, name in words.items()
                if key.startswith("countries.") and fold(name) == country}
        ids = [str(entry["id"]) for entry in self.game.describe()
               for named in (entry.get("countries"), (entry.get("country"),))
               if isinstance(named, list | tuple) and keys.intersection(named)]
        return tuple(id for id in ids if not number or id.rpartition("-")[2] == number)

    def _find_titles(self, spoken: Sequence[Mapping[str, str]]) -> dict[str, str]:
        """The names of parts by their titles in all languages of the set, in lower case."""
        titles: dict[str, str] = {}
        for words in spoken:
            titles |= {words[key].casefold(): name for name, key in WORDS.items() if key in words}
            titles |= {text.casefold(): key.removeprefix("parts.") for key, text in words.items()
                       if key.startswith("parts.")}
        return titles

    def _page_makers(self, texts: Texts, pieces: Sequence[Part], pieces_key: tuple[object, ...], spec: SheetSpec,
                     pack: Pack, pad: Pad) -> dict[str, Callable[[], Part]]:
        """The functions that make the parts of the set besides the game's pieces, by name."""
        game, sheet, lang = self.game, self.game.score_sheet, texts.lang
        box_room = page_area(spec, cut_out=True)
        for name in (BOX, RULES):  # used by some set: ppgen check reports unused texts
            texts(f"parts.{name}")
        makers: dict[str, Callable[[], Part]] = {}
        if sheet:
            makers[SCORE_SHEET] = lambda: self.reuse((PARTS, SCORE_SHEET, lang, pad),
                                                     lambda: _make_score_sheet(sheet, texts, pad, spec))
        if game.box and call("ppgen.printing.tuck_box:boxed_cards", pieces):  # imported if needed, as below
            makers[BOX] = lambda: self.reuse((PARTS, BOX, pieces_key, pack, box_room), lambda: call(
                "ppgen.printing.tuck_box:tuck_box_part", texts, game.box, tuple(pieces), pack, box_room,
                bool(game.rules), game.loose_box))
        makers[CALIBRATION] = lambda: self.reuse((PARTS, CALIBRATION, lang, spec), lambda: call(
            "ppgen.printing.calibration:calibration_part", texts, spec, page_area(spec), game.swatches,
            self.game_suffix))
        return makers

    def address_to_scan(self, home: str, lang: str) -> str:
        """The address in printed QR codes: the score page on the site, the site itself, or empty without one."""
        return f"{home}/{SCORE_PAGE}#game={self.game.id}&lang={lang}" if home and self.game.scorer else home

    def narrow(self, parts: Sequence[Part], texts: Texts) -> tuple[Part, ...]:
        """Keep the pieces that are selected in a language. Raises InputError if there are none."""
        return self.picker(parts, texts) if self.picker else tuple(parts)

    def _bound(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        pieces = sum(component.copies for part in parts for component in part.components)
        if pieces > MAX_PIECES:
            raise InputError.at(display_path(self.assets.game(self.game.folder)),
                                f"has {pieces:,} pieces with all their copies, more than {MAX_PIECES:,}",
                                "print fewer copies at once, or some parts with --only")
        return parts


@dataclass(frozen=True, slots=True)
class PrintRun:
    """A request on one paper in one language, with the workshop for it."""

    request: BuildRequest
    workshop: Workshop
    texts: Texts
    paper: Format

    def asking(self, **changes: Any) -> PrintRun:
        """Return the run with other options of the request."""
        return replace(self, request=replace(self.request, **changes))

    def relevant_to(self, kind: OutputKind) -> PrintRun:
        """Return the run without the options that do not change files of that kind."""
        return replace(self, request=self.request.relevant_to(kind))

    def parts(self, wanted: tuple[str, ...] | None = None) -> PartSet:
        """Make the requested parts, or the ``wanted`` ones. Raises what :meth:`Workshop.parts` raises."""
        request, paper = self.request, self.paper
        return self.workshop.parts(self.texts, request.card_size, request.spec(paper),
                                   request.parts if wanted is None else wanted, request.pack, request.on_pad(paper))

    @property
    def studio(self) -> FaceRenderer:
        return self.workshop.studio(self.texts, self.request.ink)


def _open_templates(folders: Sequence[Path], assets: Assets, game: Game) -> TemplateSet:
    return TemplateSet(folders, assets.common_templates, SUFFIXES if game.deck else (),
                       game.deck.made if game.deck else {})


def _enlarge(part: Part, least: Size) -> Part:
    """Make the pieces of a part at least that large; ``large`` asks their templates for type of 14 pt."""
    def enlarge(face: FaceRequest) -> FaceRequest:
        size = Size(max(face.size.width, least.width), max(face.size.height, least.height))
        return replace(face, size=size, values={**face.values, "large": True})

    return replace(part, components=tuple(
        replace(piece, front=enlarge(piece.front), back=piece.back and enlarge(piece.back))
        for piece in part.components))


def _check_pages(pad: Pad, spec: SheetSpec) -> None:
    """Raise InputError for a paper whose margins leave no room."""
    if min(pad.room.width, pad.room.height) < MIN_PAGE_MM:
        margin, paper = f"{spec.margin:g}", spec.paper.name
        what = (Phrase("no_room", margin=margin, paper=paper) if pad.abreast == 1 else
                Phrase("no_room_abreast", margin=margin, paper=paper, number=pad.abreast))
        raise InputError.at("--paper", what, Phrase("larger_paper_or_margin"))


def _make_pages(makers: Mapping[str, Callable[[], Part]], wanted: Sequence[str]) -> tuple[list[Part], list[Problem]]:
    """Make the wanted parts, or all that fit, with the problems of the others. Raises InputError."""
    parts: list[Part] = []
    unfit: list[Problem] = []
    for name, make in makers.items():
        if wanted and name not in wanted:
            continue
        try:
            parts.append(make())
        except InputError as error:
            if wanted:
                raise
            unfit += error.problems
    return parts, unfit


def _make_score_sheet(make: Callable[[Texts, Pad], Part], texts: Texts, pad: Pad, spec: SheetSpec) -> Part:
    if pad.large and (pad.room.width < LARGE_SHEET.width or pad.room.height < LARGE_SHEET.height):
        raise InputError.at("--paper", Phrase("no_large_print"), Phrase("large_print_paper"), key=spec.paper.name)
    return make(texts, pad)
