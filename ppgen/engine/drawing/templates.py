"""Template sets: SVG text from templates and values, and the compilation of shipped templates at installation.

Every tag that a template writes gets the template's name and line (``data-src``) for the messages of the SVG check.
Undefined names are errors, templates are read from the given folders only, and the work of strangers' templates is
limited: see :mod:`ppgen.engine.guard.sandbox`.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from ppgen.assets import SKINS
from ppgen.cache import cache_key, folder_digest
from ppgen.engine.svg_subset import SOURCE_ATTRIBUTE
from ppgen.errors import InputError, Problem, display_path, join_names
from ppgen.reading.fields import read_source

if TYPE_CHECKING:
    import jinja2

    from ppgen.engine.guard.template_environment import Environment

MAX_CHARACTERS = 1_000_000
"""Characters of a template."""
MAX_CODE, MAX_ALL_CODE = 40_000, 300_000
"""Characters between Jinja2's braces in a template and in all of a set: 40,000 take two seconds to compile. Quoted ones
count a tenth."""
MAX_SVG = 4_000_000
"""Characters of a face's SVG; 20,000 elements with all their attributes have about as many."""
MAX_NAME = 200
"""Characters of a template's name."""
MAX_SEARCHED = 20_000
"""Files of a folder that are searched for names that templates read."""
MAX_MISSING_COLUMNS = 20
"""Columns that templates read in vain and that are reported at once."""
SUFFIXES = (".j2", ".jinja", ".jinja2", ".svg")
"""Suffixes of templates."""
SHARED = "shared/"
"""Folder of templates that no game owns: the calibration page, edges, ornament of booklets."""
UNDER = "under/"
"""Prefix for the template that a skin's own template covers: it is looked up in the folders after the first."""

_NAME = re.compile(r"(?:[\w-][\w. -]*/)*[\w-][\w. -]*")
"""A template's name: folders and a file, none of them hidden, none of them ``..``."""
_SOURCE = re.compile(rf"({_NAME.pattern}):(\d{{1,9}})")
_ROOT = re.compile(rf"\s*<svg {SOURCE_ATTRIBUTE}=")
"""The root that a template writes itself; a function that draws an ``<svg>`` writes no line."""
_FILENAME_PREFIX = "template:"
"""Marks the file names of compiled templates in tracebacks."""
_OPENING, _CLOSING = re.compile(r"\{[{%#]"), {"{{": "}}", "{%": "%}", "{#": "#}"}
_TAG = re.compile(r"<([A-Za-z][\w:.-]*)")
_READ_NAME = re.compile(r"""\.\s*([^\W\d]\w*+)(?!\s*\()|\[\s*["']([^"']+)["']\s*\]|\battribute\s*=\s*["'](\w+)["']""")
"""What reads an attribute or an entry by its name; methods are called."""
_COMPUTED_NAME = re.compile(r"""\bcard\s*\[(?!\s*["'][^"']*["']\s*\])""")
"""``card[…]`` with anything but a name in quotes."""
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|' r"'[^'\\]*+(?:\\.[^'\\]*+)*+'", re.DOTALL)
_QUOTED = re.compile(r"""["'](\w+)["']""")
_QUOTED_NAME = re.compile(rf"""["']({_NAME.pattern})["']""")
_COPY = re.compile(r"""(?<![\w.'"])copy\b(?!\s*[=('"])""")
"""The variable ``copy``, and neither an attribute nor an argument of that name."""
_COLUMN = re.compile(r"\bcard\.\w+(?!\w|\s*\|\s*(?:int|float)\b)")
_CARD_COLUMN = re.compile(r"\bcard\.([^\W\d]\w*+)(?!\s*\()")
_OPTIONAL_COLUMN = re.compile(r"\bcard\.(\w+)\s*(?:\|\s*d(?:efault)?\b|is\s+(?:not\s+)?(?:un)?defined\b)")
"""``card.column``, and the same where the column may be missing."""
_TEXT_AS_NUMBER = re.compile(r"not supported between instances of .*'str'|operand type.*'str'|can only concatenate str"
                             r"|can't multiply sequence|number(?: is required)?, not str|type str doesn't define"
                             r"|'str' object cannot be interpreted as an integer")
