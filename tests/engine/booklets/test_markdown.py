"""Markdown into blocks, and what looks like Markdown but is none."""

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.engine.booklets.booklet import (BookletTable, Divider, Entry, Gallery, Heading, Listing, Mention, Panel,
                                           Paragraph, Span, contents, iter_blocks)
from ppgen.engine.booklets.markdown import MAX_MARKDOWN, MAX_PARAGRAPH, read_markdown
from ppgen.errors import Problems, Spot
from ppgen.reading.fields import Source


def read(text: str):
    problems = Problems()
    found = read_markdown(Source(Path("rules.md"), text), problems)
    return found, [str(problem) for problem in problems]


def blocks(text: str):
    found, problems = read(text)
    assert problems == []
    return found.blocks


def mention(kind: str, name: str, line: int = 1, caption: str = "") -> Mention:
    return Mention(kind, name, Spot("rules.md", line), caption)


def plain(words: str):
    return (Span(words),)


@pytest.mark.parametrize(("text", "line"), [
    ("a **b** *c*", (Span("a "), Span("b", strong=True), Span(" "), Span("c", emphasis=True))),
    ("__b__ _c_", (Span("b", strong=True), Span(" "), Span("c", emphasis=True))),
    ("**b *c* d**", (Span("b ", strong=True), Span("c", strong=True, emphasis=True), Span(" d", strong=True))),
    ("draw ==a card== now", (Span("draw "), Span("a card", keyword=True), Span(" now"))),
    ("`x **y**`", plain("x **y**")), (r"\*\*a\*\* \{b\} 1 &lt; 2", plain("**a** {b} 1 < 2")),
    ("2 * 3*4 snake_case -2 #1 5 < 6 a|b C#", plain("2 * 3*4 snake_case -2 #1 5 < 6 a|b C#")),
    ("one\ntwo", plain("one two")), ("国カード\nを取る", plain("国カードを取る")),
    ("国カード\nGo", plain("国カード Go")),
    ("one  \ntwo\\\nthree<br>four", plain("one\ntwo\nthree\nfour")), ("a <!-- note --> b", plain("a  b")),
    ("don't 'no'", plain("don’t 'no'")), ("    indented", plain("indented")),
    ("[web](https://x.org/a?b=c)", (Span("web", link="https://x.org/a?b=c"), Span(" (https://x.org/a?b=c)"))),
    ("<https://x.org>", (Span("https://x.org", link="https://x.org"),)),
    ("<a@x.org>", (Span("a@x.org", link="mailto:a@x.org"),)),
    ("[*a*][r]\n\n[r]: http://x.org", (Span("a", emphasis=True, link="http://x.org"), Span(" (http://x.org)"))),
    ("Pay {coin}.", (Span("Pay "), Span("coin", shown=mention("icon", "coin")), Span("."))),
    ("a\n:card[Fire Dragon] b", (Span("a "), Span("Fire Dragon", shown=mention("card", "Fire Dragon", 2)), Span(" b"))),
    ("see ![a *map*](<art/my map.png>)", (Span("see "), Span("a map", shown=mention("picture", "art/my map.png")))),
])
def test_a_line_is_spans(text, line):
    assert blocks(text) == (Paragraph(line),)


@pytest.mark.parametrize(("text", "expected"), [
    ("- a\n- b", (Listing((plain("a"), plain("b"))),)),
    ("3. a\n4. b", (Listing((plain("a"), plain("b")), numbered=True, start=3),)),
    ("- a\n  1. b\n     - c", (Listing((Entry(plain("a"), (
        Listing((Entry(plain("b"), (Listing((plain("c"),)),)),), numbered=True),)),)),)),
    ("* a\n\n  more\n* b", (Listing((Entry(plain("a"), (Paragraph(plain("more")),)), plain("b"))),)),
    ("> note", (Panel(kind="note", blocks=(Paragraph(plain("note")),)),)),
    ("> **Example** x", (Panel(kind="example", blocks=(Paragraph((Span("Example", strong=True), Span(" x"))),)),)),
    ("> # Head\n> x", (Panel(kind="example", blocks=(Heading("Head", 1), Paragraph(plain("x")))),)),
    ("a\n\n---\n\nb", (Paragraph(plain("a")), Divider(), Paragraph(plain("b")))),
    ("![a](b.png \"c\")", (Gallery(things=((mention("picture", "b.png", caption="c"), "a"),), caption="c"),)),
    (":card[a] :part[b]\n:card[c]", (Gallery(things=(
        (mention("card", "a"), "a"), (mention("part", "b"), "b"), (mention("card", "c", 2), "c"))),)),
    ("{coin}", (Paragraph((Span("coin", shown=mention("icon", "coin")),)),)),
    ("<!-- a\n\nb -->\n\nc", (Paragraph(plain("c")),)),
    ("| a | b | c |\n|---|:-:|--:|\n| 1 | | :card[x] |", (BookletTable(
        head=(plain("a"), plain("b"), plain("c")), widths=(), centred=(1,), ends=(2,), spot=Spot("rules.md", 1),
        rows=((plain("1"), (), Gallery(things=((mention("card", "x", 3), "x"),))),)),)),
    ("| | |\n|-|-|\n| 1 | 2 |", (BookletTable(head=(), rows=((plain("1"), plain("2")),), widths=(),
                                               spot=Spot("rules.md", 1)),)),
])
def test_blocks_are_values(text, expected):
    assert blocks(text) == expected


