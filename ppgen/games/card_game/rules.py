"""Rules booklet and its worked examples, whose points all come from the scoring code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Literal, cast

from ppgen.engine.booklets.booklet import (Beside, Block, Booklet, BookletArea, BookletPicture, BookletTable, Figure,
                                           Listing, Panel, Paragraph, Span, Stroke, TextLine, column_width, parse_line)
from ppgen.engine.component import Part
from ppgen.engine.geometry import Size
from ppgen.errors import join_names
from ppgen.games.card_game import figures
from ppgen.games.card_game.components import tablet_places
from ppgen.games.card_game.deck import (DISPLAY_COLUMNS, DISPLAY_ROWS, MAX_PLAYERS, MAX_SYMBOLS, ROUTES, STONES_EACH,
                                        Card, Deck, count_routes, count_symbols, may_follow)
from ppgen.games.card_game.figures import FigureSource
from ppgen.games.rules_booklet import SEATS, RulesContents, rules_booklet, take_examples
from ppgen.play.line_points import score_line
from ppgen.reading.fields import Fields
from ppgen.reading.texts import Texts
from ppgen.shipped import Phrase

Topic = Literal["taking", "country", "symbols", "chains"]
TOPICS: tuple[Topic, ...] = ("taking", "country", "symbols", "chains")
CONTENTS = RulesContents(
    sections=("idea", "material", "cards", "setup", "turn", "taking", "stones", "claimed", "tablets", "scoring",
              "country", "symbols", "chains", "end", "ours"),
    below=("taking", "stones", "country", "symbols", "chains", "end"),
    panels=("ours",), inner=3)
NO_BREAK = "\u00a0"
SHEET = ("cards", "symbols", "subtotal", "carry", "chains", "minus_two", "total")
"""Columns and rows of the score sheet; ``{sheet_cards}`` and so on in the rules are their printed names."""
COVER_HEIGHT = 0.56  # height of the cover picture as a share of its width


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsExample:
    """Cards in the hands of players, first player first; of a taking the cards taken from each row."""

    id: str
    shows: Topic
    hands: tuple[tuple[Card, ...], ...]
    country: str = ""  # the scored one; takings and chains have none
    rest: tuple[tuple[Card, ...], ...] = ()  # of a taking: the remaining cards of these rows

    def counts(self, deck: Deck) -> tuple[int, ...]:
        """The count that each player's points depend on: cards of the country, or symbols of the best kind in it."""
        if self.shows == "symbols":
            return tuple(max(count_symbols(hand).values(), default=0) for hand in self.hands)
        return tuple(map(len, self.hands))

    def points(self, deck: Deck) -> tuple[int, ...]:
        """The points of each player; a taking scores nothing."""
        def score(key: str, counts: Sequence[int]) -> tuple[int, ...]:
            return score_line(deck.rules.line(key), counts)

        if self.shows in ("country", "symbols"):
            return score(f"{self.country}.{'cards' if self.shows == 'country' else 'symbols'}", self.counts(deck))
        if self.shows == "chains":
            routes = [*map(count_routes, self.hands)]
            ships, carriages = (score(f"{route}s", [own[route] for own in routes]) for route in ROUTES)
            return tuple(map(sum, zip(ships, carriages, strict=True)))
        return (0,) * len(self.hands)


def rules_of_card_game(deck: Deck, folder: Path, texts: Texts, parts: Sequence[Part], page: Size, ink: str) -> Booklet:
    """Make the rules from a data ``folder``, with pictures of the parts. Raises InputError for its examples."""
    pieces = {component.id: component for part in parts for component in part.components}
    source = FigureSource(deck=deck, pieces=pieces, texts=texts)
    return _Author(source, read_examples(folder, deck), page).booklet(ink)


