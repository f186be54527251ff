"""Positions of the board game: whole ones, such as nothing is right with, and such at the bounds."""

from __future__ import annotations

import json
import random
from typing import Any

from ppgen.games.board_game.board import Board
from tests.pages.scorer.games import NAMES, ODD, OUTER

Json = dict[str, Any]
PLAIN = ("Andreas", "Barbra", "Chris", "Doris", "Emil")


def placed(number: int, board: Board) -> Json:
    """A position by number: 3 to 5 players, spaces held by neighbours rather than by anybody, as many councillors as
    may be or fewer, and points or cloisters of the interim scoring, or neither."""
    chance = random.Random(number)
    players = chance.sample(NAMES if number % 4 == 3 else PLAIN, 3 + number % 3)
    letters = "ABCDE"[:len(players)] if number % 4 == 3 else [name[0] for name in players]
    held: dict[str, str] = {}
    left = dict.fromkeys(letters, board.cloisters)
    for space in board.spaces:
        letter = chance.choice([*letters, *[held[end] for road in board.roads if space.id in road.ends
                                            for end in road.ends if end in held] * 2])
        if chance.random() < chance.choice((0.7, 0.95)) and left[letter]:
            held[space.id] = letter
            left[letter] -= 1
    supply = dict.fromkeys(letters, board.councillors)
    councillors = {}
    for country, labels in board.labels.items():
        owners = [held[label] for label in labels if label in held]
        room = max(map(owners.count, letters), default=0)
        own = [letter for letter in chance.choices(letters, k=chance.randint(0, room)) if supply[letter] > 0]
        for letter in own:
            supply[letter] -= 1
        councillors[country] = "".join(own)
        if min(supply.values()) < 0:
            councillors[country] = ""
    game: Json = {"game": "board-game", "date": "2026-11-21", "players": players, "councillors": councillors,
                  "spaces": {country: "".join(held.get(label, ".") for label in labels)
                             for country, labels in board.labels.items()}}
    then = {country: "".join(letter for letter in row if letter != "." and chance.random() < 0.5)
            for country, row in game["spaces"].items()}
    if way := number % 3:
        game |= {"interim": then} if way == 1 else {"before": [chance.randrange(40) for _ in players]}
    return game


def spoilt(number: int, board: Board) -> Any:
    """A position in which a few things are changed at random."""
    chance = random.Random(number)
    game = json.loads(json.dumps(placed(number, board)))
    for _ in range(chance.choice((1, 1, 2, 4))):
        country = chance.choice([*board.labels, "Frankreich", "DÄNEMARK", "EN"])
        label = chance.choice(board.spaces).id
        odd = chance.choice((*ODD, "AAB", "ABZ", "....", "A" * 9, "Ａb", {"A": 2}, {"Z": 1}, {"A": -1}, {label: "B"},
                            {"A": 1, game["players"][0]: 1} if isinstance(game["players"], list) and game["players"]
                            else {}))
        tables = {key: value if isinstance(value, dict) else {} for key, value in game.items()}
        match chance.randrange(14):
            case 0 | 1 | 2:
                game["spaces"] = {**tables.get("spaces", {}), country: odd}
            case 3 | 4:
                game["councillors"] = {**tables.get("councillors", {}), country: odd}
            case 5:
                game["spaces"] = {**tables.get("spaces", {}), chance.choice((label, label.lower())): chance.choice(
                    ("A", "AB", "Andreas", "Zoe", ".", None, 3))}
            case 6:
                game["interim"] = {**tables.get("interim", {}), country: odd}
            case 7:
                game["before"] = chance.choice((
                    [1, 2, 3], [1, 2], [], {"A": 5}, {"A": 5, "a": 6}, {"Z": 5}, 5, [1, "2+2", "x"], [*range(5)]))
            case 8:
                game.pop("spaces", None)
                game["cloisters"] = {country: odd, "italy": "AABBC", "france": {"A": 3, "B": chance.choice((4, 9))}}
                game["chains"] = chance.choice(([4, 0, 0], [3, 0, 0], [40, 0, 4], {"A": 4}, [0] * 5, [5, 4, 0, 0]))
            case 9:
                game["cloisters"] = {"france": "AB"}
            case 10:
                game["players"] = chance.choice(([], ["A", "B"], ["A", "A", "B"], [*"ABCDEF"], [*"ABC", 7], "ABC", None,
                                                 ["良子", "健太", "みどり"], ["Åse", "Anna", "Bo"]))
            case 11:
                game[chance.choice(("game", "date", "winner", "place"))] = chance.choice((
                    "chess", None, 5, [], "2026-11-21", "p" * 61, "board-game"))
            case 12:
                game[chance.choice(("spaces", "councillors", "interim"))] = chance.choice((None, [], 5, "x", {}))
            case _:
                game["councillors"] = {country: "AAAA", "france": "AABB"}
    return game


def edges(board: Board) -> list[Any]:
    """Positions at the bounds of their form: what may just be, and what has one fault."""
    full = {country: len(labels) * "." for country, labels in board.labels.items()}
    games: list[Any] = [
        {}, {"spaces": {}}, {"spaces": full}, {"spaces": {"france": ""}}, {"spaces": {"france": 80 * "."}},
        {"councillors": {"france": 80 * "."}},
        {"spaces": {"france": {"fr1": "A"}}}, {"spaces": {"france": {"EN1": "."}}}, {"spaces": {"france": {"FR1": 1}}},
        {"spaces": {"FR1": "Ann", "fr1": "A"}}, {"spaces": {"FR1": "A", "fr1": "B"}}, {"spaces": {"FR1": "AB"}},
        *({"spaces": {"FR1": owner}} for owner in ("", " ", " . ", " Ann ", None)), {"before": [9999, 0, 0]},
        {"before": [10000, 0, 0]},
        {"spaces": {"FR1": " A "}, "chains": []}, {"spaces": {"FR1": "A"}, "cloisters": {"france": ""}},
        {"spaces": {}, "cloisters": {"france": "AAB"}}, {"interim": {}, "before": [0, 0, 0]},
        {"interim": {"france": "A"}, "spaces": {"FR1": "A"}, "before": [1, 0, 0]},
        {"interim": {"france": "A"}, "spaces": {"FR1": "A"}, "before": [2, 0, 0]},
        {"interim": {"france": "A"}, "spaces": {"FR1": "B"}}, {"before": {}}, {"before": {"A": 1, "Ann": 2}},
        {"before": {"Z": 1}}, {"before": [1, 2]}, {"before": "ABC"}, {"chains": [4, 0, 0]},
        {"cloisters": {"france": {"A": 2}}, "councillors": {"france": {"B": 1, "C": 1}}}]
    return [*OUTER, {"players": []}, {"players": [*"ABC"]}, {"players": [*"ABCDEF"]},
            *({"players": ["Ann", "Ben", "Cid"], **game} for game in games)]
