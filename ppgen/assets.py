"""Where data and templates are: the shipped ones, or the folders that were named instead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ppgen.errors import InputError, Problem, RequestError, listed, shown_path

SKINS = "skins"
"""The folder of the templates folder that holds skins, each a folder of templates."""

TRANSLATED = ("locales", "rules", "guide")
"""Folders of a game's data that have a file for each language."""


@cache
def shipped() -> Path:
    """The folder that holds the shipped ``data`` and ``templates``: in the wheel, or the checkout's root."""
    package = Path(__file__).resolve().parent
    if (package / "_assets" / "data").is_dir():
        return package / "_assets"
    if (package.parent / "pyproject.toml").is_file():
        return package.parent
    raise RuntimeError("ppgen is installed without its data")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assets:
    """The folders of one run. Nothing outside them is read."""

    data: Path
    templates: Path

    @property
    def is_shipped(self) -> bool:
        """Whether the data are ppgen's own."""
        return self.data == (shipped() / "data").resolve()

    def template_folders(self, skin: str = "") -> tuple[Path, ...]:
        """Where templates are looked for: the skin's folder first, which may hold a few or all of them.

        Raises RequestError for a skin that is not there.
        """
        if not skin:
            return (self.templates,)
        if skin not in self.skins:
            raise RequestError([Problem(place="--skin", what=f"'{skin}' is not a skin of {shown_path(self.templates)}",
                                        remedy=f"known: {listed(self.skins) or 'none'}")])
        return _inside(self.templates, self.templates / SKINS / skin), self.templates

    @property
    def skins(self) -> tuple[str, ...]:
        """The names of the skins."""
        return tuple(sorted(folder.name for folder in (self.templates / SKINS).glob("*") if folder.is_dir()))

    @property
    def common_templates(self) -> Path:
        """The shipped templates: what no game owns (``shared/``) is taken from there where it is not in one's own."""
        return shipped() / "templates"

    @classmethod
    def at(cls, data: Path | None = None, templates: Path | None = None) -> Assets:
        """The given folders, or the shipped ones. Raises InputError if a given one is not there."""
        problems = [Problem(place=shown_path(folder), what="folder not found", remedy="check the name")
                    for folder in (data, templates) if folder and not folder.is_dir()]
        if problems:
            raise InputError(problems)
        # Resolved: what is kept in memory of a file must not depend on the working folder.
        return cls(data=(data or shipped() / "data").resolve(),
                   templates=(templates or shipped() / "templates").resolve())

    def game(self, name: str) -> Path:
        """The data folder of a game."""
        folder = self.data / name
        for part in (folder, *(folder / name for name in TRANSLATED)):
            _inside(self.data, part)
        return folder

    def common(self, name: str) -> Path:
        """The folder (or the folder of the file) ``name`` that no game owns: papers, sizes, fonts, common texts.

        A data folder of one's own need not repeat them: what it lacks is taken from the shipped one.
        """
        home = self.data if (self.data / name).exists() else shipped() / "data"
        return _inside(home, home / name) if (home / name).is_dir() else home


def _inside(home: Path, folder: Path) -> Path:
    """The folder, if it is not a link that leads out of its home. Raises InputError."""
    if folder.is_dir() and not folder.resolve().is_relative_to(home.resolve()):
        raise InputError([Problem(place=str(folder), what="leads out of the folder it was asked for in",
                                  remedy="put the folder itself there")])
    return folder
