"""Laws of lettering, over texts and boxes: sizes and lines are those of a search one by one."""

from itertools import dropwhile, pairwise

import pytest
from hypothesis import given, strategies as st

from ppgen.engine.drawing import lettering as module
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.lettering import BALANCE_STEPS, MIN_BALANCE, SMALL_CAPITALS, Lettering, Line, TextSpan

PIECES = ["a", "Zug", "Karten", "verschiedener", "Länderwappensammlung", "2.", "**Attack:**", "\n", "\n\n", "- ",
          "日本の", "カード", "を。", "« oui »", "!"]


@given(words=st.lists(st.sampled_from(PIECES), min_size=1, max_size=40).map(" ".join), size=st.floats(1, 9),
       width=st.floats(2, 60), height=st.floats(2, 40), line=st.floats(0.3, 1.05) | st.floats(0.95, 1),
       shrink=st.floats(0.1, 0.9) | st.just(1.2), spacing=st.sampled_from([0, 0.1, -0.02]),
       leading=st.sampled_from([1.0, 1.2]), align=st.sampled_from(["left", "center"]))
def test_no_size_is_overlooked(fonts: FontBook, words: str, size: float, width: float, height: float, line: float,
                               shrink: float, spacing: float, leading: float, align: str) -> None:
    """Each drawing is equal to the letter, whether the text fits at once, later, or never."""
    lettering, least = Lettering(fonts=fonts), size * shrink

    def draw() -> list[str]:
        return [lettering.text(words, x=1, y=2, width=line * fonts.width(words, "text", size, spacing * size),
                               size=size, min_size=least, spacing=spacing),
                lettering.paragraph(words, x=1, y=2, width=width, height=height, size=size, min_size=least,
                                    leading=leading),
                lettering.rich(words, x=1, y=2, width=width, height=height, size=size, min_size=least, leading=leading,
                               spacing=spacing, align=align)]

    halved = draw()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_skip_too_large", lambda steps, fits: [*dropwhile(lambda step: not fits(step), steps)])
        assert halved == draw()


@given(words=st.lists(st.text("ailmWM", min_size=1, max_size=15), min_size=1, max_size=60), width=st.floats(2, 60))
def test_each_line_holds_as_many_words_as_fit(fonts: FontBook, words: list[str], width: float) -> None:
    fit = Lettering(fonts=fonts).fit(" ".join(words), width=width, height=9, size=3, markup=False)
    lines = [line.text for line in fit.lines]
    assert " ".join(lines) == " ".join(words)
    assert all(line.width <= width for line in fit.lines if " " in line.text)
    assert all(fonts.width(f"{line} {after.split(' ')[0]}", "text", 3) > width for line, after in pairwise(lines))


@given(words=st.lists(st.text("ailmWM", min_size=1, max_size=9), min_size=4, max_size=30), width=st.floats(25, 60))
def test_centred_lines_are_as_short_as_their_number_allows(fonts: FontBook, words: list[str], width: float) -> None:
    lettering = Lettering(fonts=fonts)

    def break_lines(width: float, balanced: bool) -> list[Line]:
        blocks = module._plain_blocks(" ".join(words), "text")
        return [*lettering._fit_lines(blocks, width, 999, 3, None, 1.2, 0, balanced).lines]

    balanced, filled = break_lines(width, True), break_lines(width, False)
    assert len(balanced) == len(filled)
    longest, least = max(line.width for line in balanced), width * MIN_BALANCE
    shorter = longest - (width - least) / 2 ** BALANCE_STEPS - 0.01
    assert longest <= width and (len(filled) == 1 or shorter < least or len(break_lines(shorter, False)) > len(filled))


def test_a_line_is_measured_about_where_it_ends(fonts: FontBook, monkeypatch: pytest.MonkeyPatch) -> None:
    measured, width = [], FontBook.width
    monkeypatch.setattr(FontBook, "width", lambda *words: measured.append(words) or width(*words))
    words = " ".join(f"Each of the {number} cards moves {number * 7} steps." for number in range(40))
    fit = Lettering(fonts=fonts).fit(words, width=60, height=999, size=3, markup=False)
    assert len(measured) <= 4 * len(fit.lines)


@given(st.text("aBcß É9-", max_size=12))
def test_small_capitals_are_small_where_the_letters_were(words: str) -> None:
    parts = module._set_capitals(TextSpan(words, "text"), "small")
    found = [(letter, share) for text, share in parts for letter in text]
    assert found == [(capital, SMALL_CAPITALS if letter.islower() else 1) for letter in words
                     for capital in letter.upper()]
