"""Help and completion: every command tells what it does, with examples that are right."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from ppgen.cli import messages
from ppgen.cli.command_group import TAKES_NONE, Command
from ppgen.cli.messages import UsualOption, guess_command, help_texts
from ppgen.cli.program import main
from ppgen.lines import display_width
from ppgen.reading.texts import languages
from ppgen.shipped import shipped_root
from tests.conftest import run_python
from tools.docs_site import commands

COMMANDS = {context.command_path: context.command for context in commands()}
LANGUAGES = languages(shipped_root() / "data" / "help")


def help_of(words: str, *more: str) -> str:
    done = CliRunner().invoke(main, [*words.split()[1:], "--help", *more], prog_name="ppgen")
    assert done.exit_code == 0, done.output
    return done.stdout


def examples() -> Iterator[str]:
    for words in ("ppgen", *COMMANDS):
        for line in help_of(words).splitlines():
            if match := re.match(r"^ +(ppgen [a-z-].*?)(?: {2,}.*| > .*)?$", line):
                yield from match[1].split(" && ")


def options(command: click.Command) -> list[click.Option]:
    return [option for option in command.params if isinstance(option, click.Option)]


def option_names(text: str) -> list[str]:
    """The first name of each option that a page explains."""
    return [line.split()[0].rstrip(",") for line in text.splitlines() if re.match(r"  -", line)]


@pytest.mark.parametrize("words", COMMANDS)
def test_help_shows_the_usual_options_and_with_all_every_option_once(words):
    command = COMMANDS[words]
    shown, every = option_names(help_of(words)), option_names(help_of(words, "--all"))
    usual = [min(option.opts, key=len) for option in options(command) if isinstance(option, UsualOption)]
    assert isinstance(command, Command), "made with cls=Command"
    assert (shown, sorted(every)) == ([*usual, "-h"], sorted([*(min(each.opts, key=len) for each in options(command)),
                                                             "-h"]))
    others = len(every) - len(shown)
    assert (f"  {others} more: ppgen help {words.removeprefix('ppgen ')} --all\n" in help_of(words)) == bool(others)
    for option in options(command):
        assert isinstance(option, UsualOption) or (option.help and "default" not in option.help.lower())


@pytest.mark.parametrize("words", COMMANDS)
def test_no_option_and_no_argument_takes_an_empty_value(words):
    """Mostly it is a variable of a shell that is not set; two options take it, to take back that of ppgen.toml."""
    for each in COMMANDS[words].params:
        if each.name not in TAKES_NONE and not (isinstance(each, click.Option) and each.is_flag):
            typed = [*each.opts[:1] * isinstance(each, click.Option), ""]
            done = CliRunner().invoke(main, [*words.split()[1:], *typed], prog_name="ppgen")
            assert (done.exit_code, done.stderr.endswith(": is empty\n")) == (2, True), (typed, done.output)


@pytest.mark.parametrize("words", [words for words in COMMANDS if words.count(" ") == 1])
def test_help_of_a_command_has_an_example(words):
    assert re.search(rf"^ +{words}\b", help_of(words), re.MULTILINE)


@pytest.mark.parametrize("lang", languages(shipped_root() / "data" / "help"))
def test_help_fits_a_screen_of_40_lines_in_each_language(lang, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LANG", f"{lang}_XX.UTF-8")
    pages = {words: help_of(words).splitlines() for words in ("ppgen", *COMMANDS)}
    assert not {words: len(lines) for words, lines in pages.items() if len(lines) > 40}
    assert not [line for lines in pages.values() for line in lines if display_width(line) > 80]


def test_options_fit_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, help_of("ppgen build").partition("Options:")[2].splitlines())) <= 40


def test_help_is_in_english_for_a_language_that_has_none_yet(monkeypatch, tmp_path):
    for folder, lang in (("locales", "de"), ("locales", "en"), ("locales", "sv"), ("help", "de"), ("help", "en")):
        target = tmp_path / "data" / folder / f"{lang}.toml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((shipped_root() / "data" / folder / f"{lang.replace('sv', 'de')}.toml").read_bytes())
    monkeypatch.setattr("ppgen.cli.messages.shipped_root", lambda: tmp_path)
    monkeypatch.setenv("LANG", "sv_SE.UTF-8")
    assert help_of("ppgen").startswith("Usage: ")


def test_no_text_of_help_is_left_over():
    used = {f"options.{option.text}" for command in (main, *COMMANDS.values()) for option in options(command)
            if isinstance(option, UsualOption)}
    used |= {f"commands.{'-'.join(words.split()[1:])}" for words in COMMANDS}
    metavars = [option.make_metavar(ctx=click.Context(main)) for command in COMMANDS.values()
                for option in options(command) if isinstance(option, UsualOption) and not option.is_flag]
    shown = " ".join((*metavars, *(help_of(words).splitlines()[0] for words in COMMANDS)))
    used |= {f"placeholders.{word}" for word in re.findall(r"\b[A-Z]{2,}\b", shown)}
    known = {key for key in help_texts("en").words if key.startswith(("options.", "commands.", "placeholders."))}
    assert known ^ used == {"options.help", "commands.ppgen", "placeholders.ID", "placeholders.URL"}


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_help_of_two_commands(lang, golden, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LANG", f"{lang}_XX.UTF-8")
    golden(f"help-{lang}.txt", "\n".join(map(help_of, ("ppgen", "ppgen build"))))


@pytest.mark.parametrize("example", sorted({line for line in examples() if line.startswith("ppgen ")}))
def test_examples_are_command_lines_that_can_be_given(example):
    words = shlex.split(example.partition(" > ")[0])[1:]
    command, context = main, click.Context(main, info_name="ppgen")
    while isinstance(command, click.Group) and words:
        inner = command.get_command(context, words[0])
        assert inner is not None, example
        command, words = inner, words[1:]
    command.make_context(example, words, parent=context)  # raises for options and values that aren't any


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_command_proposes_five(lang, monkeypatch):
    monkeypatch.setenv("LANG", f"{lang}_XX.UTF-8")
    done = CliRunner().invoke(main, [])
    assert max(map(display_width, done.stderr.splitlines())) <= 80
    commands = [line.split()[1] for line in done.stderr.splitlines()]
    assert (done.exit_code, commands) == (2, ["build", "open", "score", "new", "help"])


def test_help_lists_each_command_rare_ones_last():
    listed = re.findall(r"^  (\w+)  ", help_of("ppgen"), re.MULTILINE)
    assert sorted(listed) == sorted(words.split()[1] for words in COMMANDS if words.count(" ") == 1)
    assert listed[-6:] == ["printed", "compare", "fetch", "adopt", "fonts", "words"]


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


def test_values_are_completed(golden_cases):
    golden_cases("completions", lambda line: [" ".join(completed(line.removesuffix("␣")))])


def test_a_shell_that_asks_in_a_folder_with_a_spoilt_options_file_is_answered_and_help_is_given(desk):
    (desk.folder / "ppgen.toml").write_text("[[[")
    code = "import sys; sys.argv = ['ppgen']; from ppgen.cli.program import main; main(prog_name='ppgen')"
    done = run_python("-c", code, cwd=desk.folder, COMP_WORDS="ppgen bu", COMP_CWORD="1",
                      _PPGEN_COMPLETE="bash_complete")
    assert (done.stdout, done.stderr) == ("plain,build\n", "")
    assert desk.ppgen("help", "build").exit_code == 0
    assert desk.ppgen("build", "--dry-run").exit_code == 1


def test_defaults_and_limits_are_shown_as_one_types_them():
    shown = " ".join(help_of("ppgen build", "--all").split())
    assert all(f"[{each}]" in shown for each in (
        "default: a4", "0…10 mm; default: 2mm", "1…500; default: 1"))
    assert "<=" not in shown


@pytest.mark.parametrize(("words", "same"), [
    ([], ["--help"]), (["build"], ["build", "--help"]), (["printer", "save"], ["printer", "save", "--help"]),
    (["build", "--all"], ["build", "--help", "--all"]), (["--all"], ["--help", "--all"])])
def test_the_help_command_is_another_word_for_the_option(words, same):
    asked, told = (CliRunner().invoke(main, line, prog_name="ppgen") for line in (["help", *words], same))
    assert (asked.exit_code, asked.stdout) == (0, told.stdout)


def test_a_word_for_a_command_stands_for_one_in_all_languages():
    meant: dict[str, set[str]] = {}
    for lang in LANGUAGES:
        for key, words in help_texts(lang).words.items():
            if key.startswith("synonyms."):
                assert words.split(), (lang, key)
                for word in words.split():
                    meant.setdefault(word, set()).add(guess_command(word, click.Context(main, info_name="ppgen")))
    assert {word: commands for word, commands in meant.items() if len(commands) > 1} == {}
    commands = {" ".join(words.split()[1:]) for words in COMMANDS}
    assert {command.partition(" --")[0] for found in meant.values() for command in found} <= {*commands, "--version"}


@pytest.mark.parametrize(("lang", "code"), [
    ("german", "de"), ("Deutsch", "de"), ("japanese", "ja"), ("日本語", "ja"), ("Français", "fr"), ("nederlands", "nl"),
    ("Dutch", "nl"), ("dansk", "da"), ("germn", "de"), ("Englisch", "en"), ("allemand", "de"), ("デンマーク語", "da"),
    ("en-GB", "en"), ("en_GB.UTF-8", "en")])
@pytest.mark.parametrize("command", ["build --dry-run", "history list"])
def test_a_language_by_its_name_gets_its_code(command, lang, code):
    done = CliRunner().invoke(main, [*command.split(), "--lang", lang])
    assert done.exit_code == 2
    assert f"(did you mean {code}? known: " in done.stderr


def test_each_name_of_a_language_is_found_in_its_file():
    for lang in messages._shipped_languages():
        texts = messages._shipped_texts("locales", lang)
        names = f"{texts('language.name')} {texts('answers.language')}".casefold().split()
        assert sorted(names) == sorted(name for name, of in messages._language_names().items() if of == lang)
