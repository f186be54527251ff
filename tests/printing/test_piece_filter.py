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


def test_expressions_select_pieces_or_are_refused(golden_cases):
    def answer(text):
        try:
            yield " ".join(sorted(select(text, changed={"guard"}))) or "nothing"
        except (RequestError, ValueError) as error:
            yield error

    golden_cases("filters", answer)


@pytest.mark.parametrize("text", ["", " ", "x" * (MAX_EXPRESSION + 1), "a " * 60])
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
