"""Folders: the shipped data and templates or those of the user, and where the system keeps a user's files."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from ppgen.errors import InputError, Phrase, Problem, RequestError, display_path, join_names
from ppgen.records import dataclass
from ppgen.shipped import shipped_root

# --- Data and templates ---

SKINS = "skins"  # subfolder of the templates folder that holds skins, each a folder of templates
TRANSLATED = ("locales", "rules", "guide")  # subfolders of a game's data folder with a file for each language
DECK, DECK_FILE = "deck", "deck.toml"  # data folder of a deck of one's own, and its file of parts
SCORE_FILE = "score.toml"  # file of a deck with its rules of scoring


def is_deck(folder: Path) -> bool:
    """True if the folder itself is a deck. Whatever bears the name of its file counts: reading that says what it is."""
    try:
        return os.path.lexists(folder / DECK_FILE)
    except ValueError:
        return False


def is_set(folder: Path) -> bool:
    """True if the folder is a deck, or a set of ``ppgen init``, whose ``ppgen.toml`` names the folders inside."""
    return is_deck(folder) or all(os.path.lexists(folder / name) for name in ("ppgen.toml", "data", "templates"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Assets:
    """The data and template folders of a run. Nothing outside them is read."""

    data: Path
    templates: Path

    @property
    def is_shipped(self) -> bool:
        """True if the data are ppgen's own."""
        return self.data == shipped_root() / "data"

    def template_folders(self, skin: str = "") -> tuple[Path, ...]:
        """Folders to search for templates, that of the skin first. Raises RequestError for an unknown skin."""
        if not skin:
            return (self.templates,)
        if not self.skins:
            raise RequestError.at("--skin", Phrase("no_skins"), Phrase("without_option"))
        if skin not in self.skins:
            raise RequestError.at("--skin", Phrase("not_a_skin", name=skin),
                                  Phrase("known", message=join_names(self.skins)))
        return _inside(self.templates, self.templates / SKINS / skin), self.templates

    @property
    def skins(self) -> tuple[str, ...]:
        """The names of the skins."""
        return tuple(sorted(folder.name for folder in (self.templates / SKINS).glob("*") if folder.is_dir()))

    @property
    def common_templates(self) -> Path:
        """The shipped templates: the fallback for templates that no game owns (``shared/``)."""
        return shipped_root() / "templates"

    @classmethod
    def at(cls, data: Path | None = None, templates: Path | None = None) -> Assets:
        """The given folders, or the shipped ones; a deck's templates lie in its data folder. Raises InputError."""
        problems = [Problem(display_path(folder), Phrase("no_folder"), Phrase("check_name"))
                    for folder in (data, templates) if folder and not folder.is_dir()]
        if problems:
            raise InputError(problems)
        if data and not templates and is_deck(data):
            templates = data
        # resolved: caches of files must not depend on the working folder
        return cls(data=(data or shipped_root() / "data").resolve(),
                   templates=(templates or shipped_root() / "templates").resolve())

    def game(self, name: str) -> Path:
        """The data folder of a game; of a deck that is the data folder itself, all of it."""
        folder = self.data if name == DECK and is_deck(self.data) else self.data / name
        for part in () if self.is_shipped else (folder, *(folder / name for name in TRANSLATED)):
            _inside(self.data, part)
        return folder

    def common(self, name: str) -> Path:
        """The folder ``name``, or that of a file of that name, that no game owns: the user's, else the shipped one."""
        home = self.data if (self.data / name).exists() else shipped_root() / "data"
        return _inside(home, home / name) if (home / name).is_dir() else home


def _inside(home: Path, folder: Path) -> Path:
    """The folder. Raises InputError if it is a link that leads out of ``home``."""
    if folder.is_dir() and not folder.resolve().is_relative_to(home.resolve()):
        raise InputError.at(str(folder), "leads out of the folder it was asked for in", "put the folder itself there")
    return folder


# --- A user's own files ---

UserFolder = Literal["cache", "config", "data", "state"]
USER_FOLDERS: tuple[UserFolder, ...] = ("cache", "config", "data", "state")
CACHE_VARIABLE = "PPGEN_CACHE_DIR"  # environment variable for another place than the system's folder for caches


def user_folder(kind: UserFolder, alternative: str = "") -> Path:
    """The user's folder for a kind of files. Raises InputError without a home, with an ``alternative``."""
    import platformdirs

    find: Callable[..., Path] = getattr(platformdirs, f"user_{kind}_path")
    with suppress(OSError, RuntimeError):
        folder = find("ppgen", appauthor=False)
        if folder.is_absolute():  # some versions return ~ as it is, which would be a folder below the working folder
            return folder
    raise InputError.at("HOME", Phrase("no_home"), Phrase("set_home", message=alternative))
