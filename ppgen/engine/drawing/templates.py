"""Turns SVG templates and values into SVG text: the home of Jinja2.

Every tag that a template writes is marked with the template's name and line (``data-src``), so that
the check of the drawn SVG can say where a mistake stands. Undefined names are errors, templates are read
from the given folders only, and what those of strangers may do is bounded: see :mod:`ppgen.engine.guard.sandbox`.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ppgen.cache.store import digest_of
from ppgen.engine.drawing.marking import with_marks
from ppgen.errors import InputError, Problem, listed, shown_path
from ppgen.reading.fields import read_source

if TYPE_CHECKING:
    import jinja2

    from ppgen.engine.guard.environment import Environment

MAX_CHARACTERS = 1_000_000
"""Characters of a template."""
MAX_CODE, MAX_ALL_CODE = 40_000, 200_000
"""Characters between Jinja2's braces in a template and in all of a set: 40,000 take two seconds to compile."""
MAX_SVG = 4_000_000
"""Characters of a face's SVG; 20,000 elements with all their attributes take about as many."""
MAX_NAME = 200
"""Characters of a template's name."""

_NAME = re.compile(r"(?:[\w-][\w. -]*/)*[\w-][\w. -]*")
"""A template's name: folders and a file, none of them hidden, none of them ``..``."""
_MARKED = re.compile(rf"({_NAME.pattern}):(\d{{1,9}})")


