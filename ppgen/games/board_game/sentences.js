// The words of a result, for pages: the twin of points.py over scoreLines. It takes what score.js gives, and the
// position that judge.js has checked.
//
// rules are those of score.js; find(key) has the texts of a language.
const boardGameSentences = (() => {
  "use strict";
  const verdict = (result, rules, find, over = true) => scoreLines.verdict(rules, boardGame.scored(result.players, rules),
    scoreLines.speaker(find), over);

  function leaders(counts, players) {
    const most = Math.max(...counts);
    return players.filter((_, seat) => counts[seat] === most && most > 0);
  }

  // Who leads in both countries of an alliance; or why nobody does.
  function alliance(one, other, players, words) {
    const both = leaders(one, players).filter(name => leaders(other, players).includes(name));
    const total = counts => counts.reduce((before, count) => before + count, 0);
    if (both.length)
      return words.say(both.length > 1 ? "explain.both_shared" : "explain.both",
        { one: total(one), other: total(other), names: words.join(both), points: total(one) + total(other) });
    if (!total(one) || !total(other)) return words.say("explain.empty_court");
    return words.say("explain.not_both",
      { one: words.join(leaders(one, players)), other: words.join(leaders(other, players)) });
  }

  // A sentence for each country, each alliance, the chains of each player, and each total: {about, words}, where about
  // is "then COUNTRY" (at the interim scoring), a country, "box N", "boxes", "chains N" or a player's number.
  // Alliances with a country without councillors share the sentence about "boxes"; those of their own are `single`.
  function reasons(result, position, rules, interim, find) {
    const { players } = position, told = [], words = scoreLines.speaker(find);
    const scored = boardGame.scored(result.players, rules, position.before.length || interim ? null : position.interim);
    const add = (about, what, clauses, more) => {
      if (clauses.length) told.push({ about, words: words.sentence(what, clauses), ...more });
    };
    const country = id => words.say(`countries.${id}`);
    rules.lines.forEach((line, n) => {
      if (!line.row) return;
      const early = line.group === "interim";
      const label = early ? words.say("explain.then", { country: country(line.row) }) : country(line.row);
      const reason = scoreLines.lineReason({ ...line, label }, scored.counts[n], scored.points[n], players, words);
      if (reason) told.push({ ...reason, about: early ? `then ${line.row}` : line.row });
    });
    if (!interim) {
      const courts = ({ countries }) => countries.map(id => boardGameJudge.advising(position, id));
      const empty = rules.alliances.filter(each => !courts(each).every(counts => counts.some(Boolean)));
      const shared = empty.length > 1;
      for (const each of rules.alliances) {
        const { box, countries } = each;
        add(`box ${box}`, words.say("explain.box", { box, countries: countries.map(country).join("–") }),
          [alliance(...courts(each), players, words)], shared && empty.includes(each) ? { single: true } : {});
      }
      if (shared)
        add("boxes", empty.length === rules.alliances.length ? words.say("tally.alliances") : words.say("explain.boxes",
          { boxes: words.join(empty.map(({ box }) => String(box))) }), [words.say("explain.empty_court")]);
      result.players.forEach((player, seat) => add(`chains ${seat}`, player.name, player.chains.length
        ? player.chains.map(spaces => words.say("explain.chain", { spaces: spaces.join("–"), points: spaces.length }))
        : player.chain_points ? [words.say("explain.chains", { points: player.chain_points })] : []));
    }
    const key = interim ? "explain.total_interim" : "explain.total";
    return [...told, ...players.map((_, seat) => scoreLines.totalReason(rules, scored, seat, words, key))];
  }

  return { verdict, reasons, leaders };
})();
