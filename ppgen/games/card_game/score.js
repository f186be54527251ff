// The scoring of the card game for everything that runs scripts: the twin of points.py, function by function.
// Plain ECMAScript 5 on plain values; before it stands tallyCounts. It scores what was checked; what can't be right, it
// doesn't say.
//
// rules is {countries: [{id, number}, ...], chain_length, minus_two_points}, as twin.py writes it.
var cardGame = (function () {
  "use strict";

  function sum(numbers) {
    return numbers.reduce(function (before, number) { return before + number; }, 0);
  }

  // Points of each player for counts cards of a country of which number exist: the most score number, each next place
  // what the place before holds; 0 scores nothing, equal counts share a place.
  function countryPoints(counts, number) {
    var order = counts.slice().sort(function (one, other) { return other - one; }), before = [number].concat(order);
    return counts.map(function (held) { return held > 0 ? before[order.indexOf(held)] : 0; });
  }

  // Points of each player for the symbols of their best kind: the highest count scores for all who reach it.
  function symbolPoints(counts) {
    var highest = Math.max.apply(null, counts);
    return counts.map(function (held) { return held === highest ? held : 0; });
  }

  // Points for that many ships, or that many carriages.
  function chainPoints(held, rules) {
    return held >= rules.chain_length ? held : 0;
  }

  // Points for that many tablets worth -2.
  function lawPoints(held, rules) {
    return held ? rules.minus_two_points * held : 0;
  }

  // A count of a tally: a number, a sum in a text, or nothing at all.
  function number(value) {
    return typeof value === "string" ? Math.max(0, tallyCounts.count(value)) : value || 0;
  }

  function entry(table, key) {
    return table && Object.prototype.hasOwnProperty.call(table, key) ? table[key] : 0;
  }

  // The symbols of the best kind: their count, or the counts of all kinds.
  function best(value) {
    if (value === null || typeof value !== "object") { return number(value); }
    return Object.keys(value).reduce(function (most, kind) { return Math.max(most, number(value[kind])); }, 0);
  }

  // The two columns of a country, player by player.
  function column(players, country) {
    var cards = players.map(function (player) { return number(entry(player.cards, country.id)); });
    var symbols = players.map(function (player) { return best(entry(player.symbols, country.id)); });
    var left = countryPoints(cards, country.number), right = symbolPoints(symbols);
    return players.map(function (player, seat) {
      return { cards: cards[seat], symbols: symbols[seat], country_points: left[seat], symbol_points: right[seat] };
    });
  }

  // A player's score, for now on rank 1; countries are the player's entries in the order of the deck.
  function addUp(player, entries, rules) {
    function total(key) { return sum(entries.map(function (each) { return each[key]; })); }
    var ships = number(player.ships), carriages = number(player.carriages), tablets = number(player.minus_two);
    var country = total("country_points"), symbol = total("symbol_points");
    var chains = chainPoints(ships, rules) + chainPoints(carriages, rules), laws = lawPoints(tablets, rules);
    var countries = {};
    rules.countries.forEach(function (each, place) { countries[each.id] = entries[place]; });
    return { name: player.name, rank: 1, total: country + symbol + chains + laws, cards: total("cards"),
      countries: countries, country_subtotal: country, symbol_subtotal: symbol, ships: ships, carriages: carriages,
      chain_points: chains, minus_two: tablets, law_points: laws };
  }

  // Whether one player stands before another: by total, then by number of cards.
  function leads(one, other) {
    return one.total > other.total || one.total === other.total && one.cards > other.cards;
  }

  // The countries of which cards are missing, with the number counted.
  function missing(tally, rules) {
    return rules.countries.map(function (country) {
      var counts = tally.players.map(function (player) { return number(entry(player.cards, country.id)); });
      return { country: country.id, count: sum(counts), number: country.number };
    }).filter(function (country) { return country.count < country.number; });
  }

  // A tally as JSON files hold it (players with cards, symbols, ships, carriages, minus_two; not collected), scored:
  // what "ppgen score --format json" prints, without the sentences of its warnings.
  function score(tally, rules) {
    var columns = rules.countries.map(function (country) { return column(tally.players, country); });
    var players = tally.players.map(function (player, seat) {
      return addUp(player, columns.map(function (entries) { return entries[seat]; }), rules);
    });
    players.forEach(function (player) {
      player.rank += players.filter(function (other) { return leads(other, player); }).length;
    });
    var winners = players.filter(function (player) { return player.rank === 1; });
    var highest = players.filter(function (player) { return player.total === winners[0].total; });
    return { game: "card-game", complete: !missing(tally, rules).length,
      winners: winners.map(function (player) { return player.name; }),
      tie_break: winners.length > 1 ? "draw" : highest.length > 1 ? "cards" : null, warnings: [], players: players };
  }

  return { countryPoints: countryPoints, symbolPoints: symbolPoints,
    chainPoints: chainPoints, lawPoints: lawPoints, missing: missing, score: score };
}());
