"""The names of files: a file has in its name what makes it another one, and nothing else."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from ppgen.engine.geometry import A4, UNSCALED, Format, Point, Scale, Size
from ppgen.engine.imposition.sheets import Backs, BookletLayout, Flip, Marks, Order
from ppgen.printing.calibration import read_number
from ppgen.printing.request import FIT, OPTIONS, BuildRequest, OutputKind, Parser, PrintOption, Profile, parse_filter
from ppgen.printing.set_build import build_set
from ppgen.targets.piece_pictures import variant

pytestmark = pytest.mark.usefixtures("kept")

LETTER = Format("letter", Size(215.9, 279.4))
OFFSET = Point(0.5, -0.8)
HOME = Profile(name="home", back_offset=OFFSET, back_rotation=-0.23, scale=Scale(1.005, 0.998))
USUAL = BuildRequest(langs=("de",), papers=(A4,))
CHANGES = {
    "paper": {"papers": (LETTER,)}, "size": {"card_size": Format("poker", Size(63.5, 88.9))},
    "fold": {"backs": Backs.FOLD}, "none": {"backs": Backs.NONE}, "flip": {"flip": Flip.SHORT},
    "offset": {"back_offset": OFFSET}, "turn": {"back_rotation": -0.23}, "scale": {"scale": HOME.scale},
    "ink": {"ink": "low"}, "lines": {"marks": Marks.LINES}, "no marks": {"marks": Marks.NONE},
    "silhouette": {"marks": Marks.SILHOUETTE}, "bleed": {"bleed": 1.0}, "margin": {"margin": 10.0},
    "order": {"order": Order.STACK}, "abreast": {"sheets_per_page": 2}, "pad": {"pad": 3},
    "thickness": {"card_thickness": 0.4}, "pages": {"booklet": BookletLayout.PAGES},
    "fold, booklet": {"backs": Backs.FOLD, "booklet": BookletLayout.FOLDED},
    "fold, flip, drift": {"backs": Backs.FOLD, "flip": Flip.SHORT, "back_offset": OFFSET, "back_rotation": -0.23},
    "abreast, lines": {"sheets_per_page": 2, "marks": Marks.LINES},
}


PARTS = {"tablets": OutputKind.PIECES, "stones": OutputKind.FRONTS, "score-sheet": OutputKind.SCORE_SHEET,
         "box": OutputKind.BOX, "calibration": OutputKind.CALIBRATION}
"""The parts that are quick to build, one of each kind but for the booklets."""


def names_and_contents(workshop, **changes):
    """For each part, the name of its file in a build and what is in it."""
    built = build_set(replace(USUAL, **changes, parts=tuple(PARTS)), workshop)
    files = {file.path: file.content for file in built.files if file.path.endswith(".pdf")}
    return {part: next((name, content) for name, content in files.items() if name.startswith(f"de/{part}-"))
            for part in PARTS}


@pytest.mark.slow
def test_a_file_has_another_name_just_where_its_content_is_another(workshop):
    """Each of the parts is touched by some of these options, and not by others."""
    usual = names_and_contents(workshop)
    for change in ("fold", "ink", "thickness"):
        for part, (name, content) in names_and_contents(workshop, **CHANGES[change]).items():
            assert (name == usual[part][0]) == (content == usual[part][1]), (change, name)


def test_only_options_that_touch_a_kind_of_file_are_in_its_name(golden_cases):
    asked = [replace(USUAL, **changes) for changes in ({}, *CHANGES.values())]
    golden_cases("file-names", lambda part: sorted({
        request.stem(part, request.papers[0], PARTS[part]) for request in asked}))


UNBUILT = {
    "sleeved": {"sleeved": True}, "skin": {"skin": "plain"}, "board": {"board_scale": 0.75},
    "board to fit": {"board_scale": FIT}, "pieces": {"chosen": ("discs",)},
    "where": {"where": parse_filter("cost>3")}, "where else": {"where": parse_filter("cost<3")},
    "changed": {"changed": True},
    "printer": {"profile": HOME, "back_offset": OFFSET, "back_rotation": -0.23, "scale": HOME.scale},
}
"""More that may be asked for."""


@cache
def requests():
    """Builds of both games with up to two changes at once."""
    changes = [*CHANGES.values(), *UNBUILT.values()]
    return [replace(USUAL, game=game, **{name: value for change in some for name, value in change.items()})
            for count in range(3) for some in combinations(changes, count) for game in ("", "board-game")]


def test_every_option_that_tells_files_apart_has_its_words():
    assert {name for name, option in OPTIONS.items() if not (option.word or option.words)} == {"backs"}


TYPED = {"LENGTH": ("0.4mm", "3mm"), "X,Y": ("0.5,-0.8", "-1,2"), "DEGREES": ("-0.23", "3"), "DPI": ("350dpi",),
         "PERCENT|fit": ("fit", "75%", "200%"), "PERCENT": ("80%", "150%"),
         "EXPR": ("cost>3",), "URL": ("https://example.org",)}
"""For each parser of options, texts that it takes."""


def other_values(option: PrintOption) -> list[object]:
    """Values of an option beside its default."""
    match option.values:
        case Parser(parse, metavar):
            values = [parse(text) for text in TYPED[metavar]]
        case None:
            values = [HOME.scale if option.default == UNSCALED else not option.default]
        case type() if option.values is bool:
            values = [*option.words]
        case values:
            values = [*values]
    return [value for value in values if value != option.default]


@pytest.mark.parametrize("kind", [*OutputKind, OutputKind.ALL], ids=lambda kind: kind.name)
def test_no_builds_that_differ_share_a_name_whatever_they_are_of(kind):
    """What makes a difference to a file are a printer's values, not what its profile is called."""
    owners: dict[str, BuildRequest] = {}
    for request in requests():
        touched = replace(request.relevant_to(kind), profile=Profile())
        assert owners.setdefault(request.stem("part", request.papers[0], kind), touched) == touched
    assert len(owners) >= 2 * 4


def test_no_exports_that_differ_share_a_folder():
    poker = Format("poker", Size(63.5, 88.9))
    changes = ({"card_size": poker}, {"ink": "low"}, {"skin": "plain"}, {"chosen": ("discs",)}, {"game": "board-game"})
    asked = [replace(USUAL, **{name: value for change in some for name, value in change.items()})
             for count in range(len(changes) + 1) for some in combinations(changes, count)]
    assert len({variant(request, "tts") for request in asked}) == len(asked) == 32


def test_values_of_options_are_read_as_they_were(golden_cases):
    def answer(text):
        name, _, value = text.partition(" ")
        try:
            yield repr((read_number if name == "number" else OPTIONS[name].values.parse)(value))
        except ValueError as refused:
            yield f"refused: {refused}"

    golden_cases("options", answer)
