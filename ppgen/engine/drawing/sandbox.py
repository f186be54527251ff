"""The sandbox for templates: what it refuses and limits, its environment, and the errors it reports."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import (Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, MutableMapping, Sequence,
                             ValuesView)
from contextlib import suppress
from functools import lru_cache, partial, wraps
from hashlib import blake2b
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import (AsyncGeneratorType, CodeType, CoroutineType, FrameType, FunctionType, GeneratorType, SimpleNamespace,
                   TracebackType)
from typing import Any, ClassVar

import jinja2
from jinja2 import nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.filters import FILTERS
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined, markup_join
from jinja2.sandbox import MAX_RANGE, ImmutableSandboxedEnvironment, safe_range
from jinja2.tests import TESTS
from jinja2.utils import Namespace, pass_context
from markupsafe import Markup, escape

from ppgen.engine.drawing.template_source import add_line_markers, is_template_name, split_code
from ppgen.engine.svg.subset import SOURCE_ATTRIBUTE
from ppgen.errors import InputError, Phrase, Problem, display_path, join_names
from ppgen.process.supervision import LARGE, SLOW, OverrunError, UnitTimeout, own_bounds
from ppgen.reading.fields import read_source
from ppgen.reading.workbooks import Written, plain_number
from ppgen.records import dataclass, is_dataclass, replace
from ppgen.shipped import INSTALLED, shipped_root

# --- Refusals ---
# What templates may not do: print anything but texts and numbers, or give functions and operators absurd operands. Time
# and memory are bounded elsewhere (``ppgen.process.supervision``). Here is refused, with a line, what would print
# something else on each run, or would be one long step in Python's own code.

MAX_LETTERING = 2_000  # characters of a text to set in type; half of them fill a card
MAX_DRAWING = 1_000_000  # characters of a drawing that a function is given
MAX_NUMBER = 10 ** 15  # the largest integer; measures in millimetres need no more
MAX_MEASURE = 1_000_000.0  # the largest argument of a drawing function
TEXT_FUNCTIONS = frozenset(("text", "rich", "badge"))  # drawing functions whose first argument is printed
_LABELLED = TEXT_FUNCTIONS | {"paragraph", "qr", "icon", "image", "has_picture", "text_reach", "fit"}
"""Drawing functions whose first argument is a text or name."""

NUMBER_TYPES = frozenset({int, float, bool})
_WRONG_CALL = (r"\(\) (?:(?P<needs>missing \d+ required .*arguments?:)|got an unexpected keyword argument|"
               r"(?P<many>takes .*positional arguments?|got multiple values for argument)) (?P<names>.*)")
"""What Python says of a call without an argument, with an unknown one, or with too many without a name."""
SEE_FUNCTIONS = "see docs/functions.md"


class RefusedError(jinja2.TemplateRuntimeError):
    """Something that templates must not do, in plain words, and a remedy."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.remedy = remedy


def check_printed(value: Any) -> Any:
    """Return a text or a number. Raises RefusedError for anything else: Python would print where it lies in memory."""
    if type(value) is int:
        if not -MAX_NUMBER <= value <= MAX_NUMBER:
            raise RefusedError("a number is out of range", f"up to {MAX_NUMBER:,}")
    elif not (value is None or isinstance(value, str | int | float | Undefined)):
        raise RefusedError(f"{type_name(value)} can't be printed", "print its entries, in a loop or by their names")
    return value


def check_format(value: Any, *args: Any, **kwargs: Any) -> None:
    """Check the operands of ``'…' % …``."""
    for each in (value, *args, *kwargs.values()):
        check_printed(each)


