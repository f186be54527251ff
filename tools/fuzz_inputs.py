"""Input files of every kind from bytes: fragments in any order, well-formed but strange files, or damaged valid ones.

The random generator makes the bytes; this module gives them a meaning. The same bytes always make the same file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from ppgen.engine.drawing.sandbox import ALLOWED_FILTERS, ALLOWED_TESTS, METHODS
from ppgen.engine.svg.subset import ELEMENTS, VALUES

T = TypeVar("T")

NUMBERS = (
    "0", "1", "-1", "7", "0.5", "44", "68", "1e3", "1e9", "-1e-9", "1e308", "1e999", "nan", "99999999999999999999")
SVG = (
    "<g>", "</g>", "<g ", "/>", ">", "<rect ", "<path ", "<circle ", "<text ", "</text>", "<tspan>", "</tspan>",
    "<use ", "<defs>", "</defs>", '<pattern id="p" ', "</pattern>", '<mask id="m">', "</mask>", '<clipPath id="c">',
    "</clipPath>", '<linearGradient id="l">', "</linearGradient>", "<stop/>", '<symbol id="s" ', "</symbol>",
    '<g id="g">', "<svg ", "</svg>", '<image href="http://x/y"/>', "<script>", "<style>", "<!--", "-->", "<![CDATA[",
    "]]>", "<?xml ?>", "<!DOCTYPE svg>", "&amp;", "&lol;", "&#0;", "&#xD800;", 'fill="url(#p)" ', 'fill="url(#l)" ',
    'mask="url(#m)" ', 'clip-path="url(#c)" ', 'href="#g" ', 'href="#s" ', 'href="#p" ', 'xlink:href="#g" ',
    'id="g" ', 'href="file:///etc/passwd" ', 'transform="scale(', 'transform="matrix(1 0 0 1 ', 'transform="rotate(',
    ')" ', 'd="M0 0', "L", "l", "C1 1 2 2 3 3", "a1 1 0 0 1 5 5", "h", "Z", '" ', "=", '"', " ", ",", 'points="',
    'width="', 'height="', 'x="', 'r="', 'stroke-width="', 'stroke-dasharray="', 'viewBox="0 0 ', 'opacity="0.5" ',
    'font-size="4" ', 'font-family="EB Garamond" ', 'data-width="40" ', 'data-src="a:1" ', 'data-needs="',
    'patternUnits="userSpaceOnUse" ', 'patternTransform="scale(', "abc", "漢", "\ud800", "\x00", "\x1b", *NUMBERS)
TEMPLATE = (
    "{{ ", " }}", "{% ", " %}", "{# ", " #}", "{%- ", " -%}", "{% for a in range(9) %}", "{% endfor %}", "{% if a %}",
    "{% else %}", "{% endif %}", "{% set n = namespace(x=[]) %}", "{% set n.x = n.x + n.x + [1] %}", "{% set a = ",
    "a", "b", "n.x", "{% macro m(a) %}", "{% endmacro %}", "m(", "{% call m() %}", "{% endcall %}", "caller()",
    "{% include 'a.svg.j2' %}", "{% import 'a.svg.j2' as i %}", "{% include '", "' %}", "../x", "{% block b %}",
    "{% endblock %}", "{% extends 'a.svg.j2' %}", "{% raw %}", "{% endraw %}", "{% filter upper %}",
    "{% endfilter %}", "{% autoescape false %}", "{% endautoescape %}", " | ", "upper", "join(", "map('", "select('",
    "attribute='", "list", "sort", "sum", "batch(", "round(", "format(", "replace(", "default(", "int", "string",
    "length", "first", ".format(", ".replace(", ".split(", ".join(", ".items()", ".__class__", ".__init__", ".used",
    ".clear()", "t", "t(", "face", "face.width", "text(", "paragraph(", "band(", "diaper(", "ruler(", "x=", "y=",
    "width=", "height=", "size=", "length=", "kind='leaves'", "thick=", "style='title'", ")", "(", "[", "]", "{", "}",
    ",", ":", ".", " ~ ", " + ", " * ", " ** ", " % ", " - ", " / ", " // ", " == ", " in ", " is ", " not ", " and ",
    " if ", " else ", "'abc'", "'%s'", "'%9999d'", "''", "'", '"', "<g>", "</g>", "<text>", "\n", "loop.index",
    "loop(", "range(", "dict(", "namespace(", "self", "super()", "varargs", "'\\ud800'", *NUMBERS)
TOML = (
    "[", "]", "[[", "]]", "{", "}", "=", " = ", ".", ",", "\n", "#", '"', "'", '"""', "'''", "a", "b", "a.b", "[a]\n",
    "[[a]]\n", "[a.b]\n", "id", "name", "symbols", "true", "false", "inf", "nan", "0x", "f", "1_0", "2020-01-01",
    "T00:00:00Z", "\\u0041", "\\u202e", "\\ud800", "\\", "\x00", "\x1b", "\u202e", "{n}", "{", "{0}", "{a!r}", " ",
    "\t", "\r", "ä", "漢", *NUMBERS)