class _Author:
    """Collects the inserts and values of the texts."""

    def __init__(self, source: FigureSource, examples: Sequence[HandsExample], page: Size) -> None:
        self.source, self.deck, self.common, self.t = source, source.deck, source.texts, source.say
        self.page, self.measure = page, column_width(page)
        self.examples = {example.id: example for example in examples}
        self.names = {seat: self.t(f"players.{seat}") for seat in SEATS}
        self.values = self._values()
        self.inserts = self._inserts()

    def booklet(self, ink: str) -> Booklet:
        cover = self.source.cover("card_game/rules-cover.svg.j2", Size(self.measure, self.measure * COVER_HEIGHT),
                                  {"shields": [country.arms for country in self.deck.countries]})
        return rules_booklet(CONTENTS, cover, self.common, self.page, ink, inserts=self.inserts, values=self.values)

    def _values(self) -> dict[str, object]:
        deck = self.deck
        routes = count_routes(deck.cards)
        countries = [self.source.country_name(country.id) for country in deck.countries]
        counts = [self.t("material.count", country=name, number=country.number)
                  for name, country in zip(countries, deck.countries, strict=True)]
        return {
            **self.names, "cards": len(deck.cards), "counts": self.source.join_words(counts),
            "order": self.source.join_words(countries),
            "last_country": countries[-1], "families": len(deck.symbols),
            "most_families": max(len(count_symbols(deck.cards_of(country))) for country in deck.countries),
            "rows": DISPLAY_ROWS,
            "columns": DISPLAY_COLUMNS, "tablets": len(tablet_places()), "stones_each": STONES_EACH,
            "stones": sum(stone.copies for stone in deck.stones), "colours": len(deck.stones),
            "max_symbols": MAX_SYMBOLS, "chain": deck.rules.line("ships").least,
            "ship_cards": routes["ship"], "carriage_cards": routes["carriage"],
            "law_kinds": len(deck.laws), "law_copies": deck.laws[0].copies,
            **{law.id: self.common(f"laws.{law.id}.name").replace(" ", NO_BREAK) for law in deck.laws},
            **{f"sheet_{key}": self.common(f"score.{key}").replace(" ", NO_BREAK) for key in SHEET}}

    def _inserts(self) -> dict[str, Sequence[Block]]:
        cards = self.deck.cards
        card = next((card for card in cards if len(card.symbols) == MAX_SYMBOLS and card.route), cards[0])
        inserts: dict[str, Sequence[Block]] = {
            "material": (self._material(),),
            "card": (self._card(card),),
            "signs": (figures.legend(self.source, self.measure),),
            "display": (figures.display(self.source, self.measure, parse_line(self.t("setup.caption")),
                                        self.t("setup.alt", rows=DISPLAY_ROWS, columns=DISPLAY_COLUMNS)),),
            "pay": (self._paying(),),
            "laws": (self._laws(),),
            "laws_short": (self._laws_short(),),
            "scores": (self._scores(),),
            "takings": (self._takings(),)}
        return inserts | {example.id: (self._example(example),)
                          for example in self.examples.values() if example.shows != "taking"}

    def _material(self) -> BookletTable:
        deck = self.deck
        card, law = deck.cards[0].id, deck.laws[0].component
        scale = self.source.scale(10.4)
        pictures: dict[str, tuple[BookletPicture | BookletArea | Stroke, ...]] = {
            "cards": figures.card_fan(self.source, (card, "front"), (card, "back"), scale=scale),
            "tablets": figures.card_fan(self.source, (law, "front"), (law, "back"), scale=scale * 1.25),
            "stones": figures.card_fan(self.source, *((stone.component, "front") for stone in deck.stones),
                                       scale=scale * 0.85),
            "sheet": figures.blank_sheet(self.source, 11.5)}
        rows: list[tuple[TextLine | Figure, ...]] = []
        for key, parts in pictures.items():
            boxes = [part.box for part in parts if not isinstance(part, Stroke)]
            size = Size(max(box.right for box in boxes) + 0.2, max(box.bottom for box in boxes) + 0.2)
            rows.append((Figure(size=size, parts=parts, alt=self.t(f"material.{key}_alt")),
                         parse_line(self.t(f"material.{key}", **self.values))))
        return BookletTable(head=(), rows=tuple(rows), widths=(31.0, 0), plain=True)

    def _card(self, card: Card) -> Beside:
        """A card with numbered parts, next to their explanations."""
        size = self.source.card
        figure = figures.annotated_card(self.source, card, max(29, 44.8 * size.width / size.height))
        entries = tuple(parse_line(self.t(f"cards.{key}", **self.values)) for key in figures.PARTS_OF_CARD)
        return Beside(left=(figure,), right=(Listing(entries, numbered=True),), width=figure.size.width)

    def _paying(self) -> Panel:
        deck = self.deck
        cards = {card.id: card for card in deck.cards}
        taken, own = cards.get("france-4", deck.cards[0]), cards.get("italy-1", deck.cards[-1])
        return Panel(blocks=(
            figures.paying_figure(self.source, taken, own, {name: self.names[name] for name in ("first", "second")}),
            Paragraph(parse_line(self.t("claimed.example", first=self.names["first"],
                                        second=self.names["second"]).strip()))))

    def _laws(self) -> BookletTable:
        cells: list[TextLine | Figure] = []
        for law in self.deck.laws:
            pictures = figures.card_fan(self.source, (law.component, "front"), scale=self.source.scale(20.5))
            size = Size(pictures[0].box.right + 0.2, pictures[0].box.bottom + 0.2)
            name = self.common(f"laws.{law.id}.name")
            words = (Span(f"{name}\n", strong=True), *parse_line(self.t(f"tablets.{law.id}")))
            cells += (Figure(size=size, parts=pictures, alt=name), words)
        return BookletTable(head=(), rows=tuple(tuple(cells[n:n + 4]) for n in range(0, len(cells), 4)),
                            widths=(17.5, 0, 17.5, 0), plain=True, on_top=True)

    def _laws_short(self) -> Listing:
        """Name and text of each law; line breaks of the tablet (Japanese has some) do not become spaces."""
        return Listing(tuple(parse_line(self.t("summary.law", name=self.common(f"laws.{law.id}.name"),
                                               text=self.common(f"laws.{law.id}.text").replace("\n", "")))
                             for law in self.deck.laws))

    def _scores(self) -> BookletTable:
        deck = self.deck
        step = self.measure / len(deck.countries)
        arms: list[TextLine | Figure] = []
        for country in deck.countries:
            picture = self.source.sign(country.arms, "arms", 0, 0, 6.4)
            arms.append(Figure(size=Size(6.4, 7.7), parts=(picture,), alt=self.source.country_name(country.id)))
        numbers: list[TextLine | Figure] = [(Span(f"{country.code} "), Span(str(country.number), strong=True))
                                            for country in deck.countries]
        return BookletTable(head=(), rows=(tuple(arms), tuple(numbers)), widths=(step,) * len(deck.countries),
                            centred=tuple(range(len(deck.countries))), plain=True)

    def _takings(self) -> Panel:
        rows = tuple((figures.row_ends(self.source, example.hands, example.rest, 11.2),
                      parse_line(self.t(f"examples.{example.id}", **self.names)))
                     for example in self.examples.values() if example.shows == "taking")
        return Panel(blocks=(BookletTable(head=(), rows=rows, widths=(39.5, 0), plain=True),))

    def _example(self, example: HandsExample) -> Panel:
        key = f"examples.{example.id}"
        points = example.points(self.deck)
        values = {f"{seat}_points": score for seat, score in zip(SEATS, points, strict=False)}
        number = next((country.number for country in self.deck.countries if country.id == example.country), 0)
        words = self.t(key, **self.names, **values, number=number)
        return Panel(blocks=(Paragraph(parse_line(words)), self._holdings(example, points)))

    def _holdings(self, example: HandsExample, points: Sequence[int]) -> BookletTable:
        is_chain = example.shows == "chains"
        widths = (15, 0, 23 if is_chain else 14, 13)
        width = self._hand_width(self.measure - 6 - fsum(widths) - 3, is_chain)
        rows: list[tuple[TextLine | Figure, ...]] = []
        for seat, cards, count, score in zip(SEATS, example.hands, example.counts(self.deck), points, strict=False):
            hand = figures.hand_figure(self.source, cards, width, routes=is_chain)
            counts: TextLine = (Span(str(count)),)
            if is_chain:
                routes = count_routes(cards)
                words = [self.t(f"examples.{name}", count=routes[route])
                         for route, name in (("ship", "ships"), ("carriage", "carriages")) if routes[route]]
                counts = (Span("\n".join(words)),)
            rows.append(((Span(self.names[seat]),), hand, counts, (Span(str(score), strong=True),)))
        head = tuple(parse_line(self.t(f"examples.{word}")) for word in ("player", "cards", "counts", "points"))
        return BookletTable(head=head, rows=tuple(rows), widths=widths, centred=(2, 3))

    def _hand_width(self, room: float, is_chain: bool) -> float:
        """The width of a card at which the largest hand fits, so that all pictures of a kind have one scale."""
        most = max(len(hand) for example in self.examples.values() for hand in example.hands
                   if example.shows != "taking" and (example.shows == "chains") == is_chain)
        width = room / (1 + (most - 1) * figures.ROUTE) if is_chain else (room - 0.8 * (most - 1)) / most
        return min(width, 15.0 if is_chain else 13.0)


