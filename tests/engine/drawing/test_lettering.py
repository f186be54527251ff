"""Words and a box become SVG text that fits, or that the check can refuse; and outlines that look like it."""

import html
import io
import re
from itertools import pairwise
from math import atan2, degrees

import pytest
from bidi import get_display
from hypothesis import given, settings, strategies as st
from PIL import Image

from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import visual_order
from ppgen.engine.drawing.lettering import (TOLERANCE, Lettering, Line, SpanLook, TextSpan, _height, _split_at_breaks,
                                            parse_markup)
from ppgen.engine.drawing.svg_check import check_svg
from ppgen.engine.geometry import Size
from ppgen.engine.pdf.typesetting import faces_png

WORDS = "Nimm in diesem Zug Karten verschiedener Länder."


@pytest.fixture
def lettering(fonts):
    return Lettering(fonts=fonts)


def sizes(svg):
    return [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]


def lines(svg):
    return [re.sub(r"<[^>]+>", "", line) for line in re.findall(r"<text.*?</text>", svg)]


def faults(svg, lettering):
    _, found = check_svg(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 72">{svg}</svg>', "0 0 48 72",
                         texts=lettering.judged)
    return [violation.what for violation in found]


def test_a_text_that_fits_at_no_size_is_refused_by_the_check(lettering, fonts):
    svg = lettering.text(WORDS, x=0, y=0, width=30, size=4, min_size=3)
    over = fonts.width(WORDS, "text", 3) - 30
    assert sizes(svg) == [3]
    assert [f"is {over:.1f} mm too wide for its box" in fault for fault in faults(svg, lettering)] == [True]


@pytest.mark.parametrize("bend", [2, -2])
def test_letters_of_a_bent_text_stand_on_a_bend_that_is_even_about_its_middle(lettering, fonts, bend):
    svg = lettering.text("OTTO", x=24, y=9, width=30, size=5, anchor="middle", bend=bend)
    places = [tuple(map(float, found)) for found in
              re.findall(r"translate\(([-\d.]+) ([-\d.]+)\) rotate\(([-\d.]+)\)", svg)]
    assert lines(svg) == list("OTTO")
    assert [48 - x for x, *_ in reversed(places)] == pytest.approx([x for x, *_ in places], abs=0.1)
    assert [-turn for *_, turn in reversed(places)] == pytest.approx([turn for *_, turn in places], abs=0.5)
    assert all((y - 9) * bend > 0 for _, y, _ in places)
    for (x0, y0, one), (x1, y1, other) in pairwise(places):
        assert degrees(atan2(y1 - y0, x1 - x0)) == pytest.approx((one + other) / 2, abs=0.5)
    assert abs(places[1][1] - 9 - bend) < abs(places[0][1] - 9 - bend)
    assert faults(svg, lettering) == []


LETTERS = st.text(st.sampled_from("אבגعربabc123٣٤()[]. ,:-+%$!«»〓"), min_size=1, max_size=25)


@given(LETTERS, st.booleans())
def test_characters_of_a_line_stand_in_the_order_of_the_bidirectional_algorithm(words, is_leftward):
    places = [each.place for each in visual_order(words, is_leftward)]
    shown = "".join(words[places.index(n)] for n in range(len(words)))
    assert shown == get_display(words, base_dir="R" if is_leftward else "L")


@given(st.lists(st.sampled_from(("ماء", "(12)", "Fire", "{icon}", "**نار**", "א!", "٣")), min_size=1, max_size=8))
def test_runs_of_a_line_in_both_directions_take_its_width_without_gaps(fonts, words):
    lettering = Lettering(fonts=fonts, icons=lambda name: Block())
    (block,) = (lettering._direct(block, "") for block in parse_markup(" ".join(words), "text", "", lettering.icons))
    line = Line(block.spans, lettering._measure(block.spans, 4, 0), is_leftward=block.is_leftward)
    stretches = sorted((at, at + width) for _, _, at, width in lettering._placed(line, 0, 4, 0))
    assert stretches[0][0] == pytest.approx(0) and stretches[-1][1] == pytest.approx(line.width)
    assert all(one[1] == pytest.approx(other[0]) for one, other in pairwise(stretches))


@pytest.mark.parametrize(("words", "how", "right"), [
    ("ماء", {}, 40), ("ماء", {"align": "left"}, 0), ("Fire", {"dir": "rtl"}, 40), ("Fire", {}, 0),
    ("ماء", {"align": "end"}, 0), ("ماء", {"dir": "ltr"}, 0), ("- ماء", {}, 40)])
