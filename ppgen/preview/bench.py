"""Turns the folders, as they are now, into albums and what has changed in them; draws only what has to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from ppgen.engine.formats import Format
from ppgen.errors import InputError, Problem, Problems, RequestError
from ppgen.preview.album import Album
from ppgen.preview.marks import marks_of
from ppgen.preview.redrawing import Kept, draw_album
from ppgen.preview.request import PreviewRequest
from ppgen.production.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One album with all that it was made from."""

    album: Album
    workshop: Workshop
    request: PreviewRequest
    lang: str
    paper: Format
    marks: Mapping[str, str] = field(repr=False)
    """Those of the templates that it was drawn from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a look at the folders brought: scenes, or everything that is wrong and the last scenes that were good.

    ``changed``, ``added`` and ``removed`` are names of pictures, against the last good look; the first good one
    ``is_first``. ``drawn`` counts the faces that had to be drawn, as they might have changed.
    """

    scenes: tuple[Scene, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    drawn: int = 0
    is_first: bool = False


class Bench:
    """Looks again and again. ``read`` reads the data anew and tells what is to be shown; it may raise InputError."""

    def __init__(self, read: Callable[[], tuple[Workshop, PreviewRequest]]) -> None:
        self._read = read
        self._last = Look()
        self._kept: Mapping[tuple[str, Format], Kept] = {}

    def look(self) -> Look:
        """What is to be seen now.

        Raises RequestError if, before anything was seen, something is asked for that is not there.
        """
        try:
            scenes, kept, warnings = self._drawn()
        except InputError as error:
            if isinstance(error, RequestError) and not self._last.scenes:
                raise
            return Look(scenes=self._last.scenes, problems=error.problems)
        except OSError as error:  # a file went while it was read
            problem = Problem(place=str(error.filename or "files"), what=f"can't be read: {error.strerror or error}",
                              remedy="save it again")
            return Look(scenes=self._last.scenes, problems=(problem,))
        before, after = _pictures(self._last.scenes), _pictures(scenes)
        self._kept = kept
        self._last = Look(
            scenes=scenes, warnings=warnings, is_first=not self._last.scenes,
            drawn=sum(len(faces.drawn) for faces in kept.values()),
            changed=_names(key for key in after if key in before and before[key] != after[key]),
            added=_names(key for key in after if key not in before) if self._last.scenes else (),
            removed=_names(key for key in before if key not in after))
        return self._last

    def _drawn(self) -> tuple[tuple[Scene, ...], dict[tuple[str, Format], Kept], tuple[Problem, ...]]:
        workshop, request = self._read()
        marks = marks_of(workshop.templates.folders)
        if self._last.scenes:
            last = self._last.scenes[0]
            if last.marks == marks and last.workshop.fonts == workshop.fonts:
                workshop = replace(workshop, templates=last.workshop.templates)  # they are compiled already
        problems = Problems()
        warnings = [*workshop.game.warnings]
        scenes: list[Scene] = []
        kept: dict[tuple[str, Format], Kept] = {}
        for lang, paper in product(request.build.langs, request.build.papers):
            with problems.gathering():
                album, kept[lang, paper], left_out = draw_album(workshop, request, lang, paper, marks,
                                                                self._kept.get((lang, paper), Kept()))
                warnings += left_out
                scenes.append(Scene(album=album, workshop=workshop, request=request, lang=lang, paper=paper,
                                    marks=marks))
        problems.raise_if_any()
        return tuple(scenes), kept, tuple(dict.fromkeys(warnings))


def _pictures(scenes: Sequence[Scene]) -> dict[tuple[str, str], str]:
    """What each picture of each album shows."""
    return {(scene.album.id, shot.name): shot.key for scene in scenes for shot in scene.album.shots}


def _names(keys: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, name in keys))
