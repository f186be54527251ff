"""Turns SVG templates and values into SVG text: the home of Jinja2.

Every tag that a template writes is marked with the template's name and line (``data-src``), so that
the check of the drawn SVG can say where a mistake stands. The environment is sandboxed, undefined
names are errors, and templates are read from the given folders only.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from ppgen.errors import InputError, Problem, listed, shown_path
from ppgen.reading import read_source

_JINJA = re.compile(r"(\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})", re.DOTALL)
_TAG = re.compile(r"<([A-Za-z][\w:.-]*)")


@dataclass(frozen=True)
class TemplateSet:
    """The templates of one or more folders; the first folder that has a template wins.

    ``helpers`` are functions whose text the templates print as markup (``{{ text(…) }}``).
    """

    folders: Sequence[Path]
    helpers: Mapping[str, Callable[..., str]]

    @cached_property
    def _environment(self) -> jinja2.Environment:
        environment = ImmutableSandboxedEnvironment(
            loader=jinja2.FunctionLoader(self._load), undefined=jinja2.StrictUndefined, autoescape=True,
            trim_blocks=True, lstrip_blocks=True, auto_reload=False,
            optimized=False)  # each template is compiled once a run: the optimizer costs more than it saves
        environment.globals.update({name: _marked(helper) for name, helper in self.helpers.items()})
        return environment

    def render(self, name: str, values: Mapping[str, object], subject: str) -> str:
        """The SVG text of one template; ``subject`` says in messages what was being drawn.

        Raises InputError with the template's line: not found, bad syntax, undefined name, or
        anything that the template's own code does wrong.
        """
        try:
            return self._environment.get_template(name).render(values)
        except jinja2.TemplateNotFound as error:
            where = " or ".join(shown_path(folder) for folder in self.folders)
            problem = Problem(place=str(error.name), key=subject, what=f"template not found in {where}",
                              remedy="copy it from the shipped templates")
        except jinja2.TemplateSyntaxError as error:
            problem = Problem(place=self._shown(error.name or name), line=error.lineno, key=subject,
                              what=f"is not a valid template: {error.message}")
        except InputError:
            raise
        except Exception as error:  # whatever a stranger's template does wrong is its mistake, not a bug
            frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.name != "render"
                      and frame.filename.startswith(_MARK)]
            places = [self.place(f"{frame.filename.removeprefix(_MARK)}:{frame.lineno}") for frame in frames]
            (place, line), callers = (places[-1], places[:-1]) if places else ((self._shown(name), 0), [])
            remedies = [f"called from {caller}:{number}" for caller, number in callers[-1:]]
            if isinstance(error, jinja2.UndefinedError):
                remedies.append(f"the template is given: {listed(sorted(values))}")
            problem = Problem(place=place, line=line, key=subject, what=str(error) or repr(error),
                              remedy="; ".join(remedies))
        raise InputError([problem])

    def _shown(self, name: str) -> str:
        folder = next((folder for folder in self.folders if (folder / name).is_file()), None)
        return shown_path(folder / name) if folder else name

    def place(self, mark: str) -> tuple[str, int]:
        """The file and line of a ``data-src`` mark."""
        name, _, line = mark.rpartition(":")
        return self._shown(name), int(line or 0)

    def _load(self, name: str) -> tuple[str, str, None] | None:
        for folder in self.folders:
            if (folder / name).is_file():
                return _with_marks(read_source(folder, name).text, name), _MARK + name, None
        return None


_MARK = "template:"


def _marked(helper: Callable[..., str]) -> Callable[..., Markup]:
    return lambda *args, **kwargs: Markup(helper(*args, **kwargs))


def _with_marks(source: str, name: str) -> str:
    """The template with ``data-src="name:line"`` in each tag that it writes."""
    line, parts = 1, []
    for part in _JINJA.split(source):
        if _JINJA.fullmatch(part):
            parts.append(part)
        else:
            start, first = 0, line
            for tag in _TAG.finditer(part):
                at = first + part.count("\n", 0, tag.start())
                parts.append(part[start:tag.end()] + f' data-src="{name}:{at}"')
                start = tag.end()
            parts.append(part[start:])
        line += part.count("\n")
    return "".join(parts)
