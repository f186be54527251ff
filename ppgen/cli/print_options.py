"""Options of a set to print, and presets of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click
from click.core import ParameterSource

from ppgen.assets import DECK_FILE, Assets, is_deck, user_folder
from ppgen.cli.command_group import Command, locate_defaults, print_json
from ppgen.cli.messages import UsualOption, interface_texts, usual_option
from ppgen.cli.options import (Decorator, WholeNumber, card_sizes, choose_languages, complete_with, convert_option,
                               folder_options, json_option, lang_option, output_option, papers, printers, quiet_option,
                               source_date, with_cache)
from ppgen.cli.program import Defaults, option_values, options_by_name
from ppgen.engine.geometry import Format, Formats, Point, read_formats
from ppgen.engine.imposition.sheets import Backs, BookletLayout, Sides
from ppgen.errors import InputError, Phrase, Problems, RequestError, join_names, suggest
from ppgen.games.catalogue import CHOICES, DEFAULT_GAME, GAME_KINDS, PARTS, game_languages, game_names
from ppgen.lines import columns
from ppgen.printing.request import (FIT, OPTIONS, OWN_PREFIX, PLAIN_SKIN, PROFILE_OPTIONS, BuildRequest, OptionValues,
                                    OutputKind, Parser, Profile, is_file_word)
from ppgen.process.system import report_step
from ppgen.reading.fields import Fields, read_toml
from ppgen.records import dataclass, field, fields, replace
from ppgen.shipped import shipped_root

if TYPE_CHECKING:
    from ppgen.printing.workshop import Workshop
    from ppgen.review.set_comparison import PieceSelection


# --- Sets ---
# Options that change files are declared by the fields of :class:`~ppgen.printing.request.BuildRequest`; those here
# have values that need the data folder.


class ParsedOption(click.ParamType[Any]):
    """An option type from a parser, whose ValueError is a usage error (exit code 2)."""

    def __init__(self, parser: Parser) -> None:
        self.parse, self.name, self.limits = parser

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return self.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, (str, int, float)) or isinstance(value, bool):
            return value
        try:
            return self.parse(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class ValueChoice(click.Choice[Any]):
    """A choice among values, typed as their texts."""

    def normalize_choice(self, choice: Any, ctx: click.Context | None) -> str:
        return str(choice)


def _option_type(values: OptionValues) -> click.ParamType[Any] | None:
    if values is None or values is bool:
        return click.BOOL if values else None
    if isinstance(values, range):
        return WholeNumber(values.start, values.stop - 1)
    return ParsedOption(values) if isinstance(values, Parser) else ValueChoice(values)


def request_option(name: str, **changes: Any) -> Decorator:
    """Add the option of a field of the build request, with ``changes`` of its attributes."""
    option, flag = OPTIONS[name], name.replace("_", "-")
    return click.option(f"--{flag}/--no-{flag}" if option.default is True or option.values is bool else f"--{flag}", **{
        "type": _option_type(option.values),
        "is_flag": isinstance(option.default, bool) or option.values is bool or None, "default": option.default,
        "show_default": option.typed or True, "metavar": option.metavar,
        **({"help": option.help} if option.help else {"cls": UsualOption}), **changes})


def with_skin(settings: dict[str, Any]) -> dict[str, Any]:
    """Add the skin of large print to its settings. Raises RequestError for another one."""
    if not settings.get("large_print"):
        return settings
    if settings["skin"] not in ("", PLAIN_SKIN):
        raise RequestError.at("--large-print", Phrase("own_look", name=settings["skin"]), Phrase("large_print_or_skin"))
    if settings.get("sheets_per_page", 1) > 1:
        raise RequestError.at("--large-print", Phrase("whole_page"), Phrase("large_print_or_sheets"))
    return {**settings, "skin": PLAIN_SKIN}


def add_options(*options: Decorator) -> Decorator:
    """Add several options."""
    return lambda command: reduce(lambda decorated, option: option(decorated), reversed(options), command)


def typed_options(context: click.Context, command: click.Command, without: Collection[str]) -> Iterator[str]:
    """Yield the options from the command line and ppgen.toml that another command has too, as one types them there."""
    sources = (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
    known = {flag for each in command.params for flag in each.opts} - {*without}
    for option in context.command.params:
        flag, value = max(option.opts, key=len), context.params.get(option.name or "")
        if value is None or flag not in known or context.get_parameter_source(option.name or "") not in sources:
            continue
        if isinstance(value, bool):
            yield from option.opts[:1] if value else option.secondary_opts[:1]
            continue
        for item in value if isinstance(value, tuple) else (value,):
            text = "fit" if option.name == "board_scale" and item == FIT else item
            yield from (flag, f"{item.x:g},{item.y:g}" if isinstance(item, Point) else str(text))


# --- Options whose values need the data folder ---

@dataclass(frozen=True, slots=True, kw_only=True)
class SetOptions:
    """Values of :func:`set_options` and :func:`delivery_options`; ``settings`` are those of the build request."""

    langs: tuple[str, ...]
    settings: Mapping[str, Any]
    choices: Mapping[str, str] = field(default_factory=dict)
    game: str = ""
    data: Path | None = None
    templates: Path | None = None
    card_size: str | None = None
    only: tuple[str, ...] = ()
    output: Path = Path("output")
    quiet: bool = False
    as_json: bool = False
    dry_run: bool = False
    papers: tuple[str, ...] = ()
    printer: str = ""

    @classmethod
    def take(cls, values: dict[str, Any]) -> Self:
        """Take the options of a set out of those of a command, which keeps its own."""
        settings = {name: values.pop(name) for name, option in OPTIONS.items() if option.is_typed and name in values}
        own = {each.name: values.pop(each.name) for each in fields(cls) if each.name in values}
        return cls(settings=with_skin(settings), choices=take_choices(values), **own)


def pass_set(*own: str) -> Decorator:
    """Pass the options of a set as one record, and all others, also the request's that the command has as its ``own``,
    by their names."""
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run_with(**values: Any) -> Any:
            kept = {name: values.pop(name) for name in own}
            return command(SetOptions.take(values), **values, **kept)
        return run_with
    return decorate


def take_choices(values: dict[str, Any]) -> dict[str, str]:
    """Take the chosen versions of the games out of the values of options."""
    taken = {choice.name: values.pop(choice.name, None) for choice in CHOICES}
    return {name: value for name, value in taken.items() if value}


def set_options(kinds: OutputKind) -> Decorator:
    """Add the options of a command that makes files of these kinds: language, look, folders and cache."""
    return add_options(
        lang_option(),
        folder_options,
        usual_option("--card-size", metavar="NAME|WxH", shell_complete=complete_with(card_sizes)),
        *(request_option(name) for name, option in OPTIONS.items() if option.is_typed and option.kinds & kinds),
        *(click.option(f"--{choice.name}", type=click.Choice(choice.values), show_default=choice.usual,
                       help=choice.help) for choice in CHOICES), with_cache)


def only_option(text: str = "only-pieces") -> Decorator:
    return usual_option("--only", "only", multiple=True, metavar="PART", shell_complete=complete_with(lambda: PARTS),
                        text=text)


def paper_option(*default: str) -> Decorator:
    return usual_option("--paper", "papers", multiple=True, metavar="NAME|WxH", default=default,
                        show_default=", ".join(default), shell_complete=complete_with(papers))


def sheet_options(kinds: OutputKind) -> Decorator:
    """Add the options of a command that lays these kinds of files out on paper."""
    return add_options(
        set_options(kinds),
        paper_option("a4"),
        usual_option("--printer", default="", metavar="NAME", shell_complete=complete_with(printers)),
        only_option("only"))


export_options = add_options(set_options(OutputKind.FACES), only_option())
dry_run_option = click.option("--dry-run", is_flag=True, help="Do everything except write files.")
delivery_options = add_options(output_option, dry_run_option, quiet_option, json_option)


# --- Opening of a set ---

@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSet:
    """The set that the options of :func:`set_options` request, with its data loaded."""

    workshop: Workshop
    request: BuildRequest
    known_langs: tuple[str, ...]
    formats: Formats
    selection: PieceSelection | None = None


def open_set(options: SetOptions, opened: Workshop | None = None) -> OpenSet:
    """Load the requested set, unless ``opened`` has it. Raises InputError, BadParameter for a card size or paper."""
    from ppgen.printing.workshop import Workshop

    report_step("reading_deck", 0, 0)
    assets = Assets.at(options.data, options.templates)
    formats = read_formats(assets.common("papers.toml"))
    size = None if options.card_size is None else convert_option(formats.card_size, "--card-size", options.card_size)
    large_print = options.settings.get("large_print", False)
    skin = "" if large_print else options.settings["skin"]
    workshop = (opened.in_version(skin, options.choices) if opened else
                Workshop.open(assets, skin, options.game, options.choices))
    workshop = workshop.in_large_print() if large_print else workshop
    known = game_languages(assets, workshop.game.folder)
    langs = choose_languages(options.langs, known, workshop.game.lang)
    if size:
        with suppress(InputError):  # reported with all other problems of the language
            only = workshop.name_parts(options.only)
            size, warnings = workshop.fit_card_size(workshop.texts(langs[0]), size, only)
            game = workshop.game
            workshop = replace(workshop, game=replace(game, warnings=(*game.warnings, *warnings)))
    selection, where, changed = None, options.settings.get("where"), bool(options.settings.get("changed"))
    if where or changed:
        record = record_file(workshop) if changed or (where and where.needs_states) else Path()
        selection = selection_of(workshop, options, size or workshop.game.card_size, record)
        langs = selection.narrow_languages(langs) if changed and len(langs) > 1 else langs
    return OpenSet(workshop=replace(workshop, picker=selection.pick) if selection else workshop, known_langs=known,
                   formats=formats, selection=selection, request=_build_request(
                       options, workshop, formats, langs, size or workshop.game.card_size))


def selection_of(workshop: Workshop, options: SetOptions, card_size: Format, record: Path) -> PieceSelection:
    """The selection by the options, compared with the faces in a record."""
    from ppgen.review.set_comparison import PieceSelection

    settings = options.settings
    return PieceSelection(workshop=workshop, where=settings.get("where"), changed=bool(settings.get("changed")),
                          card_size=card_size, ink=settings["ink"], skin=settings["skin"], record=record)


def record_file(workshop: Workshop) -> Path:
    """The file of what was printed: in the folder of a set of one's own, else in the user's. Raises InputError."""
    from ppgen.review.set_comparison import RECORD_FILE, RECORD_FOLDER

    assets, game = workshop.assets, workshop.game
    if assets.is_shipped:
        return user_folder("data", "copy the game with ppgen init") / RECORD_FOLDER / game.id / RECORD_FILE
    return assets.game(game.folder) / RECORD_FOLDER / RECORD_FILE


# --- Build request ---

def _build_request(options: SetOptions, workshop: Workshop, formats: Formats, langs: tuple[str, ...],
                   card_size: Format) -> BuildRequest:
    """The build that the options request. Raises BadParameter for an unknown paper."""
    game, profile = workshop.game, _profile(options.printer, workshop, formats)
    if options.settings.get("sides", Sides.BOTH) is not Sides.BOTH and options.settings["backs"] is not Backs.DUPLEX:
        raise RequestError.at("--sides", Phrase("no_other_side"), Phrase("with_duplex"))
    papers = (convert_option(formats.paper, "--paper", text) for text in options.papers)
    layouts = {True: BookletLayout.FOLDED, False: BookletLayout.PAGES, None: None}
    of_profile = {name: getattr(profile, name) for name in PROFILE_OPTIONS if profile.name and not is_typed(name)}
    habit = {"together": None} if options.settings.get("together") is bool(game.deck) else {}
    return BuildRequest(
        langs=langs, papers=tuple(dict.fromkeys(papers)), card_size=card_size, usual_card=game.card_size,
        profile=profile, chosen=game.chosen_words, parts=tuple(dict.fromkeys(workshop.name_parts(options.only))),
        folder=options.output.as_posix(), game=workshop.game_suffix,
        date=f"D:{date:%Y%m%d%H%M%S}Z" if (date := source_date()) else "",  # as PDF writes it
        **{**options.settings, "booklet": layouts[options.settings.get("booklet")], **of_profile, **habit,
           **({} if workshop.pictures else {"pictures": None})})


def _profile(name: str, workshop: Workshop, formats: Formats) -> Profile:
    """The profile of a printer, if one is named; with a prefix if the name in file names could mean another option."""
    if not name:
        return Profile()
    from ppgen.printing.calibration import load_profile

    printer = load_profile(name)
    words = (*data_words(workshop.assets, formats), *(str(entry["id"]) for entry in workshop.game.describe()))
    return Profile(name=f"{OWN_PREFIX}{name}" if is_file_word(name, words) else name, back_offset=printer.back_offset,
                   back_rotation=printer.back_rotation, scale=printer.scale, brightness=printer.brightness)


def data_words(assets: Assets, formats: Formats) -> tuple[str, ...]:
    """The words in file names that come from data: papers, card sizes, skins, games, and the values of choices."""
    chosen = (choice.file_word(value) for choice in CHOICES for value in choice.values)
    return (*formats.papers, *formats.sizes, *assets.skins, *game_names(assets), *chosen)


def is_typed(option: str) -> bool:
    """True for an option on the command line, which overrides the printer's profile."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


