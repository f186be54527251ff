"""A deck's score sheet, on paper and on the scorer page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import TypeVar

from ppgen.engine.component import FieldForm, Pad, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.interface import ScorerGame
from ppgen.games.sheet_form import (FRAME, SheetBox, SheetLayout, columns_of, fact_boxes, inset, read_scripts, rows_of,
                                    rules_script, sheet_form, sheet_part, sum_script, unit_of)
from ppgen.play.line_points import format_signed
from ppgen.play.rule_file import Rules, ScoreLine, read_rules
from ppgen.play.rule_game import RuleNames, plan_rows
from ppgen.play.sheet_plan import NAME_ROW, TOTAL_ROW, Json, SheetCell
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, replace

# --- Sheet ---
# A row of the table is a row of the rules; each player has a column with a small box for each entry and a large one for
# the points. Many players and many rows go on several sheets.

TEMPLATE = "shared/score-lines.svg.j2"
MAX_SEATS, MAX_ROWS = 8, 36  # columns and rows of a sheet on which hands can write
Each = TypeVar("Each")
MAX_HINT = 58  # characters of a row's rules in a few words


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """A row of the table: its label, its rules in a few words, and its band (mm). Rows of sums are ``strong``."""

    label: str
    hint: str = ""
    rect: Rect
    strong: bool = False
    tinted: bool = False


def rule_sheet_part(folder: Path, texts: Texts, pad: Pad) -> Part:
    """Make the score sheet of the rules in a folder: sheets with a form, or pads of them for paper."""
    rules = read_rules(folder, texts.lang)
    sheets = lay_out(rules, pad.room, texts, bool(pad.home))
    return sheet_part(texts("scoring.title"), TEMPLATE, sheets, {}, pad, lambda: score_form(rules, sheets, texts))


def lay_out(rules: Rules, room: Size, texts: Texts, has_code: bool = False) -> list[SheetLayout]:
    """Lay out as many sheets as players and rows need, in equal shares; ``has_code`` leaves room for a QR code."""
    rows = [list(lines) for _, lines in groupby(rules.lines, lambda line: line.row)]
    pages = [(seats, part) for seats in _share(range(1, rules.most + 1), MAX_SEATS) for part in _share(rows, MAX_ROWS)]
    return [_lay_out_page(rules, seats, part, room, texts, part[0] is rows[0], part[-1] is rows[-1], has_code,
                          f"{number}/{len(pages)}" if len(pages) > 1 else "")
            for number, (seats, part) in enumerate(pages, 1)]


def _share(things: Sequence[Each], most: int) -> list[Sequence[Each]]:
    """Split a list into as few equal parts of at most ``most`` as possible."""
    size = ceil(len(things) / ceil(len(things) / most))
    return [things[start:start + size] for start in range(0, len(things), size)]


def _lay_out_page(rules: Rules, seats: Sequence[int], rows: Sequence[Sequence[ScoreLine]], room: Size, texts: Texts,
                  is_first: bool, is_last: bool, has_code: bool, page: str) -> SheetLayout:
    unit = unit_of(room)
    title, foot = (22 if has_code else 13) * unit, 9 * unit
    label = room.width * (0.28 if len(seats) < 6 else 0.2)
    bands = len(rows) + 1 + is_last
    table = Rect(FRAME, title, room.width - 2 * FRAME, min(room.height - title - foot, bands * 13 * unit))
    band = rows_of(table, bands)
    columns = columns_of(replace(table, x=label, width=room.width - label - FRAME), len(seats))
    facts = Rect(table.x, table.bottom + 1.5 * unit, table.width, 5.6 * unit)
    boxes = fact_boxes(facts, 6 * unit, 17 * unit) if is_first and seats[0] == 1 else {}
    drawn = [RuleRow(label=texts("scoring.player"), rect=band[0])]

    def put(seat: int, field: str, kind: str, x: float, y: float, width: float) -> None:
        rect = Rect(x, y, width, band[0].height)
        inner = inset(rect, 0.8 * unit, rect.height * (0.22 if kind == "tally" else 0.14), 0.4 * unit)
        boxes[f"p{seat}.{field}"] = SheetBox(kind=kind, rect=rect, inner=inner)

    for n, own in enumerate(rows, 1):
        sums = not own[0].added
        heading = rules.rows[own[0].row]
        drawn.append(RuleRow(label=heading, hint=_hint(own, rules, texts), rect=band[n], strong=sums,
                             tinted=n % 2 == 0 or sums))
        for seat, column in zip(seats, columns, strict=True):
            for line, share in zip(own, columns_of(column, len(own)), strict=True):
                cells = () if line.signed else line.entries
                small = min(share.width * 0.45, share.width * 0.7 / max(1, len(cells)))
                for m, cell in enumerate(cells):
                    put(seat, cell, "tally", share.x + m * small, band[n].y, small)
                used = len(cells) * small
                put(seat, line.points_field, "points", share.x + used, band[n].y, share.width - used)
    if is_last:
        drawn.append(RuleRow(label=texts("scoring.total"), rect=band[-1], strong=True, tinted=True))
    for seat, column in zip(seats, columns, strict=True):
        if is_first:
            put(seat, NAME_ROW, "name", column.x, band[0].y, column.width)
        if is_last:
            put(seat, TOTAL_ROW, "total", column.x, band[-1].y, column.width)
    return SheetLayout(unit=unit, title=Rect(0, 0, room.width, title), columns=columns, boxes=boxes,
                       areas={"table": table, "rows": drawn, "page": page})


# --- The rules of a row in a few words ---

def _hint(own: Sequence[ScoreLine], rules: Rules, texts: Texts) -> str:
    """The boxes of a row in their order, by name if there are several, each with its rules."""
    words = []
    for line in own:
        columns = [line.column] if line.column else [entry.partition(".")[2] for entry in line.entries]
        names = " · ".join(rules.columns[column] for column in columns if column)
        words.append(": ".join(filter(None, (names, describe_line(line, texts)))))
    hint = " · ".join(filter(None, words))
    return hint if len(hint) <= MAX_HINT else hint[:MAX_HINT - 1].rstrip(" ,.:") + "…"


def describe_line(line: ScoreLine, say: Texts) -> str:
    """Describe what a line scores; empty for points as they are, for sums and for formulas."""
    parts = [say(f"scoring.take_{line.take}")] if line.take != "sum" else []
    parts += [say("scoring.others")] if line.whose == "others" else []
    if line.before:
        parts.append(say(f"scoring.{line.want}", points=say("scoring.before", count=line.exist)))
    elif line.places:
        least = max(line.places)
        each = [format_signed(points) for points in line.places[least]]
        points = each[0]
        for place in each[1:]:
            points = say("scoring.then", first=points, last=place)
        words = say(f"scoring.{line.want}", points=points)
        parts.append(say("scoring.players", what=words, count=least) if least > 1 else words)
    elif line.table:
        steps = (say("scoring.step", count=count, points=format_signed(points)) for count, points in line.table)
        parts.append(say("scoring.table", steps=", ".join(steps)))
    elif line.formula is None and line.added and not line.signed:
        parts += [say("scoring.from", count=line.least)] if line.least else []
        points = say.count("counted.points", line.each)
        parts.append(say("scoring.per", points=points, count=line.per) if line.per > 1 else
                     say("scoring.each", points=points))
        parts += [say("scoring.up_to", count=line.up_to)] if line.up_to < 9999 else []
        parts += [say(f"scoring.only_{line.only}")] if line.only else []
    return ", ".join(parts)


# Form: ``score_lines.js`` does the scoring, ``score_fields.js`` connects it to the fields. Both are plain ECMAScript 5.

def score_form(rules: Rules, sheets: Sequence[SheetLayout], texts: Texts) -> FieldForm:
    """Make the form of all sheets."""
    plan = plan_rows(rules)
    labels = {entry: line.label for line in rules.lines for entry in line.entries}
    computed = {cell: (label, script) for cell, label, script in _computed(
        rules, plan.seats, texts("scoring.total"))}

    def tooltip(cell: SheetCell) -> str:
        player = texts("scoring.player_number", n=cell.seat)
        if cell in computed:
            return texts("scoring.field_points", row=computed[cell][0], player=player)
        row = labels.get(SheetCell(0, cell.row, cell.column).field, texts("scoring.player"))
        return texts("scoring.field", player=player,
                     row=f"{row} ({cell.column})" if cell.column not in ("", row) else row)

    return sheet_form(plan, sheets, texts, tooltip, {cell: script for cell, (_, script) in computed.items()},
                      rules_script(rules, plan, lambda line: line.points_field))


def _computed(rules: Rules, seats: Iterable[int], total: str) -> Iterator[tuple[SheetCell, str, str]]:
    """Yield the computed cells line by line, then the totals: cell, label and script."""
    for n, line in enumerate(rules.lines):
        for seat in seats:
            if not line.signed and (cell := SheetCell.parse(f"p{seat}.{line.points_field}")):
                yield cell, line.label, f"event.value = scoreCell({seat}, {n});"
    for seat in seats:
        added = [SheetCell.parse(f"p{seat}.{line.points_field}") for line in rules.lines if line.added]
        yield SheetCell(seat, TOTAL_ROW), total, sum_script(filter(None, added))


# --- Scorer page ---

BADGE = "shared/scorer-badge.svg.j2"


def scorer_game(folder: Path, name: str, title: str, author: str, common: Path) -> ScorerGame:
    """Make a deck for the scorer page from its data folder, its name and title, and the common locale files."""
    rules = read_rules(folder)

    def words(lang: str) -> Texts:
        own = read_rules(folder, lang)
        say = RuleNames(own, lang, common).say
        return replace(say, words={**say.words, **_labels(own), "scorer.title": title, "page.name": title,
                                   "scorer.unofficial": author})

    scripts = read_scripts(Path(__file__).parent, ("score_lines", "checking"))
    return ScorerGame(start="deckPage", scripts=scripts, words=words,
                      data={"name": name, "rules": rules_json(rules), "digest": rules.digest},
                      signs={"badge": FaceRequest(template=BADGE, size=Size(100, 100), key="badge", values={})})


def rules_json(rules: Rules) -> Json:
    """The ``rules`` of ``score_lines.js``, without the words of any language."""
    return {"least": rules.least, "most": rules.most, "lowest": rules.lowest, "tie_break": rules.tie_break,
            "verdicts": [[least] for least, _ in rules.verdicts],
            "lines": [line.data("label") for line in rules.lines]}


def _labels(rules: Rules) -> dict[str, str]:
    return {**{f"label.{n}": line.label for n, line in enumerate(rules.lines)},
            **{f"row.{key}": label for key, label in rules.rows.items()},
            **{f"entry.{key}": label for key, label in rules.columns.items()},
            **{f"verdict.{n}": words for n, (_, words) in enumerate(rules.verdicts)}}
