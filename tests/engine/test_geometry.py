"""Rectangles on a page; written lengths; papers and card sizes by name or measure."""

import pytest
from hypothesis import given, strategies as st

from ppgen.engine.geometry import MM, Rect, Scale, Size, parse_length, parse_size, read_formats
from ppgen.errors import InputError

hundredths = st.integers(-100_000, 100_000).map(lambda number: number / 100)
lengths = st.integers(1, 100_000).map(lambda number: number / 100)
units = st.sampled_from(sorted(MM))


def close(found, wanted):
    return abs(found - wanted) < 1e-6


@pytest.mark.parametrize("length", [-1.0, -1e-9, float("nan"), float("inf")])
def test_no_size_is_nonsense_and_no_scale_nothing(length):
    for nonsense in (lambda: Size(length, 1), lambda: Size(1, length), lambda: Rect(0, 0, length, 1),
                     lambda: Rect(0, 0, 1, length), lambda: Scale(length, 1), lambda: Scale(1, length),
                     lambda: Scale(0, 1)):
        with pytest.raises(ValueError, match=r"no (size|scale)"):
            nonsense()
    assert Size(0, 0).portrait == Rect(3, 4, 0, 0).size


@given(number=hundredths, unit=units, space=st.sampled_from(["", " "]))
def test_a_length_comes_back_as_it_was_written(number, unit, space):
    text = f"{space}{number:.2f}{space}{unit.upper() if space else unit}"
    assert close(parse_length(text), number * MM[unit]) and parse_length(text.replace(".", ",")) == parse_length(text)


@given(width=lengths, height=lengths, units=st.tuples(units, units), cross=st.sampled_from(["x", "×", " x ", "X"]))
def test_a_size_comes_back_as_it_was_written_and_as_it_is_shown(width, height, units, cross):
    """A unit at its end counts for both lengths."""
    text = f"{width:.2f}{units[0]}{cross}{height:.2f}{units[1]}"
    found = parse_size(text)
    assert parse_size(text.replace(".", ",")) == found
    assert close(found.width, width * MM[units[0] or units[1]]) and close(found.height, height * MM[units[1]])
    shown = parse_size(str(Size(width, height)).replace(" mm", "mm"))
    assert close(shown.width, width) and close(shown.height, height)


@given(text=st.text("0123456789.,+-eE mcinpt²½１٠", max_size=12))
def test_any_text_is_a_finite_length_or_a_plain_refusal(text):
    try:
        assert abs(parse_length(text)) < float("inf")
    except ValueError as error:
        assert text in str(error)


@pytest.mark.parametrize(("ask", "sizes"), [
    ("paper", {"a4": (210, 297), "letter": (215.9, 279.4), "a3": (297, 420), "legal": (215.9, 355.6),
               "tabloid": (279.4, 431.8), " A4 ": (210, 297), "300x200mm": (200, 300)}),
    ("card_size", {"mini-euro": (44, 68), "mini-us": (41, 63), "poker": (63.5, 88.9), "standard": (63, 88),
                   "bridge": (57.15, 88.9), "euro": (59, 92), "japanese": (59, 86), "tarot": (70, 120),
                   "square-70": (70, 70), "88x63": (88, 63)})])
def test_the_promised_papers_and_cards_are_there_and_only_papers_are_turned_upright(formats, ask, sizes):
    for name, size in sizes.items():
        found = getattr(formats, ask)(name).size
        assert (found.width, found.height) == pytest.approx(size), name


@pytest.mark.parametrize(("ask", "text", "what"), [
    *(("paper", text, rf"unknown paper '{text}' \(known: .*a4.*letter") for text in ("a99", "papyrus", "standard")),
    *((ask, text, r"out of range \(each side from \d+ to \d+ mm\)") for ask, text in (
        ("paper", "10x10"), ("paper", "210x99999"), ("card_size", "5x5"), ("card_size", "63x5000")))])
def test_an_unknown_paper_is_told_the_known_ones_and_a_wrong_measure_the_range(formats, ask, text, what):
    with pytest.raises(ValueError, match=what):
        getattr(formats, ask)(text)


def test_a_new_paper_needs_only_a_line_and_every_bad_line_is_named_with_its_place(tmp_path):
    (tmp_path / "papers.toml").write_text('[papers]\nsra3 = "320x450mm"\n')
    (tmp_path / "sizes.toml").write_text('[sizes]\ntiny = "1x1.5in"\n')
    found = read_formats(tmp_path)
    assert (found.paper("sra3").size, found.card_size("tiny").size.width) == (Size(320, 450), pytest.approx(25.4))
    (tmp_path / "papers.toml").write_text('[papers]\na4 = "210 by 297"\nA5 = "148x210mm"\nb = 3\n')
    (tmp_path / "sizes.toml").write_text('\n[sizes]\nmini = "44x"\n\n[colours]\nred = 1\n')
    with pytest.raises(InputError) as caught:
        read_formats(tmp_path)
    problems = {(problem.place.rpartition("/")[2], problem.line, problem.key) for problem in caught.value.problems}
    assert problems == {("papers.toml", 2, "papers.a4"), ("papers.toml", 3, "papers.A5"),
                        ("papers.toml", 4, "papers.b"), ("sizes.toml", 3, "sizes.mini"), ("sizes.toml", 5, "colours")}
