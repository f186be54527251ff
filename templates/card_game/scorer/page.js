// The card game on the page: its sheet, its result, and what the page asks of each game.

function cardGamePage() {
  const data = JSON.parse(byId("game-card-game").textContent);
  const page = { name: data.name, arms: "arms-france", banner: ["italy", "bavaria", "france", "england", "castile",
    "saxony", "hungary"].map(id => `arms-${id}`),
    first: "count", correcting: "sheet", seats: [3, 5] };
  const model = page.model = cardModel(data), { rules, deck } = model;
  page.say = (key, values) => sayIn(data.name, key, values);
  page.find = key => textIn(data.name, key);
  const count = cardCount(page), { label } = count;

  page.rowSign = row => row in model.countryOf ? `arms-${row}` : `row-${row}`;
  page.armsOf = game => page.rowSign(game.at.row);
  page.fresh = () => ({ cells: {}, undo: [], skipped: {}, at: { row: model.rows[0].row, place: 0, column: "cards" },
    last: null });
  page.sound = model.sound;
  page.complete = page.isOver = model.isComplete;
  page.progress = game => {
    const all = model.addresses(game);
    return [all.filter(address => model.at(game, address) !== undefined).length, all.length];
  };
  page.tallies = model.tallies;
  page.reseated = model.reseated;
  page.taken = tallies => model.taken(cardGameJudge.checked(tallies, deck, page.say));
  page.running = game => cardGame.score(model.tallies(game), rules);
  page.result = page.running;
  page.score = tallies => {
    const checked = cardGameJudge.checked(tallies, deck, page.say), result = cardGame.score(checked, rules);
    result.warnings = cardGame.missing(checked, rules).map(({ country, count: there, number }) =>
      `${country}: ${page.say("wrong.missing", { country: label(country), count: there, number })} (${page.say("wrong.again")})`);
    return result;
  };
  page.verdict = result => cardGame.verdict(result, rules, page.find);
  page.keys = { count: count.keys };

  // The score sheet: a target for each player and row where it can be corrected.
  page.table = (game, result, fixable) => {
    const many = game.players.length > 3, spelled = isWide() && !many;
    const cell = (place, row) => {
      const open = model.isOpen(game, row), columns = model.rowOf[row].columns, player = result.players[place];
      const values = columns.map(column => model.at(game, { row, place, column }));
      const told = (column, number) => [...number ? [""] : [player.name, label(row)], column ? page.say(`tally.${column}`) : ""].join(", ");
      const inside = columns.map((column, number) => h("span", {}, fixable && h("em", { class: "vh" }, `${told(column, number)} `), values[number] === undefined ? "·" : values[number],
        h("small", {}, open ? "\u00a0" : gained(count.pointsOf(player, row, column)))));
      if (!fixable) return h("span", { class: "num pair" }, inside);
      return h("button", { class: "num pair", id: `fix-${row}-${place}`, on: () => count.jump(game, row, place, columns[0]) }, inside);
    };
    const line = row => {
      const country = model.countryOf[row], lack = model.lacking(game, row), open = model.isOpen(game, row);
      const short = country ? country.code : row === "minus_two" ? "−2" : `≥${model.chainLength}`;
      const points = game.players.map((_, place) => model.rowOf[row].columns.reduce((sum, column) => sum
        + count.pointsOf(result.players[place], row, column), 0));
      return h("tr", { key: row }, h("th", { scope: "row" }, h("div", { class: "in" },
        h("i", {}, sign(page.rowSign(row))),
        h("span", { class: "lb" }, h("span", { class: spelled ? "" : "vh" }, label(row)), h("span", { class: spelled ? "vh" : "" },
          short)), lack > 0 && h("b", { class: "short" }, `!${lack}`))),
      game.players.map((_, place) => h("td", { class: country && !open && points[place] > 0
        && points[place] === Math.max(...points) ? "win" : "" }, cell(place, row))));
    };
    return h("div", { class: `tb${many ? " many" : ""}${spelled ? " spelled" : ""}`, tabindex: "0", role: "region", "aria-label": say("sheet") },
      h("table", {},
      h("thead", {}, h("tr", {}, h("td"), game.players.map(({ name, seat }, place) => h("th", { scope: "col" },
        h("i", {}, sign(`seat-${seat}`)), h("span", {}, name), h("b", { class: "num" },
        signed(result.players[place].total)))))),
      h("tbody", {}, model.rows.map(({ row }) => line(row))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, page.say("score.total")), result.players.map(player =>
        h("td", { class: "num" }, signed(player.total)))))));
  };

  function sheetScreen(game) {
    const done = model.isComplete(game);
    return h("div", { class: "fix" }, bar(say("sheet"), () => game.of ? go("home") : go(done ? "result" : "count"),
      iconButton("undo", "undo", say("undo"), () => count.undo(game))),
      h("main", { class: "wrap sheet" }, h("p", { class: "soft mid" }, say("sheet_hint")),
        page.table(game, page.running(game), true)),
      foot(button("players", say("players"), () => editPlayers(view.slot, "sheet")), button("goon", say(done ? "result" : "go_on"), () => {
        if (!done) game.at = model.nextEmpty(game, null);
        go(done ? "result" : "count");
      }, "pri")));
  }

  const parts = player => [["arms-france", page.say("page.countries"), player.country_subtotal],
    ["badge", page.say("page.symbols"), player.symbol_subtotal],
    ["row-ships", page.say("page.chains"), player.chain_points], ["row-minus_two", page.say("page.laws"),
      player.law_points]].filter((each, place) => place < 3 || each[2]);

  // Behind a player's total: count → points of every row, and the sum in words.
  function opened(result, player) {
    const pair = (held, points) => h("b", {}, `${held} → ${signed(points)}`), seat = result.players.indexOf(player);
    const rows = model.rows.map(({ row }) => {
      const entry = player.countries[row];
      return [h("i", {}, sign(page.rowSign(row))), h("span", {}, label(row)),
        entry ? pair(entry.cards, entry.country_points) : pair(player[row], count.pointsOf(player, row, "")),
          entry ? pair(entry.symbols, entry.symbol_points) : h("b")];
    });
    const total = cardGame.reasons(result, rules, page.find).find(each => each.about === seat);
    return [h("div", { class: "bk num" }, rows), h("p", {}, total.words)];
  }

  function resultScreen(game) {
    const result = page.running(game), told = cardGame.reasons(result, rules, page.find);
    const missing = cardGame.missing(model.tallies(game), rules).map(each => page.say("results.missing_row",
      { ...each, row: label(each.country) })).join(" · ");
    const why = model.rows.map(({ row }) => ({ about: row, sign: page.rowSign(row), label: label(row),
      words: told.filter(each => each.about === row).map(each => each.words) })).filter(each => each.words.length);
    const rows = model.rows.map(({ row, columns }) => ({ sign: page.rowSign(row), label: label(row),
      cells: result.players.map((player, place) => columns.map(column => {
        const held = model.at(game, { row, place, column }) || 0;
        return held ? `${held}→${signed(count.pointsOf(player, row, column))}` : "·";
      }).join("   ")) }));
    return tableEnd(game, result, { warnings: missing ? [page.say("page.only", { counts: missing })] : [],
      brief: player => [brief(parts(player)), h("span", {}, scoreLines.speaker(page.find).count("cards", player.cards))],
      opened: player => opened(result, player), rows,
      total: page.say("score.total"), parts: why, table: page.table(game, result, false) });
  }

  page.screens = { count: count.screen, sheet: sheetScreen, result: resultScreen };
  return page;
}
