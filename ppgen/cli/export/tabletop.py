"""``ppgen export tts`` and ``ppgen export tabletopia``: virtual tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

import click

from ppgen.cli.common import open_set, set_options, taking
from ppgen.cli.export.delivery import ExportOptions, deliver, delivery_options, export_request
from ppgen.cli.types import Parsed


def _address(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s/?#]+[^\s?#]*", text):
        raise ValueError(f"'{text}' is not an address (write it like https://example.org/kardinal)")
    return text.rstrip("/")


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsOptions(ExportOptions):
    """What ``ppgen export tts`` is asked."""

    base_url: str | None


@click.command("tts")
@set_options
@click.option("--base-url", type=Parsed("url", _address), metavar="URL",
              help="Where the pictures will be on the web.  [default: here, for you alone]")
@delivery_options
@taking(TtsOptions)
def tts_command(options: TtsOptions) -> None:
    """Make a set for Tabletop Simulator.

    Sheets of cards, tiles and the saved object go to OUTPUT/LANG/tts…/.

    \b
    ppgen export tts --lang en
    ppgen export tts --lang en --base-url https://example.org/kardinal
    """
    from ppgen.export.tables.tts import export_tts  # heavy: only for who exports

    chosen = open_set(options)
    deliver(export_tts(chosen.workshop, export_request(options, chosen), options.base_url or ""), chosen, options)


@dataclass(frozen=True, slots=True, kw_only=True)
class TabletopiaOptions(ExportOptions):
    """What ``ppgen export tabletopia`` is asked."""

    zipped: bool


@click.command("tabletopia")
@set_options
@click.option("--zip", "zipped", is_flag=True, help="One zip instead of a folder.")
@delivery_options
@taking(TabletopiaOptions)
def tabletopia_command(options: TabletopiaOptions) -> None:
    """Make pictures for Tabletopia.

    They go to OUTPUT/LANG/tabletopia…/, with a README that tells what to do.

    \b
    ppgen export tabletopia --lang en
    ppgen export tabletopia --lang all --zip
    """
    from ppgen.export.tables.tabletopia import export_tabletopia  # heavy: only for who exports

    chosen = open_set(options)
    deliver(export_tabletopia(chosen.workshop, export_request(options, chosen), options.zipped), chosen, options)
