"""Rules booklet of a game: its cover, the sections of its texts with pictures and numbers, and a summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from ppgen.engine.booklets.booklet import (USUAL_SIZE_PT, Block, Booklet, BookletPicture, Cover, Figure, Foot, Heading,
                                           Panel, blocks_from_texts, parse_line)
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.errors import Problems
from ppgen.reading.fields import Fields, read_toml
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, replace

SEATS = ("first", "second", "third", "fourth")  # players of the worked examples: the keys of their names
Example = TypeVar("Example")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesContents:
    """The sections in order: ``below`` are subsections; ``panels`` are those in a panel, which holds their title as a
    heading of the level ``inner``. The summary opens a page, together with the section ``last`` if there is one.
    ``size`` and ``compact`` are those of the :class:`Booklet`."""

    sections: Sequence[str]
    below: Sequence[str] = ()
    panels: Sequence[str] = ()
    inner: int = 2
    last: str = ""
    size: float = USUAL_SIZE_PT
    compact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSource:
    """Source of the figures and tables of rules: the texts of the language."""

    texts: Texts

    def say(self, key: str, **values: object) -> str:
        """A text of the rules."""
        return self.texts(f"rules.{key}", **values)

    def country_name(self, id: str) -> str:
        return self.texts(f"countries.{id}")

    def join_words(self, words: Iterable[str]) -> str:
        """Join words with the commas of the language."""
        return self.texts.join(words)

    def cover(self, template: str, size: Size, values: Mapping[str, object], **facts: object) -> Cover:
        """Make the first page with the picture of a template; ``facts`` are filled into its alternative text."""
        request = FaceRequest(template=template, size=size, values=values)
        picture = BookletPicture(request=request, box=Rect(0, 0, size.width, size.height), outline=False)
        return Cover(art=Figure(size=size, parts=(picture,), alt=self.say("book.cover", **facts)),
                     title=self.say("book.title"), subtitle=f"{self.say('book.subtitle')} · {self.say('book.name')}",
                     facts=self.say("book.facts"))


def take_examples(folder: Path, take: Callable[[Fields], Example]) -> tuple[Example, ...]:
    """Read the worked examples of a data folder. Raises InputError with all problems."""
    problems = Problems()
    top = read_toml(folder, "examples.toml", problems)
    examples = []
    for row in top.take_tables("examples"):
        examples.append(take(row))
        row.close()
    top.close()
    problems.raise_if_any()
    return tuple(examples)


def rules_booklet(contents: RulesContents, cover: Block, texts: Texts, page: Size, ink: str, *,
                  inserts: Mapping[str, Sequence[Block]], values: Mapping[str, object]) -> Booklet:
    """Make the booklet on pages of this size. Its texts are in the table ``rules``: ``SECTION.title`` and ``.body``,
    with ``inserts`` and ``values`` filled in by their names; then ``summary``, ``credits`` and ``book``."""

    def say(key: str, **filled: object) -> str:
        return texts(f"rules.{key}", **filled)

    def prose(key: str) -> tuple[Block, ...]:
        return blocks_from_texts(texts, f"rules.{key}", inserts, values)

    def section(key: str) -> Iterator[Block]:
        title, body = say(f"{key}.title"), prose(f"{key}.body")
        if key in contents.panels:
            heading = Heading(title, contents.inner)
            yield from (replace(block, blocks=(heading, *block.blocks)) if isinstance(block, Panel) else block
                        for block in body)
        else:
            yield Heading(title, 2 if key in contents.below else 1, opens=key == contents.last)
            yield from body

    name = say("book.name")
    blocks = (cover, *(block for key in contents.sections for block in section(key)),
              Heading(say("summary.title"), opens=not contents.last), *prose("summary.body"),
              Foot(parse_line(say("credits.body").strip())))
    return Booklet(title=say("book.full_title", title=texts("game.title"), name=name),
                   running=f"{texts('game.title')} · {name}", lang=texts.lang, page=page, blocks=blocks,
                   author=texts("game.author"), ink=ink, size=contents.size, compact=contents.compact)
