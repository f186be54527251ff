"""The manifest says exactly what lies where, in the shape that scripts rely on."""

import hashlib
import json
from collections import Counter

import pytest

from ppgen.lines import format_json

PLACEMENT = {"component", "face", "x_mm", "y_mm", "width_mm", "height_mm", "turn"}


def test_it_has_the_promised_shape(german_set):
    manifest = german_set.manifest
    written = german_set.folder / "output" / "de" / "manifest-a4-duplex.json"
    assert json.loads(written.read_text(encoding="utf-8")) == manifest, "the one on disk is that on stdout"
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


def test_its_paths_and_hashes_are_those_of_the_files(german_set):
    for file in german_set.manifest["files"]:
        content = (german_set.folder / file["path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
        variant = file["path"].removeprefix(f"output/de/{file['part']}-").removesuffix(".pdf")
        variants = {"rules": ("a4", "screen"), "guide": ("a4-duplex", "screen"), "score-sheet": ("a4",), "box": ("a4",),
                    "stones": ("a4",)}
        assert variant in variants.get(file["part"], ("a4-duplex",))


def test_pages_sheets_and_faces_are_counted_and_the_layout_has_its_reason(german_set):
    counted = {file["part"]: (file["pages"], file["sheets"], dict(Counter(
        placed["face"] for side in file["sides"] for placed in side["placements"])))
        for file in german_set.manifest["files"] if file["part"] in ("cards", "tablets", "stones")}
    assert counted == {"cards": (8, 4, {"front": 56, "back": 56}), "tablets": (2, 1, {"front": 8, "back": 8}),
                       "stones": (1, 1, {"front": 15})}, "what is glued to board has nothing on its back"
    layout = german_set.entry("cards")["layout"]
    assert [layout[key] for key in ("orientation", "columns", "rows", "shared_bleeds")] == ["portrait", 4, 4, True]
    assert "4 sheets" in layout["why"]


@pytest.mark.slow
def test_low_ink_is_told_page_by_page(desk):
    words = ("-l", "de", "--dry-run", "--only", "tablets")
    tablets, stones, sheet = desk.built(*words, "--ink", "low", "--only", "stones", "--only", "score-sheet")["files"]
    shares = [side["ink_percent"] for file in (tablets, stones) for side in file["sides"]]
    assert len(shares) == 3
    assert all(0 < share <= 12 for share in shares)
    assert "ink_percent" not in sheet["sides"][0], "a page to write on is mostly blank"
    assert "ink_percent" not in desk.built(*words)["files"][0]["sides"][0]


def test_json_escapes_bytes_of_file_names_that_no_encoding_has():
    assert format_json({"folder": "\udcff"}) == '{\n "folder": "\\udcff"\n}\n'
