"""The card game's rules with their figures, and its table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import fsum
from pathlib import Path
from typing import Any, Literal, cast

from ppgen.engine.booklets.booklet import (Beside, Block, Booklet, BookletArea, BookletPicture, BookletTable, Figure,
                                           FigureLabel, Listing, Numbers, Panel, Paragraph, Span, Stroke, TextLine,
                                           column_width, parse_line)
from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.errors import Phrase, join_names
from ppgen.games.card_game.components import tablet_places
from ppgen.games.card_game.deck import (DISPLAY_COLUMNS, DISPLAY_ROWS, MAX_PLAYERS, MAX_SYMBOLS, MIN_PLAYERS, ROUTES,
                                        STONES_EACH, Card, Deck, Stone, count_routes, count_symbols, may_follow)
from ppgen.games.card_game.sheet import lay_out
from ppgen.games.interface import (GAP, SEATS_IN_ROW, Place, TableGame, TableSetUp, copies_of, in_row, load_steps,
                                   make_seats, sizes_of)
from ppgen.games.rules_booklet import SEATS, RulesContents, RulesSource, rules_booklet, take_examples
from ppgen.play.line_points import score_line
from ppgen.reading.fields import Fields
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, replace

# --- Figures ---

PAPER, LINE = "#FFFFFF", "#000000"
RED = "#B8352E"  # frame of cards that may be taken
VEIL = 0.42  # opacity of the white veil over cards that may not
PARTS_OF_CARD = ("number", "code", "symbols", "route", "name")
"""Parts in the annotated picture of a card: the keys of their texts, and the anchors of the card's template."""
UPPER = 0.305  # share of a card's height, at its top, with everything that scores
ROUTE = 0.295  # share of a card's width, at its right, with its route and none of its circle symbols
SMALL_WIDTH = 16.0  # width of a card in mm; narrower ones are drawn without details that would be hairlines and specks
LEGIBLE_SCALE = 0.72  # scale of a tablet; smaller ones are drawn without their text, which would be under 5 pt
_SHUFFLE_STRIDE = 23  # through the deck in the display: looks shuffled (no divisor in common with 56)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSource(RulesSource):
    """The pieces of a set by id, to draw pictures of, and the texts of the language."""

    deck: Deck
    pieces: Mapping[str, Component]

    @property
    def card(self) -> Size:
        return self.pieces[self.deck.cards[0].id].size

    def scale(self, width: float) -> float:
        """The scale of a card of this width in mm."""
        return width / self.card.width

    def front(self, id: str, x: float, y: float, scale: float, **options: Any) -> BookletPicture:
        """The front of a piece with its top left corner at x, y."""
        return self._picture(self.pieces[id].front, x, y, scale, **options)

    def back(self, id: str, x: float, y: float, scale: float) -> BookletPicture:
        component = self.pieces[id]
        return self._picture(component.back or component.front, x, y, scale)

    def _picture(self, request: FaceRequest, x: float, y: float, scale: float, **options: Any) -> BookletPicture:
        if scale * self.card.width < SMALL_WIDTH or (scale < LEGIBLE_SCALE and request.size != self.card):
            request = replace(request, small=True)
        box = Rect(x, y, request.size.width * scale, request.size.height * scale)
        corner = options.pop("corner", min(box.width, box.height) * 0.055)
        return BookletPicture(request=request, box=box, corner=corner, **options)

    def stone(self, stone: Stone, card: Rect, scale: float) -> BookletPicture:
        """A stone on the lower half of a card."""
        size = self.pieces[stone.component].size
        return self.front(stone.component, card.x + (card.width - size.width * scale) / 2,
                          card.y + card.height * 0.66 - size.height * scale / 2, scale)

    def tablet(self, card: Rect, scale: float) -> BookletPicture:
        """The back of a tablet at the lower edge of a card."""
        tablet = self.pieces[self.deck.laws[0].component].size
        return self.back(self.deck.laws[0].component, card.x + (card.width - tablet.width * scale) / 2,
                         card.bottom - tablet.height * scale - 0.03 * card.height, scale)

    def sign(self, sign: str, kind: str, x: float, y: float, width: float) -> BookletPicture:
        """A badge, a route or a coat of arms by itself."""
        height = width * (1.2 if kind == "arms" else 1)
        request = FaceRequest(template="card_game/rules-sign.svg.j2", size=Size(width, height),
                              values={"sign": sign, "of": kind}, key=f"{kind} {sign}")
        return BookletPicture(request=request, box=Rect(x, y, width, height), outline=False)

    def describe_card(self, card: Card) -> str:
        """Describe a card in words, for alternative texts."""
        signs = [self.texts(f"kinds.{kind}") for kind in card.symbols]
        if card.route:
            signs.append(self.say(f"cards.{card.route}"))
        country = self.country_name(card.country.id)
        return self.say("cards.told", country=country, signs=self.join_words(signs)) if signs else country


