"""The manifest says exactly what lies where, in the shape that scripts rely on."""

import hashlib
import json
from collections import Counter

import pytest

PLACEMENT = {"component", "face", "x_mm", "y_mm", "width_mm", "height_mm", "turn"}


@pytest.fixture
def manifest(desk):
    """The manifest of a dry run."""

    def made(*words):
        done = desk.ppgen("build", "--lang", "de", "--dry-run", "--json", *words)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)[0]

    return made


def placements(entry):
    return [placed for side in entry["sides"] for placed in side["placements"]]


def test_it_has_the_promised_shape(german_set):
    manifest = german_set.manifest
    assert manifest["version"]
    assert (manifest["game"], manifest["lang"]) == ("card-game", "de")
    assert manifest["paper"] == {"name": "a4", "width_mm": 210, "height_mm": 297}
    assert {"cards", "tablets", "score-sheet", "calibration"} <= {file["part"] for file in manifest["files"]}
    for file in manifest["files"]:
        assert {"path", "part", "sha256", "pages", "sheets", "sides"} <= set(file)
        for number, side in enumerate(file["sides"], 1):
            assert side["page"] == number
            assert side["side"] in ("front", "back")
            for placed in side["placements"]:
                assert set(placed) == PLACEMENT
                assert placed["turn"] in (0, 90, 180, 270)


def test_the_first_card_lies_where_the_contract_says(german_set):
    first = german_set.entry("cards")["sides"][0]["placements"][0]
    assert first == {"component": "france-1", "face": "front", "x_mm": 17, "y_mm": 12.5, "width_mm": 44,
                     "height_mm": 68, "turn": 0}


def test_its_paths_and_hashes_are_those_of_the_files(german_set):
    for file in german_set.manifest["files"]:
        content = (german_set.folder / file["path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
        variant = file["path"].removeprefix(f"output/de/{file['part']}-").removesuffix(".pdf")
        variants = {"rules": ("a4", "screen"), "guide": ("a4-duplex", "screen"), "score-sheet": ("a4",), "box": ("a4",),
                    "stones": ("a4",)}
        assert variant in variants.get(file["part"], ("a4-duplex",))


def test_the_manifest_on_disk_is_the_one_on_stdout(german_set):
    written = german_set.folder / "output" / "de" / "manifest-a4-duplex.json"
    assert json.loads(written.read_text(encoding="utf-8")) == german_set.manifest


def test_pages_and_sheets_are_counted(german_set):
    counted = {file["part"]: (file["pages"], file["sheets"]) for file in german_set.manifest["files"]}
    assert counted.items() >= {"cards": (8, 4), "tablets": (2, 1), "stones": (1, 1), "score-sheet": (1, 1),
                               "calibration": (2, 1)}.items()


def test_the_set_is_complete(german_set):
    cards = Counter(placed["face"] for placed in placements(german_set.entry("cards")))
    tablets = Counter(placed["face"] for placed in placements(german_set.entry("tablets")))
    stones = Counter(placed["face"] for placed in placements(german_set.entry("stones")))
    assert cards == {"front": 56, "back": 56}
    assert tablets == {"front": 8, "back": 8}
    assert stones == {"front": 15}, "what is glued to board has nothing on its back"


def test_it_says_how_it_was_laid_out_and_why(german_set):
    layout = german_set.entry("cards")["layout"]
    assert [layout[key] for key in ("orientation", "columns", "rows", "shared_bleeds")] == ["portrait", 4, 4, True]
    assert "4 sheets" in layout["why"]


def test_backs_are_where_the_printer_is_told_to_put_them(manifest):
    plain, moved = manifest("--only", "tablets"), manifest("--only", "tablets", "--back-offset", "0.5,-1")
    for before, after in zip(plain["files"][0]["sides"], moved["files"][0]["sides"], strict=True):
        dx, dy = (0.5, -1) if after["side"] == "back" else (0, 0)
        for was, now in zip(before["placements"], after["placements"], strict=True):
            assert now["x_mm"] == pytest.approx(was["x_mm"] + dx)
            assert now["y_mm"] == pytest.approx(was["y_mm"] + dy)


def test_a_rotation_is_told_on_the_backs_only(manifest):
    front, back = manifest("--only", "tablets", "--back-rotation", "0.5")["files"][0]["sides"]
    assert "rotation" not in front
    assert back["rotation"] == 0.5


@pytest.mark.parametrize(("words", "name"), [
    ((), "tablets-a4-duplex"), (("--paper", "letter"), "tablets-letter-duplex"),
    (("--backs", "none"), "tablets-a4-none"),
    (("--flip", "short"), "tablets-a4-duplex-flip-short"), (("--ink", "low"), "tablets-a4-duplex-low-ink"),
    (("--card-size", "poker"), "tablets-a4-duplex-poker"), (("--order", "stack"), "tablets-a4-duplex-stack"),
    (("--marks", "none"), "tablets-a4-duplex-no-marks"), (("--bleed", "3mm"), "tablets-a4-duplex-bleed3"),
    (("--back-offset", "1,-2"), "tablets-a4-duplex-offset1x-2"), (("--back-rotation", "1"), "tablets-a4-duplex-turn1"),
    (("--margin", "10mm"), "tablets-a4-duplex-margin10"),
])
def test_each_variant_has_a_file_name_of_its_own(manifest, words, name):
    (file,) = manifest("--only", "tablets", *words)["files"]
    assert file["path"] == f"output/de/{name}.pdf"


@pytest.mark.parametrize(("words", "size"), [
    (("--paper", "letter"), (215.9, 279.4)), (("--paper", "200x150mm"), (150, 200)),
    (("--paper", "8x10in"), (203.2, 254)),
])
def test_the_paper_is_told_in_portrait_and_exactly(manifest, words, size):
    paper = manifest("--only", "tablets", *words)["paper"]
    assert (paper["width_mm"], paper["height_mm"]) == size


def test_stacked_cards_are_the_same_cards_in_another_order(manifest):
    grid, stack = (manifest("--only", "tablets", "--paper", "a5", "--order", order)["files"][0]
                   for order in ("grid", "stack"))
    assert Counter(placed["component"] for placed in placements(grid)) == Counter(
        placed["component"] for placed in placements(stack))


def test_low_ink_is_told_page_by_page(manifest):
    tablets, stones, sheet = manifest("--ink", "low", "--only", "tablets", "--only", "stones",
                                      "--only", "score-sheet")["files"]
    shares = [side["ink_percent"] for file in (tablets, stones) for side in file["sides"]]
    assert len(shares) == 3
    assert all(0 < share <= 12 for share in shares)
    assert "ink_percent" not in sheet["sides"][0], "a page to write on is mostly blank"
    assert "ink_percent" not in manifest("--only", "tablets")["files"][0]["sides"][0]