def check_join(value: Any, d: Any = "", attribute: Any = None) -> None:
    """Check the arguments of the filter ``join``; its value is a list."""
    if attribute is not None:
        raise RefusedError("join() takes no attribute here", 'write map(attribute="…") | join(", ")')
    for each in (d, *value):
        check_printed(each)


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that templates may call. A text that it returns is markup; it may also return a list of records.

    Its arguments are texts, numbers, and records: what another function returned, or the face gives. They are checked
    in shipped templates, too: the text to set may be a stranger's.
    """

    name: str
    function: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        first = "words" if self.name in TEXT_FUNCTIONS else ""
        for name, value in (*(("" if n else first, value) for n, value in enumerate(args)), *kwargs.items()):
            self._check(name, value)
        if any(isinstance(value, Written) for value in (*args, *kwargs.values())):  # a measure has no text
            kept = self.name in _LABELLED
            args = (*args[:kept], *map(plain_number, args[kept:]))
            kwargs = {name: value if name in ("words", "name") else plain_number(value)
                      for name, value in kwargs.items()}
        try:
            result = self.function(*args, **kwargs)
        except KeyError as error:
            raise RefusedError(f"{self.name}() does not know {error}", SEE_FUNCTIONS) from error
        except (AttributeError, TypeError, ValueError, ArithmeticError) as error:
            if call := re.search(_WRONG_CALL, str(error)):
                what = ("takes arguments by name, like x=5" if call["many"] else
                        f"{'needs' if call['needs'] else 'has no argument'} {call['names']}")
                raise RefusedError(f"{self.name}() {what}", SEE_FUNCTIONS) from error
            raise RefusedError(f"{self.name}() can't work with what it is given: {error}", SEE_FUNCTIONS) from error
        return Markup(result) if isinstance(result, str) else result

    def _check(self, name: str, value: Any) -> None:
        """Check an argument. A drawing or outline may be longer than a text to set in type."""
        if isinstance(value, MissingValue):
            str(value)  # raises UndefinedError
        if name != "words" and (type(value) in NUMBER_TYPES or isinstance(value, Written)):  # printed: larger
            if not -MAX_MEASURE <= value <= MAX_MEASURE:  # also NaN
                raise RefusedError(f"{self.name}() is given a number out of range", f"up to {MAX_MEASURE:,.0f}")
        elif isinstance(value, str):
            limit = MAX_DRAWING if name in ("drawing", "clip") else MAX_LETTERING
            if len(value) > limit:
                raise RefusedError(f"{self.name}() is given more than {limit:,} characters", Phrase("shorten"))
        elif self.name == "rich" and name == "words" and isinstance(value, list):
            runs = [run if isinstance(run, dict) else {"words": run} for run in value]
            for run in runs:
                for key, each in run.items():
                    self._check("" if isinstance(each, list) else key, each)
            self._check("", "".join([str(run.get("words", "")) for run in runs]))
        elif name in ("", "words") or not is_record(value):
            check_printed(value)


def is_record(value: Any) -> bool:
    """True if a value has fields by name."""
    return not callable(value) and (is_dataclass(value) or hasattr(value, "_fields"))


TYPE_NAMES = {
    **dict.fromkeys(("str", "Markup"), "a text"), **dict.fromkeys(("int", "float"), "a number"),
    **dict.fromkeys(("None", "NoneType"), "none"), **dict.fromkeys(("list", "tuple", "range"), "a list"),
    "bool": "true or false", "dict": "a table", "Macro": "a macro", "LoopContext": "loop",
    "MissingValue": "a missing value",
    **dict.fromkeys(("Helper", "function", "method", "builtin_function_or_method", "type"), "a function"),
}
"""Types in plain words, by Python's names; all others are records."""


def type_name(value: Any) -> str:
    """Return the type of a value in plain words."""
    return TYPE_NAMES.get(type(value).__name__, "a record")


# --- Environment ---
# Environment of shipped templates: loading, compilation, the cache of compiled code, and output. No sandbox. Shipped
# templates are trusted. Their values may come from a stranger's data, which is limited when it is read.

MAX_LISTED = 30  # names listed in a message
MAX_REMEMBERED = 100  # characters of a text whose escaped form is remembered
DECIMALS = 5  # of lengths in drawings: a hundredth of a thousandth of a millimetre
OPTIONS: dict[str, Any] = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True, "optimized": False}
"""Compiler options. Optimizing would cost a run that compiles templates more than it saves."""

Load = Callable[[str], tuple[str, str, None] | None]


class Loader(jinja2.FunctionLoader):
    """Loads templates, and remembers those that don't compile: another try would take seconds for every card."""

    def __init__(self, load: Load) -> None:
        super().__init__(load)
        self._failures: dict[str, Exception] = {}

    def load(self, environment: jinja2.Environment, name: str,
             globals: MutableMapping[str, Any] | None = None) -> jinja2.Template:
        if name in self._failures:
            raise self._failures[name].with_traceback(None)
        try:
            return super().load(environment, name, globals)
        except jinja2.TemplateNotFound:
            raise
        except Exception as error:
            self._failures[name] = error
            raise


