"""What of a game may be made in several ways: an option that the game names, and its values. Imports nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something that is made in one of several ways: the option ``--name``, its ``values``, the first of them usual.

    ``help`` tells in a line what the values are.
    """

    name: str
    values: tuple[str, ...]
    help: str

    @property
    def usual(self) -> str:
        """What is made where nothing else is asked for."""
        return self.values[0]
