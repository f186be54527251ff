"""Template sets: SVG text from templates and values, and the compilation of shipped templates at installation.

Every tag that a template writes gets the template's name and line (``data-src``) for the messages of the SVG check.
Undefined names are errors, templates are read from the given folders only, and the work of strangers' templates is
limited: see :mod:`ppgen.engine.drawing.sandbox`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from ppgen.assets import SKINS
from ppgen.cache import cache_key, folder_digest
from ppgen.engine.drawing.template_source import is_template_name, parse_marker
from ppgen.engine.svg.subset import SOURCE_ATTRIBUTE
from ppgen.errors import InputError, Problem, display_path
from ppgen.process.supervision import OverrunError, UnitTimeout
from ppgen.reading.fields import is_spelt, read_source
from ppgen.records import dataclass, field

if TYPE_CHECKING:
    import jinja2

    from ppgen.engine.drawing.sandbox import Environment
    from ppgen.engine.drawing.template_calls import Recorder

MAX_CHARACTERS = 1_000_000  # characters of a template
MAX_SVG = 4_000_000  # characters of a face's SVG; 20,000 elements with all their attributes have about as many
SHARED = "shared/"  # folder of templates that no game owns: the calibration page, edges, ornament of booklets
UNDER = "under/"  # prefix for the template that a skin's own covers: looked up in the folders after the first

_ROOT = re.compile(rf"\s*<svg [^<>]*?\b{SOURCE_ATTRIBUTE}=")  # that a template writes itself: a function's has no line


class TooMuchWorkError(InputError):
    """A template took more time or memory than a face may."""


@dataclass(frozen=True)
class TemplateSet:
    """The templates of one or more folders; the first folder that has a template wins."""

    folders: Sequence[Path]
    shipped: Path | None = None  # has templates named `shared/…` that are in none of the folders
    suffixes: tuple[str, ...] = ()  # of templates, where they lie among other files
    made: Mapping[str, str] = field(default_factory=dict)  # texts in place of drawings and pictures, by name
    recorder: Recorder | None = None  # records the calls of each face; such faces are not for printing
    number: int = field(default_factory=count().__next__, init=False, repr=False, compare=False)
    """Names it to the supervised child, which keeps what it has compiled."""
    _lock: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)
    """Functions are bound for one face at a time, and a page draws in several threads."""
    overruns: dict[str, list[Problem]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Faces of each template that took too much time or memory."""

    @cached_property
    def are_ours(self) -> bool:
        """True if all templates lie in the shipped folder, links resolved: one foreign folder makes all foreign."""
        home = self.shipped.resolve() if self.shipped else None
        return home is not None and all(folder.resolve().is_relative_to(home) for folder in self.folders)

    @cached_property
    def shared(self) -> TemplateSet | None:
        """The shipped templates that no game owns, trusted; None if strangers' templates may take part in them."""
        if not self.shipped or self.recorder or any((folder / SHARED).exists() for folder in self.folders):
            return None
        return TemplateSet((self.shipped,), self.shipped)

    @cached_property
    def digest(self) -> str | None:
        """The digest of all templates that may be loaded; None without a cache, or if a folder can't be read."""
        digests = [*(folder_digest(folder, self.suffixes) for folder in self.folders),
                   *((folder_digest(self.shipped / SHARED),) if self.shipped else ()),
                   *((cache_key("made templates", self.made),) if self.made else ())]
        return "-".join(digest for digest in digests if digest) if all(digests) else None

    @cached_property
    def _environment(self) -> Environment:
        if self.are_ours:
            from ppgen.engine.drawing.sandbox import Environment

            return Environment(self._load)
        if self.recorder:
            from ppgen.engine.drawing.template_calls import RecordingSandbox

            return RecordingSandbox(self._load, recorder=self.recorder)
        from ppgen.engine.drawing.sandbox import Sandbox

        return Sandbox(self._load)

    def render(self, name: str, values: Mapping[str, object], subject: str, sheets: float = 1.0,
               functions: Mapping[str, Callable[..., Any]] | None = None) -> str:
        """Render one template to SVG text; ``subject`` tells in messages what was being drawn.

        Its length may grow with the size of the face in ``sheets`` of A4. ``functions`` are those of the face: texts
        that they return are printed as markup. In the supervised child strangers' templates are stopped when they take
        too long or too much memory.

        Raises InputError with the template's line: not found, bad syntax, undefined name, or any error of the
        template's own code; TooMuchWorkError for one that is stopped.
        """
        from ppgen.engine.drawing.sandbox import Rendering

        with self._lock:
            try:
                self._environment.bind(functions or {})
                if self.recorder:
                    self.recorder.begin()
                svg = self._generate(name, values, sheets)
                if functions and not _ROOT.match(svg):
                    view_box = getattr(values.get("face"), "view_box", "")
                    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box}">{svg}</svg>'
                return svg
            except InputError:
                raise
            except (Exception, UnitTimeout) as error:  # of a stranger's template: not a bug of ppgen
                from ppgen.engine.drawing.svg_check import whole_sheets  # needs lxml, which hatch_build.py lacks

                problems = Rendering(name=name, values=values, subject=subject, folders=self.folders,
                                     display=self._display, sheets=whole_sheets(sheets)).describe(error)
                is_too_much = isinstance(error, UnitTimeout | MemoryError)
        raise (TooMuchWorkError if is_too_much else InputError)(problems)

    @property
    def names_read(self) -> Set[str]:
        """The names that the last template looked up among its values, also in vain; none of shipped templates."""
        return self._environment.names_read

    def overrun(self, name: str, subject: str, error: OverrunError) -> Problem:
        """Describe the end of a face that took too much time or memory, or crashed."""
        from ppgen.engine.drawing.sandbox import TOO_MUCH

        return Problem(self._display(name), error.describe("for a face", "crashes the library that draws it"),
                       error.remedy("draw less on it", TOO_MUCH), key=subject)

    def compile_module(self, name: str) -> tuple[str, str]:
        """Compile a shipped template to a Python module; return its file name and text."""
        from ppgen.engine.drawing.sandbox import module_name

        loaded = self._load(name)
        assert self.are_ours and loaded
        source, filename, _ = loaded
        return module_name(name, source), self._environment.compile(source, name, filename, raw=True)

    def _generate(self, name: str, values: Mapping[str, object], sheets: float) -> str:
        from ppgen.engine.drawing.sandbox import RefusedError

        pieces, length = [], 0
        limit = int(MAX_SVG * sheets)
        for piece in self._environment.get_template(name).generate(values):
            pieces.append(piece)
            length += len(piece)
            if length > limit:
                raise RefusedError(f"the face takes more than {limit:,} characters of SVG", "draw less on it")
        return "".join(pieces)

    def _display(self, name: str) -> str:
        folder = self._find_folder(name)
        return display_path(folder / name.removeprefix(UNDER)) if folder else name

    def _find_folder(self, name: str) -> Path | None:
        """Find the folder of a template; None also for a name that leads out of the folders."""
        if not is_template_name(name):
            return None
        if name in self.made:
            return self.folders[0]
        plain = name.removeprefix(UNDER)
        folders = self.folders if plain == name else self.folders[1:]
        more = (self.shipped,) if self.shipped and plain.startswith(SHARED) else ()
        return next((folder for folder in (*folders, *more)
                     if (folder / plain).is_file() and is_spelt(folder, plain)), None)

    def find_file(self, name: str) -> Path | None:
        """Return the file of a template; None for one that is missing or made."""
        folder = self._find_folder(name)
        return folder / name.removeprefix(UNDER) if folder and name not in self.made else None

    def place(self, source: str) -> tuple[str, int]:
        """The file and line of a ``data-src``, which a template may also have invented."""
        if marker := parse_marker(source):
            return self._display(marker[0]), marker[1]
        return source.rpartition(":")[0] or source, 0

    def _load(self, name: str) -> tuple[str, str, None] | None:
        from ppgen.engine.drawing.sandbox import FILENAME_PREFIX, RefusedError

        if name in self.made:
            text = self.made[name]
        elif folder := self._find_folder(name):
            text = read_source(folder, name.removeprefix(UNDER)).text
        else:
            return None
        if len(text) > MAX_CHARACTERS:
            raise RefusedError(f"the template has more than {MAX_CHARACTERS:,} characters", "make it shorter")
        if self.recorder:
            from ppgen.engine.drawing.template_calls import number_calls

            text = number_calls(text, name)
        return text, FILENAME_PREFIX + name, None


