"""Decks: a folder with tables, templates and drawings side by side, as designers keep them."""

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.engine.geometry import Format, Size, read_formats
from ppgen.errors import InputError
from ppgen.games.own_deck.game import open_own_deck
from ppgen.printing.workshop import Workshop
from ppgen.reading.texts import Texts
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import lay_out, read_deck

GROUND = ('<rect x="{{ face.all.x }}" y="{{ face.all.y }}" width="{{ face.all.width }}" '
          'height="{{ face.all.height }}" fill="#f4ecd8"/>\n')
GOBLINS = read_deck("goblins")
TILES = read_deck("hexland")
COUNTERS = read_deck("armies")
CARD = Format("poker", Size(63.5, 88.9))


def game_of(folder: Path):
    return open_own_deck(folder, read_formats(shipped_root() / "data"))


def part_of(folder: Path):
    game = game_of(folder)
    (part,) = game.parts(Texts(lang=game.lang, words=game.deck.words), game.card_size)
    return part


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as refused:
        game_of(folder)
    return str(refused.value).replace(f"{folder}/", "")


def warnings(folder: Path) -> list[str]:
    return [str(each).replace(f"{folder}/", "") for each in game_of(folder).warnings]


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9"><rect width="64" height="89" fill="{}"/></svg>'
KINDS = {"deck.toml": ('[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "{Look}.svg"\n'
                       'back = "{look}-back.svg.j2"\n'),
         "cards.csv": "Name,Look\nSword,hero\nShield,hero\nRain,event\n", "hero.svg": SVG.format("#228844"),
         "event.svg": SVG.format("#aa3333"), "hero-back.svg.j2": '{{ fill("#123456") }}',
         "event-back.svg.j2": '{{ fill("#654321") }}'}


@pytest.mark.parametrize("cards, problem", [
    ("Name,Look\nSword,heroo\nShield,hero\nRain,heroo\n",
     "cards.csv:2 Look and 1 more: there is no file 'heroo.svg' (did you mean hero.svg?)"),
    ("Name,Look\nSword,../hero\n", "cards.csv:2 Look: there is no file '../hero.svg'"
     " (name a file inside the deck's folder)"),
    (f"Name,Look\nSword,/{'x' * 3000}\n", "cards.csv:2 Look: there is no file '/xxx"),
    ("Name,Art\nSword,hero\n", "deck.toml:4 cards.front: the table has no column 'Look' (columns: Name, Art)")])
def test_a_face_that_a_column_names_is_a_file_of_the_folder(tmp_path, cards, problem):
    (tmp_path / "hero.svg").write_text(SVG.format("#000000"))
    (folder := tmp_path / "deck").mkdir()
    assert problem in refusal(lay_out(folder, KINDS, cards_csv=cards))


def test_no_column_is_reported_as_unread_while_a_template_cannot_be_read(desk):
    lay_out(desk.folder, GOBLINS)
    desk.change("card.svg.j2", GROUND, GROUND + '{% include "other.svg.j2" ignore missing %}')
    (desk.folder / "other.svg.j2").mkdir()
    assert "no template reads this column" not in desk.run("list").stderr


def test_an_empty_cell_that_is_reckoned_with_is_told_with_both_lines(desk):
    lay_out(desk.folder, GOBLINS)
    desk.change("card.svg.j2", GROUND, GROUND + "{% if card.cost > 3 %}<path d='M0 0'/>{% endif %}\n")
    done = desk.run("build", "--only", "cards", "--dry-run", code=1)
    assert done.stderr.splitlines()[-1] == (
        "cards.csv:3 Cost: 'card.cost' is empty where a number belongs "
        '(fill the cell, or ask: {% if card.cost != "" %}; drawn by card.svg.j2:2)')


@pytest.mark.parametrize(("heading", "copies"), [
    ("QTY", 3), ("Quantité", 3), ("枚数", 3), ("Power", 1)])
def test_copies_have_many_names(tmp_path, heading, copies):
    part = part_of(lay_out(tmp_path, GOBLINS, cards_csv=f"Name,Cost,Rarity,Flavour Text,{heading}\na,1,common,,3\n"))
    assert [piece.copies for piece in part.components] == [copies]


