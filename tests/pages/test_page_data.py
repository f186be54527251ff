"""What the program gives to pages, as text: data of tables and scorers, the layout of faces, tables of words."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from hashlib import sha256
from urllib.request import urlopen

import pytest

from ppgen.assets import Assets
from ppgen.engine.drawing.template_calls import template_digest
from ppgen.engine.geometry import A4
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.pages.open.page_looks import PageView
from ppgen.pages.single_pages import export_scorer, scorer_page
from ppgen.pages.site_pages import SitePictures
from ppgen.printing.set_booklets import booklet_page
from ppgen.printing.workshop import Workshop
from ppgen.reading.editing import EditError
from tests.golden.records import contents, pixels
from tests.golden.test_zoo import zoo  # noqa: F401
from tests.pages.open.conftest import deck_desk, deck_folder, opened_at  # noqa: F401
from tests.pages.open.test_layout import EVERY_FUNCTION
from tests.pages.table.test_table_page import deck
from tests.pages.test_walks import RULES, STEPS


def format_values(value: object, trail: str = "") -> list[str]:
    """A line for each value; long words are shortened, numbers rounded."""
    match value:
        case dict() if len(line := json.dumps(value, ensure_ascii=False)) > 110:
            return [line for key, each in value.items() for line in format_values(each, f"{trail}.{key}")]
        case list() if len(line := json.dumps(value, ensure_ascii=False)) > 110:
            return [line for n, each in enumerate(value) for line in format_values(each, f"{trail}[{n}]")]
    line = re.sub(r"-?\d+\.\d{3,}", lambda match: f"{float(match[0]):.2f}", json.dumps(value, ensure_ascii=False))
    if len(line) > 160:
        line = f"{line[:60]}… {len(line)} {sha256(line.encode()).hexdigest()[:8]}"
    return [f"{trail} {line}"]


def read_blocks(page: str) -> dict[str, object]:
    """The data of a page, by id."""
    return {name: json.loads(text) for name, text in re.findall(
        r'<script type="application/json" id="([\w-]+)">(.*?)</script>', page, re.DOTALL)}


def test_the_data_of_a_table_is_as_it_was(golden, desk):
    deck(desk.folder, '[map]\nsize = "260x180mm"\nfront = "card.svg.j2"\n[standees]\nkind = "standee"\n'
         'size = "25x45mm"\nfront = "card.svg.j2"\n[cubes]\nkind = "die"\nsize = "16mm"\nfront = "card.svg.j2"\n'
         f'[table]\ndeal = 1\ntools = ["roll"]\nplace = [["cards", 2, "up"]]\n{STEPS}')
    desk.run("export", "table", "-q")
    data = read_blocks((desk.folder / "output/table/any.html").read_text("utf-8"))["data"]
    assert isinstance(data, dict)
    del data["words"], data["pictures"]
    golden("data-table.txt", "\n".join(format_values(data)) + "\n")


@pytest.mark.slow
def test_the_data_of_scorers_are_as_they_were(golden, workshop, tmp_path):
    shop = Workshop.open(Assets.at(deck(tmp_path)))
    (tmp_path / "score.toml").write_text(RULES, "utf-8")
    shop, lines = Workshop.open(Assets.at(tmp_path)), []
    for name, page in (("deck", scorer_page([shop], "en")), ("games", scorer_page(
            [workshop, Workshop.open(Assets.at(), game="board-game")]))):
        head = re.search("<html[^>]*>", page)
        assert head
        signs = re.findall(r'<symbol id="([\w-]+)" viewBox="([^"]*)">', page)
        lines += [head[0], " ".join(map(":".join, signs)),
                  *(f"{name} {line}" for block, data in read_blocks(page).items() if not block.startswith("texts-")
                    for line in format_values(data, block))]
        shapes = re.findall(r'<path id="(shape-\d+)" d="([^"]*)"/>', page)
        lines += [f"{shape} {len(path)} used {page.count(f'#{shape}') - 0}" for shape, path in shapes]
    for site in ((), ("en", "de")):
        lines += [f"{file.path} {file.content.decode()[:1500] if file.path.endswith(('.js', 'manifest')) else ''}"
                  for file in export_scorer([shop], "", site)]
    golden("data-scorers.txt", "\n".join(lines) + "\n")


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
def test_the_layout_of_faces_and_its_changes_are_as_they_were(golden, deck_desk):  # noqa: F811
    card = deck_desk.folder / "card.svg.j2"
    card.write_text('{% from "macros.svg.j2" import tag %}' + EVERY_FUNCTION, encoding="utf-8")
    deck_desk.redraw()
    lines = []
    for side in ("front", "back"):
        found = deck_desk.describe(side=side)
        del found["svg"]
        lines += format_values(found, side)
    calls = deck_desk.describe()["calls"]
    for call in calls:
        for values in ({}, {"width": 3.0}, {"r": 2.0}, {"size": 9, "height": 2}, {"nix": 1}, {"x": "a"}):
            for function in ("text", "paragraph", "rich", "badge", "panel"):
                fits = deck_desk.layouts.fits(PageView(lang="en"), {
                    "id": "orc", "side": "front", "call": call["call"], "fn": function, "values": json.dumps(values)})
                if fits and fits["all"]:
                    lines.append(f"{call['call']} {function} {values} {json.dumps(fits)}")
    text = card.read_text(encoding="utf-8")
    for number in range(len(calls)):
        for do, values in (("set", {"x": 3, "width": 7.25, "nix": 1}), ("set", {"anchor": "end", "fill": "night"}),
                           ("delete", {}), ("up", {}), ("down", {}),
                           ("add", {"fn": "text", "column": "cost", "x": 3, "y": 4.5})):
            result = ""
            try:
                deck_desk.layouts.change({"template": card.name, "digest": template_digest(text), "call": number,
                                          "do": do, "values": values})
                after = card.read_text(encoding="utf-8")
                result = " | ".join(line for line in after.splitlines() if line not in text.splitlines())
            except EditError as error:
                result = f"refused: {error}"
            lines.append(f"{number} {do} {values}: {result}")
            with suppress(EditError):
                card.write_text(text, encoding="utf-8")
    golden("data-layout.txt", "\n".join(lines) + "\n")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["card-game", "board-game"])
def test_the_page_of_rules_and_the_table_of_a_game_are_as_they_were(golden, desk, monkeypatch, game):
    workshop = Workshop.open(Assets.at(), "", game)
    texts = workshop.texts("en")
    parts = workshop.parts(texts, workshop.game.card_size, SheetSpec(paper=A4), ()).parts
    assert workshop.game.rules
    booklet, made = workshop.game.rules(texts, parts, booklet_page(A4.size), "full"), SitePictures(workshop.fonts)
    page, sections = made.write_booklet(booklet, workshop.studio(texts, "full"), workshop.fonts)
    for folder in ("en", "pictures"):
        (desk.folder / folder).mkdir()
    for name, content in made.files.items():
        (desk.folder / name).write_bytes(content)
    lines = [*sections, *contents("rules.html", page.encode(), folder=desk.folder / "en")]
    monkeypatch.setattr("ppgen.pages.single_pages.faces_webp", lambda faces, *_: [b""] * len(faces))
    desk.run("export", "table", "--game", game, "-l", "en", "-q")
    data = read_blocks(next((desk.folder / "output/table").iterdir()).read_text("utf-8"))["data"]
    assert isinstance(data, dict)
    lines += [line for key in ("kinds", "tools", "learn", "setups") for line in format_values(data[key], key)]
    golden(f"data-{game}.txt", "\n".join(lines) + "\n")


REQUESTS = ("look", "look?lang=de&ink=low", "select?where=cost>2%20or%20name:wolf", "states", "looks",
            "sheets", "sheets?ink=low", "layout?id=heron&side=front", "layout?id=viper&side=back", "marks?id=viper",
            "template?name=back.svg.j2", "landed", "job")


@pytest.mark.slow
def test_what_the_page_of_a_deck_fetches_is_as_it_was(golden, zoo):  # noqa: F811
    lines, found = [], {}
    with opened_at(zoo) as address:
        def fetch(path: str) -> bytes:
            with urlopen(f"{address[address.index('http'):].partition('#')[0]}{path}") as answer:
                return answer.read()

        for request in REQUESTS:
            found[request] = json.loads(fetch(f"api/{request}"))
            lines += format_values(found[request], request)
        for look in ("look", "look?lang=de&ink=low"):
            for id, key in ((piece["id"], piece["front"]["key"]) for section in found[look]["sections"]
                            for piece in section["pieces"][:1]):
                lines += [f"{id} {name} {pixels(fetch(f'picture/{key}-{name}.webp'))}"
                          for name in ("96", "0-96", "192")[:3 if look == "look" else 1]]
    golden("data-open.txt", re.sub("[0-9a-f]{18,}", "…", "\n".join(lines)) + "\n")


WORDS = {
    "deck.toml": 'title = "Lanterns"\nauthor = "Ann"\n\n[cards]\ntable = "cards.csv"\nfront = "card.svg.j2"\n'
                 '[more]\ntable = "more.tsv"\nfront = "card.svg.j2"\n',
    "cards.csv": 'id,Name (en),Suit,"Text (en)"\r\nglow,Glow,moon,"Shine, and ""rest"""\r\n\r\n'
                 "hush,Hush,leaf,Wait\r\n,Odd,leaf\r\n",
    "more.tsv": "Name (en)\tName (de)\nOne\tEins\nTwo\t\nOne\t\n",
    "card.svg.j2": "{{ text(card.name, x=5, y=9, width=30, size=5) }}"
                   "{{ text(t('suits.' ~ card.suit, n=3), x=5, y=19, width=30, size=5) }}",
    "words/en.toml": '[suits]\nmoon = "Moon {n}"\nleaf = "Leaf"\nlong = """\nOne.\n\nTwo.\n"""\n',
    "words/de.toml": '# Deutsch\n[suits]\nleaf = "Laub"   # Blätter\n',
}
TABLES = {
    "first": "", "none": "key,where\n", "head": "key;where;source;translation;state;digest;key\n",
    "good": "key;where;source;translation;state;digest\nsuits.moon;;Moon {n};Mond {n};;\nsuits.leaf;;Leaf;Blatt;stale;"
            "x\nsuits.long;;;Eins.;ok;\ncards.csv:glow.name;;;Glut;;\nmore.tsv:Two.name;;;'=Zwei;missing;\n",
    "bad": "key,where,source,translation,state,digest\nsuits.mon,,,Mond,,\nsuits.moon,,,Mond,,\nsuits.leaf,,,a {b,,\n"
           "suits.leaf,,,x,,\n,,,y,,\nparts.cards,,,z,good,\nnix,,,,,\n"}


def test_tables_of_words_are_as_they_were(golden, desk):
    for name, text in WORDS.items():
        (desk.folder / name).parent.mkdir(exist_ok=True)
        (desk.folder / name).write_bytes(text.encode())
    said = []
    for name, table in TABLES.items():
        if table:
            (desk.folder / "w.csv").write_text(table, encoding="utf-8")
        for words in (("--table", "de", "w.csv"), ("--table", "de", "w.csv"), ("--table", "en"), ("--table", "sv")):
            done = desk.ppgen("words", *words)
            said += [f"# {name} {' '.join(words)}: {done.exit_code}", done.output.replace("\r\n", "\n")]
        said += [f"## {file}\n{(desk.folder / file).read_bytes().decode()}" for file in ("w.csv", *WORDS)
                 if file.endswith((".csv", ".tsv", "de.toml")) and (desk.folder / file).exists()]
        (desk.folder / "words/en.toml").write_text(WORDS["words/en.toml"].replace("Leaf", f"Leaves {name}"), "utf-8")
    golden("data-words.txt", "\n".join(said).replace("\r", "␍").replace("\ufeff", "⌷"))