"""Python's words where a text stands in place of a number."""


def add_line_markers(source: str, name: str) -> tuple[str, int]:
    """Add ``data-src="name:line"`` to each tag that a template writes; also return its number of code characters."""
    line, code, parts = 1, 0, []
    for part, is_code in _split(source):
        if is_code:
            parts.append(part)
            code += 0 if part.startswith("{#") else _code_length(part)
            line += part.count("\n")
            continue
        start = 0
        for tag in _TAG.finditer(part):
            line += part.count("\n", start, tag.end())
            parts.append(part[start:tag.end()] + f' {SOURCE_ATTRIBUTE}="{name}:{line}"')
            start = tag.end()
        parts.append(part[start:])
        line += part.count("\n", start)
    return "".join(parts), code


def _code_length(block: str) -> int:
    """Return the number of characters of a block; what is quoted, such as path data, compiles ten times as fast."""
    quoted = sum(len(each[0]) for each in _STRING.finditer(block))
    return len(block) - quoted + quoted // 10


def _split(source: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a template, and whether each is code between braces."""
    start, at, unclosed = 0, 0, set[str]()
    while opening := _OPENING.search(source, at):
        closing = _CLOSING[opening[0]]
        end = -1 if closing in unclosed else source.find(closing, opening.end())
        if end < 0:
            unclosed.add(closing)  # nor is a later one: searching for each would take quadratic time
            at = opening.start() + 1
            continue
        yield source[start:opening.start()], False
        yield source[opening.start():end + 2], True
        start = at = end + 2
    yield source[start:], False


@dataclass(frozen=True, slots=True)
class NamesRead:
    """Names of the attributes and entries that templates read.

    ``complete`` is False where a template computes the name of a column (``card["power_" ~ n]``), or where there are
    too many templates to search; then a column that is not among the names may be read all the same. With ``copy``
    they read the number of the copy that is drawn.
    """

    names: frozenset[str] = frozenset()
    complete: bool = True
    copy: bool = False


UNKNOWN_NAMES = NamesRead(complete=False)


def find_names_read(templates: Path, only: Iterable[str] = (), made: Mapping[str, str] | None = None) -> NamesRead:
    """Search all templates below a folder for the names that they read, whatever they read them from.

    With ``only``, search these templates and those that they name in quotes; ``made`` are texts of templates that are
    not files. The text of the templates is searched, so that names in branches that are not taken count, too, and faces
    from the cache need not remember what they read.
    """
    names: set[str] = set()
    quoted: set[str] = set()
    todo = list(only)
    if not todo:
        files = list(islice(templates.rglob("[!.]*"), MAX_SEARCHED))
        todo = [path.relative_to(templates).as_posix() for path in files if path.suffix.lower() in SUFFIXES]
    searched, computed, copy = set[str](), not only and len(files) == MAX_SEARCHED, False
    while todo:
        name = todo.pop()
        if name in searched:
            continue
        searched.add(name)
        with suppress(InputError):  # reported when it is drawn
            for code, is_code in _split((made or {}).get(name) or read_source(templates, name).text):
                if is_code and not code.startswith("{#"):
                    names.update(filter(None, chain.from_iterable(_READ_NAME.findall(code))))
                    quoted.update(_QUOTED.findall(code))
                    computed = computed or bool(_COMPUTED_NAME.search(code))
                    copy = copy or bool(_COPY.search(code))
                    todo += [other for other in set(_QUOTED_NAME.findall(code)) - searched
                             if only and other.lower().endswith(SUFFIXES)]
    if computed:
        names |= quoted
    return NamesRead(frozenset(names), not computed, copy)


def _add_root(svg: str, values: Mapping[str, object]) -> str:
    """Put ``<svg>`` around what a template drew, unless it did so itself; a function's drawing is not its root."""
    if _ROOT.match(svg):
        return svg
    view_box = getattr(values.get("face"), "view_box", "")
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box}">{svg}</svg>'