def module_name(name: str, source: str) -> str:
    """Return the file name of the module that a shipped template is compiled to.

    It contains a digest of the template, Jinja2's version, the generator's name and the compiler options, so that
    outdated modules are never found.
    """
    inputs = f"{jinja2.__version__} {TemplateGenerator.__name__} {sorted(OPTIONS.items())} {name}\n{source}"
    return f"t{blake2b(inputs.encode(), digest_size=20).hexdigest()}.py"


class CompiledCache(jinja2.BytecodeCache):
    """Keeps compiled templates in memory for ``ppgen open``, which opens the same ones again and again.

    The code of shipped templates comes from the installation, never from the cache folder, where a run with files of
    strangers may write. Code compiled for one kind of environment never runs in another: code for the sandbox contains
    its checks.
    """

    memory: ClassVar[dict[tuple[str, str], tuple[str, CodeType]]] = {}
    """By kind of environment and template name: the checksum of the template, and its code."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def get_bucket(self, environment: jinja2.Environment, name: str, filename: str | None, source: str) -> Bucket:
        bucket = super().get_bucket(environment, name, filename, source)
        if bucket.code is None and self._kind == Environment.__name__:
            module = module_name(name, source)
            with suppress(OSError, ImportError, EOFError, SyntaxError, ValueError):  # missing or damaged
                code = SourceFileLoader(module[:-3], str(shipped_root() / INSTALLED / module)).get_code(module[:-3])
                bucket.code = code.replace(co_filename=filename) if code and filename else None  # for messages
        return bucket

    def load_bytecode(self, bucket: Bucket) -> None:
        checksum, code = self.memory.get((self._kind, bucket.key), ("", None))
        bucket.code = code if checksum == bucket.checksum else None

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self.memory[self._kind, bucket.key] = bucket.checksum, bucket.code


class MissingValue(jinja2.StrictUndefined):
    """A missing value that a template used; the message lists the existing ones."""

    __slots__ = ()

    def __init__(self, hint: str | None = None, obj: Any = jinja2.utils.missing, name: str | None = None,
                 exc: type[jinja2.TemplateRuntimeError] = jinja2.UndefinedError) -> None:
        entries = vars(obj) if type(obj) is SimpleNamespace else obj
        if hint is None and type(entries) is dict:
            known = sorted(key for key in entries if isinstance(key, str))[:MAX_LISTED]
            hint = f"'{name}' is not one of {join_names(known)}" if known else f"there is no '{name}' in an empty table"
            if not isinstance(name, str) and str(name) in entries:
                hint = f"{name} is a number, and the names are texts: write it as a text, with ~ \"\" after it"
        elif hint is None and is_record(obj):
            kind = type(obj)
            known = [key for key in dir(kind) if key[0] != "_" and not callable(getattr(kind, key))]
            hint = f"'{name}' is not one of {join_names(known[:MAX_LISTED])}"
        super().__init__(hint, obj, name, exc)


class TemplateGenerator(CodeGenerator):
    """Compiles what a template prints to calls of :func:`escape_value`."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        # There is no public hook: results of ``finalize`` and filters are escaped all the same. Jinja2's own
        # NativeCodeGenerator overrides this method, too.
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write(f"environment.escape_value({finalize.src or ''}")


def escape_value(value: Any) -> str:
    """Escape a value for SVG. Numbers and markup, which most values are, need none.

    Lengths have at most five decimals, and no minus zero: what differs beyond depends on the system and its Python.
    """
    kind = type(value)
    if kind is float or (kind is str and len(value) <= MAX_REMEMBERED):
        return _escape_again(value)
    return str(value) if kind in NUMBER_TYPES else value if kind is Markup else escape(value)


@lru_cache(maxsize=10_000)
def _escape_again(value: float | str) -> str:
    """Escape a length or a few words: 19 of 20 stand on other faces, too, and are found seven times as fast."""
    return str(round(value, DECIMALS) + 0.0) if isinstance(value, float) else escape(value)


