// What ppgen open answers where there is no deck yet.
const state = { decks: [{ key: "/h/mine", title: "Mine", folder: "my deck", changed: "2026-01-02T03:04:05Z" }, { key: "/h/other", title: "Other", folder: "other", changed: "2025-12-31T23:00:00Z" }],
  home: "/h", lang: "en", langs: ["en", "de"], faces: 3, max_files: 4, max_bytes: 5000, starters: ["plain", "wargame"],
  games: [{ name: "card-game", title: "Card game", facts: ["3–5", "60 min"], presets: [{ name: "nice", text: "Nice" }, { name: "quick", text: "Quick" }] }] };
let status = { state: "done", result: {} }, wrong = null, busy = 0;
const found = { columns: { Name: "name", Art: "picture" }, notes: ["two rows"], warnings: ["no back"], is_sure: true, has_grid: false, may_be_booklet: false };
window.end = (more, name = "done") => { status = { state: name, number: 3, result: { ...found, ...more }, errors: [{ key: "busy" }, { what: "odd", where: "a.csv:2", remedy: "mend" }] }; };
window.refuse = words => { wrong = words; };
window.linger = times => { busy = times; };
window.api = (path, query, body) => {
  if (wrong && body) { const [code, error] = wrong; wrong = null; return [code, { error }]; }
  if (path === "/api/job" && busy) { busy--; return { state: "running" }; }
  return { "/api/start": state, "/api/job": status, "/api/paper": query.preset === "nice" ? { sheets: 9, cuts: 40 } : [204, null], "/api/points": { address: "http://10.0.0.2:8000/" } }[path] ?? (body ? {} : undefined);
};
window.put = (...named) => { const given = new DataTransfer(); for (const [name, text = "x"] of named) given.items.add(new File([text], name)); return given; };
window.drop = (...named) => document.dispatchEvent(Object.assign(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: put(...named) })));