@dataclass(frozen=True)
class TemplateSet:
    """The templates of one or more folders; the first folder that has a template wins.

    ``helpers`` are functions whose results the templates print as markup (``{{ text(…) }}``). Templates named
    ``shared/…`` that are in none of the folders are taken from the ``shipped`` folder.

    A template that may call functions of its face needs no ``<svg>`` around it. Where templates lie among other files,
    ``suffixes`` are those of templates.
    ``made`` are the texts of templates in place of drawings and pictures, by their names.
    """

    folders: Sequence[Path]
    helpers: Mapping[str, Callable[..., str]]
    shipped: Path | None = None
    suffixes: tuple[str, ...] = ()
    made: Mapping[str, str] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)
    """Steps are counted for one template at a time, and a preview draws in several threads."""

    @cached_property
    def are_ours(self) -> bool:
        """Whether all templates lie in the shipped folder, links resolved: only those are trusted.

        One foreign folder makes the whole set foreign: a shipped macro does what a stranger's template asks it to.
        """
        home = self.shipped.resolve() if self.shipped else None
        return home is not None and all(folder.resolve().is_relative_to(home) for folder in self.folders)

    @cached_property
    def digest(self) -> str | None:
        """The digest of all templates that may be loaded; None without a cache, or if a folder can't be read."""
        digests = [*(folder_digest(folder, self.suffixes) for folder in self.folders),
                   *((folder_digest(self.shipped / SHARED),) if self.shipped else ()),
                   *((cache_key("made templates", self.made),) if self.made else ())]
        return "-".join(digest for digest in digests if digest) if all(digests) else None

    def texts(self) -> Mapping[str, bytes]:
        """The files that may be templates, and the made ones, by name. Raises OSError for a file that can't be read."""
        texts: dict[str, bytes] = {}
        for folder in reversed(self.folders):
            texts |= {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
                      if (not self.suffixes or path.suffix.lower() in self.suffixes) and path.is_file()}
        return texts | {name: text.encode() for name, text in self.made.items()}

    @cached_property
    def _environment(self) -> Environment:
        if self.are_ours:
            from ppgen.engine.guard.template_environment import Environment

            return Environment(self._load, self.helpers)
        from ppgen.engine.guard.sandbox import Sandbox

        return Sandbox(self._load, self.helpers)

    @cached_property
    def _exhausted(self) -> dict[str, Problem]:
        """Templates that have used up their steps, and where: they would again on each of a thousand cards."""
        return {}

    def render(self, name: str, values: Mapping[str, object], subject: str, sheets: float = 1.0,
               functions: Mapping[str, Callable[..., Any]] | None = None) -> str:
        """Render one template to SVG text; ``subject`` tells in messages what was being drawn.

        The limits of work grow with the size of the face in ``sheets`` of A4. ``functions`` are those of the face.

        Raises InputError with the template's line: not found, bad syntax, undefined name, too much work, or any
        error of the template's own code.
        """
        import jinja2  # cached faces don't need it

        from ppgen.engine.guard.metering import QuotaError

        with self._lock:
            if name in self._exhausted:
                raise InputError([replace(self._exhausted[name], key=subject)])
            try:
                self._environment.bind(functions or {})
                svg = self._generate(name, values, sheets)
                return _add_root(svg, values) if functions else svg
            except jinja2.TemplateNotFound as error:
                problem = self._missing_problem(error, subject)
            except jinja2.TemplateSyntaxError as error:
                place = self._display((error.name or name).removeprefix(_FILENAME_PREFIX))
                problem = Problem(place=place, line=error.lineno, key=subject,
                                  what=f"is not a valid template: {error.message}")
            except InputError:
                raise
            except Exception as error:  # any error of a stranger's template is that template's, not a bug of ppgen
                problem = self._error_problem(error, name, values, subject)
                if isinstance(error, jinja2.UndefinedError) and (missing := self._missing_columns(problem, values)):
                    raise InputError(missing) from None
                if isinstance(error, QuotaError):
                    self._exhausted[name] = problem
        raise InputError([problem])

    def compile_module(self, name: str) -> tuple[str, str]:
        """Compile a shipped template to a Python module; return its file name and text."""
        from ppgen.engine.guard.template_environment import module_name

        loaded = self._load(name)
        assert self.are_ours and loaded
        source, filename, _ = loaded
        return module_name(name, source), self._environment.compile(source, name, filename, raw=True)

    def _generate(self, name: str, values: Mapping[str, object], sheets: float) -> str:
        from ppgen.engine.guard.metering import RefusedError

        pieces, length = [], 0
        limit = int(MAX_SVG * sheets)
        self._environment.meter.begin(sheets)
        for piece in self._environment.get_template(name).generate(values):
            pieces.append(piece)
            length += len(piece)
            if length > limit:
                raise RefusedError(f"the face takes more than {limit:,} characters of SVG", "draw less on it")
        return "".join(pieces)

    def _missing_problem(self, error: jinja2.TemplateNotFound, subject: str) -> Problem:
        wanted = str(error.name)
        users = [f"asked for in {self._display(file)}:{line}" for file, line in _frames(error)]
        if _is_template_name(wanted):
            where = " or ".join(display_path(folder) for folder in self.folders)
            what, remedy = f"template not found in {where}", "copy it from the shipped templates"
        else:
            what, remedy = "is not a template's name", "write a path below the templates folder, without '..'"
        return Problem(place=wanted, key=subject, what=what, remedy="; ".join([remedy, *users[-1:]]))

    def _error_problem(self, error: Exception, name: str, values: Mapping[str, object], subject: str) -> Problem:
        """Describe an error of a template that was being compiled or rendered, with its place."""
        import jinja2

        from ppgen.engine.guard.metering import RefusedError

        places = [(self._display(file), line) for file, line in _frames(error)[-2:]]
        place, line = places[-1] if places else (self._display(name), 0)
        remedies = [f"called from {caller}:{number}" for caller, number in places[:-1]]
        what = str(error) or repr(error)
        if isinstance(error, jinja2.UndefinedError) and what.endswith("is undefined"):
            remedies.append(f"the template is given: {join_names(sorted(values))}")
        elif isinstance(error, RefusedError):
            remedies += filter(None, [error.remedy])
            if "a text and a number" in what or "a number and a text" in what:
                what, remedies = self._number_problem(what, place, line, values)
        elif isinstance(error, TypeError) and _TEXT_AS_NUMBER.search(what):
            what, advice = self._number_problem("a text stands where a number belongs", place, line, values)
            remedies += advice
        elif isinstance(error, RecursionError | MemoryError | SyntaxError):  # the last two while compiling
            what, remedies = "is nested too deep, or calls itself without end", ["make it flatter"]
        elif isinstance(error, NameError) or (isinstance(error, ValueError) and not places):
            what, remedies = "has a number that is too large", ["write fewer digits"]  # Python reads it as inf, or not
        return Problem(place=place, line=line, key=subject, what=what, remedy="; ".join(remedies))

    def _missing_columns(self, problem: Problem, values: Mapping[str, object]) -> list[Problem]:
        """The problem of a missing column, and those of all others that the same template reads."""
        columns = sorted(getattr(values.get("card"), "__dict__", ()))
        missing: list[Problem] = []
        guesses: dict[str, str] = {}
        with suppress(InputError):
            text = read_source(Path(problem.place).parent, Path(problem.place).name).text if columns else ""
            known, line = {*columns, *_OPTIONAL_COLUMN.findall(text)}, 1
            for part, is_code in _split(text):
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

    def _number_problem(self, what: str, place: str, line: int, values: Mapping[str, object]) -> tuple[str, list[str]]:
        """The problem of a text in place of a number, and how to make a number of the column that the line reads."""
        columns = []
        with suppress(InputError, IndexError):
            text = read_source(Path(place).parent, Path(place).name).text
            columns = _COLUMN.findall(text.split("\n")[line - 1])
        column = next(iter(columns), "card.column")
        for each in columns:
            if getattr(values.get("card"), each.removeprefix("card."), None) == "":
                return f"'{each}' is empty where a number belongs", [f'fill the cell, or ask: {{% if {each} != "" %}}']
        return what, [f"a column with a text in any cell holds texts: correct it, or write {column} | int, or | float"]

    def _display(self, name: str) -> str:
        folder = self._find_folder(name)
        return display_path(folder / name.removeprefix(UNDER)) if folder else name

    def _find_folder(self, name: str) -> Path | None:
        """Find the folder of a template; None also for a name that leads out of the folders."""
        if not _is_template_name(name):
            return None
        if name in self.made:
            return self.folders[0]
        plain = name.removeprefix(UNDER)
        folders = self.folders if plain == name else self.folders[1:]
        more = (self.shipped,) if self.shipped and plain.startswith(SHARED) else ()
        return next((folder for folder in (*folders, *more) if (folder / plain).is_file()), None)

    def place(self, source: str) -> tuple[str, int]:
        """The file and line of a ``data-src``, which a template may also have invented."""
        if match := _SOURCE.fullmatch(source):
            return self._display(match[1]), int(match[2])
        return source.rpartition(":")[0] or source, 0

    def _load(self, name: str) -> tuple[str, str, None] | None:
        from ppgen.engine.guard.metering import RefusedError

        if name in self.made:
            text = self.made[name]
        elif folder := self._find_folder(name):
            text = read_source(folder, name.removeprefix(UNDER)).text
        else:
            self._environment.meter.charge(2_000)  # templates may try names until one exists
            return None
        if len(text) > MAX_CHARACTERS:
            raise RefusedError(f"the template has more than {MAX_CHARACTERS:,} characters", "make it shorter")
        marked, code = add_line_markers(text, name)
        self._environment.code_length += code
        if not self.are_ours and (code > MAX_CODE or self._environment.code_length > MAX_ALL_CODE):
            limit = f"{MAX_CODE:,}" if code > MAX_CODE else f"{MAX_ALL_CODE:,} characters with all that it uses, or"
            raise RefusedError(f"the template has more than {limit} characters between braces", "make it shorter")
        return marked, _FILENAME_PREFIX + name, None


