"""The scripts of the page read, score and explain games as ppgen score does, in any language."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from shutil import copytree
from typing import Any

import pytest

from ppgen.assets import Assets
from ppgen.errors import InputError
from ppgen.games.board_game.board import load_board
from ppgen.games.card_game.deck import Claim, Deck, can_share, count_routes, max_of_one_kind
from ppgen.games.catalogue import open_scoring
from ppgen.pages.single_pages import gather_material
from ppgen.play.game_scoring import Scoring, read_json
from ppgen.printing.workshop import Workshop
from tests.pages.scorer import games, positions

EXPLAINED, SPOILT = 6, 150
"""Games that are explained in each language, and such as something is wrong with."""


@dataclass(frozen=True)
class Trial:
    """A game and ways to make whole and spoilt tallies of it by number."""

    name: str
    workshop: Workshop
    whole: Callable[[int], Any]
    spoilt: Callable[[int], Any]
    edges: list[Any]

    def scoring(self, lang: str) -> Scoring:
        return open_scoring(self.workshop.assets, self.workshop.game.folder, lang)


def whole(number: int, deck: Deck) -> Any:
    """A game of cards; every other one has sums and all kinds of symbols."""
    return games.summed(number, deck) if number % 2 else games.written(games.dealt(number, deck))


@pytest.fixture(scope="module", params=["card-game", "board-game"])
def trial(request, deck, workshop) -> Trial:
    if request.param == "card-game":
        return Trial(request.param, workshop, lambda number: whole(number, deck),
                     lambda number: games.spoilt(number, deck), games.edges(deck))
    board = load_board(Assets.at().game("board_game"))
    return Trial(request.param, Workshop.open(Assets.at(), game=request.param),
                 lambda number: positions.placed(number, board), lambda number: positions.spoilt(number, board),
                 positions.edges(board))


@pytest.fixture(scope="module")
def ask(node) -> Iterator[Callable[[object], Any]]:
    with node.asked("told.mjs") as ask:
        yield ask


@pytest.fixture
def told(ask, trial) -> Callable[[str, list[Any]], list[dict]]:
    """What the scripts say of games in a language."""
    assert trial.workshop.game.scorer
    page = trial.workshop.game.scorer(trial.workshop.assets.common("locales"))
    return lambda lang, tallies: ask({"scripts": page.scripts, "data": dict(page.data), "games": tallies,
                                      "words": dict(trial.workshop.texts(lang).words)})


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["de", "ja"])
def test_results_and_sentences_are_those_of_explain(told, trial, lang):
    scoring = trial.scoring(lang)
    whole = [trial.whole(number) for number in range(EXPLAINED)]
    checked = 0
    for number, (game, answer) in enumerate(zip(whole, told(lang, whole), strict=True)):
        try:
            scored = scoring.score(read_json(json.dumps(game), ""))
        except InputError:  # a position that can't be after all
            continue
        checked += 1
        assert {**answer["result"], "warnings": []} == {**scored.result, "warnings": []}, number
        assert answer["reasons"] == list(scored.reasons()), number
        assert answer["verdict"] == scored.verdict(), number
    assert checked > EXPLAINED / 2


@pytest.mark.parametrize("trial", ["board-game"], indirect=True)
def test_what_a_whole_game_lacks_is_told_alike(told, trial):
    scoring = trial.scoring("en")
    players, before = ["Ann", "Ben", "Cid"], [3, 4, 5]
    games = [{"players": players, **more} for more in (
        {}, {"before": before}, {"before": before, "cloisters": {"france": "AAB"}},
        {"before": before, "cloisters": {"france": ""}}, {"before": before, "spaces": {"swabia": "A..."}})]
    games = [{"game": "board-game", **game} for game in games]
    answers = told("en", games)
    scored = [scoring.score(read_json(json.dumps(game), "")) for game in games]
    assert [answer["missing"] for answer in answers] == [[warning.what for warning in game.warnings] for game in scored]
    assert [len(answer["missing"]) for answer in answers] == [2, 1, 1, 1, 0]
    assert [answer["result"]["complete"] for answer in answers] == [game.result["complete"] for game in scored] == [
        False, False, False, False, True]


@pytest.mark.slow
def test_what_ppgen_score_scores_is_scored_alike(told, trial):
    scoring, seen = trial.scoring("en"), Counter[str]()
    tallies = [*trial.edges, *map(trial.spoilt, range(SPOILT))]
    for number, (game, answer) in enumerate(zip(tallies, told("en", tallies), strict=True)):
        try:
            scored = scoring.score(read_json(json.dumps(game), ""))
        except InputError:
            seen["refused"] += "problem" in answer
        else:
            assert "problem" not in answer, (number, answer, game)
            assert answer["result"]["players"] == scored.result["players"], number
            seen["scored"] += 1
    assert min(seen["refused"], seen["scored"]) > SPOILT / 20


MALFORMED = {
    "card-game": ({"ships": -1}, {"ships": 1.5}, {"ships": "x"}, {"ships": True}, {"gold": 1}, {"cards": []},
                  {"cards": {"utopia": 1}}, {"cards": {"france": 1, "Frankreich": 1}},
                  {"symbols": {"france": {"crown": 1}}}, {"collected": ["france-99"]},
                  {"collected": ["france-1"], "ships": 1}, {"name": ""}, {"name": "cid "}),
    "board-game": ({"gold": 1}, {"before": [1, 2]}, {"before": [-1, 0, 0]}, {"spaces": {"utopia": "A"}},
                   {"spaces": {"france": "AB"}}, {"spaces": {"FR1": "Zoe"}}, {"councillors": {"france": "AZ"}},
                   {"spaces": {"FR1": "A"}, "cloisters": {"italy": "A"}}, {"players": ["A", "B"]},
                   {"players": ["Ann", "ann", "Cid"]})}
"""What is wrong with the form of a player or a position."""


def test_a_wrong_form_is_refused_as_ppgen_score_refuses_it(golden, told, trial):
    tallies = [{"players": [{"name": "Ann"}, {"name": "Ben", **given}, {"name": "Cid"}]} if trial.name == "card-game"
               else {"game": trial.name, "players": ["Ann", "Ben", "Cid"], **given} for given in MALFORMED[trial.name]]
    scoring, lines = trial.scoring("en"), []
    for game, answer in zip([*tallies, *trial.edges], told("de", [*tallies, *trial.edges]), strict=True):
        if game in tallies or "problem" in answer:
            with pytest.raises(InputError) as refused:
                scoring.score(read_json(json.dumps(game), ""))
            lines += [json.dumps(game, ensure_ascii=False), f"  {answer['problem']}", f"  {refused.value.problems[0]}"]
    golden(f"refused-{trial.name}.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("trial", ["card-game"], indirect=True)
def test_the_pad_knows_the_limits_of_the_deck(told, deck):
    chance, claims = random.Random(5), []
    for country in deck.countries:
        cards = deck.cards_of(country)
        for held in range(1, country.number):
            shares = [(count, max_of_one_kind(cards, count)) for count in (held, country.number - held)]
            claims.append({"country": country.id, "claims": [
                {"cards": count, "best": best - chance.randrange(2)} for count, best in shares]})
    seen = Counter[bool]()
    for claim, answer in zip(claims, told("en", claims), strict=True):
        cards = [card for card in deck.cards if card.country.id == claim["country"]]
        shared = can_share(cards, [Claim(**each) for each in claim["claims"]])
        assert answer == {"shared": shared, "most": [max_of_one_kind(cards, each["cards"]) for each in claim["claims"]],
                          "routes": min(claim["claims"][0]["cards"], count_routes(cards)["ship"])}, claim
        seen[shared] += 1
    assert min(seen[True], seen[False]) > 5


CHANGED = (("from = 5", "from = 3"), ('places = "before"', 'places = [6, 3]\nties = "split"'),
           ('tie_break = ["most country.cards"]', 'tie_break = ["fewest ships"]\nwins = "lowest"'))


@pytest.mark.slow
def test_a_copy_with_other_rules_and_one_language_follows_them(ask, deck, tmp_path):
    copytree(Assets.at().data, tmp_path / "data", ignore=lambda _, names: [
        name for name in names
        if re.fullmatch(r"(?!de)\w\w\.toml", name) or name in ("board_game", "looks", "starters")])
    rules = tmp_path / "data" / "card_game" / "score.toml"
    text = rules.read_text(encoding="utf-8")
    for old, new in CHANGED:
        assert old in text
        text = text.replace(old, new)
    rules.write_text(text, encoding="utf-8")
    copy = Workshop.open(Assets.at(tmp_path / "data"), game="card-game")
    page, scoring = copy.game.scorer(copy.assets.common("locales")), open_scoring(copy.assets, "card_game", "de")
    words = {key: text for table in gather_material([copy]).texts["de"].values() for key, text in table.items()}
    whole = [games.written(games.dealt(number, deck)) for number in range(20)]
    answers = ask({"scripts": page.scripts, "data": dict(page.data), "games": whole, "words": words})
    for game, answer in zip(whole, answers, strict=True):
        scored = scoring.score(read_json(json.dumps(game), ""))
        assert answer["result"]["players"] == scored.result["players"]
        assert [answer["verdict"], *answer["reasons"]] == [scored.verdict(), *scored.reasons()]
