"""Turns a board into the plan of its score sheet: what is written in which row, in the order of the rules."""

from __future__ import annotations

from ppgen.games.board_game.board.model import MAX_PLAYERS, MIN_PLAYERS, Board
from ppgen.play.sheet import Column, Row, SheetPlan, Takes

COUNCILLORS, INTERIM = "councillors", "interim"
"""Beside the spaces of a country: the letters of its councillors, and of its cloisters at the interim scoring."""
POINTS, INTERIM_POINTS = "points", "interim_points"
"""What a player scores in a country."""
SUMS = ("before", "cloister_subtotal", "alliance_subtotal", "chain_points", "total", "pieces_left")
"""The rows below the countries and alliances."""


def plan_of(board: Board) -> SheetPlan:
    """The points at the interim scoring, then a row for each country: a letter a space, and those of councillors.

    The interim scoring itself needs no more than the spaces.
    """
    return SheetPlan(least=MIN_PLAYERS, most=MAX_PLAYERS, rows=(
        Row(key="before", label="tally.before", columns=(Column(ask="ask.before", late=True),)),
        *(Row(key=country, label=f"countries.{country}", shared=True, columns=(
            *(Column(key=label, takes=Takes.LETTER, ask="ask.space", label=label) for label in labels),
            Column(key=COUNCILLORS, takes=Takes.LETTERS, ask="ask.councillors", late=True)),
            places={label: (board.space[label].at.x, board.space[label].at.y) for label in labels},
            links=tuple(road.ends for road in board.roads if {*road.ends} <= {*labels}))
          for country, labels in board.labels.items())))