def test_a_line_starts_at_the_side_where_reading_starts(lettering, fonts, words, how, right):
    svg = lettering.rich(words, x=0, y=0, width=40, height=20, size=4, **how)
    starts = [float(x) for x in re.findall(r'<tspan x="([-\d.]+)"', svg)] or [0.0]
    if right:
        assert max(starts) > 30 and "ltr" not in svg
    else:
        assert starts == [0.0]


def test_french_colons_and_guillemets_stay_with_their_words(lettering, fonts):
    words = "Ensuite : autant que la place d’avant « en a »."
    for width in range(14, 60):
        found = lines(lettering.paragraph(words, x=0, y=0, width=width, height=99, size=3))
        assert " ".join(found) == words
        assert not [line for line in found if line[0] in ":»" or line[-1] == "«"], width


@pytest.mark.slow
@given(st.lists(st.from_regex(r"\[?[A-Z][a-z]{2,9}\]?", fullmatch=True), min_size=2, max_size=8),
       st.sampled_from("/-|_"))
def test_a_word_wider_than_its_box_is_broken_behind_its_signs_and_no_other_word(fonts, parts, sign):
    lettering, word = Lettering(fonts=fonts), sign.join(parts)
    widest = max(fonts.width(part + sign, "text", 3) for part in parts) + 1
    broken = lines(lettering.paragraph(word, x=0, y=0, width=widest, height=99, size=3))
    assert "".join(broken) == word
    assert all(fonts.width(line, "text", 3) <= widest for line in broken)
    assert all(line.endswith((sign, "]")) for line in broken[:-1])
    wide = fonts.width(word, "text", 3) + 1
    assert lines(lettering.paragraph(word, x=0, y=0, width=wide, height=99, size=3)) == [word]


def test_lines_break_where_readers_expect_it(golden_cases):
    golden_cases("line-breaks", lambda words: ["|".join(_split_at_breaks(words))])


def test_japanese_breaks_between_characters_but_not_before_a_full_stop(lettering):
    svg = lettering.paragraph("国国国。国国国。", x=0, y=0, width=10, height=99, size=3)
    assert len(lines(svg)) > 1
    assert not any(line.startswith("。") for line in lines(svg))


class Block:
    """An icon: a black rectangle."""

    aspect = 1.5

    def draw(self, x, y, size, fill):
        return f'<rect x="{x - 0.75 * size:.3f}" y="{y - size / 2:.3f}" width="{1.5 * size:.3f}" height="{size:.3f}"/>'


MARKED_WORDS = st.lists(st.sampled_from([
    "**AV**", "*fi*AV", "==To==", "{x}", "**漢**字、", "A**V**A", "T*o*", "3 * 4", "5{x}"]), min_size=1, max_size=6)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(words=MARKED_WORDS, align=st.sampled_from(["left", "right"]))
def test_marked_words_are_printed_as_wide_as_reckoned(fonts, words, align):
    """Their ink ends where the outlines of the last letter do, to a pixel of 0.01 mm."""
    svg = Lettering(fonts=fonts, icons=lambda name: Block()).rich(
        " ".join(words) + "H", x=1, y=8, width=58, size=3, align=align, min_size=1)
    size = sizes(svg)[0]
    line = re.findall(r'<tspan x="([\d.]+)"[^>]*>([^<]*)</tspan></text>', svg)
    if not line:  # no marks
        return
    place, letters = float(line[-1][0]), html.unescape(line[-1][1])
    reckoned = place + fonts.reach(letters, "text", size)
    root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 5 60 4">{svg}</svg>'
    face = Face(svg=root, size=Size(60, 4), bleed=0)
    with Image.open(io.BytesIO(faces_png([face], fonts.folder, 2540)[0])) as picture:
        _, _, right, _ = picture.getchannel("A").point(lambda level: 255 * (level > 127)).getbbox()
    assert right / 100 == pytest.approx(reckoned, abs=0.011)
    if align == "right":
        assert place + fonts.width(letters, "text", size) == pytest.approx(59, abs=0.01)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(words=MARKED_WORDS, width=st.floats(4, 40), spacing=st.sampled_from([0, 0.1]))
