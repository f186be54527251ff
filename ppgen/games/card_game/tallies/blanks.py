"""Turns a deck and players' names into empty tallies to fill in: TOML, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence

from ppgen.games.card_game.deck.model import MIN_PLAYERS, Deck
from ppgen.games.card_game.scoring.points import COLUMNS, SINGLE_COUNTS, Tally
from ppgen.games.card_game.scoring.result import tallies_json
from ppgen.reading.spreadsheets import guarded
from ppgen.reading.texts import Texts


def template(form: str, deck: Deck, players: Sequence[str], texts: Texts) -> str:
    """An empty file in TOML, CSV or JSON; without players, for as few as can play."""
    names = players or [texts("template.player", n=number) for number in range(1, MIN_PLAYERS + 1)]
    return {"toml": _toml, "csv": _csv, "json": _json}[form](deck, names, texts)


def _toml(deck: Deck, names: Sequence[str], texts: Texts) -> str:
    lines = [f"# {texts('template.head')}", f"# {texts('template.sums')}", "",
             f'date = ""             # {texts("tally.date")}', f'place = ""            # {texts("tally.place")}']
    for name in names:
        lines += ["", "", "[[players]]", f"name = {json.dumps(name, ensure_ascii=False)}",
                  f"# {texts('template.chains')}", *(f"{key} = 0" for key in SINGLE_COUNTS),
                  f"# {texts('template.collected', card=deck.cards[0].id)}", "",
                  f"[players.cards]       # {texts('template.cards')}", *_countries(deck, texts), "",
                  f"[players.symbols]     # {texts('template.symbols', example='{ cross = 4, fan = 1 }')}",
                  *_countries(deck, texts)]
    return "\n".join(lines) + "\n"


def _countries(deck: Deck, texts: Texts) -> Iterator[str]:
    for country in deck.countries:
        exist = texts("template.exist", country=texts(f"countries.{country.id}"), number=country.number)
        yield f"{country.id} = 0".ljust(22) + f"# {exist}"


def _csv(deck: Deck, names: Sequence[str], texts: Texts) -> str:
    out = io.StringIO()
    # spreadsheets part cells at the list separator of their language
    writer = csv.writer(out, lineterminator="\n", delimiter=texts("template.separator"))
    writer.writerow(["", *(cell for name in names for cell in (guarded(name), ""))])
    writer.writerow(["", *[texts(f"tally.{column}") for column in COLUMNS] * len(names)])
    rows = (*(f"countries.{country.id}" for country in deck.countries), *(f"tally.{key}" for key in SINGLE_COUNTS))
    for row in rows:
        writer.writerow([texts(row), *[""] * (2 * len(names))])
    return out.getvalue()


def _json(deck: Deck, names: Sequence[str], texts: Texts) -> str:
    zeros = {country.id: 0 for country in deck.countries}
    return json.dumps(tallies_json([Tally(name=name, cards=zeros, symbols=zeros) for name in names]),
                      ensure_ascii=False, indent=1) + "\n"
