"""What was printed is remembered; what changed is printed, shown beside the old faces, and selected by expressions."""

from __future__ import annotations

import json
import os
import shutil

import pikepdf
import pytest

from tests.games.own_deck.decks import lay_out, read_deck


@pytest.fixture
def goblins(desk):
    lay_out(desk.folder, read_deck("printed"))
    return desk


def run(desk, *words: str, code: int = 0):
    done = desk.ppgen(*words)
    assert done.exit_code == code, done.output
    return done


@pytest.mark.slow
def test_old_and_new_faces_stand_side_by_side(goblins):
    run(goblins, "printed")
    shutil.copytree(goblins.folder, goblins.folder / "old")
    assert "Nothing differs" in run(goblins, "compare").output
    goblins.change("cards.csv", "Knight,2", "Knight,3")
    goblins.change("cards.csv", "Dragon,7", "Drake,7")
    done = run(goblins, "compare")
    assert "knight  cost: 2 → 3" in done.output and "1 changed, 1 new, 1 gone." in done.output
    assert "ppgen compare --with FOLDER" in done.output and not (goblins.folder / "output").exists()
    for other, files in (("old/printed/printed.json", []), ("old", ["output/en/compare-a4-with-old.pdf"])):
        [document] = json.loads(run(goblins, "compare", "--with", other, "--json").stdout)
        assert document["files"] == files
        assert [(each["id"], each["change"]) for each in document["changes"]] == [
            ("knight", "changed"), ("drake", "added"), ("dragon", "removed")]
        assert document["changes"][0]["cells"] == {"cost": {"old": "2", "new": "3"}}
    [document] = json.loads(run(goblins, "compare", "--only", "knight", "--json").stdout)
    assert [each["id"] for each in document["changes"]] == ["knight"]
    pdf = goblins.files()["output/en/compare-a4-with-old.pdf"]
    run(goblins, "compare", "--with", "old", "--no-cache")
    assert goblins.files()["output/en/compare-a4-with-old.pdf"] == pdf
    with pikepdf.open(goblins.folder / "output/en/compare-a4-with-old.pdf") as document:
        assert len(document.pages) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("spoil", "words"), [
    (lambda record: (record / "printed.json").write_text("[]", encoding="utf-8"), "not a record"),
    (lambda record: (record / "printed.json").write_text("{", encoding="utf-8"), "not JSON"),
    (lambda record: (record / "printed.json").write_text("[" * 9000, encoding="utf-8"), "not JSON"),
    (lambda record: replace(record, '"version"', '"x": "\\u202e", "version"'), "turns the direction"),
    (lambda record: replace(record, '"copies": 4', '"copies": []'), "not a record"),
    (lambda record: replace(record, '"copies": 4', '"copies": Infinity'), "not JSON"),
    (lambda record: replace(record, '"copies": 4', '"copies": 1e999'), "not a record"),
    (lambda record: (record / "printed.json").write_bytes(b"PK\3\4"), "is a zip archive (unpack it"),
    pytest.param(lambda record: ((record / "printed.json").unlink(), os.mkfifo(record / "printed.json")),
                 "not a regular file", marks=pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")),
    (lambda record: replace(record, '"front": {', '"top": {'), "not a record"),
    (lambda record: (record.rename(record.with_name("elsewhere")), record.symlink_to("elsewhere")), "is a link")])
def test_a_spoilt_record_is_refused_in_words(goblins, spoil, words):
    run(goblins, "printed")
    goblins.change("cards.csv", "Knight,2", "Knight,3")
    spoil(goblins.folder / "printed")
    assert words in run(goblins, "build", "--changed", code=1).output


def replace(record, old: str, new: str) -> None:
    file = record / "printed.json"
    file.write_text(file.read_text("utf-8").replace(old, new, 1), encoding="utf-8")
