"""ppgen preview on the command line: pictures once, and again after each save."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image

HERE = "output/de/preview-a4-duplex"
TOKENS = {*(f"claim-stone-{n}" for n in range(1, 6)), "law-take-back-stone", "law-three-symbols",
          "law-mixed-countries", "law-minus-two", "tablets-back"}
DOT = '<circle cx="11" cy="11" r="1" fill="#FF0000"/></svg>'


def preview(desk, *words):
    return desk.ppgen("preview", "--lang", "de", "--only", "tokens", *words)


def test_faces_and_a_contact_sheet_are_what_you_get(desk):
    done = preview(desk, "--dpi", "60")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == [name for name in done.stdout.splitlines() if name.endswith(".png")]
    assert {*done.stdout.splitlines()} == {*desk.files()}
    assert {*desk.files()} == {f"{HERE}-60dpi/{name}.png" for name in (*TOKENS, "contact-sheet-tokens")}


def test_names_and_patterns_choose_a_few_faces(desk):
    done = preview(desk, "claim-stone-1", "law-m*", "--quiet")
    assert (done.exit_code, done.output) == (0, "")
    assert {*desk.files()} == {f"{HERE}/{name}.png" for name in (
        "claim-stone-1", "law-minus-two", "law-mixed-countries", "tablets-back")}


def test_json_tells_size_and_place_of_each_picture(desk, formats):
    done = preview(desk, "--json", "--dpi", "100", "law-minus-two", "--show", "faces", "--show", "pages")
    pictures = json.loads(done.stdout)["pictures"]
    assert [(each["show"], each["part"], each["dpi"]) for each in pictures] == [
        ("faces", "tablets", 100), ("faces", "tablets", 100), ("pages", "tablets", 100), ("pages", "tablets", 100)]
    assert [each["shows"][0] for each in pictures[:2]] == [
        {"component": "law-minus-two", "face": "front"}, {"component": "law-minus-two", "face": "back"}]
    assert (pictures[2]["width_mm"], pictures[2]["height_mm"]) == (210, 297)
    for each in pictures:
        with Image.open(io.BytesIO((desk.folder / each["path"]).read_bytes())) as picture:
            assert picture.size == (each["width_px"], each["height_px"])
            assert picture.size == pytest.approx([round(each[side] / 25.4 * 100) for side in ("width_mm", "height_mm")],
                                                 abs=1)
            assert picture.info["dpi"] == pytest.approx((100, 100), abs=0.1)


def test_the_same_input_gives_the_same_bytes(desk):
    preview(desk, "--dpi", "60")
    first = desk.files()
    preview(desk, "--dpi", "60", "--no-cache")
    assert desk.files() == first


def test_booklets_have_pages(desk):
    done = desk.ppgen("preview", "-l", "de", "--only", "rules", "--show", "pages", "--dpi", "36")
    assert done.exit_code == 0, done.output
    assert f"{HERE}-36dpi/rules-page-1.png" in desk.files()
    done = desk.ppgen("preview", "-l", "de", "--only", "guide")
    assert done.exit_code == 2 and "--show pages" in done.output


@pytest.mark.parametrize(("words", "said"), [
    (("law-minus-too",), "did you mean law-minus-two?"),
    (("--paper", "2000x2000", "--only", "score-sheet", "--dpi", "600"), "million pixels"),
    (("--paper", "blah"), "--paper: unknown paper 'blah'"),
    (("--dpi", "5"), "a whole number from 36 to 600"),
    (("--show", "everything"), "contact"),
    (("--json", "--watch"), "--json prints one document"),
    (("--only", "cookies"), "the set has no part 'cookies'"),
    (("--watch", "--only", "cookies"), "the set has no part 'cookies'"),
])
def test_what_is_not_there_is_refused(desk, words, said):
    done = preview(desk, *words)
    assert done.exit_code == 2 and said in done.output
    assert not desk.files()


def test_a_mistake_is_told_with_its_line_and_nothing_is_written(own_desk):
    line = own_desk.change("templates/card_game/claim-stone.svg.j2", "</svg>", "\n{{ nix }}</svg>") + 1
    done = own_desk.own("preview", "--lang", "de", "--only", "tokens")
    assert done.exit_code == 1 and not own_desk.files()
    assert f"templates/card_game/claim-stone.svg.j2:{line} [claim-stone-1 front de] and 4 more: 'nix'" in done.stderr


@pytest.mark.slow
def test_watching_writes_what_is_new_and_tells_what_is_wrong(going, own_desk):
    watch = going("--watch", "--only", "tokens", "--only", "cards", "--dpi", "60", "claim-*", "denmark-*")
    folder = own_desk.folder / f"{HERE}-60dpi"
    faces = {*(f"claim-stone-{n}" for n in range(1, 6)), *(f"denmark-{n}" for n in range(1, 5)), "cards-back"}
    watch.line("Watching data")
    watch.line("10 faces drawn in")
    assert {path.stem for path in folder.iterdir()} == faces
    before = own_desk.files()

    own_desk.change("templates/card_game/claim-stone.svg.j2", "</svg>", DOT)
    watch.line("templates/card_game/claim-stone.svg.j2 saved: 5 faces changed (claim-stone-1, ")
    after = own_desk.files()
    assert {name for name in after if after[name] != before[name]} == {
        f"{HERE}-60dpi/claim-stone-{n}.png" for n in range(1, 6)}

    line = own_desk.change("templates/card_game/claim-stone.svg.j2", DOT, "{% if %}</svg>")
    watch.line("claim-stone.svg.j2 saved: 1 problem; the pictures stay as they were")
    watch.line(f"templates/card_game/claim-stone.svg.j2:{line} [claim-stone-1 front de] and 4 more: is not a valid")
    assert own_desk.files() == after

    own_desk.change("templates/card_game/claim-stone.svg.j2", "{% if %}</svg>", "</svg>")
    watch.line("claim-stone.svg.j2 saved: 5 faces changed")
    assert own_desk.files() == before

    note = folder / "note.txt"
    note.write_text("not made by us")
    own_desk.change("data/card_game/cards.csv", "denmark-4,", "denmark-north,")
    watch.line("data/card_game/cards.csv saved: 1 face added (denmark-north), 1 face removed (denmark-4)")
    assert {path.stem for path in folder.iterdir()} == faces - {"denmark-4"} | {"denmark-north", "note"}

    assert watch.interrupt() == 0, watch.lines
    assert not any("Traceback" in line or "Aborted" in line for line in watch.lines)
