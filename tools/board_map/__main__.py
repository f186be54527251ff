"""Draw the board's map anew and write ``board_game/map`` of a data folder.

    python -m tools.board_map [--check] [DATA]

DATA is the folder of ``board_game``, by default the shipped ``data``. With --check nothing is written: the exit code
is 1 if a file is out of date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ppgen.assets import Assets
from ppgen.engine.drawing.fonts import read_fonts
from ppgen.errors import InputError, display_path
from ppgen.games.board_game import FOLDER
from ppgen.games.board_game.board import Board, BoardPoint, load_board
from ppgen.games.board_game.components import COMMON_FILE, read_borders, source_digests
from ppgen.reading.texts import Texts, draft_texts, languages
from tools.board_map.drawing import Drawing, draw_common, draw_named
from tools.board_map.labels import MapLabel
from tools.board_map.scenery import read_scenery


def draw_map(assets: Assets) -> Iterator[tuple[Path, str]]:
    """Yield each file of the map with its text. Raises InputError."""
    folder = assets.data / FOLDER
    board = load_board(folder)
    borders, scenery = read_borders(folder, board), read_scenery(folder)
    fonts = read_fonts(assets.common("fonts"), has_house=True)
    yield folder / COMMON_FILE, _format({"drawn_for": source_digests(folder), **draw_common(board, borders, scenery)})
    for lang in languages(folder / "locales"):
        texts, _ = draft_texts(lang, [assets.common("locales"), folder / "locales"])
        drawing = draw_named(board, borders, scenery, land_names(board, texts), fonts)
        yield folder / "map" / f"{lang}.json", _format(_named(drawing))


def land_names(board: Board, texts: Texts) -> dict[str, str]:
    """The names of countries and neighbours, by their ids."""
    return {**{country.id: texts(f"countries.{country.id}") for country in board.countries},
            **{land.id: texts(f"board.neighbours.{land.id}") for land in board.neighbours}}


def _named(drawing: Drawing) -> dict[str, object]:
    """The record of what is drawn for a language, in the whole numbers that ``components.py`` explains."""
    labels, stands = drawing.labels, sorted(drawing.stands, key=lambda stand: (stand.y, stand.x))
    return {
        "countries": _label_numbers(labels.countries), "neighbours": _label_numbers(labels.neighbours),
        "spaces": _label_numbers(labels.spaces),
        "stands": {kind: [number for each in stands if each.kind == kind
                          for number in (*_whole((each.x, each.y), 10), *_whole((each.size,), 100))]
                   for kind in sorted({each.kind for each in stands})},
        "grass": _point_numbers(drawing.grass), "waves": _point_numbers(drawing.waves)}


def _label_numbers(labels: Mapping[str, MapLabel]) -> dict[str, list[int]]:
    return {id: [number for word in label.words for number in _whole((word.x, word.y, word.width, word.size), 100)]
            for id, label in labels.items()}


def _point_numbers(points: Iterable[BoardPoint]) -> list[int]:
    return [number for point in points for number in _whole(point, 10)]


def _whole(lengths: Iterable[float], parts: int) -> list[int]:
    return [round(length * parts) for length in lengths]


def _format(record: Mapping[str, object]) -> str:
    """Write a record as JSON with a line for each of its keys."""
    lines = (f'"{key}": {json.dumps(each, ensure_ascii=False, separators=(",", ":"))}' for key, each in record.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: list[str]) -> int:
    checks = "--check" in arguments
    folders = [Path(argument) for argument in arguments if argument != "--check"]
    try:
        drawn = dict(draw_map(Assets.at(*folders)))
    except InputError as error:
        print(*error.problems, sep="\n", file=sys.stderr)
        return 1
    stale = [path for path, text in drawn.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if checks:
            print(f"{display_path(path)} is out of date (run the tool without --check)", file=sys.stderr)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(drawn[path], encoding="utf-8", newline="\n")
    return int(checks and bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
