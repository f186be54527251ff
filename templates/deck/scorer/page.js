// A deck of one's own on the page: the lines of its score.toml as one table, filled in cell by cell.
//
// A game's cells are kept by the names of the printed form's fields: p1.coins, p2.hills.tiles. An address is
// {n, place}: the cell by number and the player from 0. What they score, score_lines.js says.

const LARGEST = 9999;

function deckPage() {
  const data = JSON.parse(document.querySelector('[id^="game-"]').textContent), { rules } = data;
  const page = { name: data.name, arms: "badge", banner: ["badge"], first: "count", correcting: "count",
    seats: [rules.least, rules.most], plain: true };
  // the cells to write in, with the line that each is of; last is its last one, which shows the line's points
  const cells = rules.lines.flatMap((line, n) => (line.entries || []).map((entry, place, all) =>
    ({ entry, line, n, last: place === all.length - 1 })));
  const scoredOf = new WeakMap(), field = (place, { entry }) => `p${place + 1}.${entry}`;
  page.say = (key, values) => sayIn(data.name, key, values);
  page.find = key => textIn(data.name, key);
  const label = n => page.find(`label.${n}`);
  const cellLabel = ({ entry, line, n }) => line.entries.length > 1
    ? `${label(n)}: ${page.find(`entry.${entry.split(".")[1]}`)}` : label(n);
  const spoken = () => ({ ...rules, lines: rules.lines.map((line, n) => ({ ...line, label: label(n) })),
    verdicts: rules.verdicts.map(([least], n) => [least, page.find(`verdict.${n}`)]) });
  const at = (game, { n, place }) => game.cells[field(place, cells[n])];

  const columnsOf = game => game.players.map((_, place) => Object.fromEntries(cells.map(cell => [cell.entry,
    game.cells[field(place, cell)]]).filter(([, value]) => value !== undefined)));

  // Of the lines that are shared out: those of which some are missing, with the number counted.
  const counted = (columns, { entry }) => columns.reduce((sum, column) => sum + (column[entry] || 0), 0);
  const exist = (cell, count) => ({ row: label(cell.n), count, number: cell.line.exist });
  const missing = columns => cells.filter(cell => cell.line.before && counted(columns, cell) < cell.line.exist).map(cell =>
    ({ cell, what: page.say("wrong.exist_missing", exist(cell, counted(columns, cell))) }));

  // What "ppgen score --format json" prints.
  function judged(names, columns) {
    const scored = scoreLines.score(rules, names, columns), lacking = missing(columns);
    const players = names.map((name, seat) => ({ name, rank: scored.ranks[seat], total: scored.totals[seat],
      lines: Object.fromEntries(rules.lines.map(({ key }, n) => [key, { count: scored.counts[n][seat],
        points: scored.points[n][seat] }])) }));
    const result = { game: page.name, complete: !lacking.length, winners: players.filter(({ rank }) => rank === 1).map(
      ({ name }) => name), tie_break: scored.decided || null, warnings: lacking.map(({ cell, what }) =>
      `${cell.line.row}: ${what} (${page.say("wrong.recount")})`), players, rules: data.digest };
    scoredOf.set(result, scored);
    return result;
  }

  // The names and columns of tallies. Throws an Error that names the first fault.
  function checked(tallies) {
    const check = playChecking.checker(tallies, page.say, page.seats), { document, fail } = check, { players } = document;
    check.game(page.name, []);
    if (!Array.isArray(players) || !players.every(isObject)) fail(["players"], page.say("wrong.players"));
    const names = check.players(players.map(({ name = "" }) => name), seat => ["players", seat, "name"]);
    const columns = players.map((player, seat) => {
      const column = {}, read = (trail, entry, value) => {
        if (value === null || value === undefined || !String(value).trim()) return;
        const cell = cells.find(each => each.entry === entry);
        if (!cell) fail(trail, page.say("wrong.unknown"));
        column[entry] = check.number(trail, value, cell.line.signed && "wrong.signed_quoted");
      };
      for (const key of Object.keys(player)) {
        const trail = ["players", seat, key], value = player[key];
        if (isObject(value)) for (const row of Object.keys(value)) read([...trail, row], `${row}.${key}`, value[row]);
        else if (key !== "name") read(trail, key, value);
      }
      return column;
    });
    return { names, columns };
  }

  page.armsOf = () => page.arms;
  page.fresh = () => ({ cells: {}, undo: [], at: { n: 0, place: 0 } });
  page.running = page.result = game => judged(game.players.map(({ name }) => name), columnsOf(game));
  page.score = tallies => {
    const { names, columns } = checked(tallies);
    return judged(names, columns);
  };
  page.tallies = game => ({ game: page.name, date: game.when, place: "", players: columnsOf(game).map((column, place) => {
    const player = { name: game.players[place].name };
    for (const entry of Object.keys(column)) {
      const [row, key] = entry.split("."), table = key ? player[key] = player[key] || {} : player;
      table[row] = column[entry];
    }
    return player;
  }) });
  page.taken = tallies => {
    const { names, columns } = checked(tallies), found = {};
    columns.forEach((column, place) => {
      for (const entry of Object.keys(column)) found[field(place, { entry })] = column[entry];
    });
    return { cells: found, players: names.map((name, place) => ({ name, seat: place + 1 })) };
  };
  page.reseated = (game, from) => ({ cells: movedCells(game.cells, from), at: { n: 0, place: 0 } });

  // A stored game's own part. Cells of lines that the rules have no longer are left out.
  page.sound = game => {
    if (!isObject(game.cells) || !game.players.length) return null;
    const found = {}, address = each => isObject(each) && Number.isInteger(each.n) && cells[each.n]
      && game.players[each.place];
    game.players.forEach((_, place) => cells.forEach(cell => {
      const value = game.cells[field(place, cell)];
      if (Number.isInteger(value) && Math.abs(value) <= LARGEST && (value >= 0 || cell.line.signed))
        found[field(place, cell)] = value;
    }));
    return { cells: found, at: address(game.at) ? { n: game.at.n, place: game.at.place } : { n: 0, place: 0 },
      undo: (Array.isArray(game.undo) ? game.undo : []).filter(each => isObject(each) && isObject(each.before)
        && address(each.at)) };
  };

  // The cells in the order in which they are asked for: a line for each player, without what an empty cell rules out.
  const isAsked = (game, { n, place }) => !cells[n].line.needs || game.cells[`p${place + 1}.${cells[n].line.needs}`] > 0;
  const asked = game => cells.flatMap((_, n) => game.players.map((_, place) => ({ n, place }))).filter(each => isAsked(game,
    each));
  page.progress = game => [asked(game).filter(each => at(game, each) !== undefined).length, asked(game).length];
  page.complete = game => asked(game).every(each => at(game, each) !== undefined);
  page.isOver = (game, screen) => screen === "result";
  const words = () => scoreLines.speaker(page.find);
  page.verdict = result => scoreLines.verdict(spoken(), scoredOf.get(result), words(), true);

  // ---- counting ----

  const question = game => `${game.players[game.at.place].name}: ${cellLabel(cells[game.at.n])}`;

  // Write a value into the cell, or undefined to empty it.
  function put(game, value) {
    const cell = cells[game.at.n], others = columnsOf(game).filter((_, place) => place !== game.at.place);
    const count = counted(others, cell) + (value || 0);
    if (Math.abs(value) > LARGEST) { flash(page.say("wrong.large", { text: value }), true); return; }
    if (cell.line.exist && count > cell.line.exist) { flash(page.say("wrong.exist_all", exist(cell, count)), true); return; }
    remember(game, changed(game, { [field(game.at.place, cell)]: value }));
    view.flash = null;
    view.typing = true;
    draw();
  }

  // A digit goes behind those that were just typed, and replaces what stood there before.
  function digit(game, number) {
    const value = view.typing ? at(game, game.at) || 0 : 0, whole = 10 * Math.abs(value) + number;
    put(game, value < 0 || view.minus ? -whole || 0 : whole);
    if (whole) view.minus = false;
  }

  function turnSign(game) {
    if (at(game, game.at)) put(game, -at(game, game.at));
    else { view.minus = !view.minus; view.typing = true; draw(); }
  }

  function jump(game, address) {
    Object.assign(view, { flash: null, typing: false, minus: false });
    game.at = address;
    if (view.screen === "count") draw();
    else go("count");
    tell(question(game));
  }

  const next = game => {
    const rest = asked(game), { n, place } = game.at;
    return rest.find(each => each.n > n || each.n === n && each.place > place);
  };

  function goOn(game) {
    const to = next(game);
    if (to) jump(game, to);
    else {
      go("result");
      tell(page.verdict(page.running(game)));
    }
  }

  function undo(game) {
    if (!stepBack(game)) return;
    Object.assign(view, { flash: null, typing: true, minus: false });
    draw();
    tell(`${say("undone")} ${question(game)}`);
  }

  function table(game, result, fixable) {
    const scored = scoredOf.get(result), heading = h("thead", {}, h("tr", {}, h("td"), result.players.map(({ name, total }) =>
      h("th", { scope: "col" }, h("span", {}, name), h("b", { class: "num" }, signed(total))))));
    const box = (cell, n, place) => {
      const value = at(game, { n, place }), here = fixable && game.at.n === n && game.at.place === place;
      const points = cell.last && !cell.line.signed && value !== undefined ? h("small", {}, gained(scored.points[cell.n][place]))
        : null, inside = [h("span", {}, here && view.minus ? "−" : value === undefined ? fixable ? "" : "·" : signed(value)), points];
      return h("td", {}, fixable ? h("button", { class: `cell num${here ? " at" : ""}${value === undefined ? " void" : ""}`,
        id: `cell-${n}-${place}`, "aria-current": here ? "true" : undefined, "aria-label": `${game.players[place].name}, ${
          cellLabel(cell)}: ${value === undefined ? "–" : signed(value)}`, on: () => jump(game, { n, place }) }, inside)
        : h("div", { class: "num" }, inside));
    };
    const lines = rules.lines.map((line, n) => {
      const own = cells.map((cell, number) => [cell, number]).filter(([cell]) => cell.n === n);
      return own.length ? own.map(([cell, number]) => h("tr", { key: `c${number}` }, h("th", { scope: "row" },
        cellLabel(cell)), result.players.map((_, place) => box(cell, number, place))))
        : h("tr", { key: `l${n}`, class: "sum" }, h("th", { scope: "row" }, label(n)), result.players.map((_, place) =>
          h("td", { class: "num" }, signed(scored.points[n][place]))));
    });
    return h("table", { class: "grid", style: { "--seats": String(result.players.length) } }, heading, h("tbody", {}, lines),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, page.say("scoring.total")), result.players.map(({ total }) =>
        h("td", { class: "num" }, signed(total))))));
  }

  function countScreen(game) {
    const cell = cells[game.at.n], wrong = view.flash && view.flash.wrong, last = !next(game);
    const key = number => h("button", { class: "key num", id: `digit-${number}`, on: () => digit(game, number) }, number);
    return h("div", { class: "fix" }, bar(page.say("page.name"), () => go("home"), iconButton("players", "edit",
      say("players"), () => editPlayers(view.slot, "count"))),
    h("main", {}, h("div", { class: "lines" }, table(game, page.running(game), true)), h("div", { class: "deck" }, h("div", { class: "hands" },
      h("div", { class: `ask${wrong ? " no" : ""}`, role: wrong ? "alert" : "group", key: wrong ? `no${view.flash.words}`
        : "ask" }, h("span", { class: "tx" }, wrong ? view.flash.words : question(game)),
      cell.line.signed && h("button", { class: "btn small", id: "minus", on: () => turnSign(game) }, "±"),
      at(game, game.at) !== undefined && iconButton("empty", "close", say("delete"), () => { put(game); view.typing = false; })),
      h("div", { class: "pad big" }, [1, 2, 3, 4, 5].map(key), h("button", { class: "key fn", id: "undo", "aria-label":
        say("undo"), "aria-disabled": game.undo.length ? undefined : "true", on: () => undo(game) }, icon("undo")),
      [6, 7, 8, 9, 0].map(key), h("button", { class: "key fit", id: "next", "aria-label": say(last ? "result" : "go_on"),
        on: () => goOn(game) }, icon(last ? "crown" : "next")))))));
  }

  page.keys = { count: (event, game) => {
    if (/^\d$/.test(event.key)) digit(game, Number(event.key));
    else if (/^[-−]$/.test(event.key) && cells[game.at.n].line.signed) turnSign(game);
    else if (event.key === "Backspace") undo(game);
    else if (event.key === "Enter" && event.target.tagName !== "BUTTON") goOn(game);
    else return false;
    return true;
  } };

  // ---- the end ----

  function resultScreen(game) {
    const result = page.running(game), scored = scoredOf.get(result), told = scoreLines.reasons(spoken(), scored, words());
    const held = (line, n, seat) => line.signed || line.added === false ? signed(scored.points[n][seat])
      : `${signed(scored.counts[n][seat])} → ${signed(scored.points[n][seat])}`;
    const rows = rules.lines.map((line, n) => ({ label: label(n), cells: result.players.map((_, seat) => held(line, n, seat)) }));
    const about = rules.lines.map(({ row }) => row).filter((row, n, all) => all.indexOf(row) === n);
    return tableEnd(game, result, { rows, total: page.say("scoring.total"), brief: () => [],
      warnings: missing(columnsOf(game)).map(({ what }) => what),
      opened: player => {
        const seat = result.players.indexOf(player);
        return [h("div", { class: "bk num" }, rows.map(each => [h("span", {}, each.label), h("b", {}, each.cells[seat])])),
          h("p", {}, told.find(each => each.about === seat).words)];
      },
      parts: about.map(row => ({ about: row, label: page.find(`row.${row}`), words: told.filter(each => each.about === row).map(
        each => each.words) })).filter(each => each.words.length),
      table: h("div", { class: "tb", tabindex: "0", role: "region", "aria-label": say("sheet") }, table(game, result, false)) });
  }

  page.screens = { count: countScreen, result: resultScreen };
  return page;
}
