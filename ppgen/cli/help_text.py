"""Help pages: the usual options in the user's language, or with ``--all`` every option in English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from shutil import get_terminal_size

import click

from ppgen.cli.messages import ENGLISH, help_texts
from ppgen.cli.usual_options import ALL_OPTIONS, UsualOption
from ppgen.lines import display_width, wrap
from ppgen.reading.texts import Texts

MAX_WIDTH = 100
MAX_NAMES_SHARE = 0.3  # of the width, for the names of an option: longer ones have a line of their own
SYNONYMS = {"--color": "--ink", "--colour": "--ink", "--language": "--lang", "--locale": "--lang",
            "--size": "--card-size", "--duplex": "--backs", "--double-sided": "--backs", "--part": "--only",
            "--scale": "--board-scale", "--folder": "--output"}
"""Options as other programs call them."""
_EXAMPLES = "\x08\n"
"""Begins the paragraph of examples in a docstring, as for click."""
_PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")
_Row = tuple[str, str, str]  # names of an option, its text, and a note about its values


# --- Pages ---

def format_usage(command: click.Command, context: click.Context) -> str:
    """The line that says how to call a command."""
    say = _texts(context)
    pieces = _translate(" ".join(command.collect_usage_pieces(context)), say)
    return say("page.usage", usage=f"{context.command_path} {pieces}".strip())


def format_page(command: click.Command, context: click.Context, sections: Mapping[str, Iterable[str]]) -> str:
    """The help of a command: usage, summary and examples, then its commands and options."""
    say = _texts(context)
    paragraphs = cleandoc(command.help or "").split("\n\n")
    examples = [part.removeprefix(_EXAMPLES).splitlines() for part in paragraphs if part.startswith(_EXAMPLES)]
    details = [part.replace("\n", " ") for part in paragraphs if part and not part.startswith(_EXAMPLES)]
    lines = [format_usage(command, context), ""]
    for part in (say(f"commands.{_key(context)}"), *(details if context.meta.get(ALL_OPTIONS) else ())):
        lines += [*_indent(part), ""]
    for part in examples:
        lines += [*(f"  {line.strip()}" for line in part), ""]
    width = max((len(name) for names in sections.values() for name in names), default=0)
    for title, names in sections.items():
        rows = [(name, summary(context, name), "") for name in names]
        lines += [say("page.heading", title=say(f"titles.{title}")), *_table(rows, width), ""]
    lines += [*_option_lines(command, context, say)]
    return "\n".join(lines)


def summary(context: click.Context, name: str) -> str:
    """What a command of this group does, in a line."""
    return _texts(context)(f"commands.{_key(context, name)}")


def _texts(context: click.Context) -> Texts:
    return help_texts(ENGLISH if context.meta.get(ALL_OPTIONS) else None)


def _key(context: click.Context, *names: str) -> str:
    """The key of a command's summary: its words without the program's name."""
    words = context.command_path.removeprefix(context.find_root().command_path).split()
    return "-".join((*words, *names)) or "ppgen"


def _option_lines(command: click.Command, context: click.Context, say: Texts) -> Iterator[str]:
    options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
    usual, others = [each for each in options if is_usual(each)], [each for each in options if not is_usual(each)]
    shown = {"options": usual, **({"more_options": others} if context.meta.get(ALL_OPTIONS) and others else {})}
    rows = {title: [_row(each, context, say) for each in group] for title, group in shown.items()}
    longest = max(display_width(names) for group in rows.values() for names, *_ in group)
    width = min(longest, int(MAX_NAMES_SHARE * _width()))
    for number, (title, group) in enumerate(rows.items()):
        yield from [""] if number else []
        yield say("page.heading", title=say(f"titles.{title}"))
        yield from _table(group, width)
    if context.parent is None:
        yield from ("", *_indent(say("page.explain")))
    elif others and len(shown) == 1:
        words = context.command_path.partition(" ")[2]
        yield from ("", *_indent(say("page.more", count=len(others), command=f"ppgen help {words} --all")))


def is_usual(option: click.Option) -> bool:
    """True for an option that help shows without ``--all``."""
    return isinstance(option, UsualOption) or "--help" in option.opts


def _row(option: click.Option, context: click.Context, say: Texts) -> _Row:
    names = ", ".join(sorted(option.opts, key=len))
    if option.secondary_opts:
        names += f" / {', '.join(option.secondary_opts)}"
    values = "" if option.is_flag else option.make_metavar(ctx=context).strip("[]")
    key = option.text if isinstance(option, UsualOption) else "help"
    text = say(f"options.{key}") if is_usual(option) else option.help or ""
    default = _default(option)
    note = "; ".join(filter(None, (_limits(option), default and say("page.default", value=default))))
    return f"{names} {_translate(values, say)}".strip(), text, f"[{note}]" if note else ""


def _default(option: click.Option) -> str:
    if isinstance(option.show_default, str):
        return option.show_default
    if option.is_flag:
        return (option.opts if option.default else option.secondary_opts)[0] if option.secondary_opts else ""
    return str(option.default) if option.show_default and option.default not in (None, "", ()) else ""


def _limits(option: click.Option) -> str:
    """Limits of a number or length, such as 1…500; empty if it has none."""
    kind = option.type
    if isinstance(kind, click.IntRange | click.FloatRange) and kind.min is not None and kind.max is not None:
        return f"{kind.min:g}…{kind.max:g}"
    return str(getattr(kind, "limits", ""))


def _translate(text: str, say: Texts) -> str:
    """Translate the placeholders in it, such as NAME."""
    return _PLACEHOLDER.sub(lambda match: say.words.get(f"placeholders.{match[0]}", match[0]), text)


# --- Layout ---

def _width() -> int:
    return min(get_terminal_size().columns, MAX_WIDTH)


def _indent(text: str) -> Iterator[str]:
    return (f"  {line.strip()}" for line in wrap(text, _width() - 2))


def _table(rows: Iterable[_Row], width: int) -> Iterator[str]:
    """Lines of names and texts, the texts in a column after names of this ``width``; a longer name has its own line."""
    room = _width() - width - 4
    for name, text, note in rows:
        *lines, last = (line.strip() for line in wrap(text, room))
        joined = f"{last} {note}".strip()
        first, *others = [*lines, joined] if display_width(joined) <= room else [*lines, last, *wrap(note, room)]
        gap = width - display_width(name)
        yield from [f"  {name}{' ' * gap}  {first}"] if gap >= 0 else [f"  {name}", f"{' ' * (width + 4)}{first}"]
        yield from (f"{' ' * (width + 4)}{line.strip()}" for line in others)


# --- Guesses ---

def guess_option(wrong: str, command: click.Command) -> str:
    """The option of a command that other programs call ``wrong``; empty if there is none."""
    meant = SYNONYMS.get(wrong, "")
    return meant if any(meant in param.opts for param in command.params) else ""
