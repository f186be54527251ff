"""The user's language: messages on the terminal, and pages of help."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from inspect import cleandoc
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click

from ppgen.errors import MESSAGES, Phrase, Problem, RequestError, join_names
from ppgen.lines import display_width, wrap
from ppgen.reading.texts import FOREIGN, Texts, languages, load_texts
from ppgen.records import replace
from ppgen.shipped import shipped_root

# --- Messages ---
# Texts of the commands are tables of the locale files in ``data/locales`` (:data:`ppgen.reading.texts.SCREEN_ONLY`),
# always the shipped ones: they belong to the commands, not to the set that is printed. Those of help are in
# ``data/help``.
#
# Problems that players of the shipped games meet are phrases (:class:`~ppgen.errors.Phrase`): English in JSON, and put
# into the user's language where they are printed. Others, in templates and data of designers, stay English as the
# documentation about them is. Only what click, the system and Python say is recognized by its English words, which the
# tables :data:`~ppgen.reading.texts.FOREIGN` of ``en.toml`` hold.

ENGLISH = "en"  # the language of messages without a locale, and of those that have no translation
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_MEASURE = re.compile(r"\d+(?:\.\d+)?(?: × \d+(?:\.\d+)?)?(?: ?(?:mm|%|pt|dpi))?")
_QUOTED = re.compile(r"(?<!\w)'([^']{1,200})'(?!\w)")


# --- The user's language ---

def preferred_languages() -> tuple[str, ...]:
    """The user's languages, best first; none for the locales C and POSIX.

    As gettext reads the environment: LANGUAGE is a list that applies unless the locale (LC_ALL before LC_MESSAGES
    before LANG) is C. Without a locale, the language of Windows' or macOS' user interface.
    """
    variables = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((value for name in variables if (value := os.environ.get(name))), "") or _system_language()
    codes = [re.split("[_.@-]", name)[0].lower() for name in (locale, *os.environ.get("LANGUAGE", "").split(":"))]
    if codes[0] in ("", "c", "posix"):
        return ()
    return tuple(dict.fromkeys(filter(None, (*codes[1:], codes[0]))))


def set_language(lang: str) -> None:
    """Make a language the user's, for this run and the commands that it starts."""
    if encoding := os.environ.pop("LC_ALL", ""):
        os.environ["LC_CTYPE"] = encoding
    os.environ["LANGUAGE"] = os.environ["LC_MESSAGES"] = lang


def _system_language() -> str:
    """The language of the user interface of a system that sets no locale; empty if it is not known."""
    if sys.platform == "win32":
        import ctypes
        from locale import windows_locale

        return windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    if sys.platform == "darwin":
        import plistlib

        try:
            with (Path.home() / "Library/Preferences/.GlobalPreferences.plist").open("rb") as file:
                return str(plistlib.load(file)["AppleLanguages"][0])
        except (OSError, RuntimeError, ValueError, LookupError, TypeError, plistlib.InvalidFileException):
            return ""
    return ""


def locale_language(known: tuple[str, ...], default: str) -> str:
    """The first of the user's languages that is known, else the ``default``, else the first one known."""
    return next((lang for lang in (*preferred_languages(), default) if lang in known), known[0])


# --- Texts of the commands ---

def interface_texts(lang: str | None = None) -> Texts:
    """Load the texts of the commands: in the user's language, or in ``lang`` if it is shipped."""
    return _own_texts("locales", lang)


def page_texts(lang: str | None = None) -> Texts:
    """Load the texts of the page of ``ppgen open``, which no other command needs."""
    return _own_texts("open_page", lang)


def own_page_words() -> dict[str, str]:
    """The texts of the pages of ``ppgen open`` in the user's language, which is ``lang``."""
    say = page_texts()
    words = {key.partition(".")[2]: text for key, text in say.words.items() if key.startswith("open.")}
    return {**words, "lang": say.lang}


def help_texts(lang: str | None = None) -> Texts:
    """Load the texts of help, in the user's language or in ``lang``."""
    return _own_texts("help", lang)


def _own_texts(folder: str, lang: str | None) -> Texts:
    known = languages(shipped_root() / "data" / folder)
    return _shipped_texts(folder, lang.lower() if lang and lang.lower() in known else locale_language(known, ENGLISH))


def _shipped_languages() -> tuple[str, ...]:
    return languages(shipped_root() / "data" / "locales")


@cache
def _shipped_texts(folder: str, lang: str) -> Texts:
    return load_texts(lang, [shipped_root() / "data" / folder])


# --- Messages ---

def translate(text: str) -> str:
    """Translate a message into the user's language; one without a translation stays as it is."""
    return find_translation(text) or text


def format_problem(problem: Problem) -> str:
    """Format a problem in the user's language, ``file:line key: what is wrong (what to do)``, if all of it can be."""
    return format_problems([], [problem])[0]


