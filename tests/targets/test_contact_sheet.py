"""Contact sheets: every face is there under its name, in proportion, in one picture for a screen."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image

from ppgen.targets import piece_pictures

HERE = "output/de/png-contact"


@pytest.fixture
def sheets(monkeypatch):
    """The sheets that are typeset."""
    found, set_document = [], piece_pictures.document_pdf
    monkeypatch.setattr(piece_pictures, "document_pdf", lambda source, inputs, fonts: (
        found.append(json.loads(inputs["sheet"])) or set_document(source, inputs, fonts)))
    return found


@pytest.mark.slow
def test_a_sheet_has_every_face_once_and_fits_a_screen(desk, sheets):
    done = desk.ppgen("export", "png", "--contact", "--lang", "de", "--only", "tokens", "--only", "score-sheet",
                      "--json")
    assert done.exit_code == 0, done.output
    [file] = json.loads(done.stdout)[0]["files"]
    assert [*desk.files()] == [file["path"]] == [f"{HERE}-tokens-score-sheet/contact-sheet.png"]
    with Image.open(io.BytesIO(desk.files()[file["path"]])) as picture:
        assert picture.size == (file["width_px"], file["height_px"]) and picture.width <= piece_pictures.MAX_WIDTH_PX
        assert 0.8 < picture.width / picture.height < 2
    [sheet] = sheets
    tablets, stones, pages = ({shot["name"]: shot for shot in section["shots"]} for section in sheet["sections"])
    assert {*tablets} == {"law-take-back-stone", "law-three-symbols", "law-mixed-countries", "law-minus-two",
                          "tablets-back"}
    assert {*stones} == {f"claim-stone-{n}" for n in range(1, 6)}
    assert [shots["copies"] for shots in (stones["claim-stone-1"], tablets["law-minus-two"], tablets["tablets-back"])
            ] == [3, 2, 1]
    assert [section["note"] for section in sheet["sections"]] == ["8", "15", "1 · 1 : 2"]
    assert (stones["claim-stone-1"]["width"], pages["score-sheet"]["width"]) == (22, 97)
    assert {shown["component"] for shown in file["shows"]} == {*tablets, *stones, *pages} - {"tablets-back"}