CSV = (
    "id", "name", ",", ";", "\t", "\n", "\r", '"', "'", "france", "cards", "symbols", "Anna", "ships", "sep=;",
    "=1+1", "3+2", "5,0", "\x00", "\x1b", "\u202e", "\ud800", " ", "#", "a", "ä", "漢", "x" * 200, *NUMBERS)
JSON = (
    "{", "}", "[", "]", ":", ",", '"', '"players"', '"name"', '"Anna"', '"cards"', '"symbols"', '"france"',
    '"collected"', '"ships"', '"date"', '"game"', '"card-game"', "true", "null", "NaN", "Infinity", "\\u0000",
    "\\ud800", "\x1b", " ", "\n", '{"players":[', "]}", '{"name":"A","cards":{"france":1}},', *NUMBERS)
PDF = (
    "%PDF-1.7\n", "1 0 obj\n", "2 0 obj\n", "3 0 obj\n", "endobj\n", "<<", ">>", "[", "]", "/Type", "/Catalog",
    "/AcroForm", "/Fields", "/Kids", "/T", "/V", "/Parent", "/FT/Tx", "2 0 R", "3 0 R", "(", ")", "(p1.name)",
    "(p1.france.cards)", "(5)", "<feff", "stream\n", "\nendstream\n", "/Length ", "/Filter/FlateDecode",
    "xref\n0 4\n", "0000000009 00000 n \n", "trailer\n", "<</Root 1 0 R/Size 4>>\n", "startxref\n", "%%EOF\n",
    "<</Type/Catalog/AcroForm 2 0 R>>", "<</Fields[3 0 R]>>", "<</T(p1.name)/V(Anna)>>", " ", "\n", "\x00", *NUMBERS)
PROSE = (
    "# ", "## ", "### ", "> ", "> > ", "- ", "1. ", "99999. ", "\n", "\n\n", "*", "_", "**", "*a*", "_b_", "{cards}",
    "{", "}", "{nothing}", "word", " ", "\t", "漢字", "\u00ad", "\u200b", "\u2028", "\ufeff", "\ue000", "\u0378",
    "\ufdd0", "a\u0301", "\u3099", "\U0001f600", "#read(\"/etc/passwd\")", "\\", "$x$", "@a", "<b>", "//", "--",
    "x" * 200, *NUMBERS)
MARKDOWN = (
    "==", "`", "~~", "[", "](", ")", "![a](", "<http://x.org>", "[a](https://x.org)", "[a]: b\n", "|", "|---|",
    "\n|:-:|\n", "    ", "  \n", "---\n", "```\n", "<!--", "-->", "<br>", ":card[cards]", ":part[cards]", ":card[",
    "{coin}", "&amp;", "&#0;")
