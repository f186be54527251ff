"""How much of a language is translated: copied sentences count, what languages have in common does not."""

import pytest

from ppgen.printing.set_booklets import check_translation
from ppgen.reading.fields import Source
from ppgen.reading.texts import Texts, languages

GERMAN = {"a.name": "Franken", "a.title": "Kardinal & König", "a.word": "Karte", "a.land": "Ungarn", "a.comma": ",",
          "a.only": "{n}: {of}", "a.phrase": "zwei Karten", "a.sentence": "Nimm {n} Karten von der Hand."}
DUTCH = {"a.name": "Franken", "a.title": "Kardinal & König", "a.word": "kaart", "a.land": "Hongarije", "a.comma": ",",
         "a.only": "{n}: {of}", "a.phrase": "twee kaarten", "a.sentence": "Neem {n} kaarten uit je hand."}
ENGLISH = {"a.name": "Franconia", "a.title": "Kardinal & König", "a.word": "card", "a.land": "Hungary", "a.comma": ".",
           "a.only": "{n}: {of}", "a.phrase": "two cards", "a.sentence": "Take {n} cards from your hand."}


def texts(lang, words, lent=()):
    return Texts(lang=lang, words=words, files=dict.fromkeys(words, Source(lang, "")), borrowed=frozenset(lent))


OTHERS = [texts("de", GERMAN), texts("nl", DUTCH), texts("en", ENGLISH)]


def test_a_copied_language_is_untranslated_but_for_names_and_what_has_no_words():
    found = check_translation(texts("it", GERMAN), OTHERS)
    assert found.source == "de"
    assert found.same == ("a.word", "a.land", "a.phrase", "a.sentence")
    assert (found.done, found.texts) == (2, 6)


def test_the_progress_of_some_tables_counts_only_these():
    words = GERMAN | {"list.ok": "Keine Probleme gefunden", "list.ink": "{percent} Farbe"}
    found = check_translation(texts("it", words, ["list.ink", "a.word"]), OTHERS)
    messages, printed = found.part({"list"}), found.part({"a"})
    assert (messages.done, messages.texts) == (1, 2)
    assert (printed.done + messages.done, printed.texts + messages.texts) == (found.done, found.texts)


@pytest.fixture(scope="module")
def drafts(workshop):
    return {lang: workshop.texts(lang) for lang in languages(workshop.assets.game("card_game") / "locales")}


def test_the_shipped_languages_are_translated(drafts):
    for lang, own in drafts.items():
        found = check_translation(own, [other for name, other in drafts.items() if name != lang])
        assert (found.same, found.done) == ((), found.texts), lang
        assert found.texts > 200


def test_each_shipped_language_would_be_seen_through_as_a_copy(drafts):
    """At least nine of ten texts: the rest are names and numbers."""
    for lang, copied in drafts.items():
        found = check_translation(texts("xx", copied.words), list(drafts.values()))
        assert found.source == lang
        assert len(found.same) > 0.9 * found.texts
