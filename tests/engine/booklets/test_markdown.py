"""Markdown into blocks, and what looks like Markdown but is none."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.engine.booklets.booklet import Heading, contents, iter_blocks
from ppgen.engine.booklets.markdown import MAX_MARKDOWN, MAX_PARAGRAPH, read_markdown
from ppgen.errors import Problems
from ppgen.reading.fields import Source


def read(text: str):
    problems = Problems()
    found = read_markdown(Source(Path("rules.md"), text), problems)
    return found, [str(problem) for problem in problems]


def test_what_markdown_becomes_and_what_would_be_printed_raw(golden_cases):
    def answer(text):
        found, problems = read(text)
        yield from [f"title {found.title!r}"] if found.title else ()
        for block in () if problems else found.blocks:
            yield re.sub(r", \w+=(?:False|''|None|\(\))(?=[,)])", "", repr(block))
        yield from problems

    golden_cases("markdown", answer)


@pytest.mark.parametrize(("text", "line", "told"), [
    ("a\n\n" + "x " * MAX_PARAGRAPH, 3, "a paragraph has more than 8,000 characters"),
    ("a\n\n" * MAX_MARKDOWN, 0, "has more than 150,000 characters")])
def test_what_is_too_long_is_reported(text, line, told):
    (problem,) = read(text)[1]
    assert told in problem and problem.startswith(f"rules.md:{line}: " if line else "rules.md: ")


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
