"""Turns the deck, the score sheet's layout and the words of a language into a form that adds itself up.

The scripts follow ``scoring.py`` rule by rule. They are plain ECMAScript 3 on the few objects that every
viewer with scripts has (``getField``, ``event``), as the JavaScript for Acrobat reference describes them;
in a viewer without scripts each field is typed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from ppgen.engine.forms.fields import Form, FormField
from ppgen.games.card_game.deck.model import MAX_PLAYERS, MINUS_TWO_POINTS, Deck
from ppgen.games.card_game.printing.score_sheet import ScoreSheetLayout
from ppgen.games.card_game.scoring.points import CHAIN_LENGTH
from ppgen.reading.texts import Texts

LONGEST_SUM, LONGEST_NAME = 24, 60
"""So many characters fit into a count and into a name."""
POINTS_SIZE, TOTAL_SIZE, WORDS_SIZE = 4.9, 6.0, 4.2
"""Type sizes in millimetres on A4."""

_SCRIPT = """\
// What is typed is added up by the rules of the game. A cell holds a number or a sum like 3+2.
var scoreCards = @CARDS@; // how many cards of each country exist
var scorePlayers = @PLAYERS@;

function scoreText(name) {
  var field = this.getField(name);
  return field === null || field.value === null ? "" : "" + field.value;
}

// Full-width characters, as Japanese keyboards type them, made plain; spaces left out.
function scorePlain(text) {
  var plain = "";
  for (var i = 0; i < text.length; i++) {
    var code = text.charCodeAt(i);
    if (code >= 0xFF01 && code <= 0xFF5E) { code -= 0xFEE0; }
    if (code !== 0x20 && code !== 0x3000) { plain += String.fromCharCode(code); }
  }
  return plain;
}

// The sum in a cell; -1 if nothing is written there.
function scoreCount(name) {
  var found = scorePlain(scoreText(name)).match(/[0-9]+/g);
  var sum = 0;
  if (!found) { return -1; }
  for (var i = 0; i < found.length; i++) { sum += parseInt(found[i], 10); }
  return sum;
}

// A column in which anything is written belongs to a player.
function scorePlays(player) {
  var column = "p" + player + ".";
  if (scoreText(column + "name") !== "") { return true; }
  for (var country in scoreCards) {
    if (scoreCount(column + country + ".cards") >= 0 || scoreCount(column + country + ".symbols") >= 0) { return true; }
  }
  return scoreCount(column + "ships") >= 0 || scoreCount(column + "carriages") >= 0
    || scoreCount(column + "minus_two") >= 0;
}

// Whether anyone has written anything into a row: until then its points stay blank.
function scoreWritten(row) {
  for (var player = 1; player <= scorePlayers; player++) {
    if (scoreCount("p" + player + "." + row) >= 0) { return true; }
  }
  return false;
}

// The most score as many points as cards exist, each next place as many as the place before holds.
function scoreCountry(player, country) {
  var row = country + ".cards";
  if (!scoreWritten(row) || !scorePlays(player)) { return ""; }
  var own = Math.max(0, scoreCount("p" + player + "." + row));
  if (own === 0) { return "0"; }
  var before = 0;
  for (var other = 1; other <= scorePlayers; other++) {
    var count = scoreCount("p" + other + "." + row);
    if (count > own && (before === 0 || count < before)) { before = count; }
  }
  return "" + (before || scoreCards[country]);
}

// The highest count of one kind scores for everyone who reaches it.
function scoreSymbols(player, country) {
  var row = country + ".symbols";
  if (!scoreWritten(row) || !scorePlays(player)) { return ""; }
  var own = Math.max(0, scoreCount("p" + player + "." + row));
  for (var other = 1; other <= scorePlayers; other++) {
    if (scoreCount("p" + other + "." + row) > own) { return "0"; }
  }
  return "" + own;
}

function scoreChains(player) {
  if (!(scoreWritten("ships") || scoreWritten("carriages")) || !scorePlays(player)) { return ""; }
  var ships = scoreCount("p" + player + ".ships");
  var carriages = scoreCount("p" + player + ".carriages");
  return "" + ((ships >= @CHAIN@ ? ships : 0) + (carriages >= @CHAIN@ ? carriages : 0));
}

function scoreLaw(player) {
  if (!scoreWritten("minus_two") || !scorePlays(player)) { return ""; }
  return "" + @LAW@ * Math.max(0, scoreCount("p" + player + ".minus_two"));
}

// The sum of points above; blank if all of them are.
function scoreSum(names) {
  var sum = 0, blank = true;
  for (var i = 0; i < names.length; i++) {
    var text = scoreText(names[i]);
    if (/^-?[0-9]+$/.test(text)) { sum += parseInt(text, 10); blank = false; }
  }
  return blank ? "" : "" + sum;
}

function scoreSubtotal(player, points) {
  var names = [];
  for (var country in scoreCards) { names.push("p" + player + "." + country + "." + points); }
  return scoreSum(names);
}

