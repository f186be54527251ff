// The cells of a game that is counted on a table, by the names of the printed form's fields: p1.ships, p2.france.cards.

// The game with the cells changed ({field: count, or undefined for empty}), and how to undo that.
function changed(game, changes) {
  const before = {}, cells = { ...game.cells };
  for (const name of Object.keys(changes)) {
    before[name] = cells[name];
    if (changes[name] === undefined) delete cells[name];
    else cells[name] = changes[name];
  }
  game.cells = cells;
  return before;
}

function remember(game, before, more) {
  game.undo.push({ at: game.at, before, ...more });
  if (game.undo.length > MOST_UNDO) game.undo.shift();
}

// The last step taken back, if there is any.
function stepBack(game) {
  const step = game.undo.pop();
  if (step && step.whole) Object.assign(game, step.whole, { undo: [] });
  else if (step) {
    changed(game, step.before);
    game.at = step.at;
  }
  return step;
}

// The cells for other players: from tells of each at which place they sat before, if they did.
function movedCells(cells, from) {
  const moved = {};
  from.forEach((before, place) => {
    for (const name of Object.keys(cells)) if (name.startsWith(`p${before + 1}.`))
      moved[`p${place + 1}${name.slice(name.indexOf("."))}`] = cells[name];
  });
  return moved;
}
