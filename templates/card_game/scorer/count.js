// Counting the card game: a screen a country, a row a player, the digits below; the cursor goes on by itself.

function cardCount(page) {
  const { model } = page, isCountry = row => row in model.countryOf;
  const label = row => isCountry(row) ? page.say(`countries.${row}`) : page.say(`tally.${row}`);
  const why = ([key, values]) => page.say(key, values.country ? { ...values, country: label(values.country) } : values);
  const isHeld = game => game.at.place < 0;

  // What is asked, with the country where that is not in the words.
  function question(game) {
    const { row, place, column } = game.at, country = isCountry(row) ? `${label(row)} – ` : "";
    if (!isHeld(game)) return country + page.say(`page.ask_${column || row}`, { name: game.players[place].name });
    return model.lacking(game, row) > 0 ? missing(game, row) : label(row);
  }

  const missing = (game, row) => page.say("page.missing", { n: model.counted(game, row), m: model.rowOf[row].exist,
    country: label(row) });

  function put(game, count) {
    dropTens();
    if (isHeld(game)) { draw(); return; }
    const wrong = model.refusal(game, game.at, count);
    if (wrong) { flash(why(wrong), true); return; }
    const at = game.at;
    remember(game, null);
    game.undo[game.undo.length - 1].before = model.write(game, at, count);
    advance(game, at);
  }

  // Nobody else has any of this row.
  function restNone(game) {
    const at = game.at, changes = {};
    game.players.forEach((_, place) => {
      if (model.at(game, { ...at, place }) === undefined) changes[model.field(at.row, place, at.column)] = 0;
    });
    remember(game, changed(game, changes));
    advance(game, at);
  }

  // To the next empty cell; a country of which cards are missing stops once, a correction leads back to the sheet.
  function advance(game, from) {
    view.flash = null;
    const row = from.row;
    if (!model.isOpen(game, row)) {
      game.last = row;
      if (model.lacking(game, row) > 0 && !game.skipped[row]) {
        game.at = { ...from, place: -1 };
        draw();
        tell(question(game));
        return;
      }
    }
    const next = model.nextEmpty(game, from), fixing = view.fixing;
    if (!next) {
      game.at = { ...from, place: -1 };
      go(fixing ? "sheet" : "result");
      tell(page.verdict(page.running(game)));
      return;
    }
    game.at = next;
    if (fixing && next.row !== row) go("sheet");
    else { draw(); tell(question(game)); }
  }

  function anyway(game) {
    const row = game.at.row;
    remember(game, {}, { skipped: row });
    game.skipped = { ...game.skipped, [row]: true };
    const columns = model.rowOf[row].columns;
    advance(game, { row, place: game.players.length - 1, column: columns[columns.length - 1] });
  }

  function undo(game) {
    dropTens();
    const step = stepBack(game);
    if (!step) { draw(); return; }
    if (step.skipped) delete game.skipped[step.skipped];
    view.flash = null;
    tell(`${say("undone")} ${question(game)}`);
    if (view.screen === "count") draw();
    else go("count");
  }

  function jump(game, row, place, column) {
    settle(game);
    game.at = { row, place, column };
    view.flash = null;
    tell(question(game));
    if (view.screen === "count") draw();
    else go("count", { fixing: true });
  }

  // ---- what is shown ----

  function rail(game) {
    return h("button", { class: "rail", id: "rail", on: () => { settle(game); go("sheet"); } }, h("em", { class: "vh" }, `${say("sheet")}: `),
      model.deck.countries.map(({ id, number }, place) => {
        const open = model.isOpen(game, id), left = model.left(game, id);
        const told = open ? page.say("page.left", { left, n: number }) : left ? page.say("page.missing_short", { n: left }) : page.say("page.all_in", { n: number });
        return h("span", { class: `${game.at.row === id ? "now " : ""}${open ? "" : left ? "lack" : "done"}` },
          h("i", { "aria-hidden": "true" }, sign(`arms-${id}`)), h("b", { "aria-hidden": "true" }, open ? left : left ? `!${left}` : "✓"),
          h("em", { class: "vh" }, `${place ? ", " : ""}${label(id)} ${told}`));
      }));
  }

  // A card for each that exists, bearing its owner's stone.
  function pips(game, { id, number }) {
    const owners = game.players.flatMap(({ seat }, place) => Array(model.at(game, { row: id, place, column: "cards" })
      || 0).fill(seat));
    return h("div", { class: "pips", "aria-hidden": "true" }, Array.from({ length: number }, (_, place) =>
      h("span", { class: owners[place] ? "t" : "" }, owners[place] && sign(`seat-${owners[place]}`))));
  }

  function band(game) {
    const row = game.at.row, country = model.countryOf[row], left = model.left(game, row),
      number = model.rowOf[row].exist;
    const told = left > 0 ? page.say("page.left", { left, n: number }) : page.say("page.all_in", { n: number });
    if (country) return h("div", { class: "band", style: { "--ground": country.colour, "--on": country.on } },
      h("div", { class: "n num" }, number, h("small", {}, country.code)),
      h("div", {}, h("h2", { id: "rowname" }, label(row)), h("div", { class: "left num" }, told), pips(game, country)),
        h("div", { class: "sh" }, sign(`arms-${row}`)));
    return h("div", { class: "band", style: { "--ground": "#EADFC4", "--on": "#2A1D14" } },
      h("div", { class: "n num" }, row === "minus_two" ? "−2" : `${model.chainLength}+`),
      h("div", {}, h("h2", { id: "rowname" }, label(row)), h("div", { class: "left num" }, row === "minus_two" ? told
        : page.say("page.left_few", { left, n: number })),
        row !== "minus_two" && h("div", { class: "hint" }, page.say("page.from_five"))), h("div", { class: "sh" },
          sign(`row-${row}`)));
  }

  const pointsOf = (player, row, column) => row === "minus_two" ? player.law_points
    : isCountry(row) ? player.countries[row][column === "cards" ? "country_points" : "symbol_points"]
      : cardGame.single(row, player[row], model.rules);

  function playerRows(game, result) {
    const { row, place: turn } = game.at, columns = model.rowOf[row].columns, done = !model.isOpen(game, row),
      { automatic } = model.valuesOf(game);
    const cell = (place, column) => {
      const value = model.at(game, { row, place, column }), here = turn === place && game.at.column === column;
      const points = done ? pointsOf(result.players[place], row, column) : null, name = column
        ? page.say(`tally.${column}`) : label(row), tens = here && view.tens;
      return h("button", { class: `cell num${here ? " at" : ""}${value === undefined && !tens ? " void" : ""}${automatic[model.field(row, place, column)] ? " auto" : ""}`, id: `cell-${place}${column}`,
        "aria-label": [`${game.players[place].name}, ${name}: ${value === undefined ? "–" : value}`,
          ...points === null ? [] : [page.say("page.points", { n: signed(points) })]].join(", "),
        "aria-current": here ? "true" : undefined, on: () => jump(game, row, place, column) },
      tens ? `${tens}_` : value === undefined ? "" : value, points !== null && h("small", {}, gained(points)));
    };
    const gain = player => {
      const last = game.last;
      if (!last || model.isOpen(game, last)) return "";
      return gained(model.rowOf[last].columns.reduce((sum, column) => sum + pointsOf(player, last, column), 0));
    };
    return h("div", { class: "rows", role: "group", "aria-labelledby": "rowname" },
      game.players.map(({ name, seat }, place) =>
      h("div", { class: `row${columns.length > 1 ? "" : " one"}${turn === place ? " me" : ""}` },
        h("span", { class: "st" }, sign(`seat-${seat}`)), h("span", { class: "nm" }, name),
        columns.map(column => cell(place, column)), h("span", { class: "tot num" }, signed(result.players[place].total),
          h("small", {}, gain(result.players[place]))))));
  }

  function heads(row) {
    const columns = model.rowOf[row].columns;
    return h("div", { class: `heads${columns.length > 1 ? "" : " one"}`, "aria-hidden": "true" }, h("span"),
      columns.map(column => h("span", {}, column ? page.say(`tally.${column}`) : label(row))),
        h("span", {}, page.say("score.total")));
  }

  function ask(game) {
    const { row, place, column } = game.at;
    if (view.flash && view.flash.wrong) return h("div", { class: "ask no no-go", role: "alert",
      key: `no${view.flash.words}` }, icon("warn"), h("span", { class: "tx" }, view.flash.words));
    if (!isHeld(game)) return h("div", { class: "ask", role: "group", "aria-labelledby": "question", key: "ask" },
      h("span", { class: "tx", id: "question" }, view.tens ? page.say("page.second_digit", { n: view.tens })
        : page.say(`page.ask_${column || row}`, { name: game.players[place].name })));
    if (model.lacking(game, row) > 0) return h("div", { class: "ask", role: "group", "aria-labelledby": "question",
      key: "missing" }, icon("warn"), h("span", { class: "tx", id: "question" }, missing(game, row)),
      button("anyway", say("anyway"), () => anyway(game), "small"));
    const next = model.nextEmpty(game, null);
    return h("div", { class: "ask", role: "group", "aria-label": label(row), key: "on" }, button("goon", say(next ? "go_on" : "result"),
      () => { if (next) { game.at = next; draw(); } else go("result"); }, "small pri wide"));
  }

  function pad(game) {
    const { row, place, column } = game.at, held = isHeld(game), { hand } = store.prefs, left = model.left(game, row);
    const openCells = column === "cards" && !held ? game.players.filter((_, other) => model.at(game,
      { row, place: other, column }) === undefined) : [];
    const key = (count, look) => h("button",
      { class: `key num ${look || ""}${openCells.length === 1 && count === left && model.at(game, game.at) === undefined ? " fit" : ""}`, id: `digit-${count}`,
      "aria-disabled": held || model.refusal(game, game.at, count) ? "true" : undefined, "aria-describedby": held
        ? undefined : "question", on: () => put(game, count) }, count);
    const back = look => h("button", { class: `key fn ${look || ""}`, id: "undo", "aria-label": say("undo"),
      "aria-disabled": game.undo.length ? undefined : "true", on: () => undo(game) }, icon("undo"));
    const range = (from, to, look) => Array.from({ length: Math.max(0, to - from) }, (_, more) => key(from + more,
      look));
    const sided = (keys, own) => hand === "left" ? [own, ...keys] : [...keys, own], top = model.most(row, column);
    if (row === "minus_two" && top <= 2)
      return h("div", { class: "pad", key: "few" },
        sided([range(0, 3, "low"), h("button", { class: "key fn low", id: "rest",
        on: () => { if (!held) restNone(game); } }, page.say("page.rest_none"))], back("low")));
    if (isCountry(row) && top <= 8) return h("div", { class: "pad", key: "digits" }, sided(range(5, 9), back()),
      range(0, 5, "low"));
    // six a line from the bottom, the last line with room for undo
    const lines = Array.from({ length: Math.floor((top + 1) / 6) + 1 }, (_, line) => range(6 * line,
      Math.min(top + 1, 6 * line + 6))), last = lines.pop();
    while (last.length < 5) last.push(h("span", { key: `none${last.length}` }));
    return h("div", { class: "pad big", key: "many" }, sided(last, back()), lines.reverse());
  }

  // The sentences of the row that was scored last, where there is room for them.
  function lastWhy(game, result) {
    const last = game.last;
    if (!last || last === game.at.row || model.isOpen(game, last)) return null;
    const told = cardGame.reasons(result, model.rules, page.find).filter(each => each.about === last);
    return told.length > 0 && h("aside", { class: "lastwhy", "aria-label": say("why") },
      h("b", {}, h("i", {}, sign(page.rowSign(last))), say("just_scored", { what: label(last) })),
        told.map(each => h("p", {}, each.words)));
  }

  function screen(game) {
    const result = page.running(game);
    return h("div", { class: "two" }, isWide() && h("aside", { class: "side", "aria-label": say("sheet"), key: "side" },
      page.table(game, result, true)),
      h("main", { class: `count n${game.players.length}` },
        h("header", { class: "bar" }, h("h1", { class: "vh" }, page.say("page.name")), iconButton("back", "back",
          say("back"), () => { settle(game); go("home"); }), rail(game),
          iconButton("to-sheet", "sheet", say("sheet"), () => { settle(game); go("sheet"); })),
        band(game), heads(game.at.row), playerRows(game, result), lastWhy(game, result),
          h("span", { class: "spring", key: "spring" }),
        h("div", { class: "deck" }, h("div", { class: "hands" }, ask(game), pad(game)))));
  }

  // Digits from a keyboard. One that may begin a number of two waits for the second, or for Enter, and is shown.
  let waiting = 0;
  function dropTens() {
    clearTimeout(waiting);
    view.tens = 0;
  }

  function settle(game) {
    const { tens } = view;
    if (tens) put(game, tens);
  }

  const canBegin = (game, digit) => digit > 0 && !isHeld(game) && Array.from({ length: 10 }, (_, more) =>
    10 * digit + more).some(count => count <= model.most(game.at.row, game.at.column) && !model.refusal(game, game.at,
    count));

  function keys(event, game) {
    const { tens } = view;
    if (event.key === "Backspace") {
      if (tens) { dropTens(); draw(); }
      else undo(game);
      return true;
    }
    if (event.key === "Enter" && tens) { settle(game); return true; }
    if (!/^\d$/.test(event.key)) return false;
    const digit = Number(event.key), whole = 10 * tens + digit;
    if (tens && whole <= model.most(game.at.row, game.at.column)) put(game, whole);
    else {
      settle(game);
      if (current() !== game || view.screen !== "count") return true;
      if (!canBegin(game, digit)) { put(game, digit); return true; }
      view.tens = digit;
      view.flash = null;
      waiting = setTimeout(() => { if (current() === game && view.screen === "count") settle(game); }, 1500);
      draw();
    }
    return true;
  }

  return { screen, keys, undo, jump, label, pointsOf };
}
