"""What the tests of decks share: writing one, and drawing it."""

import csv
from pathlib import Path

from ppgen.assets import Assets
from ppgen.engine.drawing.face import Face
from ppgen.making.finished_art import deck_from_art
from ppgen.making.starters import ArtRequest, NewDeck
from ppgen.printing.workshop import Workshop
from tests.conftest import ROOT


def lay_out(folder: Path, files: dict[str, str], **changes: str) -> Path:
    """Write a deck with some of its files changed (``deck_toml`` for ``deck.toml``)."""
    for name, text in (files | {name.replace("_", "."): text for name, text in changes.items()}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def read_deck(name: str) -> dict[str, str]:
    """The files of a deck in ``tests/decks``."""
    folder = ROOT / "tests" / "decks" / name
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.*"))}


def make_deck(source: Path, **options: object) -> NewDeck:
    """A deck of finished art."""
    return deck_from_art(ArtRequest(source=source, title="Deck", **options))


def rows(deck: NewDeck, part: str = "cards") -> list[dict[str, str]]:
    """The lines of a table of a new deck."""
    return [*csv.DictReader(deck.files[f"{part}.csv"].decode().splitlines())]


def draw_fronts(deck: Workshop | Path, ink: str = "full", bleed: float = 2.0) -> list[Face]:
    """The front of each piece of a deck, which may be only a folder yet."""
    workshop = Workshop.open(Assets.at(deck)) if isinstance(deck, Path) else deck
    texts = workshop.texts(workshop.game.lang)
    studio = workshop.studio(texts, ink)
    return [studio.draw(component.front, bleed, component.id)
            for part in workshop.game.parts(texts, workshop.game.card_size) for component in part.components]