SQL = (*(
    f"UPDATE {table} SET {column} = {value};\n"
    for table, columns in (("games", ("id", "game", "date", "place", "tallies", "result")),
                           ("changes", ("kind", "game_id", "before")))
    for column in columns
    for value in ("NULL", "5", "-1", "1e999", "x'00ff'", "''", "char(27) || '[2J'", "'5'", "'[]'", "'{}'", "'null'",
                  "'[1,2,3,4,5,6]'", "printf('%.*c', 5000, '[')", "9223372036854775807", f"{column} || {column}",
                  f"replace({column}, 'name', 'nom')", f"replace({column}, '\"', '')", f"replace({column}, '1', '[1]')",
                  f"replace({column}, ':', ':1e99,\"x\":')", f"replace({column}, '[', '{{')",
                  f"replace({column}, '\"total\": ', '\"total\": 9' || printf('%.*c', 400, '9'))",
                  f"replace({column}, 'winners', 'losers')", f"replace({column}, 'Anna', '=1+1')")),
    "DROP TABLE games;\n", "DROP TABLE changes;\n", "DELETE FROM games;\n", "DELETE FROM changes;\n",
    "PRAGMA user_version = 9;\n", "PRAGMA user_version = 0;\n", "PRAGMA application_id = 1;\n",
    "ALTER TABLE games DROP COLUMN place;\n", "ALTER TABLE games RENAME COLUMN place TO spot;\n",
    "INSERT INTO games SELECT id + 9, game, date, place, tallies, result FROM games;\n",
    "CREATE VIEW more AS SELECT * FROM games;\n")
BYTES = (b"\0", b"\xff", b"\0\0", b"\xff\xff", b"\x7f\xff", b"\x80\0", b"\0\1", b"\0\0\0\0", b"\xff\xff\xff\xff",
         b"ttcf", b"OTTO", b"\1" * 16, b"\0" * 200, b"\xff" * 200)
"""Fragments of binary files."""

_WORD = re.compile(rb'"[^"\n]*"|[\w.+-]+|[^\w\s]')


def compose(data: bytes, fragments: Sequence[str]) -> str:
    """Join the fragments chosen by the bytes; a byte of 255 repeats the text so far."""
    text = ""
    for byte in data:
        text = (text * 2)[:200_000] if byte == 255 else text + fragments[byte % len(fragments)]
    return text


class Choices:
    """Choices made by bytes, one after another; when they are used up, always the first option."""

    def __init__(self, data: bytes, valid: bool = False) -> None:
        self._data, self._position = data, 0
        self.valid = valid
        """Whether to choose allowed values only."""
        self.ids = 0
        """Number of elements with an id so far."""

    def number(self, below: int) -> int:
        self._position += 1
        return self._data[self._position - 1] % below if self._position <= len(self._data) else 0

    def of(self, options: Sequence[T]) -> T:
        return options[self.number(len(options))]

    def offset(self, length: int) -> int:
        """An offset from 0 to the length, inclusive."""
        return (self.number(256) << 16 | self.number(256) << 8 | self.number(256)) % (length + 1)

    def several(self, make: Callable[[], str], most: int, separator: str = "") -> str:
        return separator.join(make() for _ in range(self.number(most + 1)))


def encode(text: str) -> bytes:
    """Encode a text; lone surrogates become bytes that no decoder accepts."""
    return text.encode("utf-8", errors="surrogatepass")


def files(fragments: Sequence[str], wellformed: Callable[[Choices], str] | None = None,
          valid: Callable[[], bytes] = bytes) -> Callable[[bytes], bytes]:
    """A generator of files: ``fragments`` in any order, a ``wellformed`` file, or a damaged ``valid`` one."""

    def make(data: bytes) -> bytes:
        first, choices = data[:1], Choices(data[1:])
        if first >= (b"\x90" if wellformed else b"\x20") and (seed := valid()):
            return damage(choices, seed, [*map(encode, fragments)])
        return encode(wellformed(choices) if wellformed and first >= b"\x30" else compose(data[1:], fragments))

    return make


def damage(choices: Choices, seed: bytes, fragments: Sequence[bytes]) -> bytes:
    """Make a few changes in a valid text file."""
    document = seed
    for _ in range(choices.of((1, 1, 1, 2, 4))):
        document = _change(choices, document, fragments)[:400_000]
    return document


