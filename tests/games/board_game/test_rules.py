"""The rules of the board game: the worked examples of the sources by the scoring code, their pictures, their words."""

from itertools import pairwise

import pytest

from ppgen.engine.booklets.booklet import iter_words
from ppgen.engine.geometry import Rect
from ppgen.games.board_game import rules as tables
from ppgen.games.board_game.points import ChainSearch, alliance_points, country_points
from ppgen.games.board_game.rules import (COUNCILLOR, MAX_HEIGHT_MM, FigureSource, View, _court, _points_to_show,
                                          area_around, read_examples, rules_of_board_game, scene_figure)
from ppgen.printing.set_booklets import A5
from ppgen.shipped import shipped_root

FOLDER = shipped_root() / "data" / "board_game"
LANGUAGES = sorted(path.stem for path in (FOLDER / "rules").glob("*.toml"))


@pytest.fixture(scope="module")
def examples(board):
    return {example.id: example for example in read_examples(FOLDER, board)}


@pytest.fixture(scope="module")
def booklets(board_set, board, borders):
    """The rules of each language, on A5."""
    return {lang: rules_of_board_game(board, borders, FOLDER, board_set.texts(lang), (), A5, "full")
            for lang in LANGUAGES}


def said(booklet) -> str:
    return "".join(words for _, words in iter_words(booklet))


@pytest.mark.parametrize(("id", "country", "held", "points"), [
    ("cloisters_apart", "franconia", (4, 2, 0, 1), (7, 4, 0, 2)),
    ("cloisters_shared", "lotharingia", (0, 2, 2, 1), (0, 5, 5, 2)),
])
def test_cloisters_score_as_the_sources_say(examples, board, id, country, held, points):
    assert examples[id].lands == (country,)
    assert examples[id].cloister_counts(board, country) == held
    assert country_points(held) == points


@pytest.mark.parametrize(("id", "box", "courts", "points"), [
    ("alliance_one", 14, {"italy": (2, 1, 1, 0), "burgundy": (1, 1, 0, 0)}, (6, 0, 0, 0)),
    ("alliance_none", 15, {"italy": (2, 1, 1, 0), "bavaria": (0, 2, 1, 0)}, (0, 0, 0, 0)),
])
def test_alliances_score_as_the_sources_say(examples, board, id, box, courts, points):
    example = examples[id]
    assert example.box == box and set(example.lands) == set(board.alliances[box - 1].countries)
    assert {country: example.councillor_counts(country) for country in example.lands} == courts
    assert alliance_points(*(example.councillor_counts(country) for country in example.lands)) == points


def test_councillors_have_room_as_the_sources_say(examples, board):
    """Three, two and two cloisters: three councillors. Four cloisters and two councillors: two more."""
    franconia, france = examples["councillor_limit"], examples["councillor_two"]
    assert franconia.cloister_counts(board, "franconia") == (3, 2, 2, 0)
    assert not franconia.councillors
    assert max(france.cloister_counts(board, "france")) == france.cloister_counts(board, "france")[1] == 4
    court = france.councillors["france"]
    assert [piece.fresh for piece in court] == [False, False, True, True]
    assert {piece.seat for piece in court if piece.fresh} == {0}


@pytest.mark.parametrize(("id", "hand", "played", "new"), [
    ("turn_first", {"france": 1, "franconia-aragon": 2}, ["franconia-aragon"], 1),
    ("turn_joker", {"franconia-aragon": 1, "bavaria-burgundy": 2},
     ["franconia-aragon", "bavaria-burgundy", "bavaria-burgundy"], 2),
    ("turn_three", {"france": 3}, ["france", "france"], 2),
])
def test_the_turns_are_those_of_the_sources(examples, id, hand, played, new):
    example = examples[id]
    assert {kind: example.hand.count(kind) for kind in example.hand} == hand
    assert [example.hand[n] for n in example.played] == played
    pieces = [*example.cloisters.values(), *(piece for court in example.councillors.values() for piece in court)]
    fresh = [piece for piece in pieces if piece.fresh]
    assert len(fresh) == new and len({piece.seat for piece in fresh}) == 1
    # In an empty country one cloister and no more (Danish rules, 'Placering af klostre/rådmænd').
    assert (len(pieces) == len(fresh)) == (id == "turn_first")


@pytest.mark.parametrize(("id", "held", "points", "chains"), [
    ("chain_spur", 6, 5, 1), ("chain_ring", 5, 5, 1), ("chain_two", 8, 8, 2), ("chain_star", 4, 0, 0)])
def test_the_chains_are_what_their_words_say(examples, board, id, held, points, chains):
    example = examples[id]
    found = ChainSearch(example.spaces_of(0), [road.ends for road in board.roads]).chains
    assert (len(example.cloisters), sum(map(len, found)), len(found)) == (held, points, chains)
    if id == "chain_spur":
        assert len({board.space[label].country for label in found[0]}) == 3, "through three countries"


