"""Input files of every kind, as strategies of Hypothesis: fragments in any order, well-formed but strange files, or
damaged valid ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ppgen.engine.drawing.sandbox import ALLOWED_FILTERS, ALLOWED_TESTS, METHODS
from ppgen.engine.svg.subset import ELEMENTS, VALUES

Texts = SearchStrategy[str]
one = st.sampled_from

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


def several(each: Texts, most: int, between: str = "") -> Texts:
    return st.integers(0, most).flatmap(
        lambda count: st.lists(each, min_size=count, max_size=count).map(between.join))


def fill(*patterns: str, **holes: Texts) -> Texts:
    """One of some patterns, with each of its ``‹holes›`` filled by itself."""
    return st.one_of(*(st.tuples(*(holes[part] if n % 2 else st.just(part)
                                   for n, part in enumerate(re.split("[‹›]", pattern)))).map("".join)
                       for pattern in patterns))


def files(fragments: Sequence[str], wellformed: Texts, valid: Callable[[], bytes]) -> SearchStrategy[bytes]:
    """Files of ``fragments`` in any order, ``wellformed`` ones, and damaged ``valid`` ones."""
    some = several(one(fragments), 200)
    repeated = st.tuples(several(one(fragments), 12), one((9, 300, 9_000)), some).map(
        lambda parts: (parts[0] * parts[1] + parts[2])[:200_000])  # deep and long files, the most likely to be slow
    texts = some | some | repeated | wellformed | wellformed | wellformed
    damaged = damage(valid(), [*map(encode, fragments)]) if valid() else st.nothing()
    return texts.map(encode) | damaged | damaged


def encode(text: str) -> bytes:
    """Encode a text; lone surrogates become bytes that no decoder accepts."""
    return text.encode("utf-8", errors="surrogatepass")


@st.composite
def damage(draw: DrawFn, document: bytes, fragments: Sequence[bytes]) -> bytes:
    """Remove, change, move or repeat a word, a line or a byte of a valid text file, a few times."""
    for _ in range(draw(one((1, 1, 1, 2, 4)))):
        word, other = (draw(one([*_WORD.finditer(document)] or [*re.finditer(b"$", document)])) for _ in range(2))
        lines = document.split(b"\n")
        here, there, at = (draw(st.integers(0, most)) for most in (len(lines) - 1, len(lines) - 1, len(document)))
        some, more = (draw(one(fragments)) for _ in range(2))
        words = draw(one((
            some, other[0], b"", word[0] * draw(one((2, 9, 300, 30_000))), some + word[0] + more)))
        new = draw(one(((), [lines[here]] * draw(one((2, 40, 2_000))), (lines[there],), (lines[here], lines[there]))))
        document = draw(one((
            document[:word.start()] + words + document[word.end():],
            b"\n".join((*lines[:here], *new, *lines[here + 1:])),
            document[:at], document[:at] + draw(st.binary(max_size=1)) + document[at + 1:],
            document[:at] + some + document[at:])))[:400_000]
    return document


@st.composite
def damage_bytes(draw: DrawFn, document: bytes) -> bytes:
    """Change bytes of a valid binary file, most of them near its beginning, or truncate it."""
    for _ in range(draw(one((1, 1, 2, 6)))):
        at = draw(st.integers(0, min(len(document), draw(one((40, 300, 2_000, 1_000_000))))))
        new = draw(one(BYTES) | st.binary(min_size=1, max_size=1))
        document = document[:at] + (new + document[at + len(new):] if draw(st.integers(0, 11)) else b"")
    return document


IDS = "abcdef"
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


def svg_forest(valid: bool = False) -> Texts:
    """Nested well-formed elements, with attributes that are mostly allowed, or always (``valid``)."""
    def attribute(name: str) -> Texts:
        kind, _, words = VALUES.get(name, ("", None, ""))
        samples = (*words.split(", "), "x") if kind == "a known word" else SAMPLES.get(kind, ())
        return fill(f'{name}="‹value›"', value=one(samples[:-1] if valid else samples) if kind else one(
            [f"#{id}" for id in IDS]))

    def element(tag: str, inside: Texts) -> Texts:
        more = {"path": 'd="M0 0L9 9" ',
                "text": 'font-family="EB Garamond" font-size="‹number›" data-width="40" '}.get(tag, "")
        words = one(("", "", "", "abc", "漢 a", "&amp;", "\u0301" * 9))
        return fill(f"<{tag} {more}‹attributes›‹id›>‹words›‹inside›</{tag}>", number=one(NUMBERS), words=words,
                    attributes=st.lists(attributes.filter(lambda text: text.partition("=")[0] not in more), max_size=6,
                                        unique_by=lambda text: text.partition("=")[0]).map(" ".join),
                    id=one((" id=?", "", "")), inside=inside if tag != "text" else st.just(""))

    def number_ids(text: str) -> str:
        for id in IDS:
            text = text.replace("id=?", f'id="{id}"', 1)
        return text.replace("id=?", "")

    attributes = st.one_of(*(attribute(name) for name in (*VALUES, "href", "href") if name != "id"))
    tree = st.recursive(st.just(""), lambda inside: one(TAGS[:-4] if valid else TAGS).flatmap(
        lambda tag: element(tag, several(inside, 3))), max_leaves=30)
    return several(tree, 6).map(number_ids)


EXPRESSIONS = (
    "(‹v›‹operator›‹v›)", "(‹v› | ‹filter›)", "(‹v› | ‹filter›(‹argument›))", "(‹v› is ‹test›)", "(‹v›).‹method›(‹v›)",
    "(‹v›).‹method›()", "(‹v›).‹method›(‹v›, ‹v›)", "(‹v›)[‹v›]", "(‹v›)[‹v›:‹v›]", "[‹v›, ‹v›]", "{‹v›: ‹v›}",
    "(‹v› if ‹v› else ‹v›)", "‹function›(‹v›)", "text(‹v›, x=1, y=1, width=‹v›, size=‹v›)",
    "band(kind='leaves', x=0, y=0, width=‹v›, height=9, thick=‹v›)")
STATEMENTS = (
    "{% for a in ‹v› %}‹body›{% endfor %}", "{% for a in range(99999) if ‹v› %}‹body›{% endfor %}",
    "{% if ‹v› %}‹body›{% else %}‹body›{% endif %}", "{% macro m(a, b=‹v›) %}‹body›{% endmacro %}",
    "{% call m(‹v›) %}‹body›{% endcall %}", "{% set b %}‹body›{% endset %}", "{% filter upper %}‹body›{% endfilter %}",
    "{% with a = ‹v› %}‹body›{% endwith %}", "{% block b‹digit› %}‹body›{% endblock %}")
SIMPLE_STATEMENTS = (
    "{{ ‹v› }}", "{% set a = ‹v› %}", "{% set b = ‹v› %}", "{% set n.x = ‹v› %}",
    "{% for a in ‹v› recursive %}{{ loop(a) }}{% endfor %}", "{% include ‹v› ignore missing %}", "<g>")
NAMES = ("a", "b", "t", "face", "card", "n.x", "n.y", "loop.index", "face.width", "card.words", "m")
OPERATORS = (" + ", " - ", " * ", " ** ", " % ", " / ", " // ", " ~ ", " == ", " < ", " in ", " not in ", " and ",
             " or ")
LITERALS = ("0", "1", "2", "-3", "0.5", "99999", "10 ** 9", "1e300", "'ab'", "'%s'", "'%9d'", "'x' * 999", "[]",
            "[1, 2]", "(1, 'a')", "{'a': 1}", "none", "true", "range(99)", "'\\ud800'", "'<'")
ARGUMENTS = ("attribute='a'", "attribute='x.y'", "'upper'", "'string'", "'gt', 1", "','", "3", "9999")
METHOD_NAMES = tuple(sorted({*METHODS[str], *METHODS[dict], *METHODS[list], "format", "append", "__class__", "center"}))


def whole_template() -> Texts:
    """Nested Jinja2 statements with expressions of any kind."""
    tests = one(sorted(filter(str.isidentifier, ALLOWED_TESTS)))
    value = st.recursive(one(LITERALS + NAMES), lambda inner: fill(
        *EXPRESSIONS, v=inner, operator=one(OPERATORS), filter=one(sorted(ALLOWED_FILTERS)), argument=one(ARGUMENTS),
        test=tests, method=one(METHOD_NAMES), function=one(("m", "t", "dict", "range", "namespace", "loop", "caller"))))
    statement = st.recursive(fill(*SIMPLE_STATEMENTS, v=value), lambda inner: fill(
        *STATEMENTS, v=value, body=several(inner, 3), digit=one("012345678")))
    return fill("{% set n = namespace(x=[1], y='ab') %}{% macro m(a=1) %}{{ a }}{% endmacro %}‹all›",
                all=several(statement, 8))


KEYS = ("players", "name", "cards", "symbols", "france", "saxony", "ships", "carriages", "minus_two", "collected",
        "date", "place", "game", "cross", "fan", "x", "a\u0007")
SCALARS = ("0", "1", "5", "-1", "9e999", "1e400", "99999999999999999999", "0.5", "true", '"Anna"', '"Bob"', '"3+2"',
           '"5,0"', '"france-1"', '"card-game"', '""', '"\\u202e"', '"2024-05-01"')


def json_game() -> Texts:
    """Tallies of at least three players, with any other keys."""
    def pair(inner: Texts, keys: Sequence[str]) -> Texts:
        return fill('"‹key›":‹value›', key=one(keys), value=inner)

    value = st.recursive(one((*SCALARS, "null", "NaN")), lambda inner: fill(
        "[‹list›]", "{‹pairs›}", list=several(inner, 4, ","), pairs=several(pair(inner, KEYS), 6, ",")), max_leaves=12)

    def player(number: int) -> Texts:
        return fill(f'{{"name":"P{number}"‹more›}}', more=several(fill(",‹pair›", pair=pair(value, KEYS[1:10])), 3))

    return fill('{"players":[‹a›,‹b›,‹c›‹more›]‹others›}', a=player(0), b=player(1), c=player(2),
                more=several(fill(",‹p›", p=player(3)), 2), others=several(fill(",‹p›", p=pair(value, KEYS)), 2))


def toml_lines() -> Texts:
    """Tables and keys, mostly well-formed."""
    key = one((*KEYS[:-1], "a.b", '"a b"', "'x.y'", "id"))
    scalars = (*SCALARS, "inf", "nan", "2024-05-01", "07:32:00", "0xff", '"""\na\n"""', "'{n}'", '"{"')
    value = st.recursive(one(scalars), lambda inner: fill(
        "[‹list›]", "{‹pairs›}", list=several(inner, 4, ","), pairs=several(fill("‹k› = ‹v›", k=key, v=inner), 3, ",")),
        max_leaves=8)
    return several(fill("‹k› = ‹v›", "‹k› = ‹v›", "‹k› = ‹v›  # note", "[‹k›]", "[[‹k›]]", "# ‹k›", "", k=key, v=value),
                   14, "\n")


def csv_rows() -> Texts:
    """A head and rows of cells."""
    def rows(separator: str) -> Texts:
        heads = ("id,name", "name,id,x", "id,front.en,copies", ",Anna,,Bob,,Cem,", ",A,B,C")
        seconds = ("", ",cards,symbols,cards,symbols,cards,symbols", ",cards,cards,cards")
        cells = ("france", "saxony", "ships", "1", "2", '"3+2"', "", "-1", "5,0", "a", '"', "x" * 50, "date")
        return fill("‹head›\n‹second›\n‹rows›", head=one([head.replace(",", separator) for head in heads])
                    | several(one(CSV), 5, separator), second=one([each.replace(",", separator) for each in seconds]),
                    rows=several(several(one(cells), 8, separator), 12, "\n"))

    return one(",;\t").flatmap(rows)
