"""Rules booklet of a game: the sections of its texts with pictures and numbers, and a summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ppgen.engine.booklets.booklet import (
    USUAL_SIZE_PT,
    Block,
    Booklet,
    Foot,
    Heading,
    Panel,
    blocks_from_texts,
    parse_line,
)
from ppgen.engine.geometry import Size
from ppgen.reading.texts import Texts


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


def rules_booklet(contents: RulesContents, cover: Block, texts: Texts, page: Size, ink: str, *,
                  inserts: Mapping[str, Sequence[Block]], values: Mapping[str, object]) -> Booklet:
    """Make the booklet on pages of this size. Its texts are in the table ``rules``: ``SECTION.title`` and ``.body``,
    with ``inserts`` and ``values`` filled in by their names; then ``summary``, ``credits`` and ``book``."""

    def say(key: str, **filled: object) -> str:
        return texts(f"rules.{key}", **filled)

    def prose(key: str) -> tuple[Block, ...]:
        return blocks_from_texts(texts, f"rules.{key}", inserts, values)

    name = say("book.name")
    blocks = (cover, *(block for section in contents.sections for block in _section(contents, section, say, prose)),
              Heading(say("summary.title"), opens=not contents.last), *prose("summary.body"),
              Foot(parse_line(say("credits.body").strip())))
    return Booklet(title=say("book.full_title", title=texts("game.title"), name=name),
                   running=f"{texts('game.title')} · {name}", lang=texts.lang, page=page, blocks=blocks,
                   author=texts("game.author"), ink=ink, size=contents.size, compact=contents.compact)


def _section(contents: RulesContents, section: str, say: Callable[..., str],
             prose: Callable[[str], tuple[Block, ...]]) -> Iterator[Block]:
    title, body = say(f"{section}.title"), prose(f"{section}.body")
    if section in contents.panels:
        heading = Heading(title, contents.inner)
        yield from (replace(block, blocks=(heading, *block.blocks)) if isinstance(block, Panel) else block
                    for block in body)
    else:
        yield Heading(title, 2 if section in contents.below else 1, opens=section == contents.last)
        yield from body
