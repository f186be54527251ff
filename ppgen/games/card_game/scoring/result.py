"""Turns a score into what programs and spreadsheets read: JSON, lines of CSV, and a game's tallies again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ppgen.games.card_game import NAME
from ppgen.games.card_game.deck.model import Country
from ppgen.games.card_game.scoring.points import CountryScore, PlayerScore, Score, Tally
from ppgen.play.scoring import Json


def result_json(score: Score, complete: bool, warnings: Iterable[str]) -> Json:
    """The result as ``ppgen score --format json`` prints it (contract, 'ppgen score')."""
    return {"game": NAME, "complete": complete, "winners": list(score.winners), "tie_break": score.tie_break,
            "warnings": list(warnings), "players": [_player(player) for player in score.players]}


def tallies_json(players: Sequence[Tally], date: str = "", place: str = "") -> Json:
    """A game that ``ppgen score`` reads as JSON."""
    return {"game": NAME, "date": date, "place": place, "players": [
        {"name": tally.name, "cards": dict(tally.cards), "symbols": dict(tally.symbols), "ships": tally.ships,
         "carriages": tally.carriages, "minus_two": tally.minus_two} for tally in players]}


def result_lines(score: Score, countries: Sequence[Country]) -> list[Json]:
    """A line for each player; at its end four columns for each country."""
    rows = []
    for player in score.players:
        row = {key: value for key, value in _player(player).items() if key != "countries"}
        row["winner"] = int(player.name in score.winners)
        for country in countries:
            for key, value in _country(player.countries[country.id]).items():
                row[f"{country.id}_{key}"] = value
        rows.append(row)
    return rows


def _player(player: PlayerScore) -> Json:
    return {"name": player.name, "rank": player.rank, "total": player.total, "cards": player.cards,
            "countries": {country: _country(entry) for country, entry in player.countries.items()},
            "country_subtotal": player.country_subtotal, "symbol_subtotal": player.symbol_subtotal,
            "ships": player.ships, "carriages": player.carriages, "chain_points": player.chain_points,
            "minus_two": player.minus_two, "law_points": player.law_points}


def _country(entry: CountryScore) -> Json:
    return {"cards": entry.cards, "symbols": entry.symbols, "country_points": entry.country_points,
            "symbol_points": entry.symbol_points}