def read_examples(folder: Path, deck: Deck) -> tuple[HandsExample, ...]:
    """Read the examples of a data folder. Raises InputError with all problems, such as cards that the deck lacks."""
    return take_examples(folder, lambda row: _example(row, deck))


def _example(row: Fields, deck: Deck) -> HandsExample:
    known = {card.id: card for card in deck.cards}
    shows = cast(Topic, row.take_choice("shows", TOPICS))
    country = row.take_choice("country", [country.id for country in deck.countries], "")
    if shows in ("country", "symbols") and not country:
        row.note("country", Phrase("is_missing"), "name the country that is scored")
    example = HandsExample(id=row.take_text("id"), shows=shows, country=country, hands=_lists(row, "cards", known),
                           rest=_lists(row, "rest", known) if shows == "taking" else ())
    if shows == "taking" and len(example.rest) != len(example.hands):
        row.note("rest", "is not a list of cards for each row that something is taken from", "as many as in cards")
    taken = [card for hand in example.hands for card in hand] if shows == "taking" else []
    for n, card in enumerate(taken):
        if not may_follow(card, taken[:n]):
            row.note("cards", f"{card.id!r} may not follow in the same turn",
                     f"one country, and no card after {MAX_SYMBOLS} symbols")
    return example


def _lists(row: Fields, key: str, known: Mapping[str, Card]) -> tuple[tuple[Card, ...], ...]:
    lists = row.raw(key)
    if not isinstance(lists, list) or not all(isinstance(each, list) for each in lists) or len(lists) > MAX_PLAYERS:
        row.note(key, "is not a list of cards for each player, or row", f'write {key} = [["france-1"], ["france-2"]]')
        return ()
    return tuple(tuple(_cards(row, key, each, known)) for each in lists)


def _cards(row: Fields, key: str, ids: list[object], known: Mapping[str, Card]) -> Iterator[Card]:
    for id in ids:
        if isinstance(id, str) and id in known:
            yield known[id]
        else:
            row.note(key, f"{id!r} is not a card of this deck", f"the ids of cards.csv: {join_names([*known][:3])}, …")
