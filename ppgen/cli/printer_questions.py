"""Turns answers on a terminal into what the calibration page said of a printer: one number a question, with a way back.

What was answered is kept at once, so that whoever is interrupted goes on where they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import click

from ppgen.engine.geometry import Point
from ppgen.production.printers import MOST_OFF, RULER, read_number
from ppgen.reading.texts import Texts

ACROSS, DOWN = "across", "down"
READINGS = {f"{scale}-{axis}": (scale.upper(), axis.upper()) for scale in "ab" for axis in "xy"}
QUESTIONS = (ACROSS, DOWN, *READINGS)
"""What is asked, in the order in which the page has it."""
REACH = 6.5
"""More than the page's scales show, in mm."""

Answers = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """What is said of a printer; None is not said."""

    reading_a: Point | None = None
    reading_b: Point | None = None
    back_offset: Point | None = None
    back_rotation: float | None = None
    rulers: Point | None = None


def ask(say: Texts, earlier: Answers, rulers: Point, keep: Callable[[Answers], None]) -> Values:
    """The rulers and the readings of A and B; ``earlier`` answers are offered, ``keep`` is given each new one.

    ``rulers`` is what is offered for them else. Raises click.Abort where somebody stops.
    """
    answers = {question: earlier[question] for question in QUESTIONS
               if question in earlier and not _wrong(say, question, earlier[question])}
    offered = {ACROSS: rulers.x, DOWN: rulers.y, **answers}
    click.echo(say("printer.intro_resumed" if answers else "printer.intro"), err=True)
    at = next((n for n, question in enumerate(QUESTIONS) if question not in answers), 0)
    while at < len(QUESTIONS):
        question = QUESTIONS[at]
        usual = offered.get(question, 0.0)
        typed = click.prompt(f"{_words(say, question)} [{shown(say, usual)}]", default="", show_default=False, err=True)
        if typed.strip() in ("<", "＜"):
            at = max(0, at - 1)
            continue
        try:
            number = read_number(typed) if typed.strip() else usual
        except ValueError:
            click.echo(say("printer.not_number", text=typed.strip()), err=True)
            continue
        if wrong := _wrong(say, question, number):
            click.echo(wrong, err=True)
            continue
        answers[question] = offered[question] = number
        keep(answers)
        at += 1
    a, b = (Point(answers[f"{scale}-x"], answers[f"{scale}-y"]) for scale in "ab")
    return Values(reading_a=a, reading_b=b, rulers=Point(answers[ACROSS], answers[DOWN]))


def shown(say: Texts, number: float) -> str:
    """A number as the language writes it."""
    return f"{number:g}".replace("-", "−").replace(".", say("language.decimal"))


def _words(say: Texts, question: str) -> str:
    if question in READINGS:
        scale, axis = READINGS[question]
        return say("printer.reading", scale=scale, axis=axis)
    return say("printer.across" if question == ACROSS else "printer.down")


def _wrong(say: Texts, question: str, number: float) -> str:
    """What can't be about an answer; empty if nothing."""
    if question in READINGS:
        return say("printer.too_far", number=shown(say, number)) if not abs(number) <= REACH else ""
    if abs(number - RULER) <= MOST_OFF:
        return ""
    return say("printer.ruler_off", number=shown(say, number), most=f"{MOST_OFF:g}")
