// The card game as it is counted: its cells, what stands in them by itself, and what can't stand there.
//
// A game's cells are kept by the names of the printed form's fields: p1.france.cards, p1.ships. An address is
// {row, place, column}: the row of the sheet, the player from 0, and the column ("" for rows with one).

function cardModel(data) {
  const { deck, rules } = data, countryOf = {}, shareKnown = {};
  for (const country of deck.countries) countryOf[country.id] = country;
  const cardsWith = route => deck.countries.reduce((sum, country) => sum + country.cards.filter(card =>
    card.route === route).length, 0);
  const exist = { ships: cardsWith("ship"), carriages: cardsWith("carriage"), minus_two: deck.minus_two };
  const rows = [...deck.countries.map(({ id, number }) => ({ row: id, columns: ["cards", "symbols"], exist: number })),
    ...Object.keys(exist).map(row => ({ row, columns: [""], exist: exist[row] }))];
  const rowOf = {};
  for (const each of rows) rowOf[each.row] = each;

  // The most that any player can have in a cell: so many keys the pad has, at most 36.
  const most = (row, column) => Math.min(35, column === "symbols" ? cardGameJudge.mostOfOneKind(countryOf[row].cards,
    rowOf[row].exist) : rowOf[row].exist);

  const field = (row, place, column) => [`p${place + 1}`, row, column].filter(Boolean).join(".");
  const addresses = game => rows.flatMap(({ row, columns }) => game.players.flatMap((_, place) => columns.map(column =>
    ({ row, place, column }))));
  const at = (game, { row, place, column }) => valuesOf(game).values[field(row, place, column)];

  // What stands in the cells: given ones, and automatic ones that follow from them. Known until a cell changes.
  let known = { cells: null };
  function valuesOf(game) {
    if (known.cells === game.cells && known.count === game.players.length) return known;
    const values = { ...game.cells }, automatic = {};
    const follow = (name, value) => { if (values[name] !== value
      || !(name in game.cells)) { values[name] = value; automatic[name] = true; } };
    for (const { row, columns, exist: number } of rows) {
      const names = game.players.map((_, place) => field(row, place, columns[0]));
      if (names.reduce((sum, name) => sum + (game.cells[name] || 0), 0) === number)
        for (const name of names) if (!(name in game.cells)) follow(name, 0);
      if (columns.length > 1) names.forEach((name, place) => {
        const symbols = field(row, place, columns[1]);
        if (values[name] === 0) follow(symbols, 0);
        else if (values[name] === number) follow(symbols, cardGameJudge.mostOfOneKind(countryOf[row].cards, number));
        else if (values[name] === undefined) delete values[symbols];
      });
    }
    return known = { cells: game.cells, count: game.players.length, values, automatic };
  }

  const counted = (game, row) => game.players.reduce((sum, _, place) => sum
    + (at(game, { row, place, column: rowOf[row].columns[0] }) || 0), 0);
  const left = (game, row) => rowOf[row].exist - counted(game, row);
  const isOpen = (game, row) => game.players.some((_, place) => rowOf[row].columns.some(column => at(game,
    { row, place, column }) === undefined));
  const lacking = (game, row) => countryOf[row] && !isOpen(game, row) ? left(game, row) : 0;
  const isComplete = game => addresses(game).every(address => at(game, address) !== undefined);

  // The first empty cell from an address on, and then from the start; null where all are filled in.
  function nextEmpty(game, from) {
    const all = addresses(game);
    const start = from ? all.findIndex(each => each.row === from.row && each.place === from.place
      && each.column === from.column) : 0;
    return [...all.slice(Math.max(0, start)), ...all.slice(0, Math.max(0, start))].find(each => at(game,
      each) === undefined) || null;
  }

  const share = (row, claims) => {
    const key = row + claims.map(claim => `${claim.cards}/${claim.best}`).sort().join();
    if (!(key in shareKnown)) shareKnown[key] = cardGameJudge.canShare(countryOf[row].cards, claims);
    return shareKnown[key];
  };
  const cardsOf = (game, place) => {
    const counts = {}, free = {};
    for (const { id, cards } of deck.countries) { counts[id] = at(game, { row: id, place, column: "cards" })
      || 0; free[id] = cards; }
    return [counts, free];
  };
  const routesOf = (game, place, ...routes) => cardGameJudge.mostRoutes(...cardsOf(game, place), ...routes);

  // Why a count can't stand in a cell beside all others, as a text's key and its values; null if it can.
  function refusal(game, { row, place, column }, count) {
    const name = game.players[place].name, number = rowOf[row].exist;
    if (column === "symbols") {
      const cards = at(game, { row, place, column: "cards" }) || 0,
        bound = cardGameJudge.mostOfOneKind(countryOf[row].cards, cards);
      if (count > bound) return ["page.why_symbols", { cards, country: row, max: bound }];
      const claims = game.players.map((_, other) => ({ cards: at(game, { row, place: other, column: "cards" }) || 0,
        best: other === place ? count : at(game, { row, place: other, column }) || 0 }));
      return share(row, claims) ? null : ["page.why_share", { country: row }];
    }
    const others = game.players.reduce((sum, _, other) => sum + (other === place ? 0 : game.cells[field(row, other,
      column)] || 0), 0);
    if (column === "" && row !== "minus_two") {
      const other = at(game, { row: row === "ships" ? "carriages" : "ships", place, column: "" }) || 0;
      const bound = Math.min(routesOf(game, place, row === "ships" ? "ship" : "carriage"), routesOf(game, place, "ship",
        "carriage") - other);
      if (count > bound) return ["page.why_routes", { name, max: bound }];
    }
    if (count <= number - others) return null;
    if (column === "cards") return others ? ["page.why_cards", { left: number - others, n: number }]
      : ["page.why_exist", { n: number }];
    return ["page.why_left", { n: number, left: number - others }];
  }

  // Write a count; what that makes impossible elsewhere is emptied, to be asked again. Returns what stood there before.
  function write(game, address, count) {
    const before = changed(game, { [field(address.row, address.place, address.column)]: count });
    const doubtful = address.column === "cards"
      ? [...game.players.map((_, place) => ({ row: address.row, place, column: "symbols" })),
        ...["ships", "carriages"].map(row => ({ row, place: address.place, column: "" }))]
      : [];
    for (const each of doubtful) {
      const name = field(each.row, each.place, each.column);
      if (name in game.cells && refusal(game, each, game.cells[name])) Object.assign(before,
        changed(game, { [name]: undefined }));
    }
    return before;
  }

  // What the page's twin of ppgen score takes, empty cells counting 0.
  function tallies(game) {
    const value = (row, place, column) => at(game, { row, place, column }) || 0;
    return { game: data.name, date: game.when, place: "", players: game.players.map(({ name }, place) => {
      const cards = {}, symbols = {};
      for (const { id } of deck.countries) { cards[id] = value(id, place, "cards"); symbols[id] = value(id, place,
        "symbols"); }
      return { name, cards, symbols, ships: value("ships", place, ""), carriages: value("carriages", place, ""),
        minus_two: value("minus_two", place, "") };
    }) };
  }

  // The players and cells of checked tallies.
  function taken(checked) {
    const cells = {};
    checked.players.forEach((player, place) => {
      for (const { row, columns } of rows) for (const column of columns)
        cells[field(row, place, column)] = (column ? player[column][row] : player[row]) || 0;
    });
    return { cells, players: checked.players.map(({ name }, place) => ({ name, seat: place + 1 })) };
  }

  // The cells for other players, as movedCells has them.
  function reseated(game, from) {
    const cells = movedCells(game.cells, from);
    const made = { players: from, cells };
    return { cells, skipped: {}, last: null, at: nextEmpty(made, null) || { row: rows[0].row, place: 0,
      column: rows[0].columns[0] } };
  }

  // A stored game's own part, if each of its cells is one and holds what can be counted; else null.
  function sound(game) {
    if (!isObject(game.cells)) return null;
    const cells = {}, made = { players: game.players, cells: {} };
    for (const address of addresses(made)) {
      const name = field(address.row, address.place, address.column), value = game.cells[name];
      if (value === undefined) continue;
      if (!Number.isInteger(value) || value < 0 || value > rowOf[address.row].exist * 2) return null;
      cells[name] = value;
    }
    if (Object.keys(game.cells).length > Object.keys(cells).length) return null;
    const skipped = {}, address = each => isObject(each) && rowOf[each.row] && each.place >= -1
      && each.place < game.players.length
      && rowOf[each.row].columns.includes(each.column) ? { row: each.row, place: each.place, column: each.column }
        : null;
    for (const row of Object.keys(isObject(game.skipped) ? game.skipped : {})) if (rowOf[row]) skipped[row] = true;
    const undo = (Array.isArray(game.undo) ? game.undo : []).filter(each => isObject(each) && isObject(each.before)
      && address(each.at));
    const here = address(game.at);
    return { cells, skipped, undo, at: here || { row: rows[0].row, place: 0, column: rows[0].columns[0] },
      last: rowOf[game.last] ? game.last : null };
  }

  return { rows, rowOf, countryOf, exist, most, field, addresses, at, valuesOf, counted, left, isOpen, lacking,
    isComplete, nextEmpty, refusal, write,
    tallies, taken, reseated, sound, rules, deck,
    chainLength: rules.lines.find(line => line.key === "ships").least };
}
