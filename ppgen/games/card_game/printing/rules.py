"""Turns the deck, the worked examples and the words of a language into the booklet of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ppgen.engine.booklets.document import (
    Area,
    Beside,
    Block,
    Booklet,
    Cover,
    Figure,
    Line,
    Listing,
    Panel,
    Paragraph,
    Picture,
    Span,
    Stroke,
    Table,
    measure_of,
)
from ppgen.engine.booklets.prose import line_of
from ppgen.engine.component import Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.card_game.deck.model import (
    DISPLAY_COLUMNS,
    DISPLAY_ROWS,
    MAX_SYMBOLS,
    STONES_EACH,
    Card,
    Deck,
    count_routes,
    count_symbols,
)
from ppgen.games.card_game.printing import figures
from ppgen.games.card_game.printing.display import tablet_places
from ppgen.games.card_game.printing.examples import Example, read_examples
from ppgen.games.card_game.printing.figures import Cabinet
from ppgen.games.card_game.scoring.points import CHAIN_LENGTH
from ppgen.games.rules_booklet import Contents, rules_booklet
from ppgen.reading.texts import Texts

CONTENTS = Contents(
    sections=("idea", "material", "cards", "setup", "turn", "taking", "stones", "claimed", "tablets", "scoring",
              "country", "symbols", "chains", "end", "ours"),
    below=("taking", "stones", "country", "symbols", "chains", "end"),
    panels=("ours",), inner=3)
NO_BREAK = "\u00a0"
SEATS = ("first", "second", "third", "fourth")
SHEET = ("cards", "symbols", "subtotal", "carry", "chains", "minus_two", "total")
"""Columns and rows of the score sheet; the rules call them ``{sheet_cards}`` and so on, as they are printed there."""
COVER_HEIGHT = 0.56
"""Of the picture on the first page, as a share of its width."""


def rules(deck: Deck, folder: Path, texts: Texts, parts: Sequence[Part], page: Size, ink: str) -> Booklet:
    """The rules in the language of the texts, on pages of that size; their pictures show the parts.

    ``folder`` is the game's data folder. Raises InputError for examples that don't suit the deck.
    """
    pieces = {component.id: component for part in parts for component in part.components}
    cabinet = Cabinet(deck=deck, pieces=pieces, texts=texts)
    return _Author(cabinet, read_examples(folder, deck), page).booklet(ink)


class _Author:
    """Gathers what the texts of the sections are filled in with."""

    def __init__(self, cabinet: Cabinet, examples: Sequence[Example], page: Size) -> None:
        self.cabinet, self.deck, self.common, self.t = cabinet, cabinet.deck, cabinet.texts, cabinet.say
        self.page, self.measure = page, measure_of(page)
        self.examples = {example.id: example for example in examples}
        self.names = {seat: self.t(f"players.{seat}") for seat in SEATS}
        self.inserts = self._inserts()
        self.values = self._values()

    def booklet(self, ink: str) -> Booklet:
        return rules_booklet(CONTENTS, self._cover(), self.common, self.page, ink, inserts=self.inserts,
                             values=self.values)

    # ---------- words ----------

    def _values(self) -> dict[str, object]:
        deck = self.deck
        routes = count_routes(deck.cards)
        countries = [self.common(f"countries.{country.id}") for country in deck.countries]
        counts = [self.t("material.count", country=name, number=country.number)
                  for name, country in zip(countries, deck.countries, strict=True)]
        return {
            **self.names, "cards": len(deck.cards), "counts": self.cabinet.listed(counts),
            "order": self.cabinet.listed(countries),
            "last_country": countries[-1], "families": len(deck.symbols),
            "most_families": max(len(count_symbols(deck.cards_of(country))) for country in deck.countries),
            "rows": DISPLAY_ROWS,
            "columns": DISPLAY_COLUMNS, "tablets": len(tablet_places()), "stones_each": STONES_EACH,
            "stones": sum(stone.copies for stone in deck.stones), "colours": len(deck.stones),
            "max_symbols": MAX_SYMBOLS, "chain": CHAIN_LENGTH,
            "ship_cards": routes["ship"], "carriage_cards": routes["carriage"],
            "law_kinds": len(deck.laws), "law_copies": deck.laws[0].copies,
            **{law.id: self.common(f"laws.{law.id}.name").replace(" ", NO_BREAK) for law in deck.laws},
            **{f"sheet_{key}": self.common(f"score.{key}").replace(" ", NO_BREAK) for key in SHEET}}

    # ---------- pictures, tables, examples ----------

    def _inserts(self) -> dict[str, Sequence[Block]]:
        values = self._values()
        deck = self.deck
        card = next((card for card in deck.cards if len(card.symbols) == MAX_SYMBOLS and card.route), deck.cards[0])
        found: dict[str, Sequence[Block]] = {
            "material": (self._material(values),),
            "card": (self._card(card, values),),
            "signs": (figures.legend(self.cabinet, self.measure),),
            "display": (figures.display(self.cabinet, self.measure, line_of(self.t("setup.caption")),
                                        self.t("setup.alt", rows=DISPLAY_ROWS, columns=DISPLAY_COLUMNS)),),
            "pay": (self._paying(),),
            "laws": (self._laws(),),
            "laws_short": (self._laws_short(),),
            "scores": (self._scores(),)}
        found["takings"] = (self._takings(),)
        for example in self.examples.values():
            if example.shows != "taking":
                found[example.id] = (self._example(example),)
        return found

    def _cover(self) -> Cover:
        size = Size(self.measure, self.measure * COVER_HEIGHT)
        art = FaceRequest(template="card_game/rules-cover.svg.j2", size=size,
                          values={"shields": [country.arms for country in self.deck.countries]})
        picture = Picture(request=art, box=Rect(0, 0, size.width, size.height), outline=False)
        return Cover(art=Figure(size=size, parts=(picture,), alt=self.t("book.cover")), title=self.t("book.title"),
                     subtitle=f"{self.t('book.subtitle')} · {self.t('book.name')}", facts=self.t("book.facts"))

    def _material(self, values: Mapping[str, object]) -> Table:
        deck = self.deck
        card, law = deck.cards[0].id, deck.laws[0].component
        scale = self.cabinet.scale(10.4)
        wide = 31.0
        shown: dict[str, tuple[Picture | Area | Stroke, ...]] = {
            "cards": figures.fan_of(self.cabinet, (card, "front"), (card, "back"), scale=scale),
            "tablets": figures.fan_of(self.cabinet, (law, "front"), (law, "back"), scale=scale * 1.25),
            "stones": figures.fan_of(self.cabinet, *((stone.component, "front") for stone in deck.stones),
                                     scale=scale * 0.85),
            "sheet": figures.blank_sheet(self.cabinet, 11.5)}
        rows: list[tuple[Line | Figure, ...]] = []
        for key, parts in shown.items():
            boxes = [part.box for part in parts if not isinstance(part, Stroke)]
            size = Size(max(box.right for box in boxes) + 0.2, max(box.bottom for box in boxes) + 0.2)
            rows.append((Figure(size=size, parts=parts, alt=self.t(f"material.{key}_alt")),
                         line_of(self.t(f"material.{key}", **values))))
        return Table(head=(), rows=tuple(rows), widths=(wide, 0), plain=True)

    def _card(self, card: Card, values: Mapping[str, object]) -> Beside:
        """A card with its parts numbered, beside what they mean."""
        size = self.cabinet.card
        figure = figures.annotated_card(self.cabinet, card, max(29, 44.8 * size.width / size.height))
        entries = tuple(line_of(self.t(f"cards.{key}", **values)) for key in figures.PARTS_OF_CARD)
        return Beside(left=(figure,), right=(Listing(entries, numbered=True),), width=figure.size.width)

    def _paying(self) -> Panel:
        deck = self.deck
        cards = {card.id: card for card in deck.cards}
        taken, own = cards.get("france-4", deck.cards[0]), cards.get("italy-1", deck.cards[-1])
        return Panel(blocks=(
            figures.paying(self.cabinet, taken, own, {name: self.names[name] for name in ("first", "second")}),
            Paragraph(line_of(self.t("claimed.example", first=self.names["first"],
                                     second=self.names["second"]).strip()))))

    def _laws(self) -> Table:
        cells: list[Line | Figure] = []
        for law in self.deck.laws:
            pictures = figures.fan_of(self.cabinet, (law.component, "front"), scale=self.cabinet.scale(20.5))
            size = Size(pictures[0].box.right + 0.2, pictures[0].box.bottom + 0.2)
            name = self.common(f"laws.{law.id}.name")
            words = (Span(f"{name}\n", strong=True), *line_of(self.t(f"tablets.{law.id}")))
            cells += (Figure(size=size, parts=pictures, alt=name), words)
        return Table(head=(), rows=tuple(tuple(cells[n:n + 4]) for n in range(0, len(cells), 4)),
                     widths=(17.5, 0, 17.5, 0), plain=True)

    def _laws_short(self) -> Listing:
        """Name and text of each law; a tablet's own line breaks (Japanese has some) are no spaces here."""
        return Listing(tuple(line_of(self.t("summary.law", name=self.common(f"laws.{law.id}.name"),
                                            text=self.common(f"laws.{law.id}.text").replace("\n", "")))
                             for law in self.deck.laws))

    def _scores(self) -> Table:
        """How many cards there are of each country, in the order of scoring."""
        deck = self.deck
        step = self.measure / len(deck.countries)
        arms: list[Line | Figure] = []
        for country in deck.countries:
            picture = self.cabinet.sign(country.arms, "arms", 0, 0, 6.4)
            arms.append(Figure(size=Size(6.4, 7.7), parts=(picture,), alt=self.common(f"countries.{country.id}")))
        numbers: list[Line | Figure] = [(Span(f"{country.code} "), Span(str(country.number), strong=True))
                                        for country in deck.countries]
        return Table(head=(), rows=(tuple(arms), tuple(numbers)), widths=(step,) * len(deck.countries),
                     centred=tuple(range(len(deck.countries))), plain=True)

    def _takings(self) -> Panel:
        rows = tuple((figures.row_ends(self.cabinet, example.hands, example.rest, 11.2),
                      line_of(self.t(f"examples.{example.id}", **self.names)))
                     for example in self.examples.values() if example.shows == "taking")
        return Panel(blocks=(Table(head=(), rows=rows, widths=(39.5, 0), plain=True),))

    def _example(self, example: Example) -> Panel:
        key = f"examples.{example.id}"
        points = example.points(self.deck)
        values = {f"{seat}_points": score for seat, score in zip(SEATS, points, strict=False)}
        number = next((country.number for country in self.deck.countries if country.id == example.country), 0)
        words = self.t(key, **self.names, **values, number=number)
        return Panel(blocks=(Paragraph(line_of(words)), self._holdings(example, points)))

    def _holdings(self, example: Example, points: Sequence[int]) -> Table:
        counted = example.shows != "chains"
        widths = (15, 0, 14 if counted else 23, 13)
        width = self._hand_width(self.measure - 6 - sum(widths) - 3, counted)
        rows: list[tuple[Line | Figure, ...]] = []
        counted_cards = example.counts(self.deck)
        for seat, cards, count, score in zip(SEATS, example.hands, counted_cards, points, strict=False):
            shown = figures.hand(self.cabinet, cards, width, routes=not counted)
            counts: Line = (Span(str(count)),)
            if not counted:
                routes = count_routes(cards)
                words = [self.t(f"examples.{name}", count=routes[route])
                         for route, name in (("ship", "ships"), ("carriage", "carriages")) if routes[route]]
                counts = (Span("\n".join(words)),)
            rows.append(((Span(self.names[seat]),), shown, counts, (Span(str(score), strong=True),)))
        head = tuple(line_of(self.t(f"examples.{word}")) for word in ("player", "cards", "counts", "points"))
        return Table(head=head, rows=tuple(rows), widths=widths, centred=(2, 3))

    def _hand_width(self, room: float, counted: bool) -> float:
        """How wide a card is shown, so that the largest hand has room and all pictures of a kind are alike."""
        most = max(len(hand) for example in self.examples.values() for hand in example.hands
                   if example.shows != "taking" and (example.shows != "chains") == counted)
        fits = (room - 0.8 * (most - 1)) / most if counted else room / (1 + (most - 1) * figures.ROUTE)
        return min(fits, 13.0 if counted else 15.0)
