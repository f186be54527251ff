// Checks of the tallies of a card game, for pages: accepts what tallies.py accepts, and stops at the first fault.
// ECMAScript 2018 on plain values; it knows no page.
//
// deck is what scorer.py's deck_json writes; say(key, values) has the texts of a language.
const cardGameJudge = (() => {
  "use strict";
  const { sum, isTable, isNone, own, keyOf } = playChecking, MOST_STEPS = 20000;
  const PLAYER_KEYS = ["name", "cards", "symbols", "ships", "carriages", "minus_two", "collected"];
  const ROUTES = { ships: "ship", carriages: "carriage" };

  // ---- limits of the deck (deck_check.py) ----

  const showing = (card, kind) => card.symbols.filter(each => each === kind).length;

  function largest(values, hand) {
    return sum(values.sort((one, other) => other - one).slice(0, hand));
  }

  // The most circle symbols of a kind, of any one kind, and of all kinds together, on so many of the cards.
  const mostOfKind = (cards, hand, kind) => largest(cards.map(card => showing(card, kind)), hand);
  const mostSymbols = (cards, hand) => largest(cards.map(card => card.symbols.length), hand);

  function mostOfOneKind(cards, hand) {
    const kinds = [...new Set(cards.flatMap(card => card.symbols))];
    return Math.max(0, ...kinds.map(kind => mostOfKind(cards, hand, kind)));
  }

  function met(claim, hand) {
    const counts = {};
    for (const card of hand) for (const kind of card.symbols) counts[kind] = (counts[kind] || 0) + 1;
    return Math.max(0, ...Object.values(counts)) >= claim.best
      && Object.keys(claim.kinds || {}).every(kind => (counts[kind] || 0) >= claim.kinds[kind]);
  }

  // The ways to choose so many of the places from 0, in order, until done says so of one.
  function chosen(places, count, done, taken = []) {
    if (taken.length === count) return done(taken);
    const first = taken.length ? taken[taken.length - 1] + 1 : 0;
    for (let place = first; place <= places - (count - taken.length); place++)
      if (chosen(places, count, done, [...taken, place])) return true;
    return false;
  }

  // Whether the cards of a country can be shared out so that every claim {cards, best, kinds} is met.
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
        return met(asking[seat], hand) && deal(rest.filter((_, place) => !places.includes(place)), seat + 1);
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

  // ---- the checks (tallies.py) ----

  // The tally that score.js takes. Throws an Error that names the first fault.
  function checked(given, deck, say) {
    const check = playChecking.checker(given, say), { document, fail } = check, cardOf = {}, collected = new Set();
    for (const { id: country, cards } of deck.countries)
      for (const card of cards) cardOf[card.id] = { ...card, country };
    const countryNamed = name => keyOf(name, deck.words.countries), kindNamed = name => keyOf(name, deck.words.kinds);

    // What a player holds; kinds are the counts of each kind of symbols where they are given.
    function handOf(player, seat, name) {
      const at = ["players", seat], kinds = {}, count = key => check.count([...at, key], player[key]);
      check.known(at, player, PLAYER_KEYS);
      const hand = {
        name, kinds, ships: count("ships"), carriages: count("carriages"), minus_two: count("minus_two"),
        cards: check.entries([...at, "cards"], player.cards, countryNamed, check.count),
        symbols: check.entries([...at, "symbols"], player.symbols, countryNamed, (trail, value, country) => {
          if (!isTable(value)) return check.count(trail, value);
          kinds[country] = check.entries(trail, value, kindNamed, check.count);
          return Math.max(0, ...Object.values(kinds[country]));
        }),
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
        if (collected.has(id)) fail([...trail, place], say("wrong.card_once"));
        collected.add(id);
        return card;
      });
      const made = { ...hand, listed: true, kinds: {}, cards: {}, symbols: {} };
      for (const row of Object.keys(ROUTES)) made[row] = cards.filter(card => card.route === ROUTES[row]).length;
      for (const { id } of deck.countries) {
        const shown = cards.filter(card => card.country === id);
        made.cards[id] = shown.length;
        made.symbols[id] = mostOfOneKind(shown, shown.length);
      }
      return made;
    }

    // Refuse more than exists, and more than the cards show that nobody has listed.
    function judge(hands) {
      const free = {}, counting = hands.filter(hand => !hand.listed), trail = hand => ["players", hands.indexOf(hand)];
      const existing = (what, counts, n) => {
        if (sum(counts) > n) fail(["players"], `${what}: ${say("page.why_exist", { n })}`);
      };
      for (const { id, number, cards } of deck.countries) {
        const left = free[id] = cards.filter(card => !collected.has(card.id)), country = say(`countries.${id}`);
        existing(country, hands.map(hand => hand.cards[id] || 0), number);
        const claims = counting.map(hand => ({ hand, cards: hand.cards[id] || 0, best: hand.symbols[id] || 0,
          kinds: hand.kinds[id] || {} }));
        for (const { hand, cards: held, best, kinds } of claims) {
          const max = mostOfOneKind(left, held), at = [...trail(hand), "symbols", id];
          if (best > max) fail(at, say("page.why_symbols", { country, cards: held, max }));
          if (sum(Object.values(kinds)) > mostSymbols(left, held)
              || Object.keys(kinds).some(kind => kinds[kind] > mostOfKind(left, held, kind)))
            fail(at, say("page.why_share", { country }));
        }
        if (!canShare(left, claims)) fail(["players"], say("page.why_share", { country }));
      }
      for (const hand of counting)
        for (const [count, ...routes] of [[hand.ships, "ship"], [hand.carriages, "carriage"],
          [hand.ships + hand.carriages, "ship", "carriage"]]) {
          const max = mostRoutes(hand.cards, free, ...routes);
          if (count > max) fail(trail(hand), say("page.why_routes", { name: hand.name, max }));
        }
      for (const row of Object.keys(ROUTES))
        existing(say(`tally.${row}`), hands.map(hand => hand[row]),
          Object.values(cardOf).filter(card => card.route === ROUTES[row]).length);
      existing(say("tally.minus_two"), hands.map(hand => hand.minus_two), deck.minus_two);
    }

    check.game("card-game", []);
    const players = document.players;
    if (!Array.isArray(players) || !players.every(isTable)) fail(["players"], say("wrong.players"));
    const names = check.players(players.map(player => player.name === undefined ? "" : player.name),
      seat => ["players", seat, "name"]);
    const hands = players.map((player, seat) => handOf(player, seat, names[seat]));
    judge(hands);
    return { players: hands };
  }

  return { checked, mostOfOneKind, mostRoutes, canShare };
})();