def _change(choices: Choices, document: bytes, fragments: Sequence[bytes]) -> bytes:
    """Remove, change, move or repeat a word, a line or a byte."""
    words = [*_WORD.finditer(document)] or [*re.finditer(b"$", document)]
    lines = document.split(b"\n")
    word, other = (words[choices.offset(len(words) - 1)] for _ in range(2))
    here, there = (choices.offset(len(lines) - 1) for _ in range(2))
    before, after = document[:word.start()], document[word.end():]
    some, more, at = choices.of(fragments), choices.of(fragments), choices.offset(len(document))

    def lines_with(*new: bytes) -> bytes:
        return b"\n".join((*lines[:here], *new, *lines[here + 1:]))

    kinds: tuple[Callable[[], bytes], ...] = (
        lambda: before + some + after,
        lambda: before + other[0] + after,
        lambda: before + after,
        lambda: before + word[0] * choices.of((2, 9, 300, 30_000)) + after,
        lambda: before + some + word[0] + more + after,
        lines_with,
        lambda: lines_with(*[lines[here]] * choices.of((2, 40, 2_000))),
        lambda: lines_with(lines[there]),
        lambda: lines_with(lines[here], lines[there]),
        lambda: document[:at],
        lambda: document[:at] + bytes([choices.number(256)]) + document[at + 1:],
        lambda: document[:at] + some + document[at:])
    return choices.of(kinds)()


def damage_bytes(choices: Choices, seed: bytes) -> bytes:
    """Change bytes of a valid binary file, most of them near its beginning, or truncate it."""
    document = seed
    for _ in range(choices.of((1, 1, 2, 6))):
        at = choices.offset(min(len(document), choices.of((40, 300, 2_000, 1_000_000))))
        new = choices.of((*BYTES, bytes([choices.number(256)])))
        document = document[:at] if choices.number(12) == 1 else document[:at] + new + document[at + len(new):]
    return document


IDS = ("a", "b", "c", "d", "e", "f")
TAGS = (*sorted(ELEMENTS - {"stop", "tspan"}) * 2, "stop", "image", "script", "foreignObject", "tspan")
SAMPLES = {
    "a number": (*NUMBERS[:-2], "nan"), "a number or share": (*NUMBERS[:-2], "50%", "-1%", "50mm"),
    "a colour": ("#fff", "#123456", "none", "black", "url(#a)", "url(#b)", "url(#c)", "url(#d)", "rde"),
    "a plain colour": ("#fff", "#123456", "black", "red"),
    "a reference": ("none", "url(#a)", "url(#b)", "url(#c)", "url(x)"),
    "path data": ("M0 0L9 9", "m1 1l2 2h3v-4z", "M0 0C1 1 2 2 3 3", "M0 0a9 9 0 0 1 5 5", "M0 0L1e9 0", "M9 9h0z",
                  "M0"),
    "a transform": ("translate(1 2)", "scale(2)", "scale(1e9)", "scale(0)", "rotate(45 1 1)", "matrix(1 2 3 4 5 6)",
                    "skewX(90)", "scale(-1) rotate(9)", "scale(1e-6 1)", "matrix(0 0 0 0 0 0)", "rotate(1 2)"),
    "a list of points": ("0 0 1 1", "0,0 9,9 0,9", "0 0", "1"),
    "a list of numbers": ("1 2", "none", "0", "1e-9", "1 -1", "0 1", "a"),
    "four numbers": ("0 0 9 9", "0 0 1e-9 1e9", "0 0 0 0", "0 0 -1 1", "1 2 3"), "a name": ("a", "b", "a b"),
    "a name and a place": ("a 1 2", "b 0,-3", "a 1"),
    "places of seams": ("x 1 y 2", "x 9", "z 1"),
    "a font's name": ("EB Garamond", "Cinzel", "<"), "a weight": ("400", "700", "x"),
    "an alignment": ("none", "xMidYMid slice", "xMinYMax meet", "x"),
}
"""Attribute values by kind; the last one of each kind is not allowed."""


def svg_tree(choices: Choices, depth: int = 0) -> str:
    """Nested well-formed elements, with attributes that are mostly allowed, or always (``choices.valid``)."""
    tag = choices.of(TAGS[:-4] if choices.valid else TAGS)
    attributes: dict[str, str] = {"d": "M0 0L9 9"} if tag == "path" else {}
    for _ in range(choices.number(6)):
        name = choices.of((*VALUES, "href", "href"))
        kind, _, words = VALUES.get(name, ("", None, ""))
        samples = (*words.split(", "), "x") if kind == "a known word" else SAMPLES.get(kind, ())
        attributes[name] = choices.of(samples[:-1] if choices.valid else samples) if kind else "#" + choices.of(IDS)
    if tag == "text":
        attributes |= {"font-family": "EB Garamond", "font-size": choices.of(NUMBERS), "data-width": "40"}
    attributes.pop("id", None)
    if choices.number(3) == 0 and choices.ids < len(IDS):
        attributes["id"] = IDS[choices.ids]
        choices.ids += 1
    inside = choices.several(lambda: svg_tree(choices, depth + 1), 3) if depth < 8 and tag != "text" else ""
    words = choices.of(("", "abc", "漢 a", "&amp;", "\u0301" * 9)) if choices.number(4) == 0 else ""
    attribute_text = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{attribute_text}>{words}{inside}</{tag}>"


