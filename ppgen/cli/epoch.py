"""Turns ``SOURCE_DATE_EPOCH`` into the moment that stands for now (reproducible-builds.org)."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime

from ppgen.errors import InputError, Problem

NAME = "SOURCE_DATE_EPOCH"


def source_date() -> datetime | None:
    """The moment that is set, or None. Raises InputError for what is no number of seconds."""
    if not (epoch := os.environ.get(NAME)):
        return None
    if not re.fullmatch("[0-9]{1,11}", epoch):
        raise InputError([Problem(place=NAME, what=f"'{epoch}' is not a number of seconds",
                                  remedy="unset it, or give seconds since 1970")])
    return datetime.fromtimestamp(int(epoch), UTC)
