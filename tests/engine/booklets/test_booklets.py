"""The printed booklets: tags, order, fonts, folding, the manifest, and what happens when words are missing."""

import json
from contextlib import chdir
from itertools import pairwise

import pypdfium2
import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from tests.pdf_reading import texts_of, type_on

COUNTERS = "人つ枚位点国種回列周歳月世年分本番組王"
NO_LINE_START = "、。，．：；？！）」』】〉》］々ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def japanese(tmp_path_factory):
    """The booklets of the board game in Japanese on Letter: manifest entries and bytes by part."""
    folder = tmp_path_factory.mktemp("japanese")
    with chdir(folder):
        manifests = [json.loads(CliRunner().invoke(main, [
            "build", "--game", game, "-l", "ja", "--paper", "letter", "--only", "rules", "--only", guide,
            "--json"]).stdout)[0] for game, guide in (("card-game", "rules"), ("board-game", "guide"))]
    return {f'{entry["part"]}{"-screen" * ("screen" in entry["path"])}{"-cards" * (manifest["game"] == "card-game")}':
            (entry, (folder / entry["path"]).read_bytes()) for manifest in manifests for entry in manifest["files"]}


def test_the_longest_rules_fill_two_sheets_in_type_that_can_be_read(japanese):
    rules = [file for name, file in japanese.items() if name.startswith("rules")]
    assert [(entry["sheets"], entry["pages"]) for entry, _ in rules] == 2 * [(2, 4), (0, 8)]
    for _, content in rules:
        with pypdfium2.PdfDocument(content) as document:
            assert min(size for page in document for _, size, _ in type_on(page)) >= 6.4


@pytest.mark.parametrize("name", ["rules", "guide"])
def test_japanese_lines_begin_and_end_as_they_may(japanese, name):
    words = "\n".join(texts_of(japanese[f"{name}-screen"][1]))
    lines = [line.strip() for line in words.splitlines() if line.strip() and "ボードゲーム ·" not in line]
    assert not [line for line in lines if line[0] in NO_LINE_START]
    assert not [line for line in lines if line[-1] in "（「『〈"]
    # Running text is longer than the labels of pictures.
    split = [(line, after) for line, after in pairwise(lines)
             if len(line) > 8 and line[-1].isdigit() and after[0] in COUNTERS]
    assert len(lines) > 30
    assert not split


def test_rules_of_a_language_without_words_are_missing(own_desk):
    (own_desk.data / "card_game/rules/en.toml").unlink()
    assert "rules/en.toml" in own_desk.run("build", "--data", "data", "-l", "en", "--only", "rules", code=1).stderr
