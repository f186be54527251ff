"""What is remembered of tags is made once, and is bounded."""

from ppgen.engine import svg

TAGS = [("rect", (("x", str(n)),)) for n in range(9)]


def test_nothing_is_made_twice_of_a_tag_until_too_much_is_remembered(monkeypatch):
    made = []

    def make(tag, attributes):
        made.append(attributes)
        return tag, attributes

    known_of = svg.memoise(make)
    for tag in (*TAGS, *TAGS):
        assert known_of(*tag) == tag
    assert made == [attributes for _, attributes in TAGS]
    monkeypatch.setattr(svg, "MAX_CACHED_CHARACTERS", 10 * svg.ENTRY_OVERHEAD)
    assert known_of("rect", (("x", "1" * 1000),))[1][0][1] == "1" * 1000
    known_of(*TAGS[0])
    assert made[-1] == TAGS[0][1], "it began anew, and nothing stays for ever"
