"""Turns the data folder of the board game into the game as the house knows it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ppgen.engine.component import Part
from ppgen.engine.formats import Format, Formats
from ppgen.engine.vision import Swatch
from ppgen.errors import Problems
from ppgen.games.board_game import FOLDER, NAME, PIECES, SPOKEN
from ppgen.games.board_game.board.judging import judge
from ppgen.games.board_game.board.listing import describe, describe_map
from ppgen.games.board_game.board.loading import read_board
from ppgen.games.board_game.board.model import Board, Borders
from ppgen.games.board_game.board.outlines import read_borders
from ppgen.games.board_game.printing.aids import aids_part
from ppgen.games.board_game.printing.board import board_part
from ppgen.games.board_game.printing.cards import cards_part
from ppgen.games.board_game.printing.pieces import BLACK_MARKER, pieces_part
from ppgen.games.board_game.printing.rules import rules
from ppgen.games.board_game.printing.scenery import Scenery, read_scenery
from ppgen.games.board_game.printing.score_sheet import score_sheet_part
from ppgen.games.board_game.printing.scorer import scorer_game
from ppgen.games.game import Game, Parts
from ppgen.reading.texts import REFERENCE, Texts

CARD_SIZE = "44x68mm"
"""Of the cards, where no other is asked for: mini-euro."""


def open_board_game(folder: Path, formats: Formats) -> Game:
    """Kardinal & König, the board game, from its data folder. Raises InputError with every problem."""
    problems = Problems()
    board = read_board(folder, problems)
    borders = read_borders(folder, board, problems)
    scenery = read_scenery(folder, problems)
    if not problems:
        problems.extend(judge(board, borders, folder))
    problems.raise_if_any()

    def made(chosen: Mapping[str, str]) -> Parts:
        return partial(parts, board, borders, scenery, chosen)

    return Game(id=NAME, folder=FOLDER, lang=REFERENCE, card_size=formats.card_size(CARD_SIZE),
                parts=made({}), score_sheet=partial(score_sheet_part, board), choices=(PIECES,), remade=made,
                describe=partial(describe, board), facts={"map": describe_map(board)}, swatches=swatches(board),
                rules=partial(rules, board, borders, folder), box=f"{FOLDER}/box.svg.j2",
                scorer=partial(scorer_game, board, borders, folder),
                advice=("board", "pieces", "score"), spoken=SPOKEN)


def parts(board: Board, borders: Borders, scenery: Scenery, chosen: Mapping[str, str], texts: Texts,
          card_size: Format) -> tuple[Part, ...]:
    """The parts of the set but for the score sheet; ``chosen`` is what is made in another way than usual."""
    card = card_size.size
    return (board_part(board, borders, scenery, texts), cards_part(board, borders, texts, card),
            aids_part(board, texts, card, BLACK_MARKER),
            pieces_part(board, texts, chosen.get(PIECES.name, PIECES.usual)))


def swatches(board: Board) -> tuple[tuple[Swatch, ...], ...]:
    """The colours of lands and of cards, told apart by a sign, too, and of players, by the shape of their pieces."""
    return (tuple(Swatch(name=f"{kind.id} land", colour=kind.tint, cue=kind.sign) for kind in board.cards),
            tuple(Swatch(name=kind.id, colour=kind.colour, cue=kind.sign) for kind in board.cards),
            tuple(Swatch(name=f"player {player.player}", colour=player.colour, cue=player.shape)
                  for player in board.players))
