"""The choices that the shipped games offer. The command line has an option for each, so reading it must be quick."""

from __future__ import annotations

from ppgen.games.board_game import PIECES

CHOICES = (PIECES,)
"""Each name once."""