@dataclass(frozen=True)
class TemplateSet:
    """The templates of one or more folders; the first folder that has a template wins.

    ``helpers`` are functions whose text the templates print as markup (``{{ text(…) }}``). Templates named
    ``shared/…`` that none of the folders has are taken from the ``shipped`` folder.
    """

    folders: Sequence[Path]
    helpers: Mapping[str, Callable[..., str]]
    shipped: Path | None = None
    _one_at_a_time: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)
    """Steps are counted for one template at a time; a preview draws in several threads."""

    @cached_property
    def are_ours(self) -> bool:
        """Whether all templates lie in the shipped folder, wherever links lead: those are trusted, no others.

        A stranger's folder makes all of the set strange: a shipped macro does what a stranger's template asks of it.
        """
        home = self.shipped.resolve() if self.shipped else None
        return home is not None and all(folder.resolve().is_relative_to(home) for folder in self.folders)

    @cached_property
    def digest(self) -> str | None:
        """The digest of all templates that may be asked for; None where nothing is kept, or it can't be told."""
        folders = [*self.folders, *((self.shipped / SHARED,) if self.shipped else ())]
        digests = [digest_of(folder) for folder in folders]
        return "-".join(digest for digest in digests if digest) if all(digests) else None

    @cached_property
    def _environment(self) -> Environment:
        if self.are_ours:
            from ppgen.engine.guard.environment import Environment

            return Environment(self._load, self.helpers)
        from ppgen.engine.guard.sandbox import Sandbox

        return Sandbox(self._load, self.helpers)

    @cached_property
    def _spent(self) -> dict[str, Problem]:
        """Templates that have spent their steps, and where: they would do it again on each of a thousand cards."""
        return {}

    def render(self, name: str, values: Mapping[str, object], subject: str, sheets: float = 1.0) -> str:
        """The SVG text of one template; ``subject`` says in messages what was being drawn.

        A face as large as several ``sheets`` of A4 may take so many times more work.

        Raises InputError with the template's line: not found, bad syntax, undefined name, more work than is
        allowed, or anything that the template's own code does wrong.
        """
        import jinja2  # faces that an earlier run drew need none of it

        from ppgen.engine.guard.payment import OverrunError

        with self._one_at_a_time:
            if name in self._spent:
                raise InputError([replace(self._spent[name], key=subject)])
            try:
                return self._filled_in(name, values, sheets)
            except jinja2.TemplateNotFound as error:
                problem = self._not_found(error, subject)
            except jinja2.TemplateSyntaxError as error:
                problem = Problem(place=self._shown((error.name or name).removeprefix(_MARK)), line=error.lineno,
                                  key=subject, what=f"is not a valid template: {error.message}")
            except InputError:
                raise
            except Exception as error:  # whatever a stranger's template does wrong is its mistake, not a bug
                problem = self._problem(error, name, values, subject)
                if isinstance(error, OverrunError):
                    self._spent[name] = problem
        raise InputError([problem])

    def module(self, name: str) -> tuple[str, str]:
        """The name and text of the Python module that a shipped template is compiled to."""
        from ppgen.engine.guard.environment import module_of

        loaded = self._load(name)
        assert self.are_ours and loaded
        source, filename, _ = loaded
        return module_of(name, source), self._environment.compile(source, name, filename, raw=True)

    def _filled_in(self, name: str, values: Mapping[str, object], sheets: float) -> str:
        from ppgen.engine.guard.prices import RefusedError

        pieces, length = [], 0
        most = int(MAX_SVG * sheets)
        self._environment.payment.begin(sheets)
        for piece in self._environment.get_template(name).generate(values):
            pieces.append(piece)
            length += len(piece)
            if length > most:
                raise RefusedError(f"the face takes more than {most:,} characters of SVG", "draw less on it")
        return "".join(pieces)

    def _not_found(self, error: jinja2.TemplateNotFound, subject: str) -> Problem:
        wanted, asking = str(error.name), [f"asked for in {self._shown(file)}:{line}" for file, line in _frames(error)]
        if _is_name(wanted):
            where = " or ".join(shown_path(folder) for folder in self.folders)
            what, remedy = f"template not found in {where}", "copy it from the shipped templates"
        else:
            what, remedy = "is not a template's name", "write a path below the templates folder, without '..'"
        return Problem(place=wanted, key=subject, what=what, remedy="; ".join([remedy, *asking[-1:]]))

    def _problem(self, error: Exception, name: str, values: Mapping[str, object], subject: str) -> Problem:
        """What a template did wrong while it was compiled or filled in, and where."""
        import jinja2

        from ppgen.engine.guard.prices import RefusedError

        places = [(self._shown(file), line) for file, line in _frames(error)[-2:]]
        place, line = places[-1] if places else (self._shown(name), 0)
        remedies = [f"called from {caller}:{number}" for caller, number in places[:-1]]
        what = str(error) or repr(error)
        if isinstance(error, jinja2.UndefinedError) and what.endswith("is undefined"):
            remedies.append(f"the template is given: {listed(sorted(values))}")
        elif isinstance(error, RefusedError):
            remedies += filter(None, [error.remedy])
        elif isinstance(error, RecursionError | MemoryError | SyntaxError):  # the last two come of compiling
            what, remedies = "is nested too deep, or calls itself without end", ["make it flatter"]
        elif isinstance(error, NameError) or (isinstance(error, ValueError) and not places):
            what, remedies = "has a number that is too large", ["write fewer digits"]  # Python knows it as inf, or not
        return Problem(place=place, line=line, key=subject, what=what, remedy="; ".join(remedies))

    def _shown(self, name: str) -> str:
        folder = self._home(name)
        return shown_path(folder / name.removeprefix(UNDER)) if folder else name

    def _home(self, name: str) -> Path | None:
        """The folder that a template is taken from; None too for a name that leads out of the folders."""
        if not _is_name(name):
            return None
        plain = name.removeprefix(UNDER)
        folders = self.folders if plain == name else self.folders[1:]
        more = (self.shipped,) if self.shipped and plain.startswith(SHARED) else ()
        return next((folder for folder in (*folders, *more) if (folder / plain).is_file()), None)

    def place(self, mark: str) -> tuple[str, int]:
        """The file and line of a ``data-src`` mark; marks may be a template's own invention."""
        if match := _MARKED.fullmatch(mark):
            return self._shown(match[1]), int(match[2])
        return mark.rpartition(":")[0] or mark, 0

    def _load(self, name: str) -> tuple[str, str, None] | None:
        from ppgen.engine.guard.prices import RefusedError

        if not (folder := self._home(name)):
            self._environment.payment.charge(2_000)  # templates may try names until one is there
            return None
        text = read_source(folder, name.removeprefix(UNDER)).text
        if len(text) > MAX_CHARACTERS:
            raise RefusedError(f"the template has more than {MAX_CHARACTERS:,} characters", "make it shorter")
        marked, code = with_marks(text, name)
        self._environment.code += code
        if not self.are_ours and (code > MAX_CODE or self._environment.code > MAX_ALL_CODE):
            limit = f"{MAX_CODE:,}" if code > MAX_CODE else f"{MAX_ALL_CODE:,} characters with all that it uses, or"
            raise RefusedError(f"the template has more than {limit} characters between braces", "make it shorter")
        return marked, _MARK + name, None


_MARK = "template:"
SHARED = "shared/"
"""Templates that no game owns: the calibration page, edges, ornament of booklets."""
UNDER = "under/"
"""Before a template's name: the one that a skin's own covers, in the folders after the first."""


def _is_name(name: str) -> bool:
    return len(name) <= MAX_NAME and bool(_NAME.fullmatch(name))


def _frames(error: Exception) -> list[tuple[str, int]]:
    """The templates that were being filled in when something went wrong, each with its line, the innermost last."""
    return [(frame.f_code.co_filename.removeprefix(_MARK), line)
            for frame, line in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename.startswith(_MARK) and frame.f_code.co_name != "render"]
