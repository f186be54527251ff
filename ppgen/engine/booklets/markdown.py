"""Markdown as blocks of a booklet: CommonMark and tables, and what shows pieces of a deck.

``{wood}`` is an icon, ``:card[dragon]`` a piece, ``:part[heroes]`` a part, ``==words==`` are a keyword. All else that
looks like markup but is none would be printed as typed: it is a problem, each with its line. Headings, lists, tables
and boxes are values without a layout; :class:`Mention` and :class:`Gallery` name what is shown, for whoever knows the
deck.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from ppgen.engine.booklets.booklet import (Block, BookletTable, Divider, Entry, Gallery, Heading, Listing, Mention,
                                           Panel, Paragraph, Span, TextLine)
from ppgen.engine.drawing.lettering import ICON_MARK
from ppgen.errors import Phrase, Problems, Spot
from ppgen.reading.fields import MAX_PROBLEMS, Source
from ppgen.records import dataclass, replace

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.tree import SyntaxTreeNode

MAX_MARKDOWN, MAX_PARAGRAPH = 150_000, 8_000  # of a text, some 100 pages; of a paragraph: time may grow by its square
MAX_LEVEL = 12  # depth of lists and quotes in each other, counted as the parser does: two for a list in a list
MAX_HEADING = 3  # lower headings look like those of this level
ADDRESSES = ("https://", "http://", "mailto:")

_SHOWN = re.compile(ICON_MARK.pattern + r"|:(?P<kind>card|part)\[(?P<name>[^\[\]\n]{1,200})\]|(?P<key>==)")
_COMMENT, _LINE_BREAK = re.compile(r"\s*(?:<!--(?:(?!-->).)*+-->\s*)+", re.DOTALL), re.compile(r"<br ?/?>")
_TAG = re.compile(r"<(/?)(\w*)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_FOLD = "\0"  # stands for a line break of the source, until the characters on both sides of it are known
_NO_TABLE = "is not a table"
_LEFTOVERS = tuple((re.compile(pattern), what, remedy) for pattern, what, remedy in (
    (r"\[\^[^\]\s]*\]?", "footnotes are not supported", "put the note into the text, or into a box: > note"),
    (r"^\[[ xX]\](?=\s)", "lists of tasks are not supported", "leave the box out"),
    (r"^\[![A-Za-z]+\]", "a box has no such mark", "begin it with a strong word: > **Example** …"),
    (r"!\[|\]\s?\(|\]\[", "a link or picture is not understood",
     "[words](https://…) or ![what it shows](art/file.jpg); an address with spaces stands in < >"),
    (r":[a-z]+\[[^\]]*\]?", "is not known", ":card[name] or :part[name]"),
    (r"^:::.*", "containers are not supported", "make a box: > note"),
    (r"\*\*|__", "is not paired", r"**strong** without spaces inside, or \* for a star that is printed"),
    (r"~~", "struck out words are not supported", r"leave the marks out, or write \~"),
    (r"`", "is not paired", r"`words`, or \` for one that is printed"),
    (r"\|\s*:?-{2}.*", _NO_TABLE, "the line under its head has as many |---| as the head has cells"),
    (r"^\s*\|.*", _NO_TABLE, "the line under its head has as many |---| as the head has cells"),
    (r"^#+(?=[^\W\d])|^#{2,}", "is not a heading", "write # and a space before it; at most six #"),
    (r"^(?:[-+]|\d+[.)])(?=[^\W\d])", "is not an entry of a list", "write a space after it"),
    (r"<!--|</?[A-Za-z]\w*", "HTML is not supported", r"leave it out, or write \< for a sign that is printed"),
    (r"[{}]", "is not an icon", r"{sword}, or \{ for a brace that is printed"),
    (r"(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)", "is not paired",
     r"*words* without spaces inside, or \* and \_ for what is printed"),
))
"""Patterns of markup in words that the parser takes as plain, each with its fault and its remedy."""


@dataclass(frozen=True, slots=True)
class MarkdownText:
    """A text in blocks: ``title`` is the heading that stands above all others, if there is such a one."""

    title: str
    blocks: tuple[Block, ...]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # for decks with such rules only

    parser = MarkdownIt("commonmark", {"maxNesting": 4 * MAX_LEVEL}).enable("table")
    parser.disable(["code", "text_join"])  # an indented text is a text; escaped signs stay apart from others
    parser.core.ruler.before("inline", "bound", _bound_paragraphs)
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # a wrong one is reported with its line
    parser.normalizeLink = lambda url: unquote(url)  # type: ignore[method-assign]
    parser.normalizeLinkText = lambda link: link.removeprefix("mailto:")  # type: ignore[method-assign]
    return parser


def _bound_paragraphs(state: StateCore) -> None:
    """Empty paragraphs that are too long, and note their lines, before they are parsed."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > MAX_PARAGRAPH:
            state.env.setdefault("long", []).append(token.map[0] + 1 if token.map else 0)
            token.content = ""