def svg_forest(choices: Choices) -> str:
    return choices.several(lambda: svg_tree(choices), 6)


NAMES = ("a", "b", "t", "face", "card", "n.x", "n.y", "loop.index", "face.width", "card.words", "m")
OPERATORS = (" + ", " - ", " * ", " ** ", " % ", " / ", " // ", " ~ ", " == ", " < ", " in ", " not in ", " and ",
             " or ")
LITERALS = ("0", "1", "2", "-3", "0.5", "99999", "10 ** 9", "1e300", "'ab'", "'%s'", "'%9d'", "'x' * 999", "[]",
            "[1, 2]", "(1, 'a')", "{'a': 1}", "none", "true", "range(99)", "'\\ud800'", "'<'")
ARGUMENTS = ("attribute='a'", "attribute='x.y'", "'upper'", "'string'", "'gt', 1", "','", "3", "9999")
METHOD_NAMES = tuple(sorted({*METHODS[str], *METHODS[dict], *METHODS[list], "format", "append", "__class__", "center"}))


def expression(choices: Choices, depth: int = 0) -> str:
    """A Jinja2 expression of any kind."""
    if depth > 4:
        return choices.of(LITERALS + NAMES)

    def inner() -> str:
        return expression(choices, depth + 1)

    kinds: tuple[Callable[[], str], ...] = (
        lambda: choices.of(LITERALS), lambda: choices.of(NAMES),
        lambda: f"({inner()}{choices.of(OPERATORS)}{inner()})",
        lambda: f"({inner()} | {choices.of(tuple(sorted(ALLOWED_FILTERS)))})",
        lambda: f"({inner()} | {choices.of(tuple(sorted(ALLOWED_FILTERS)))}({choices.of(ARGUMENTS)}))",
        lambda: f"({inner()} is {choices.of(tuple(sorted(filter(str.isidentifier, ALLOWED_TESTS))))})",
        lambda: f"({inner()}).{choices.of(METHOD_NAMES)}({choices.several(inner, 2, ', ')})",
        lambda: f"({inner()})[{inner()}]", lambda: f"({inner()})[{inner()}:{inner()}]",
        lambda: f"[{choices.several(inner, 3, ', ')}]", lambda: f"{{{inner()}: {inner()}}}",
        lambda: f"({inner()} if {inner()} else {inner()})",
        lambda: f"{choices.of(('m', 't', 'dict', 'range', 'namespace', 'loop', 'caller'))}({inner()})",
        lambda: f"text({inner()}, x=1, y=1, width={inner()}, size={inner()})",
        lambda: f"band(kind='leaves', x=0, y=0, width={inner()}, height=9, thick={inner()})")
    return choices.of(kinds)()


def template(choices: Choices, depth: int = 0) -> str:
    """Nested Jinja2 statements."""
    def value() -> str:
        return expression(choices)

    def body() -> str:
        return choices.several(lambda: template(choices, depth + 1), 3) if depth < 4 else "x"

    kinds: tuple[Callable[[], str], ...] = (
        lambda: f"{{{{ {value()} }}}}", lambda: f"{{% set {choices.of('ab')} = {value()} %}}",
        lambda: f"{{% set n.x = {value()} %}}", lambda: f"{{% for a in {value()} %}}{body()}{{% endfor %}}",
        lambda: f"{{% for a in range(99999) if {value()} %}}{body()}{{% endfor %}}",
        lambda: f"{{% for a in {value()} recursive %}}{{{{ loop(a) }}}}{{% endfor %}}",
        lambda: f"{{% if {value()} %}}{body()}{{% else %}}{body()}{{% endif %}}",
        lambda: f"{{% macro m(a, b={value()}) %}}{body()}{{% endmacro %}}",
        lambda: f"{{% call m({value()}) %}}{body()}{{% endcall %}}",
        lambda: f"{{% set b %}}{body()}{{% endset %}}", lambda: f"{{% filter upper %}}{body()}{{% endfilter %}}",
        lambda: f"{{% include {value()} ignore missing %}}",
        lambda: f"{{% with a = {value()} %}}{body()}{{% endwith %}}",
        lambda: "<g>", lambda: f"{{% block b{choices.number(9)} %}}{body()}{{% endblock %}}")
    return choices.of(kinds)()


