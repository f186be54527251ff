"""The printed booklets: tags, order, fonts, folding, the manifest, and what happens when words are missing."""

import json
import re
from contextlib import chdir
from itertools import pairwise

import pypdfium2
import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from ppgen.engine.booklets.booklet import iter_words
from ppgen.engine.drawing.svg_check import MIN_TYPE_SIZE
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.set_booklets import A5
from tests.pdf_reading import texts_of, type_on

COUNTERS = "人つ枚位点国種回列周歳月世年分本番組王"
NO_LINE_START = "、。，．：；？！）」』】〉》］々ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def booklets(german_set):
    """The booklets of the German set: bytes by name."""
    return {path.name: path.read_bytes() for path in german_set.folder.glob("output/de/*.pdf")
            if path.name.startswith(("rules", "guide"))}


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


PLAIN = ["rules-screen.pdf", "guide-screen.pdf"]


@pytest.mark.parametrize("name", PLAIN)
def test_no_word_is_smaller_than_5_points(booklets, name):
    with pypdfium2.PdfDocument(booklets[name]) as pdf:
        signs = [(sign, size) for page in pdf for sign, size, _ in type_on(page)]
    assert len(signs) > 1000
    assert not {found for found in signs if found[1] < MIN_TYPE_SIZE}


def test_what_is_printed_on_pictured_cards_is_not_in_the_text(booklets, workshop, deck):
    """Names of countries on cards, cut off there or not, stood in the middle of sentences when somebody copied them."""
    texts = workshop.texts("de")
    booklet = workshop.game.rules(texts, parts_on_a4(workshop, texts, workshop.game.card_size), A5, "full")
    words = " ".join(words for _, words in iter_words(booklet))
    found = re.sub(r"[\ufffe\u00ad]\s*", "", "\n".join(texts_of(booklets["rules-screen.pdf"])))
    for country in deck.countries:
        for name in (texts(f"countries.{country.id}"), country.code):
            count = len(re.findall(rf"(?i)\b{name}\b", words))
            assert len(re.findall(rf"(?i)\b{name}\b", found)) == count > 0, name


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
