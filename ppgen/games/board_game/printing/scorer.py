"""Turns the board into what the scorer page counts the board game with: data, a simple map, signs, and the scripts of
its scoring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ppgen import play
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.games.board_game import FOLDER, NAME, positions, scoring
from ppgen.games.board_game.board.model import Board, Borders, Point
from ppgen.games.board_game.positions.names import Names
from ppgen.games.board_game.printing.curves import curve, rounded, simpler
from ppgen.games.board_game.printing.lands import lands_of
from ppgen.games.board_game.scoring.twin import rules_json, source
from ppgen.games.game import ScorerGame
from ppgen.play.scoring import Json

COARSE = 1.0
"""How far (mm of the board) the outlines of the page's map may leave the printed ones."""
SQUARE, SHIELD = Size(100, 100), Size(100, 120)
SCRIPTS = ((play, "sentences.js"), (play, "checking.js"), (scoring, "sentences.js"), (positions, "judge.js"))


def scorer_game(board: Board, borders: Borders, folder: Path, common: Path) -> ScorerGame:
    """The board game for the scorer page, from its board, its data folder and the common locale files."""
    scripts = [(Path(str(room.__file__)).parent / name).read_text(encoding="utf-8") for room, name in SCRIPTS]
    return ScorerGame(start="boardGamePage", scripts=(source(), *scripts), signs=_signs(board),
                      data={"name": NAME, "rules": board_json(board, folder, common), "map": map_json(board, borders)})


def board_json(board: Board, folder: Path, common: Path) -> Json:
    """The ``rules`` of ``score.js``, with what ``judge.js`` needs beside them."""
    words = Names(board, folder / "locales", "en", common).spelled("countries")
    return {**rules_json(board), "cloisters": board.cloisters, "councillors": board.councillors,
            "words": {"countries": words}}


def map_json(board: Board, borders: Borders) -> Json:
    """The map: path data of lands, roads and ribbons, and where everything stands, in mm of the board."""
    coarse = replace(borders, arcs=tuple(simpler(arc, COARSE) for arc in borders.arcs),
                     isles=tuple(simpler((*isle, isle[0]), COARSE)[:-1] for isle in borders.isles))
    lands = lands_of(board, coarse)
    left, top, right, bottom = board.frame
    return {
        "frame": [left, top, right - left, bottom - top], "lands": dict(lands.shapes), "isles": lands.isles,
        "countries": {country.id: {"code": country.code, "arms": country.arms, "tint": board.kind_of[country.id].tint,
                                   "court": [*country.court.at, country.court.radius]} for country in board.countries},
        "spaces": {space.id: [*space.at, space.name] for space in board.spaces},
        "roads": [_pair(board.control(road)) for road in board.roads],
        "boxes": {str(alliance.box): [*alliance.at, curve(rounded(simpler(alliance.ribbon, COARSE), 1))]
                  for alliance in board.alliances},
        "radius": board.space_radius, "box": board.box_side}


def _pair(point: Point) -> list[float]:
    return [round(point.x, 1), round(point.y, 1)]


def _signs(board: Board) -> dict[str, FaceRequest]:
    """The drawings by the names that the page's scripts know: arms, and the badges and pieces of the players."""
    arms = {f"arms-{country.id}": _sign("arms", SHIELD, country.arms) for country in board.countries}
    pieces = {f"{kind}-{player.player}": _sign(of, SQUARE, "", player.player, player.colour, player.shape)
              for kind, of in (("seat", "badge"), ("councillor", "councillor")) for player in board.players}
    return {**arms, **pieces, "cloister": _sign("cloister", SQUARE, "")}


def _sign(of: str, size: Size, arms: str, player: int = 0, colour: str = "", shape: str = "") -> FaceRequest:
    return FaceRequest(template=f"{FOLDER}/page-sign.svg.j2", size=size, key=f"{of} {arms or player}",
                       values={"of": of, "arms": arms, "player": player, "colour": colour, "shape": shape})
