"""What ``ppgen new`` prints and writes for tables, pictures, sheets and drawings. ``pytest --update-golden`` writes the
records anew; read the diff."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.games.own_deck.drawn_sheets import draw_sheets, paste_sheet, scan
from tests.golden.records import record
from tests.golden.test_zoo import ZOO, quarters
from tests.printing.test_new_deck import GOBLINS, HEROES, LOG, MONSTERS, NOTES, book

TABLES = {
    "goblins": (GOBLINS, "--score --lang en"),
    "german": ("Name (de),Name (en),Kosten,Typ,Regeltext,Zitat,Angriff,Lebenspunkte,Seltenheit\n"
               "Kobold,Goblin,1,Wesen,**Wirf** 2 {sword}.,„Lauf.“,2,1,häufig\n"
               "Ritter,Knight,3,Held,Schützt einen Nachbarn; zieh dann je Feld eine Karte.,,4,5,selten\n"
               "Drache,Dragon,12,Wesen,Fliegt.,,9,,selten\n", "--look parchment"),
    "units": ("Unit,Side,Attack,Move,Copies\nFoot,Red,4,2,x3\nHorse,Blue,5,4,2 pcs\nGuns,Red,+6,1,\n", "--size 15mm"),
    "land": ("Terrain,Number,Yield\nForest,4,{wood}\nLake,5,{fish}\n", "--shape hexagon --size 60mm --look space"),
    "coins": ("Worth,Colour\n1,gold\n5,silver\n10,#a02020\n", "--shape circle --size 25mm"),
    "suits": ("Suit,Value\nmoon,1\nmoon,2\nember,1\nember,2\n", ""),
    "japanese": ("カード名,コスト,効果\n竜,4,すべての相手に4点のダメージを与える。\n市場,2,1枚引く。\n",
                 "--size japanese"),
    "arabic": ("الاسم,التكلفة,النوع,هجوم\nذئب,3,وحش,4\nدب,12,وحش,2\n", ""),
    "signs": ("★,⚡,☁️,Name,Notes,Fly,Web\n3,1,fog,Rain,x,TRUE,https://example.org/1\n2,2,mist,Sun,,FALSE,\n", ""),
    "bare": ("Dragon;Flies, and burns what it sees\nCat;Sleeps all day\n", "--lang fr"),
    "wide": ("Id,Name,Text,Art,Cost,HP,Move,Armour,Faction,Set,Number,Artist\n"
             "a1,Sir Bors,Guards.,bors.png,1,2,3,4,Grail,Base,1/90,Ann\n"
             "a2,Elaine the Fair Maid of Astolat,When she is played you may look at the top three cards,none.png,2,3,"
             "4,5,Grail,Base,2/90,Bob\n", "--size tarot --as Set= --as HP=left"),
}


def write_art(folder: Path) -> None:
    for name, sides in {"goblin x3.png": (250, 350), "goblin-back.png": (250, 350), "orc.png": (274, 374),
                        "back.png": (250, 350), "map.png": (450, 250), "tokens/coin.png": (120, 120),
                        "tokens/coin (2).png": (120, 120)}.items():
        (folder / "art" / name).parent.mkdir(parents=True, exist_ok=True)
        quarters(*sides).save(folder / "art" / name)
    draw_sheets(folder / "art/page.pdf", 1, 1, paper=(93.5, 118.9), bleed=3, marks=True)
    shutil.copy(ZOO / "plain.svg", folder / "art/frame.svg")


def write_front(folder: Path) -> None:
    (folder / "cards.csv").write_text(f"{(ZOO / 'drawn.csv').read_text(encoding='utf-8')}", encoding="utf-8")
    (folder / "art").mkdir()
    quarters(60, 40).save(folder / "art/quarters.png")
    shutil.copy(ZOO / "plain.svg", folder)


def write_pictures(folder: Path) -> None:
    (folder / "cards.csv").write_text(GOBLINS, encoding="utf-8")
    for name in ("Goblin.PNG", "sub/knight.png", "unused.png", "icons/sword.png", "back.png"):
        (folder / "art" / name).parent.mkdir(parents=True, exist_ok=True)
        quarters(80, 60).save(folder / "art" / name)


def backs(page: int, row: int, column: int) -> int:
    """Three kinds of cards, with their backs on the second page."""
    return 0 if page else (row * 3 + column) % 3 + 1


MADE: dict[str, tuple[Callable[[Path], object], str]] = {
    "workbook": (lambda at: book(at, Heroes=HEROES, Notes=NOTES, Rules=MONSTERS, Log=LOG),
                 "--from dragon-hunt_v2.xlsx --as Cost=left"),
    "pictures": (write_pictures, "--from cards.csv --art art"),
    "drawing": (write_front, "--from cards.csv --front plain.svg --art art"),
    "folder": (write_art, "--from art"),
    "sheets": (lambda at: draw_sheets(at / "s.pdf", 3, 3, pages=2, gap=2, bleed=1, marks=True, numbers=backs),
               "--from s.pdf --backs pages"),
    "given": (lambda at: draw_sheets(at / "s.pdf", 2, 2, size=(60, 70), paper=(180, 190)),
              "--from s.pdf --grid 2x2 --size 60x70mm --margin 30x25mm --gap 0mm"),
    "table": (lambda at: paste_sheet(at / "s.png", 4, 2, 60, 84, count=7), "--from s.png --grid 4x2 --size poker"),
    "askew": (lambda at: scan(draw_sheets(at / "s.pdf", 3, 2, gap=4, marks=True), at / "scan.png", 100, turn=0.8),
              "--from scan.png"),
    "booklet": (lambda at: draw_sheets(at / "r.pdf", 1, 1, pages=2, size=(70, 100), paper=(200, 330)),
                "--from r.pdf --as booklet"),
    "added": (lambda at: None, "--starter plain"),
}


def check_folder(golden, desk, name: str, *commands: str) -> None:
    lines = list[str]()
    for words in commands:
        done = desk.ppgen(*words.split())
        lines += [f"ppgen {words}", *done.output.splitlines(), f"ends with {done.exit_code}"]
    for path in sorted(path for path in (desk.folder / name).rglob("*") if path.is_file()):
        lines += ["", *record(path, desk.folder)]
    # A process that has met letters without a font warns of them again for its next deck; and computers' fonts differ.
    text = re.sub(r"warning: .*no font has the .*\n", "", "\n".join(lines))
    golden(f"new-{name}.txt", text.replace("\\", "/") + "\n")


@pytest.mark.parametrize("name", TABLES)
def test_what_is_made_of_a_table_has_not_changed(golden, desk, name):
    table, words = TABLES[name]
    (desk.folder / "table.csv").write_text(table, encoding="utf-8")
    check_folder(golden, desk, name, f"new {name} --from table.csv {words}")


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_what_is_made_of_other_files_has_not_changed(golden, desk, name):
    make, words = MADE[name]
    make(desk.folder)
    check_folder(golden, desk, name, f"new {name} {words}", *(
        f"new {name} --add {part}" for part in ("coins", "board") if name == "added"), *(
        ["build --data booklet --only rules --dry-run"] * (name == "booklet")))
