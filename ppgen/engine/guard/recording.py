"""Sandbox that records the calls of a face, for a page on which its parts can be pointed at.

Its templates have a number in each call (``template_calls.number_calls``). Faces for printing are drawn by the plain
sandbox, from templates without numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jinja2.runtime import Context, Macro
from markupsafe import Markup

from ppgen.engine.geometry import Rect
from ppgen.engine.guard.refusals import NUMBERS
from ppgen.engine.guard.sandbox import Sandbox, calling_line
from ppgen.engine.svg.subset import SOURCE_ATTRIBUTE
from ppgen.reading.workbooks import plain_number

CALL_MARK = "_call"
"""The argument that numbers a call."""
MAX_RECORDED = 5_000
"""Calls of a face that are recorded."""
_FIRST_TAG = re.compile("<[a-z]+")


@dataclass(slots=True)
class RecordedCall:
    """A call that was made: ``mark`` is its template and number, ``given`` its texts and numbers by name or place.

    ``within`` are the indices of the macro calls around it, the outermost first. ``box`` is where it draws, in mm of
    its own coordinates. A call ``in_box`` was given its place as a box, made by the call with the mark ``boxes_by``.
    """

    mark: str
    given: Mapping[str, Any]
    within: tuple[int, ...]
    in_box: bool
    box: Rect | None = None
    boxes_by: str = ""


@dataclass(slots=True)
class Recorder:
    """The calls of the face that was drawn last, in the order in which they were made."""

    calls: list[RecordedCall] = field(default_factory=list)
    box: Rect | None = None
    open_macros: list[int] = field(default_factory=list)
    makers: dict[tuple[float, ...], str] = field(default_factory=dict)
    """The marks of the calls that made lists of boxes, by the values of each box."""

    def begin(self) -> None:
        self.calls, self.box, self.open_macros, self.makers = [], None, [], {}

    def load(self, calls: Iterable[Mapping[str, Any]]) -> None:
        """Take the calls that a recorder in another process has recorded, as JSON."""
        self.calls = [RecordedCall(**{**call, "within": tuple(call["within"]),
                                      "box": Rect(**call["box"]) if call["box"] else None}) for call in calls]

    def mark(self, box: Rect) -> None:
        """Take the box of the call that is being made: functions of faces report it."""
        self.box = box


class RecordingSandbox(Sandbox):
    """A sandbox that records each numbered call."""

    def __init__(self, *args: Any, recorder: Recorder) -> None:
        super().__init__(*args)
        self.recorder = recorder

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        mark, recorder = kwargs.pop(CALL_MARK, ""), __self.recorder
        if not mark or len(recorder.calls) >= MAX_RECORDED:
            return super().call(__context, __obj, *args, **kwargs)
        is_macro, box = isinstance(__obj, Macro), kwargs.get("box")
        named = {name: plain_number(value) for name, value in (
            *((str(at), value) for at, value in enumerate(args)), *kwargs.items())}
        given = {name: str(value) if isinstance(value, str) else value for name, value in named.items()
                 if isinstance(value, str) or type(value) in NUMBERS}
        entry = RecordedCall(mark, given, tuple(recorder.open_macros), box is not None)
        if isinstance(box, tuple):
            entry.boxes_by = recorder.makers.get(tuple(box), "")
        number, recorder.box = len(recorder.calls), None
        recorder.calls.append(entry)
        if not is_macro:
            result = super().call(__context, __obj, *args, **kwargs)
            entry.box = recorder.box
        else:
            recorder.open_macros.append(number)
            try:
                result = super().call(__context, __obj, *args, **kwargs)
            finally:
                recorder.open_macros.pop()
        if isinstance(result, list):
            recorder.makers |= {tuple(each): mark for each in result if isinstance(each, tuple)}
        elif not is_macro and isinstance(result, Markup) and (tag := _FIRST_TAG.match(result)):
            source = f' {SOURCE_ATTRIBUTE}="{number}|{calling_line()}"'
            return Markup(f"{tag[0]}{source}{str(result)[tag.end():]}")
        return result
