"""A deck of a workbook becomes one of CSV files, with the same cards."""

import sys
import tomllib

import pytest

from ppgen.reading.editing import EditError, FileHistory, make_csv

from .test_tables import workbook

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="Windows lets administrators make links")

ROWS = [["Name", "Cost", "Text"], ["Ann, the fox", 2, 'says "no"'], ["Bob", 1.5, ""],
        ["Cid", "", '<c t="b" r="C4"><v>1</v></c>']]
CSV = 'Name,Cost,Text\n"Ann, the fox",2,"says ""no"""\nBob,1.5,\nCid,,TRUE\n'
DECK = ('# Mine\ntitle = "Mine"\nbox = true\nkeywords = ["a", "b"]\n\n[cards]\ncopies = 2\n'
        'table = "book.xlsx"   # all of it\nsheet = "Heroes"\nfront = "card.svg.j2"\n')


@pytest.fixture
def deck(tmp_path):
    (tmp_path / "deck.toml").write_text(DECK, encoding="utf-8")
    (tmp_path / "book.xlsx").write_bytes(workbook(Heroes=ROWS, Foes=[["Name"], ["Imp"]]))
    return tmp_path


def test_the_part_reads_a_csv_file_of_the_same_cells_and_comments_stay(deck):
    history = FileHistory(deck)
    assert make_csv(history, deck / "deck.toml", deck / "book.xlsx") == [deck / "book.csv"]
    assert (deck / "book.csv").read_text(encoding="utf-8") == CSV
    assert (deck / "deck.toml").read_text(encoding="utf-8") == DECK.replace("book.xlsx", "book.csv").replace(
        'sheet = "Heroes"\n', "")
    for again in (history.redo, lambda: make_csv(history, deck / "deck.toml", deck / "book.xlsx")):
        history.undo()
        assert (deck / "deck.toml").read_text(encoding="utf-8") == DECK
        again()
        assert "book.csv" in (deck / "deck.toml").read_text(encoding="utf-8")


def test_each_part_of_a_workbook_gets_a_file_of_its_own(deck):
    with (deck / "deck.toml").open("a") as file:
        file.write("\n[foes]\nsheet = 'Foes'\ntable = 'book.xlsx'\nfront = 'card.svg.j2'\n")
    made = make_csv(FileHistory(deck), deck / "deck.toml", deck / "book.xlsx")
    assert [path.name for path in made] == ["book-cards.csv", "book-foes.csv"]
    parts = tomllib.loads((deck / "deck.toml").read_text())
    assert (parts["cards"]["table"], parts["foes"]) == (
        "book-cards.csv", {"table": "book-foes.csv", "front": "card.svg.j2"})


@pytest.mark.parametrize(("text", "message"), [
    (DECK.replace("[cards]", "[\"../cards\"]"), "can't be one of a file"),
    ('title = "x"\ncards = {table = "book.xlsx", sheet = "Foes"}\n', "in a form that ppgen can't change"),
    (DECK.replace("book.xlsx", "other.xlsx"), "does not read"),
    (DECK.replace('sheet = "Heroes"', 'sheet = """\nHeroes"""').replace("[cards]", "[cards"), "deck.toml:6"),
])
def test_what_is_not_understood_is_refused_and_nothing_written(deck, text, message):
    (deck / "deck.toml").write_text(text, encoding="utf-8")
    with pytest.raises(EditError, match=message):
        make_csv(FileHistory(deck), deck / "deck.toml", deck / "book.xlsx")
    assert sorted(path.name for path in deck.iterdir()) == ["book.xlsx", "deck.toml"]
    assert (deck / "deck.toml").read_text(encoding="utf-8") == text


@needs_links
def test_nothing_is_written_through_a_link(deck, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "new.csv"
    (deck / "book.csv").symlink_to(elsewhere)
    with pytest.raises(EditError, match="there already"):
        make_csv(FileHistory(deck), deck / "deck.toml", deck / "book.xlsx")
    assert not elsewhere.exists() and (deck / "deck.toml").read_text(encoding="utf-8") == DECK
