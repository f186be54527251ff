"""Job of the peers of ``build_cards.py``: 56 poker-size cards (mm) of 9 types."""

from __future__ import annotations

WIDTH, HEIGHT = 63.5, 88.9
TYPES = (("France", "FR", "#2B4C9B"), ("Saxony", "SA", "#4E9A51"), ("Hungary", "HU", "#C7662C"),
         ("Castile", "CA", "#D9B13B"), ("Franconia", "FN", "#8A4FA0"), ("Bavaria", "BA", "#7FB2D9"),
         ("Italy", "IT", "#5A7A3A"), ("England", "EN", "#B03A3A"), ("Denmark", "DK", "#E0E0D8"))
CARDS = tuple((*TYPES[n % len(TYPES)], n // len(TYPES) + 1) for n in range(56))
"""Name, code, colour and number of each card."""