def display(source: FigureSource, measure: float) -> Figure:
    """Draw the initial display: tablets in their places, the ends of rows framed, the other cards veiled."""
    gap, air = 0.8, 1.8
    width = (measure - (DISPLAY_COLUMNS - 1) * gap - 0.8) / DISPLAY_COLUMNS
    scale = source.scale(width)
    height = source.card.height * scale
    cards = source.deck.cards
    tablets = tablet_places()
    below: list[BookletPicture] = []
    above: list[BookletPicture] = []
    for n, (row, column) in enumerate(product(range(DISPLAY_ROWS), range(DISPLAY_COLUMNS))):
        x, y = 0.4 + column * (width + gap), air + row * (height + gap)
        card = cards[n * _SHUFFLE_STRIDE % len(cards)]
        end = column in (0, DISPLAY_COLUMNS - 1)
        below.append(source.front(card.id, x, y, scale, veil=0.0 if end else VEIL, frame=RED if end else ""))
        if (row + 1, column + 1) in tablets:
            above.append(source.tablet(Rect(x, y, width, height), scale))
    return Figure(size=Size(measure, air + DISPLAY_ROWS * (height + gap) - gap + 0.4), parts=(*below, *above),
                  caption=parse_line(source.say("setup.caption")), floats=True,
                  alt=source.say("setup.alt", rows=DISPLAY_ROWS, columns=DISPLAY_COLUMNS))


def annotated_card(source: FigureSource, card: Card, width: float) -> Figure:
    """Draw a card with its parts numbered in the order of :data:`PARTS_OF_CARD`, at the anchors of its face."""
    scale, room = source.scale(width), 4.0
    numbers = Numbers(picture=source.front(card.id, room, room, scale, corner=1.6), anchors=PARTS_OF_CARD, room=room)
    return Figure(size=Size(width + 2 * room, numbers.picture.box.bottom + 0.2), alt=source.say("cards.alt"),
                  parts=(numbers,))


def legend(source: FigureSource, measure: float) -> Figure:
    """Draw the badges of the families with their names, and the two routes."""
    signs = [(kind, "badge", source.texts(f"kinds.{kind}")) for kind in source.deck.symbols]
    signs += [(route, "route", source.say(f"cards.{route}")) for route in ROUTES]
    step, side = measure / len(signs), 7.4
    parts: list[BookletPicture | FigureLabel] = []
    for n, (sign, kind, name) in enumerate(signs):
        parts.append(source.sign(sign, kind, step * (n + 0.5) - side / 2, 0, side))
        parts.append(FigureLabel(words=name, box=Rect(step * n, side + 0.4, step, 4), align="center", size=8,
                                 style="italic"))
    return Figure(size=Size(measure, side + 4.8), parts=tuple(parts), alt=source.say("cards.signs_alt"))


def row_ends(source: FigureSource, taken: Sequence[Sequence[Card]], rest: Sequence[Sequence[Card]],
             width: float) -> Figure:
    """Draw the left ends of rows: cards that are taken framed and numbered in order, the others veiled."""
    gap, edge, seal, scale = 1.4, 0.6, 3.5, source.scale(width)
    height = source.card.height * scale * UPPER
    step = Size(width + gap, height + 0.67 * seal + 1.2)
    cards: list[BookletPicture] = []
    seals: list[FigureLabel] = []
    for row, (row_taken, row_rest) in enumerate(zip(taken, rest, strict=True)):
        for n, card in enumerate((*row_taken, *row_rest)):
            is_taken = n < len(row_taken)
            whole = source.front(card.id, edge + n * step.width, edge + row * step.height, scale, corner=0.7,
                                 veil=0.0 if is_taken else 0.55, frame=RED if is_taken else "")
            cards.append(replace(whole, box=replace(whole.box, height=height)))
            if is_taken:
                corner = Point(whole.box.x + (width - seal) / 2, whole.box.y + height - 0.33 * seal)
                seals.append(FigureLabel(words=str(len(seals) + 1), box=Rect(corner.x, corner.y, seal, seal),
                                         align="center", size=6.4, style="title", seal=True))
    words = source.join_words(source.describe_card(card) for row in taken for card in row)
    return Figure(size=Size(max(card.box.right for card in cards) + edge, len(taken) * step.height),
                  parts=(*cards, *seals), alt=source.say("examples.taking_alt", cards=words))


