// The form of a position, for pages: read as tallies.py reads it, up to the first fault.
// ECMAScript 2018 on plain values; it knows no page.
//
// board is what scorer.py's board_json writes; say(key, values) has the texts of a language.
const boardGameJudge = (() => {
  "use strict";
  const { sum, isTable, isNone, own, keyOf } = playChecking;
  const { letters: lettersIn } = boardGame, NOBODY = [".", "·", "-", "–", "_"];
  const KEYS = ["before", "interim", "spaces", "cloisters", "councillors", "chains"];

  // The letter of each player, and the seat that a letter or a name stands for, if any.
  function lettersOf(players) {
    const known = boardGame.initials(players), seatOf = word => {
      const seat = boardGame.seatOf(word.trim(), players, known);
      return seat < 0 ? undefined : seat;
    };
    return { letters: known.own.length ? known.own : known.seats, seatOf };
  }

  const none = position => position.players.map(() => 0);
  const advising = (position, country) => own(position.councillors, country) || none(position);

  // What stands on the board. Throws an Error that names the first fault.
  function checked(given, board, say) {
    const check = playChecking.checker(given, say), { document, fail } = check, countryOf = {}, labelsOf = {};
    for (const { id, spaces } of board.countries) {
      labelsOf[id] = spaces;
      for (const label of spaces) countryOf[label] = id;
    }
    const countryNamed = name => keyOf(name, board.words.countries);
    const holds = value => !isNone(value) && Object.keys(value).length > 0;

    check.game("board-game", KEYS);
    if (!Array.isArray(document.players)) fail(["players"], say("wrong.players"));
    const players = check.players(document.players, seat => ["players", seat]), letters = lettersOf(players);
    const none = players.map(() => 0);

    function seatOf(trail, word) {
      const seat = typeof word === "string" ? letters.seatOf(word) : undefined;
      if (seat === undefined) fail(trail, typeof word === "string" ? say("wrong.letter", { letter: word })
        : say("wrong.letters"));
      return seat;
    }

    // The number of each player in a table, in which players have one entry each, by letter or by name.
    function byPlayer(trail, table) {
      const numbers = check.entries(trail, table, letters.seatOf, check.count);
      return players.map((_, seat) => numbers[seat] || 0);
    }

    // A number for each player: [23, 25, 19], or {A: 23}; none at all where it is missing.
    function numbers(key) {
      const value = document[key];
      if (isNone(value) || Array.isArray(value) && !value.length) return [];
      if (isTable(value)) return byPlayer([key], value);
      if (!Array.isArray(value) || value.length !== players.length)
        fail([key], say("wrong.numbers", { number: players.length }));
      return value.map((each, seat) => check.count([key, seat], each));
    }

    // The pieces of each player in each country: "AAB", or {A: 2, B: 1}.
    const counts = key => check.entries([key], document[key], countryNamed, (trail, value) => {
      if (isTable(value)) return byPlayer(trail, value);
      if (typeof value !== "string") fail(trail, say("wrong.letters"));
      const held = none.slice();
      for (const letter of lettersIn(value)) if (!NOBODY.includes(letter)) held[seatOf(trail, letter)]++;
      return held;
    });

    // The seat on each space, from letters by country or by the label of the space.
    function seats() {
      const found = {}, rest = {}, value = document.spaces;
      const hold = (trail, label, owner) => {
        if (isNone(owner) || typeof owner === "string" && ["", ...NOBODY].includes(owner.trim())) return;
        const several = typeof owner === "string" && letters.seatOf(owner) === undefined ? lettersIn(owner) : [];
        for (const word of several.length ? several : [owner]) {
          const seat = seatOf(trail, word);
          if (label in found && found[label] !== seat) fail(trail, say("wrong.one_owner"));
          found[label] = seat;
        }
      };
      for (const key of isTable(value) ? Object.keys(value) : []) {
        const label = key.toUpperCase();
        if (own(countryOf, label)) hold(["spaces", key], label, value[key]);
        else rest[key] = value[key];
      }
      check.entries(["spaces"], isTable(value) ? rest : value, countryNamed, (trail, entry, country) => {
        const labels = labelsOf[country];
        if (typeof entry === "string") {
          const row = lettersIn(entry);
          if (row.length && row.length !== labels.length) fail(trail, say("wrong.length_remedy"));
          row.forEach((letter, place) => hold(trail, labels[place], letter));
        } else if (isTable(entry)) {
          for (const key of Object.keys(entry)) {
            if (!labels.includes(key.toUpperCase())) fail([...trail, key], say("wrong.unknown"));
            hold([...trail, key], key.toUpperCase(), entry[key]);
          }
        } else fail(trail, say("wrong.letters"));
      });
      return found;
    }

    const spaces = seats(), cloisters = counts("cloisters"), councillors = counts("councillors"),
      chains = numbers("chains"), before = numbers("before");
    const interim = isNone(document.interim) ? null : counts("interim"), bySpace = Object.keys(spaces).length > 0;
    for (const key of ["cloisters", "chains"])
      if (holds(document.spaces) && holds(document[key])) fail([key], say("wrong.either"));
    return { players, spaces, cloisters: bySpace ? {} : cloisters, councillors, chains: bySpace ? [] : chains, before,
      interim };
  }

  // A position as JSON files hold it, one letter a piece: the twin of points.py's position_json.
  function written(position, board, date = "", place = "") {
    const { letters } = lettersOf(position.players), made = { game: "board-game", date, place,
      players: position.players };
    const rows = table => {
      const found = {};
      for (const { id } of board.countries) {
        const row = (own(table, id) || []).map((count, seat) => letters[seat].repeat(count)).join("");
        if (row) found[id] = row;
      }
      return found;
    };
    if (position.before.length) made.before = position.before;
    if (position.interim) made.interim = rows(position.interim);
    if (Object.keys(position.spaces).length) {
      made.spaces = {};
      for (const { id, spaces } of board.countries) made.spaces[id] = spaces.map(label => label in position.spaces
        ? letters[position.spaces[label]] : ".").join("");
    } else if (Object.keys(position.cloisters).length) {
      made.cloisters = rows(position.cloisters);
      if (position.chains.length) made.chains = position.chains;
    }
    made.councillors = rows(position.councillors);
    return made;
  }

  // What a whole game has, and nobody wrote down: keys of the texts that say it.
  function missing(position) {
    const counted = sum(Object.values(position.cloisters).flat());
    return [...position.before.length || position.interim ? [] : ["wrong.no_before"],
      ...counted || Object.keys(position.spaces).length ? [] : ["wrong.no_cloisters"],
      ...counted && !position.chains.length ? ["wrong.no_chains"] : []];
  }

  return { checked, written, missing, advising };
})();