def read_markdown(source: Source, problems: Problems) -> MarkdownText:
    """Read a text. Notes every problem, all with their lines."""
    from markdown_it.tree import SyntaxTreeNode

    if len(source.text) > MAX_MARKDOWN:
        problems.note(source.name, f"has more than {MAX_MARKDOWN:,} characters", Phrase("shorten"))
        return MarkdownText("", ())
    long: dict[str, list[int]] = {}
    tokens = _parser().parse(source.text, long)
    for line in long.get("long", ()):
        problems.note(source.name, f"a paragraph has more than {MAX_PARAGRAPH:,} characters", "make several", line=line)
    deep = next((token for token in tokens if token.level > MAX_LEVEL), None)
    if deep:
        problems.note(source.name, "lists and quotes are nested too deep", "make them flatter",
                      line=deep.map[0] + 1 if deep.map else 0)
        return MarkdownText("", ())
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    nodes = SyntaxTreeNode(tokens).children
    first = next((n for n, node in enumerate(nodes) if node.type != "html_block"), 0)  # behind comments
    has_title = bool(nodes) and nodes[first].type == "heading" and levels[0] < min(levels[1:], default=2)
    reader = _Reader(source.name, problems, min(levels[has_title:], default=1) - 1)
    title = reader.title(nodes[first]) if has_title else ""
    return MarkdownText(title, tuple(reader.blocks([*nodes[:first], *nodes[first + has_title:]])))


