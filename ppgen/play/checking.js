// The form of the tallies of any game, for pages: read as sheet_plan.py reads it, up to the first fault. Whether real
// pieces can show it is for "ppgen score" to say.
// ECMAScript 2018 on plain values; it knows no page. say(key, values) has the texts of a language.
const playChecking = (() => {
  "use strict";
  const LARGEST = 9999, LONGEST_NAME = 60, LONGEST_SHOWN = 40;
  const UNSEEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/u;
  const TERM = "\\d{1,100}(?:[.,]0{1,2})?";
  const SUM = new RegExp(`^=?\\s*(${TERM}(?:\\s*\\+\\s*${TERM})*)$`);
  const SIGNED = new RegExp(`^=?\\s*([+-]?\\s*${TERM}(?:\\s*[+-]\\s*${TERM})*)$`);

  const sum = numbers => numbers.reduce((before, number) => before + number, 0);
  const isTable = value => value !== null && typeof value === "object" && !Array.isArray(value);
  const isNone = value => value === null || value === undefined;
  const own = (table, key) => Object.prototype.hasOwnProperty.call(table, key) ? table[key] : undefined;

  // The count that a value means; NaN if it is not a whole number, or a sum of such, from 0 on unless signed.
  function countOf(value, signed) {
    if (isNone(value)) return 0;
    if (typeof value === "number") return Number.isInteger(value) && (signed || value >= 0) ? value : NaN;
    if (typeof value !== "string") return NaN;
    const typed = value.normalize("NFKC").trim(), plain = signed ? typed.replace(/[−–]/g, "-") : typed;
    if (!plain) return 0;
    const match = (signed ? SIGNED : SUM).exec(plain);
    return match ? sum(match[1].replace(/[.,]\d+|\s/g, "").match(/[+-]?\d+/g).map(Number)) : NaN;
  }

  // The letters and digits of a text, without case and accents.
  function fold(text) {
    return text.toLowerCase().replace(/ß/g, "ss").normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");
  }

  // The key of a name in any language, if it is one. words are the folded names of each key, with blanks between.
  function keyOf(name, words) {
    const plain = fold(name), named = folded => Object.keys(words).find(key => words[key].split(" ").includes(folded));
    return named(plain) || named(plain.replace(/ae/g, "a").replace(/oe/g, "o").replace(/ue/g, "u"));
  }

  // Why a name is unsuitable, or "". Adds it to seen, which holds the names of the players before.
  function nameProblem(name, seen, say) {
    const plain = name.trim().replace(/\s+/g, " ").normalize("NFKC").toLowerCase().replace(/ß/g,
      "ss").replace(/\p{Cf}/gu, "");
    const twice = own(seen, `=${plain}`);
    seen[`=${plain}`] = true;
    if (!plain) return say("wrong.name_empty");
    if (UNSEEN.test(name) || /\p{Cc}/u.test(name)) return say("wrong.name_control");
    if ([...name].length > LONGEST_NAME) return say("wrong.name_long", { number: LONGEST_NAME });
    return twice ? say("wrong.name_twice", { name }) : "";
  }

  // Checks of a document. Each throws an Error that says where the first fault is, and what it is.
  function checker(given, say, [least, most] = [3, 5]) {
    const document = Array.isArray(given) ? { players: given } : given;

    function fail(trail, what) {
      const path = trail.map(part => typeof part === "number" ? `[${part}]` : `.${part}`).join("").replace(/^\./, "");
      throw new Error(path ? `${path}: ${what}` : what);
    }

    function known(trail, table, keys) {
      for (const key of Object.keys(table)) if (!keys.includes(key)) fail([...trail, key], say("wrong.unknown"));
    }

    // The keys that every game has, beside its own ones.
    function game(name, keys) {
      known([], document, ["game", "date", "place", "players", ...keys]);
      if (!isNone(document.game) && document.game !== name)
        fail(["game"], say("wrong.game", { game: JSON.stringify(document.game).slice(0, LONGEST_SHOWN) }));
      for (const key of ["date", "place"]) {
        const value = document[key], words = isNone(value) ? "" : String(value).trim().replace(/\s+/g, " ");
        if (!isNone(value) && !["string", "number"].includes(typeof value) || [...words].length > LONGEST_NAME
            || /[\p{C}\p{Zl}\p{Zp}]/u.test(words))
          fail([key], say("wrong.text", { number: LONGEST_NAME }));
      }
    }

    // The names of the players; at(seat) is the trail of each.
    function players(names, at) {
      const seen = {};
      if (names.length < least || names.length > most) fail(["players"], say("wrong.players_range", { least, most }));
      return names.map((name, seat) => {
        const what = typeof name === "string" ? nameProblem(name, seen, say) : say("wrong.name_quotes");
        if (what) fail(at(seat), what);
        return name.trim();
      });
    }

    // signed is the text that says what may be written where numbers below 0 may be, if they may.
    function number(trail, value, signed) {
      const found = countOf(value, signed), text = (JSON.stringify(value) || "").slice(0, LONGEST_SHOWN);
      if (Math.abs(found) > LARGEST) fail(trail, say("wrong.large", { text }));
      if (Number.isNaN(found)) fail(trail, `${text} (${say(signed || "wrong.sum_quoted")})`);
      return found;
    }

    const count = (trail, value) => number(trail, value);

    // A table's values, as read(trail, value, key) reads each, by the keys that find(name) finds for their names.
    function entries(trail, table, find, read) {
      if (isNone(table)) return {};
      if (!isTable(table)) fail(trail, say("wrong.table"));
      const found = {};
      for (const name of Object.keys(table)) {
        const key = find(name), at = [...trail, name];
        if (key === undefined) fail(at, say("wrong.unknown"));
        if (key in found) fail(at, say("wrong.twice", { word: name }));
        found[key] = read(at, table[name], key);
      }
      return found;
    }

    if (!isTable(document)) fail([], say("wrong.players"));
    return { document, fail, known, game, players, number, count, entries };
  }

  return { sum, isTable, isNone, own, keyOf, nameProblem, checker };
})();
