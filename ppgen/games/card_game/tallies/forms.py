"""Turns the form fields of a filled-in score sheet into a :class:`RawGame`, and holds typed totals to account.

Fields are named ``p1.name``, ``p1.france.cards``, ``p1.france.symbols``, ``p1.ships``, ``p1.carriages``,
``p1.minus_two`` for each column, ``date`` and ``place``; the points are ``p1.france.country_points``,
``p1.france.symbol_points``, ``p1.country_subtotal``, ``p1.symbol_subtotal``, ``p1.carry``,
``p1.chain_points``, ``p1.law_points`` and ``p1.total``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ppgen.errors import InputError, Problem, Spot
from ppgen.games.card_game.scoring.points import PlayerScore, Score
from ppgen.games.card_game.tallies.names import Names
from ppgen.play.raw import RawGame, TypedTotal
from ppgen.reading.fields import Trail

TOTALS = ("country_subtotal", "symbol_subtotal", "carry", "chain_points", "law_points", "total")
COUNTRY_TOTALS = ("country_points", "symbol_points")

_FIELD = re.compile(r"p(\d{1,2})\.(.+)")


def read_form(fields: Mapping[str, str], place: str) -> RawGame:
    """The tallies in a filled-in form; columns in which nothing stands are left out.

    Raises InputError if none of the fields is one of a score sheet. Fields with other names are not
    ours (a signature, a note) and are passed over.
    """
    columns: dict[int, dict[str, str]] = {}
    for name, value in fields.items():
        if match := _FIELD.fullmatch(name):
            columns.setdefault(int(match[1]), {})[match[2]] = value.strip()
    if not columns:
        raise InputError([Problem(place=place, what="has no fields of a score sheet",
                                  remedy="fill in the score sheet that ppgen build prints")])
    used = [number for number in sorted(columns) if _is_used(columns[number])]
    trails: dict[Trail, str] = {}
    players: list[dict[str, object]] = []
    totals: list[TypedTotal] = []
    for seat, number in enumerate(used):
        players.append(_player(columns[number], ("players", seat), f"p{number}", trails))
        totals.extend(_totals(columns[number], seat, f"p{number}", place))
    document: dict[str, object] = {"players": players}
    for key in ("date", "place"):
        document[key] = fields.get(key, "")

    def where(trail: Trail) -> Spot:
        known = next((trails[trail[:end]] for end in range(len(trail), 0, -1) if trail[:end] in trails), "")
        return Spot(place, 0, known or (str(trail[0]) if trail[0] in ("date", "place") else ""))

    return RawGame(place=place, document=document, where=where, totals=tuple(totals))


def wrong_totals(raw: RawGame, score: Score, names: Names) -> Iterator[Problem]:
    """The points that were typed in differently from what the counts make."""
    for typed in raw.totals:
        right = _computed(score.players[typed.seat], typed)
        text = typed.text.replace("−", "-").replace(" ", "")
        if not re.fullmatch(r"[+-]?\d{1,5}([.,]0+)?", text, re.ASCII) or int(re.split("[.,]", text)[0]) != right:
            yield typed.spot.problem(names.say("wrong.points", text=typed.text[:20], points=right),
                                     names.say("wrong.points_taken", points=right))


def _is_used(column: Mapping[str, str]) -> bool:
    """Whether a name or a count stands in it; points may compute themselves to 0 in empty columns too."""
    return any(value.strip("0 ") for key, value in column.items() if not _is_total(key))


def _is_total(key: str) -> bool:
    return key in TOTALS or key.rpartition(".")[2] in COUNTRY_TOTALS


def _player(column: Mapping[str, str], at: Trail, prefix: str, trails: dict[Trail, str]) -> dict[str, object]:
    cards, symbols = dict[str, object](), dict[str, object]()
    player: dict[str, object] = {"name": column.get("name", ""), "cards": cards, "symbols": symbols}
    trails[at] = prefix
    for key, value in column.items():
        country, _, count = key.rpartition(".")
        if key in ("name", "ships", "carriages", "minus_two"):
            player[key] = value if key == "name" else _sum(value)
            trails[*at, key] = f"{prefix}.{key}"
        elif country and count in ("cards", "symbols"):
            (cards if count == "cards" else symbols)[country] = _sum(value)
            trails[*at, count, country] = f"{prefix}.{key}"
    return player


def _sum(value: str) -> str:
    """A count as the form's own scripts read it: an unfinished sum like ``3+`` is what stands there so far."""
    return re.sub(r"\s*\+[\s+]*", "+", value).strip("+")


def _totals(column: Mapping[str, str], seat: int, prefix: str, place: str) -> Iterator[TypedTotal]:
    for key, value in column.items():
        if value and _is_total(key):
            country, _, entry = key.rpartition(".")
            spot = Spot(place, 0, f"{prefix}.{key}")
            yield TypedTotal(seat=seat, entry=entry, country=country, text=value, spot=spot)


def _computed(player: PlayerScore, typed: TypedTotal) -> int:
    if typed.country:
        entry = player.countries.get(typed.country)
        points = getattr(entry, typed.entry) if entry else 0
    elif typed.entry == "carry":
        points = player.country_subtotal + player.symbol_subtotal
    else:
        points = getattr(player, typed.entry)
    return int(points)
