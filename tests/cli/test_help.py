"""Help and completion: every command tells what it does, with examples that are right."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from ppgen.cli.command_group import Command
from ppgen.cli.program import main

ROOT = Path(__file__).resolve().parents[2]


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
def test_help_says_what_a_command_does_and_shows_each_option_once_with_its_meaning(words):
    command, text = COMMANDS[words], help_of(words)
    assert command.help and command.help.strip()
    assert max(map(len, text.splitlines())) <= 100
    assert words.count(" ") > 1 or re.search(rf"^ +{words}\b", text, re.MULTILINE), "an example"
    assert isinstance(command, click.Group | Command), "made with cls=Command: options in groups, guesses"
    options = [option for option in command.params if isinstance(option, click.Option)]
    for option in options:
        assert option.help and "default" not in option.help.lower(), f"{option.opts[0]}: its default is data"
    shown = [line.split()[0].rstrip(",") for line in text.splitlines() if re.match(r"  -", line)]
    assert sorted(shown) == sorted([*(min(option.opts, key=len) for option in options), "-h"])
    if isinstance(command, click.Group):
        assert_whole_sentences(text.partition("Commands:")[2])


def assert_whole_sentences(listed: str) -> None:
    """On a terminal of 80 columns, where click cuts what is longer."""
    assert listed and "..." not in listed


@pytest.mark.parametrize("example", sorted({line for line in examples() if line.startswith("ppgen ")}))
def test_examples_are_command_lines_that_can_be_given(example):
    words = shlex.split(example.partition(" > ")[0])[1:]
    command, context = main, click.Context(main, info_name="ppgen")
    while isinstance(command, click.Group) and words:
        inner = command.get_command(context, words[0])
        assert inner is not None, example
        command, words = inner, words[1:]
    command.make_context(example, words, parent=context)  # raises for options and values that aren't any


def test_no_command_says_what_there_is():
    done = CliRunner().invoke(main, [])
    assert all(f"  {words.split()[1]} " in done.output for words in COMMANDS)
    assert_whole_sentences(help_of("ppgen").partition("Print:")[2])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_given_its_lines(shell):
    done = CliRunner().invoke(main, ["completion", shell])
    assert done.exit_code == 0
    assert "_PPGEN_COMPLETE" in done.stdout and f"{shell}_complete" in done.stdout


def completed(line: str) -> list[str]:
    """What a shell is offered for the last word of a line."""
    _, *words = shlex.split(line)
    last = "" if line.endswith(" ") else words.pop()
    return [item.value for item in ShellComplete(main, {}, "ppgen", "_PPGEN_COMPLETE").get_completions(words, last)]


@pytest.mark.parametrize(("line", "offered"), [
    ("ppgen bu", {"build"}),
    ("ppgen build --card-size sta", {"standard"}),
    ("ppgen build --lang ", {"de", "en", "da", "nl", "ja", "fr", "all"}),
    ("ppgen build --only ru", {"rules"}),
    ("ppgen build --paper le", {"letter", "legal"}),
    ("ppgen build --backs ", {"duplex", "fold", "none"}),
    ("ppgen printer ", {"save", "list", "remove"}),
    ("ppgen export ta", {"table", "tabletopia"}),
    ("ppgen help bu", {"build"}),
    ("ppgen help printer s", {"save"}),
    ("ppgen help nosuch s", set()),
])
def test_values_are_completed(line, offered):
    assert set(completed(line)) == offered


def test_a_shell_that_asks_in_a_folder_with_a_spoilt_options_file_is_answered_and_help_is_given(desk):
    (desk.folder / "ppgen.toml").write_text("[[[")
    code = "import sys; sys.argv = ['ppgen']; from ppgen.cli.program import main; main(prog_name='ppgen')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env={
        **os.environ, "PYTHONPATH": str(ROOT), "COMP_WORDS": "ppgen bu", "COMP_CWORD": "1",
        "_PPGEN_COMPLETE": "bash_complete"})
    assert (done.stdout, done.stderr) == ("plain,build\n", "")
    assert desk.ppgen("help", "build").exit_code == 0
    assert desk.ppgen("build", "--dry-run").exit_code == 1


def test_help_of_build_is_in_groups_with_the_most_used_options_first():
    titles = dict(re.findall(r"^([A-Z][^:\n]*):\n +((?:-\w, )?--[a-z-]+)", help_of("ppgen build"), re.MULTILINE))
    assert [*titles] == ["What", "On what paper", "Backs", "Booklets, score sheets, box", "Files", "Machinery"]
    assert [*titles.values()] == ["-l, --lang", "--paper", "--backs", "--booklet", "-o, --output", "--no-cache"]


def test_defaults_and_limits_are_shown_as_one_types_them():
    shown = " ".join(help_of("ppgen build").split())
    assert all(f"[{each}]" in shown for each in (
        "default: a4", "0 to 10 mm; default: 2mm", "1 to 500; default: 1"))
    assert "<=" not in shown


@pytest.mark.parametrize(("words", "same"), [
    ([], ["--help"]), (["build"], ["build", "--help"]), (["printer", "save"], ["printer", "save", "--help"])])
def test_the_help_command_is_another_word_for_the_option(words, same):
    asked, told = (CliRunner().invoke(main, line, prog_name="ppgen") for line in (["help", *words], same))
    assert (asked.exit_code, asked.stdout) == (0, told.stdout)


@pytest.mark.parametrize(("words", "answer"), [
    ("bild", "No such command 'bild'. Did you mean build?"),
    ("histroy", "No such command 'histroy'. Did you mean history?"),
    ("xyz", "No such command 'xyz'."), ("print", "No such command 'print'. Did you mean build?"),
    ("rules", "No such command 'rules'. Did you mean build --only rules?"),
    ("play", "No such command 'play'. Did you mean export table?"),
    ("-l de build", "No such option '-l'. Options come after the command: ppgen build -l de"),
    ("-x", "No such option '-x'."),
    ("printer save --a 0,0", "Missing NAME: any name that you like, for example ppgen printer save home"),
    ("help histroy", "No such command 'histroy'. Did you mean history?"),
    ("help list all", "'ppgen list' has no command 'all'."),
    ("build somewhere", "Got unexpected extra argument (somewhere)"),
    ("build --colour low", "No such option '--colour'. Did you mean --ink?"),
    ("build --color low", "No such option '--color'. Did you mean --ink?"),
    ("list --color", "No such option '--color'."),
])
def test_words_that_a_command_does_not_know_get_a_guess(words, answer):
    done = CliRunner().invoke(main, words.split(), prog_name="ppgen")
    assert done.exit_code == 2
    assert f"Error: {answer}\n" in done.stderr


@pytest.mark.parametrize(("lang", "code"), [
    ("german", "de"), ("Deutsch", "de"), ("japanese", "ja"), ("日本語", "ja"), ("Français", "fr"), ("nederlands", "nl"),
    ("Dutch", "nl"), ("dansk", "da"), ("germn", "de"), ("Englisch", "en"), ("allemand", "de"), ("デンマーク語", "da"),
    ("en-GB", "en"), ("en_GB.UTF-8", "en")])
@pytest.mark.parametrize("command", ["build --dry-run", "history list"])
def test_a_language_by_its_name_gets_its_code(command, lang, code):
    done = CliRunner().invoke(main, [*command.split(), "--lang", lang])
    assert done.exit_code == 2
    assert f"(did you mean {code}? known: " in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("words", "option"), [
    ("--card-size 300x400 --only cards", "--card-size cards: 300 × 400 mm with 2 mm bleed does not fit a4"),
])
def test_what_does_not_fit_is_told_by_the_option_that_asks_for_it(desk, words, option):
    done = desk.ppgen("build", "--dry-run", "--lang", "en", *words.split())
    assert done.exit_code == 1
    assert done.stderr.startswith(option)
