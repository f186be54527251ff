"""Writes what ``docs/commands.md`` has of the commands themselves: usage, examples, options with values and defaults.

    python -m tools.commands_page

It replaces the text between ``<!-- ppgen build -->`` and ``<!-- end -->``, and so for every command; all other text is
written by hand. With ``--check`` it compares the page instead, as ``tools/check.py`` does.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

import click

from ppgen.cli.help_text import OptionHelp, describe_option, group_options, limits
from ppgen.cli.program import COMMAND_SECTIONS, COMMANDS, main
from tools.generated_page import update_page

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
MODEL = "ppgen build"
"""Other commands refer to the options that are the same as in this one."""
MAX_WIDTH = 120
_BLOCK = re.compile(r"^<!-- (ppgen[a-z -]*|commands) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)
_EXAMPLES = re.compile(r"\n*^\x08\n(.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


def render_page(text: str) -> str:
    """Return the page with new blocks. Raises KeyError for a block of a command that does not exist, ValueError for a
    command without a block."""
    contexts = dict(find_commands())
    model = {option: name for name, option in _options(contexts[MODEL])}
    blocks = [match[1] for match in _BLOCK.finditer(text)]
    if missing := {*contexts, "commands"} - {*blocks}:
        raise ValueError(f"{PAGE.name} has no block for {', '.join(sorted(missing))}")

    def render_block(match: re.Match[str]) -> str:
        name = match[1]
        lines = _command_table() if name == "commands" else _command_block(name, contexts[name], model)
        return "\n".join([f"<!-- {name} -->", *lines, "<!-- end -->"])

    return _BLOCK.sub(render_block, text)


def find_commands(group: click.Group = main, parent: click.Context | None = None
                  ) -> Iterator[tuple[str, click.Context]]:
    """Every command with the words that call it, those inside groups too."""
    context = parent or click.Context(main, info_name="ppgen")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        yield inner.command_path, inner
        if isinstance(command, click.Group):
            yield from find_commands(command, inner)


def _command_table() -> Iterator[str]:
    yield from ("", "| | command | |", "|---|---|---|")
    placed = {name for names in COMMAND_SECTIONS.values() for name in names}
    for title, names in {**COMMAND_SECTIONS, "More": tuple(name for name in COMMANDS if name not in placed)}.items():
        for number, name in enumerate(names):
            yield f"| {title if not number else ''} | [`ppgen {name}`](#ppgen-{name}) | {COMMANDS[name][1]} |"
    yield ""


def _command_block(name: str, context: click.Context, model: dict[OptionHelp, str]) -> Iterator[str]:
    command = context.command
    help_text = inspect.cleandoc(command.help or "")
    examples = "\n".join(match.strip("\n") for match in _EXAMPLES.findall(help_text))
    yield from ("", "```console", " ".join([name, *command.collect_usage_pieces(context)]))
    yield from ("", *(line.strip() for line in examples.splitlines())) if examples else ()
    yield from ("```", "")
    for paragraph in _EXAMPLES.sub("", help_text).split("\n\n"):
        yield from (*_wrap(" ".join(paragraph.split())), "")
    if isinstance(command, click.Group):
        return
    same: list[str] = []
    for title, options in group_options(command, context):
        rows = []
        for option in options:
            described = describe_option(option, context)
            if "--help" in option.opts:
                continue
            if name != MODEL and described in model:
                same.append(described.names)
            else:
                rows.append(_row(option, described))
        if rows:
            if title != "Options":
                yield from (f"**{title}**", "")
            yield from ("| option | values | default | |", "|---|---|---|---|", *rows, "")
    if same:
        names = ", ".join(f"`{each}`" for names in same for each in re.split(", | / ", names))
        yield from (*_wrap(f"As for [`{MODEL}`](#ppgen-build): {names}."), "")


def _options(context: click.Context) -> Iterator[tuple[str, OptionHelp]]:
    for _, options in group_options(context.command, context):
        for option in options:
            described = describe_option(option, context)
            yield described.names, described


def _row(option: click.Option, described: OptionHelp) -> str:
    names = ", ".join(f"`{name}`" for name in re.split(", | / ", described.names))
    if isinstance(option.type, click.Choice):
        values = ", ".join(f"`{value}`" for value in option.type.choices)
    else:
        values = ", ".join(filter(None, (described.values and f"`{described.values}`", limits(option))))
    is_literal = described.default and not re.search("[ ,;]", described.default.replace("0,0", ""))
    default = f"`{described.default}`" if is_literal else described.default
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (names, values, default, described.text)) + " |"


def _wrap(text: str) -> list[str]:
    return wrap(text, MAX_WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    sys.exit(update_page(PAGE, render_page))