class _Reader:
    """Turns nodes into blocks. ``lift`` is by how many levels headings are raised."""

    def __init__(self, place: str, problems: Problems, lift: int) -> None:
        self._place, self._problems, self._lift = place, problems, lift
        self._level, self._row, self._table_row, self._is_keyword = 0, 0, -1, False
        self._tags: set[str] = set()

    def blocks(self, nodes: Iterable[SyntaxTreeNode]) -> Iterator[Block]:
        for node in nodes:
            self._row = node.map[0] + 1 if node.map else self._row
            match node.type:
                case "heading":
                    yield self._heading(node)
                case "paragraph":
                    line = self.line(node)
                    yield _gallery(line) or Paragraph(line)
                case "bullet_list" | "ordered_list":
                    yield Listing(tuple(self._entries(node.children)), node.type == "ordered_list",
                                  int(node.attrs.get("start", 1)))
                case "blockquote":
                    inside = tuple(self.blocks(node.children))
                    yield Panel(kind="example" if _opens_strong(inside) else "note", blocks=inside)
                case "table":
                    yield self._table(node)
                case "hr":
                    yield Divider()
                case "fence":
                    self._note(f"'{node.markup}'", "blocks of code are not supported",
                               "write the text without these lines")
                case "html_block":
                    self._html(node.content)

    def title(self, node: SyntaxTreeNode) -> str:
        """The words of the heading above all others; levels are counted below it."""
        self._row = node.map[0] + 1 if node.map else 1
        words, self._level = self._heading(node).words, 0
        return words

    def _heading(self, node: SyntaxTreeNode) -> Heading:
        self._level = min(int(node.tag[1]) - self._lift, self._level + 1, MAX_HEADING)  # no level is left out
        line = self.line(node)
        is_plain = not any(span.shown or span.link for span in line)
        words = "".join(span.words for span in line if not span.shown)
        if not words.strip():
            self._note(node.markup, "is a heading without words", "write some, or leave it out")
        return Heading(words, self._level, line=() if is_plain else line)

    def _entries(self, nodes: Iterable[SyntaxTreeNode]) -> Iterator[TextLine | Entry]:
        for node in nodes:
            inside = tuple(self.blocks(node.children))
            words: TextLine = inside[0].words if inside and isinstance(inside[0], Paragraph) else ()
            rest = inside[1:] if words else inside
            yield Entry(words, rest) if rest else words

    def _table(self, node: SyntaxTreeNode) -> BookletTable:
        spot = Spot(self._place, self._row)
        rows = [row.children for part in node.children for row in part.children]
        cells = []
        for row in rows:
            self._row = row[0].children[0].map[0] + 1 if row[0].children and row[0].children[0].map else self._row
            cells.append([self.line(cell) for cell in row])
        sides = [str(cell.attrs.get("style", "")).removeprefix("text-align:") for cell in rows[0]]
        head = tuple(cells[0]) if any(cells[0]) else ()
        return BookletTable(
            head=head, rows=tuple(tuple(_gallery(cell) or cell for cell in row) for row in cells[1:]), widths=(),
            centred=tuple(n for n, side in enumerate(sides) if side == "center"),
            ends=tuple(n for n, side in enumerate(sides) if side == "right"), spot=spot)

    # Lines

    def line(self, node: SyntaxTreeNode) -> TextLine:
        """The spans of a heading, paragraph or cell."""
        self._is_keyword = False
        first = self._row
        spans = [span for child in node.children for span in self._spans(child.children, Span(""), True)]
        if self._is_keyword:
            self._row = first
            self._note("'=='", "is not paired", r"==keyword==, or \=\= for what is printed")
        return _join(spans)

    def _spans(self, nodes: Sequence[SyntaxTreeNode], style: Span, starts: bool = False) -> Iterator[Span]:
        for n, node in enumerate(nodes):
            match node.type:
                case "text":
                    yield from self._words(node.content, style, starts if n == 0 else nodes[n - 1].type == "softbreak")
                case "text_special" | "code_inline":
                    yield self._style(node.content, style)
                case "softbreak" | "hardbreak":
                    self._row += 1
                    yield replace(style, words=_FOLD if node.type == "softbreak" else "\n")
                case "strong":
                    yield from self._spans(node.children, replace(style, strong=True))
                case "em":
                    yield from self._spans(node.children, replace(style, emphasis=True))
                case "link":
                    yield from self._link(node, style)
                case "image":
                    yield self._picture(node)
                case "html_inline" if _LINE_BREAK.fullmatch(node.content):
                    yield replace(style, words="\n")
                case "html_inline":
                    self._html(node.content)

    def _style(self, words: str, style: Span) -> Span:
        return replace(style, words=words, keyword=self._is_keyword)

    def _words(self, words: str, style: Span, starts: bool) -> Iterator[Span]:
        at = 0
        for match in (*_SHOWN.finditer(words), None):
            plain = words[at:match.start() if match else None]
            self._check(plain, starts and at == 0)
            if plain:
                yield self._style(_APOSTROPHE.sub("’", plain), style)
            if match is None:
                return
            at = match.end()
            if match["key"]:
                self._is_keyword = not self._is_keyword
            else:
                name = (match["icon"] or match["name"]).strip()
                kind: Literal["icon", "card", "part"] = "icon" if match["icon"] else (
                    "card" if match["kind"] == "card" else "part")
                yield Span(name, shown=Mention(kind, name, Spot(self._place, self._row)))

    def _link(self, node: SyntaxTreeNode, style: Span) -> Iterator[Span]:
        """The words of a link, and its address behind them if they are something else."""
        address = str(node.attrs.get("href", ""))
        if node.children and node.children[0].content.startswith("^"):
            self._check(f"[{node.children[0].content}]", False)
        elif not address.lower().startswith(ADDRESSES) or not address.isprintable() or " " in address:
            self._note(f"'{address[:80]}'", "is not an address", "links begin with https://, http:// or mailto:")
        spans = [*self._spans(node.children, replace(style, link=address))]
        yield from spans
        printed = address.removeprefix("mailto:")
        if "".join(span.words for span in spans) not in (address, printed):
            yield replace(style, words=f" ({printed})")

    def _picture(self, node: SyntaxTreeNode) -> Span:
        name, spot = str(node.attrs.get("src", "")), Spot(self._place, self._row)
        alt = "".join(child.content for child in node.walk() if child.type in ("text", "text_special", "code_inline"))
        caption = str(node.attrs.get("title", ""))
        return Span(alt.strip() or caption, shown=Mention("picture", name, spot, caption))

    def _html(self, content: str) -> None:
        tag = _TAG.match(content.strip())
        if not _COMMENT.fullmatch(content) and not (tag and tag[1] and tag[2] in self._tags):
            self._tags.add(tag[2] if tag else "")
            self._note(f"'{content.strip().splitlines()[0][:40]}'", "HTML is not supported",
                       "leave it out; a line break is <br> or two spaces at the end of the line")

    def _check(self, words: str, starts: bool) -> None:
        """Note what looks like markup in plain words, once for each kind; of a table that is none its first line."""
        for pattern, what, remedy in _LEFTOVERS:
            match = pattern.search(words) if starts or not pattern.pattern.startswith("^") else None
            if match:
                words = f"{words[:match.start()]} {words[match.end():]}"
                if what != _NO_TABLE or self._table_row + 1 != self._row:
                    self._note(f"'{match[0].strip()[:40]}'", what, remedy)
                self._table_row = self._row if what == _NO_TABLE else self._table_row

    def _note(self, mark: str, what: str, remedy: str) -> None:
        if len(self._problems) >= MAX_PROBLEMS:
            return
        self._problems.note(self._place, f"{mark} {what}" if what.startswith(("is", "begins")) else f"{what}: {mark}",
                            remedy, line=self._row)