def hand_figure(source: FigureSource, cards: Sequence[Card], width: float, routes: bool = False) -> Figure:
    """Draw the upper parts of cards side by side, or overlapping: all but the first show only their ``routes``."""
    scale = source.scale(width)
    step = width * ROUTE if routes else width + 0.8
    words = source.join_words(map(source.describe_card, cards))
    height = source.card.height * scale * UPPER
    whole = [source.front(card.id, 0.2 + step * n, 0.2, scale, corner=0.6) for n, card in enumerate(cards)]
    parts = tuple(replace(picture, box=replace(picture.box, height=height)) for picture in whole)
    return Figure(size=Size(width + step * (len(cards) - 1) + 0.4, height + 0.4),
                  parts=parts[::-1] if routes else parts,
                  alt=source.say("examples.hand_alt", count=len(cards), cards=words))


def blank_sheet(source: FigureSource, width: float) -> tuple[BookletArea | Stroke, ...]:
    """Draw an empty score sheet of this width in mm: its page, rows and columns."""
    size = source.pieces["score-sheet"].size
    sheet = lay_out(source.deck, size)
    scale = width / size.width
    table = _scale_rect(sheet.areas["table"], scale)
    lines = [Stroke(start=Point(table.x, 0.2 + y * scale), end=Point(table.right, 0.2 + y * scale), width=0.12)
             for y in (row.y for row in sheet.areas["rows"].values())]
    lines += [Stroke(start=Point(0.2 + column.x * scale, table.y), end=Point(0.2 + column.x * scale, table.bottom),
                     width=0.12) for column in sheet.columns]
    page = _scale_rect(Rect(0, 0, size.width, size.height), scale)
    return (BookletArea(box=page, fill=PAPER, stroke=LINE, corner=0.4), BookletArea(box=table, stroke=LINE), *lines)


def paying_figure(source: FigureSource, taken: Card, own: Card, names: Mapping[str, str]) -> Figure:
    """Draw a card with another player's stone, and the card with one's own stone that pays for it."""
    payer, owner = source.deck.stones[0], source.deck.stones[1]
    width, gap = 14.5, 34.0
    scale = source.scale(width)
    height = source.card.height * scale
    parts: list[BookletPicture | Stroke | FigureLabel] = []
    for n, (card, stone, words) in enumerate(((taken, owner, "back"), (own, payer, "out"))):
        box = Rect(0.6 + n * (width + gap), 0.6, width, height)
        parts.append(source.front(card.id, box.x, box.y, scale, corner=0.9, frame="" if n else RED))
        parts.append(source.stone(stone, box, scale))
        y = box.y + height * 0.66
        parts.append(Stroke(start=Point(box.x + width * 0.78, y), end=Point(box.right + 9, y), arrow=True, width=0.4))
        parts.append(FigureLabel(words=source.say(f"claimed.{words}", **names), style="italic", size=8.5,
                                 box=Rect(box.right + 10.2, y - 5, gap - 13.5, 10)))
    return Figure(size=Size(2 * (width + gap) - 2, height + 1.2), parts=tuple(parts),
                  alt=source.say("claimed.alt", **names))


def card_fan(source: FigureSource, *faces: tuple[str, str], scale: float) -> tuple[BookletPicture, ...]:
    """Draw faces side by side, each given by the id of its piece and its side."""
    x, pictures = 0.2, []
    for id, side in faces:
        draw = source.back if side == "back" else source.front
        pictures.append(draw(id, x, 0.2, scale))
        x = pictures[-1].box.right + 1
    return tuple(pictures)


