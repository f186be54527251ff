"""The one place where what went wrong becomes lines on stderr and an exit code."""

from __future__ import annotations

import sys
from typing import Any

import click

from ppgen.errors import InputError, Problem


class Group(click.Group):
    """A command group whose commands may raise InputError or OSError; exit code 1 and a line a problem."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except InputError as error:
            for problem in error.problems:
                click.echo(str(problem), err=True)
            return context.exit(error.exit_code)
        except BrokenPipeError:
            sys.stderr.close()  # whoever read our output has seen enough
        except OSError as error:
            click.echo(f"{error.filename or 'ppgen'}: {error.strerror or error}", err=True)
        return context.exit(InputError.exit_code)


def warn(problems: tuple[Problem, ...], quiet: bool) -> None:
    """Say what is worth a second look; not where the user asked for quiet."""
    if not quiet:
        for problem in problems:
            click.echo(f"{click.style('warning', fg='yellow')}: {problem}", err=True)
