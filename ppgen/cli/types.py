"""Turns option texts into values, with click's own error for what is wrong (exit code 2)."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import click

from ppgen.engine.geometry import Point
from ppgen.engine.imposition.values import LARGEST_ANGLE, LARGEST_SHIFT
from ppgen.engine.units import parse_length, parse_shift


class Parsed(click.ParamType[Any]):
    """A type from a function that raises ValueError in plain words."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name, self.parse = name, parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, (str, int, float)) or isinstance(value, bool):
            return value
        try:
            return self.parse(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def between(name: str, least: float, most: float) -> Parsed:
    """A length in mm within limits."""

    def parse(text: str) -> float:
        length = parse_length(text)
        if not least <= length <= most:
            raise ValueError(f"{text} is out of range (from {least:g} mm to {most:g} mm)")
        return length

    return Parsed(name, parse)


def _small_angle(text: str) -> float:
    try:
        angle = float(text)
    except ValueError:
        raise ValueError(f"'{text}' is not a number of degrees") from None
    if not abs(angle) <= LARGEST_ANGLE:  # also refuses nan
        raise ValueError(f"{text} is out of range (from -{LARGEST_ANGLE:g} to {LARGEST_ANGLE:g})")
    return angle


ANGLE = Parsed("degrees", _small_angle)


def _board_scale(text: str) -> float:
    from ppgen.production.request import FIT  # heavy: only for who prints

    if text == "fit":
        return FIT
    try:
        scale = float(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise ValueError(f"'{text}' is not a scale (write it like 75%, 0.75 or fit)") from None
    if not 0.1 <= scale <= 2:
        raise ValueError(f"{text} is out of range (from 10% to 200%, or fit)")
    return scale


BOARD_SCALE = Parsed("scale", _board_scale)


class Named(click.Choice[str]):
    """A choice among the members of an enumeration, typed as their values."""

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__([member.value for member in kind])
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> StrEnum:
        return self._kind(super().convert(value, param, ctx))


def _small_shift(text: str) -> Point:
    shift = parse_shift(text)
    if max(abs(shift.x), abs(shift.y)) > LARGEST_SHIFT:
        raise ValueError(f"{text} is out of range (each from -{LARGEST_SHIFT:g} mm to {LARGEST_SHIFT:g} mm)")
    return shift


SHIFT = Parsed("x,y", _small_shift)
