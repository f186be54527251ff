"""Writes what the docs have of declarations: in ``functions.md`` the functions of templates (signature, description,
arguments), in ``commands.md`` the options of ``ppgen build``.

    python -m tools.functions_page

It replaces the text between ``<!-- image() -->`` and ``<!-- end -->``, and so for every function that templates may
call, and between ``<!-- options of build -->`` and ``<!-- end -->``; all other text is written by hand. With
``--check`` it compares the pages instead, as ``tools/check.py`` does. ``tests/test_functions_page.py`` draws the
examples; ``tools/pictures.py`` makes their picture.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap

import click

from ppgen.cli.build import build_command
from ppgen.cli.messages import ALL_OPTIONS, help_texts, option_row
from ppgen.engine.drawing.face_tools import FACE_FUNCTIONS, PLAIN_FUNCTIONS, REDRAWING
from ppgen.engine.drawing.lettering import Lettering
from ppgen.games.catalogue import CHOICES
from ppgen.printing.request import OPTIONS
from tools.generated_page import update_pages

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, COMMANDS_PAGE = DOCS / "functions.md", DOCS / "commands.md"
INTERNAL = ("ruler", "drift_scale", "fit")
"""Functions for shipped templates."""
MAX_WIDTH = 120
_BLOCK = re.compile(r"^<!-- (\w+)\(\) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)
_OPTIONS = re.compile(r"(?<=^<!-- options of build -->\n).*?(?=^<!-- end -->$)", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(r"^<!-- example: (\w+) -->\n```jinja\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ARGUMENT = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def template_functions(internal: bool = False) -> dict[str, tuple[Callable[..., object], ...]]:
    """Every function of templates by its name, with the one that takes its other options, if any.

    ``internal`` adds those that the page leaves out.
    """
    functions = {**FACE_FUNCTIONS, **PLAIN_FUNCTIONS, **REDRAWING}
    return {name: (own, getattr(Lettering, name)) if hasattr(Lettering, name) else (own,)
            for name, own in functions.items() if internal or name not in INTERNAL}


def render_page(text: str) -> str:
    """Return the page with new blocks. Raises ValueError for a function without a block, KeyError for the reverse."""
    functions = template_functions()
    if missing := {*functions} - {match[1] for match in _BLOCK.finditer(text)}:
        raise ValueError(f"{PAGE.name} has no block for {', '.join(sorted(missing))}")
    return _BLOCK.sub(lambda match: "\n".join([f"<!-- {match[1]}() -->", *_block(match[1], functions[match[1]]),
                                               "<!-- end -->"]), text)


def render_options(text: str) -> str:
    """Return the page of commands with a new table of options: those with words in file names last, in their order."""
    context = click.Context(build_command, info_name="build")
    context.meta[ALL_OPTIONS] = True
    words = {"backs": [""], **{{"profile": "printer"}.get(name, name): _file_words(name) for name in OPTIONS},
             **{choice.name: [choice.file_word(value) for value in choice.values[1:]] for choice in CHOICES}}
    words |= {"backs": [""]}
    options = {str(option.name): option for option in build_command.params if isinstance(option, click.Option)}
    names = [*(name for name in options if not words.get(name)), *(name for name in words if words[name])]
    table = ["| option | | in file names |", "|---|---|---|", *(
        f"| {_option_cell(options[name], context)} | "
        f"{' or '.join(f'`{word}`' if word else 'its value' for word in words.get(name, ()))} |"
        for name in names if name in options)]
    return _OPTIONS.sub(lambda _: "\n" + "\n".join(table) + "\n\n", text)


def _option_cell(option: click.Option, context: click.Context) -> str:
    """The names and the values of an option, and what it does."""
    _, text, note = option_row(option, context, help_texts("en"))
    flags = (*sorted(option.opts, key=len), *option.secondary_opts)
    values = [] if option.is_flag else option.make_metavar(ctx=context).strip("[]").split("|")
    shown = " ".join(f"`{word}`" for word in (*flags, *values))
    return f"{shown} | {text} {note}".rstrip()


def _file_words(name: str) -> list[str]:
    """The words for an option in the names of files, with … for what depends on its value; empty for the value."""
    option = OPTIONS[name]
    found = [re.sub("{[^}]*}", "…", word) for word in dict.fromkeys((*option.words.values(), option.word)) if word]
    return ["" if word == "…" else word for word in found]


def write_example_deck(folder: Path) -> list[str]:
    """Write a flat deck with a part for each example of the page; return the functions that they show."""
    text = PAGE.read_text(encoding="utf-8")
    examples = dict(_EXAMPLE.findall(text))
    parts = "".join(f'[{name}]\ntable = "cards.csv"\nsize = "50mm"\nshape = "rectangle"\nfront = "{name}.svg.j2"\n'
                    for name in examples)
    files = {**dict(_FILE.findall(text)), **{f"{name}.svg.j2": body for name, body in examples.items()},
             "deck.toml": f'title = "Functions"\n{parts}'}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return [*examples]


def _block(name: str, calls: tuple[Callable[..., object], ...]) -> Iterator[str]:
    parameters: dict[str, inspect.Parameter] = {}
    arguments: dict[str, str] = {}
    texts = []
    for call in reversed(calls):
        parameters |= {key: each for key, each in inspect.signature(call).parameters.items()
                       if key != "self" and each.kind is not each.VAR_KEYWORD}
        text, _, described = inspect.getdoc(call).partition("\n\nArgs:\n")  # type: ignore[union-attr]
        arguments |= {key: " ".join(words.split()) for key, words in _ARGUMENT.findall(described)}
        texts.append(_plain(text))
    if unknown := {*arguments} - {*parameters}:
        raise ValueError(f"{name}() has no argument {', '.join(sorted(unknown))}")
    yield from ("", "```text", *_signature(name, parameters), "```", "")
    for paragraph in texts[0].split("\n\n"):
        yield from (*wrap(" ".join(paragraph.split()), MAX_WIDTH, break_long_words=False, break_on_hyphens=False), "")
    if arguments:
        rows = (f"| `{key}` | {_plain(arguments[key])} |" for key in parameters if key in arguments)
        yield from ("| argument | |", "|---|---|", *rows, "")


def _signature(name: str, parameters: Mapping[str, inspect.Parameter]) -> list[str]:
    shown = [key if each.default is each.empty else f"{key}={_value(each.default)}"
             for key, each in parameters.items()]
    indent = " " * (len(name) + 1)
    return wrap(f"{name}({', '.join(shown)})", MAX_WIDTH, subsequent_indent=indent, break_long_words=False)


def _value(default: object) -> str:
    if isinstance(default, str):
        return f'"{default}"'
    return "…" if default is None else f"{default:g}" if isinstance(default, float) else str(default).lower()


def _plain(text: str) -> str:
    """Docstring markup as Markdown."""
    return re.sub(r"``([^`]+)``", r"`\1`", re.sub(r" \(:\w+:`[^`]+`\)", "", text))


if __name__ == "__main__":
    pages = {PAGE: render_page, COMMANDS_PAGE: render_options}
    sys.exit(update_pages({page: render(page.read_text(encoding="utf-8")) for page, render in pages.items()},
                          sys.argv[1:]))
