"""Filter expressions: what they select, laws about them, and what is refused in plain words."""

import pytest
from hypothesis import given, strategies as st

from ppgen.errors import RequestError
from ppgen.printing.request import MAX_EXPRESSION, parse_filter

ROWS = [
    {"id": "dragon", "kind": "cards", "name": "Dragon", "name.de": "Drachengröße", "type": "Hero", "cost": 7,
     "flavour_text": "Run, or pray.", "symbols": {"cross": 2, "fan": 1}, "copies": 1},
    {"id": "guard", "kind": "cards", "name": "Guard", "name.de": "", "type": "Hero", "cost": 2, "flavour_text": "",
     "symbols": {}, "copies": 4},
    {"id": "ogre", "kind": "cards", "name": "Ogre", "name.de": "", "type": "minion", "cost": "", "flavour_text": "",
     "symbols": {}, "copies": 2},
    {"id": "coin", "kind": "coins", "countries": ["france", "england"], "word": "ガード", "copies": 30}]
EVERY = {"dragon", "guard", "ogre", "coin"}


def select(text: str, **states: set[str]) -> set[str]:
    return set(parse_filter(text).select(ROWS, states))


@pytest.mark.parametrize(("text", "ids"), [
    ("dragon", {"dragon"}), ("HERO", {"dragon", "guard"}), ("drachengrosse", {"dragon"}), ("größe", {"dragon"}),
    ("type:her cost>3", {"dragon"}), ("type=her", set()), ("type=hero", {"dragon", "guard"}), ("ガ", {"coin"}),
    ("カ", set()), ("cost>=2 cost<=7", {"dragon", "guard"}), ("cost<7", {"guard"}), ("cost==7.0", {"dragon"}),
    ("-cost>2", EVERY - {"dragon"}), ("cost!=7", EVERY - {"dragon"}), ("--hero", {"dragon", "guard"}),
    ("cost= part:cards", {"ogre"}), ("name= part:cards", set()), ('"flavour text":"or pray"', {"dragon"}),
    ("-hero -part:coins", {"ogre"}), ("hero cost>3 | part:coins", {"dragon", "coin"}),
    ("ogre or coin", {"ogre", "coin"}), ("id:o", {"dragon", "ogre", "coin"}),
    ("symbols:cross", {"dragon"}), ("symbols.cross=2", {"dragon"}), ("symbols>1", {"dragon"}),
    ("qty>2", {"guard", "coin"}),
    ("countries=france", {"coin"}), ("name:groesse", set()), ("ｃｏｓｔ＞３", {"dragon"}),
    ("is:changed hero", {"guard"}), ("-is:changed", EVERY - {"guard"})])
def test_expressions_select_pieces(text, ids):
    assert select(text, changed={"guard"}) == ids


@pytest.mark.parametrize(("text", "words"), [
    ("cots>3", ("no column 'cots'", "did you mean cost?")), ("type>3", ("'type' holds no numbers",)),
    ("cost>much", ("'much' is not a number",)), ("is:mended", ("known: is:changed",))])
def test_terms_that_make_no_sense_for_the_table_are_refused_with_a_guess(text, words):
    with pytest.raises(RequestError) as refused:
        select(f"dragon {text} | {text}", changed=set())
    assert len(refused.value.problems) == 1
    for each in words:
        assert each in str(refused.value)


@pytest.mark.parametrize("text", ["", " ", "|", "a |", "or b", 'a"b', '"open', "cost>", "cost:", ":x",
                                  "x" * (MAX_EXPRESSION + 1), "a " * 60])
def test_what_is_not_an_expression_is_refused(text):
    with pytest.raises(ValueError, match=r"is empty|not understood|nothing|more than|longer than"):
        parse_filter(text)


terms = st.sampled_from(["dragon", "hero", "type:hero", "cost>3", "cost<=2", "cost!=7", "part:coins", "name=",
                         "copies>1", '"or pray"', "symbols>1", "is:changed"])


@given(terms, terms, terms)
def test_minus_is_the_complement_words_the_intersection_and_or_the_union(one, two, three):
    first, second, third = (select(term, changed={"guard"}) for term in (one, two, three))
    assert select(f"-{one}", changed={"guard"}) == EVERY - first
    assert select(f"{one} {two} | {three}", changed={"guard"}) == (first & second) | third


@given(st.text(max_size=60) | st.text('-|:=<>"a3 é', max_size=30))
def test_any_text_is_an_expression_or_is_refused_in_words(text):
    try:
        expression = parse_filter(text)
    except ValueError as error:
        assert str(error)
        return
    assert parse_filter(str(expression)) == expression
    assert expression.slug.startswith("-") and not set(expression.slug) & set('/\\:*?"<>| ')
    try:
        assert set(expression.select(ROWS)) <= EVERY
    except RequestError as error:
        assert error.problems
