"""Turns the board and the words of a language into the part ``board``: one face, printed in tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppgen.engine.component import TILED, Component, Part, Stock
from ppgen.engine.drawing.faces import FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Size
from ppgen.games.board_game import FOLDER
from ppgen.games.board_game.board.model import Alliance, Board, Borders, Country
from ppgen.games.board_game.printing.curves import arch, curve, rounded
from ppgen.games.board_game.printing.labels import Labels, place_labels
from ppgen.games.board_game.printing.lands import lands_of
from ppgen.reading.texts import Texts

NAME = "board"


def board_part(board: Board, borders: Borders, texts: Texts) -> Part:
    """The board in one piece, as large as it is; what bears it whole prints it whole."""
    title = texts(f"parts.{NAME}")
    names = {land.id: texts(f"countries.{land.id}") for land in board.countries}
    names |= {land.id: texts(f"board.neighbours.{land.id}") for land in board.neighbours}
    front = FaceRequest(template=f"{FOLDER}/board.svg.j2", size=Size(board.width, board.height), values={},
                        key=texts.lang, measured=Measured(board=board, borders=borders, names=names))
    return Part(name=NAME, title=title, stock=Stock.BOARD, layout=TILED,
                components=(Component(id=NAME, title=title, front=front),))


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """What the board's template draws, once fonts can say how wide the names of lands and spaces are."""

    board: Board
    borders: Borders
    names: Mapping[str, str]

    def __call__(self, fonts: FontBook) -> Mapping[str, object]:
        """The values of the template, all lengths in mm."""
        board = self.board
        labels = place_labels(board, self.borders, self.names, fonts.width)
        return {
            "board": board, "lands": lands_of(board, self.borders), "labels": labels,
            "countries": [self._country(country, labels) for country in board.countries],
            "neighbours": [labels.neighbours[land.id] for land in board.neighbours],
            "spaces": [{"id": space.id, "at": space.at, "kind": board.kind_of[space.country],
                        "label": labels.spaces[space.id]} for space in board.spaces],
            "roads": "".join(arch(board.space[road.ends[0]].at, board.control(road), board.space[road.ends[1]].at)
                             for road in board.roads),
            "alliances": [_alliance(alliance) for alliance in board.alliances],
            "track": [{"number": number, "at": at} for number, at in enumerate(board.track())],
        }

    def _country(self, country: Country, labels: Labels) -> dict[str, object]:
        return {"id": country.id, "arms": country.arms, "court": country.court,
                "kind": self.board.kind_of[country.id], "label": labels.countries[country.id]}


def _alliance(alliance: Alliance) -> dict[str, object]:
    return {"number": alliance.box, "at": alliance.at, "water": alliance.water,
            "ribbon": curve(rounded(alliance.ribbon)), "ends": (alliance.ribbon[0], alliance.ribbon[-1])}