// pdf.js lets Tab go by place, over computed points too, unless they are locked while its scripts run.
function scoreLock(names) {
  if (app.viewerType !== "PDF.js") { return; }
  for (var i = 0; i < names.length; i++) { this.getField(names[i]).readonly = true; }
}

// A cell takes digits and plus signs. Some viewers ask only in the end: then it falls back to what it held.
function scoreKeystroke() {
  if (event.willCommit) {
    event.rc = /^[0-9+]*$/.test(scorePlain("" + event.value));
    return;
  }
  var typed = "" + event.change;
  var plain = scorePlain(typed).replace(/[^0-9+]/g, "");
  if (typed !== "" && plain === "") { event.rc = false; } else if (plain !== typed) { event.change = plain; }
}
"""
KEYSTROKE = "scoreKeystroke();"


def score_form(deck: Deck, layout: ScoreSheetLayout, texts: Texts) -> Form:
    """The form on a score sheet.

    Tab follows the hand over the table, as the rules score and as pdf.js always has it: the heads, then
    country by country from player to player, then the rows below, date and place. Computed points come
    last, for viewers that don't compute.
    """
    words = [FormField(name=key, rect=layout.boxes[key].inner, tooltip=texts(f"score.{key}"), align="left",
                       font_size=WORDS_SIZE * layout.unit, max_length=LONGEST_NAME) for key in ("date", "place")]
    players = range(1, MAX_PLAYERS + 1)
    counts = [field for player in players for field in _counts(deck, layout, texts, player)]
    points = [field for player in players for field in _points(deck, layout, texts, player)]
    computed = tuple(field.name for field in points)
    return Form(fields=(*sorted(counts, key=_by_row), *words, *sorted(points, key=_by_row)),
                script=f"{script(deck)}scoreLock({json.dumps(computed)});\n", calculated=computed)


def _by_row(field: FormField) -> tuple[float, float]:
    return round(field.rect.y, 3), field.rect.x


def script(deck: Deck) -> str:
    """The script that the fields' scripts call."""
    cards = json.dumps({country.id: country.number for country in deck.countries})
    text = _SCRIPT
    for name, value in (("CARDS", cards), ("PLAYERS", MAX_PLAYERS), ("CHAIN", CHAIN_LENGTH), ("LAW", MINUS_TWO_POINTS)):
        text = text.replace(f"@{name}@", str(value))
    return text


def _counts(deck: Deck, layout: ScoreSheetLayout, texts: Texts, player: int) -> Iterator[FormField]:
    """What a player types: the name, and counts from the first country to the tablets."""
    who = texts("form.player", n=player)
    yield FormField(name=f"p{player}.name", rect=layout.boxes[f"{player}.name"].inner,
                    tooltip=texts("form.name", player=who), max_length=LONGEST_NAME)

    def count(key: str, tooltip: str) -> FormField:
        return FormField(name=f"p{player}.{key}", rect=layout.boxes[f"{player}.{key}.tally"].inner, tooltip=tooltip,
                         keystroke=KEYSTROKE, max_length=LONGEST_SUM)

    for country in deck.countries:
        for key in ("cards", "symbols"):
            yield count(f"{country.id}.{key}",
                        texts(f"form.{key}", player=who, country=texts(f"countries.{country.id}")))
    for key in ("ships", "carriages", "minus_two"):
        yield count(key, texts(f"form.{key}", player=who))


def _points(deck: Deck, layout: ScoreSheetLayout, texts: Texts, player: int) -> Iterator[FormField]:
    """What a player scores, each from what stands before it."""
    who, column = texts("form.player", n=player), f"p{player}."

    def points(key: str, box: str, calculate: str, size: float = POINTS_SIZE, country: str = "") -> FormField:
        word = key.rpartition(".")[2]
        values = {"country": texts(f"countries.{country}")} if country else {}
        return FormField(name=column + key, rect=layout.boxes[f"{player}.{box}"].inner,
                         tooltip=texts(f"form.{word}", player=who, **values),
                         calculate=f"event.value = {calculate};", font_size=size * layout.unit)

    for country in deck.countries:
        for key, box, function in (("country_points", "cards", "scoreCountry"),
                                   ("symbol_points", "symbols", "scoreSymbols")):
            yield points(f"{country.id}.{key}", f"{country.id}.{box}.points",
                         f'{function}({player}, "{country.id}")', country=country.id)
    for key, box, of in (("country_subtotal", "cards", "country_points"),
                         ("symbol_subtotal", "symbols", "symbol_points")):
        yield points(key, f"subtotal.{box}", f'scoreSubtotal({player}, "{of}")')
    yield points("carry", "carry", _sum_of(column, "country_subtotal", "symbol_subtotal"))
    yield points("chain_points", "chains", f"scoreChains({player})")
    yield points("law_points", "law", f"scoreLaw({player})")
    yield points("total", "total", _sum_of(column, "carry", "chain_points", "law_points"), size=TOTAL_SIZE)


def _sum_of(column: str, *keys: str) -> str:
    return f"scoreSum({json.dumps([column + key for key in keys])})"
