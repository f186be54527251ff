// Pieces of sentences in a language, for pages: the twin of result_text.py and ranking.py. say(key, values) has the
// texts, as Texts has them in Python.
const playSentences = (() => {
  "use strict";
  const signed = points => String(points).replace("-", "−");

  // The parts, each put behind those before it as the text says.
  const chained = (key, parts, say) => parts.length ? parts.reduce((first, last) => say(key, { first, last })) : "";
  const enumerated = (parts, say) => chained("results.list", parts, say);

  // "Andreas, Beate und Claus"
  function joined(names, say) {
    const last = names[names.length - 1], first = enumerated(names.slice(0, -1), say);
    return first ? say("results.and", { first, last }) : last;
  }

  // "1 point", "61 points"
  function counted(what, count, say) {
    const one = say("counted.singular").split(/\s+/).includes(String(Math.abs(count)));
    return say(`counted.${what}${one ? "_one" : ""}`, { count: signed(count) });
  }

  // What points are for, and why each player has them; in a line.
  const explained = (what, parts, say) => say("explain.line", { what, parts: chained("explain.also", parts, say) });

  // The winner and the tie-break {what, field}, or the leader of a game that is not over.
  function verdict(result, { what, field }, say, over = true) {
    const highest = Math.max(...result.players.map(player => player.total));
    const best = result.players.filter(player => player.total === highest);
    const names = joined(best.map(player => player.name), say);
    const first = result.players.find(player => player.rank === 1), points = counted("points", first.total, say);
    if (!over)
      return best.length > 1 ? say("results.leaders", { points, names }) : say("results.leader",
        { points, name: names });
    if (result.tie_break === "draw") {
      const winners = joined(result.winners, say), left = { points, [what]: counted(what, first[field], say) };
      return best.length > result.winners.length ? say(`results.draw_by_${what}`, { ...left, names, winners })
        : say("results.draw", { ...left, names: winners });
    }
    if (result.tie_break === what) {
      const others = Math.max(...best.filter(player => player !== first).map(player => player[field]));
      return say(`results.by_${what}`, { names, winner: first.name, points, [what]: first[field], others });
    }
    return say("results.winner", { name: first.name, points });
  }

  return { signed, chained, enumerated, joined, counted, explained, verdict };
})();
