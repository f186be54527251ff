"""What ``--only`` names: parts, several parts at once, single pieces; and how their files are called."""

import pytest

from ppgen.assets import Assets
from ppgen.printing.request import MAX_IDS_LENGTH, stem_words
from ppgen.printing.workshop import Workshop
from tests.test_languages import LANGUAGES


def built(desk, *words):
    files = desk.built("--lang", "de", *(word for name in words for word in ("--only", name)))["files"]
    return {file["path"].removeprefix("output/de/"): [
        sorted(placed["component"] for placed in side["placements"]) for side in file["sides"]] for file in files}


def test_one_card_is_printed_again_beside_the_earlier_files(desk):
    assert built(desk, "france-3") == {"cards-a4-duplex-france-3.pdf": [["france-3"], ["france-3"]]}
    assert {path.name for path in (desk.folder / "output/de").iterdir()} == {
        "cards-a4-duplex-france-3.pdf", "manifest-a4-duplex-france-3.json"}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["card-game", "board-game"])
def test_a_country_is_named_in_any_language(game):
    workshop = Workshop.open(Assets.at(), "", game)
    named: dict[str, set[str]] = {}
    for entry in workshop.game.describe():
        for country in (entry["country"],) if "country" in entry else entry.get("countries", ()):
            named.setdefault(country, set()).add(entry["id"])
    for lang in LANGUAGES:
        names = [workshop.texts(lang)(f"countries.{country}") for country in named]
        assert {*workshop.name_parts(names)} >= set.union(*named.values()) - {*named}, lang
        if game == "card-game":
            assert workshop.name_parts([f"{name}-3" for name in names]) == tuple(f"{country}-3" for country in named)


@pytest.mark.parametrize("count", [1, 5, 56])
def test_many_ids_make_no_endless_name(count):
    ids = [f"franconia-{n}" for n in range(count)]
    found = "-".join(stem_words(ids))
    assert len(found) <= MAX_IDS_LENGTH
    assert found != "-".join(stem_words([*ids[1:], "saxony-1"]))