def _opens_strong(blocks: Sequence[Block]) -> bool:
    """True if a box begins with strong words or a heading: then it is an example, else a note."""
    if not blocks or isinstance(blocks[0], Heading):
        return bool(blocks)
    return isinstance(blocks[0], Paragraph) and blocks[0].words[:1] != () and blocks[0].words[0].strong


def _gallery(line: TextLine) -> Gallery | None:
    """The pictures of a line without words, if they are more than icons."""
    things = [span for span in line if span.shown or span.words.strip()]
    if not things or not all(isinstance(span.shown, Mention) and span.shown.kind != "icon" for span in things):
        return None
    return Gallery(things=tuple((span.shown, span.words) for span in things if isinstance(span.shown, Mention)),
                   caption=" · ".join(span.shown.caption for span in things if isinstance(span.shown, Mention)
                                      and span.shown.caption))


def _join(spans: Sequence[Span]) -> TextLine:
    """Join spans of the same style; a folded line has a space where it was broken, but not between wide characters."""
    joined: list[Span] = []
    for span in spans:
        if span.words and joined and not span.shown and joined[-1] == replace(span, words=joined[-1].words):
            joined[-1] = replace(span, words=joined[-1].words + span.words)
        elif span.words or span.shown:
            joined.append(span)
    text = "".join("x" if span.shown else span.words for span in joined)
    done, at = [], 0
    for span in joined:
        words = span.words
        if not span.shown:
            words = "".join(_unfold(text, at + n) if letter == _FOLD else letter for n, letter in enumerate(span.words))
        at += 1 if span.shown else len(span.words)
        done.append(replace(span, words=words))
    return tuple(done)


def _unfold(text: str, at: int) -> str:
    around = text[at - 1:at] + text[at + 1:at + 2]
    return "" if len(around) == 2 and min(around) >= "\u3000" else " "
