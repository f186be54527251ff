"""Types of options that need no engine."""

from __future__ import annotations

from math import isnan, nan
from typing import Any

import click

from ppgen.shipped import Phrase


class WholeNumber(click.IntRange):
    """A whole number within limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            self.fail(Phrase("whole_number", value=value, least=self.min, most=self.max), param, ctx)


class Number(click.FloatRange):
    """A number within limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(super().convert(value, param, ctx))
        except click.BadParameter:
            number = nan
        if isnan(number):  # click accepts it within any limits
            self.fail(Phrase("number", value=value, least=f"{self.min:g}", most=f"{self.max:g}"), param, ctx)
        return number