def format_problems(warnings: Iterable[Problem], problems: Iterable[Problem], are_localized: bool = False) -> list[str]:
    """Format a listing in the user's language, the warnings first; all of it in English if a part of it has no
    translation, as two languages on a screen would be worse. Those that ``are_localized`` already stay as they are.
    """
    warnings, problems = tuple(warnings), tuple(problems)
    translated = [*((*warnings, *problems) if are_localized else map(_translated, (*warnings, *problems)))]
    say = interface_texts(ENGLISH if None in translated else None)
    lines = [*map(str, (*warnings, *problems) if None in translated else translated)]
    word = click.style(say("results.warning"), fg="yellow")
    return [f"{word}: {line}" if n < len(warnings) else line for n, line in enumerate(lines)]


def _translated(problem: Problem) -> Problem | None:
    """The problem in the user's language; None if a part of it has no translation."""
    more = Phrase("more", count=problem.more) if problem.more else ""
    texts = [find_translation(text) if text else "" for text in (problem.what, problem.remedy, more)]
    if None in texts:
        return None
    what, remedy, more = (text or "" for text in texts)
    return replace(problem, key=f"{problem.key} {more}".strip(), what=what, remedy=remedy, more=0)


def find_translation(text: str) -> str | None:
    """The translation of a message, with that of the messages in it; None if it has none."""
    say = interface_texts()
    if say.lang == ENGLISH:
        return None
    if isinstance(text, Phrase):
        return say(f"{MESSAGES}.{text.key}", **{name: _localize(value, say) for name, value in text.values.items()})
    for key, pattern in _foreign_messages():
        if key in say.words and (match := pattern.fullmatch(text)):
            return say(key, **{name: _localize(value, say) for name, value in match.groupdict().items()})
    return None


def _localize(value: object, say: Texts) -> str:
    """Translate a message or an argument's name, write a measure with the language's decimal mark, quote as it does."""
    text = value if isinstance(value, str) else str(value)
    if _ARGUMENT.fullmatch(text):
        return _translate(text, help_texts())
    if (translated := find_translation(text)) is not None:
        return translated
    if _MEASURE.fullmatch(text):
        return text.replace(".", say("language.decimal"))
    return _QUOTED.sub(lambda match: say("answers.quoted", name=match[1]), text)


@cache
def _foreign_messages() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Patterns of what click, the system and Python say, by key: the most specific first, open ones last."""
    messages = {key: text for key, text in interface_texts(ENGLISH).words.items() if key.partition(".")[0] in FOREIGN}
    return tuple((key, re.compile(_PLACEHOLDER.sub(r"(?P<\1>.*?)", re.escape(text).replace(r"\{", "{").replace(
        r"\}", "}")), re.DOTALL)) for key, text in sorted(messages.items(), key=lambda item: (
            item[1].startswith("{"), -len(_PLACEHOLDER.sub("", item[1])))))


# --- Options and questions ---

def _check_lang(context: click.Context, parameter: click.Parameter, lang: str | None) -> str | None:
    """Refuse an unknown language on the command line. One in ppgen.toml is that of a set, not of messages."""
    known = _shipped_languages()
    is_typed = context.get_parameter_source(str(parameter.name)) is click.core.ParameterSource.COMMANDLINE
    if is_typed and str(lang).lower() not in known:
        raise RequestError.at("--lang", Phrase("not_our_language", lang=lang),
                              suggest_language(str(lang).lower(), known))
    return lang if is_typed else None


def suggest_language(text: str, known: tuple[str, ...]) -> str:
    """A remedy with the known languages, first the one of this name or locale, if any."""
    from difflib import get_close_matches  # only after a typing error
    from locale import locale_alias  # has names of other languages, too

    names = _language_names() if text.isalpha() else {}
    near = [names[name] for name in get_close_matches(text.casefold(), names, n=1, cutoff=0.8)]
    code = re.split("[-_.]", (*near, locale_alias.get(text.lower(), text.lower()))[0])[0]
    codes = join_names(known)
    return (Phrase("did_you_mean", name=code, message=Phrase("known", message=codes)) if code in known
            else Phrase("one_of", message=codes))


def _language_names() -> dict[str, str]:
    """The shipped languages by their own names and those in the others, in lower case.

    They are found in the text of the files: to parse all six takes as long as the rest of a mistyped command.
    """
    files = {lang: (shipped_root() / "data" / "locales" / f"{lang}.toml").read_text(encoding="utf-8")
             for lang in _shipped_languages()}
    return {name.casefold(): lang for lang, text in files.items() for names in _LANGUAGE_NAMES.findall(text)
            for name in names.split()}


_LANGUAGE_NAMES = re.compile(r'^\[(?:language\]\nname|answers\](?:\n[^\[\n].*)*?\nlanguage) = "(.*)"$', re.MULTILINE)


message_lang_option = click.option("--lang", "-l", metavar="LANG", callback=_check_lang,
                                   show_default="your locale's language, else en", help="Language of messages.")


def can_ask() -> bool:
    """Check for a terminal to ask on: questions go to stderr."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str, say: Texts) -> bool:
    """Ask until the answer is yes or no, in the language's words or as y or n; Enter means yes."""
    yes, no = (_normalize(f"{say(f'answers.{answer}')} {answer} {answer[0]}").split() for answer in ("yes", "no"))
    while True:
        answer = _normalize(click.prompt(f"{question} {say('answers.usually_yes')}", default="", show_default=False,
                                         err=True))
        if answer in (*yes, *no, ""):
            return answer not in no
        click.echo(say("answers.again"), err=True)


