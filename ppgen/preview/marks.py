"""Turns template folders into a mark for each template: equal until it, or something that it uses, has changed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

_QUOTED = re.compile(r"""["']([^"'\n]+)["']""")
_USE = re.compile(r"\{%[-+]?\s*(?:import|include|extends|from)\b")
_PLAIN_USE = re.compile(_USE.pattern + r"""\s*["'][^"'\n]+["']\s*(?:(?:as|import|ignore|with|without)\b|[-+]?%\})""")


def marks_of(folders: Sequence[Path]) -> Mapping[str, str]:
    """A mark for each template by its name; the first folder that has a template wins.

    A template uses whatever it names in quotes. One that makes up names while it is filled in may use any.
    Raises OSError for a file that can't be read.
    """
    texts: dict[str, bytes] = {}
    for folder in reversed(folders):
        texts |= {path.relative_to(folder).as_posix(): path.read_bytes()
                  for path in sorted(folder.rglob("*")) if path.is_file()}
    own = {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}
    uses = {name: _used(text.decode("utf-8", "replace"), own) for name, text in texts.items()}
    return {name: _mark(name, own, uses) for name in own}


def _used(text: str, names: Mapping[str, str]) -> frozenset[str]:
    """The templates that a template names."""
    if len(_USE.findall(text)) > len(_PLAIN_USE.findall(text)):
        return frozenset(names)
    return frozenset(word for word in _QUOTED.findall(text) if word in names)


def _mark(name: str, own: Mapping[str, str], uses: Mapping[str, frozenset[str]]) -> str:
    reached, ahead = {name}, [name]
    while ahead:
        for used in uses[ahead.pop()] - reached:
            reached.add(used)
            ahead.append(used)
    return hashlib.sha256("".join(f"{each} {own[each]}\n" for each in sorted(reached)).encode()).hexdigest()