def _is_template_name(name: str) -> bool:
    return len(name) <= MAX_NAME and bool(_NAME.fullmatch(name))


def _frames(error: Exception) -> list[tuple[str, int]]:
    """Return the templates in the traceback of an error, each with its line, the innermost last."""
    return [(frame.f_code.co_filename.removeprefix(_FILENAME_PREFIX), line)
            for frame, line in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename.startswith(_FILENAME_PREFIX) and frame.f_code.co_name != "render"]


def compile_templates(templates: Path) -> Iterator[tuple[str, str]]:
    """Compile shipped templates to Python modules, as a run would; yield the file name and text of each.

    These are the templates in the folder, those of its skins, and those that a skin covers.
    """
    plain = TemplateSet((templates,), {}, templates)
    for name in _template_names(templates):
        if not name.startswith(f"{SKINS}/"):
            yield plain.compile_module(name)
    for folder in sorted((templates / SKINS).iterdir()):
        skin = TemplateSet((folder, templates), {}, templates)
        for name in _template_names(folder):
            yield skin.compile_module(name)
            if (templates / name).is_file():
                yield skin.compile_module(UNDER + name)


def _template_names(folder: Path) -> list[str]:
    """List the templates in a folder, without hidden files of editors."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("[!.]*.j2"))