class Environment(jinja2.Environment):
    """The environment of shipped templates.

    ``face_functions`` are those of the face being drawn, by name (:meth:`bind`). A macro that another template imports
    keeps the functions that it first saw, so these look up the face's.
    """

    code_generator_class = TemplateGenerator
    escape_value = staticmethod(escape_value)

    def __init__(self, load: Load, **more: Any) -> None:
        super().__init__(
            loader=Loader(load), bytecode_cache=CompiledCache(type(self).__name__), undefined=MissingValue,
            auto_reload=False, cache_size=-1, **OPTIONS, **more)
        self.globals = {"range": safe_range, "dict": dict, "namespace": Namespace}
        self.face_functions: Mapping[str, Callable[..., Any]] = {}
        self.names_read: set[str] = set()

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        return super()._parse(add_line_markers(source, name or ""), name, filename)

    def bind(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Let templates call the functions of the face that is drawn next; those of each face have the same names."""
        if functions.keys() != self.face_functions.keys():
            self.globals |= {name: Helper(name, partial(self._call_for_face, name)) for name in functions}
        self.face_functions = functions
        self.names_read.clear()

    def _call_for_face(self, name: str, /, *args: Any, **kwargs: Any) -> Any:
        return self.face_functions[name](*args, **kwargs)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the names that all templates see: one dictionary, so that no template is imported anew for another."""
        return self.globals


# --- Limits ---
# Sandbox for strangers' templates: Jinja2's sandbox with allow-lists. There is nothing random, and only texts and
# numbers can be printed (Python would print an object's address): the same input gives the same bytes. Templates that
# work for hours are ended from outside (``ppgen.process.supervision``).
#
# ``docs/functions.md`` lists the allowed filters, tests and methods.

LIST_FILTERS = frozenset("batch count dictsort first items join last length list map max min reject rejectattr reverse "
                         "select selectattr slice sort sum unique".split())
TEXT_FILTERS = frozenset("capitalize e escape format lower replace safe string title trim upper".split())
NUMBER_FILTERS = frozenset("abs float int round".split())
ALLOWED_FILTERS = TEXT_FILTERS | NUMBER_FILTERS | LIST_FILTERS | {"d", "default"}
ALLOWED_TESTS = frozenset(TESTS) - {"callable", "filter", "test"}
METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset("capitalize casefold count endswith find index isalnum isalpha isdigit islower isnumeric isspace "
                   "isupper join lower lstrip partition removeprefix removesuffix replace rfind rindex rpartition "
                   "rsplit rstrip split splitlines startswith strip swapcase title upper".split()),
    dict: frozenset("get items keys values".split()),
    list: frozenset("count index".split()),
    tuple: frozenset("count index".split()),
    LoopContext: frozenset("changed cycle".split()),
}
"""Methods that templates may call, by type of value."""

_CHECKS = {"format": check_format, "join": check_join}
_VIEWS = (Iterator, KeysView, ValuesView, ItemsView)
_FIRST_TAG = re.compile("<[a-z]++(?! data-src=)")
_BUILT_IN = (safe_range, dict, Namespace)
_INTERNALS = (type, CodeType, TracebackType, FrameType, FunctionType, GeneratorType, CoroutineType, AsyncGeneratorType)
"""Python's internals; templates need none of their attributes."""
_OPEN = (Namespace, TemplateModule)  # types that hold only what a template put there, including functions


def _add_source(drawing: Markup, caller: FrameType) -> Markup:
    """Add the line of the template that calls to the first tag of what is drawn: ``data-src``, as on its own tags."""
    tag, source = _FIRST_TAG.match(drawing), _source(caller)
    if not tag or not source:
        return drawing
    return Markup(f'{tag[0]} {SOURCE_ATTRIBUTE}="{source}"{str(drawing)[tag.end():]}')


def calling_line() -> str:
    """Return the line of the template that is calling a function, as in ``data-src``; empty if none is."""
    frame: FrameType | None = sys._getframe(1)
    while frame and not (source := _source(frame)):
        frame = frame.f_back
    return source if frame else ""


def _source(frame: FrameType) -> str:
    """Return the line of a template that a frame runs; empty for other code."""
    template, lines = frame.f_globals.get("name"), frame.f_globals.get("debug_info")
    if not isinstance(template, str) or not isinstance(lines, str):
        return ""
    return f"{template}:{template_line(lines, frame.f_lineno)}"


@lru_cache(maxsize=2_000)
def template_line(lines: str, line: int) -> int:
    """The template's line for a line of its compiled code; ``lines`` are pairs of both, ``3=17&5=21``, by Jinja2."""
    pairs = (pair.split("=") for pair in lines.split("&") if pair)
    return max((int(own) for own, code in pairs if int(code) <= line), default=1)


