// Results of the card game for pages: scoring.py over scoreLines, as that is over line_points.py. It takes tallies that
// were checked. rules are those of score.toml; find(key) has the texts of a language.
const cardGame = (() => {
  "use strict";
  const countriesOf = rules => rules.lines.filter(line => line.column === "cards");

  // players are those of tallies or of results
  function scored(players, rules) {
    const held = (player, row, key) => player.countries ? player.countries[row][key] : (player[key] || {})[row];
    const columns = players.map(player => {
      const column = { ships: player.ships, carriages: player.carriages, minus_two: player.minus_two };
      for (const { row } of countriesOf(rules))
        for (const key of ["cards", "symbols"]) column[`${row}.${key}`] = held(player, row, key);
      return column;
    });
    return scoreLines.score(rules, players.map(player => player.name), columns);
  }

  // The countries of which cards are missing, with the number counted.
  function missing(tally, rules) {
    return countriesOf(rules).map(({ row, exist }) => ({ country: row, number: exist,
      count: tally.players.reduce((sum, player) => sum + ((player.cards || {})[row] || 0), 0) }))
      .filter(({ count, number }) => count < number);
  }

  // What "ppgen score --format json" prints, without the sentences of its warnings.
  function score(tally, rules) {
    const found = scored(tally.players, rules), place = key => rules.lines.findIndex(line => line.key === key);
    const players = found.names.map((name, seat) => {
      const count = key => found.counts[place(key)][seat], points = key => found.points[place(key)][seat];
      const countries = {};
      for (const { row } of countriesOf(rules))
        countries[row] = { cards: count(`${row}.cards`), symbols: count(`${row}.symbols`),
          country_points: points(`${row}.cards`), symbol_points: points(`${row}.symbols`) };
      return { name, rank: found.ranks[seat], total: found.totals[seat],
        cards: Object.values(countries).reduce((sum, country) => sum + country.cards, 0), countries,
        country_subtotal: points("country_subtotal"), symbol_subtotal: points("symbol_subtotal"),
        ships: count("ships"), carriages: count("carriages"), chain_points: points("chains"),
        minus_two: count("minus_two"), law_points: points("minus_two") };
    });
    return { game: "card-game", complete: !missing(tally, rules).length,
      winners: players.filter(({ rank }) => rank === 1).map(({ name }) => name),
      tie_break: found.decided.split(".").pop() || null, warnings: [], players };
  }

  // What a count scores in a line for itself, whatever the others have.
  const single = (key, count, rules) => scoreLines.scoreLine(rules.lines.find(line => line.key === key),
    [count])[0];

  // The rules with the labels of a language.
  function labelled(rules, words) {
    const label = line => line.column ? words.say(`explain.${line.group}.heading`, { row: words.say(`countries.${line.row}`) })
      : line.added === false ? line.label : words.say(`tally.${line.key}`);
    return { ...rules, lines: rules.lines.map(line => ({ ...line, label: label(line) })) };
  }

  // Sentences {about, words}: about is a country, a row of the sheet, or a player's number.
  function reasons(result, rules, find) {
    const words = scoreLines.speaker(find);
    return scoreLines.reasons(labelled(rules, words), scored(result.players, rules), words);
  }

  function verdict(result, rules, find) {
    const words = scoreLines.speaker(find);
    return scoreLines.verdict(labelled(rules, words), scored(result.players, rules), words, true);
  }

  return { score, missing, single, reasons, verdict };
})();
