"""Turns what ``--only`` names into parts: whole ones, several at once, or single pieces of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from hashlib import sha256

from ppgen.engine.component import Part
from ppgen.errors import Problem, RequestError, listed

LONGEST = 60
"""Of the ids in a file's name, in characters."""


def spelled_out(wanted: Iterable[str], groups: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The names with those of groups replaced by the parts in them."""
    return tuple(dict.fromkeys(name for each in wanted for name in groups.get(each, (each,))))


def selected(parts: Iterable[Part], wanted: Sequence[str]) -> tuple[Part, ...]:
    """The wanted parts; those of which only pieces are wanted with these alone. All if nothing is wanted."""
    return tuple(found for part in parts if (found := _narrowed(part, wanted)))


def _narrowed(part: Part, wanted: Sequence[str]) -> Part | None:
    if not wanted or part.name in wanted:
        return part
    found = tuple(component for component in part.components if component.id in wanted)
    return replace(part, components=found, only=tuple(component.id for component in found)) if found else None


def check_names(wanted: Sequence[str], parts: Sequence[Part], others: Sequence[str], what: str,
                owners: Mapping[str, str]) -> None:
    """Raises RequestError for names that are neither parts, nor ``others`` that there are, nor ids of pieces.

    ``what`` says so of ``{name}``; ``owners`` are games that have such a part.
    """
    names = (*(part.name for part in parts), *others)
    ids = [component.id for part in parts for component in part.components]
    known = {*names, *ids}
    if unknown := [name for name in wanted if name not in known]:
        raise RequestError(Problem(place="--only", what=what.format(name=name),
                                   remedy=_guess(name, (*names, *ids), owners) + _known(names, ids))
                           for name in unknown)


def _guess(name: str, known: Sequence[str], owners: Mapping[str, str]) -> str:
    if "," in name:
        return f"several: {' '.join(f'--only {each.strip()}' for each in name.split(',') if each.strip())}; "
    if name in owners:
        return f"{owners[name]} has it: give --game {owners[name]}; "
    near = get_close_matches(name.lower(), known, n=1, cutoff=0.75)
    return f"did you mean {near[0]}? " if near else ""


def _known(names: Sequence[str], ids: Sequence[str]) -> str:
    return f"known: {listed(names) or 'none'}{', or the id of a piece' if ids else ''}"


def stem_of(ids: Sequence[str]) -> tuple[str, ...]:
    """What sets a file with these pieces apart from that of the whole part: their ids, or something shorter."""
    if len("-".join(ids)) <= LONGEST:
        return tuple(ids)
    return f"{len(ids)}-pieces", sha256(" ".join(ids).encode()).hexdigest()[:8]
