// The words of a result, for pages: the twin of score_text.py. It takes what score.js gives, and the position that
// judge.js has checked.
//
// say(key, values) has the texts of a language, as Texts has them in Python; rules are those of score.js.
const boardGameSentences = (() => {
  "use strict";
  const PLACES = ["second", "third", "fourth", "fifth"], { joined, explained } = playSentences;
  const BY_PIECES = { what: "pieces", field: "pieces_left" };
  const verdict = (result, say, over) => playSentences.verdict(result, BY_PIECES, say, over);

  // A country, place by place.
  function places(counts, players, say) {
    const points = boardGame.countryPoints(counts), order = [...new Set(counts)].filter(Boolean).sort((one, other) =>
      other - one);
    const holders = count => players.filter((_, seat) => counts[seat] === count);
    return order.map((count, place) => {
      const sharing = holders(count), many = sharing.length > 1 ? "_shared" : "";
      const values = { names: joined(sharing, say), count, points: points[counts.indexOf(count)] };
      if (!place) return say(`explain.most${many}`, values);
      const before = holders(order[place - 1]);
      return say(`explain.next${many}`, { ...values, place: say(`places.${PLACES[place - 1]}`),
        before: say(before.length > 1 ? "explain.before_many" : "explain.before_one",
          { names: joined(before, say) }) });
    });
  }

  function leaders(counts, players) {
    const most = Math.max(...counts);
    return players.filter((_, seat) => counts[seat] === most && most > 0);
  }

  // Who leads in both countries of an alliance; or why nobody does.
  function alliance(one, other, players, say) {
    const both = leaders(one, players).filter(name => leaders(other, players).includes(name));
    const total = counts => counts.reduce((before, count) => before + count, 0);
    if (both.length)
      return say(both.length > 1 ? "explain.both_shared" : "explain.both",
        { one: total(one), other: total(other), names: joined(both, say), points: total(one) + total(other) });
    if (!total(one) || !total(other)) return say("explain.empty_court");
    return say("explain.not_both", { one: joined(leaders(one, players), say), other: joined(leaders(other, players),
      say) });
  }

  // A sentence for each country, each alliance, the chains of each player, and each total: {about, words}, where about
  // is "then COUNTRY" (at the interim scoring), a country, "box N", "boxes", "chains N" or a player's number.
  // Alliances with a country without councillors share the sentence about "boxes"; those of their own are `single`.
  function reasons(result, position, rules, interim, say) {
    const { players } = position, told = [];
    const line = (about, what, parts) => { if (parts.length) told.push({ about, words: explained(what, parts,
      say) }); };
    const country = id => say(`countries.${id}`);
    if (!interim && position.interim && !position.before.length)
      for (const { id } of rules.countries) line(`then ${id}`, say("explain.then", { country: country(id) }),
        places(position.interim[id] || [], players, say));
    for (const { id } of rules.countries) line(id, country(id), places(boardGameJudge.standing(position, id, rules),
      players, say));
    if (!interim) {
      const courts = ({ countries }) => countries.map(id => boardGameJudge.advising(position, id));
      const empty = rules.alliances.filter(each => !courts(each).every(counts => counts.some(Boolean)));
      const shared = empty.length > 1;
      for (const each of rules.alliances) {
        const { box, countries } = each;
        line(`box ${box}`, say("explain.box", { box, countries: countries.map(country).join("–") }),
          [alliance(...courts(each), players, say)]);
        if (shared && empty.includes(each)) told[told.length - 1].single = true;
      }
      if (shared)
        line("boxes", empty.length === rules.alliances.length ? say("tally.alliances") : say("explain.boxes",
          { boxes: joined(empty.map(({ box }) => String(box)), say) }), [say("explain.empty_court")]);
      result.players.forEach((player, seat) => line(`chains ${seat}`, player.name, player.chains.length
        ? player.chains.map(spaces => say("explain.chain", { spaces: spaces.join("–"), points: spaces.length }))
        : player.chain_points ? [say("explain.chains", { points: player.chain_points })] : []));
    }
    result.players.forEach((player, seat) => line(seat, player.name, [interim ? say("explain.total_interim",
      { total: player.total })
      : say("explain.total", { before: player.before, cloisters: player.cloister_subtotal,
        alliances: player.alliance_subtotal,
        chains: player.chain_points, total: player.total })]));
    return told;
  }

  return { verdict, reasons, leaders };
})();
