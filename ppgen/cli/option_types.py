"""Option values that need no engine: numbers within limits, and the date of SOURCE_DATE_EPOCH."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from math import isnan, nan
from typing import Any

import click

from ppgen.errors import InputError, Problem

SOURCE_DATE_VARIABLE = "SOURCE_DATE_EPOCH"
"""Environment variable for the time of a build (reproducible-builds.org)."""


class WholeNumber(click.IntRange):
    """A whole number within limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            self.fail(f"'{value}' is not a whole number from {self.min} to {self.max}", param, ctx)


class Number(click.FloatRange):
    """A number within limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(super().convert(value, param, ctx))
        except click.BadParameter:
            number = nan
        if isnan(number):  # click accepts it within any limits
            self.fail(f"'{value}' is not a number from {self.min:g} to {self.max:g}", param, ctx)
        return number


def source_date() -> datetime | None:
    """The time of SOURCE_DATE_EPOCH that replaces the clock, or None. Raises InputError for an invalid number."""
    if not (epoch := os.environ.get(SOURCE_DATE_VARIABLE)):
        return None
    if not re.fullmatch("[0-9]{1,11}", epoch):
        raise InputError([Problem(place=SOURCE_DATE_VARIABLE, what=f"'{epoch}' is not a number of seconds",
                                  remedy="unset it, or give seconds since 1970")])
    return datetime.fromtimestamp(int(epoch), UTC)
