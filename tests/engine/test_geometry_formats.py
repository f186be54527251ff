"""Papers and card sizes by name or measure."""

import pytest

from ppgen.engine.geometry import Size, read_formats
from ppgen.errors import InputError


@pytest.mark.parametrize(("name", "width", "height"), [
    ("a4", 210, 297), ("letter", 215.9, 279.4), ("a3", 297, 420), ("legal", 215.9, 355.6), ("tabloid", 279.4, 431.8),
])
def test_the_promised_papers_are_there_in_their_exact_size(formats, name, width, height):
    size = formats.paper(name).size
    assert (size.width, size.height) == pytest.approx((width, height))


@pytest.mark.parametrize(("name", "width", "height"), [
    ("mini-euro", 44, 68), ("mini-us", 41, 63), ("poker", 63.5, 88.9), ("standard", 63, 88), ("bridge", 57.15, 88.9),
    ("euro", 59, 92), ("japanese", 59, 86), ("tarot", 70, 120), ("square-70", 70, 70),
])
def test_the_promised_card_sizes_are_there(formats, name, width, height):
    size = formats.card_size(name).size
    assert (size.width, size.height) == pytest.approx((width, height))


def test_a_paper_is_kept_in_portrait_however_it_was_measured(formats):
    assert formats.paper("300x200mm").size == Size(200, 300)


def test_a_card_keeps_the_way_it_was_measured(formats):
    assert formats.card_size("88x63").size == Size(88, 63)


@pytest.mark.parametrize(("ask", "text", "name"), [
    ("paper", "210x297mm", "a4"), ("paper", "8.5x11in", "letter"), ("paper", "215.9x279.4mm", "letter"),
    ("card_size", "6.3x8.8cm", "standard"), ("card_size", "63.5x88.9mm", "poker"),
    ("card_size", "57.15x88.9", "bridge"), ("card_size", "60x80", "60x80"),
])
def test_a_measure_that_has_a_name_is_called_by_it(formats, ask, text, name):
    assert getattr(formats, ask)(text).name == name


def test_names_may_be_written_in_capitals(formats):
    assert formats.paper(" A4 ") == formats.paper("a4")


@pytest.mark.parametrize("text", ["a99", "papyrus", "standard"])
def test_an_unknown_paper_is_told_the_known_ones(formats, text):
    with pytest.raises(ValueError, match=rf"unknown paper '{text}' \(known: .*a4.*letter"):
        formats.paper(text)


@pytest.mark.parametrize(("ask", "text"), [
    ("paper", "10x10"), ("paper", "210x99999"), ("card_size", "5x5"), ("card_size", "63x5000")])
def test_a_measure_out_of_range_is_told_the_range(formats, ask, text):
    with pytest.raises(ValueError, match=r"out of range \(each side from \d+ to \d+ mm\)"):
        getattr(formats, ask)(text)


def test_a_new_paper_needs_only_a_line(tmp_path):
    (tmp_path / "papers.toml").write_text('[papers]\nsra3 = "320x450mm"\n')
    (tmp_path / "sizes.toml").write_text('[sizes]\ntiny = "1x1.5in"\n')
    found = read_formats(tmp_path)
    assert found.paper("sra3").size == Size(320, 450)
    tiny = found.card_size("tiny").size
    assert (tiny.width, tiny.height) == pytest.approx((25.4, 38.1))


def test_every_bad_line_of_both_files_is_named_with_its_place(tmp_path):
    (tmp_path / "papers.toml").write_text('[papers]\na4 = "210 by 297"\nA5 = "148x210mm"\nb = 3\n')
    (tmp_path / "sizes.toml").write_text('\n[sizes]\nmini = "44x"\n\n[colours]\nred = 1\n')
    with pytest.raises(InputError) as caught:
        read_formats(tmp_path)
    found = {(problem.place.rpartition("/")[2], problem.line, problem.key) for problem in caught.value.problems}
    assert found == {("papers.toml", 2, "papers.a4"), ("papers.toml", 3, "papers.A5"), ("papers.toml", 4, "papers.b"),
                     ("sizes.toml", 3, "sizes.mini"), ("sizes.toml", 5, "colours")}
