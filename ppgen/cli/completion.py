"""``ppgen completion``, and the values that a shell may complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import get_completion_class

from ppgen.assets import shipped
from ppgen.errors import InputError

SHELLS = ("bash", "zsh", "fish")

Complete = Callable[[click.Context, click.Parameter, str], list[str]]


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the lines that make a shell complete ppgen's commands, options and their values with the Tab key.

    \b
    ppgen completion bash > ~/.local/share/bash-completion/completions/ppgen
    ppgen completion zsh > ~/.zfunc/_ppgen
    ppgen completion fish > ~/.config/fish/completions/ppgen.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, "ppgen", "_PPGEN_COMPLETE").source())


def offering(values: Callable[[], Iterable[str]]) -> Complete:
    """A parameter's completion from a function that lists its values; it is called only when a shell asks."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        try:
            return [value for value in values() if value.startswith(begun)]
        except InputError:  # a shell is no place for messages: the command itself will tell
            return []

    return complete


def langs() -> Iterable[str]:
    from ppgen.assets import Assets
    from ppgen.games.catalogue import names
    from ppgen.reading.texts import languages

    assets = Assets.at()
    return (*dict.fromkeys(lang for folder in names(assets).values()
                           for lang in languages(assets.game(folder) / "locales")), "all")


def games() -> Iterable[str]:
    from ppgen.assets import Assets
    from ppgen.games.catalogue import names

    return names(Assets.at())


def papers() -> Iterable[str]:
    from ppgen.engine.formats import read_formats

    return read_formats(shipped() / "data").papers


def card_sizes() -> Iterable[str]:
    from ppgen.engine.formats import read_formats

    return read_formats(shipped() / "data").sizes


def printers() -> Iterable[str]:
    from ppgen.cli.profiles import load

    return load()
