"""Calls of functions in templates: recorded while a face is drawn, and edited in the source."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from inspect import signature
from itertools import pairwise
from typing import Any, NamedTuple

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from ppgen.engine.colours import named_colour
from ppgen.engine.drawing.face_tools import FACE_FUNCTIONS, FITS
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.sandbox import NUMBER_TYPES, Sandbox, calling_line
from ppgen.engine.geometry import Rect
from ppgen.engine.svg.subset import SOURCE_ATTRIBUTE
from ppgen.reading.editing import EditError
from ppgen.reading.workbooks import plain_number
from ppgen.records import dataclass, field

# --- Recording ---
# Sandbox that records the calls of a face, for a page on which its parts can be pointed at. Its templates have a number
# in each call (``template_calls.number_calls``). Faces for printing are drawn by the plain sandbox, from templates
# without numbers.

CALL_MARK = "_call"  # the argument that numbers a call
MAX_RECORDED = 5_000  # calls of a face that are recorded
_FIRST_TAG = re.compile("<[a-z]+")
_DRAWN = re.compile(r"\s*<(?:g|defs|path|rect|circle|ellipse|line|poly(?:line|gon)|text|image|use)\b")
_TAG = re.compile(r"<(/?)[a-z][^<>]*?(/?)>", re.IGNORECASE)


@dataclass(slots=True)
class RecordedCall:
    """A call that was made: ``mark`` is its template and number, ``given`` its texts and numbers by name or place.

    ``within`` are the indices of the macro calls around it, the outermost first. ``box`` is where it draws, in mm of
    its own coordinates. A call ``in_box`` was given its place as a box, made by the call with the mark ``boxes_by``.
    """

    mark: str
    given: Mapping[str, Any]
    within: tuple[int, ...]
    in_box: bool
    box: Rect | None = None
    boxes_by: str = ""


@dataclass(slots=True)
class Recorder:
    """The calls of the face that was drawn last, in the order in which they were made."""

    calls: list[RecordedCall] = field(default_factory=list)
    box: Rect | None = None
    open_macros: list[int] = field(default_factory=list)
    makers: dict[tuple[float, ...], str] = field(default_factory=dict)
    """The marks of the calls that made lists of boxes, by the values of each box."""

    def begin(self) -> None:
        self.calls, self.box, self.open_macros, self.makers = [], None, [], {}

    def load(self, calls: Iterable[Mapping[str, Any]]) -> None:
        """Take the calls that a recorder in another process has recorded, as JSON."""
        self.calls = [RecordedCall(**{**call, "within": tuple(call["within"]),
                                      "box": Rect(**call["box"]) if call["box"] else None}) for call in calls]

    def mark(self, box: Rect) -> None:
        """Take the box of the call that is being made: functions of faces report it."""
        self.box = box


class RecordingSandbox(Sandbox):
    """A sandbox that records each numbered call."""

    def __init__(self, *args: Any, recorder: Recorder) -> None:
        super().__init__(*args)
        self.recorder = recorder

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        mark, recorder = kwargs.pop(CALL_MARK, ""), __self.recorder
        if not mark or len(recorder.calls) >= MAX_RECORDED:
            return super().call(__context, __obj, *args, **kwargs)
        is_macro, box = isinstance(__obj, Macro), kwargs.get("box")
        named = {name: plain_number(value) for name, value in (
            *((str(at), value) for at, value in enumerate(args)), *kwargs.items())}
        given = {name: str(value) if isinstance(value, str) else value for name, value in named.items()
                 if isinstance(value, str) or type(value) in NUMBER_TYPES}
        entry = RecordedCall(mark, given, tuple(recorder.open_macros), box is not None)
        if isinstance(box, tuple):
            entry.boxes_by = recorder.makers.get(tuple(box), "")
        number, recorder.box = len(recorder.calls), None
        recorder.calls.append(entry)
        if not is_macro:
            result = super().call(__context, __obj, *args, **kwargs)
            entry.box = recorder.box
        else:
            recorder.open_macros.append(number)
            try:
                result = super().call(__context, __obj, *args, **kwargs)
            finally:
                recorder.open_macros.pop()
        if is_macro:
            if isinstance(result, Markup) and _DRAWN.match(result) and _is_balanced(result):
                return Markup(f'<g {SOURCE_ATTRIBUTE}="{number}|{calling_line()}">{result}</g>')
        elif isinstance(result, list):
            recorder.makers |= {tuple(each): mark for each in result if isinstance(each, tuple)}
        elif isinstance(result, Markup) and (tag := _FIRST_TAG.match(result)):
            source = f' {SOURCE_ATTRIBUTE}="{number}|{calling_line()}"'
            return Markup(f"{tag[0]}{source}{str(result)[tag.end():]}")
        return result


def _is_balanced(drawing: str) -> bool:
    """True if each tag that a macro opens is closed in it: only then may it stand in a group."""
    depth = 0
    for closing, empty in _TAG.findall(drawing):
        depth += -1 if closing else 0 if empty else 1
        if depth < 0:
            return False
    return not depth


# --- Calls in sources ---
# Calls in the text of a template: where the literals of their arguments stand, and texts with other literals. A
# template stays the file that its author wrote: a new value replaces the characters of an old one, and not a byte
# around them changes. Values are numbers, listed words, styles and colours, so that none becomes code; and Jinja2 must
# read the new text as the same template with these values in the wanted arguments, or the change is refused.

NUMBERS = frozenset("x y width height size min_size r radius margin gap inset depth columns stroke_width opacity "
                    "leading spacing bend".split())
COLOURS = frozenset({"fill", "stroke", "accent", "colour", "ground"})
KEYWORDS: Mapping[str, Sequence[str]] = {
    "anchor": ("start", "middle", "end"), "align": ("left", "center", "right"), "valign": ("top", "middle", "bottom"),
    "fit": FITS, "along": ("edge", "row", "column")}
MACRO_ARGUMENTS = ("x", "y", "width", "height", "size", "r")  # those of macros that may be changed
BOX = ("x", "y", "width", "height")
MAX_VALUE = 10_000
MAX_CALLS, MAX_NESTED = 2_000, 20  # calls of a template, and calls in the arguments of each other, that are found

_STRIPPING = re.compile(r"(\{[{%#])[-+]")  # braces that strip the blanks before them
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_STYLE = re.compile(r"[^\W_][\w .-]{0,40}(?:/bold)?(?:/italic)?")
_COLUMN = re.compile(r"[^\W\d]\w{0,60}")
_NOT_CALLED_AFTER = (".", "|", "macro", "is", "call")


class Token(NamedTuple):
    """A token between braces: its kind, as Jinja2's lexer says, its place and its text."""

    kind: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call: the place of its value, and what it is: number, word, name (``colours.night``) or code."""

    name: str
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a function or macro."""

    number: int  # in the template
    function: str  # of a macro of an imported template with its name: "look.frame"
    line: int
    start: int
    end: int
    arguments: Sequence[Argument]
    block: tuple[int, int] | None  # the place of the braces if nothing else stands between them
    trailing: bool  # a comma follows its last argument

    @property
    def offered(self) -> Sequence[str]:
        """The arguments that may be changed, given or not."""
        return offered_arguments(self.function) or [each.name for each in self.arguments
                                                    if each.name in MACRO_ARGUMENTS]

    def argument(self, name: str) -> Argument | None:
        return next((each for each in self.arguments if each.name == name), None)


