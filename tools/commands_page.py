"""Write the generated parts of ``docs/commands/``: usage, examples, and options with values and defaults.

    python -m tools.commands_page           rewrite them
    python -m tools.commands_page --check   exit with 1 if a page is out of date

Each command has a page; those of a group are on the group's. A page is generated between ``<!-- ppgen build -->`` and
``<!-- end -->``; other text is written by hand.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

import click

from ppgen.cli.help_text import OptionHelp, describe_option, group_options, limits
from ppgen.cli.program import COMMAND_SECTIONS, COMMANDS, main
from tools.generated_page import update_pages

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "commands"
INDEX = FOLDER / "README.md"
MODEL = "ppgen build"
"""Other commands refer to the options that are the same as in this one."""
MAX_WIDTH = 120
_BLOCK = re.compile(r"^<!-- (ppgen[a-z -]*|commands) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)
_EXAMPLES = re.compile(r"\n*^\x08\n(.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Shared:
    """Options that stand elsewhere: in the model command, or at the head of their group's page."""

    model: frozenset[OptionHelp]
    in_group: frozenset[OptionHelp] = frozenset()
    in_all: frozenset[OptionHelp] = frozenset()
    """Options of the model that every command of the group takes: the head of the page lists them."""


def render_pages() -> dict[Path, str]:
    """Return each page with new blocks. Raises KeyError for a block of a command that does not exist, ValueError for a
    command without a block on its page."""
    contexts = dict(find_commands())
    model = frozenset(described for _, described in _options(contexts[MODEL]))
    pages = {}
    for path in (INDEX, *(FOLDER / f"{name}.md" for name in COMMANDS)):
        expected = ["commands"] if path == INDEX else [name for name in contexts if name.split()[1] == path.stem]
        text = path.read_text(encoding="utf-8")
        if missing := {*expected} - {match[1] for match in _BLOCK.finditer(text)}:
            raise ValueError(f"{path.name} has no block for {', '.join(sorted(missing))}")
        shared = _shared_options([contexts[name] for name in expected[1:]], model)
        pages[path] = _render_page(text, contexts, shared)
    return pages


def _render_page(text: str, contexts: Mapping[str, click.Context], shared: _Shared) -> str:
    return _BLOCK.sub(lambda match: _render_block(match[1], contexts, shared), text)


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


def _shared_options(contexts: Iterable[click.Context], model: frozenset[OptionHelp]) -> _Shared:
    options = [{described for _, described in _options(context)} for context in contexts]
    count = Counter(described for each in options for described in each)
    spellings = Counter(described.names for described in count)
    in_group = {each for each, number in count.items() if number > 1 and spellings[each.names] == 1}
    return _Shared(model, frozenset(in_group - model),
                   frozenset.intersection(model, *options) if options else frozenset())


def _render_block(name: str, contexts: Mapping[str, click.Context], shared: _Shared) -> str:
    lines = _command_table() if name == "commands" else _command_block(name, contexts[name], shared)
    return "\n".join([f"<!-- {name} -->", *lines, "<!-- end -->"])


def _command_table() -> Iterator[str]:
    yield from ("", "| | command | |", "|---|---|---|")
    placed = {name for names in COMMAND_SECTIONS.values() for name in names}
    for title, names in {**COMMAND_SECTIONS, "More": tuple(name for name in COMMANDS if name not in placed)}.items():
        for number, name in enumerate(names):
            yield f"| {title if not number else ''} | [`ppgen {name}`]({name}.md) | {COMMANDS[name][1]} |"
    yield ""


def _command_block(name: str, context: click.Context, shared: _Shared) -> Iterator[str]:
    command = context.command
    help_text = inspect.cleandoc(command.help or "")
    examples = [line.strip() for match in _EXAMPLES.findall(help_text) for line in match.strip("\n").splitlines()]
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    if not examples or not usage.endswith(" [OPTIONS]"):
        examples = [usage, *([""] if examples else []), *examples]
    yield from ("", "```console", *examples, "```", "")
    for paragraph in _EXAMPLES.sub("", help_text).split("\n\n"):
        yield from (*_wrap(" ".join(paragraph.split())), "")
    if isinstance(command, click.Group):
        yield from _group_options(command, context, shared)
        return
    above: list[str] = []
    same: list[str] = []
    for title, options in group_options(command, context):
        rows = []
        for option in options:
            described = describe_option(option, context)
            if "--help" in option.opts or described in shared.in_all:
                continue
            if name != MODEL and described in shared.model:
                same.append(described.names)
            elif described in shared.in_group:
                above.append(described.names)
            else:
                rows.append(_row(option, described))
        yield from _option_table(title, rows)
    if above:
        yield from (*_wrap(f"As above: {_join_options(above)}."), "")
    if same:
        yield from (*_wrap(f"As for [`{MODEL}`](build.md): {_join_options(same)}."), "")


def _group_options(group: click.Group, context: click.Context, shared: _Shared) -> Iterator[str]:
    """Yield the options that several commands of the group take."""
    rows = {described: _row(option, described) for _, inner in find_commands(group, context)
            for option, described in _options(inner) if described in shared.in_group}
    yield from _option_table("For several of these commands", [*rows.values()])
    if shared.in_all:
        names = [described.names for described in sorted(shared.in_all, key=lambda each: each.names.lstrip("-"))]
        yield from (*_wrap(f"All take, as [`{MODEL}`](build.md) does: {_join_options(names)}."), "")


def _options(context: click.Context) -> Iterator[tuple[click.Option, OptionHelp]]:
    for _, options in group_options(context.command, context):
        for option in options:
            if "--help" not in option.opts:
                yield option, describe_option(option, context)


def _option_table(title: str, rows: list[str]) -> Iterator[str]:
    if rows:
        yield from (f"| {'option' if title == 'Options' else title} | |", "|---|---|", *rows, "")


def _row(option: click.Option, described: OptionHelp) -> str:
    names = _join_options([described.names])
    if isinstance(option.type, click.Choice):
        values = ", ".join(f"`{value}`" for value in option.type.choices)
    else:
        values = limits(option)
        names = f"{names[:-1]} {described.values}`" if described.values else names
    is_literal = described.default and not re.search("[ ,;]", described.default.replace("0,0", ""))
    default = f"`{described.default}`" if is_literal else described.default
    more = "; ".join(filter(None, (values, default and f"default: {default}")))
    text = f"{described.text} ({more})" if more else described.text
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (names, text)) + " |"


def _join_options(names: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for spellings in names for each in re.split(", | / ", spellings))


def _wrap(text: str) -> list[str]:
    return wrap(text, MAX_WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    sys.exit(update_pages(render_pages(), sys.argv[1:]))
