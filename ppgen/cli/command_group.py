"""Commands and their groups: import a command when it is called, turn its errors into lines on stderr and an exit code,
guess what was meant by unknown words, and show help in the user's language.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ppgen.cli.messages import (ALL_OPTIONS, format_page, format_problems, format_usage, guess_command, guess_option,
                                guess_value, interface_texts, summary)
from ppgen.errors import InputError, NothingToDoError, Phrase, Problem, RequestError, Spot, display_path, find_shortage
from ppgen.lines import format_json
from ppgen.process.system import Progress, report_step

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


# --- Commands and groups ---

TAKES_NONE = "skin", "printer"  # options whose empty value takes back that of ppgen.toml: the page's way


class DefaultText(str):
    """The text of an option in a file, with its place there."""

    spot: Spot


@contextmanager
def locate_defaults(context: click.Context) -> Iterator[None]:
    """Report a wrong value at its place in a file, if the option was not typed: then the input is wrong."""
    try:
        yield
    except click.BadParameter as error:
        if spot := _default_spot(str(error.param_hint).strip("'"), context):
            raise InputError([spot.problem(error.message)]) from error
        raise
    except RequestError as error:
        spots = {each.place: spot for each in error.problems if (spot := _default_spot(each.place, context))}
        if not spots:
            raise
        raise InputError(spots[each.place].problem(each.what, each.remedy) if each.place in spots else each
                         for each in error.problems) from error


def _default_spot(option: str, context: click.Context) -> Spot | None:
    """The place of an option's value in a file; None if it was typed."""
    for each in context.command.params:
        if option in each.opts and context.get_parameter_source(each.name or "") is ParameterSource.DEFAULT_MAP:
            value = context.lookup_default(each.name or "")
            return getattr(next(iter(value), None) if isinstance(value, tuple) else value, "spot", None)
    return None


class Command(click.Command):
    """A command with a help page in the user's language, and guesses for options that it does not have."""

    sections: Mapping[str, Iterable[str]] = {}  # names of a group's commands by the keys of their titles

    def get_usage(self, ctx: click.Context) -> str:
        return format_usage(self, ctx)

    def get_help(self, ctx: click.Context) -> str:
        return format_page(self, ctx, self.sections)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with locate_defaults(ctx):
                return super().invoke(ctx)
        except NothingToDoError:
            if ctx.params.get("as_json"):
                print_json([])
            raise

    def _refuse_empty(self, ctx: click.Context, args: list[str]) -> None:
        """Refuse empty values before they are converted, as an empty path is the working folder."""
        given, _, parameters = self.make_parser(ctx).parse_args([*args])
        for each in parameters:
            value = given[each.name]
            if "" in (value if isinstance(value, list | tuple) else [value]) and each.name not in TAKES_NONE:
                raise click.BadParameter(Phrase("is_empty"), ctx, each)  # mostly a variable of a shell

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--all" in args and {*ctx.help_option_names}.intersection(args):
            ctx.meta[ALL_OPTIONS] = True
            args = [each for each in args if each != "--all"]
        takes_more, ctx.allow_extra_args = ctx.allow_extra_args, True
        try:
            if any(not each or each.endswith("=") for each in args):
                self._refuse_empty(ctx, args)
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if meant := guess_option(error.option_name, self):
                ctx.fail(f"No such option '{error.option_name}'. Did you mean {meant}?")
            raise
        if rest and not takes_more and not ctx.resilient_parsing:
            what = f"Got unexpected extra argument{'s' if rest[1:] else ''} ({' '.join(rest)})"
            meant = guess_value(rest[0], ctx)
            ctx.fail(f"{what}. Did you mean {ctx.command_path} {meant}?" if meant else what)
        return rest


class InlineGroup(Command, click.Group):
    """A group that holds its commands."""

    command_class = Command

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sections = {"commands": self.commands}


