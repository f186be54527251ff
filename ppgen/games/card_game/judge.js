// The limits of a deck, for the pad of the page, and the form of tallies, read as tallies.py reads them up to the first
// fault. ECMAScript 2018 on plain values; it knows no page.
//
// deck is what scorer.py's deck_json writes; say(key, values) has the texts of a language.
const cardGameJudge = (() => {
  "use strict";
  const { sum, isTable, isNone, own, keyOf } = playChecking, MOST_STEPS = 20000;
  const PLAYER_KEYS = ["name", "cards", "symbols", "ships", "carriages", "minus_two", "collected"];
  const ROUTES = { ships: "ship", carriages: "carriage" };

  // ---- limits of the deck (deck.py) ----

  // The most circle symbols of any one kind on so many of the cards.
  function mostOfOneKind(cards, hand) {
    const kinds = [...new Set(cards.flatMap(card => card.symbols))];
    const showing = kind => cards.map(card => card.symbols.filter(each => each === kind).length);
    return Math.max(0, ...kinds.map(kind => sum(showing(kind).sort((one, other) => other - one).slice(0, hand))));
  }

  // The ways to choose so many of the places from 0, in order, until done says so of one.
  function chosen(places, count, done, taken = []) {
    if (taken.length === count) return done(taken);
    const first = taken.length ? taken[taken.length - 1] + 1 : 0;
    for (let place = first; place <= places - (count - taken.length); place++)
      if (chosen(places, count, done, [...taken, place])) return true;
    return false;
  }

  // Whether the cards of a country can be shared out so that every claim {cards, best} is met.
  function canShare(cards, claims) {
    const asking = claims.filter(claim => claim.best).sort((one, other) => other.best - one.best);
    const dead = new Set(), name = hand => hand.map(card => card.symbols.join(" ")).join();
    let steps = 0;
    function deal(rest, seat) {
      if (seat === asking.length) return true;
      const state = `${seat} ${name(rest)}`, tried = new Set();
      if (dead.has(state)) return false;
      const dealt = chosen(rest.length, asking[seat].cards, places => {
        if (++steps > MOST_STEPS) return true;
        const hand = places.map(place => rest[place]), called = name(hand);
        if (tried.has(called)) return false;
        tried.add(called);
        return mostOfOneKind(hand, hand.length) >= asking[seat].best
          && deal(rest.filter((_, place) => !places.includes(place)), seat + 1);
      });
      if (!dealt) dead.add(state);
      return dealt;
    }
    return asking.length < 2
      || deal(cards.slice().sort((one, other) => other.symbols.length - one.symbols.length), 0);
  }

  // The most of these routes that so many cards of each country can show, as a card shows one or none.
  function mostRoutes(counts, free, ...routes) {
    return sum(Object.keys(counts).map(country => Math.min(
      counts[country], (free[country] || []).filter(card => routes.includes(card.route)).length)));
  }

  // ---- the form of tallies ----

  // The tally that score.js takes. Throws an Error that names the first fault.
  function checked(given, deck, say) {
    const check = playChecking.checker(given, say), { document, fail } = check, cardOf = {};
    for (const { id: country, cards } of deck.countries)
      for (const card of cards) cardOf[card.id] = { ...card, country };
    const countryNamed = name => keyOf(name, deck.words.countries), kindNamed = name => keyOf(name, deck.words.kinds);

    function handOf(player, seat, name) {
      const at = ["players", seat], count = key => check.count([...at, key], player[key]);
      check.known(at, player, PLAYER_KEYS);
      const hand = {
        name, ships: count("ships"), carriages: count("carriages"), minus_two: count("minus_two"),
        cards: check.entries([...at, "cards"], player.cards, countryNamed, check.count),
        symbols: check.entries([...at, "symbols"], player.symbols, countryNamed, (trail, value) => isTable(value)
          ? Math.max(0, ...Object.values(check.entries(trail, value, kindNamed, check.count))) : check.count(trail, value)),
      };
      return isNone(player.collected) ? hand : collect(hand, [...at, "collected"], player.collected);
    }

    // The same of a player whose cards are listed.
    function collect(hand, trail, ids) {
      if ([hand.ships, hand.carriages, ...Object.values(hand.cards), ...Object.values(hand.symbols)].some(Boolean))
        fail(trail, say("wrong.either"));
      if (!Array.isArray(ids)) fail(trail, say("wrong.cards"));
      const cards = ids.map((id, place) => {
        const card = typeof id === "string" ? own(cardOf, id) : undefined;
        if (!card) fail([...trail, place], say("wrong.unknown"));
        return card;
      });
      const made = { ...hand, cards: {}, symbols: {} };
      for (const row of Object.keys(ROUTES)) made[row] = cards.filter(card => card.route === ROUTES[row]).length;
      for (const { id } of deck.countries) {
        const shown = cards.filter(card => card.country === id);
        made.cards[id] = shown.length;
        made.symbols[id] = mostOfOneKind(shown, shown.length);
      }
      return made;
    }

    check.game("card-game", []);
    const players = document.players;
    if (!Array.isArray(players) || !players.every(isTable)) fail(["players"], say("wrong.players"));
    const names = check.players(players.map(player => player.name === undefined ? "" : player.name),
      seat => ["players", seat, "name"]);
    return { players: players.map((player, seat) => handOf(player, seat, names[seat])) };
  }

  return { checked, mostOfOneKind, mostRoutes, canShare };
})();