class SandboxGenerator(TemplateGenerator):
    """Compiles ``~`` to a call of :meth:`Sandbox.join_values`."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.join_values((")
        for value in node.nodes:
            self.visit(value, frame)
            self.write(", ")
        self.write("))")


class NotingContext(Context):
    """Notes the names that templates look up: a face that reads no card is drawn once for all of them."""

    def resolve_or_missing(self, key: str) -> Any:
        self.environment.names_read.add(key)  # type: ignore[attr-defined]
        return super().resolve_or_missing(key)


class Sandbox(Environment, ImmutableSandboxedEnvironment):
    """The environment of strangers' templates."""

    code_generator_class = SandboxGenerator
    context_class = NotingContext
    intercepted_binops = frozenset({"%"})

    def __init__(self, load: Load) -> None:
        super().__init__(load, finalize=self.print_value)
        self.filters = {name: _checked_filter(name) for name in ALLOWED_FILTERS}
        self.tests = {name: TESTS[name] for name in ALLOWED_TESTS}

    def compile(self, *args: Any, **kwargs: Any) -> Any:
        """Compile a template, which takes far longer than to draw a face; each is compiled once."""
        with own_bounds():
            return super().compile(*args, **kwargs)

    @pass_context  # keeps Jinja2 from computing and printing constants at compile time, unchecked
    def print_value(self, _: Context, value: Any) -> Any:
        """Check the value of ``{{ value }}``; return what it prints."""
        return value if type(value) is float else check_printed(value)

    def join_values(self, values: Iterable[Any]) -> str:
        """Join the operands of ``~``."""
        return markup_join(map(check_printed, values))

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may read an attribute: methods only of :data:`METHODS`, and no sets (no order)."""
        if attr.startswith("_") or isinstance(obj, _INTERNALS) or isinstance(value, set | frozenset):
            return False
        return (not callable(value) or isinstance(obj, _OPEN)
                or any(attr in allowed for kind, allowed in METHODS.items() if isinstance(obj, kind)))

    def wrap_str_format(self, value: Any) -> None:
        """Disable ``str.format``, which Jinja2 allows and which pads to any width."""

    def unsafe_undefined(self, obj: Any, attribute: str) -> Undefined:
        return self.undefined(f"'{attribute}' of {type_name(obj)} is not for templates", obj=obj, name=attribute,
                              exc=RefusedError)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(__obj, Macro):
            return __context.call(__obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)  # Jinja2 adds these two, for functions with the context
        kwargs.pop("_block_vars", None)
        if isinstance(__obj, Helper):
            result = __obj(*args, **kwargs)
            return _add_source(result, sys._getframe(1)) if isinstance(result, Markup) else result
        owner = getattr(__obj, "__self__", None)
        if owner is None and __obj not in _BUILT_IN and not isinstance(__obj, LoopContext | BlockReference):
            for value in (*args, *kwargs.values()):  # others, such as the texts, print what they are given
                check_printed(value)
        return _as_list(__context.call(__obj, *args, **kwargs))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if isinstance(left, str) and not isinstance(right, Undefined):  # % prints what a text is given
            check_format(left, *(right if isinstance(right, tuple) else right.values() if isinstance(right, dict)
                                 else (right,)))
        return self.binop_table[operator](left, right)


def _as_list(value: Any) -> Any:
    """Return a list of what can be gone through once, or only be gone through."""
    return list(value) if isinstance(value, _VIEWS) else value


def _checked_filter(name: str) -> Callable[..., Any]:
    """Return Jinja2's filter of that name. Those for texts print what they are given."""
    function, check = FILTERS[name], _CHECKS.get(name)
    lead = 1 if hasattr(function, "jinja_pass_arg") else 0  # the context or environment, which Jinja2 adds

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if name in TEXT_FILTERS:
            for value in (*args[lead:], *kwargs.values()):
                check_printed(value)
        if check and not isinstance(args[lead], Undefined):
            check(*args[lead:], **kwargs)
        return _as_list(function(*args, **kwargs))

    return checked


# --- Words of Jinja2 ---
# Python's words for errors of templates, in the words of templates: no names of types and functions of Python.

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


_PLAIN: tuple[tuple[str, Callable[[re.Match[str], str], str]], ...] = (
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
)
"""What Python and Jinja2 say, and how to say it with the code of the line."""


