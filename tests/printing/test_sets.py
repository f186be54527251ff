"""Several sets at once: as many pieces as in so many sets, on no more sheets, and what is read or written on once."""

from collections import Counter

import pytest

from tests.games.own_deck.decks import lay_out


def fronts(entry):
    return [(placed["component"], placed.get("tile")) for side in entry["sides"] for placed in side["placements"]
            if placed["face"] == "front"]


@pytest.mark.slow
@pytest.mark.parametrize("words", [
    ("--only", "tokens", "--only", "box", "--only", "score-sheet"), ("--only", "tablets", "--backs", "fold"),
    ("--game", "board-game", "--only", "aid", "--only", "pieces")])
def test_every_piece_is_there_once_for_each_set_and_more_sets_take_no_more_sheets(desk, words):
    one, three = (desk.built("-l", "de", *words, "--dry-run", *more) for more in ((), ("--sets", "3")))
    assert (one.get("sets"), three["sets"]) == (None, 3)
    for alone, together in zip(one["files"], three["files"], strict=True):
        times = 1 if alone["part"] == "score-sheet" else 3
        counts = {piece: times * count for piece, count in Counter(fronts(alone)).items()}
        assert Counter(fronts(together)) == counts
        assert together["sheets"] <= times * alone["sheets"]
        assert ("-sets3" in together["path"]) == (times == 3)


@pytest.mark.parametrize(("words", "code", "said"), [
    (("--sets", "0"), 2, "--sets"), (("--sets", "101"), 2, "--sets"),
    (("--game", "board-game", "--only", "pieces", "--sets", "100"), 1, "14600 pieces")])
def test_sets_have_bounds(desk, words, code, said):
    done = desk.ppgen("build", "-l", "de", *words, "--dry-run")
    assert (done.exit_code, said in done.stderr) == (code, True), done.output


@pytest.mark.slow
def test_small_parts_of_ones_own_deck_share_sheets_and_keep_every_piece(desk):
    parts, words = ["counters", "markers"], ("--only", "counters", "--only", "markers")
    desk.run("new", "wargame", "--starter", "wargame")
    shared, apart = (desk.built("--data", "wargame", *words, "--dry-run", "--backs", "fold", *more)["files"]
                     for more in ((), ("--no-together",)))
    (file,) = (file for file in shared if "parts" in file)
    assert (file["part"], file["parts"]) == ("-".join(parts), parts)
    assert file["sheets"] < sum(each["sheets"] for each in apart if each["part"] in parts)
    pieces = [Counter(place for file in files for place in fronts(file)) for files in (shared, apart)]
    assert pieces[0] == pieces[1]
    assert all("-apart" in each["path"] for each in apart if each["part"] in parts)


@pytest.mark.parametrize(("count", "files"), [(4, 1), (5, 2)])
def test_parts_that_fill_less_than_half_a_sheet_share_one(desk, count, files):
    """Nine cards of poker size fit on it."""
    lay_out(desk.folder, {
        "deck.toml": 'title = "A"\n' + "".join(f'[{name}]\ntable = "a.csv"\nsize = "poker"\nfront = "a.svg.j2"\n'
                                               for name in ("heroes", "beasts")),
        "a.csv": f"Name,Qty\nAnn,{count}\n", "a.svg.j2": '{{ fill("#884422") }}'})
    assert len(desk.built("--only", "heroes", "--only", "beasts", "--dry-run")["files"]) == files
