"""Two games that can be scored live side by side: which one is meant, and what is kept of each."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

import ppgen
from ppgen.assets import Assets
from ppgen.cli.score import Scorer
from ppgen.games import catalogue
from ppgen.games.card_game.deck import load_deck
from ppgen.games.card_game.scoring import CardScoring, TallyNames, sheet_plan
from ppgen.play.game_scoring import TallyFile, read_csv
from ppgen.play.sheet_plan import RawGame, SheetCell, SheetColumn, SheetPlan, SheetRow, Takes
from ppgen.reading.texts import SCORED, load_texts
from ppgen.shipped import shipped_root

TALLIES = '[[players]]\nname = "Anna"\nminus_two = 2\n[players.cards]\nfrance = 5\n' + "".join(
    f'[[players]]\nname = "{name}"\n' for name in ("Bo", "Cy"))
CSV = ",Anna,,Bo,,Cy,\n,cards,symbols,cards,symbols,cards,symbols\ngame,{},,,,,\nfrance,5,,2,,1,\n"
PLAN = SheetPlan(least=2, most=4, rows=(
    SheetRow(key="tower", label="tally.ships", shared=True,
             columns=(SheetColumn(key="T1", takes=Takes.LETTER, ask="ask.ships"),)),))


class Rook(CardScoring):
    """The card game by another name: with an interim scoring, in which no tablet counts, and a sheet of its own."""

    plan = PLAN

    def from_csv(self, rows, place):
        return read_csv(sheet_plan(self.deck), rows, place, self.names)

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False):
        players = [{**player, "minus_two": 0} if interim else player for player in raw.document["players"]]
        return super().score(replace(raw, document={"players": players}), partial=partial)


@pytest.fixture
def two(desk, own_cache, monkeypatch):
    """A working folder; the shipped data hold a second game that can be scored."""
    def open_rook(folder: Path, common: Path, lang: str) -> Rook:
        cards = folder.parent / "card_game"
        return Rook(deck=load_deck(cards)[0], names=TallyNames(load_deck(cards)[0], cards / "locales", lang, common),
                    game="rook", interim=True)

    kind = replace(catalogue.GAME_KINDS["board_game"], name="rook", score=open_rook)
    monkeypatch.setattr(catalogue, "GAME_KINDS", {**catalogue.GAME_KINDS, "board_game": kind})
    (desk.folder / "card.toml").write_text(TALLIES, encoding="utf-8")
    (desk.folder / "rook.toml").write_text('game = "rook"\n' + TALLIES, encoding="utf-8")
    return desk


def scored(desk, *words: str) -> dict:
    return json.loads(desk.run("score", *words, "--json", "-q", "--lang", "en").stdout)


def test_tallies_say_of_which_game_they_are(two):
    assert scored(two, "card.toml")["game"] == "card-game"
    assert scored(two, "rook.toml")["game"] == scored(two, "card.toml", "--game", "rook")["game"] == "rook"
    (two.folder / "rook.csv").write_text(CSV.format("rook"), encoding="utf-8")
    assert scored(two, "rook.csv")["game"] == "rook"


@pytest.mark.parametrize(("fields", "game"), [
    (("p1.name", "tower.T1"), "rook"), (("p1.name", "p1.france.cards", "p1.ships"), "card-game"),
    (("note",), "card-game")])
def test_a_form_is_of_the_game_on_whose_sheet_its_fields_stand(two, fields, game):
    cells = frozenset(filter(None, map(SheetCell.parse, fields)))
    scorer = Scorer(assets=Assets.at(), lang="en", game="")
    assert scorer.scoring(scorer.form_game(TallyFile(raw=lambda scoring: None, cells=cells))).game == game


@pytest.mark.parametrize(("fields", "asked", "wrong"), [
    (("p1.name", "tower.T1"), "card-game", "“rook” is not the game being scored (card-game)"),
    (("p1.name", "p1.france.cards"), "rook", "“card-game” is not the game being scored (rook)"),
    (("p1.name", "note"), "card-game",
     "has no fields of a score sheet (fill in the score sheet that ppgen build prints)")])
def test_the_sheet_of_another_game_is_refused(two, fields, asked, wrong):
    pdf = pikepdf.new()
    pdf.add_blank_page()
    pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array([
        pikepdf.Dictionary(T=pikepdf.String(field), V=pikepdf.String("1")) for field in fields]))
    pdf.save(two.folder / "sheet.pdf")
    done = two.ppgen("score", "sheet.pdf", "--game", asked, "--lang", "en")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", f"sheet.pdf: {wrong}\n")


def test_each_text_of_scoring_that_any_game_needs_has_a_default():
    """What play and cli ask for by name stands among the common texts."""
    common = load_texts("de", (shipped_root() / "data" / "locales",)).words
    asked = {key for folder in ("play", "cli") for path in (Path(ppgen.__file__).parent / folder).glob("*.py")
             for key in re.findall(r'"([a-z]+\.[a-z_]+)"', path.read_text(encoding="utf-8"))
             if key.partition(".")[0] in SCORED}
    assert len(asked) > 50 and asked <= {*common}
