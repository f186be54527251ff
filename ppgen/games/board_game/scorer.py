"""The board game on the scorer page: its data, a simple map, signs, and the scripts of its scoring."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ppgen import play
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.games.board_game import FOLDER, NAME, scoring, tallies
from ppgen.games.board_game.board import Board
from ppgen.games.board_game.drawn_map import DrawnMap
from ppgen.games.board_game.scoring import rules_json
from ppgen.games.board_game.tallies import TallyNames
from ppgen.games.interface import ScorerGame
from ppgen.play.sheet_plan import Json
from ppgen.reading.texts import FALLBACK, languages

SQUARE, SHIELD = Size(100, 100), Size(100, 120)
SCRIPTS = ((play, "counts.js"), (play, "score_lines.js"), (play, "checking.js"), (scoring, "score.js"),
           (scoring, "sentences.js"), (tallies, "judge.js"))


def scorer_game(board: Board, drawn: DrawnMap, folder: Path, common: Path) -> ScorerGame:
    """Make the board game for the scorer page, from its data ``folder`` and that of the ``common`` locale files."""
    scripts = [(Path(str(module.__file__)).parent / name).read_text(encoding="utf-8") for module, name in SCRIPTS]
    lang = next(iter(languages(folder / "locales")), FALLBACK)  # all have the same keys
    names = TallyNames(board, folder / "locales", lang, common)
    return ScorerGame(start="boardGamePage", scripts=tuple(scripts), signs=_signs(board),
                      data={"name": NAME, "rules": board_json(board, names), "map": map_json(board, drawn)})


def board_json(board: Board, names: TallyNames) -> Json:
    """Make the ``rules`` of ``score.js``, with the additions that ``judge.js`` needs."""
    return {**rules_json(board), "cloisters": board.cloisters, "councillors": board.councillors,
            "words": {"countries": names.spelled("countries")}}


def map_json(board: Board, drawn: DrawnMap) -> Json:
    """Make the map: path data of lands, roads and ribbons, and the places of everything, in mm of the board."""
    left, top, right, bottom = board.frame
    page = drawn.common["page"]
    return {
        "frame": [left, top, right - left, bottom - top], "lands": page["lands"], "isles": page["isles"],
        "countries": {country.id: {"code": country.code, "arms": country.arms,
                                   "tint": board.kind_by_country[country.id].tint,
                                   "court": _round_point((*country.court.at, country.court.radius))}
                      for country in board.countries},
        "spaces": {space.id: [*_round_point(space.at), space.name] for space in board.spaces},
        "roads": [_round_point(board.control_point(road)) for road in board.roads],
        "boxes": {str(alliance.box): [*_round_point(alliance.at), ribbon]
                  for alliance, ribbon in zip(board.alliances, page["ribbons"], strict=True)},
        "radius": board.space_radius, "box": board.box_side}


def _round_point(point: Iterable[float]) -> list[int]:
    return [round(each) for each in point]


def _signs(board: Board) -> dict[str, FaceRequest]:
    """Drawings by the names that the page's scripts know: arms, and the badges and pieces of the players."""
    arms = {f"arms-{country.id}": _sign("arms", SHIELD, country.arms) for country in board.countries}
    pieces = {f"{kind}-{player.player}": _sign(of, SQUARE, "", player.player, player.colour, player.shape)
              for kind, of in (("seat", "badge"), ("councillor", "councillor")) for player in board.players}
    return {**arms, **pieces, "cloister": _sign("cloister", SQUARE, "")}


def _sign(of: str, size: Size, arms: str, player: int = 0, colour: str = "", shape: str = "") -> FaceRequest:
    return FaceRequest(template=f"{FOLDER}/page-sign.svg.j2", size=size, key=f"{of} {arms or player}",
                       values={"of": of, "arms": arms, "player": player, "colour": colour, "shape": shape})
