"""Turns shipped templates into text: what all environments of templates have in common, and no meter.

Shipped templates are ours, so nobody counts their steps. What they are filled with may be a stranger's, but is bounded
where it is read; and the functions that set it in type are paid for here as anywhere.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
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

from ppgen.assets import shipped
from ppgen.cache.marks import mark_of
from ppgen.cache.store import store
from ppgen.engine.guard.payment import NUMBERS, Payment
from ppgen.engine.guard.prices import PRICES, Helper
from ppgen.errors import listed

MAX_LISTED = 30
"""The most names that a message lists."""
INSTALLED = "compiled"
"""The folder beside the shipped data and templates with what these were compiled to when they were installed."""
OPTIONS: dict[str, Any] = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True, "optimized": False}
"""How templates are compiled. What compiles them in a run would lose more by optimizing than it saves."""

Load = Callable[[str], tuple[str, str, None] | None]


class Loader(jinja2.FunctionLoader):
    """Loads templates, and doesn't try again to compile what can't be: that would take seconds for every card."""

    def __init__(self, load: Load) -> None:
        super().__init__(load)
        self._unusable: dict[str, Exception] = {}

    def load(self, environment: jinja2.Environment, name: str,
             globals: MutableMapping[str, Any] | None = None) -> jinja2.Template:
        if name in self._unusable:
            raise self._unusable[name].with_traceback(None)
        try:
            return super().load(environment, name, globals)
        except jinja2.TemplateNotFound:
            raise
        except Exception as error:
            self._unusable[name] = error
            raise


def module_of(name: str, source: str) -> str:
    """The file that a shipped template is compiled to when it is installed: another if it, Jinja2 or how that compiles
    it is another, so that what was compiled of another is never found."""
    whole = blake2b(digest_size=20)
    whole.update(f"{jinja2.__version__} {Writer.__name__} {sorted(OPTIONS.items())} {name}\n{source}".encode())
    return f"t{whole.hexdigest()}.py"


class Compiled(jinja2.BytecodeCache):
    """Keeps what was compiled of each template in memory, for whoever opens the same ones again: the preview. What was
    compiled of shipped ones was installed with them; or it is kept between runs, too, in a folder of the user's own.

    What was compiled for one kind of environment is never run in another: that of a stranger has the meter in it.
    """

    kept: ClassVar[dict[tuple[str, str], tuple[str, CodeType]]] = {}
    """By the environment's kind and the template's name: the mark of its text, and the code."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def get_bucket(self, environment: jinja2.Environment, name: str, filename: str | None, source: str) -> Bucket:
        bucket = super().get_bucket(environment, name, filename, source)
        if bucket.code is None and self._kind == Environment.__name__:
            module = module_of(name, source)
            with suppress(OSError, ImportError, EOFError, SyntaxError, ValueError):  # none installed, or a torn one
                code = SourceFileLoader(module[:-3], str(shipped() / INSTALLED / module)).get_code(module[:-3])
                bucket.code = code.replace(co_filename=filename) if code and filename else None  # as messages name it
        return bucket

    def load_bytecode(self, bucket: Bucket) -> None:
        mark, code = self.kept.get((self._kind, bucket.key), ("", None))
        bucket.code = code if mark == bucket.checksum else None
        if bucket.code is None and (opened := store()) and (own := self._mark(bucket)):
            with suppress(EOFError, ValueError, TypeError):
                if kept := opened.find(own):
                    bucket.code = marshal.loads(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self.kept[self._kind, bucket.key] = bucket.checksum, bucket.code
            if (opened := store()) and (mark := self._mark(bucket)):
                with suppress(ValueError):  # Jinja2 may work out a piece of markup beforehand, which can't be kept
                    opened.keep(mark, marshal.dumps(bucket.code))

    def _mark(self, bucket: Bucket) -> str | None:
        """What the code of a shipped template is kept under between runs; that of strangers' templates is not."""
        return mark_of("template", bucket.key, bucket.checksum) if self._kind == Environment.__name__ else None


class Missing(jinja2.StrictUndefined):
    """What a template asked for and does not get: its message lists what there is."""

    __slots__ = ()

    def __init__(self, hint: str | None = None, obj: Any = jinja2.utils.missing, name: str | None = None,
                 exc: type[jinja2.TemplateRuntimeError] = jinja2.UndefinedError) -> None:
        entries = vars(obj) if type(obj) is SimpleNamespace else obj
        if hint is None and type(entries) is dict:
            known = sorted(key for key in entries if isinstance(key, str))[:MAX_LISTED]
            hint = f"'{name}' is not one of {listed(known)}" if known else f"'{name}' is asked of what is empty"
        super().__init__(hint, obj, name, exc)


class Writer(CodeGenerator):
    """Compiles what a template prints to :func:`written`."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        # There is no public way: what ``finalize`` or a filter gives is looked through for what to escape all the same.
        # Jinja2's own NativeCodeGenerator overrides this method, too.
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write(f"environment.written({finalize.src or ''}")


def written(value: Any) -> str:
    """A value as it stands in SVG: in numbers and markup, most of all values, is nothing to escape."""
    kind = type(value)
    return str(value) if kind in NUMBERS else value if kind is Markup else escape(value)


class Environment(jinja2.Environment):
    """The environment in which shipped templates are filled in. ``payment.begin()`` gives the next one its steps."""

    code_generator_class = Writer
    written = staticmethod(written)

    def __init__(self, load: Load, helpers: Mapping[str, Callable[..., str]], **more: Any) -> None:
        super().__init__(
            loader=Loader(load), bytecode_cache=Compiled(type(self).__name__), undefined=Missing, auto_reload=False,
            cache_size=-1, **OPTIONS, **more)
        self.payment = Payment()
        self.code = 0
        """Characters of code that were compiled so far, in all templates."""
        self.globals = {"range": safe_range, "dict": dict, "namespace": Namespace}
        self.globals.update((name, Helper(name, work, PRICES.get(name, lambda given: 100), self.payment.for_helper))
                            for name, work in helpers.items())

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What a template sees beside its values: each the same, so that none is imported anew for another."""
        return self.globals