def test_the_check_reports_a_marked_line_if_and_only_if_it_does_not_fit(fonts, words, width, spacing):
    lettering = Lettering(fonts=fonts, icons=lambda name: Block())
    line = "".join(words) + "H"
    box = {"y": 9, "size": 3, "spacing": spacing}
    wide = lettering.rich(line, x=0, width=500, align="left", **box)
    starts = [(float(x), html.unescape(run)) for x, run in re.findall(r'<tspan x="([\d.]+)"[^>]*>([^<]*)<', wide)]
    if not starts:
        return
    needed = starts[-1][0] + fonts.width(starts[-1][1], "text", 3, spacing * 3)
    found = [fault for fault in faults(lettering.rich(line, x=0, width=width, **box), lettering) if "too wide" in fault]
    if abs(needed - spacing * 3 - width) > 0.05:
        assert bool(found) == (needed - spacing * 3 > width)


def test_rich_words_are_set_as_they_were(golden_cases, fonts):
    def answer(words):
        for width in (22, 5):
            lettering = Lettering(fonts=fonts, icons=lambda name: Block())
            svg = lettering.rich(words, x=0, y=5, width=width, height=60, size=3, accent="#b02020")
            yield svg.replace("<text", "\n<text")
            yield from (sorted(text.markup) for text in lettering.judged.values() if text.markup)

    golden_cases("rich", answer)


@given(words=st.sampled_from(["Wort", "Wort " * 9, "漢字" * 9, "**Wort** {x} ==an== Wort", "- Wort\n\n- {x}",
                              "a\u05d0\u05d1 b"]),
       width=st.floats(1, 60), height=st.none() | st.floats(1, 20), least=st.floats(0.5, 4),
       spacing=st.sampled_from([0, 0.2, -0.05]), outline=st.sampled_from(["", "#fff 0.3"]), keep=st.booleans())
def test_what_is_set_is_as_wide_and_high_as_its_box_or_a_fault_says_by_how_much_not(
        fonts, words, width, height, least, spacing, outline, keep):
    lettering = Lettering(fonts=fonts, icons=lambda name: Block())
    options = {"width": width, "size": 4.0, "min_size": least, "spacing": spacing}
    try:
        svg = lettering.rich(words, x=0, y=5, height=height, outline=outline, keep=keep, **options)
    except ValueError as error:
        assert "its icons are" in str(error)
        return
    found = {fault.what.partition("' is ")[2] for text in lettering.judged.values() for fault in text.faults}
    fit = lettering._fit_lines(parse_markup(words, "text", "", lettering.icons), width, height or 99, 4.0, least, 1.2,
                               spacing)
    if keep:
        assert not found
    elif height:
        over = [f"{each:.1f} mm too {way} for its box" for way, each in (
            ("high", fit.height - height), *(("wide", line.indent + line.width - spacing * fit.size - width)
                                             for line in fit.lines)) if each > TOLERANCE]
        assert found == {*over}
    assert ("too wide" in "".join(faults(svg, lettering))) == any("wide" in fault for fault in found)


@pytest.mark.parametrize(("words", "options", "what"), [
    ("a", {"size": -4}, "a size of -4 mm"), ("a", {"size": 0}, "a size of 0 mm"),
    ("a", {"size": 1e9}, "a size of 1e+09"),
    ("a", {"min_size": 0}, "a size of 0 mm"), ([{"words": "a", "size": 501}], {}, "a size of 501 mm"),
    ("a漢" * 60, {}, "changes its font or look more than 100 times")])
def test_type_that_no_program_sets_is_refused(lettering, words, options, what):
    with pytest.raises(ValueError, match=re.escape(what)):
        lettering.rich(words, x=0, y=5, **{"width": 999, "size": 4, **options})


def test_a_text_of_two_lines_is_a_line_and_its_leading_high(lettering):
    box = {"width": 40.0, "height": 40.0, "size": 4.0}
    assert lettering.fit("a\nb", **box).height == pytest.approx(4 * 2.2)
    assert lettering.fit("a\nb", **box, leading=1.5, markup=False).height == pytest.approx(4 * 2.5)


def test_larger_words_in_a_line_push_the_lines_apart():
    def line(scale):
        return Line((TextSpan("a", "text", look=SpanLook(scale=scale)),), 9.0)

    assert _height([line(1), line(1)], 1.2) == pytest.approx(2.2)
    assert _height([line(2)], 1.2) == pytest.approx(2)
    assert _height([line(1), line(2)], 1.2) > _height([line(1), line(1.5)], 1.2) > 2.4
