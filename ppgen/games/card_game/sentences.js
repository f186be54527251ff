// The words of a result, for pages: the twin of score_text.py. It takes what score.js gives.
//
// say(key, values) has the texts of a language, as Texts has them in Python; rules are those of score.js.
const cardGameSentences = (() => {
  "use strict";
  const PLACES = ["second", "third", "fourth", "fifth"], ENTRIES = ["ships", "carriages", "minus_two"];

  const { signed, enumerated, joined, explained } = playSentences;
  const of = field => each => each[field];

  const verdict = (result, say, over) => playSentences.verdict(result, { what: "cards", field: "cards" }, say, over);

  // A sentence for the two columns of each country, for ships, carriages and tablets, and for each total:
  // {about, words}, where about is a country, a row of the sheet, or a player's number.
  function reasons(result, rules, say) {
    const players = result.players, told = [];
    const line = (about, what, parts) => {
      told.push({ about, words: explained(what, parts.length ? parts : [say("explain.nobody")], say) });
    };
    for (const { id } of rules.countries) {
      const country = say(`countries.${id}`);
      const held = (field, count) => players.filter(player => player.countries[id][field] === count);
      const places = field => [...new Set(players.map(player => player.countries[id][field]))]
        .filter(Boolean).sort((one, other) => other - one);
      line(id, country, places("cards").map((count, place, counts) => {
        const sharing = held("cards", count), shared = sharing.length > 1 ? "_shared" : "";
        const values = { names: joined(sharing.map(of("name")), say), count,
          points: sharing[0].countries[id].country_points };
        if (!place) return say(`explain.most${shared}`, values);
        const before = held("cards", counts[place - 1]).map(of("name"));
        return say(`explain.next${shared}`, { ...values, place: say(`places.${PLACES[place - 1]}`), before:
          say(before.length > 1 ? "explain.before_many" : "explain.before_one", { names: joined(before, say) }) });
      }));
      const [top, ...rest] = places("symbols");
      if (!top) continue;
      const best = held("symbols", top), parts = [say(`explain.symbols_${best.length > 1 ? "shared" : "most"}`, {
        count: top, names: joined(best.map(of("name")), say), points: best[0].countries[id].symbol_points })];
      const fewer = rest.flatMap(count => held("symbols", count).map(({ name }) => say("explain.held",
        { name, count })));
      if (fewer.length) parts.push(say("explain.symbols_less", { counts: enumerated(fewer, say) }));
      line(id, say("explain.symbols_of", { country }), parts);
    }
    for (const entry of ENTRIES) {
      const owners = players.filter(of(entry));
      if (owners.length) line(entry, say(`tally.${entry}`), owners.map(player => single(player, entry, rules, say)));
    }
    players.forEach((player, seat) => line(seat, player.name, [say("explain.total", {
      country: player.country_subtotal, symbols: player.symbol_subtotal, chains: player.chain_points,
      laws: signed(player.law_points), total: signed(player.total) })]));
    return told;
  }

  // Ships, carriages or law tablets of one player.
  function single(player, entry, rules, say) {
    const name = player.name, count = player[entry], measure = rules.chain_length;
    if (entry === "minus_two") return say("explain.law", { name, count, points: signed(player.law_points) });
    return count < measure ? say("explain.chain_short", { name, count, measure })
      : say("explain.chain", { name, count, points: count });
  }

  return { verdict, reasons };
})();
