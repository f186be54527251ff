"""Python's words for errors of templates, in the words of templates: no names of types and functions of Python."""

from __future__ import annotations

import re
from collections.abc import Callable

from jinja2.sandbox import MAX_RANGE

from ppgen.engine.drawing.template_source import split_code
from ppgen.engine.guard.refusals import TYPE_NAMES

MAX_QUOTED = 80  # characters of a template's code in a message
_OWN_NAMES = {"mark_safe": "safe", "soft_str": "string", "len": "length"}
_CALLED = re.compile(r"([A-Za-z_][\w.]*)\s*\(")
_LOOPED = re.compile(r"\bin\s+([A-Za-z_][\w.]*)\s*(?:[-+]?%\}|if\b|recursive\b)")
_FUNCTION = r"(?:\w+\.)*(?P<kind>safe_|sync_do_|do_|test_|check_|)(?P<name>\w+?)(?P<call>\(\))?"
_TYPE = r"'(?P<type>[^']+?)(?: object)?'(?: object)?"


def _name(match: re.Match[str]) -> str:
    """The name of a function as templates write it; filters and tests have no brackets."""
    name = _OWN_NAMES.get(match["name"], match["name"])
    return f"{name}()" if match["kind"] in ("", "safe_") and match["call"] else name


def _type(name: str) -> str:
    return TYPE_NAMES.get(name.rpartition(".")[2], "a record")


def _only(pattern: re.Pattern[str], match: re.Match[str], code: str) -> str:
    """The name that a line says, if it says one of the kind only, or else the type of the value."""
    names = set(pattern.findall(code))
    return names.pop() if len(names) == 1 else _type(match["type"])


_PLAIN: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], str]], ...] = tuple(
    (re.compile(pattern), say) for pattern, say in (
        (rf"^{_FUNCTION} got an unexpected keyword argument (?P<what>'\w+')$",
         lambda match, _: f"{_name(match)} has no argument {match['what']}"),
        (rf"^(?P<what>'\w+') is an invalid keyword argument for {_FUNCTION}$",
         lambda match, _: f"{_name(match)} has no argument {match['what']}"),
        (rf"^{_FUNCTION} missing \d+ required [\w-]+ arguments?: (?P<what>.*)$",
         lambda match, _: f"{_name(match)} needs {match['what']}"),
        (rf"^{_FUNCTION} takes no keyword arguments$", lambda match, _: f"{_name(match)} has no arguments with names"),
        (rf"^{_FUNCTION} (?:takes|expected) .*\barguments?\b", lambda match, _:
            f"{_name(match)} is given too many values, or too few"),
        (r"^'(?P<what>\S+)' not supported between instances of '(?P<one>.+)' and '(?P<two>.+)'$",
         lambda match, _: f"'{match['what']}' is not for {_type(match['one'])} and {_type(match['two'])}"),
        (r"^unsupported operand type\(s\) for (?P<what>[^\s:]+)(?: [^:]*)?: '(?P<one>.+)' and '(?P<two>.+)'$",
         lambda match, _: f"'{match['what']}' is not for {_type(match['one'])} and {_type(match['two'])}"),
        (rf"^bad operand type for unary (?P<what>\S+): {_TYPE}$",
         lambda match, _: f"'{match['what']}' is not for {_type(match['type'])}"),
        (rf"^{_TYPE} is not callable$", lambda match, code: f"{_only(_CALLED, match, code)} is not a function"),
        (rf"^(?:cannot unpack non-iterable (?P<bare>\w+) object|{_TYPE} is not (?:iterable|reversible)"
         r"|object of type '(?P<sized>.+)' has no len\(\))$",
         lambda match, code: f"{_iterated(match, code)}, not a list"),
        (rf"^(?:{_TYPE}|(?P<bare>\S+)(?: object)?) has no (?:attribute|element) (?P<what>.*)$",
         lambda match, _: f"{_type(match['type'] or match['bare'])} has no {match['what']}"),
        (r"\bby zero\b|\bmodulo\b", lambda _, __: "divides by zero"),
        ("^Range too big", lambda _, __: f"range() is given more than {MAX_RANGE:,} numbers"),
    ))
"""What Python and Jinja2 say, and how to say it with the code of the line."""


def _iterated(match: re.Match[str], code: str) -> str:
    kind, names = _type(match["type"] or match["bare"] or match["sized"]), set(_LOOPED.findall(code))
    return f"{names.pop()} is {kind}" if len(names) == 1 else f"{kind} stands here"


def in_plain_words(message: str, line: str) -> str:
    """Return what is wrong with a line of a template, of which Python says ``message``."""
    codes = [part for part, is_code in split_code(line) if is_code]
    for pattern, say in _PLAIN:
        if match := pattern.search(message):
            return say(match, " ".join(codes))
    quoted = codes[0] if len(codes) == 1 else ""
    short = quoted if len(quoted) <= MAX_QUOTED else f"{quoted[:MAX_QUOTED]}…"
    return "can't work with what it is given" + (f": {short}" if short else "")
