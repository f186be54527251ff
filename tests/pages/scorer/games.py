"""Games as somebody may write them: whole ones, such as nothing is right with, and such at the bounds."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ppgen.games.card_game import NAME
from ppgen.games.card_game.deck import Card, Deck, count_routes, count_symbols
from ppgen.games.card_game.scoring import Tally, tally_cards
from ppgen.printing.workshop import Workshop

Json = dict[str, Any]
NAMES = ("Åse", "Ørsted", "良子", "Beate", "Łukasz", "007", "O’Neill", "Élodie")


def folders(workshop: Workshop) -> list[Path]:
    """Where the texts of a game are."""
    return [workshop.assets.common("locales"), workshop.assets.game(workshop.game.folder) / "locales"]


def dealt(number: int, deck: Deck) -> tuple[Tally, ...]:
    """A game by number: 3 to 5 players, all cards dealt or most of them."""
    chance = random.Random(number)
    hands: list[list[Card]] = [[] for _ in range(3 + number % 3)]
    weights = [chance.choice((1, 1, 1, 4)) for _ in hands]
    for card in deck.cards:
        if chance.random() > 0.05 * (number % 2):
            chance.choices(hands, weights)[0].append(card)
    tablets = chance.sample([*chance.choice(((1, 1), (2,), (1,), ())), 0, 0, 0, 0, 0], k=len(hands))
    return tuple(tally_cards(name, hand, tablet) for name, hand, tablet in zip(
        chance.sample(NAMES, len(hands)), hands, tablets, strict=True))


def written(tallies: tuple[Tally, ...]) -> Json:
    """The game as JSON."""
    players = json.loads(json.dumps([asdict(tally) for tally in tallies]))
    return {"game": NAME, "date": "2026-11-21", "place": "", "players": players}


def summed(number: int, deck: Deck) -> Json:
    """A game with all cards dealt, written with sums and all kinds of symbols, without what is 0."""
    chance = random.Random(number)
    hands: list[list[Card]] = [[] for _ in range(3 + number % 3)]
    for card in deck.cards:
        chance.choice(hands).append(card)

    def count(value: int) -> object:
        return chance.choice((value, str(value), f"{value - 1} + 1" if value else "", f"0+{value}"))

    def player(seat: int, hand: list[Card]) -> Json:
        routes, symbols = count_routes(hand), dict[str, object]()
        for country in dict.fromkeys(card.country.id for card in hand):
            kinds = count_symbols(card for card in hand if card.country.id == country)
            symbols[country] = chance.choice((count(max(kinds.values(), default=0)),
                                              {kind: count(value) for kind, value in kinds.items()}))
        return {"name": f"P{seat}", "cards": {country: count(value) for country, value in Counter(
            card.country.id for card in hand).items()}, "symbols": symbols, "ships": count(routes["ship"]),
            "carriages": count(routes["carriage"]), **({"minus_two": count(2)} if seat == number % 6 else {})}

    return {"players": [player(seat, hand) for seat, hand in enumerate(hands)]}


ODD = (0, 1, 2, 3, 5, 9, 60, -1, 2.5, 2.0, "3+2", " 4 ", "４", "-2", "1,5", "5,0", "x", "", None, True, [], {}, 123456,
       "9999+1")
"""What may stand where a count belongs."""


def spoilt(number: int, deck: Deck) -> Any:
    """A dealt game in which a few things are changed at random: counts, keys, names, kinds of values."""
    chance = random.Random(number)
    game = written(dealt(number, deck))
    players = game["players"]
    for _ in range(chance.choice((1, 1, 2, 4))):
        player = chance.choice(players)
        tables = {key: player[key] if isinstance(player.get(key), dict) else {} for key in ("cards", "symbols")}
        country = chance.choice(deck.countries).id
        odd = chance.choice(ODD)
        match chance.randrange(17):
            case 0 | 1 | 2:
                player["cards"] = {**tables["cards"], country: odd}
            case 3 | 4 | 5:
                player["symbols"] = {**tables["symbols"], country: odd}
            case 6 | 7:
                player[chance.choice(("ships", "carriages", "minus_two"))] = odd
            case 8:
                kinds = {chance.choice((*deck.symbols, "Fächer", "ohne")): odd for _ in range(2)}
                player["symbols"] = {**tables["symbols"], country: kinds}
            case 9:
                word = chance.choice(("Frankreich", "DÄNEMARK", "daenemark", "FR", "イタリア", "Utopia"))
                player["cards"] = {**tables["cards"], word: odd}
            case 10:
                first = players[0].get("name")
                player["name"] = chance.choice(("", " ", first, str(first).upper(), "a" * 61,
                                                "a‮b", 7, None, "x\u200d"))
            case 11:
                players[:] = (players * 4)[:chance.choice((0, 2, 6, 12))]
                if not players:
                    break
            case 12:
                player[chance.choice(("card", "points", "Name"))] = odd
            case 13:
                game[chance.choice(("game", "date", "place", "winner"))] = chance.choice((
                    "card-game", "chess", "2026-11-21", 5, None, [], "p" * 61))
            case 14:
                player["collected"] = chance.choices([*(card.id for card in deck.cards), "france-9", 3], k=4)
            case 15:
                player["cards"] = chance.choice(([], 5, None))
            case _:
                for key in ("cards", "symbols", "ships", "carriages"):
                    player.pop(key, None)
                player["collected"] = [card.id for card in chance.sample(deck.cards, 6)]
    return game


def edges(deck: Deck) -> list[Any]:
    """Tallies at the bounds of their form: what may just be, and what has one fault."""
    ids = [card.id for card in deck.cards_of(deck.countries[0])]
    players: list[Any] = [
        {}, {"cards": []}, {"cards": True}, {"symbols": {"france": {"fan": 0}}},
        {"symbols": {"france": {"fan": 0, "Fächer": 0}}}, {"collected": []}, {"collected": ids},
        {"collected": ids, "cards": {"france": 0}}, {"collected": ids, "minus_two": 1}, {"collected": ids, "ships": 1},
        {"collected": ids, "cards": {"france": 1}}, {"collected": ids, "symbols": {"france": 1}}, {"collected": {}},
        {"collected": ids[0]}, {"collected": ["france-99"]}, {"collected": [1]}, {"cards": {"france": "2+6"}}]
    named = [[{"name": "Ann", **player}, {"name": "Ben"}, {"name": "Cid"}] for player in players]
    named += [[{"name": name}, {"name": "Ben"}, {"name": "Cid"}] for name in ("A\tb", "Ben\u200d", "B\u00ebn", "BEN ")]
    plain = [{"name": name} for name in "ABC"]
    return [*OUTER, *({"players": players} for players in named),
            *({"players": plain, "place": place} for place in (60 * "p", 61 * "p", "a\u200db", "a\nb", 7, ""))]


OUTER: tuple[Any, ...] = (
    5, "x", None, True, [], {}, {"players": {}}, {"players": [1, 2, 3]}, {"players": [None, None, None]},
    {"players": "ABC"}, [{"name": name} for name in "ABC"])
"""Documents that are none, and a list of players without a table around it."""
