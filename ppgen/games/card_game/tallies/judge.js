// What is wrong with tallies, for pages: the twin of checked.py, plausible.py and the deck's bounds.py.
// ECMAScript 2018 on plain values; it knows no page.
//
// deck is what scorer.py's deck_json writes; say(key, values) has the texts of a language, as Texts has them in Python.
const cardGameJudge = (() => {
  "use strict";
  const { sum, isTable, isNone, own, last, shown, called } = playChecking, { enumerated } = playSentences;
  const PLAYERS = [3, 5], MOST_STEPS = 20000;
  const GAME_KEYS = ["game", "date", "place", "players"];
  const PLAYER_KEYS = ["name", "cards", "symbols", "ships", "carriages", "minus_two", "collected"];
  const SINGLE = ["ships", "carriages", "minus_two"];
  const ROUTES = [["ships", "ship"], ["carriages", "carriage"]];

  // ---- what a deck can bear (bounds.py) ----

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

  // ---- the judgement (checked.py, plausible.py) ----

  // [hands, problems]: what each player holds, and everything that is wrong as {key, what, remedy}.
  function judged(given, deck, say) {
    const check = playChecking.checker(given, say), { document, problems, note, listed } = check, collectors = {},
      cardOf = {};
    const countries = deck.countries.map(country => country.id);
    for (const country of deck.countries)
      for (const card of country.cards) cardOf[card.id] = { ...card, country: country.id };

    const counted = (what, number) => playSentences.counted(what, number, say);
    const nameOf = country => say(`countries.${country}`);
    const count = (trail, value, name, country = "") => check.count(trail, value, what => country
      ? say("wrong.cell", { name, country: nameOf(country), column: say(`tally.${trail[2]}`), what })
      : say("wrong.entry", { name, row: say(`tally.${last(trail)}`), what }));

    function table(trail, value, trails) {
      if (isNone(value)) return {};
      if (!isTable(value)) {
        note(trail, say("wrong.table"), say("wrong.like", { example: "france = 5" }));
        return {};
      }
      const entries = {};
      for (const key of Object.keys(value)) {
        const country = called(key, deck.words.countries);
        if (!country)
          note([...trail, key], say("wrong.country", { word: key }),
            say("wrong.one_of", { words: countries.map(nameOf).join(", ") }));
        else if (country in entries)
          note([...trail, key], say("wrong.twice", { word: nameOf(country) }), say("wrong.take_out"));
        else {
          entries[country] = value[key];
          trails[`${trail[2]} ${country}`] = [...trail, key];
        }
      }
      return entries;
    }

    // The count of each kind; under the empty key, where only the best count is given.
    function best(trail, value, name, country) {
      if (!isTable(value)) return { "": count(trail, value, name, country) };
      const kinds = {};
      for (const key of Object.keys(value)) {
        const kind = called(key, deck.words.kinds);
        if (!kind)
          note([...trail, key], say("wrong.kind", { word: key }),
            say("wrong.one_of", { words: deck.kinds.map(each => say(`kinds.${each}`)).join(", ") }));
        else if (kind in kinds)
          note([...trail, key], say("wrong.twice", { word: say(`kinds.${kind}`) }), say("wrong.take_out"));
        else kinds[kind] = count([...trail, key], value[key], name, country);
      }
      return kinds;
    }

    function collected(trail, name, value) {
      const cards = [];
      if (!Array.isArray(value)) {
        note(trail, say("wrong.cards"), say("wrong.like", { example: '["france-1", "france-4"]' }));
        return cards;
      }
      value.slice(0, 2 * Object.keys(cardOf).length).forEach((id, place) => {
        const card = typeof id === "string" ? own(cardOf, id) : undefined;
        if (!card) note([...trail, place], say("wrong.card", { word: shown(id) }), say("wrong.cards_known"));
        else if (own(collectors, id))
          note([...trail, place], say("wrong.card_again", { word: id, name: collectors[id] }), say("wrong.card_once"));
        else {
          collectors[id] = name;
          cards.push(card);
        }
      });
      return cards;
    }

    function hand(seat, name, player) {
      const at = ["players", seat], trails = {}, tally = { name, cards: {}, symbols: {} }, kinds = {};
      check.unknown(at, player, PLAYER_KEYS);
      for (const key of SINGLE) tally[key] = count([...at, key], player[key], name);
      const noted = problems.length, cards = table([...at, "cards"], player.cards, trails);
      for (const country of Object.keys(cards))
        tally.cards[country] = count(trails[`cards ${country}`], cards[country], name, country);
      const doubtful = problems.length > noted, symbols = table([...at, "symbols"], player.symbols, trails);
      for (const country of Object.keys(symbols)) {
        const found = best(trails[`symbols ${country}`], symbols[country], name, country);
        tally.symbols[country] = Math.max(0, ...Object.values(found));
        kinds[country] = "" in found ? {} : found;
      }
      const held = { seat, tally, trails, kinds, doubtful, collected: null };
      if (isNone(player.collected)) return held;
      const any = counts => Object.values(counts).some(value => value > 0);
      const given = { cards: any(tally.cards), symbols: any(tally.symbols), ships: tally.ships,
        carriages: tally.carriages };
      const doubled = Object.keys(given).filter(key => given[key]);
      if (doubled.length)
        note([...at, "collected"], say("wrong.beside", { words: listed(doubled) }), say("wrong.either"));
      held.collected = collected([...at, "collected"], name, player.collected);
      held.tally = tallied(name, held.collected, tally.minus_two);
      return { ...held, kinds: {}, doubtful: false };
    }

    // The tally of a player who collected these cards.
    function tallied(name, cards, minus_two) {
      const tally = { name, cards: {}, symbols: {}, ships: 0, carriages: 0, minus_two };
      for (const card of cards) {
        tally.cards[card.country] = (tally.cards[card.country] || 0) + 1;
        if (card.route) tally[`${card.route}s`]++;
      }
      for (const country of Object.keys(tally.cards)) {
        const shownThere = cards.filter(card => card.country === country);
        tally.symbols[country] = mostOfOneKind(shownThere, shownThere.length);
      }
      return tally;
    }

    function read() {
      check.unknown([], document, GAME_KEYS);
      check.game("card-game");
      const players = document.players;
      if (!Array.isArray(players) || !players.every(isTable)) {
        note(["players"], say("wrong.players"), say("wrong.players_like"));
        return [];
      }
      const names = check.players(players.map(player => player.name === undefined ? "" : player.name), ...PLAYERS,
        seat => ["players", seat, "name"]);
      return players.slice(0, names.length).map((player, seat) => hand(seat, names[seat], player));
    }

    // ---- plausible.py ----

    const spot = (held, sort, country) => own(held.trails, `${sort} ${country}`) || ["players", held.seat, sort];
    const cardsOf = (held, country) => held.tally.cards[country] || 0;
    const shares = (hands, share) => enumerated(hands.filter(share).map(held => `${held.tally.name} ${share(held)}`),
      say);

    function claimOf(held, country) {
      return { cards: cardsOf(held, country), best: held.tally.symbols[country] || 0, kinds: held.kinds[country]
        || {} };
    }

    function judgeCountry(hands, counting, country, free) {
      const id = country.id, number = country.number, counts = held => cardsOf(held, id);
      const tooMany = counting.filter(held => counts(held) > number);
      for (const held of tooMany)
        note(spot(held, "cards", id), say("wrong.cards_one", {
          name: held.tally.name, country: nameOf(id), cards: counted("cards", counts(held)), number,
        }), say("wrong.cards_exist", { number }));
      if (tooMany.length) return;
      const total = sum(hands.map(counts));
      if (total > number) {
        note(spot(last(counting.filter(counts)), "cards", id), say("wrong.cards_all", {
          country: nameOf(id), count: total, number, shares: shares(hands, counts) }), say("wrong.again"));
        return;
      }
      const sure = counting.filter(held => !held.doubtful), noted = problems.length;
      for (const held of sure) judgeSymbols(held, id, free);
      const asking = sure.filter(held => claimOf(held, id).best);
      if (problems.length === noted && !canShare(free, asking.map(held => claimOf(held, id))))
        note(spot(last(asking), "symbols", id), say("wrong.best_all", {
          country: nameOf(id), shares: shares(asking, held => claimOf(held, id).best) }), say("wrong.again"));
    }

    function judgeSymbols(held, country, free) {
      const claim = claimOf(held, country), trail = spot(held, "symbols", country), noted = problems.length;
      const told = (what, symbols, number, at, kind) => note(at, say(what, {
        name: held.tally.name, country: nameOf(country), symbols: counted("symbols", symbols),
        cards: counted("cards", claim.cards), kind: kind && say(`kinds.${kind}`) }), say("wrong.at_most", { number }));
      if (!claim.best) return;
      for (const kind of Object.keys(claim.kinds)) {
        const most = mostOfKind(free, claim.cards, kind);
        if (claim.kinds[kind] > most) told("wrong.kind_on", claim.kinds[kind], most, [...trail, kind], kind);
      }
      if (problems.length > noted) return;
      const total = sum(Object.values(claim.kinds)), all = mostSymbols(free, claim.cards);
      const one = mostOfOneKind(free, claim.cards);
      if (total > all) told("wrong.symbols_on", total, all, trail);
      else if (claim.best > one) told("wrong.best_on", claim.best, one, trail);
    }

    function judgeRoutes(hands, counting, free) {
      let singly = false;
      for (const held of counting.filter(each => !each.doubtful)) {
        const { name, cards } = held.tally, noted = problems.length, told = {};
        for (const [row, route] of ROUTES) {
          const number = mostRoutes(cards, free, route);
          told[row] = counted(row, held.tally[row]);
          if (held.tally[row] > number)
            note(["players", held.seat, row], say(`wrong.${row}_on`, { name, [row]: told[row] }),
              say("wrong.at_most_shown", { number }));
        }
        const number = mostRoutes(cards, free, "ship", "carriage");
        if (problems.length === noted && held.tally.ships + held.tally.carriages > number)
          note(["players", held.seat, "carriages"], say("wrong.routes_on", { name, ...told }),
            say("wrong.at_most_both", { number }));
        singly = singly || problems.length > noted;
      }
      for (const [row, route] of ROUTES) {
        const count = held => held.tally[row], total = sum(hands.map(count));
        const number = sum(deck.countries.map(each => each.cards.filter(card => card.route === route).length));
        if (!singly && total > number)
          note(["players", last(counting.filter(count)).seat, row],
            say(`wrong.${row}_all`, { count: total, number, shares: shares(hands, count) }), say("wrong.again"));
      }
    }

    function judgeLaws(hands) {
      const count = held => held.tally.minus_two, total = sum(hands.map(count));
      if (total > deck.minus_two)
        note(["players", last(hands.filter(count)).seat, "minus_two"],
          say("wrong.minus_two_all", { count: total, number: deck.minus_two, shares: shares(hands, count) }),
          say("wrong.again"));
    }

    if (!document) return [[], problems];
    const hands = read();
    check.text("date");
    check.text("place");
    const counting = hands.filter(held => held.collected === null), free = {};
    for (const country of deck.countries) {
      free[country.id] = country.cards.filter(card => !own(collectors, card.id));
      judgeCountry(hands, counting, country, free[country.id]);
    }
    judgeRoutes(hands, counting, free);
    judgeLaws(hands);
    return [hands, playChecking.once(problems)];
  }

  // The tally that score.js takes, checked. Throws an Error whose message tells everything that is wrong, a line each.
  function checked(document, deck, say) {
    const [hands, problems] = judged(document, deck, say);
    playChecking.refuse(problems);
    return { players: hands.map(held => held.tally) };
  }

  return { checked, judged, mostOfOneKind, mostRoutes, canShare };
})();
