"""Turns what a command has to say on a terminal into the language of who sits there, and their answers into yes or no.

The words are tables of the locale files in ``data/locales`` (:data:`ppgen.reading.texts.TOLD`), always the shipped
ones: they belong to the commands, not to the set that is printed. Help stays English.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import click

from ppgen.assets import shipped
from ppgen.cli.common import locale_language
from ppgen.errors import Problem, RequestError, listed
from ppgen.reading.texts import Texts, languages, load_texts


def speech(wanted: Iterable[str] = ()) -> Texts:
    """The texts of the commands: in the one language of ``--lang`` if ppgen speaks it, else in the locale's."""
    folder = shipped() / "data" / "locales"
    known, asked = languages(folder), {lang.lower() for lang in wanted}
    lang = asked.pop() if len(asked) == 1 and asked <= set(known) else locale_language(known)
    return load_texts(lang, [folder])


def spoken(lang: str | None) -> Texts:
    """The same for a command that takes one language at most."""
    return speech([lang] if lang else [])


def _typed(context: click.Context, parameter: click.Parameter, lang: str | None) -> str | None:
    """What was typed, if ppgen speaks it; what ppgen.toml says may be for a set that has other languages."""
    known = languages(shipped() / "data" / "locales")
    typed = context.get_parameter_source(str(parameter.name)) is click.core.ParameterSource.COMMANDLINE
    if typed and str(lang).lower() not in known:
        raise RequestError([Problem(place="--lang", what=f"'{lang}' is not a language that ppgen speaks",
                                    remedy=f"one of {listed(known)}")])
    return lang


spoken_option = click.option("--lang", "-l", metavar="LANG", callback=_typed,
                             help="Language of what is said.  [default: the locale's, else de]")


def confirmed(question: str, say: Texts, default: bool = True) -> bool:
    """Whether the question is answered with yes, in the words of the language or with y; Enter is the default."""
    yes, no = (_folded(f"{say(f'answers.{answer}')} {answer} {answer[0]}").split() for answer in ("yes", "no"))
    hint = say("answers.usually_yes" if default else "answers.usually_no")
    while True:
        answer = _folded(click.prompt(f"{question} {hint}", default="", show_default=False, err=True))
        if answer in yes or answer in no or not answer:
            return default if not answer else answer in yes
        click.echo(say("answers.again"), err=True)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