def test_pictures_of_chains_have_one_size_and_show_each_of_their_pieces(examples, source):
    chains = [each for each in examples.values() if each.shows == "chain"]
    for example, figure in ((each, scene_figure(source, each, width=50)) for each in chains):
        assert (figure.size.width, figure.size.height) == pytest.approx((50, MAX_HEIGHT_MM["chain"]))
        shown = [space for space in figure.parts[0].request.values["spaces"] if space["piece"]]
        assert len(shown) == len(example.cloisters)
        assert all(0 < space["x"] < 50 and 0 < space["y"] < figure.size.height for space in shown)


@pytest.fixture
def source(board, borders, board_set):
    return FigureSource(board=board, borders=borders, texts=board_set.texts("en"), names=[*"ABCD"], measure=122)


def test_the_part_of_the_map_around_points_has_room_around_them_and_ends_with_the_map(board):
    frame, middle = board.frame, board.countries[0].court.at
    assert area_around(board, [middle], 9) == Rect(middle.x - 9, middle.y - 9, 18, 18)
    whole = area_around(board, [middle], 900)
    assert (whole.x, whole.y, whole.right, whole.bottom) == (frame.left, frame.top, frame.right, frame.bottom)


def test_the_picture_of_an_alliance_shows_both_coats_of_arms(examples, source):
    seen = area_around(source.board, _points_to_show(source, examples["alliance_one"]), 0)
    for country in source.board.countries:
        if country.id in examples["alliance_one"].lands:
            at, radius = country.court.at, country.court.radius
            assert seen.contains(Rect(at.x - radius, at.y - radius, 2 * radius, 2 * radius), 1e-6)


@pytest.mark.parametrize("count", range(1, 8))
def test_councillors_stand_close_to_each_other_about_their_arms(board, count):
    court = board.countries[0].court
    drawn = _court(court, "", View(window=Rect(0, 0, 500, 400), scale=1), [{}] * count)
    places = [(piece["x"] - drawn["x"], piece["y"] - drawn["y"]) for piece in drawn["pieces"]]
    assert len({*places}) == count and sum(x for x, _ in places) == pytest.approx(0, abs=0.1)
    rows = sorted({y for _, y in places})
    assert all(0.9 * COUNCILLOR < below - above < COUNCILLOR for above, below in pairwise(rows))


def test_the_numbers_of_cards_follow_from_the_deck(source):
    cells = [[cell[0].words for cell in row] for row in tables.piles(source).rows]
    assert cells == [["3", "2", "45", "34"], ["4", "1", "50", "36"], ["5", "none", "55", "38"]]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_booklet_says_what_the_scoring_works_out(booklets, board_set, lang):
    words, texts = said(booklets[lang]).replace("\n", ""), board_set.texts(lang)
    names = {seat: texts(f"rules.players.{seat}") for seat in ("first", "second", "third", "fourth")}
    for key, values in {
            "cloisters_apart": {"first_points": 7, "second_points": 4, "fourth_points": 2},
            "cloisters_shared": {"second_points": 5, "fourth_points": 2},
            "alliance_one": {"box": 14, "first_points": 6}, "alliance_none": {"box": 15},
            "councillor_limit": {"first_count": 3, "second_count": 2, "limit": 3},
            "councillor_two": {"second_count": 4, "standing": 2, "free": 2}}.items():
        assert texts(f"rules.examples.{key}", **names, **values).replace("*", "").replace("\n", "") in words, key


WORDS = {
    "de": "Kloster Räte Klosterfeld Wappen Straße Bündnis Klosterkette Abzweigung Joker Zwischenwertung Schlusswertung "
          "Wertungsleiste Zählstein Markierungsstein Mehrheit Vorrat Nachziehstapel Ablage Spielplan",
    "en": "cloister councillor cloister⌴space coat⌴of⌴arms road alliance chain branch joker interim⌴scoring "
          "final⌴scoring score⌴track score⌴marker black⌴marker majority supply draw⌴pile discard⌴pile board",
    "da": "kloster rådmænd klosterfelt våbenskjold vej sammenslutning klosterkæde afstikker joker første⌴pointtælling "
          "sidste⌴pointtælling pointskala pointbrik sort⌴markeringsbrik flertal forråd trækkebunke aflægningsbunke",
    "nl": "klooster raadsheer kloosterveld wapenschild weg bondgenootschap kloosterketen splitsing joker "
          "eerste⌴waardering tweede⌴waardering scorespoor telsteen zwarte⌴merksteen meerderheid voorraad trekstapel "
          "aflegstapel spelbord",
    "fr": "abbaye conseiller emplacement⌴d’abbaye blason route alliance chaîne embranchement joker premier⌴décompte "
          "décompte⌴final piste⌴de⌴score marqueur jeton⌴noir majorité réserve pioche défausse plateau",
    "ja": "修道院 枢機卿 修道院マス 国章 道 同盟 修道院の連結 枝道 ジョーカー 中間決算 最終決算 得点トラック "
          "ポイントマーカー 黒マーカー 最大多数 手元のコマ 山札 捨て札 残りコマ ボード"}
"""The game's words in the published rules, or ours where there are none; ⌴ is a space inside one."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_are_those_of_the_game(booklets, lang):
    printed = said(booklets[lang]).replace("\u00a0", " ").lower()
    assert not [word for word in WORDS[lang].split() if word.replace("⌴", " ").lower() not in printed]
