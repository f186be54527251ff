"""Turns the words of a game's rules, with pictures and numbers, into the booklet: sections and a summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ppgen.engine.booklets.document import Block, Booklet, Foot, Heading, Panel
from ppgen.engine.booklets.prose import line_of, written_blocks
from ppgen.engine.geometry import Size
from ppgen.reading.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The sections in their order: which of them stand below another one, and which have their title, a heading of
    the level ``inner``, in the panel that they are."""

    sections: Sequence[str]
    below: Sequence[str] = ()
    panels: Sequence[str] = ()
    inner: int = 2


def rules_booklet(contents: Contents, cover: Block, texts: Texts, page: Size, ink: str, *,
                  inserts: Mapping[str, Sequence[Block]], values: Mapping[str, object]) -> Booklet:
    """The booklet on pages of that size. Its texts are those of the table ``rules``: ``SECTION.title`` and ``.body``,
    into which ``inserts`` are put by their names and ``values`` filled in; then ``summary``, ``credits``, ``book``."""

    def say(key: str, **filled: object) -> str:
        return texts(f"rules.{key}", **filled)

    def prose(key: str) -> tuple[Block, ...]:
        return written_blocks(texts, f"rules.{key}", inserts, values)

    name = say("book.name")
    blocks = (cover, *(block for section in contents.sections for block in _section(contents, section, say, prose)),
              Heading(say("summary.title"), opens=True), *prose("summary.body"),
              Foot(line_of(say("credits.body").strip())))
    return Booklet(title=say("book.full_title", title=texts("game.title"), name=name),
                   running=f"{texts('game.title')} · {name}", lang=texts.lang, page=page, blocks=blocks,
                   author=texts("game.author"), ink=ink)


def _section(contents: Contents, section: str, say: Callable[..., str],
             prose: Callable[[str], tuple[Block, ...]]) -> Iterator[Block]:
    title, body = say(f"{section}.title"), prose(f"{section}.body")
    if section in contents.panels:
        heading = Heading(title, contents.inner)
        yield from (replace(block, blocks=(heading, *block.blocks)) if isinstance(block, Panel) else block
                    for block in body)
    else:
        yield Heading(title, 2 if section in contents.below else 1)
        yield from body
