"""Turns a player's cloisters and the roads into the chains that score the most ('Klosterkette').

A chain is at least four cloisters joined by roads in an unbranched line; no cloister counts twice. Of all divisions
into chains this finds one that covers the most cloisters: a player may read the board in their own favour, and a
cloister more never costs a point (docs/decisions/0006-board-game.md).

A line of eight or more can be cut into lines of four to seven, so only those are tried; what touches is joined again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LEAST = 4
"""The fewest cloisters of a chain (Danish rules, section 'Klosterkæder')."""
MOST = 2 * LEAST - 1
"""A longer line can be cut into several."""

Chain = tuple[int, ...]
Division = tuple[int, tuple[Chain, ...]]
"""How many cloisters are covered, and by which chains."""


def best_chains(held: Sequence[str], roads: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The chains of a player who holds these spaces: the longest first, each from its first space on."""
    number = {space: place for place, space in enumerate(held)}
    near = [0] * len(held)
    for one, other in roads:
        if one in number and other in number:
            near[number[one]] |= 1 << number[other]
            near[number[other]] |= 1 << number[one]
    chains = _joined([list(chain) for chain in _best((1 << len(held)) - 1, near, {})[1]], near)
    forward = sorted((chain if chain[0] < chain[-1] else chain[::-1] for chain in chains),
                     key=lambda chain: (-len(chain), chain[0]))
    return tuple(tuple(held[place] for place in chain) for chain in forward)


def _best(part: int, near: Sequence[int], known: dict[int, Division]) -> Division:
    """The best division of the spaces in ``part`` (a bit each)."""
    if part.bit_count() < LEAST:
        return 0, ()
    if part not in known:
        first = (part & -part).bit_length() - 1
        joined = _reached(first, part, near)
        if joined == part:
            known[part] = _best_joined(first, part, near, known)
        else:
            one, other = _best(joined, near, known), _best(part & ~joined, near, known)
            known[part] = one[0] + other[0], one[1] + other[1]
    return known[part]


def _best_joined(first: int, part: int, near: Sequence[int], known: dict[int, Division]) -> Division:
    """The best division of spaces that hang together: with each chain through the first of them, or without it."""
    most = part.bit_count()
    found: Division = 0, ()
    for mask, chain in _chains_through(first, part, near):
        rest = part & ~mask
        if len(chain) + rest.bit_count() > found[0]:
            count, chains = _best(rest, near, known)
            if count + len(chain) > found[0]:
                found = count + len(chain), (chain, *chains)
        if found[0] == most:
            return found
    without = _best(part & ~(1 << first), near, known)
    return without if without[0] > found[0] else found


def _reached(first: int, part: int, near: Sequence[int]) -> int:
    """The spaces of ``part`` to which roads lead from the first one."""
    reached = todo = 1 << first
    while todo:
        space = (todo & -todo).bit_length() - 1
        todo &= todo - 1
        new = near[space] & part & ~reached
        reached |= new
        todo |= new
    return reached


def _chains_through(first: int, part: int, near: Sequence[int]) -> list[tuple[int, Chain]]:
    """Chains of four to seven through a space, one for each set of spaces, the longest first."""
    arms: list[list[tuple[int, Chain]]] = [[(0, ())]]
    for _ in range(MOST - 1):
        arms.append([(mask | 1 << space, (*arm, space)) for mask, arm in arms[-1]
                     for space in _bits(near[arm[-1] if arm else first] & part & ~mask & ~(1 << first))])
    found: dict[int, Chain] = {}
    for long in range(MOST - 1, 0, -1):
        for short in range(min(long, MOST - 1 - long), -1, -1):
            if 1 + long + short < LEAST:
                continue
            for mask, arm in arms[long]:
                for beside, other in arms[short]:
                    if not mask & beside:
                        found.setdefault(mask | beside | 1 << first, (*arm[::-1], first, *other))
    return sorted(found.items(), key=lambda each: -len(each[1]))


def _bits(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def _joined(chains: list[list[int]], near: Sequence[int]) -> list[list[int]]:
    """The chains, those whose ends a road joins made one."""
    for place, one in enumerate(chains):
        for other in chains[place + 1:]:
            for left in (one, one[::-1]):
                for right in (other, other[::-1]):
                    if near[left[-1]] >> right[0] & 1:
                        rest = [chain for chain in chains if chain is not one and chain is not other]
                        return _joined([left + right, *rest], near)
    return chains