def _scale_rect(rect: Rect, scale: float) -> Rect:
    return Rect(0.2 + rect.x * scale, 0.2 + rect.y * scale, rect.width * scale, rect.height * scale)


# --- Rules ---

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

    @property
    def counts(self) -> tuple[int, ...]:
        """The count that each player's points depend on: cards of the country, or symbols of the best kind in it."""
        if self.shows == "symbols":
            return tuple(max(count_symbols(hand).values(), default=0) for hand in self.hands)
        return tuple(map(len, self.hands))

    def points(self, deck: Deck) -> tuple[int, ...]:
        """The points of each player; a taking scores nothing."""
        def score(key: str, counts: Sequence[int]) -> tuple[int, ...]:
            return score_line(deck.rules.line(key), counts)

        if self.shows in ("country", "symbols"):
            return score(f"{self.country}.{'cards' if self.shows == 'country' else 'symbols'}", self.counts)
        if self.shows == "chains":
            routes = [*map(count_routes, self.hands)]
            ships, carriages = (score(f"{route}s", [own[route] for own in routes]) for route in ROUTES)
            return tuple(map(sum, zip(ships, carriages, strict=True)))
        return (0,) * len(self.hands)


def rules_of_card_game(deck: Deck, folder: Path, texts: Texts, parts: Sequence[Part], page: Size, ink: str) -> Booklet:
    """Make the rules from a data ``folder``, with pictures of the parts. Raises InputError for its examples."""
    pieces = {component.id: component for part in parts for component in part.components}
    source = FigureSource(deck=deck, pieces=pieces, texts=texts)
    measure = column_width(page)
    author = _Author(source, read_examples(folder, deck), measure)
    cover = source.cover("card_game/rules-cover.svg.j2", Size(measure, measure * COVER_HEIGHT),
                         {"shields": [country.arms for country in deck.countries]})
    return rules_booklet(CONTENTS, cover, texts, page, ink, inserts=author.inserts, values=author.values)


