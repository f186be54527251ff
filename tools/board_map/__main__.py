"""Draw the lines of the board's map anew and write ``board_game/map/common.json`` of a data folder.

    python -m tools.board_map [--check] [DATA]

DATA is the folder of ``board_game``, by default the shipped ``data``. With --check nothing is written: the exit code
is 1 if the file is out of date. Names, mountains, trees and waves stand where ``map/LANG.json`` says.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from ppgen.assets import Assets
from ppgen.errors import InputError, display_path
from ppgen.games.board_game import FOLDER
from ppgen.games.board_game.board import load_board
from ppgen.games.board_game.components import COMMON_FILE, read_borders, source_digests
from tools.board_map.scenery import read_scenery
from tools.board_map.shapes import draw_common


def _format(record: Mapping[str, object]) -> str:
    """Write a record as JSON with a line for each of its keys."""
    lines = (f'"{key}": {json.dumps(each, ensure_ascii=False, separators=(",", ":"))}' for key, each in record.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: list[str]) -> int:
    checks = "--check" in arguments
    folder = Assets.at(*(Path(argument) for argument in arguments if argument != "--check")).data / FOLDER
    path = folder / COMMON_FILE
    try:
        board = load_board(folder)
        drawn = draw_common(board, read_borders(folder, board), read_scenery(folder))
    except InputError as error:
        print(*error.problems, sep="\n", file=sys.stderr)
        return 1
    text = _format({"drawn_for": source_digests(folder), **drawn})
    is_stale = not path.exists() or path.read_text(encoding="utf-8") != text
    if is_stale and checks:
        print(f"{display_path(path)} is out of date (run the tool without --check)", file=sys.stderr)
    elif is_stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return int(checks and is_stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