@pytest.mark.parametrize(("text", "title", "levels"), [
    ("# Game\n\n## A\n\n### B\n\n## C", "Game", [1, 2, 1]), ("# A\n\n# B", "", [1, 1]),
    ("## A\n\n## B", "", [1, 1]), ("# A", "A", []), ("<!-- c -->\n\n# A\n\nb", "A", []), ("## A", "", [1]),
    ("words\n\n# A\n\n## B", "", [1, 2]), ("# *My* {x} Game\n\n#### A\n\n##### B", "My  Game", [1, 2]),
    ("# A\n\n#### B\n\n# C", "", [1, 2, 1]), ("Game\n====\n\nA\n-\n\n###### B", "Game", [1, 2])])
def test_the_heading_above_all_others_is_the_title_and_no_level_is_left_out(text, title, levels):
    found = read(text)[0]
    assert (found.title, [block.level for block in found.blocks if isinstance(block, Heading)]) == (title, levels)


@pytest.mark.parametrize(("text", "line", "told"), [
    ("a **b", 1, "'**' is not paired"), ("a\n** b**", 2, "'**' is not paired"), ("a *b", 1, "'*' is not paired"),
    ("cost* x", 1, "'*' is not paired"), ("_a b", 1, "'_' is not paired"), ("a ==b", 1, "'==' is not paired"),
    ("a `b", 1, "'`' is not paired"), ("~~a~~", 1, "struck out words are not supported: '~~'"),
    ("a[^1]\n\n[^1]: b c", 1, "footnotes are not supported: '[^1]'"), ("a[^n]\n\n[^n]: b", 1, "'[^n]'"),
    ("- [ ] a", 1, "lists of tasks are not supported"), ("- b\n- [x] a", 2, "lists of tasks are not supported"),
    ("a\n\n<b>x</b>", 3, "HTML is not supported: '<b>'"), ("<div>\n\nx\n\n</div>", 1, "HTML is not supported: '<div>'"),
    ("<script>alert(1)</script>", 1, "HTML is not supported"), ("<!-- a --> <i>b</i>", 1, "HTML is not supported"),
    ("<?php x ?>", 1, "HTML"), ("<!-- open", 1, "HTML"), ("a <b c", 1, "HTML is not supported: '<b'"),
    ("```\nx\n```", 1, "blocks of code are not supported"), ("#Head", 1, "'#' is not a heading"),
    ("####### a", 1, "is not a heading"), ("#", 1, "is a heading without words"),
    ("a\n-b", 2, "'-' is not an entry of a list"), ("1.Setup", 1, "'1.' is not an entry of a list"),
    ("|a|b|\n|-|\n|1|2|", 1, "'|a|b|' is not a table"), ("a | b\n|---|---|---|", 2, "is not a table"),
    ("[a](b c)", 1, "a link or picture is not understood"), ("![a][b]", 1, "a link or picture is not understood"),
    ("[a](javascript:alert(1))", 1, "'javascript:alert(1)' is not an address"),
    ("[a](#setup)", 1, "'#setup' is not an address"), ("[a](file:///etc/passwd)", 1, "is not an address"),
    ("[a](data:text/html,x)", 1, "is not an address"), ("[a](//x.org)", 1, "is not an address"),
    (":kard[a]", 1, "':kard[a]' is not known (:card[name] or :part[name])"), (":card[a", 1, "':card[a' is not known"),
    ("pay {", 1, "'{' is not an icon"), ("{a b}{=}", 1, "is not an icon"), (":::tip\nx", 1, "containers"),
    ("> [!NOTE]\n> x", 1, "a box has no such mark: '[!NOTE]'"),
    ("a\n\n" + "> " * 14 + "b", 3, "lists and quotes are nested too deep"),
    ("a\n\n" + "x " * MAX_PARAGRAPH, 3, "a paragraph has more than 8,000 characters"),
    ("a\n\n" * MAX_MARKDOWN, 0, "has more than 150,000 characters"),
])
def test_what_would_print_raw_is_reported_with_its_line(text, line, told):
    problems = read(text)[1]
    place = f"rules.md:{line}" if line else "rules.md"
    assert any(each.startswith(f"{place}: ") and told in each and each.endswith(")") for each in problems), problems


def test_all_problems_come_at_once_and_few_enough_to_read():
    assert len(read("a **b\n\n<i>\n\n[x](y)\n\n~~c~~")[1]) == 4
    assert len(read("~~a\n\n" * 5_000)[1]) == 500
    assert len(read("|a|b|\n|-|\n" + "|1|2|\n" * 40)[1]) == 1


MARKS = ["*", "**", "_", "__", "==", "`", "~~", "[", "]", "](", "![", "[^", "(", ")", "<b>", "</b>", "<", ">", "{",
         "}", "|", "|---|", "---", "#", "##", "- ", "1. ", "> ", "    ", "\n", "\n\n", ":card[", ":x[", "{a}", "\\",
         "&lt;", "<!--", "-->", "<br>", "```", "a", "b c", "国", " ", "https://x.org", "!", ":", "=", "+"]
RAW = ["**", "__", "~~", "`", "](", "![", "[^", "|--", "==", ":card[", "<b", "</b", "<!--", "{", "}"]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(MARKS), max_size=24).map("".join))
def test_no_mark_is_ever_printed(text):
    """What is read without a problem holds no mark that is not escaped or in code."""
    found, problems = read(text)
    if problems or "\\" in text or "&lt;" in text or "`" in text:
        return
    words = [found.title, *words_of(found.blocks)]
    assert not [(mark, each) for each in words for mark in RAW if mark in each], (text, words)
    assert all("\0" not in each for each in words)


def words_of(blocks):
    """The words of each line; a heading has some for the outline as well."""
    for block in iter_blocks(blocks):
        if isinstance(block, Heading):
            yield block.words
        for line in (line for line in contents(block) if isinstance(line, tuple)):
            yield "".join("□" if span.shown else span.words for span in line[1])