def test_a_printed_number_is_not_the_copies_if_there_is_another_column(tmp_path):
    lay_out(tmp_path, TILES)
    assert [piece.copies for piece in part_of(tmp_path).components] == [2, 1]
    assert warnings(tmp_path) == []
    lay_out(tmp_path, TILES, tiles_csv="Terrain,Number,Back\nforest,2,sea\n")
    assert [piece.copies for piece in part_of(tmp_path).components] == [2]
    assert "tiles.csv:1 Number: is taken for the number of copies, and printed by a template" in warnings(tmp_path)[0]


def test_lines_of_a_part_give_its_size_shape_and_stock(golden_cases, tmp_path):
    def answer(lines):
        part = part_of(lay_out(tmp_path, GOBLINS, deck_toml=f'[board]\nfront = "card.svg.j2"\n{lines}\n'))
        (piece,) = part.components
        shape = f"{piece.shape.kind.value} {piece.shape.radius:g}".removesuffix(" 0")
        yield f"{piece.id} {piece.size} {shape} {part.stock.value} {part.layout.way.value}"

    golden_cases("piece-sizes", answer)


def test_a_drawing_is_filled_with_the_words_of_columns(desk):
    lay_out(desk.folder, COUNTERS)
    assert [piece.id for piece in part_of(desk.folder).components] == ["1-foot", "3-guns-co", "2-horse"]
    workshop = Workshop.open(Assets.at(desk.folder))
    texts = workshop.texts("en")
    (guns,) = [piece for part in workshop.game.parts(texts, CARD) for piece in part.components
               if piece.id == "3-guns-co"]
    face = replace(workshop.studio(texts, "full"), marked=True).draw(guns.front, 2, "guns")
    assert "3. Guns &amp; Co 6–1</tspan>" in face.svg
    assert 'data-src="counter.svg:4"' in face.svg
    assert desk.ppgen("build", "--only", "counters").exit_code == 0
    desk.change("counter.svg", "{strength}", "{strenght}")
    assert "counter.svg:4: there is no column {strenght} (did you mean {strength}?)" in desk.ppgen("build").stderr


def test_a_piece_whose_template_reads_copy_is_drawn_for_each_copy(tmp_path):
    lay_out(tmp_path, GOBLINS, card_svg_j2="{{ text(copy ~ '/' ~ card.copies, x=1, y=9, width=9, size=3) }}")
    pieces = part_of(tmp_path).components
    assert [(piece.copies, piece.front.values["copy"], piece.front.values["card"].copies) for piece in pieces[:5]] == [
        (1, 1, 4), (1, 2, 4), (1, 3, 4), (1, 4, 4), (1, 1, 2)]
    assert len({piece.id for piece in pieces}) == 7


@pytest.mark.usefixtures("faces_only")
def test_markup_that_would_be_printed_as_typed_is_a_warning_with_the_line_of_the_template(desk):
    lay_out(desk.folder, GOBLINS, cards_csv="Name,Cost,Flavour Text,Rarity\nElf,1,Draw **two**. Pay {coin}.,rare\n")
    done = desk.run("check")
    for markup in ("**", "{coin}"):
        (warning,) = {each.partition("]")[2] for each in done.output.splitlines() if f"'{markup}' as it" in each}
        assert "only rich() sets **bold** and {icons}" in warning
        assert "card.svg.j2:5 [elf front en" in done.output


@pytest.mark.parametrize("suffix", ["0", "00", " ", "\n", '" onload="x', ";", "\u200b", "ff00", ")", "<"])
@pytest.mark.parametrize("colour", ["#123", "#12ab34"])
def test_a_colour_is_one_with_nothing_behind_or_before_it(tmp_path, colour, suffix):
    for words, is_sound in ((colour, True), (colour + suffix, len(colour + suffix) == 7 and suffix.isalnum()),
                            (suffix + colour, False)):
        head = 'title = "T"\n[cards]\nfront = "a.svg.j2"\n[colours]\n'
        lay_out(tmp_path, {"deck.toml": f"{head}edge = {json.dumps(words)}\n",
                           "a.svg.j2": '<rect width="9" height="9"/>'})
        with nullcontext() if is_sound else pytest.raises(InputError, match="colour"):
            Workshop.open(Assets.at(tmp_path))
