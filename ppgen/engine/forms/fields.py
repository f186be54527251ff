"""What a person may type into a finished page: fields on a component's face. A game makes these.

Interactive forms are ISO 32000-1, 12.7. Lengths are millimetres from the top left corner of the face.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ppgen.engine.geometry import Rect

Align = Literal["left", "center", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """A text field (12.7.4.3) that shows nothing while it is empty: the face brings the box around it.

    ``name`` is the full name, its levels parted by dots (12.7.3.2); ``tooltip`` is what a screen reader
    says. ``keystroke`` and ``calculate`` are JavaScript for the triggers K and C (12.6.3).
    ``font_size`` and ``max_length`` are 0 for "as large as the box allows" and "any length".
    """

    name: str
    rect: Rect
    tooltip: str
    keystroke: str = ""
    calculate: str = ""
    align: Align = "center"
    font_size: float = 0.0
    max_length: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The fields of a face in the order of the Tab key, and the script that their scripts call.

    ``calculated`` names the fields that compute themselves, in the order in which they do (the ``CO``
    of 12.7.2).
    """

    fields: tuple[FormField, ...]
    script: str = ""
    calculated: tuple[str, ...] = ()
