"""The manifest says exactly what lies where, in the shape that scripts rely on."""

import hashlib

import pytest

from ppgen.lines import format_json


def test_its_paths_and_hashes_are_those_of_the_files(german_set):
    for file in german_set.manifest["files"]:
        content = (german_set.folder / file["path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
        variant = file["path"].removeprefix(f"output/de/{file['part']}-").removesuffix(".pdf")
        variants = {"rules": ("a4", "screen"), "guide": ("a4-duplex", "screen"), "score-sheet": ("a4",), "box": ("a4",),
                    "stones": ("a4",)}
        assert variant in variants.get(file["part"], ("a4-duplex",))


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
