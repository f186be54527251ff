"""The command group: imports a command when it is called, and is the one place where errors end.

What went wrong becomes lines on stderr and an exit code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ppgen.errors import InputError, Problem

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Group(click.Group):
    """A group of commands: where each lives (``module:attribute``), and in a few words what it does, so that a list of
    them needs none. They may raise InputError or OSError."""

    def __init__(self, *args: Any, commands_at: Mapping[str, tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self._commands_at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._commands_at:
            return None
        module, _, attribute = self._commands_at[cmd_name][0].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._commands_at[name][1]) for name in self.list_commands(ctx)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=self._commands_at[name][1]) for name in self.list_commands(ctx)
                    if name.startswith(incomplete)]
        return commands + click.Command.shell_complete(self, ctx, incomplete)  # the group's own options

    def resolve_command(self, ctx: click.Context,
                        args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None and (near := _nearest(args[0], self._commands_at)):
            ctx.fail(f"No such command '{args[0]}'. Did you mean {near}?")
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        try:
            return super().make_context(*args, **options)
        except BrokenPipeError:  # of --help or --version; whoever read has seen enough, which is no mistake
            raise click.exceptions.Exit(0) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InputError as error:
            for problem in error.problems:
                click.echo(str(problem), err=True)
            return ctx.exit(error.exit_code)
        except click.Abort:  # Ctrl-C or Ctrl-D at a question
            from ppgen.cli.speech import speech

            click.echo(f"\n{speech()('answers.stopped')}", err=True)
        except BrokenPipeError:
            return ctx.exit(0)
        except OSError as error:
            click.echo(f"{error.filename or 'ppgen'}: {error.strerror or error}", err=True)
        return ctx.exit(InputError.exit_code)


def _nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant; empty if none is near."""
    from difflib import get_close_matches  # only for who slipped

    return next(iter(get_close_matches(word.lower(), known, n=1, cutoff=0.6)), "")


def warn(problems: tuple[Problem, ...], quiet: bool, say: Callable[[str], str] | None = None) -> None:
    """Say what is worth a second look; not where the user asked for quiet. ``say`` knows ``results.warning``."""
    for problem in () if quiet else problems:
        word = say("results.warning") if say else "warning"
        click.echo(f"{click.style(word, fg='yellow')}: {problem}", err=True)
