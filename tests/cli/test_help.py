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

from ppgen.cli.command_group import Command
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
    return [word.partition(",")[2] for word in done.stdout.splitlines() if word]


@pytest.mark.parametrize(("line", "offered"), [
    ("ppgen bu", {"build"}),
    ("ppgen build --card-size sta", {"standard"}),
    ("ppgen build --lang ", {"de", "en", "da", "nl", "ja", "fr", "all"}),
    ("ppgen build --only ru", {"rules"}),
    ("ppgen build --paper le", {"letter", "legal"}),
    ("ppgen build --backs ", {"duplex", "fold", "none"}),
    ("ppgen printer ", {"save", "list", "remove"}),
    ("ppgen export ta", {"tabletopia"}),
    ("ppgen help bu", {"build"}),
    ("ppgen help printer s", {"save"}),
    ("ppgen help nosuch s", set()),
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
    listed = help_of(words).partition("Print:" if words == "ppgen" else "Commands:")[2]
    assert listed and "..." not in listed


@pytest.mark.parametrize("words, meant", [("bild", "build"), ("histroy", "history"), ("scroe", "score"), ("xyz", "")])
def test_a_mistyped_command_gets_a_guess(words, meant):
    done = CliRunner().invoke(main, [words])
    assert done.exit_code == 2 and f"No such command '{words}'" in done.stderr
    assert ("Did you mean" in done.stderr, f"Did you mean {meant}?" in done.stderr) == (bool(meant), bool(meant))


@pytest.mark.parametrize("words", [words for words, found in COMMANDS.items() if not isinstance(found, click.Group)])
def test_every_command_groups_its_options_and_makes_guesses(words):
    """It is made with cls=Command."""
    assert isinstance(COMMANDS[words], Command)


@pytest.mark.parametrize("words", COMMANDS)
def test_help_shows_each_option_once(words):
    shown = [line.split()[0].rstrip(",") for line in help_of(words).splitlines() if re.match(r"  -", line)]
    own = [min(option.opts, key=len) for option in COMMANDS[words].params if isinstance(option, click.Option)]
    assert sorted(shown) == sorted([*own, "-h"])


def test_help_of_build_is_in_groups_with_the_most_used_options_first():
    titles = dict(re.findall(r"^([A-Z][^:\n]*):\n +((?:-\w, )?--[a-z-]+)", help_of("ppgen build"), re.MULTILINE))
    assert [*titles] == ["What", "On what paper", "Backs", "Booklets, score sheets, box", "Files", "Machinery"]
    assert [*titles.values()] == ["-l, --lang", "--paper", "--backs", "--booklet", "-o, --output", "--no-cache"]


def test_defaults_and_limits_are_shown_as_one_types_them():
    shown = " ".join(help_of("ppgen build").split())
    assert all(f"[{each}]" in shown for each in (
        "default: a4", "default: --booklet", "0 to 10 mm; default: 2mm", "1 to 500; default: 1"))
    assert "<=" not in shown


@pytest.mark.parametrize("words", COMMANDS)
def test_no_default_is_part_of_a_sentence(words):
    """It is data, for help and documentation alike."""
    assert not [option.opts for option in COMMANDS[words].params
                if isinstance(option, click.Option) and "default" in option.help.lower()]


@pytest.mark.parametrize(("words", "same"), [
    ([], ["--help"]), (["build"], ["build", "--help"]), (["printer", "save"], ["printer", "save", "--help"])])
def test_the_help_command_is_another_word_for_the_option(words, same):
    asked, told = (CliRunner().invoke(main, line, prog_name="ppgen") for line in (["help", *words], same))
    assert (asked.exit_code, asked.stdout) == (0, told.stdout)


def test_the_help_command_works_beside_a_spoilt_options_file(desk):
    (desk.folder / "ppgen.toml").write_text("[[[")
    assert desk.ppgen("help", "build").exit_code == 0
    assert desk.ppgen("build", "--dry-run").exit_code == 1


@pytest.mark.parametrize(("words", "answer"), [
    ("help histroy", "No such command 'histroy'. Did you mean history?"),
    ("help list all", "'ppgen list' has no command 'all'."),
    ("build cards", "ppgen build does not take 'cards'. Did you mean --only cards?"),
    ("export png cards", "ppgen export png does not take 'cards'. Did you mean --only cards?"),
    ("build fold", "ppgen build does not take 'fold'. Did you mean --backs fold?"),
    ("check poker", "ppgen check does not take 'poker'. Did you mean --card-size poker?"),
    ("build somewhere", "ppgen build does not take 'somewhere'."),
    ("build france-1", "ppgen build does not take 'france-1'. Did you mean --only france-1?"),
    ("build board-game", "ppgen build does not take 'board-game'. Did you mean --game board-game?"),
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
    ("Dutch", "nl"), ("dansk", "da"), ("en-GB", "en"), ("en_GB.UTF-8", "en")])
@pytest.mark.parametrize("command", ["build --dry-run", "history list", "score --template csv"])
def test_a_language_by_its_name_gets_its_code(command, lang, code):
    done = CliRunner().invoke(main, [*command.split(), "--lang", lang])
    assert done.exit_code == 2
    assert f"(did you mean {code}? known: " in done.stderr


def test_a_profile_without_a_name_is_offered_one():
    done = CliRunner().invoke(main, ["printer", "save", "--a", "0,0"], prog_name="ppgen")
    assert done.exit_code == 2
    assert "Missing NAME: any name that you like, for example ppgen printer save home" in done.stderr


@pytest.mark.parametrize(("words", "option"), [
    ("--card-size 300x400 --only cards", "--card-size cards: 300 × 400 mm with 2 mm bleed does not fit a4"),
    ("--paper 80x80 --only cards", "--paper cards: "),
])
def test_what_does_not_fit_is_told_by_the_option_that_asks_for_it(desk, words, option):
    done = desk.ppgen("build", "--dry-run", "--lang", "en", *words.split())
    assert done.exit_code == 1
    assert done.stderr.startswith(option)


def test_a_paper_without_room_for_booklets_is_told_by_its_name(desk):
    done = desk.ppgen("build", "--dry-run", "--lang", "en", "--only", "rules", "--paper", "a5")
    assert done.stderr.startswith("warning: --paper a5: is too small for booklets to fold")


def test_a_folder_is_probably_that_of_the_data(desk):
    (desk.folder / "mydeck").mkdir()
    assert "Did you mean --data mydeck?" in desk.ppgen("check", "mydeck").stderr
