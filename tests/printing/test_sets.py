"""Several sets at once: as many pieces as in so many sets, on no more sheets, and what is read or written on once."""

from dataclasses import replace

import pytest

from ppgen.assets import Assets
from ppgen.engine.geometry import A4
from ppgen.engine.imposition.sheets import Sides
from ppgen.printing.request import BuildRequest
from ppgen.printing.set_build import print_set
from ppgen.printing.workshop import PrintRun, Workshop
from tests.games.own_deck.decks import lay_out


@pytest.mark.parametrize(("count", "files"), [(4, 1), (5, 2)])
def test_parts_that_fill_less_than_half_a_sheet_share_one(desk, count, files):
    """Nine cards of poker size fit on it."""
    lay_out(desk.folder, {
        "deck.toml": 'title = "A"\n' + "".join(f'[{name}]\ntable = "a.csv"\nsize = "poker"\nfront = "a.svg.j2"\n'
                                               for name in ("heroes", "beasts")),
        "a.csv": f"Name,Qty\nAnn,{count}\n", "a.svg.j2": '{{ fill("#884422") }}'})
    assert len(desk.built("--only", "heroes", "--only", "beasts", "--dry-run")["files"]) == files


@pytest.mark.slow
def test_fronts_and_backs_apart_are_the_sides_of_the_same_sheets(tmp_path):
    deck = lay_out(tmp_path, {
        "deck.toml": 'title = "War"\n[cards]\ntable = "cards.csv"\nsize = "85mm x 125mm"\nfront = "card.svg.j2"\n'
                     'back = "{back}"\n[tokens]\ntable = "cards.csv"\nsize = "20mm"\nfront = "card.svg.j2"\n',
        "cards.csv": "Name,Copies,Back\nOrc,4,back.svg.j2\nElf,4,\nMan,4,back.svg.j2\n",
        "card.svg.j2": "{{ text(card.name, x=2, y=9, width=16, size=3) }}", "back.svg.j2": "{{ fill('#123456') }}",
        "rules.md": "# Rules\n\n" + "A word after a word. Another one.\n\n" * 400})
    workshop = Workshop.open(Assets.at(deck))
    request = BuildRequest(langs=("en",), papers=(A4,), together=False, card_size=workshop.game.card_size)

    def sides(kind):
        built = print_set(PrintRun(replace(request, sides=kind), workshop, workshop.texts("en"), A4))
        entries = {entry["part"]: entry for manifest in built.manifests for entry in manifest["files"]
                   if entry["part"] in ("cards", "tokens") or (entry["part"] == "rules" and entry["sheets"])}
        return {part: [(side["side"], side["placements"]) for side in entry["sides"]]
                for part, entry in entries.items()}

    both, fronts, backs = (sides(kind) for kind in Sides)
    assert set(backs) == {"cards", "rules"} and set(fronts) == {*backs, "tokens"}
    for part, pages in both.items():
        assert fronts[part] == [page for page in pages if page[0] == "front"]
        assert [page for page in backs.get(part, ()) if page[1] or part == "rules"] == [
            page for page in pages if page[0] == "back"]
    assert len(backs["cards"]) == len(fronts["cards"]) > sum(name == "back" for name, _ in both["cards"])  # the stack