def _iterated(match: re.Match[str], code: str) -> str:
    kind, names = _type(match["type"] or match["bare"] or match["sized"]), set(_LOOPED.findall(code))
    return f"{names.pop()} is {kind}" if len(names) == 1 else f"{kind} stands here"


def in_plain_words(message: str, line: str) -> str:
    """Return what is wrong with a line of a template, of which Python says ``message``."""
    codes = [part for part, is_code in split_code(line) if is_code]
    for pattern, say in _PLAIN:
        if match := re.search(pattern, message):
            return say(match, " ".join(codes))
    quoted = codes[0] if len(codes) == 1 else ""
    short = quoted if len(quoted) <= MAX_QUOTED else f"{quoted[:MAX_QUOTED]}…"
    return "can't work with what it is given" + (f": {short}" if short else "")


# --- Errors of templates ---
# Errors of templates in plain words: Jinja2's, Python's and the guard's become problems with place and remedy.

FILENAME_PREFIX = "template:"  # marks the file names of compiled templates in tracebacks
MAX_MISSING_COLUMNS = 20  # columns that templates read in vain and that are reported at once
_COLUMN = re.compile(r"\bcard\.\w+(?!\w|\s*\|\s*(?:int|float)\b)")
_CARD_COLUMN = re.compile(r"\bcard\.([^\W\d]\w*+)(?!\s*\()")
_OPTIONAL_COLUMN = re.compile(r"\bcard\.(\w+)\s*(?:\|\s*d(?:efault)?\b|is\s+(?:not\s+)?(?:un)?defined\b)")
"""``card.column``, and the same where the column may be missing."""
_TEXT_AS_NUMBER = (r"not supported between instances of .*'str'|operand type.*'str'|can only concatenate str"
                   r"|can't multiply sequence|number(?: is required)?, not str|type str doesn't define"
                   r"|'str' object cannot be interpreted as an integer")
"""Python's words where a text stands in place of a number."""
_PYTHON_ERRORS = TypeError, ValueError, AttributeError, ArithmeticError, LookupError
_PYTHON_OBJECT = re.compile(r" has no (?:attribute|element) ")
"""Jinja2's words for a missing part of a value, with the name of its type."""