class _Author:
    """Collects the inserts and values of the texts."""

    def __init__(self, source: FigureSource, examples: Sequence[HandsExample], measure: float) -> None:
        self.source, self.deck, self.common, self.t = source, source.deck, source.texts, source.say
        self.measure, self.examples = measure, {example.id: example for example in examples}
        self.names = {seat: self.t(f"players.{seat}") for seat in SEATS}
        self.values = self._values()
        self.inserts = self._inserts()

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
            **{law.id: re.sub(r"(?<=\d) ", NO_BREAK, self.common(f"laws.{law.id}.name")) for law in deck.laws},
            **{f"sheet_{key}": self.common(f"score.{key}").replace(" ", NO_BREAK) for key in SHEET}}

    def _inserts(self) -> dict[str, Sequence[Block]]:
        cards = self.deck.cards
        card = next((card for card in cards if len(card.symbols) == MAX_SYMBOLS and card.route), cards[0])
        return {
            "material": (self._material(),), "card": (self._card(card),), "signs": (legend(self.source, self.measure),),
            "display": (display(self.source, self.measure),),
            "pay": (self._paying(),), "laws": (self._laws(),), "laws_short": (self._laws_short(),),
            "scores": (self._scores(),), "takings": (self._takings(),),
            **{example.id: (self._example(example),) for example in self.examples.values()
               if example.shows != "taking"}}

    def _material(self) -> BookletTable:
        deck = self.deck
        card, law = deck.cards[0].id, deck.laws[0].component
        scale = self.source.scale(10.4)
        pictures: dict[str, tuple[BookletPicture | BookletArea | Stroke, ...]] = {
            "cards": card_fan(self.source, (card, "front"), (card, "back"), scale=scale),
            "tablets": card_fan(self.source, (law, "front"), (law, "back"), scale=scale * 1.25),
            "stones": card_fan(self.source, *((stone.component, "front") for stone in deck.stones),
                                       scale=scale * 0.85),
            "sheet": blank_sheet(self.source, 11.5)}
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
        figure = annotated_card(self.source, card, max(29, 44.8 * size.width / size.height))
        entries = tuple(parse_line(self.t(f"cards.{key}", **self.values)) for key in PARTS_OF_CARD)
        return Beside(left=(figure,), right=(Listing(entries, numbered=True),), width=figure.size.width)

    def _paying(self) -> Panel:
        deck = self.deck
        cards = {card.id: card for card in deck.cards}
        taken, own = cards.get("france-4", deck.cards[0]), cards.get("italy-1", deck.cards[-1])
        return Panel(blocks=(paying_figure(self.source, taken, own, self.names),
                             Paragraph(parse_line(self.t("claimed.example", **self.names).strip()))))

    def _laws(self) -> BookletTable:
        cells: list[TextLine | Figure] = []
        for law in self.deck.laws:
            pictures = card_fan(self.source, (law.component, "front"), scale=self.source.scale(20.5))
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
        arms = tuple(Figure(size=Size(6.4, 7.7), parts=(self.source.sign(country.arms, "arms", 0, 0, 6.4),),
                            alt=self.source.country_name(country.id)) for country in deck.countries)
        numbers = tuple((Span(f"{country.code} "), Span(str(country.number), strong=True))
                        for country in deck.countries)
        return BookletTable(head=(), rows=(arms, numbers), widths=(step,) * len(deck.countries),
                            centred=tuple(range(len(deck.countries))), plain=True)

    def _takings(self) -> Panel:
        rows = tuple((row_ends(self.source, example.hands, example.rest, 11.2),
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
        for seat, cards, count, score in zip(SEATS, example.hands, example.counts, points, strict=False):
            hand = hand_figure(self.source, cards, width, routes=is_chain)
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
        width = room / (1 + (most - 1) * ROUTE) if is_chain else (room - 0.8 * (most - 1)) / most
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
    for id in (id for each in lists for id in each if not isinstance(id, str) or id not in known):
        row.note(key, f"{id!r} is not a card of this deck", f"the ids of cards.csv: {join_names([*known][:3])}, …")
    return tuple(tuple(known[id] for id in each if isinstance(id, str) and id in known) for each in lists)


# --- Table ---

APART = 3.0  # distance of the cards of the display in mm

SPOTS = {"box": Point(-40, 100)}  # place of what leaves the game, beside the display


def table_of_card_game(folder: Path, describe: Callable[[], list[dict[str, object]]]) -> TableGame:
    """Open the table of the card game. Raises InputError for faults of its ``learn.toml``."""
    return TableGame(least=MIN_PLAYERS, most=MAX_PLAYERS, set_up=set_up, spots=SPOTS, tools=("flip",),
                     learn=load_steps(folder, describe, SPOTS, MIN_PLAYERS))


def set_up(players: int, parts: Sequence[Part]) -> TableSetUp:
    """Lay out the parts that are there for a number of players."""
    pieces, sizes = {part.name: copies_of(part) for part in parts}, sizes_of(parts)
    cards, tablets, stones = (pieces.get(name, ()) for name in ("cards", "tablets", "stones"))
    card = sizes[cards[0]] if cards else next(iter(sizes.values()))
    wide, high = card.width + APART, card.height + APART
    spots = [(row, column) for row in range(1, DISPLAY_ROWS + 1) for column in range(1, DISPLAY_COLUMNS + 1)]
    places = [Place(x=(column - 1) * wide, y=(row - 1) * high, pieces=(id,), mix="cards")
              for id, (row, column) in zip(cards, spots, strict=False)]
    places += [Place(x=(column - 1) * wide + (card.width - sizes[id].width) / 2,
                     y=(row - 1) * high + card.height - sizes[id].height, pieces=(id,), up=False, mix="tablets")
               for id, (row, column) in zip(tablets, sorted(tablet_places()), strict=False)]
    across = (DISPLAY_COLUMNS * wide - APART - (SEATS_IN_ROW - 1) * GAP) / SEATS_IN_ROW  # as wide as the display
    seats = make_seats(players, DISPLAY_ROWS * high + GAP, across)
    for id, seat in zip(dict.fromkeys(stones), seats, strict=False):
        places += [Place(x=seat.x + 3 + n * (sizes[id].width + 2), y=seat.bottom - sizes[id].height - 3, pieces=(id,))
                   for n in range(stones.count(id))]
    rest = [*cards[len(spots):], *tablets[len(tablet_places()):]]
    return TableSetUp(seats=seats, places=(*places, *in_row(rest, sizes, DISPLAY_COLUMNS * wide + GAP, 0)),
                      rows=tuple(row * high for row in range(DISPLAY_ROWS)) if cards else ())
