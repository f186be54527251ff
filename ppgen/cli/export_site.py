"""``ppgen export site``: makes a static site to print games from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from ppgen.assets import Assets
from ppgen.cli.command_group import Command, print_json, progress, warn
from ppgen.cli.export_commands import written_message
from ppgen.cli.messages import interface_texts
from ppgen.cli.options import game_folders, games_option, lang_option, with_cache
from ppgen.cli.print_options import (OpenSet, ParsedOption, SetOptions, build_request, delivery_options, open_set,
                                     paper_option, pass_set, request_option, take_choices, with_skin)
from ppgen.cli.usual_options import usual_option
from ppgen.engine.imposition.sheets import Backs
from ppgen.errors import Problem, RequestError
from ppgen.lines import columns
from ppgen.printing.request import INKS, OPTIONS, BuildRequest, Parser
from ppgen.reading.texts import Texts
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    from ppgen.pages.site_folder import Site
    from ppgen.pages.site_pages import SitePreset


_LINKED = re.compile(r"https?://[^\s/]\S*|(?![./])(?!.*(\.\.|:|//))\S+")
"""An address on the web, or of a file below the site."""


def _check_home(context: click.Context, parameter: click.Parameter, value: str) -> str:
    try:
        parsed = urlsplit(value)
        sound = parsed.scheme in ("http", "https") and bool(parsed.hostname) and not re.search(r"\s", value)
    except ValueError:
        sound = False
    if value and not sound:
        raise RequestError.at("--home", f"'{value}' is not the address of a page",
                              "write it in full, like https://example.org/ppgen")
    return value


def _parse_link(text: str) -> tuple[str, str]:
    title, _, address = text.partition("=")
    if not title.strip() or not _LINKED.fullmatch(address):
        raise ValueError(Phrase("not_link", text=text))
    return title.strip(), address


@click.command("site", cls=Command)
@lang_option()
@games_option
@paper_option("a4", "letter")
@click.option("--backs", multiple=True, type=click.Choice([each.value for each in Backs]),
              default=tuple(each.value for each in Backs), show_default="all three",
              help="Offer files with these backs; repeatable.")
@click.option("--ink", "inks", multiple=True, type=click.Choice(INKS),
              show_default="both, of your own deck full", help="Offer files in this ink; repeatable.")
@click.option("--card-size", metavar="NAME|WxH", show_default="that of the game", help="Trim size of the cards.")
@request_option("skin")
@request_option("together")
@usual_option("--title", default="", metavar="TEXT")
@click.option("--home", default="", metavar="URL", callback=_check_home,
              show_default="no link",
              help="Address of ppgen's project, which \"Made by ppgen\" links to.")
@click.option("--link", "links", multiple=True, type=ParsedOption(Parser(_parse_link, "TITLE=ADDRESS")),
              help="Link to another game at the foot of each page: its title, and its address on the web or below the "
                   "site; repeatable.")
@click.option("--large-print", is_flag=True, help="Offer files in large print as well: type of 14 pt or more.")
@usual_option("--preset", "presets", multiple=True, metavar="NAME", text="preset-site")
@game_folders
@with_cache
@delivery_options
@pass_set("backs", "home", "large_print")
def site_command(options: SetOptions, games: tuple[str, ...], backs: tuple[str, ...], inks: tuple[str, ...], title: str,
                 home: str, links: tuple[tuple[str, str], ...], large_print: bool, presets: tuple[str, ...]) -> None:
    """It goes to OUTPUT/site/: one static folder for any web space, or to open from disk. Files there that ppgen did
    not write stay.

    \b
    ppgen export site --lang all --output public
    ppgen export site -l en --paper a4 --backs duplex --backs fold
    ppgen export site --data goblins
    """
    from ppgen.games.catalogue import game_names
    from ppgen.pages.site_folder import SITE, SiteRequest, export_site, find_stale_files  # slow import
    from ppgen.pages.site_pages import LARGE_PRINT
    from ppgen.process.file_writing import write_files

    names = dict.fromkeys(games) or game_names(Assets.at(options.data, options.templates))
    opened = [open_set(replace(options, game=name)) for name in names or ("",)]
    requests = [build_request(options, chosen) for chosen in opened]
    workshops = [chosen.workshop for chosen in opened]
    inks = tuple(dict.fromkeys(inks)) or (INKS if all(not each.game.deck for each in workshops) else INKS[:1])
    left_out: list[Problem] = []
    found = {chosen.workshop.game.id: tuple(_open_presets(options, presets, chosen, request, left_out))
               for chosen, request in zip(opened, requests, strict=True)}
    if unused := [name for name in presets if not any(found.values())]:
        raise RequestError(Problem("--preset", Phrase("preset_of_game", name=name),
                                   "ppgen build --preset list lists them") for name in unused)
    wanted = SiteRequest(backs=[Backs(each) for each in dict.fromkeys(backs)],
                         looks=(*inks, LARGE_PRINT) if large_print else inks,
                         presets=found, title=title, home=home, links=links)
    folder = options.output / SITE
    with progress(options.quiet) as watch:
        site = export_site(workshops, requests, wanted, watch)
    warn((*left_out, *site.warnings), options.quiet)
    if not options.dry_run:
        write_files(folder, site.files, list(find_stale_files(folder, site.files)))
    if options.as_json:
        print_json({"export": "site", "games": [each.game.id for each in workshops],
                    "files": [{**entry, "path": f"{options.output.as_posix()}/{SITE}/{entry['path']}"}
                              for entry in site.entries]})
    elif not options.quiet:
        say = interface_texts()
        for line in _summary(site, options.output, say):
            click.echo(line)
        click.echo(written_message(len(site.files), options.dry_run, say), err=True)
        click.echo(say("export.site_upload", folder=f"{options.output.as_posix()}/{SITE}/"), err=True)


def _open_presets(options: SetOptions, names: Sequence[str], chosen: OpenSet, request: BuildRequest,
                  left_out: list[Problem]) -> Iterator[SitePreset]:
    """Yield the wanted presets of a game, each with its set. Raises RequestError for named ones it can't have."""
    from ppgen.cli.build import build_command
    from ppgen.cli.presets import read_presets
    from ppgen.pages.site_pages import SitePreset

    game = chosen.workshop.game
    for preset in read_presets(build_command, names, game.id, options.data) if names else ():
        values = dict(preset.options)
        settings = {name: values.pop(name) for name, option in OPTIONS.items() if option.is_typed and name in values}
        settings = with_skin({**options.settings, "ink": INKS[0], **settings})
        choices = take_choices(values)
        wanted = replace(options, game=game.id, langs=request.langs, settings=settings, choices=choices,
                         only=values.get("only", ()), papers=values.get("papers", options.papers),
                         card_size=values.get("card_size", options.card_size))
        try:
            opened = open_set(wanted, chosen.workshop)
            printed = build_request(wanted, opened)
        except RequestError as error:
            if preset.name in names:
                raise
            left_out += (replace(problem, place="--preset", key=preset.name, what=Phrase(
                "left_out", message=f"{problem.place} {problem.what}")) for problem in error.problems)
            continue
        yield SitePreset(name=preset.name, workshop=opened.workshop, request=printed, description=preset.description)


def _summary(site: Site, output: Path, say: Texts) -> Iterator[str]:
    """Yield the site's first page, and a table of its folders with the number of their files and their size."""
    sizes: dict[str, list[int]] = {}
    for file in site.files:
        top, slash, _ = file.path.partition("/")
        sizes.setdefault(f"{top}/" if slash else "", []).append(len(file.content))
    home = f"{output.as_posix()}/site"
    rows = [(f"{home}/{folder}", str(len(each)), _size(sum(each), say)) for folder, each in sorted(sizes.items())]
    yield from columns([tuple(say(f"export.site_{head}") for head in ("folder", "files", "size")), *rows])[0]
    yield say("export.site_all", files=len(site.files), size=_size(sum(map(sum, sizes.values())), say))
    yield f"{home}/index.html"


def _size(count: int, say: Texts) -> str:
    return f"{say.number(count / 1e6, 1)} MB"
