"""Markup into blocks."""

from __future__ import annotations

import pytest

from ppgen.engine.booklets.booklet import MAX_NOTES, Heading, Listing, Panel, Paragraph, Span, parse_blocks, parse_line


def test_spans_are_strong_or_emphasised():
    assert parse_line("a *b c* _d_ e") == (
        Span("a "), Span("b c", strong=True), Span(" "), Span("d", emphasis=True), Span(" e"))


@pytest.mark.parametrize("words", ["3 * 4 * 5", "snake_case_name", "2 × 3", "* a *"])
def test_lone_signs_are_just_signs(words):
    assert parse_line(words) == (Span(words),)


def test_blocks_are_parted_by_empty_lines():
    text = "one\ntwo\n\n## Small\n\n- a\n- b\n  c\n\n1. first\n2. second\n\n> note\n>\n> - x"
    assert parse_blocks(text, {}) == (
        Paragraph((Span("one two"),)), Heading("Small", 2),
        Listing(((Span("a"),), (Span("b c"),))), Listing(((Span("first"),), (Span("second"),)), numbered=True),
        Panel(kind="note", blocks=(Paragraph((Span("note"),)), Listing(((Span("x"),),)))))


def test_a_placeholder_alone_is_an_insert():
    inserted = Paragraph((Span("picture"),))
    assert parse_blocks("a\n\n{figure}\n\nb", {"figure": (inserted,)})[1] is inserted


@pytest.mark.parametrize("text", ["{nothing}", "words {figure} words"])
def test_a_stray_placeholder_is_an_error(text):
    with pytest.raises(ValueError, match=r"\{(nothing|figure)\}"):
        parse_blocks(text, {"figure": ()})


def test_japanese_lines_are_joined_without_a_space():
    assert parse_blocks("国カード\nを取る", {}) == (Paragraph((Span("国カードを取る"),)),)


def test_headings_follow_each_other_as_long_as_they_like():
    blocks = parse_blocks("\n".join(["## a"] * 2_000 + ["word"]), {})
    assert [type(block).__name__ for block in blocks] == ["Heading"] * 2_000 + ["Paragraph"]


def test_notes_in_notes_have_a_bound():
    assert len(parse_blocks("> " * MAX_NOTES + "word", {})) == 1
    with pytest.raises(ValueError, match="notes in notes, more than 5 deep"):
        parse_blocks(">" * 1_200 + " word", {})
