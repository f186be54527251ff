// The result of the card game for pages, as ppgen score prints it: the twin of scoring.py. scoreLines does the scoring.
//
// rules is what scorer.py writes: those of score.toml; find(key) has the texts of a language.
const cardGame = (() => {
  "use strict";
  const known = new WeakMap(); // what scoreLines says, by result

  // The countries of which cards are missing, with the number counted.
  const missing = ({ players }, rules) => rules.lines.filter(line => line.before).map(line => ({ country: line.row,
    count: players.reduce((sum, player) => sum + held(player, line.key), 0), number: line.exist })).filter(
      ({ count, number }) => count < number);

  function held(player, cell) {
    const [row, column] = cell.split(".");
    return (column ? (player[column] || {})[row] : player[row]) || 0;
  }

  // Tallies that judge.js has checked, scored: what "ppgen score --format json" prints, without warnings.
  function score(tallies, rules) {
    const cells = rules.lines.flatMap(line => line.counts || []), lineAt = {};
    rules.lines.forEach((line, n) => { lineAt[line.key] = n; });
    const scored = scoreLines.score(rules, tallies.players.map(({ name }) => name), tallies.players.map(player =>
      Object.fromEntries(cells.map(cell => [cell, held(player, cell)]))));
    const count = (key, seat) => scored.counts[lineAt[key]][seat], points = (key, seat) =>
      scored.points[lineAt[key]][seat];
    const winners = scored.names.filter((_, seat) => scored.ranks[seat] === 1);
    const result = { game: "card-game", complete: !missing(tallies, rules).length, winners,
      tie_break: scored.decided.split(".").pop() || null, warnings: [], players: scored.names.map((name, seat) => {
        const countries = {};
        for (const { row, column } of rules.lines)
          if (column) countries[row] = { cards: count(`${row}.cards`, seat), symbols: count(`${row}.symbols`, seat),
            country_points: points(`${row}.cards`, seat), symbol_points: points(`${row}.symbols`, seat) };
        return { name, rank: scored.ranks[seat], total: scored.totals[seat],
          cards: Object.values(countries).reduce((sum, country) => sum + country.cards, 0), countries,
          country_subtotal: points("country_subtotal", seat), symbol_subtotal: points("symbol_subtotal", seat),
          ships: count("ships", seat), carriages: count("carriages", seat), chain_points: points("chains", seat),
          minus_two: count("minus_two", seat), law_points: points("minus_two", seat) };
      }) };
    known.set(result, scored);
    return result;
  }

  // The rules with the labels of a language.
  const spoken = (rules, { say }) => ({ ...rules, lines: rules.lines.map(line => ({ ...line, label: line.column
    ? say(`explain.${line.group}.heading`, { row: say(`countries.${line.row}`) })
    : line.added === false ? "" : say(`tally.${line.key}`) })) });

  function verdict(result, rules, find) {
    const words = scoreLines.speaker(find);
    return scoreLines.verdict(spoken(rules, words), known.get(result), words, true);
  }

  // The sentences behind the points: {about, words}, where about is a row of the sheet or a player's number.
  function reasons(result, rules, find) {
    const words = scoreLines.speaker(find);
    return scoreLines.reasons(spoken(rules, words), known.get(result), words);
  }

  return { score, missing, verdict, reasons };
})();
