"""The board game as a :class:`~ppgen.games.interface.Game`, opened from its data folder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ppgen.engine.colours import Swatch
from ppgen.engine.component import Part
from ppgen.engine.geometry import Format, Formats
from ppgen.games.board_game import FOLDER, NAME, PIECES, SPOKEN
from ppgen.games.board_game.board import Board, describe_board, describe_map, load_board
from ppgen.games.board_game.components import (LARGE_AID, DrawnMap, aids_part, board_part, cards_part, pieces_part,
                                               read_drawn_map)
from ppgen.games.board_game.rules import rules_of_board_game, table_of_board_game
from ppgen.games.board_game.sheet import score_sheet_part, scorer_game
from ppgen.games.game_kind import NONE
from ppgen.games.interface import Game, Parts
from ppgen.reading.texts import REFERENCE, Texts

CARD_SIZE = "44x68mm"  # default size of the cards: mini-euro


def open_board_game(folder: Path, formats: Formats) -> Game:
    """Open Kardinal & König, the board game. Raises InputError with every problem of its data."""
    board = load_board(folder)
    drawn = read_drawn_map(folder, board)

    def parts_with(chosen: Mapping[str, str]) -> Parts:
        return partial(parts, board, drawn, chosen)

    return Game(id=NAME, folder=FOLDER, lang=REFERENCE, card_size=formats.card_size(CARD_SIZE),
                parts=parts_with({}), remade=parts_with, choices=(PIECES,), swatches=swatches(board),
                score_sheet=partial(score_sheet_part, board), describe=partial(describe_board, board),
                facts={"map": describe_map(board)},
                rules=partial(rules_of_board_game, board, drawn.borders, folder), box=f"{FOLDER}/box.svg.j2",
                loose_box=True, large_sizes={"aid": LARGE_AID},
                scorer=partial(scorer_game, board, drawn, folder),
                table=partial(table_of_board_game, board, folder), advice=("board", "pieces", "score"), spoken=SPOKEN)


def parts(board: Board, drawn: DrawnMap, chosen: Mapping[str, str], texts: Texts,
          card_size: Format) -> tuple[Part, ...]:
    """Make the parts of the set except the score sheet; ``chosen`` are the choices that are not the default."""
    card, pieces = card_size.size, chosen.get(PIECES.name, PIECES.usual)
    return (board_part(board, drawn, texts), cards_part(board, drawn, texts, card),
            aids_part(board, texts, card), *((pieces_part(board, texts, pieces),) if pieces != NONE else ()))


def swatches(board: Board) -> tuple[tuple[Swatch, ...], ...]:
    """Colours of lands and of cards, which a sign distinguishes, too, and of players, whose pieces differ in shape."""
    return (tuple(Swatch(name=f"{kind.id} land", colour=kind.tint, cue=kind.sign) for kind in board.cards),
            tuple(Swatch(name=kind.id, colour=kind.colour, cue=kind.sign) for kind in board.cards),
            tuple(Swatch(name=f"player {player.player}", colour=player.colour, cue=player.shape)
                  for player in board.players))