# --- Presets ---
# ``--preset``: options of ``ppgen build`` under one name, from ``data/presets.toml`` and the deck's ``[presets]``.

PRESETS_FILE, PRESETS, LIST, ALL = "presets.toml", "presets", "list", "all"
_ALLOWED = frozenset({"paper", "only", "card-size", "pieces", *(
    name.replace("_", "-") for name, option in OPTIONS.items() if option.is_typed)} - {"changed", "where"})
"""Options that a preset may have: those of printing, as a deck comes from a stranger."""

preset_option = usual_option("--preset", default="", metavar="NAME")


class PresetCommand(Command):
    """A command with ``--preset``, whose values are defaults of the other options, before those of ``ppgen.toml``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        if name := ctx.params.get("preset"):
            folder = ctx.params["data"] or Path()
            if name == LIST:
                presets = dict(_list_presets(folder))
                if ctx.params["as_json"]:
                    print_json(presets)
                else:
                    click.echo("\n".join(columns([*presets.items()])[0]))
                ctx.exit()
            with locate_defaults(ctx):
                values = self._preset(name, folder, ctx.params["game"])
            ctx.default_map = {**(ctx.default_map or {}), **values}
            for option in self.params:
                key = option.name or ""
                if key in values and ctx.get_parameter_source(key) is not ParameterSource.COMMANDLINE:
                    ctx.params[key] = option.process_value(ctx, values[key])
                    ctx.set_parameter_source(key, ParameterSource.DEFAULT_MAP)
        return rest

    def _preset(self, name: str, folder: Path, game: str) -> Defaults:
        """The values of a preset for a game. Raises RequestError for an unknown one, InputError for a wrong one."""
        problems = Problems()
        table = _find_preset(name, _open_presets(folder, problems), problems)
        games = [kind.fixed_name for kind in GAME_KINDS.values() if kind.fixed_name]
        game = game or ("" if is_deck(folder) else DEFAULT_GAME)
        allowed = table.take_texts("games", ())
        if allowed and game not in allowed:
            raise RequestError.at("--preset", Phrase("preset_of_game", name=name),
                                  Phrase("needs_game", name=allowed[0]))
        options = {flag: option for flag, option in options_by_name(self).items() if flag in _ALLOWED}
        own = table.take_table(game, required=False) if table.is_table(game) else None
        keys = [key for key in table if key != "games" and key not in games]
        values = option_values(table, keys, options, self)
        if own:
            values |= option_values(own, list(own), options, self)
        problems.raise_if_any()
        return values


def _find_preset(name: str, tables: Mapping[str, Fields], problems: Problems) -> Fields:
    if name.endswith(".toml"):  # a preset that somebody shared
        path = Path(name)
        return read_toml(path.parent, path.name, problems)
    if name not in tables:
        raise RequestError.at("--preset", Phrase("no_preset", name=name),
                              suggest(name, tables, Phrase("known", message=join_names(tables))))
    return tables[name]


def read_presets(command: click.Command, names: Sequence[str], game: str, data: Path | None
                 ) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield those of the named presets (``all``: each) that are for the game: name, parsed options of ``command``, and
    a description. Raises RequestError, InputError.
    """
    problems = Problems()
    tables = _open_presets(data or Path(), problems)
    for name in dict.fromkeys(name for each in names for name in (tables if each == ALL else [each])):
        table = _find_preset(name, tables, problems)
        if game not in (table.take_texts("games", ()) or (game,)):
            continue
        arguments = ["--preset", name, "--game", game, *(["--data", str(data)] if data else [])]
        with command.make_context("build", arguments) as context:
            options = {key: value for key, value in context.params.items()
                       if context.get_parameter_source(key) is ParameterSource.DEFAULT_MAP}
        yield name, options, _describe(table)


def _describe(table: Fields) -> str:
    return join_names(f"{each} = {table.raw(each)}" for each in table)


def _open_presets(folder: Path, problems: Problems) -> dict[str, Fields]:
    shipped = read_toml(shipped_root() / "data", PRESETS_FILE, problems)
    tables = {name: shipped.take_table(name) for name in shipped}
    if is_deck(folder):
        own = read_toml(folder, DECK_FILE, problems).take_table(PRESETS, required=False)
        tables |= {name: own.take_table(name) for name in own}
    return tables


def _list_presets(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of each preset, and what it means, or of a deck's own its options."""
    say = interface_texts()
    for name, table in _open_presets(folder, Problems()).items():
        yield name, say.words.get(f"preset.{name}") or _describe(table)