class LiteralEdit(NamedTuple):
    """Characters to replace, and what an argument becomes: ``lead`` and its literal."""

    start: int
    end: int
    lead: str
    name: str
    literal: str


@lru_cache(maxsize=100)
def positional_arguments(function: str) -> Sequence[str]:
    """Return the names of the arguments that a function takes by position."""
    names = list(signature(FACE_FUNCTIONS[function]).parameters.values())[1:] if function in FACE_FUNCTIONS else []
    return tuple(each.name for each in names if each.kind is each.POSITIONAL_OR_KEYWORD)


@lru_cache(maxsize=100)
def offered_arguments(function: str) -> Sequence[str]:
    """Return the arguments of a function that the page offers to change."""
    if function not in FACE_FUNCTIONS:
        return ()
    names = [*signature(FACE_FUNCTIONS[function]).parameters]
    if "options" in names:  # those of the lettering
        names = [*signature(getattr(Lettering, function)).parameters]
    return tuple(name for name in names if name in NUMBERS or name in COLOURS or name in KEYWORDS or name == "style")


# --- Finding calls ---

def _blocks(text: str) -> Iterator[list[Token]]:
    """Yield the tokens of each ``{{…}}`` and ``{%…%}``, the braces included, up to what Jinja2 can't read."""
    plain = _STRIPPING.sub(r"\1 ", text).replace("\r\n", " \n")  # else the lexer leaves out characters
    tokens, place = list[Token](), 0
    with suppress(TemplateSyntaxError):
        for _, kind, words in Environment().lexer.tokeniter(plain, None):
            start, place = place, place + len(words)
            if kind in ("variable_begin", "block_begin"):
                tokens = []
            if kind != "whitespace":
                tokens.append(Token(kind, start, start + len(words.rstrip()), words.rstrip()))
            if kind in ("variable_end", "block_end"):
                yield tokens
                tokens = []