def whole_template(choices: Choices) -> str:
    return ("{% set n = namespace(x=[1], y='ab') %}{% macro m(a=1) %}{{ a }}{% endmacro %}"
            + choices.several(lambda: template(choices), 8))


KEYS = ("players", "name", "cards", "symbols", "france", "saxony", "ships", "carriages", "minus_two", "collected",
        "date", "place", "game", "cross", "fan", "x", "a\u0007")
SCALARS = ("0", "1", "5", "-1", "9e999", "1e400", "99999999999999999999", "0.5", "true", '"Anna"', '"Bob"', '"3+2"',
           '"5,0"', '"france-1"', '"card-game"', '""', '"\\u202e"', '"2024-05-01"')


def json_value(choices: Choices, depth: int = 0) -> str:
    if depth > 5 or choices.number(3) == 0:
        return choices.of((*SCALARS, "null", "NaN"))
    if choices.number(3) == 0:
        return "[" + choices.several(lambda: json_value(choices, depth + 1), 4, ",") + "]"
    return "{" + choices.several(lambda: f'"{choices.of(KEYS)}":{json_value(choices, depth + 1)}', 6, ",") + "}"


def json_game(choices: Choices) -> str:
    """Tallies of at least three players, with any other keys."""
    def player(number: int) -> str:
        others = "".join(f',"{choices.of(KEYS[1:10])}":{json_value(choices, 3)}' for _ in range(choices.number(4)))
        return f'{{"name":"P{number}"{others}}}'

    others = choices.several(lambda: f',"{choices.of(KEYS)}":{json_value(choices)}', 2)
    return '{"players":[' + ",".join(player(number) for number in range(3 + choices.number(3))) + "]" + others + "}"


def toml_lines(choices: Choices) -> str:
    """Tables and keys, mostly well-formed."""
    def key() -> str:
        return choices.of((*KEYS[:-1], "a.b", '"a b"', "'x.y'", "id"))

    def value(depth: int = 0) -> str:
        if depth > 4 or choices.number(2):
            return choices.of((*SCALARS, "inf", "nan", "2024-05-01", "07:32:00", "0xff", '"""\na\n"""', "'{n}'", '"{"'))
        if choices.number(2):
            return "[" + choices.several(lambda: value(depth + 1), 4, ",") + "]"
        return "{" + choices.several(lambda: f"{key()} = {value(depth + 1)}", 3, ",") + "}"

    def line() -> str:
        form = choices.of(("{k} = {v}", "{k} = {v}", "{k} = {v}  # note", "[{k}]", "[[{k}]]", "# {k}", ""))
        return form.format(k=key(), v=value() if "{v}" in form else "")

    return choices.several(line, 14, "\n")


def csv_rows(choices: Choices) -> str:
    """A head and rows of cells."""
    separator = choices.of((",", ";", "\t"))

    def row(cells: Sequence[str], most: int) -> str:
        return choices.several(lambda: choices.of(cells), most, separator)

    heads = ("id,name", "name,id,x", "id,front.en,copies", ",Anna,,Bob,,Cem,", ",A,B,C", row(CSV, 5))
    seconds = ("", ",cards,symbols,cards,symbols,cards,symbols", ",cards,cards,cards")
    cells = ("france", "saxony", "ships", "1", "2", '"3+2"', "", "-1", "5,0", "a", '"', "x" * 50, "date")
    lines = [choices.of(heads).replace(",", separator), choices.of(seconds).replace(",", separator)]
    return "\n".join([*lines, *(row(cells, 8) for _ in range(choices.number(12)))])