@lru_cache(maxsize=1)
def _templates_with_holes(folder: Path, format_hole: Callable[[object], object]) -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined, finalize=format_hole,
        variable_start_string="<<", variable_end_string=">>", block_start_string="<%", block_end_string="%>",
        comment_start_string="<#", comment_end_string="#>", line_statement_prefix="%%")


def fill_holes(folder: Path, name: str, format_hole: Callable[[object], object], values: Mapping[str, object]) -> str:
    """Fill the holes, ``<< … >>``, of one of ppgen's own templates that writes a template; empty lines are left out."""
    text = _templates_with_holes(folder, format_hole).get_template(name).render(values)
    return "".join(f"{line}\n" for line in text.split("\n") if line.strip())


def compile_templates(templates: Path) -> Iterator[tuple[str, str]]:
    """Compile shipped templates, those of skins, and those covered, to modules: file name and text of each."""
    plain, covered = TemplateSet((templates,), templates), set[str]()
    for name in _template_names(templates):
        if not name.startswith(f"{SKINS}/"):
            yield plain.compile_module(name)
    for folder in sorted((templates / SKINS).iterdir()):
        skin = TemplateSet((folder, templates), templates)
        for name in _template_names(folder):
            yield skin.compile_module(name)
            if (templates / name).is_file() and name not in covered:
                covered.add(name)
                yield skin.compile_module(UNDER + name)


def _template_names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("[!.]*.j2"))
