"""A deck of one's own: tables become parts, and every slip in them is told with file, line and column."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgen.assets import shipped_root
from ppgen.engine.drawing.fonts import read_fonts
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import Format, Size, parse_size, read_formats
from ppgen.errors import InputError
from ppgen.games.own_deck.deck import load_deck
from ppgen.games.own_deck.game import open_own_deck
from ppgen.reading.texts import Texts

DECK = 'id = "night"\n[[parts]]\nname = "cards"\ntable = "cards.csv"\nfront = "deck/card.svg.j2"\n'
EN = '[game]\ntitle = "Night"\nauthor = "A"\nsubject = "S"\n[parts]\ncards = "Cards"\ntiles = "Tiles"\n'

FORMATS = read_formats(shipped_root() / "data")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A small deck in ``data/deck`` of the working folder."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data" / "deck"
    (folder / "locales").mkdir(parents=True)
    write(folder, "deck.toml", DECK)
    write(folder, "cards.csv", "id,value\na,1\nb,2\n")
    write(folder, "locales/en.toml", EN)
    return folder


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def words(lang: str = "en") -> Texts:
    return Texts(lang=lang, words={"parts.cards": "Cards", "parts.tiles": "Tiles"})


def parts_of(folder: Path, lang: str = "en"):
    return open_own_deck(folder, FORMATS).parts(words(lang), Format("poker", Size(63.5, 88.9)))


def test_a_line_is_a_piece_and_its_cells_are_what_the_template_sees(folder):
    """Columns may have the names of methods of a dictionary; an empty cell is an empty text."""
    write(folder, "deck.toml", DECK + 'stock = "board"\n')
    write(folder, "cards.csv", "id,copies,value,values,copy,items\na,,1,2,3,\nb,2,,,,4\nc,0,9,,,\n")
    (cards,) = parts_of(folder)
    assert [(piece.id, piece.copies, piece.size, piece.back) for piece in cards.components] == [
        ("a", 1, Size(63.5, 88.9), None), ("b", 2, Size(63.5, 88.9), None)]  # no copies: kept for later
    first, second = (piece.front.values["card"] for piece in cards.components)
    assert (first.value, first.values, first.copy, first.items, second.value) == ("1", "2", "3", "", "")
    assert (cards.components[0].front.values["side"], cards.stock) == ("front", "board")
    assert [record["id"] for record in open_own_deck(folder, FORMATS).describe()] == ["a", "b"]


@pytest.mark.parametrize(("english", "titles"), [("name.en", ["Owl", "Eule"]), ("name", ["Owl", "Eule"])])
def test_a_column_in_each_language_or_a_plain_one_for_the_rest_is_one_to_the_template(folder, english, titles):
    write(folder, "locales/de.toml", EN)
    write(folder, "cards.csv", f"id,{english},name.de\na,Owl,Eule\n")
    pieces = [parts_of(folder, lang)[0].components[0] for lang in ("en", "de")]
    assert [piece.title for piece in pieces] == [piece.front.values["card"].name for piece in pieces] == titles


@pytest.mark.parametrize(("name", "text"), [
    ("cards.csv", '\ufeffid;name;copies\r\na;"Ä; old";2\r\n'.encode()),
    ("cards.tsv", "id\tname\tcopies\na\tÄ; old\t2\n".encode("utf-16"))])
def test_a_table_may_be_saved_by_any_spreadsheet_program(folder, name, text):
    write(folder, "deck.toml", DECK.replace("cards.csv", name))
    (folder / name).write_bytes(text)
    (piece,) = parts_of(folder)[0].components
    assert (piece.title, piece.copies) == ("Ä; old", 2)


def test_tables_of_one_name_are_one_part_and_may_differ_in_size_and_template(folder):
    write(folder, "deck.toml", DECK
          + '[[parts]]\nname = "cards"\ntable = "big.csv"\nfront = "deck/big.svg.j2"\nback = "deck/back.svg.j2"\n'
          'size = "70x120mm"\n')
    write(folder, "big.csv", "id,copies,front\nx,3,\ny,1,deck/other.svg.j2\n")
    (cards,) = parts_of(folder)
    assert [(piece.id, piece.copies, piece.front.template, piece.size.width) for piece in cards.components] == [
        ("a", 1, "deck/card.svg.j2", 63.5), ("b", 1, "deck/card.svg.j2", 63.5),
        ("x", 3, "deck/big.svg.j2", 70), ("y", 1, "deck/other.svg.j2", 70)]
    assert [bool(piece.back) for piece in cards.components] == [False, False, True, True]


TILES = '[[parts]]\nname = "tiles"\ntable = "cards.csv"\nfront = "deck/card.svg.j2"\n'


@pytest.mark.parametrize(("files", "message"), [
    ({"deck.toml": DECK.replace('id = "night"', 'id = "Night!"')}, "data/deck/deck.toml:1 id: 'Night!' is not a name"),
    ({"deck.toml": DECK + 'colour = "red"\n'}, "data/deck/deck.toml:6 parts.colour: is not known"),
    ({"deck.toml": 'id = "night"\nparts = []\n'}, "data/deck/deck.toml:2 parts: has no part"),
    ({"deck.toml": 'id = "night"\n'}, "data/deck/deck.toml: has no part"),
    ({"deck.toml": DECK.replace('"cards"', '"rules"')}, "'rules' is the name of a part that every set may have"),
    ({"deck.toml": DECK + 'stock = "silk"\n'}, "data/deck/deck.toml:6 parts.stock: 'silk' is not known"),
    ({"deck.toml": DECK + 'size = "4x4mm"\n'}, "data/deck/deck.toml:6 parts.size: 4 × 4 mm is out of range"),
    ({"deck.toml": DECK + 'size = "500x300mm"\n'}, "500 × 300 mm is out of range (each side from 5 to 400 mm)"),
    ({"deck.toml": DECK + 'layout = "tiled"\nsize = "500x1300mm"\n'}, "is out of range (each side from 5 to 1200 mm)"),
    ({"deck.toml": DECK + 'layout = "round"\n'}, "parts.layout: 'round' is not known (one of grid, tiled)"),
    ({"deck.toml": DECK + 'layout = "tiled"\nback = "deck/b.svg.j2"\n'},
     "data/deck/deck.toml:7 parts.back: is not printed: tiles are glued together (leave it out)"),
    ({"deck.toml": DECK + 'layout = "tiled"\nshape = "hexagon"\n'},
     "data/deck/deck.toml:7 parts.shape: is not for boards: tiles have straight edges (leave it out)"),
    ({"deck.toml": DECK + 'shape = "standee"\nsize = "20x30mm"\nback = "deck/b.svg.j2"\n'},
     "parts.back: is not printed: it would be inside when the piece is folded (leave it out)"),
    ({"deck.toml": DECK + 'size = "big"\n'}, "data/deck/deck.toml:6 parts.size: unknown card size 'big'"),
    ({"deck.toml": DECK + TILES}, "data/deck/cards.csv:2 id: 'a' is already used in data/deck/cards.csv:2"),
    ({"deck.toml": DECK + DECK.partition("\n")[2] + 'stock = "board"\n'}, "'board' differs from the 'card' of 'cards'"),
    ({"deck.toml": DECK.replace("cards.csv", "../cards.csv"), "../cards.csv": "id\na\n"}, "lies outside the folder"),
    ({"deck.toml": DECK.replace("cards.csv", "none.csv")}, "data/deck/none.csv: file not found"),
    ({"cards.csv": "id,value\na,1\na,2\n"}, "data/deck/cards.csv:3 id: 'a' is already used in data/deck/cards.csv:2"),
    ({"cards.csv": "id,value\nFour of Hearts,1\n"}, "data/deck/cards.csv:2 id: 'Four of Hearts' is not a name"),
    ({"cards.csv": "id,Value\na,1\n"}, "data/deck/cards.csv:1 Value: 'Value' is not a name for a column"),
    ({"cards.csv": "id,__class__\na,1\n"}, "data/deck/cards.csv:1 __class__: '__class__' is not a name for a column"),
    ({"cards.csv": "id,v,v\na,1,2\n"}, "data/deck/cards.csv:1 v: column must stand in the first line once"),
    ({"cards.csv": "value\n1\n"}, "data/deck/cards.csv:1 id: column must stand in the first line once"),
    ({"cards.csv": "id,value\n"}, "data/deck/cards.csv: has no line under its head"),
    ({"cards.csv": ""}, "data/deck/cards.csv: is empty"),
    ({"cards.csv": "id,copies\na,two\n"}, "data/deck/cards.csv:2 copies: 'two' is not a number of copies"),
    ({"cards.csv": "id,copies\na,-1\n"}, "data/deck/cards.csv:2 copies: '-1' is not a number of copies"),
    ({"cards.csv": "id,copies\na,501\n"}, "data/deck/cards.csv:2 copies: '501' is not a number of copies"),
    ({"cards.csv": "id,name.xx\na,1\n"}, "data/deck/cards.csv:1 name.xx: 'xx' is not a language of this deck"),
    ({"locales/de.toml": EN, "cards.csv": "id,name.en\na,1\n"},
     "data/deck/cards.csv:1 name: columns are missing: name.de"),
    ({"cards.csv": "id,copies,value\na,0,1\nb,0,2\n"}, "data/deck/cards.csv copies: every piece has 0 copies"),
    ({"cards.csv": "id,value\n,1\n,2\n"}, "data/deck/cards.csv:2 id: is missing (add a text)\n"
     "data/deck/cards.csv:3 id: is missing (add a text)"),
    ({"cards.csv": "PK\x03\x04\x14\0\x06\0"}, "is a spreadsheet or another packed file, not text"),
    ({"deck.toml": DECK.replace("cards.csv", "cards.xlsx")},
     "data/deck/deck.toml:4 parts.table: 'cards.xlsx' is not a CSV file"),
    ({"deck.toml": 'lang = "fr"\n' + DECK}, "data/deck/deck.toml:1 lang: 'fr' is not known (one of en)"),
    *(({"deck.toml": f'card_size = "{slip}"\n{DECK}'}, f"data/deck/deck.toml:1 card_size: {what}") for slip, what in (
        ("pokr", "unknown card size 'pokr' (known: "), ("", "unknown card size ''"),
        ("1e9x1e9", "'1e9x1e9' is not a size"), ("400x401", "card size 400 × 401 mm is out of range"),
        ("0x88", "'0x88' is not a size (both lengths must be above 0)"), ("9" * 400 + "x1", ""))),
])
def test_every_slip_is_told(folder, files, message):
    for name, text in files.items():
        write(folder, name, text)
    with pytest.raises(InputError) as refused:
        load_deck(folder, FORMATS)
    assert message in str(refused.value)
    assert "id: is missing" not in message or "already used" not in str(refused.value)


def test_all_slips_are_told_together(folder):
    write(folder, "deck.toml", DECK.replace('id = "night"', 'id = "N"') + 'stock = "silk"\n')
    write(folder, "cards.csv", "id,copies\nA,x\n")
    with pytest.raises(InputError) as refused:
        load_deck(folder, FORMATS)
    assert len(refused.value.problems) == 4
    write(folder, "deck.toml", f'card_size = "pokr"\n{DECK.replace("cards.csv", "gone.csv")}')
    with pytest.raises(InputError) as refused:
        load_deck(folder, FORMATS)
    assert refused.value.problems[0].key == "card_size" and "gone.csv" in str(refused.value)


@given(copies=st.lists(st.integers(1, 12), min_size=1, max_size=25))
def test_every_piece_is_printed_as_often_as_the_table_says(copies, tmp_path_factory):
    from ppgen.production.drawn_parts import DrawnPart

    folder = tmp_path_factory.mktemp("deck")
    (folder / "locales").mkdir()
    write(folder, "deck.toml", DECK)
    write(folder, "cards.csv", "id,copies\n" + "".join(f"c{n},{count}\n" for n, count in enumerate(copies)))
    (cards,) = parts_of(folder)
    items = [item.id for item in DrawnPart(part=cards, faces={}).items]
    assert [items.count(f"c{n}") for n in range(len(copies))] == copies


# ---------- on the command line ----------

@pytest.fixture
def starter(desk):
    """The deck that ``ppgen init --empty`` makes, in the working folder."""
    import shutil

    shutil.copytree(shipped_root() / "data" / "starters" / "empty", desk.folder, dirs_exist_ok=True)
    return desk


def test_the_manifest_names_the_deck_and_its_pieces(starter):
    done = starter.ppgen("build", "--dry-run", "--json", "--only", "cards")
    (manifest,) = json.loads(done.stdout)
    assert (manifest["game"], manifest["lang"], manifest["card_size"]["name"]) == ("my-deck", "en", "poker")
    assert manifest["files"][0]["path"].endswith("/cards-a4-duplex.pdf"), "the deck's usual size is not in its name"
    placed = [p["component"] for side in manifest["files"][0]["sides"] if side["side"] == "front"
              for p in side["placements"]]
    assert sorted(set(placed)) == ["cloud", "moon", "star", "sun"] and len(placed) == 10
    starter.change("data/deck/deck.toml", '# size = "25mm x 25mm"', 'size = "12mm x 15mm"')  # smaller than any card
    assert starter.ppgen("build", "--dry-run", "--only", "cards").exit_code == 0


def test_list_tells_parts_cells_and_copies(starter):
    (first, *_) = json.loads(starter.ppgen("list", "--json").stdout)["components"]
    assert first == {"id": "sun", "kind": "cards", "name": "The Sun", "value": "1", "colour": "#D9952B",
                     "text": "Draw two cards.", "copies": 3}


def test_check_asks_nothing_of_a_deck_without_rules_and_box_and_says_once_that_a_template_is_wrong(starter):
    done = starter.ppgen("check")
    assert (done.exit_code, done.stderr) == (0, "No problems found (en).\n")
    line = starter.change("templates/deck/card.svg.j2", "text(card.name", "text(card.nmae")
    done = starter.ppgen("check")
    assert done.exit_code == 1
    (told,) = done.stderr.splitlines()
    assert told.startswith(f"templates/deck/card.svg.j2:{line} [sun front en full poker] and ")
    assert "nmae" in told


def test_a_deck_can_have_a_box(starter):
    template = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">{% for fold in box.folds %}'
                '<path d="M{{ fold.start.x }} {{ fold.start.y }}L{{ fold.end.x }} {{ fold.end.y }}" stroke="#000"/>'
                '{% endfor %}</svg>')
    (starter.templates / "deck" / "box.svg.j2").write_text(template)
    starter.change("data/deck/deck.toml", "card_size", 'box = "deck/box.svg.j2"\ncard_size')
    done = starter.ppgen("build", "--only", "box", "--card-size", "44x68mm")
    assert done.exit_code == 0, done.stderr
    assert "box-a4-mini-euro.pdf" in done.stdout


def test_own_words_of_the_rules_that_name_no_part_are_told(starter):
    rules = starter.data / "deck" / "rules"
    rules.mkdir()
    (rules / "en.toml").write_text('[rules.book]\nname = "Rules"\n[rules.text]\nbody = """\nPlay.\n\n{dice}\n"""\n')
    done = starter.ppgen("build", "--only", "rules")
    assert done.exit_code == 1
    assert "rules.text.body: unknown placeholder {dice} (known here: cards)" in done.stderr


def test_an_own_deck_cannot_be_scored(starter):
    done = starter.ppgen("score", "game.toml")
    assert done.exit_code == 1
    assert done.stderr.startswith("data: does not contain a game that can be scored")


def test_a_folder_without_a_game_is_told(desk):
    desk.data.mkdir()
    done = desk.ppgen("build", "--data", "data")
    assert (done.exit_code, done.stderr.partition(":")[0]) == (1, "data")
    assert "card_game, board_game, deck" in done.stderr


def test_a_mistyped_value_is_told_at_its_row(folder):
    templates = folder.parent.parent / "templates"
    (templates / "deck").mkdir(parents=True)
    (templates / "deck" / "card.svg.j2").write_text(
        '{% set ink = {"moon": "#112233", "leaf": "#445566"} %}\n<svg xmlns="http://www.w3.org/2000/svg" '
        'viewBox="{{ face.view_box }}"><path d="M0 0H9" stroke="{{ ink[card.suit] }}"/></svg>', encoding="utf-8")
    write(folder, "cards.csv", "id,suit\na,moon\nb,monn\n")
    front = parts_of(folder)[0].components[1].front
    studio = FaceRenderer(templates=TemplateSet((templates,), {}), fonts=read_fonts(shipped_root() / "data" / "fonts"),
                          ink="full",
                          common={})
    with pytest.raises(InputError) as caught:
        studio.draw(front, 2, "[b front en]")
    assert str(caught.value) == ("data/deck/cards.csv:3 suit: 'monn' is not one of leaf, moon "
                                 "(drawn by templates/deck/card.svg.j2:2)")


def write_template(folder: Path, name: str, text: str) -> Path:
    """Write a template of the deck; return the folder of all of them."""
    templates = folder.parent.parent / "templates"
    (templates / "deck").mkdir(parents=True, exist_ok=True)
    (templates / "deck" / name).write_text(text, encoding="utf-8")
    return templates


@pytest.mark.parametrize("heading", ["quantity", "Qty", "COUNT", "number", "Anzahl", "Menge", "aantal", "antal",
                                     "Nombre", "Quantité", "枚数", "copies"])
def test_a_column_headed_like_a_number_of_copies_is_one(folder, heading):
    write(folder, "cards.csv", f"id,{heading},value\na,5,1\nb,,2\n")
    (cards,) = parts_of(folder)
    assert [piece.copies for piece in cards.components] == [5, 1]
    with pytest.raises(InputError, match=f"cards.csv:2 {heading}: 'some' is not a number of copies"):
        write(folder, "cards.csv", f"id,{heading}\na,some\n")
        load_deck(folder, FORMATS)


@pytest.mark.parametrize(("header", "printed", "copies", "warned"), [
    ("id,number,value", "card.number", 1, ""), ("id,number,copies", "card.number", 1, ""),
    ("id,quantity,qty", "card.quantity", 1, ""), ("id,count,value", '"aab".count("a")', 5, ""),
    ("id,quantity,value", "card['quantity']", 1, "cards.csv:1 quantity: a template prints this column")])
def test_a_column_that_a_template_prints_is_not_the_number_of_copies(folder, header, printed, copies, warned):
    write(folder, "cards.csv", f"{header}\na,5,1\n")
    templates = write_template(folder, "card.svg.j2", f"{{{{ {printed} }}}}{{{{ card.value }}}}")
    game = open_own_deck(folder, FORMATS, templates)
    assert [record["copies"] for record in game.describe()] == [copies]
    assert warned in "".join(map(str, game.warnings))
    assert bool(warned) == bool(game.warnings)


def test_columns_that_no_template_reads_are_reported_once(folder):
    write(folder, "locales/de.toml", EN)
    write(folder, "cards.csv", "id,copies,name,flavour.en,flavour.de,art,value,power,kind\na,1,b,c,d,e,f,g,h\n")
    write_template(folder, "macros.svg.j2", "{% macro sign(it) %}{{ it.power }}{% endmacro %}")
    templates = write_template(folder, "card.svg.j2", "{{ card.value }}{{ card['kind'] }}{# card.art #}card.flavour")
    assert [str(warning) for warning in open_own_deck(folder, FORMATS, templates).warnings] == [
        "data/deck/cards.csv:1 flavour, art: no template reads these columns (card.flavour in a template prints it; "
        "take out what is not needed)"]
    write_template(folder, "other.svg.j2", '{{ card["fla" ~ "vour"] }}')
    assert not open_own_deck(folder, FORMATS, templates).warnings  # any column may be meant


@pytest.mark.parametrize("size", ["63x88mm", "59x92mm"])
def test_a_deck_keeps_its_usual_size_where_the_data_name_no_poker(folder, size):
    own = replace(FORMATS, sizes={"my-size": parse_size(size)})
    assert load_deck(folder, own).card_size == Format("63.5x88.9", Size(63.5, 88.9))
    write(folder, "deck.toml", f'card_size = "{size}"\n{DECK}')
    assert load_deck(folder, own).card_size.name == "my-size"


def test_the_first_language_is_the_one_that_the_deck_names(folder):
    write(folder, "locales/de.toml", EN)
    for named, lang in (("", "de"), ('lang = "en"\n', "en"), ('lang = "de"\n', "de")):
        write(folder, "deck.toml", named + DECK)
        assert open_own_deck(folder, FORMATS).lang == lang
