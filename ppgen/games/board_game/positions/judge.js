// What is wrong with a position, for pages: the twin of checked.py, plausible.py and names.py.
// ECMAScript 2018 on plain values; it knows no page.
//
// board is what scorer.py's board_json writes; say(key, values) has the texts of a language, as Texts has them in Python.
const boardGameJudge = (() => {
  "use strict";
  const { sum, isTable, isNone, own, shown, called } = playChecking;
  const PLAYERS = [3, 5], NOBODY = [".", "·", "-", "–", "_"], SEATS = "ABCDEFGHIJ";
  const KEYS = ["game", "date", "place", "players", "before", "interim", "spaces", "cloisters", "councillors",
    "chains"];

  // ---- letters (names.py) ----

  const plain = text => text.normalize("NFKC");
  const lettersIn = text => [...plain(text).toUpperCase()].filter(letter => letter.trim());

  // The letter of each player, and all that are understood: the first of the names where those differ, else by seat.
  function lettersOf(players) {
    const first = players.map(name => ([...plain(name).trim()][0] || "").toUpperCase());
    const usable = new Set(first).size === first.length && first.every(letter => /^\p{L}$/u.test(letter));
    const letters = usable ? first : players.map((_, seat) => SEATS[seat]), seats = {};
    letters.forEach((letter, seat) => { seats[letter] = seat; });
    if (!letters.some(letter => /^[A-Z]$/.test(letter)))
      players.forEach((_, seat) => { if (seat < PLAYERS[1]) seats[SEATS[seat]] = seat; });
    const seatOf = word => {
      const name = word.trim(), place = players.indexOf(name);
      return place >= 0 ? place : own(seats, plain(name).toUpperCase());
    };
    return { letters, seatOf, spelled: letters.map((letter, seat) => `${letter} = ${players[seat]}`).join(", ") };
  }

  // ---- what stands where ----

  const none = position => position.players.map(() => 0);
  const advising = (position, country) => own(position.councillors, country) || none(position);

  function standing(position, country, board) {
    if (!Object.keys(position.spaces).length) return own(position.cloisters, country) || none(position);
    const labels = board.countries.find(each => each.id === country).spaces;
    return position.players.map((_, seat) => labels.filter(label => position.spaces[label] === seat).length);
  }

  // ---- the judgement (checked.py) ----

  // [position, problems]: what stands on the board, and everything that is wrong as {key, what, remedy}.
  function judged(given, board, say) {
    const check = playChecking.checker(given, say), { document, problems, note } = check;
    const countryOf = {}, labelsOf = {}, trails = {}, doubtful = new Set();
    const counted = (what, number) => playSentences.counted(what, number, say);
    const nameOf = country => say(`countries.${country}`);
    let players = [], known = lettersOf([]);
    for (const { id, spaces } of board.countries) {
      labelsOf[id] = spaces;
      for (const label of spaces) countryOf[label] = id;
    }
    if (!document) return [null, problems];

    function read() {
      check.unknown([], document, KEYS);
      check.game("board-game");
      let names = own(document, "players");
      if (!Array.isArray(names)) {
        note(["players"], say("wrong.players"), say("wrong.like", { example: '["Anna", "Bob"]' }));
        names = [];
      }
      const noted = problems.length;
      players = check.players(names, ...PLAYERS, seat => ["players", seat]).slice(0, PLAYERS[1]);
      const nobody = problems.length > noted || !players.length;
      known = lettersOf(players);
      const spaces = readSpaces(own(document, "spaces")), cloisters = counts("cloisters"),
        councillors = counts("councillors");
      const chains = numbers("chains");
      for (const key of ["cloisters", "chains"])
        if (holds(own(document, "spaces")) && holds(own(document, key)))
          note([key], say("wrong.beside_spaces", { word: key }), say("wrong.either"));
      const interim = isNone(own(document, "interim")) ? null : counts("interim"), before = numbers("before");
      if (before.length && interim && !nobody && !doubtful.size) compare(before, interim);
      check.text("date");
      check.text("place");
      const bySpace = Object.keys(spaces).length > 0;
      return [{ players, spaces, cloisters: bySpace ? {} : cloisters, councillors, chains: bySpace ? [] : chains,
        before, interim }, nobody];
    }

    // Whether anything is given: no empty text, list or table.
    const holds = value => !isNone(value) && value !== "" && value !== 0 && value !== false
      && (typeof value !== "object" || Object.keys(value).length > 0);

    function compare(before, interim) {
      const columns = Object.keys(interim).map(country => boardGame.countryPoints(interim[country]));
      const made = players.map((_, seat) => sum(columns.map(column => column[seat])));
      if (made.join() !== before.join())
        note(["before"], say("wrong.before_other", { points: before.join(", "), interim: made.join(", ") }),
          say("wrong.before_or_interim"));
    }

    function readSpaces(value) {
      const held = {}, rest = isTable(value) ? {} : value;
      for (const key of isTable(value) ? Object.keys(value) : []) {
        const label = key.toUpperCase(), country = own(countryOf, label), noted = problems.length;
        if (!country) { rest[key] = value[key]; continue; }
        hold(["spaces", key], label, value[key], held);
        if (problems.length > noted) doubtful.add(country);
      }
      entries("spaces", rest, 'france = "AB.C"', (country, entry, trail) => {
        const labels = labelsOf[country];
        if (isTable(entry)) {
          for (const key of Object.keys(entry)) {
            if (labels.includes(key.toUpperCase())) hold([...trail, key], key.toUpperCase(), entry[key], held);
            else note([...trail, key], say("wrong.space", { word: key, country: nameOf(country) }), say("wrong.one_of",
              { words: labels.join(", ") }));
          }
        } else if (typeof entry === "string") {
          const row = lettersIn(entry);
          if (row.length && row.length !== labels.length)
            note(trail, say("wrong.length", { letters: counted("letters", row.length), number: labels.length }),
              say("wrong.length_remedy"));
          labels.forEach((label, place) => { if (place < row.length) hold(trail, label, row[place], held); });
        } else note(trail, say("wrong.letters"), say("wrong.like", { example: '"AB.C"' }));
      });
      return held;
    }

    // Note whose cloister stands on a space, and a second owner of it.
    function hold(trail, label, owner, held) {
      if (isNone(owner) || typeof owner === "string" && ["", ...NOBODY].includes(owner.trim())) return;
      const several = typeof owner === "string" && known.seatOf(owner) === undefined ? lettersIn(owner) : [];
      const all = several.length && several.every(letter => known.seatOf(letter) !== undefined);
      for (const word of all ? several : [owner]) {
        const seat = seatOf(trail, word);
        if (seat === undefined) continue;
        if (!(label in held)) held[label] = seat;
        if (held[label] !== seat)
          note(trail, say("wrong.two_owners", { space: label, one: players[held[label]], other: players[seat] }),
            say("wrong.one_owner"));
      }
    }

    // The pieces of each player in each country: "AAB", or {A: 2, B: 1}.
    function counts(key) {
      const made = {};
      entries(key, own(document, key), 'france = "AAB"', (country, entry, trail) => {
        let held = players.map(() => 0);
        if (typeof entry === "string") {
          for (const letter of lettersIn(entry)) {
            const seat = NOBODY.includes(letter) ? undefined : seatOf(trail, letter);
            if (seat !== undefined) held[seat]++;
          }
        } else if (isTable(entry)) held = byPlayer(trail, entry);
        else note(trail, say("wrong.letters"), say("wrong.like", { example: '"AAB"' }));
        made[country] = held;
      });
      return made;
    }

    // The entries of a table by country, each with where it stands.
    function entries(key, value, example, take) {
      if (isNone(value)) return;
      if (!isTable(value)) {
        note([key], say("wrong.table"), say("wrong.like", { example }));
        return;
      }
      const there = Object.keys(value).map(name => called(name, board.words.countries));
      Object.keys(value).forEach((name, place) => {
        const country = there[place], noted = problems.length;
        if (!country) {
          for (const { id } of board.countries) if (!there.includes(id)) doubtful.add(id); // one of them is meant
          note([key, name], say("wrong.country", { word: name }), say("wrong.one_of",
            { words: board.countries.map(each => nameOf(each.id)).join(", ") }));
        } else if (`${key} ${country}` in trails)
          note([key, name], say("wrong.twice", { word: nameOf(country) }), say("wrong.take_out"));
        else {
          trails[`${key} ${country}`] = [key, name];
          take(country, value[name], [key, name]);
          if (problems.length > noted) doubtful.add(country);
        }
      });
    }

    // A number for each player: [23, 25, 19], or {A: 23}; none at all where it is missing.
    function numbers(key) {
      const value = own(document, key);
      if (isNone(value) || (Array.isArray(value) && !value.length)) return [];
      if (isTable(value)) return byPlayer([key], value);
      if (Array.isArray(value) && value.length === players.length)
        return value.map((each, seat) => number([key, seat], each, players[seat]));
      note([key], say("wrong.numbers", { number: players.length }),
        say("wrong.like", { example: `[${Array(Math.max(players.length, PLAYERS[0])).fill("7").join(", ")}]` }));
      return [];
    }

    // The number that a table has for each player, who stands in it once: by a letter, or by a name.
    function byPlayer(trail, table) {
      const numbers = {};
      for (const word of Object.keys(table)) {
        const at = [...trail, word], seat = seatOf(at, word);
        if (seat in numbers) note(at, say("wrong.twice", { word: players[seat] }), say("wrong.take_out"));
        else if (seat !== undefined) numbers[seat] = number(at, table[word], word);
      }
      return players.map((_, seat) => own(numbers, seat) || 0);
    }

    function number(trail, value, word) {
      const seat = known.seatOf(word);
      return check.count(trail, value, what => say("wrong.entry", { name: seat === undefined ? word : players[seat],
        row: trail[0], what }));
    }

    // The seat of a letter or name, noted where it is nobody's.
    function seatOf(trail, word) {
      const seat = typeof word === "string" ? known.seatOf(word) : undefined;
      if (seat === undefined && players.length)
        note(trail, say("wrong.letter", { letter: typeof word === "string" ? word : shown(word) }), known.spelled);
      return seat;
    }

    // ---- plausible.py ----

    const at = (key, country) => own(trails, `${key} ${country}`) || [key];

    function judge(position) {
      const sure = board.countries.filter(({ id }) => !doubtful.has(id));
      const stand = country => standing(position, country, board);
      for (const { id, spaces } of board.countries) {
        const count = sum(stand(id));
        if (count > spaces.length)
          note(at("cloisters", id), say("wrong.full", { country: nameOf(id), number: spaces.length,
            cloisters: counted("cloisters", count) }), say("wrong.again"));
      }
      for (const { id } of sure) {
        const count = sum(advising(position, id)), limit = Math.max(0, ...stand(id));
        if (count > limit)
          note(at("councillors", id), say("wrong.council", { country: nameOf(id), councillors: counted("councillors",
            count), cloisters: counted("cloisters", limit) }),
            say("wrong.council_remedy", { councillors: counted("councillors", limit) }));
      }
      players.forEach((name, seat) => {
        for (const [key, most, row] of [["cloisters", board.cloisters, stand], ["councillors", board.councillors,
          country => advising(position, country)]]) {
          const count = sum(board.countries.map(({ id }) => row(id)[seat]));
          if (count > most)
            note([key === "cloisters" && Object.keys(position.spaces).length ? "spaces" : key],
              say("wrong.many", { name, pieces: counted(key, count) }),
              say("wrong.each_has", { number: most }));
        }
      });
      for (const { id } of sure) {
        const then = own(position.interim || {}, id) || none(position), now = stand(id);
        players.forEach((name, seat) => {
          if (then[seat] > now[seat])
            note(at("interim", id), say("wrong.shrunk", { name, country: nameOf(id), early: counted("cloisters",
              then[seat]), late: now[seat] }), say("wrong.stay"));
        });
      }
      if (sure.length === board.countries.length) position.chains.forEach((points, seat) => {
        const held = sum(board.countries.map(({ id }) => stand(id)[seat]));
        if (points && (points < board.chain_length || points > held))
          note(["chains", seat], say("wrong.chain", { name: players[seat], points: counted("points", points),
            cloisters: counted("cloisters", held) }),
            say("wrong.chain_remedy", { number: board.chain_length }));
      });
    }

    const [position, nobody] = read();
    if (!nobody) judge(position);
    return [position, playChecking.once(problems)];
  }

  // A position as JSON files hold it, one letter a piece: the twin of result.py's position_json.
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

  // The position, checked. Throws an Error whose message tells everything that is wrong, a line each.
  function checked(document, board, say) {
    const [position, problems] = judged(document, board, say);
    playChecking.refuse(problems);
    return position;
  }

  // What a whole game has, and nobody wrote down: keys of the texts that say it.
  function missing(position) {
    const counted = sum(Object.values(position.cloisters).flat());
    return [...position.before.length || position.interim ? [] : ["wrong.no_before"],
      ...counted || Object.keys(position.spaces).length ? [] : ["wrong.no_cloisters"],
      ...counted && !position.chains.length ? ["wrong.no_chains"] : []];
  }

  return { judged, checked, written, missing, standing, advising };
})();
