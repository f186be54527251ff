"""Environment of shipped templates: loading, compilation, the cache of compiled code, and output. No sandbox.

Shipped templates are trusted. Their values may come from a stranger's data, which is limited when it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from importlib.machinery import SourceFileLoader
from types import CodeType, SimpleNamespace
from typing import Any, ClassVar

import jinja2
from jinja2 import nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.sandbox import safe_range
from jinja2.utils import Namespace
from markupsafe import Markup, escape

from ppgen.engine.guard.refusals import NUMBERS, Helper, is_record
from ppgen.errors import join_names
from ppgen.shipped import shipped_root

MAX_LISTED = 30
"""Names listed in a message."""
INSTALLED = "compiled"
"""The folder, next to the shipped data and templates, of the modules that these were compiled to at installation."""
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
    if kind is float:
        return str(round(value, DECIMALS) + 0.0)
    return str(value) if kind in NUMBERS else value if kind is Markup else escape(value)


class Environment(jinja2.Environment):
    """The environment of shipped templates.

    ``face_functions`` are those of the face being drawn, by name (:meth:`bind`). A macro that another template imports
    keeps the functions that it first saw, so these look up the face's.
    """

    code_generator_class = TemplateGenerator
    escape_value = staticmethod(escape_value)

    def __init__(self, load: Load, helpers: Mapping[str, Callable[..., Any]], **more: Any) -> None:
        super().__init__(
            loader=Loader(load), bytecode_cache=CompiledCache(type(self).__name__), undefined=MissingValue,
            auto_reload=False, cache_size=-1, **OPTIONS, **more)
        self.globals = {"range": safe_range, "dict": dict, "namespace": Namespace}
        self.globals |= {name: Helper(name, function) for name, function in helpers.items()}
        self.face_functions: Mapping[str, Callable[..., Any]] = {}
        self.names_read: set[str] = set()

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