TOO_MUCH = {SLOW: "make its loops shorter; a loop inside a loop multiplies", LARGE: "make its texts and lists shorter"}
"""Remedies for templates that take too much time or memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """The rendering that failed."""

    name: str  # of the template
    values: Mapping[str, object]
    subject: str  # names component, face and language
    folders: Sequence[Path]  # that it was looked for in
    display: Callable[[str], str]  # writes a template's name as its path
    sheets: int = 1  # area of the face, in sheets of A4

    def describe(self, error: Exception | UnitTimeout) -> list[Problem]:
        """Describe the error that ended it; for a column that is missing, also all others that the template reads."""
        if isinstance(error, jinja2.TemplateNotFound):
            return [self._missing_template(error)]
        if isinstance(error, jinja2.TemplateSyntaxError):
            place = self.display((error.name or self.name).removeprefix(FILENAME_PREFIX))
            return [Problem(place, f"is not a valid template: {error.message}", line=error.lineno, key=self.subject)]
        problem = self._own_error(error)
        return (isinstance(error, jinja2.UndefinedError) and self._missing_columns(problem)) or [problem]

    def _missing_template(self, error: jinja2.TemplateNotFound) -> Problem:
        wanted = str(error.name)
        users = [f"asked for in {self.display(file)}:{line}" for file, line in _frames(error)]
        if is_template_name(wanted):
            where = " or ".join(display_path(folder) for folder in self.folders)
            what, remedy = f"template not found in {where}", "copy it from the shipped templates"
        else:
            what, remedy = "is not a template's name", "write a path below the templates folder, without '..'"
        return Problem(wanted, what, "; ".join([remedy, *users[-1:]]), key=self.subject)

    def _own_error(self, error: Exception | UnitTimeout) -> Problem:
        """Describe an error of the template's own code, which was being compiled or rendered."""
        places = [(self.display(file), line) for file, line in _frames(error)[-2:]]
        place, line = places[-1] if places else (self.display(self.name), 0)
        remedies = [f"called from {caller}:{number}" for caller, number in places[:-1]]
        what = str(error) or repr(error)
        if isinstance(error, jinja2.UndefinedError) and what.endswith("is undefined"):
            remedies.append(f"the template is given: {join_names(sorted(self.values))}")
        elif isinstance(error, RefusedError):
            remedies += filter(None, [error.remedy])
        elif isinstance(error, TypeError) and re.search(_TEXT_AS_NUMBER, what):
            what, advice = self._text_as_number("a text stands where a number belongs", place, line)
            remedies += advice
        elif isinstance(error, UnitTimeout) or (isinstance(error, MemoryError) and not _is_compiling(error)):
            cause = SLOW if isinstance(error, UnitTimeout) else LARGE
            what = OverrunError(cause, times=self.sheets).describe("for a face", "")
            remedies.append(TOO_MUCH[cause])
        elif isinstance(error, RecursionError | MemoryError | SyntaxError):  # the last two while compiling
            what, remedies = "is nested too deep, or calls itself without end", [Phrase("flatter")]
        elif isinstance(error, NameError) or (isinstance(error, ValueError) and not places):
            what, remedies = "has a number that is too large", ["write fewer digits"]  # Python reads it as inf, or not
        elif isinstance(error, _PYTHON_ERRORS) or _PYTHON_OBJECT.search(what):
            what = in_plain_words(what, self._source_line(place, line))
        return Problem(place, what, "; ".join(remedies), line=line, key=self.subject)

    @property
    def _row(self) -> Mapping[str, object]:
        """The row of a deck's table that the template is given as ``card``; shipped games have other values there."""
        card = self.values.get("card")
        return vars(card) if isinstance(card, SimpleNamespace) else {}

    def _missing_columns(self, problem: Problem) -> list[Problem]:
        """The problems of all columns that are missing and that the template reads; none if its line reads another."""
        from difflib import get_close_matches  # only after a mistake

        columns = sorted(self._row)
        missing: list[Problem] = []
        guesses: dict[str, str] = {}
        with suppress(InputError):
            text = read_source(Path(problem.place).parent, Path(problem.place).name).text if columns else ""
            known, line = {*columns, *_OPTIONAL_COLUMN.findall(text)}, 1
            for part, is_code in split_code(text):
                for match in _CARD_COLUMN.finditer(part) if is_code and not part.startswith("{#") else ():
                    name = match[1]
                    if name in known or (name not in guesses and len(guesses) == MAX_MISSING_COLUMNS):
                        continue
                    if name not in guesses:
                        near = get_close_matches(name, columns, n=1)
                        guesses[name] = f"did you mean card.{near[0]}? " if near else ""
                    missing.append(replace(problem, line=line + part.count("\n", 0, match.start()),
                                           what=f"there is no column for 'card.{name}'",
                                           remedy=f"{guesses[name]}columns: {join_names(columns)}"))
                line += part.count("\n")
        return list(dict.fromkeys(missing)) if problem.line in (each.line for each in missing) else []

    def _source_line(self, place: str, line: int) -> str:
        """The text of a line; empty if the file can't be read."""
        with suppress(InputError, IndexError):
            return read_source(Path(place).parent, Path(place).name).text.split("\n")[line - 1]
        return ""

    def _text_as_number(self, what: str, place: str, line: int) -> tuple[str, list[str]]:
        """The problem of a text in place of a number, and how to make a number of the column that the line reads."""
        columns = _COLUMN.findall(self._source_line(place, line))
        column = next(iter(columns), "card.column")
        for each in columns:
            if self._row.get(each.removeprefix("card.")) == "":
                return f"'{each}' is empty where a number belongs", [f'fill the cell, or ask: {{% if {each} != "" %}}']
        return what, [f"a column with a text in any cell holds texts: correct it, or write {column} | int, or | float"]


def _is_compiling(error: BaseException) -> bool:
    return any(frame.f_code.co_name == "compile" for frame, _ in traceback.walk_tb(error.__traceback__))


def _frames(error: BaseException) -> list[tuple[str, int]]:
    """The templates in an error's traceback, each with its line, the innermost last."""
    return [(frame.f_code.co_filename.removeprefix(FILENAME_PREFIX),
             template_line(lines, line or 0) if (lines := frame.f_globals.get("debug_info")) else line)
            for frame, line in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename.startswith(FILENAME_PREFIX) and frame.f_code.co_name != "render"]