class CommandGroup(Command, click.Group):
    """A group of commands with their locations (``module:attribute``): a list imports none of them.

    ``sections`` are the commands below the titles of its help. Commands may raise InputError or OSError.
    """

    def __init__(self, *args: Any, sections: Mapping[str, Mapping[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.sections = sections
        self._commands_at = {name: place for group in sections.values() for name, place in group.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self._commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._commands_at:
            return None
        module, _, attribute = self._commands_at[cmd_name].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=summary(ctx, name)) for name in self.list_commands(ctx)
                    if name.startswith(incomplete)]
        return commands + click.Command.shell_complete(self, ctx, incomplete)  # the group's own options

    def resolve_command(self, ctx: click.Context,
                        args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self._commands_at:
            from difflib import get_close_matches  # only after a typing error

            near = get_close_matches(args[0].lower(), self._commands_at, n=1)
            if match := guess_command(args[0], ctx) or "".join(near):
                ctx.fail(f"No such command '{args[0]}'. Did you mean {match}?")
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if command := next((word for word in given if word in self._commands_at), ""):
                others = " ".join(word for word in given if word != command)
                ctx.fail(f"No such option '{error.option_name}'. "
                         f"Options come after the command: {ctx.command_path} {command} {others}")
            raise

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        try:
            return super().make_context(*args, **options)
        except BrokenPipeError:  # in --help or --version; a closed pipe is not an error
            raise click.exceptions.Exit(0) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InputError as error:
            print_problems(error.problems)
            return ctx.exit(error.exit_code)
        except click.Abort:  # Ctrl-C or Ctrl-D at a question
            click.echo(f"\n{interface_texts()('answers.stopped')}", err=True)
        except BrokenPipeError:
            return ctx.exit(0)
        except OSError as error:
            shortage = find_shortage(error)
            print_problems([Problem(str(error.filename or "ppgen"),
                                    Phrase(shortage) if shortage else error.strerror or str(error),
                                    Phrase("fewer_files") if shortage == "many_files" else "")])
        return ctx.exit(InputError.exit_code)


def print_problems(problems: Iterable[Problem], warnings: Iterable[Problem] = (), are_localized: bool = False) -> None:
    """Print warnings and problems in the user's language, one a line."""
    for line in format_problems(warnings, problems, are_localized):
        click.echo(line, err=True)


def print_json(document: object) -> None:
    """Print a document as JSON."""
    click.echo(format_json(document), nl=False)


@contextmanager
def print_into(target: Path | None, quiet: bool = False) -> Iterator[None]:
    """Write what is printed meanwhile to a file of UTF-8, whole or not at all; print it if there is none."""
    if target is None:
        yield
        return
    from ppgen.process.file_writing import write_file

    with redirect_stdout(io.StringIO()) as printed:
        yield
    # spreadsheets read a CSV file in the system's old code page unless it begins with a BOM
    write_file(target, printed.getvalue().encode("utf-8-sig" if target.suffix.lower() == ".csv" else "utf-8"))
    if not quiet:
        click.echo(interface_texts()("history.written", file=display_path(target)), err=True)


def warn(problems: Iterable[Problem], quiet: bool, are_localized: bool = False) -> None:
    """Print warnings in the user's language, unless ``quiet``; those of scoring ``are_localized``."""
    if (warnings := () if quiet else tuple(problems)):
        print_problems((), warnings, are_localized)


PROGRESS_DELAY_S = 0.7  # seconds before a progress bar appears: shorter work needs none


@contextmanager
def progress(quiet: bool) -> Iterator[Progress]:
    """Show steps as a bar on stderr, after a delay, if that is a terminal; else report them to a program that asks."""
    if quiet or not sys.stderr.isatty():
        yield report_step
        return
    start = time.monotonic()
    bar = click.progressbar(length=1, file=sys.stderr, show_pos=True)

    def watch(step: str, done: int, total: int) -> None:
        bar.label, bar.length, bar.show_eta = step, total, 3 * done >= total  # the first steps tell little
        if time.monotonic() - start > PROGRESS_DELAY_S:
            bar.update(done - bar.pos)

    try:
        yield watch
        if bar.pos and bar.length:
            bar.update(bar.length - bar.pos)
    finally:
        if bar.pos:
            bar.render_finish()