def _normalize(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


# --- Usual options ---
ALL_OPTIONS = "ppgen.all_options"  # key in the context of a command line with `--help --all`


class UsualOption(click.Option):
    """An option that help shows without ``--all``. Its text is ``options.TEXT`` of ``data/help``, by default that of
    its name.
    """

    def __init__(self, *names: Any, text: str = "", **declared: Any) -> None:
        super().__init__(*names, **declared)
        self.text = text or max(self.opts, key=len).lstrip("-")


usual_option = partial(click.option, cls=UsualOption)


# --- Help ---
MAX_WIDTH = 100
MAX_NAMES_SHARE = 0.3  # of the width, for the names of an option: longer ones have a line of their own
SYNONYMS = {"--color": "--ink", "--colour": "--ink", "--language": "--lang", "--locale": "--lang",
            "--size": "--card-size", "--duplex": "--backs", "--double-sided": "--backs", "--part": "--only",
            "--scale": "--board-scale", "--folder": "--output"}
"""Options as other programs call them."""
_EXAMPLES = "\x08\n"
"""Begins the paragraph of examples in a docstring, as for click."""
_METAVAR, _ARGUMENT = re.compile(r"\b[A-Z]{2,}\b"), re.compile(r"[A-Z|]{2,}(\.\.\.)?")
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
    for part in dict.fromkeys((summary(context), *(details if context.meta.get(ALL_OPTIONS) else ()))):
        lines += [*_indent(part), ""]
    for part in examples:
        lines += [*(f"  {line.strip()}" for line in part), ""]
    width = max((len(name) for names in sections.values() for name in names), default=0)
    for title, names in sections.items():
        rows = [(name, summary(context, name), "") for name in names]
        lines += [say("page.heading", title=say(f"titles.{title}")), *_table(rows, width), ""]
    lines += [*_option_lines(command, context, say)]
    return "\n".join(lines)


def summary(context: click.Context, *names: str) -> str:
    """What this command, or that of this name in a group, does, in a line."""
    return _texts(context)(f"commands.{_key(context, *names)}")


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
    rows = {title: [option_row(each, context, say) for each in group] for title, group in shown.items()}
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


def option_row(option: click.Option, context: click.Context, say: Texts) -> _Row:
    """The names and the placeholder of an option, its text, and its limits and default."""
    names = ", ".join(sorted(option.opts, key=len))
    if option.secondary_opts:
        names += f" / {', '.join(option.secondary_opts)}"
    values = "" if option.is_flag else option.make_metavar(ctx=context).strip("[]")
    key = option.text if isinstance(option, UsualOption) else "help"
    text = say(f"options.{key}") if is_usual(option) else option.help or ""
    default, kind = "", option.type
    if isinstance(option.show_default, str):
        default = option.show_default
    elif option.is_flag and option.secondary_opts:
        default = (option.opts if option.default else option.secondary_opts)[0]
    elif not option.is_flag and option.show_default and option.default not in (None, ()):
        default = str(option.default)
    limits = (f"{kind.min:g}…{kind.max:g}" if isinstance(kind, click.IntRange | click.FloatRange) else
              getattr(kind, "limits", ""))
    note = "; ".join(filter(None, (limits, default and say("page.default", value=default))))
    return f"{names} {_translate(values, say)}".strip(), text, f"[{note}]" if note else ""


def _translate(text: str, say: Texts) -> str:
    """Translate the placeholders in it, such as NAME."""
    return _METAVAR.sub(lambda match: say.words.get(f"placeholders.{match[0]}", match[0]), text)


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


_MEANT = {"rules": "build --only rules", "table": "export table", "site": "export site", "scorer": "export scorer",
          "version": "--version"}
"""What keys of the synonyms stand for that are not commands themselves."""


def guess_command(word: str, context: click.Context) -> str:
    """What a word of any shipped language stands for in a group of commands; empty if that is not known."""
    plain, group = _normalize(word), context.command_path.partition(" ")[2]
    keys = (key.partition(".")[2] for lang in _shipped_languages()
            for key, words in _shipped_texts("help", lang).words.items()
            if key.startswith("synonyms.") and plain in words.split())
    if key := next(keys, ""):
        return _MEANT.get(key, key).removeprefix(f"{group} ")
    lang = plain if plain in _shipped_languages() else _language_names().get(plain, "")
    return f"build --lang {lang}" if lang and not group else ""


def guess_value(word: str, context: click.Context) -> str:
    """The option of a command with the value that this word is, such as ``--lang de``; empty if it has none."""
    plain = _normalize(word)
    plain = _language_names().get(plain, plain)
    for option in context.command.params:
        if isinstance(option, click.Option) and not option.is_flag and any(
                item.type == "plain" and item.value == plain for item in option.shell_complete(context, plain)):
            return f"{max(option.opts, key=len)} {plain}"
    return ""
