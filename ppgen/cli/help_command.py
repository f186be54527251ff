"""``ppgen help``: the help of any command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from ppgen.cli.command_group import Command
from ppgen.cli.usual_options import ALL_OPTIONS, usual_option


def complete_commands(context: click.Context, parameter: click.Parameter, prefix: str) -> list[str]:
    """Complete the words that call a command."""
    try:
        *_, group = _walk(context.find_root(), context.params.get("words") or ())
    except click.UsageError:  # the words so far are wrong
        return []
    names = group.command.list_commands(group) if isinstance(group.command, click.Group) else []
    return [name for name in names if name.startswith(prefix)]


@click.command("help", cls=Command)
@click.argument("words", nargs=-1, metavar="[COMMAND]...", shell_complete=complete_commands)
@usual_option("--all", "every", is_flag=True)
@click.pass_context
def help_command(context: click.Context, words: tuple[str, ...], every: bool) -> None:
    """The same as --help, and --help --all.

    \b
    ppgen help
    ppgen help build --all
    ppgen help printer save
    """
    root = context.find_root()
    root.meta[ALL_OPTIONS] = every
    *_, found = _walk(root, words)
    click.echo(found.get_help(), color=root.color)


def _walk(root: click.Context, words: Iterable[str]) -> Iterator[click.Context]:
    """The contexts of a command and of those that it stands in. Raises UsageError for an unknown one."""
    context = root
    yield context
    for word in words:
        group = context.command
        name, command, _ = group.resolve_command(context, [word]) if isinstance(group, click.Group) else ("", None, [])
        if command is None:
            root.fail(f"'{context.command_path}' has no command '{word}'.")
        context = click.Context(command, info_name=name, parent=context, **command.context_settings)
        yield context