def _step(sign: str) -> int:
    return {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(sign, 0)


def find_calls(text: str) -> list[Call]:
    """Find the calls of functions that draw, and of macros that the template has, in the order of their names."""
    blocks = [*_blocks(text)]
    callable_names, modules = {*FACE_FUNCTIONS, *_macros(blocks)}, {*_modules(blocks)}
    calls: list[Call] = []
    for tokens in blocks:
        closings, around = _find_closings(tokens), list[int]()
        for at, token in enumerate(tokens[:-1]):
            start = at
            if at > 2 and tokens[at - 1].text == "." and tokens[at - 2].text in modules:
                start = at - 2
            function = "".join(each.text for each in tokens[start:at + 1])
            is_call = (token.kind == "name" and (start < at or function in callable_names)
                       and tokens[at + 1].text == "(" and tokens[start - 1].text not in _NOT_CALLED_AFTER)
            close = closings.get(at + 1) if is_call else None
            around = [end for end in around if end > at]
            if close is None or len(calls) == MAX_CALLS or len(around) == MAX_NESTED:
                continue
            around.append(close)
            given = _split_arguments(tokens[at + 2:close])
            if any(part and part[0].text in ("*", "**") for part in given):
                continue
            is_alone = tokens[0].kind == "variable_begin" and start == 1 and close == len(tokens) - 2
            calls.append(Call(
                number=len(calls), function=function, line=text.count("\n", 0, token.start) + 1,
                start=tokens[start].start, end=tokens[close].end,
                arguments=[*_arguments(given, positional_arguments(function))],
                block=(tokens[0].start, tokens[-1].end) if is_alone else None,
                trailing=len(given) > 1 and not given[-1]))
    return calls


def _macros(blocks: Iterable[Sequence[Token]]) -> Iterator[str]:
    for tokens in blocks:
        words = [each.text for each in tokens]
        if words[1:2] == ["macro"]:
            yield from words[2:3]
        elif words[1:2] == ["from"] and "import" in words:
            names = tokens[words.index("import"):]
            yield from (after.text for each, after in pairwise(names)
                        if each.text in ("import", ",", "as") and after.kind == "name")


def _modules(blocks: Iterable[Sequence[Token]]) -> Iterator[str]:
    """Yield the names of imported templates."""
    for tokens in blocks:
        words = [each.text for each in tokens]
        if "import" in words[1:3] and "as" in words:
            yield from words[words.index("as") + 1:][:1]


def _find_closings(tokens: Iterable[Token]) -> dict[int, int]:
    closings, opened = dict[int, int](), list[int]()
    for at, token in enumerate(tokens):
        step = _step(token.text) if token.kind == "operator" else 0
        if step > 0:
            opened.append(at)
        elif step < 0 and opened:
            closings[opened.pop()] = at
    return closings


def _split_arguments(tokens: Iterable[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += _step(token.text) if token.kind == "operator" else 0
        if token.kind == "operator" and token.text == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _arguments(parts: Iterable[Sequence[Token]], order: Sequence[str]) -> Iterator[Argument]:
    for at, part in enumerate(parts):
        named = len(part) > 2 and part[0].kind == "name" and part[1].text == "="
        if value := part[2:] if named else part:
            name = part[0].text if named else order[at] if at < len(order) else f"{at + 1}"
            yield Argument(name, value[0].start, value[-1].end, _kind(value))


def _kind(value: Sequence[Token]) -> str:
    match [each.text if each.kind == "operator" else each.kind for each in value]:
        case ["integer" | "float"] | ["-", "integer" | "float"]:
            return "number"
        case ["string"] if "\\" not in value[0].text:
            return "word"
        case ["name", ".", "name"] if value[0].text == "colours":
            return "name"
    return "code"


def number_calls(text: str, name: str) -> str:
    """Give each call an argument with its template and number, which the recording sandbox takes out again."""
    pieces, place = [], 0
    for call in sorted(find_calls(text), key=lambda call: call.end):  # an inner call ends before the outer one
        comma = "" if not call.arguments or call.trailing else ", "
        pieces += [text[place:call.end - 1], f'{comma}{CALL_MARK}="{name}#{call.number}"']
        place = call.end - 1
    return "".join([*pieces, text[place:]])


def template_digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=9).hexdigest()


def describe_calls(text: str) -> dict[int, dict[str, object]]:
    """Describe the calls of a template for the page, by number."""
    return {call.number: {
        "fn": call.function, "line": call.line, "whole": call.block is not None, "offered": [*call.offered],
        "macro": call.function not in FACE_FUNCTIONS,
        "args": {each.name: {"text": text[each.start:each.end], "kind": each.kind} for each in call.arguments}}
        for call in find_calls(text)}


# --- New texts ---

def set_arguments(text: str, number: int, values: Mapping[str, object], colours: Collection[str]) -> str:
    """The template with other literals in a call, or further ones. Raises EditError for all else.

    A new place goes to all calls that a macro of a look shares its box with: a picture moves with its frame.
    """
    numbers = [number]
    if {*values} <= {*BOX}:
        numbers += [each.number for each in _share_box(find_calls(text), number, text) if each.number != number]
    for each in numbers:
        call = _call(text, each)
        changes = [_change(text, call, name, value, colours) for name, value in values.items()]
        if not call.arguments:  # the first of the new ones has no comma before it
            changes = [change if n else change._replace(lead=change.lead.lstrip(", "))
                       for n, change in enumerate(changes)]
        _verify(text, call, changes)
        text = _apply(text, changes)
    return text


def _share_box(calls: Sequence[Call], number: int, text: str) -> Sequence[Call]:
    """Return the calls with the box of one, if a macro of an imported template is among them."""
    boxes = {call.number: tuple(float(text[found.start:found.end]) for name in BOX
                                if (found := call.argument(name)) and found.kind == "number") for call in calls}
    same = [call for call in calls if len(boxes[call.number]) == len(BOX) and boxes[call.number] == boxes.get(number)]
    return same if any("." in call.function for call in same) else ()


def _change(text: str, call: Call, name: str, value: object, colours: Collection[str]) -> LiteralEdit:
    if name not in call.offered:
        raise EditError(f"{call.function}() has no {name} that could be changed here.")
    old = call.argument(name)
    literal = _literal(name, value, colours, text[old.start:old.start + 1] if old else "")
    if old:
        return LiteralEdit(old.start, old.end, "", name, literal)
    return LiteralEdit(call.end - 1, call.end - 1, f"{' ' if call.trailing else ', '}{name}=", name, literal)


def _literal(name: str, value: object, colours: Collection[str], quote: str) -> str:
    quote = quote if quote in ("'", '"') and quote else '"'
    if name in NUMBERS:
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MAX_VALUE:
            number = f"{value:.2f}".rstrip("0").rstrip(".")
            return "0" if number in ("-0", "") else number
    elif isinstance(value, str):
        if name in COLOURS and value in colours:
            return f"colours.{value}"
        is_known = (value == "none" or _HEX.fullmatch(value) or named_colour(value) if name in COLOURS
                    else _STYLE.fullmatch(value) if name == "style" else value in KEYWORDS[name])
        if is_known:
            return f"{quote}{value}{quote}"
    raise EditError(f"{str(value)[:40]} can't be a value of {name}.")


def delete_call(text: str, number: int) -> str:
    """Return the template without a call, and without its line if nothing else stands there."""
    call = _call(text, number)
    if call.block is None:
        raise EditError("This call is part of a larger expression: take it out in your editor.")
    start, end = call.block
    line, after = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if not text[line:start].strip() and not text[end:after if after >= 0 else None].strip():
        start, end = line, after + 1 if after >= 0 else len(text)
    return text[:start] + text[end:]


def move_call(text: str, number: int, by: int) -> str:
    """Return the template with the line of a call exchanged with the one before (-1) or after (1)."""
    call = _call(text, number)
    lines = text.splitlines(keepends=True)
    alone = {each.line - 1 for each in find_calls(text)
             if each.block and lines[each.line - 1].strip() == text[slice(*each.block)]}
    at, to = call.line - 1, call.line - 1 + by
    if at not in alone or to not in alone:
        raise EditError("The line next to it is not a call alone: move it in your editor.")
    here, there = lines[at].rstrip("\r\n"), lines[to].rstrip("\r\n")
    lines[at], lines[to] = there + lines[at][len(here):], here + lines[to][len(there):]
    return "".join(lines)


def add_call(text: str, function: str, column: str, x: float, y: float) -> str:
    """Return the template with a call for a column at its end, in the middle of the face at x, y."""
    if function != "panel" and not _COLUMN.fullmatch(column):
        raise EditError("This is not a column of the table.")
    line = {"text": f'text(card.{column}, x={x:g}, y={y:g}, width=30, size=4, min_size=2, anchor="middle")',
            "rich": f"rich(card.{column}, x={x - 15:g}, y={y:g}, width=30, height=15, size=3.5, min_size=2)",
            "image": f"image(card.{column}, x={x - 15:g}, y={y - 10:g}, width=30, height=20)",
            "badge": f"badge(card.{column}, x={x:g}, y={y:g}, r=4)",
            "panel": f'panel(x={x - 15:g}, y={y - 6:g}, width=30, height=12, radius=1, fill="#ffffff")'}.get(function)
    if line is None:
        raise EditError("This can't be added.")
    newline = "\r\n" if "\r\n" in text else "\n"
    end = text.rfind("</svg>")
    at = end if end >= 0 and not text[end + 6:].strip() else len(text)
    before = text[:at] + ("" if not at or text[at - 1] == "\n" else newline)
    return f"{before}{{{{ {line} }}}}{newline}{text[at:]}"


def _call(text: str, number: int) -> Call:
    calls = find_calls(text)
    if not 0 <= number < len(calls):
        raise EditError("This call is not in the template.")
    return calls[number]


def _apply(text: str, changes: Sequence[LiteralEdit], with_marks: bool = False) -> str:
    pieces, place = [], 0
    for n, change in sorted(enumerate(changes), key=lambda each: each[1][:2]):
        pieces += [text[place:change.start], change.lead, f'"ppgen-{n}"' if with_marks else change.literal]
        place = change.end
    return "".join([*pieces, text[place:]])


def _called_name(node: Any) -> str:
    """Return the name that is called: ``frame`` or ``look.frame``."""
    inner = f"{_called_name(node.node)}." if hasattr(node, "attr") else ""
    return inner + getattr(node, "attr", getattr(node, "name", ""))


def _verify(text: str, call: Call, changes: Sequence[LiteralEdit]) -> None:
    """Let Jinja2 confirm that the changed places are the arguments of this call, and that the text is a template."""
    try:
        Environment().parse(_apply(text, changes))
        tree = Environment().parse(_apply(text, changes, with_marks=True))
    except TemplateSyntaxError as error:
        raise EditError(f"Jinja2 can't read the template: {error.message}") from error
    order = positional_arguments(call.function)
    found = {value.value: name for node in tree.find_all(nodes.Call)
             if _called_name(node.node) == call.function
             for name, value in (*zip(order, node.args, strict=False),
                                 *((each.key, each.value) for each in node.kwargs))
             if isinstance(value, nodes.Const) and str(value.value).startswith("ppgen-")}
    if found != {f"ppgen-{n}": change.name for n, change in enumerate(changes)}:
        raise EditError("This place of the template is not understood: change it in your editor.")
