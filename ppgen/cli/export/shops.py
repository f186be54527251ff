"""``ppgen export gamecrafter``, ``makeplayingcards``, ``drivethru``: print shops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from ppgen.cli.common import open_set, set_options, taking
from ppgen.cli.export.delivery import ExportOptions, deliver, delivery_options, export_request


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopOptions(ExportOptions):
    """What the exports for shops are asked."""

    product: str


def _shop_command(name: str, products: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with the options that all shops share."""

    def made(function: Callable[..., Any]) -> click.Command:
        product = click.option("--product", default="", metavar="NAME",
                               help=f"What cards are printed as: {products}.")
        return click.command(name)(set_options(product(delivery_options(taking(ShopOptions)(function)))))

    return made


@_shop_command("gamecrafter", "poker-deck, mini-deck, micro-deck, bridge-deck, tarot-deck, small-square-deck")
def gamecrafter_command(options: ShopOptions) -> None:
    """Make pictures for The Game Crafter.

    They go to OUTPUT/LANG/gamecrafter-…/, with a README that tells what to do.

    \b
    ppgen export gamecrafter --lang en
    ppgen export gamecrafter --lang en --product mini-deck
    ppgen export gamecrafter --lang en --only score-sheet
    """
    _export("gamecrafter", options)


@_shop_command("makeplayingcards", "card-63x88, poker, bridge, tarot, mini")
def makeplayingcards_command(options: ShopOptions) -> None:
    """Make pictures for MakePlayingCards.

    They go to OUTPUT/LANG/makeplayingcards-…/, with a README that tells what to do.

    \b
    ppgen export makeplayingcards --lang en
    ppgen export makeplayingcards --lang de --product mini
    """
    _export("makeplayingcards", options)


@_shop_command("drivethru", "poker")
def drivethru_command(options: ShopOptions) -> None:
    """Make a PDF for DriveThruCards.

    A page for each side of each card, in OUTPUT/LANG/drivethru-…/, with a README that tells what to do.

    \b
    ppgen export drivethru --lang en
    """
    _export("drivethru", options)


def _export(name: str, options: ShopOptions) -> None:
    from ppgen.errors import InputError, Problem, shown_path
    from ppgen.export.shops.files import export_for_shop, product_format  # heavy: only for who exports
    from ppgen.export.shops.products import FILE, read_shops

    chosen = open_set(options)
    folder = chosen.workshop.assets.common(FILE)
    if not (shop := read_shops(folder).get(name)):
        raise InputError([Problem(place=shown_path(folder / FILE), key=name, what="is missing",
                                  remedy=f"add a table [{name}]")])
    asked = chosen.card_size.size if options.card_size else None
    own = chosen.workshop.game.card_size.size
    product = shop.product_for(options.product, asked, own)
    request = export_request(options, chosen, product_format(product))
    deliver(export_for_shop(chosen.workshop, request, shop, product), chosen, options)
