// What ppgen open answers about a deck of five cards and two coins, which the walk changes.
const pair = (key, width, height, bleed = 3) => ({ key, dpis: [0, 96, 192, 300].slice(1), width, height, bleed });
const piece = (id, title, line, more = {}) => ({ id, title, told: `${title} told`, copies: line % 3, front: pair(`f-${id}`, 63, 88), back: pair("back", 63, 88),
  place: "cards.csv", line, cells: { Name: title, Cost: String(line) }, ...more });
const rows = [["orc", "Orc", "3", "Bites, and does so very often when hungry"], ["elf", "Elf", "1,5", "Sings"], ["imp", "Imp", "2", ""],
  ["ogre", "Imp", "10", "Sleeps all day long"], ["x", "X", "", "Sings"]].map((cells, n) => ({ line: n + 2, cells }));
const problem = (what, ids = [], more = 0) => ({ what, remedy: ids.length ? "mend it" : "", ids, more, key: ids.length ? "" : "cards.front", place: ids.length ? "deck.toml" : "" });
const look = window.given = { number: 1, title: "Any deck", lang: "de", home: true, job: { number: 0, state: "none", name: "" }, undo: true, redo: false, failed: false, looks: "plain", layout: false,
  change: { files: ["cards.csv", "deck.toml"], changed: 2, added: 1, removed: 0, is_first: false, has_failed: false, needs_restart: true }, workbooks: ["book.xlsx"],
  source: "https://example.org/cards", follow: true, view: { lang: "de", ink: "full", skin: "", size: "poker" },
  tables: [{ place: "cards.csv", columns: ["ID", "Name", "Cost", "Text"], rows }],
  sections: [{ name: "cards", title: "Cards", pieces: rows.map(({ line, cells: [id, name] }) => piece(id, name, line)) },
    { name: "coins", title: "Coins", pieces: [piece("coin", "Coin", 2, { place: "book.xlsx", back: null, copies: 1, front: pair("coin", 20, 20, 2) }),
      piece("tile", "Coin", 0, { place: "", cells: {} })] }],
  problems: [{ cause: "cards.csv:2", level: "error", entries: [problem("too long", ["orc", "elf"], 2), problem("too wide", ["imp"])] },
    { cause: "deck.toml", level: "remark", entries: [problem("no title")] }],
  choices: { lang: ["de", "en"], ink: ["full", "low"], skin: ["", "wood"], size: ["poker", "mini"], paper: ["a4", "letter"], backs: ["duplex", "fold", "none"], marks: ["ticks", "lines"],
    printer: ["", "den"], margin: ["10mm"], target: ["shop", "tts"] } };
const file = (name, part, pages, sheets, bytes) => ({ name, part, pages, sheets, bytes, path: `out/${name}` });
const results = { make: { files: [file("a.pdf", "cards", 2, 1, 12001), file("b.pdf", "rules", 1, 0, 999)], notes: ["Cut first."], folder: "out" }, export: { files: [1, 2], notes: ["n"], folder: "shop" },
  playtest: { files: [file("t.html"), file("u.html")] }, check: { problems: [{ cause: "deck.toml", level: "error", entries: [problem("no title"), problem("thin line", ["x"])] }] },
  printed: {}, printer: { name: "den", doubt: "Doubtful." } };
let jobs = 0, landed = true, wrong = null;
window.hear = (more = {}) => { Object.assign(look, more, { number: look.number + 1 }); stream.dispatchEvent(new MessageEvent("look", { data: String(look.number) })); };
window.heed = (state, more = {}) => { Object.assign(look.job, { state, step: "cards", done: 1, total: 3, errors: [], ...more });
  stream.dispatchEvent(new MessageEvent("look", { data: String(look.number) })); };
window.refuse = words => { wrong = words; };
window.api = (path, query, body) => {
  const name = path.split("/").at(-1);
  if (wrong && body) { const [status, error] = wrong; wrong = null; return [status, { error }]; }
  if (["make", "check", "playtest", "export", "printed", "printer"].includes(name) && body)
    return Object.assign(look.job, { number: ++jobs, name, state: "running", step: "", total: 0, done: 0, result: results[name], choices: { made: jobs } });
  return { "/api/look": look, "/api/job": look.job, "/api/states": { changed: ["orc", "x"], new: ["imp"] },
    "/api/select": query.where === "=" ? { error: "odd filter" } : { ids: look.sections.flatMap(each => each.pieces).map(each => each.id).filter(id => id.includes(query.where)) },
    "/api/marks": { places: { a: "card.svg.j2:3", b: "card.svg.j2:1" }, svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 69 94" onload="x()"><defs><path id="p" d="M0 0h9v9z"/></defs>'
      + '<rect data-src="a" x="3" y="3" width="63" height="88" fill="red"/><g><use href="#p" x="10" y="10" data-src="b"/><use href="http://x/#p"/></g><script>1</script></svg>' },
    "/api/template": query.name === "card.svg.j2" ? { name: "card.svg.j2", digest: "d1", text: "one\ntwo\nthree\nfour\n" } : [404, {}],
    "/api/sheets": { paper: "A4", problems: [{ cause: "coins", entries: [{ what: "too large" }] }], pages: [["cards", 1, "front", 3, 8], ["cards", 1, "back", 3, 8], ["coins", 2, "front", 1, 0], ["rules", 1, "front", 0, 0]].map(
      ([part, number, side, sheets, cuts], n) => ({ part, number, side, sheets, cuts, title: part, key: `s${n}`, dpis: [40, 96, 200], width: 210, height: 297 })) },
    "/api/looks": { looks: ["", "modern"].map(each => ({ name: each, chosen: each === "modern", front: pair(`l-${each}`, 63, 88) })) },
    "/api/landed": landed ? { digest: "g", name: "cards (1).csv", bytes: 2100, folder: "Downloads", place: "cards.csv" } : {},
    "/api/follow": () => { landed = false; return {}; }, "/api/fetch": body && body.digest ? { changes: [] } : { place: "cards.csv", digest: "h", changes: ["Orc: 3 → 4", "one more"] },
    "/api/csv": { files: ["cards.csv", "coins.csv"] }, "/api/undo": { file: "cards.csv" }, "/api/redo": { file: "deck.toml" } }[path] ?? (body ? {} : undefined);
};
const made = window.api;
window.api = (...given) => { const value = made(...given); return typeof value === "function" ? value() : value; };
