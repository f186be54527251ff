// What the tallies of any game hold, checked for pages: the twin of checking.py, counts.py, names.py and of what
// files.py takes. ECMAScript 2018 on plain values; it knows no page. say(key, values) has the texts of a language.
const playChecking = (() => {
  "use strict";
  const LARGEST = 9999, LONGEST_NAME = 60, LONGEST_SHOWN = 40;
  const MOST_VALUES = 5000, DEEPEST = 8, LONGEST_TEXT = 80;
  const UNSEEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/u;
  const TERM = "\\d{1,100}(?:[.,]0{1,2})?";
  const SUM = new RegExp(`^=?\\s*(${TERM}(?:\\s*\\+\\s*${TERM})*)$`);

  const sum = numbers => numbers.reduce((before, number) => before + number, 0);
  const isTable = value => value !== null && typeof value === "object" && !Array.isArray(value);
  const isNone = value => value === null || value === undefined;
  const own = (table, key) => Object.prototype.hasOwnProperty.call(table, key) ? table[key] : undefined;
  const last = found => found[found.length - 1];

  const cut = words => [...words].length <= LONGEST_SHOWN ? words
    : `${[...words].slice(0, LONGEST_SHOWN - 1).join("")}…`;
  const shown = value => cut(typeof value === "string" ? `'${value}'` : JSON.stringify(value));

  // The count that a value means, as [count], or [key of a text, what stands there] for what is none.
  function parsed(value) {
    if (isNone(value)) return [0];
    if (typeof value === "number") {
      if (value < 0) return ["wrong.negative", shown(value)];
      if (value !== value) return ["wrong.number", "nan"];
      if (value > LARGEST) return ["wrong.large", String(value)];
      return value === Math.floor(value) ? [value] : ["wrong.fraction", String(value)];
    }
    if (typeof value !== "string") return ["wrong.number", shown(value)];
    const plain = value.normalize("NFKC").trim(), match = SUM.exec(plain);
    if (!plain) return [0];
    if (match) {
      const total = sum(match[1].split("+").map(term => parseInt(term, 10)));
      return total > LARGEST ? ["wrong.large", shown(total)] : [total];
    }
    if (/^\s*[-−–]\s*\d+([.,]\d+)?\s*$/.test(plain)) return ["wrong.negative", shown(value)];
    return [/^[\d+\s]*[.,]\d[\d+\s]*$/.test(plain) ? "wrong.fraction" : "wrong.number", shown(value)];
  }

  // The letters and digits of a text, without case and accents.
  function fold(text) {
    return text.toLowerCase().replace(/ß/g, "ss").normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");
  }

  // The key that people call a thing by, in any language; undefined for what is none. words are keys by folded names.
  function called(text, words) {
    const plain = fold(text);
    return own(words, plain) || own(words, plain.replace(/ae/g, "a").replace(/oe/g, "o").replace(/ue/g, "u"));
  }

  // Why a name won't do, or "": seen holds those of the players before, and then this one.
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

  function calledUnseen(character) {
    const kind = /[\u202a-\u202e\u2066-\u2069]/.test(character) ? "a character that turns the direction of reading"
      : character >= "\ud800" ? "what is no character" : "a control character";
    return `${kind} (U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")})`;
  }

  // The first thing in a document that no game has, as [trail, what, remedy].
  function unfit(document) {
    const todo = [[[], document]];
    for (let values = 0; todo.length; values++) {
      const [trail, value] = todo.pop();
      if (values >= MOST_VALUES) return [[], `holds more than ${MOST_VALUES} values`, "tallies are small files"];
      for (const words of [last(trail), value]) {
        if (typeof words !== "string") continue;
        if ([...words].length > LONGEST_TEXT)
          return [words === value ? trail : trail.slice(0, -1), `has a text of more than ${LONGEST_TEXT} characters`,
            "shorten it"];
        const unseen = UNSEEN.exec(words);
        if (unseen) return [trail, `holds ${calledUnseen(unseen[0])}`, "take it out"];
      }
      if (value === null || typeof value !== "object") continue;
      if (trail.length >= DEEPEST) return [trail.slice(0, 3), `is nested deeper than ${DEEPEST}`, "make it flatter"];
      const list = Array.isArray(value);
      for (const key of Object.keys(value).reverse()) todo.push([[...trail, list ? Number(key) : key], value[key]]);
    }
    return null;
  }

  // Notes in problems, as {key, what, remedy}, all that is wrong with a document. Where it is none, document is null.
  function checker(given, say) {
    const problems = [], wrong = unfit(given), document = Array.isArray(given) ? { players: given } : given;
    const path = trail => trail.map(part => typeof part === "number" ? `[${part}]` : `.${part}`).join("").replace(/^\./,
      "");
    const note = (trail, what, remedy = "") => { problems.push({ key: path(trail), what, remedy }); };
    const listed = words => words.join(", ");

    function unknown(trail, table, known) {
      for (const key of Object.keys(table))
        if (!known.includes(key))
          note([...trail, key], say("wrong.unknown"), say("wrong.one_of", { words: listed(known) }));
    }

    function game(name) {
      const value = own(document, "game");
      if (!isNone(value) && value !== name)
        note(["game"], say("wrong.game", { game: typeof value === "string" ? value : JSON.stringify(value) }), name);
    }

    function text(key) {
      const value = own(document, key), words = isNone(value) ? "" : String(value).trim().replace(/\s+/g, " ");
      if (!isNone(value) && (typeof value === "object" || typeof value === "boolean")
          || [...words].length > LONGEST_NAME || /[\p{C}\p{Zl}\p{Zp}]/u.test(words))
        note([key], say("wrong.text", { number: LONGEST_NAME }));
    }

    // The names of the players, each with one in the end; at(seat) is where each stands.
    function players(names, least, most, at) {
      if (names.length < least || names.length > most)
        note(["players"], say("wrong.players_count", { count: names.length }), say("wrong.players_range",
          { least, most }));
      const nobody = seat => say("template.player", { n: seat + 1 }), seen = {};
      const read = names.slice(0, 2 * most).map((name, seat) => {
        if (typeof name === "string") return name.trim();
        note(at(seat), say("wrong.name_text", { name: shown(name) }), say("wrong.name_quotes"));
        return nobody(seat);
      });
      read.forEach((name, seat) => {
        const what = nameProblem(name, seen, say);
        if (what) note(at(seat), what, say("wrong.name_own"));
      });
      return read.map((name, seat) => name || nobody(seat));
    }

    // The count that stands there; told says whose it is, of what is wrong with it.
    function count(trail, value, told) {
      const [found, words] = parsed(value);
      if (typeof found === "number") return found;
      note(trail, told(say(found, { text: words })), say("wrong.sum_quoted"));
      return 0;
    }

    if (wrong) note(...wrong);
    else if (!isTable(document)) note([], "holds no game", 'write {"players": […]}');
    return { document: problems.length ? null : document, problems, note, listed, unknown, game, text, players, count };
  }

  // The problems, none of them twice.
  const once = problems => [...new Map(problems.map(each => [JSON.stringify(each), each])).values()];

  // Throws an Error whose message tells everything that is wrong, a line each.
  function refuse(problems) {
    if (problems.length)
      throw new Error(problems.map(({ key, what, remedy }) =>
        `${key ? `${key}: ` : ""}${what}${remedy ? ` (${remedy})` : ""}`).join("\n"));
  }

  return { sum, isTable, isNone, own, last, shown, called, nameProblem, checker, once, refuse };
})();
