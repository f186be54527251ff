"""What a designer would otherwise find out on paper: ``check`` and ``build`` warn of it."""

from __future__ import annotations

import pytest

TABLE, TEMPLATE = "data/deck/cards.csv", "templates/deck/card.svg.j2"
RULES = "data/deck/rules/en.toml"


@pytest.fixture
def deck(desk):
    """The deck of ``ppgen init --empty``."""
    assert desk.ppgen("init", "--empty", ".", "--quiet").exit_code == 0
    return desk


def write_rules(deck, body: str) -> None:
    (deck.folder / RULES).parent.mkdir()
    (deck.folder / RULES).write_text(f'[rules.book]\nname = "Rules"\n[rules.text]\nbody = """\n{body}"""\n', "utf-8")


def test_markup_that_would_be_printed_as_typed_is_a_warning_with_the_line_of_the_template(deck):
    deck.change(TABLE, "Draw two cards.", "Draw **two** cards. Pay {coin}.")
    line = deck.change(TEMPLATE, "  {{ paragraph(card.text", "  {{ paragraph(card.text")
    done = deck.own("check")
    assert done.exit_code == 0, done.output
    for markup in ("**", "{coin}"):
        (warning,) = {each.partition("]")[2] for each in done.output.splitlines() if f"'{markup}' as it" in each}
        assert "only rich() sets **bold** and {icons}" in warning
        assert f"{TEMPLATE}:{line} [sun front en" in done.output
    deck.change(TABLE, "Take back", "**Take** back")
    done = deck.own("build", "--only", "cards", "--dry-run")
    assert [each.partition(" (")[0] for each in done.stderr.splitlines() if "warn" in each] == [
        "warning: cards sun and 1 more: prints '**' as it stands", "warning: cards sun: prints '{coin}' as it stands"]


def test_a_deck_of_circles_passes_the_check(deck):
    """Texts of ppgen's own guide, about straight cuts, are then used nowhere."""
    deck.change("data/deck/deck.toml", 'table = "cards.csv"', 'table = "cards.csv"\nsize = "60x60mm"\nshape = "circle"')
    deck.change(TEMPLATE, "y=15 * u, width=w - 4 * frame", "y=15 * u, width=w - 8 * frame")
    deck.change(TEMPLATE, "width=w - 6 * frame, height=13 * u", "width=w - 2 * frame, height=19 * u")
    done = deck.own("check")
    assert done.exit_code == 0, done.output
    deck.change("data/deck/locales/en.toml", "[parts]", 'edition = "0.4"\n[parts]')
    assert "game.edition: text is used nowhere" in deck.own("check").output


@pytest.mark.parametrize(("body", "kind", "quoted"), [
    ("You *win*.\n\nPay **all** of it.", "bold", "**all**"), ("### Deeper\n\nDown.", "heading", "### Deeper"),
    ("Once.\n## The end\nTwice.", "heading", "## The end"), ("| a | b |\n|---|---|", "table", "| a | b |"),
    ("See [there](http://x.org).", "picture or link", "[there](http://x.org)"), ("* one\n* two", "bullet", "* one"),
    ("![A goblin](goblin.jpg)", "picture or link", "![A goblin](goblin.jpg)"), ("Text\n> note", "note", "> note")])
def test_markdown_that_rules_do_not_know_is_a_warning(deck, body, kind, quoted):
    write_rules(deck, body)
    done = deck.own("build", "--only", "rules", "--dry-run")
    assert done.exit_code == 0, done.output
    (warning,) = [each for each in done.stderr.splitlines() if "Markdown" in each]
    line = body.splitlines().index(next(each for each in body.splitlines() if quoted in each)) + 5
    assert f"{RULES}:{line} rules.text.body" in warning
    assert f"Markdown {kind} '{quoted}' is printed as typed" in warning
    assert ("and 1 more" in warning) == (kind in ("bullet", "table"))


def test_what_rules_know_is_no_markdown(deck):
    write_rules(deck, "## A\n- one\n- two *strong*\n\n1. a\n2. b\n\n> note\n> goes on\n\n{cards}\n\n2 * 3 = 6")
    (deck.folder / RULES).with_suffix(".md").write_text("# Rules\n")
    done = deck.own("build", "--only", "rules", "--dry-run")
    assert [each for each in done.stderr.splitlines() if "data/" in each] == [
        "warning: data/deck/rules/en.md: is not read: rules are the text rules.text.body of a .toml file (put its text "
        "into en.toml)"]


@pytest.mark.slow
def test_low_ink_of_a_deck_without_a_version_for_it_is_a_warning(deck):
    both = ("--only", "cards", "--only", "calibration", "--dry-run")
    assert "warning" not in deck.own("build", "--ink", "low", *both).stderr
    deck.change(TEMPLATE, 'low = ink == "low"', "low = false")
    done = deck.own("build", "--ink", "low", "--paper", "a4", "--paper", "letter", *both)
    assert [each for each in done.stderr.splitlines() if "warning" in each] == [
        "warning: cards: is printed in full ink: its templates have no version for low ink (draw less of it where "
        '{% if ink == "low" %})']
    assert "warning" not in deck.own("build", *both).stderr
    checked = deck.own("check")
    assert (checked.exit_code, "looks the same with little ink" in checked.stderr) == (0, True)
