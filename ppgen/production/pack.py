"""Options of the tuck box, apart from its geometry: the command line imports these only."""

from __future__ import annotations

from dataclasses import dataclass

CARD_THICKNESS = 0.32
"""Thickness of a printed card in mm: 250 to 300 g/m² (print.md's 0.30 to 0.35 mm)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """Cards in the box: ``thickness`` of one in mm, without its sleeve, and whether they are sleeved."""

    thickness: float = CARD_THICKNESS
    sleeved: bool = False


DEFAULT_PACK = Pack()
