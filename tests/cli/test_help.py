"""Help and completion: every command tells what it does, with examples that are right."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from ppgen.cli.program import main


def commands(group: click.Group = main, words: tuple[str, ...] = ("ppgen",)) -> Iterator[tuple[str, click.Command]]:
    """Every command with the words that call it, those inside groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield " ".join((*words, name)), command
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))


COMMANDS = dict(commands())


def help_of(words: str) -> str:
    done = CliRunner().invoke(main, [*words.split()[1:], "--help"])
    assert done.exit_code == 0, done.output
    return done.stdout


def examples() -> Iterator[str]:
    for words in ("ppgen", *COMMANDS):
        for line in help_of(words).splitlines():
            if match := re.match(r"^ +(ppgen [a-z-].*?)(?: {2,}.*| > .*)?$", line):
                yield from match[1].split(" && ")


@pytest.mark.parametrize("words", COMMANDS)
def test_help_says_what_a_command_does_and_what_its_options_mean(words):
    command = COMMANDS[words]
    assert command.help and command.help.strip()
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, f"{words} {option.opts[0]}"


@pytest.mark.parametrize("name", [words for words in COMMANDS if words.count(" ") == 1])
def test_help_has_an_example(name):
    assert re.search(rf"^ +{name}\b", help_of(name), re.MULTILINE)


@pytest.mark.parametrize("example", sorted({line for line in examples() if line.startswith("ppgen ")}))
def test_examples_are_command_lines_that_can_be_given(example):
    words = shlex.split(example.partition(" > ")[0])[1:]
    command, context = main, click.Context(main, info_name="ppgen")
    while isinstance(command, click.Group) and words:
        inner = command.get_command(context, words[0])
        assert inner is not None, example
        command, words = inner, words[1:]
    command.make_context(example, words, parent=context)  # raises for options and values that aren't any


def test_help_fits_a_terminal():
    for words in ("ppgen", *COMMANDS):
        assert max(map(len, help_of(words).splitlines())) <= 100, words


def test_no_command_says_what_there_is():
    done = CliRunner().invoke(main, [])
    assert all(f"  {words.split()[1]} " in done.output for words in COMMANDS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_given_its_lines(shell):
    done = CliRunner().invoke(main, ["completion", shell])
    assert done.exit_code == 0
    assert "_PPGEN_COMPLETE" in done.stdout and f"{shell}_complete" in done.stdout


def completed(line: str) -> list[str]:
    """What bash is offered for the last word of a line, by a process of its own as the shell starts one."""
    words = shlex.split(line) + ([""] if line.endswith(" ") else [])
    code = "import sys; sys.argv = ['ppgen']; from ppgen.cli.program import main; main(prog_name='ppgen')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env={
        **os.environ, "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), "_PPGEN_COMPLETE": "bash_complete"})
    assert not done.stderr
    return [word.partition(",")[2] for word in done.stdout.splitlines()]


@pytest.mark.parametrize(("line", "offered"), [
    ("ppgen bu", {"build"}),
    ("ppgen build --card-size sta", {"standard"}),
    ("ppgen build --lang ", {"de", "en", "da", "nl", "ja", "fr", "all"}),
    ("ppgen build --only ru", {"rules"}),
    ("ppgen build --paper le", {"letter", "legal"}),
    ("ppgen build --backs ", {"duplex", "fold", "none"}),
    ("ppgen printer ", {"save", "list", "remove"}),
    ("ppgen export ta", {"tabletopia"}),
])
def test_values_are_completed(line, offered):
    assert set(completed(line)) == offered


def test_completing_in_a_folder_with_a_spoilt_options_file_is_silent(desk):
    (desk.folder / "ppgen.toml").write_text("[[[")
    assert completed("ppgen bu") == ["build"]


@pytest.mark.parametrize("words", ["ppgen", *(words for words, found in COMMANDS.items()
                                              if isinstance(found, click.Group))])
def test_lists_of_commands_end_their_sentences(words):
    """On a terminal of 80 columns, where click cuts what is longer."""
    listed = help_of(words).partition("Commands:")[2]
    assert listed and "..." not in listed


@pytest.mark.parametrize("words, meant", [("bild", "build"), ("histroy", "history"), ("scroe", "score"), ("xyz", "")])
def test_a_mistyped_command_gets_a_guess(words, meant):
    done = CliRunner().invoke(main, [words])
    assert done.exit_code == 2 and f"No such command '{words}'" in done.stderr
    assert ("Did you mean" in done.stderr, f"Did you mean {meant}?" in done.stderr) == (bool(meant), bool(meant))
