"""What may be asked of a tuck box. The command line knows it too, and need not know how a box is made."""

from __future__ import annotations

from dataclasses import dataclass

CARD_THICKNESS = 0.32
"""Of a printed card in mm: 250 to 300 g/m² (print.md's 0.30 to 0.35 mm)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """How the cards go into the box: the thickness of one in mm, without its sleeve, and whether it has one."""

    thickness: float = CARD_THICKNESS
    sleeved: bool = False


USUAL = Pack()
