"""Turns games into the files of the scorer page."""

from __future__ import annotations

from collections.abc import Sequence

from ppgen.errors import Problem, RequestError, listed
from ppgen.export.scorer.gather import gather
from ppgen.export.scorer.page import beside, page_file, page_of
from ppgen.production.built import BuiltFile
from ppgen.production.workshop import Workshop

MOST_BYTES = 300_000
"""What a page may be: it is sent around, and opened on small phones."""


def scorer_page(workshops: Sequence[Workshop], first: str = "") -> str:
    """The page of these games, which opens in the ``first`` language.

    Raises InputError with everything that is wrong with their texts and templates, RequestError for a language that
    is none of theirs.
    """
    material = gather(workshops)
    if first and first not in material.texts:
        raise RequestError([Problem(place="--lang", what=f"'{first}' is not a language of the page",
                                    remedy=f"one of {listed(material.texts)}")])
    return page_of(material, first)


def export_scorer(workshops: Sequence[Workshop], first: str = "") -> list[BuiltFile]:
    """The page, and beside it what web space needs. Raises what :func:`scorer_page` raises."""
    page = scorer_page(workshops, first)
    return [page_file(page), *beside(gather(workshops), page, workshops[0])]
