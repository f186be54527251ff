// The board game as it is counted: whose cloister stands on which space, who advises where, and what can't be.
//
// A game holds spaces {FR1: player}, councillors {france: [2, 0, 1]}, the phase that is counted, and of the interim
// scoring either the spaces that were held then (locked) or only its points (before).

function boardModel(data) {
  const { rules, map } = data, countryOf = {}, spacesOf = {};
  for (const { id, spaces } of rules.countries) {
    spacesOf[id] = spaces;
    for (const space of spaces) countryOf[space] = id;
  }
  const ids = rules.countries.map(country => country.id), { sum } = playChecking;
  const isFinal = game => game.phase === "final";

  const held = (game, country, spaces = game.spaces) => game.players.map((_, seat) => spacesOf[country].filter(space =>
    spaces[space] === seat).length);
  const advising = (game, country) => game.players.map((_, seat) => (game.councillors[country] || [])[seat] || 0);

  // The position as judge.js checks it.
  function position(game) {
    const interim = {};
    for (const id of ids) interim[id] = held(game, id, game.locked || {});
    const councillors = {};
    for (const id of ids) if (isFinal(game)) councillors[id] = advising(game, id);
    return { players: game.players.map(player => player.name), spaces: game.spaces, cloisters: {}, chains: [],
      councillors,
      before: isFinal(game) && game.before || [], interim: isFinal(game) && !game.before && game.locked ? interim
        : null };
  }

  const written = game => boardGameJudge.written(position(game), rules, game.when);
  const result = game => boardGame.score(position(game), rules, !isFinal(game));

  // Why the player can't take or leave a space, as a text's key and its values; null where that can be.
  function spaceRefusal(game, space, seat) {
    const country = countryOf[space], now = game.spaces[space], leaves = now === seat;
    if (isFinal(game) && game.locked && game.locked[space] !== undefined) return ["page.why_locked",
      { space: map.spaces[space][2] }];
    const all = { ...game.later, ...game.spaces }; // those that come after the interim scoring are on the board as well
    if (!leaves && sum(ids.map(id => held(game, id, all)[seat])) >= rules.cloisters) return ["page.why_pieces",
      { name: game.players[seat].name, n: rules.cloisters }];
    const spaces = { ...game.spaces, [space]: leaves ? undefined : seat }, most = Math.max(...held(game, country,
      spaces));
    return sum(advising(game, country)) > most ? ["page.why_court", { country, max: most }] : null;
  }

  function courtRefusal(game, country, seat) {
    const most = Math.max(...held(game, country));
    if (sum(advising(game, country)) >= most) return ["page.why_court", { country, max: most }];
    return sum(ids.map(id => advising(game, id)[seat])) >= rules.councillors ? ["page.why_advisers",
      { name: game.players[seat].name, n: rules.councillors }] : null;
  }

  // A change that can be undone: the game's own parts before it are remembered.
  function change(game, parts) {
    const before = {};
    for (const key of Object.keys(parts)) before[key] = game[key] === undefined ? null : game[key];
    game.undo.push({ before, at: game.at });
    if (game.undo.length > MOST_UNDO) game.undo.shift();
    Object.assign(game, parts);
  }

  const claim = (game, space, seat) => {
    const spaces = { ...game.spaces };
    if (spaces[space] === seat) delete spaces[space];
    else spaces[space] = seat;
    change(game, { spaces });
  };
  const advise = (game, country, seat, more) => {
    const counts = advising(game, country);
    counts[seat] += more;
    change(game, { councillors: { ...game.councillors, [country]: counts } });
  };

  // The same pieces for other players: from tells of each at which place they sat before, if they did.
  function reseated(game, from) {
    const moved = table => {
      const made = {};
      for (const space of Object.keys(table || {})) if (from.includes(table[space])) made[space] = from.indexOf(table[
        space]);
      return made;
    };
    const counts = list => from.map(before => before === undefined ? 0 : list[before]), councillors = {},
      spaces = moved(game.spaces);
    for (const id of Object.keys(game.councillors)) {
      const left = counts(game.councillors[id]);
      if (sum(left) <= Math.max(...held({ players: from }, id, spaces))) councillors[id] = left; // else asked again
    }
    return { spaces, later: moved(game.later), locked: game.locked && moved(game.locked), councillors,
      before: game.before && counts(game.before) };
  }

  // From one scoring to the other: at the interim one only those cloisters stand that stood then.
  function toFinal(game, before) {
    change(game, { phase: "final", at: -1, before: before || null, locked: before ? null : { ...game.spaces },
      spaces: { ...game.later, ...game.spaces }, later: {} });
  }
  function toInterim(game) {
    const locked = game.locked || {}, later = {};
    for (const space of Object.keys(game.spaces)) if (locked[space] === undefined) later[space] = game.spaces[space];
    change(game, { phase: "interim", at: -1, before: null, locked: null, spaces: { ...locked }, later });
  }

  // The players and all that stands of a checked position with its spaces; null where these were not noted.
  function taken(checked) {
    if (!Object.keys(checked.spaces).length && Object.keys(checked.cloisters).length) return null;
    const locked = {}, counts = checked.interim;
    for (const id of counts ? ids : []) {
      const left = (counts[id] || []).slice();
      for (const space of spacesOf[id]) if (left[checked.spaces[space]] > 0) { locked[space] = checked.spaces[
        space]; left[checked.spaces[space]]--; }
    }
    return { players: checked.players.map((name, place) => ({ name, seat: place + 1 })), phase: "final",
      spaces: checked.spaces, councillors: checked.councillors,
      before: checked.before.length ? checked.before : null, locked: counts && !checked.before.length ? locked : null };
  }

  // A stored game's own part, if all of it can stand on the board; else null.
  function sound(game) {
    const seats = game.players.length, isSeat = seat => Number.isInteger(seat) && seat >= 0 && seat < seats;
    const table = value => isObject(value) && Object.keys(value).every(space => countryOf[space]
      && isSeat(value[space])) ? value : null;
    const spaces = table(game.spaces), locked = table(game.locked), later = table(game.later) || {};
    if (!spaces || !isObject(game.councillors) || !["interim", "final"].includes(game.phase)) return null;
    const isCounts = (value, most) => Array.isArray(value) && value.length === seats && value.every(count =>
      Number.isInteger(count) && count >= 0 && count <= most);
    if (!Object.keys(game.councillors).every(id => spacesOf[id] && isCounts(game.councillors[id],
      rules.councillors))) return null;
    const undo = (Array.isArray(game.undo) ? game.undo : []).filter(step => isObject(step) && isObject(step.before));
    return { spaces, later, locked, councillors: game.councillors, phase: game.phase, before: isCounts(game.before,
      9999) ? game.before : null, undo,
      at: Number.isInteger(game.at) && game.at >= -1 && game.at < ids.length ? game.at : -1, seen: game.seen === true };
  }

  return { ids, rules, map, countryOf, spacesOf, isFinal, held, advising, position, written, result, spaceRefusal,
    courtRefusal, change, claim, advise,
    toFinal, toInterim, taken, reseated, sound };
}
