"""The words of all rules: what is counted in play is counted in figures, which stay on the line with it."""

import re
import tomllib

import pytest

from ppgen.shipped import shipped_root

NUMBER_WORDS = {
    "de": "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn", "en": "two|three|four|five|six|seven|eight|nine|ten",
    "da": "to|tre|fire|fem|seks|syv|otte|ni", "nl": "twee|drie|vier|vijf|zes|zeven|acht|negen",
    "fr": "deux|trois|quatre|cinq|six|sept|huit|neuf"}
COUNTED = re.compile("(?i)kart|kort|card|carte|symbol|cirkel|stein|stone|brik|sten|jeton|piece|pièce|tafel|tablet|"
                     "tavle|klost|klooster|cloister|abbaye|rat\\b|räte|raadsh|rådm|councillor|conseil|"
                     "spieler|player|spiller|speler|joueur|pun|point|kette|chain|chaîne")
FIGURE = (r"(?:\b\d{1,3}|\{(?:\w+_points|\w+_count|\w+_each|number|chain|max_symbols|hand|open|limit|standing)\})"
          r" (\w+)")


@pytest.mark.parametrize("lang", sorted(NUMBER_WORDS))
@pytest.mark.parametrize("folder", ["card_game/rules", "board_game/rules", "card_game/locales", "board_game/locales"])
def test_what_is_counted_is_counted_in_figures_that_stay_with_it(folder, lang):
    """„2⏎Sterne“ was printed. Japanese has no space there, and what is read aloud no lines."""
    path = shipped_root() / "data" / folder / f"{lang}.toml"
    for section in tomllib.loads(path.read_text(encoding="utf-8")).values():
        for key, words in texts(section):
            found = re.findall(rf"(?i)\b(?:{NUMBER_WORDS[lang]}) (\S+)", words)
            if folder.endswith("rules") and not key.endswith("alt"):
                found += re.findall(FIGURE, words)
            assert not [word for word in found if COUNTED.match(word)], key


def texts(section):
    for key, value in section.items():
        if isinstance(value, dict):
            yield from texts(value)
        else:
            yield key, str(value)


@pytest.mark.parametrize(("game", "count"), [("card_game", 10), ("board_game", 12)])
def test_every_language_lists_the_same_number_of_our_decisions(game, count):
    files = list((shipped_root() / "data" / game / "rules").glob("*.toml"))
    assert len(files) == 6
    for file in files:
        assert tomllib.loads(file.read_text(encoding="utf-8"))["rules"]["ours"]["body"].count("\n> - ") == count, file
