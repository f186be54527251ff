"""Choice of a game between several versions of its parts. Imports nothing: the command line reads it at start-up."""

from __future__ import annotations

from dataclasses import dataclass

NONE = "none"  # value of a choice that leaves its part out


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A choice: the option ``--name`` and its ``values``, the first of them the default. ``help`` is one line."""

    name: str
    values: tuple[str, ...]
    help: str

    @property
    def usual(self) -> str:
        """The default value."""
        return self.values[0]

    def file_word(self, value: str) -> str:
        """The word for a value in the names of files."""
        return f"no-{self.name}" if value == NONE else value
