// Runs scripts of the pages without a browser, on random values, and prints what breaks a law as a list of words.
//
//     node laws.mjs NODE_MODULES LAW < given.json
//
// given.json is {scripts, …}, the texts of the scripts and what the law needs beside them. Whatever of a document the
// scripts ask for while they are loaded is there, and does nothing.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const law = process.argv[3], given = JSON.parse(readFileSync(0, "utf8"));
const broken = new Set(), answer = {};
const check = (holds, words, ...more) => { if (!holds && broken.size < 9) broken.add(`${words} ${JSON.stringify(more)}`); };
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

let seed = 7;
function random(number) { // 0 to number - 1
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor(seed / 0x80000000 * number);
}
const pick = list => list[random(list.length)];

// Anything: each property and each call gives it again.
const anything = new Proxy(function () {}, { get: (_, name) => name === Symbol.toPrimitive ? () => "" : name === Symbol.iterator
  ? function* () {} : anything, apply: () => anything, construct: () => anything, set: () => true, has: () => true });

function load(globals = {}) {
  const scope = vm.createContext({ document: anything, addEventListener() {}, localStorage: anything, sessionStorage: anything,
    location: { hash: "", protocol: "https:" }, navigator: anything, requestAnimationFrame() {}, setTimeout, clearTimeout,
    URL: anything, Option: anything, matchMedia: anything, Blob, TextEncoder, Intl, ...globals });
  const read = code => vm.runInContext(code, scope);
  read(given.scripts.join("\n"));
  return read;
}

// A game of cells: random counts that the page takes, corrections, steps back.
function cards() {
  const read = load({ data: given.data }), model = read("cardModel(data)"), MOST_UNDO = read("MOST_UNDO");
  const { write } = model, remember = read("remember"), stepBack = read("stepBack");
  answer.tallies = [];
  for (let round = 0; round < 6; round++) {
    const game = { players: ["A", "B", "C", "D", "E"].slice(0, 3 + round % 3).map((name, place) => ({ name, seat: place + 1 })),
      when: "2026-01-01", cells: {}, undo: [], skipped: {}, at: null, last: null };
    const states = [], all = model.addresses(game);
    check(new Set(all.map(each => model.field(each.row, each.place, each.column))).size === all.length, "fields differ");
    for (let step = 0; step < (round ? 150 : 3 * MOST_UNDO); step++) {
      const address = round % 2 ? model.nextEmpty(game, game.at) || pick(all) : pick(all), most = model.most(address.row, address.column);
      if (address.column === "symbols" && model.at(game, { ...address, column: "cards" }) === undefined) continue; // not asked yet
      const count = random(3) ? random(Math.min(most, 4) + 1) : random(most + 3), refused = model.refusal(game, address, count);
      const open = all.filter(each => model.at(game, each) === undefined);
      check(model.isComplete(game) === !open.length, "complete");
      check(open.some(each => same(each, model.nextEmpty(game, address))) || model.nextEmpty(game, address) === null && !open.length, "next empty");
      check(refused || count <= most, "over the pad", address, count, most);
      if (refused) continue;
      states.push(JSON.stringify(game.cells));
      game.at = address;
      remember(game, null);
      game.undo[game.undo.length - 1].before = write(game, address, count);
      check(model.at(game, address) === count || model.valuesOf(game).automatic[model.field(address.row, address.place, address.column)], "what is written stands there", address, count);
      if (step % 8) continue;
      for (const { row, exist } of model.rows) {
        const sum = game.players.reduce((each, _, place) => each + (model.at(game, { row, place, column: model.rowOf[row].columns[0] }) || 0), 0);
        check(sum <= exist && model.counted(game, row) === sum && model.left(game, row) === exist - sum, "sum of", row, sum, exist);
        const isOpen = game.players.some((_, place) => model.rowOf[row].columns.some(column => model.at(game, { row, place, column }) === undefined));
        check(model.isOpen(game, row) === isOpen && model.lacking(game, row) === (model.countryOf[row] && !isOpen ? exist - sum : 0), "open", row);
      }
      for (const each of all) {
        const value = model.at(game, each), stands = game.cells[model.field(each.row, each.place, each.column)];
        check(stands === undefined || model.refusal(game, each, stands) === null || each.row === address.row || each.place !== address.place,
          "what stands is not refused", each, value);
      }
      const stored = JSON.parse(JSON.stringify(game)), sound = model.sound(stored);
      check(sound && same(sound.cells, Object.fromEntries(Object.keys(sound.cells).map(name => [name, game.cells[name]])))
        && Object.keys(sound.cells).length === Object.keys(game.cells).length && sound.undo.length === game.undo.length, "stored and read again");
      const name = pick(Object.keys(stored.cells));
      for (const odd of [-1, 2.5, "3", null, 999]) check(!model.sound({ ...stored, cells: { ...stored.cells, [name]: odd } }), "damaged", odd);
      check(!model.sound({ ...stored, cells: { ...stored.cells, "p9.utopia": 1 } }) && !model.sound({ ...stored, cells: [] }), "unknown cell");
      const order = game.players.map((_, place) => place).sort(() => random(3) - 1), back = order.map((_, place) => order.indexOf(place));
      const once = model.reseated(game, order);
      for (const each of all) check(once.cells[model.field(each.row, each.place, each.column)]
        === game.cells[model.field(each.row, order[each.place], each.column)], "moved with its player");
      check(Object.entries(model.reseated({ ...game, cells: once.cells }, back).cells).every(([key, value]) => game.cells[key] === value), "there and back");
    }
    answer.tallies.push([model.tallies(game), model.isComplete(game)]);
    check(game.undo.length === Math.min(states.length, MOST_UNDO), "steps that are kept");
    while (game.undo.length) {
      stepBack(game);
      const wanted = JSON.parse(states.pop());
      check(Object.keys({ ...wanted, ...game.cells }).every(key => wanted[key] === game.cells[key]), "a step back");
    }
  }
}

// Pieces on the board that the page lets one put there, between two scorings.
function board() {
  const read = load({ data: given.data }), model = read("boardModel(data)"), { rules } = given.data, MOST_UNDO = read("MOST_UNDO");
  answer.results = [];
  const spaces = Object.keys(model.countryOf), sum = counts => counts.reduce((one, other) => one + other, 0);
  for (let round = 0; round < 6; round++) {
    const players = ["Ann", "Ben", "Cid", "Dee", "Eve"].slice(0, 3 + round % 3).map((name, place) => ({ name, seat: place + 1 }));
    const game = { players, when: "2026-01-01", spaces: {}, later: {}, locked: null, councillors: {}, before: null, phase: "interim",
      at: -1, undo: [], seen: false }, states = [];
    const state = () => JSON.stringify(["spaces", "later", "locked", "councillors", "before", "phase"].map(key => game[key]));
    const pieces = () => JSON.stringify(Object.entries({ ...game.later, ...game.spaces }).sort());
    for (let step = 0; step < (round ? 120 : 3 * MOST_UNDO); step++) {
      const seat = random(players.length), space = pick(spaces), country = pick(model.ids), before = state(), stood = pieces(), undone = game.undo.length;
      const act = random(20);
      if (act === 0) {
        if (model.isFinal(game)) model.toInterim(game); else model.toFinal(game);
        check(pieces() === stood, "no cloister is lost between the scorings");
        check(model.isFinal(game) || game.locked === null, "nothing is locked at the interim scoring");
      } else if (act < 8 && model.isFinal(game)) {
        if (!model.courtRefusal(game, country, seat)) {
          model.advise(game, country, seat, 1);
          check(sum(model.ids.map(id => model.advising(game, id)[seat])) <= rules.councillors, "councillors of a player");
        }
      } else if (!model.spaceRefusal(game, space, seat)) {
        const leaves = game.spaces[space] === seat;
        model.claim(game, space, seat);
        check(leaves ? !(space in game.spaces) : game.spaces[space] === seat, "taken or left");
      }
      if (game.undo.length > undone || undone === MOST_UNDO && state() !== before) states.push(before);
      players.forEach((_, each) => check(sum(model.ids.map(id => model.held(game, id)[each])) <= rules.cloisters, "cloisters of a player"));
      if (model.isFinal(game)) for (const id of model.ids) check(sum(model.advising(game, id)) <= Math.max(...model.held(game, id)),
        "councillors in", id);
      for (const space of Object.keys(game.locked || {})) check(game.spaces[space] === game.locked[space], "a locked cloister stays");
      if (step % 8) continue;
      const sound = model.sound(JSON.parse(JSON.stringify(game)));
      check(sound && ["spaces", "later", "councillors", "phase", "before"].every(key => same(sound[key], game[key]))
        && sound.undo.length === game.undo.length, "stored and read again");
      for (const odd of [{ spaces: { FR1: 9 } }, { spaces: { X9: 0 } }, { phase: "x" }, { councillors: [] }, { councillors: { utopia: [0] } },
        { councillors: { [model.ids[0]]: players.map(() => -1) } }, { councillors: { [model.ids[0]]: players.map(() => rules.councillors + 1) } }])
        check(!model.sound({ ...JSON.parse(JSON.stringify(game)), ...odd }), "damaged", odd);
    }
    answer.results.push([model.written(game), model.result(game), !model.isFinal(game)]);
    check(game.undo.length === Math.min(states.length, MOST_UNDO), "steps that are kept");
    while (game.undo.length) { Object.assign(game, game.undo.pop().before); check(state() === states.pop(), "a step back"); }
  }
}

// Past games, what is taken in, and what another tab has stored.
function store() {
  let stored = null;
  const read = load({ localStorage: { getItem: () => stored, setItem: (_, text) => { stored = text; } }, navigator: {},
    document: { documentElement: { dataset: { store: "s" } } }, view: {}, draw() {}, say: (key, values) => `${key} ${JSON.stringify(values)}`,
    signed: String, stones: most => Array.from({ length: most }, (_, n) => n + 1) });
  read(`var games = { g: { name: "g", seats: [2, 3], fresh: () => ({}), isOver: () => false, score() {}, sound: game => Array.isArray(game.points)
    ? { points: game.points, undo: game.undo || [] } : null, tallies: game => ({ date: game.when, points: game.points }),
    taken: found => ({ points: found.points, players: found.points.map((_, n) => ({ name: "P" + n, seat: n + 1 })) }) } };
    var pageOf = () => games.g, tallyPage = () => games.g;`);
  const when = later => read(`today(${later})`), most = read("MOST_GAMES");
  check(/^\d{4}-\d\d-\d\d$/.test(when(0)) && when(-1) < when(0) && when(0) < when(1) && new Date(when(1)) - new Date(when(0)) === 864e5, "days");
  for (const [day, holds] of [["2026-02-28", true], ["2026-02-29", false], ["2024-02-29", true], ["2026-2-2", false], ["2026-13-01", false],
    [5, false], ["x", false], ["2026-01-01T00:00", false]]) check(read("isDay")(day) === holds, "day", day);
  const game = n => ({ date: when(-random(900)), points: [n, random(50)] });
  const take = list => read("takeIn")(JSON.stringify({ games: list }))[0];
  const first = Array.from({ length: 30 }, (_, n) => game(n));
  check(take(first).includes('taken_in {"n":30}') && read("store.games.length") === 30, "all are taken in");
  check(take([...first, game(99)]).includes('left_known {"n":30}') && read("store.games.length") === 31, "known ones stay out");
  check(take([{ date: when(1), points: [1, 1] }]).includes('{"n":1}') && take([{ date: when(2), points: [1, 2] }]).includes("left_future"), "tomorrow, not later");
  check(take(Array.from({ length: most + 9 }, (_, n) => game(1000 + n))).includes("left_room") && read("store.games.length") === most, "as many as there is room for");
  const days = read("store.games.map(game => game.when)");
  check(days.every((day, n) => !n || days[n - 1] >= day), "newest first");
  check(read("new Set(store.games.map(game => game.id)).size") === most, "each has an id of its own");
  read("save()");
  const text = stored, [again, sound] = read("soundStore")(text);
  check(sound && same(again.games, read("store.games")) && same(again.names, read("store.names")), "stored and read again");
  for (const odd of [{ players: [] }, { id: 5 }, { when: null }, { points: 3 }, { game: "x" }, { players: [{ name: "", seat: 1 }, { name: "B", seat: 2 }] },
    { players: [{ name: "A", seat: 1 }, { name: "B", seat: 1 }] }, { players: [{ name: "A", seat: 1 }, { name: "B", seat: 9 }] }]) {
    const damaged = JSON.parse(text);
    damaged.games[3] = { ...damaged.games[3], ...odd };
    const [left, whole] = read("soundStore")(JSON.stringify(damaged));
    check(!whole && left.games.length === most - 1, "a damaged game is left out alone", odd);
  }
  for (const odd of ["5", "null", "[]", "{}", '{"v":"1"}']) {
    let failed = false;
    try { read("soundStore")(odd); } catch { failed = true; }
    check(failed, "no store", odd);
  }
  check(same([...read("soundStore")('{"v":2}')], [null, true]), "a newer store");
  read(`store = { ...emptyStore(), names: ["X", "Y"], games: [{ id: "mine", when: "2020-01-01", game: "g", players: [{ name: "A", seat: 1 },
    { name: "B", seat: 2 }], points: [1, 2] }], drafts: { g: { id: "ours", points: [3, 4] } } }`);
  const theirs = JSON.parse(text);
  theirs.games[0].id = "mine";
  theirs.drafts = { g: { ...theirs.games[1], id: "other" }, h: { ...theirs.games[2], id: "theirs" } };
  read("join")(JSON.stringify(theirs));
  check(read("store.games.length") === most && read('store.games.filter(game => game.id === "mine").length') === 1
    && same(read('store.games.find(game => game.id === "mine").points'), [1, 2]), "ours stay, theirs come beside");
  check(read("store.drafts.g.id") === "ours" && read("store.drafts.h.id") === "theirs" && same(read("store.names.slice(0, 2)"), ["X", "Y"]), "drafts and names");
  read(`store.games = []; keepGame({ id: "n", of: undefined, points: [1], undo: [1], players: [] })`);
  read(`keepGame({ id: "corrected", of: "n", points: [2], undo: [1], players: [] })`);
  check(read("store.games.length") === 1 && same(read("store.games[0].points"), [2]) && read("store.games[0].id") === "n", "a correction takes its game's place");
}

// The scripts that keep pages for when there is no network.
async function worker() {
  for (const old of [true, false]) for (const status of [200, 404, 500, 0]) for (const method of ["GET", "POST"]) {
    const heard = {}, put = [], kept = { match: async () => old ? "kept" : undefined, put: async (_, found) => put.push(found), add: async () => {},
      addAll: async files => put.push(...files) };
    let deleted = [], claimed = 0;
    load({ addEventListener: (name, act) => { heard[name] = act; }, skipWaiting() {}, clients: { claim: () => { claimed++; } },
      caches: { open: async () => kept, match: kept.match, keys: async () => ["scorer-old", given.name, "else"], delete: async name => deleted.push(name) },
      fetch: async () => { if (!status) throw new Error("no network"); return { ok: status === 200, status, clone: () => "copy" }; } });
    let given_ = null;
    heard.fetch({ request: { method }, respondWith: found => { given_ = found; } });
    check((given_ !== null) === (method === "GET"), "only what is read is answered");
    const shown = given_ && await given_.catch(error => error.message);
    const words = [given.name || "making", old, status, shown, put];
    if (!given_) continue;
    if (given.name) check(old ? shown === "kept" : status ? shown.status === status : shown === "no network", "kept ones first", ...words);
    else {
      check(status ? shown.status === status : shown === (old ? "kept" : "no network"), "the network first", ...words);
      check(same(put, old && status === 200 ? ["copy"] : []), "only a good answer takes the place of a kept one", ...words);
    }
    let done = null;
    heard.activate({ waitUntil: found => { done = found; } });
    await done;
    check(same(deleted, given.name ? ["scorer-old"] : []) && claimed === 1, "old ones go, others stay", deleted);
  }
}

// ZIPs of files, and servers that fail.
async function site() {
  const links = [], saved = [], all = { "[data-zip]": links };
  let status = 200, asked = [];
  const note = { textContent: "words" }, list = { open: false };
  const link = { dataset: { zip: "set.zip", files: "a.pdf b.pdf c.pdf", folder: "de/" }, parentNode: { querySelector: () => list },
    querySelector: () => note, ariaBusy: "false", addEventListener: (_, act) => { link.act = act; } };
  links.push(link);
  const read = load({ document: { documentElement: { lang: "de" }, querySelector: () => null, querySelectorAll: selector => all[selector] || [],
    createElement: () => ({ click() { saved.push(this.download); } }) }, URL: { createObjectURL: blob => { answer.blob = blob; return "blob:"; }, revokeObjectURL() {} },
    fetch: async address => { asked.push(address); const at = asked.length; return { ok: at < 2 || status === 200, arrayBuffer: async () => new TextEncoder().encode(`file ${address}`).buffer }; } });
  const click = async () => { asked = []; list.open = false; await link.act({ preventDefault() {} }); };
  for (status of [404, 500, 200]) {
    await click();
    check(same(saved, status === 200 ? ["set.zip"] : []) && list.open === (status !== 200), "only whole downloads are saved", status, saved);
    check(status !== 200 || same(asked, ["de/a.pdf", "de/b.pdf", "de/c.pdf"]) && note.textContent === "words", "each file once", asked);
    check(link.ariaBusy === "false", "it may be asked again");
  }
  const files = given.files.map(({ name, text }) => [name, Uint8Array.from(Buffer.from(text, "base64"))]);
  answer.zip = Buffer.from(await read("zip")(files).arrayBuffer()).toString("base64");
  delete answer.blob;
}

// Columns of tables: their order, and what they hold; cells are saved as typed, and only then.
async function tables() {
  let pieces = [], posted = [], mayAct = true;
  const element = (tag, properties = {}, ...inside) => ({ tag, ...properties, inside, heard: {}, style: {}, after() {},
    addEventListener(name, act) { this.heard[name] = act; }, blur() { this.heard.blur(); }, parentElement: { querySelector: () => null } });
  const read = load({ post: async (path, body) => posted.push([path, body]), say() {}, fit() {}, canAct: () => mayAct, show() {}, open() {},
    phrase: (key, values) => `${key} ${JSON.stringify(values || {})}`, el: element, pieces: () => pieces, state: { look: { lang: "en" } } });
  for (let round = 0; round < 30; round++) {
    const rows = Array.from({ length: 12 }, (_, n) => ({ line: n + 2, cells: [String(random(30)), pick(["a", "B10", "b9", "", "c d"])] }));
    const table = { place: "t", columns: ["n", "w", "ID"], rows }, sorting = read("sorting"), copies = rows.map(() => 1 + random(4));
    pieces = rows.flatMap(({ line }, n) => [{ place: "t", line, copies: copies[n], id: `p${n}` }, { place: "u", line, copies: 9, id: "x" }]);
    for (const direction of [1, -1]) {
      sorting.t = { column: 0, direction };
      const numbers = read("sortedRows")(table).map(row => Number(row.cells[0]));
      check(numbers.every((each, n) => !n || (each - numbers[n - 1]) * direction >= 0), "numbers in order", numbers);
      sorting.t = { column: 1, direction };
      const places = read("sortedRows")(table).map(row => ["", "a", "b9", "B10", "c d"].indexOf(row.cells[1]));
      check(places.every((each, n) => !n || (each - places[n - 1]) * direction >= 0), "words in order", places);
    }
    delete sorting.t;
    check(same(read("sortedRows")(table), rows), "unsorted rows stand as in the file");
    const numbers = rows.map(row => Number(row.cells[0])), cards = copies.reduce((a, b) => a + b), words = JSON.stringify(read("summary")(table, 0));
    const mean = Math.round(numbers.reduce((all, each, n) => all + each * copies[n], 0) / cards * 100) / 100;
    check(words.includes(JSON.stringify(`column_count ${JSON.stringify({ cards, values: new Set(numbers).size })}`)), "cards and values", cards);
    check(words.includes(JSON.stringify(`column_mean ${JSON.stringify({ mean: String(mean), least: String(Math.min(...numbers)),
      most: String(Math.max(...numbers)) })}`)), "mean over copies", mean);
    const row = pick(rows), column = random(2), old = row.cells[column], typed = pick([old, "new", ` ${old}`, ""]);
    const area = read("cell")(table, row, column, "label");
    posted = [];
    area.value = typed;
    const key = pick(["Enter", "Escape", "Tab", "Shift"]);
    area.heard.keydown({ key: key === "Shift" ? "Enter" : key, shiftKey: key === "Shift", preventDefault() {}, stopPropagation() {} });
    if (key === "Tab") area.blur();
    check(same(posted, typed === old || key === "Escape" || key === "Shift" ? []
      : [["/api/cell", { place: "t", line: row.line, column, old, new: typed }]]), "saved as typed, and only then", key, old, typed, posted);
    check(area.readOnly === false && read("cell")(table, { ...row, cells: ["1", "2", "3"] }, 2, "").readOnly
      && read("cell")(table, row, 2, "").readOnly, "ids and missing cells are fixed");
    mayAct = false;
    check(read("cell")(table, row, 0, "").readOnly, "who may only look changes nothing");
    mayAct = true;
  }
}

// A table: after any acts by keys, pointer and fingers each piece is where it was put, and steps lead back.
function table() {
  const kinds = [[44, 68], [44, 68], [22, 22], [10, 50], [24, 24]].map(([w, h], n) => ({ id: `k${n}`, w, h, title: `title ${n}`, part: "part", told: "", front: 0,
    back: n === 2 ? null : 0, faces: n === 4 ? [1, 2, 3, 4, 5, 6] : [] }));
  const seats = [[0, 300, 150, 90], [160, 300, 150, 90], [320, 300, 150, 90], [480, 300, 150, 90]], setUp = players => ({ rows: [10], seats: seats.slice(0, players),
    pieces: Array.from({ length: 40 }, (_, n) => [n % 5, 60 * (n % 5), [10, 10, 10, 90, 310, 400][n % 6], n % 3 > 0, n % 4 ? "" : "g", n % 11 ? -1 : 1, n === 39]) });
  const data = { id: "x", words: given.words, kinds, pictures: [], learn: [], tools: [], links: [], more: [], setups: { 3: setUp(3), 4: setUp(4) } };
  const heard = {}, timers = [], fields = { each: { value: "2" }, said: {}, list: { hidden: true, style: {} }, table: { focus() {}, setPointerCapture() {}, addEventListener: (name, act) => { heard[name] = act; } } };
  let stored = null;
  const read = load({ innerWidth: 800, innerHeight: 600, requestAnimationFrame: act => act(), setTimeout: act => timers.push(act), clearTimeout: at => { timers[at - 1] = null; },
    localStorage: { getItem: () => stored, setItem: (_, text) => { stored = text; } }, document: { styleSheets: [anything], querySelectorAll: () => [], addEventListener() {},
      body: anything, createElement: () => anything, documentElement: anything, querySelector: () => ({ offsetHeight: 50 }),
      getElementById: id => id === "data" ? { textContent: JSON.stringify(data), remove() {} } : fields[id] || anything } });
  const now = () => JSON.parse(JSON.stringify(read("state"))), sizeOf = ({ kind }) => kind < 0 ? [14, 14] : [kinds[kind].w, kinds[kind].h];
  const isFlat = ({ kind }) => kind < 0 || kinds[kind].back === null, near = (one, other) => Math.abs(one - other) < 1e-6;
  const middle = piece => [piece.x + sizeOf(piece)[0] / 2, piece.y + sizeOf(piece)[1] / 2], isIn = ([x, y, w, h], [left, top]) => left > x && left < x + w && top > y && top < y + h;
  const seatOf = (piece, players) => isFlat(piece) ? -1 : seats.slice(0, players).findIndex(room => isIn(room, middle(piece)));
  const key = (name, more = {}) => heard.keydown({ key: name, preventDefault() {}, ...more });
  const point = ([x, y], more = {}) => ({ clientX: x, clientY: y, pointerId: 1, button: 0, preventDefault() {}, ...more }), onTable = at => read("onTable")(point(at));
  const drop = (name, from, to, more, isLong) => { heard.pointerdown(point(from, more)); if (isLong) timers[timers.length - 1](); heard.pointermove(point(to, more)); heard[name](point(to, more)); };
  read("begin")(3, 1);
  const rolled = new Set(), seeds = [0, 0, 0].map(() => { read("act").begin(); return now().seed; });
  check(new Set(seeds).size > 1, "each game another seed");
  for (let round = 0; round < 14; round++) {
    const players = 3 + round % 2;
    read("begin")(players, round);
    const once = now(), states = [];
    read("begin")(players, round);
    check(same(now(), once) && read("past.length") === 0, "the same seed, the same table");
    check(same(once.pieces.map(({ kind }) => kind).sort(), data.setups[players].pieces.map(([kind]) => kind).sort()) && data.setups[players].pieces.every(([kind, x, y, , group], n) =>
      once.pieces[n].x === x && once.pieces[n].y === y && (group || once.pieces[n].kind === kind)), "laid out");
    read("state.pieces.forEach((piece, n) => { piece.tag = n; })");
    for (let step = 0; step < (round ? 25 : 350); step++) {
      const before = now(), { pieces } = before, undone = read("past.length"), shown = read("seat"), n = random(pieces.length), one = pieces[n], [w, h] = sizeOf(one);
      if (one.fixed) continue;
      const pile = pieces.filter(each => !each.fixed && each.x === one.x && each.y === one.y && same(sizeOf(each), [w, h])), deed = pick([..."frswdp-u", "Enter", "Arrow", "Arrow", "drag", "drag", "drag", "roll", "counter"]);
      read("select")(n);
      const { k } = read("view"), to = pick(pieces), isNear = random(2) && one.x !== to.x, [dx, dy] = isNear ? [to.x - one.x, to.y - one.y].map(by => (by + random(19) - 9) * k) : [random(400) - 200, random(300) - 150], how = { shiftKey: random(2) > 0, altKey: random(2) > 0 }, arrow = pick(["Left", "Right", "Up", "Down"]), grip = [0.3 * w, 0.4 * h];
      const start = [read("view.x") + (one.x + w / 2) * k, read("view.y") + (one.y + h / 2) * k], held = deed === "drag" ? pieces[read("under")(onTable(start))] : one;
      const own = deed === "drag" ? pieces.filter(each => !each.fixed && each.x === held.x && each.y === held.y && same(sizeOf(each), sizeOf(held))) : pile, far = how.altKey ? 1 : 10;
      const [bx, by] = { Left: [-far, 0], Right: [far, 0], Up: [0, -far], Down: [0, far] }[arrow], tags = list => list.map(({ tag }) => tag);
      if (deed === "drag") drop(pick(["pointerup", "pointercancel"]), start, [start[0] + dx, start[1] + dy], { shiftKey: how.shiftKey && how.altKey }, how.shiftKey && !how.altKey);
      else if (deed === "Arrow") key(deed + arrow, how);
      else if (deed.length > 1 && deed !== "Enter") read("act")[deed]();
      else key(deed, deed === "u" && random(2) ? { key: "z", ctrlKey: true } : {});
      const after = now(), place = Object.fromEntries(after.pieces.map(each => [each.tag, each])), words = [deed, one, dx, dy, how], got = place[one.tag];
      const moved = deed === "drag" ? how.shiftKey ? own : [held] : deed === "Arrow" ? how.shiftKey ? pile : [one] : { s: pile, w: pile, Enter: pile, d: pile }[deed] || [one];
      if (deed === "u") { if (undone) check(same(after, states.pop()) && read("pick") === -1, "undone", ...words); continue; }
      if (read("past.length") > undone) {
        states.push(before);
        check(same(JSON.parse(stored).pieces, after.pieces), "kept at once", deed);
      } else if (undone === 200 && !same(after.pieces, pieces)) states.splice(0, states.length, ...states.slice(1), before);
      else check(same(after, before) || deed === "p", "what changes can be undone", ...words);
      check(pieces.every(each => tags(moved).includes(each.tag) || same(place[each.tag], each)) && after.pieces.length === pieces.length + (deed === "roll" || deed === "counter"), "the others stay", ...words);
      if (deed === "f") check(same({ ...got, up: 0, value: 0 }, { ...one, up: 0, value: 0 }) && (one.kind === -1 || one.kind === 4 ? [1, 2, 3, 4, 5, 6].includes(got.value) && got.up === one.up
        : got.value === one.value + (one.kind === -2) && got.up === (isFlat(one) ? one.up : !one.up)), "flipped", one, got);
      if (deed === "r") check(same(got, { ...one, turn: (one.turn + 90) % 360 }), "turned", ...words);
      if (deed === "-") check(same(got, { ...one, value: one.value - (one.kind === -2) }), "one less", ...words);
      if (deed === "s") check(same(tags(pile).sort(), tags(after.pieces.filter((_, i) => pile.some(each => pieces[i].tag === each.tag))).sort()) && pile.every(each => same(place[each.tag], each)), "mixed in its place", ...words);
      if (deed === "w") check(pile.every((each, i) => near(place[each.tag].x, each.x + i * w / 2) && place[each.tag].y === each.y), "spread", ...words);
      if (deed === "p") check(read("seat") === (shown + 1) % players, "the next seat");
      if (deed === "d") pile.slice().reverse().forEach((each, i) => {
        const dealt = place[each.tag], [x, y, wide] = seats[i % players];
        check(i < 2 * players ? dealt.x >= x && dealt.x + w <= x + wide && dealt.y > y && dealt.up && dealt.hand === (isFlat(each) ? -1 : i % players)
          && dealt.x > (i < players ? 0 : place[pile[pile.length - 1 - i + players].tag].x) : same(dealt, each), "dealt from above, to each in turn", i, dealt, each);
      });
      if (["Arrow", "drag"].includes(deed) && !same(after, before)) check(same(tags(after.pieces.slice(-moved.length)), tags(moved)), "what is moved lies on top", ...words);
      if (deed === "Arrow") check(moved.every(each => place[each.tag].x === each.x + bx && place[each.tag].y === each.y + by), "one step", ...words);
      if (deed === "drag" || deed === "Enter") {
        const [sx, sy] = deed === "Enter" || Math.hypot(dx, dy) < 5 ? [0, 0] : [dx / k, dy / k], first = moved[0], [wide, high] = sizeOf(first);
        const joins = pieces.filter(each => !tags(moved).includes(each.tag) && !each.fixed && each.kind >= 0 && same(sizeOf(each), [wide, high]) && Math.min(wide, high) > 20
          && Math.hypot(each.x - first.x - sx, each.y - first.y - sy) < 7);
        if (deed === "Enter" || sx || sy) for (const each of moved) {
          const rests = place[each.tag];
          check(joins.length ? joins.some(({ x, y }) => x === rests.x && y === rests.y) : near(rests.x, each.x + sx) && near(rests.y, each.y + sy), "it lies where it is let go, or on the pile there", ...words);
          check(rests.hand === seatOf(rests, players) && rests.up === (each.up || each.hand < 0 && rests.hand >= 0), "it belongs to the seat where it lies", ...words, rests);
        }
      }
      if (deed === "roll" || deed === "counter") check(same(states.pop(), before) && (read("act").undo(), true) && same(now().pieces, pieces), "a tool more, and away");
      const added = after.pieces[pieces.length];
      if (added) check(onTable([400, 300]).every((each, i) => near(each, middle(added)[i])) && (added.kind === -1 ? [1, 2, 3, 4, 5, 6].includes(added.value) && rolled.add(added.value) : added.value === 0), "in the middle", added);
      if (deed === "d") check(read("pick") === -1, "nothing is picked");
      const order = read("tops")().map(i => now().pieces[i]);
      check(order.every((each, i) => !i || each.y > order[i - 1].y || each.y === order[i - 1].y && each.x >= order[i - 1].x) && now().pieces.every(each => each.fixed
        || order.some(({ x, y, ...more }) => x === each.x && y === each.y && same(sizeOf(more), sizeOf(each)))), "one after the other, as one reads");
      now().pieces.forEach((piece, i) => { if (piece.kind >= 0) check(read("titleOf")(i).includes(`title ${piece.kind}`) === (isFlat(piece) || piece.up && (piece.hand < 0 || piece.hand === read("seat"))),
        "what is face up, and in no other's hand, is told", piece); });
    }
    while (states.length) { read("act").undo(); check(same(now(), states.pop()), "a step back"); }
    // what is looked at: a wheel and two fingers keep what lies below them; an empty place moves the whole
    read("whole")();
    const { k, x, y } = read("view"), rooms = [...data.setups[players].seats, ...data.setups[players].pieces.map(([kind, left, top]) => [left, top, kinds[kind].w, kinds[kind].h])];
    const [wide, high] = [0, 1].map(axis => Math.max(...rooms.map(room => room[axis] + room[axis + 2]))), part = [random(200), random(120), 40 + random(200), 40 + random(200)];
    check(x >= 0 && y >= 0 && x + wide * k <= 800 && y + high * k <= 600, "all of the table", x, y, k);
    const at = [random(800), random(600)], below = onTable(at), by = random(900) - 450;
    heard.wheel({ ...point(at), deltaY: by });
    check(onTable(at).every((each, i) => near(each, below[i])) && (by < 0 ? read("view.k") >= k : read("view.k") <= k) && read("view.k") <= 8 && read("view.k") >= 0.1, "the wheel", at, by);
    read("look")(part);
    const seen = read("view"), left = seen.x + part[0] * seen.k;
    check(near(seen.y + part[1] * seen.k, 60) && left >= -0.01 && left + part[2] * seen.k <= 800.01 && (wide * seen.k < 788 || seen.x <= 6.01 && seen.x + wide * seen.k >= 793.99), "a part, and nothing beyond the table", part, seen);
    read("view = { x: 20, y: 80, k: 1 }");
    const [a, b] = [[random(300), 20], [400 + random(300), 30]], first = [onTable(a), onTable(b)], to = [[a[0] + 9, a[1] + 40], [b[0] + 60, b[1] + 40]], stands = now();
    heard.pointerdown(point(a));
    heard.pointermove(point([a[0] + 30, a[1]]));
    heard.pointermove(point(a));
    heard.pointerdown(point(b, { pointerId: 2 }));
    check(same(now(), stands) || a[1] > 80, "a second finger lets go of what was dragged");
    read("view = { x: 20, y: 80, k: 1 }");
    heard.pointermove(point(to[0]));
    heard.pointermove(point(to[1], { pointerId: 2 }));
    const half = list => [(list[0][0] + list[1][0]) / 2, (list[0][1] + list[1][1]) / 2], spread = list => Math.hypot(list[0][0] - list[1][0], list[0][1] - list[1][1]);
    check(half(to.map(onTable)).every((each, i) => near(each, half(first)[i])) && near(read("view.k"), spread(to) / spread([a, b])), "two fingers", a, b, to);
    heard.pointerup(point(to[1], { pointerId: 2 }));
    heard.pointerup(point(to[0]));
    read("view = { x: 20, y: 80, k: 1 }");
    drop("pointerup", [790, 590], [790 - 33, 590 + 21]);
    check(read("view.x") === -13 && read("view.y") === 101 && same(now(), stands), "an empty place moves the whole");
  }
  check(rolled.size > 3, "each side of a die");
  for (let round = 0; round < 300; round++) {
    const pieces = Array.from({ length: 6 }, () => ({ kind: random(5), x: random(100), y: random(100), turn: 90 * random(4), up: true, hand: -1,
      fixed: random(5) === 0, value: 1 }));
    read("each => { state = { seed: 1, players: 3, pieces: each, notes: {} }; }")(pieces);
    const point = [random(150), random(150)], found = read("under")(point);
    const inside = ({ kind, x, y, turn }) => { // turned about its middle
      const { w, h } = kinds[kind], angle = -turn * Math.PI / 180, dx = point[0] - x - w / 2, dy = point[1] - y - h / 2;
      const across = dx * Math.cos(angle) - dy * Math.sin(angle), down = dx * Math.sin(angle) + dy * Math.cos(angle);
      return [w / 2 - Math.abs(across), h / 2 - Math.abs(down)];
    };
    const rooms = pieces.map(piece => piece.fixed ? -1 : Math.min(...inside(piece)));
    if (rooms.every(room => Math.abs(room) > 0.01)) check(found === rooms.findLastIndex(room => room > 0), "the uppermost below the pointer", found, rooms);
    const game = { seed: 1, players: 3, notes: { k0: "x", gone: "y" }, pieces };
    check(read("isSound")(game) && same(read("sound")(game), { ...game, notes: { k0: "x" } }), "a sound game is taken as it is");
    const odd = pick([{ kind: 5 }, { kind: -3 }, { kind: 0.5 }, { x: "1" }, { y: null }, { turn: undefined }, { hand: "0" }, { value: {} }]);
    check(!read("isSound")({ ...game, pieces: [...pieces, { ...pieces[0], ...odd }] }), "damaged piece", odd);
    for (const each of [{ seed: 0.5 }, { players: 9 }, { pieces: {} }, { notes: { k0: 5 } }, { notes: { k0: "n".repeat(1001) } }])
      check(!read("isSound")({ ...game, ...each }), "damaged game", each);
    const n = random(6), pile = read("pileOf")(n), top = pieces[n];
    check(pile.includes(n) && pile.every(i => i === n || !pieces[i].fixed && pieces[i].x === top.x && pieces[i].y === top.y && pieces[i].kind === top.kind), "piles");
    const list = Array.from({ length: 9 }, (_, i) => i);
    check(same([...read("mix")([...list])].sort(), list), "mixing loses nothing");
    const mixed = [1, 1].map(() => { read("state.seed = 5"); return read("mix")([...list]); });
    check(same(...mixed), "the same seed, the same order");
    const numbers = read("lift")([n]), lifted = read("state.pieces");
    check(lifted.length === 6 && same(lifted[numbers[0]], top) && numbers[0] === 5, "what is lifted lies on top");
  }
}

// What is dragged: the edge stays below the pointer, what is predicted is what Python draws, and nothing else is written.
function matrixOf(a, b, c, d, e, f) {
  return { a, b, c, d, e, f, multiply: o => matrixOf(a * o.a + c * o.b, b * o.a + d * o.b, a * o.c + c * o.d, b * o.c + d * o.d, a * o.e + c * o.f + e, b * o.e + d * o.f + f),
    inverse() { const area = a * d - b * c; return matrixOf(d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area); } };
}
function DOMPoint(x, y) { Object.assign(this, { x, y, matrixTransform: ({ a, b, c, d, e, f }) => new DOMPoint(a * x + c * y + e, b * x + d * y + f) }); }

function layout() {
  const made = thing => thing.given.y, near = (one, other, by = 0.02) => Math.abs(one - other) <= by;
  const [posted, timers, heard, said] = [[], [], {}, []], spot = () => ({ left: 20, top: 10 });
  const layer = { addEventListener: (name, act) => { heard[name] = act; }, focus() {}, getBoundingClientRect: spot, setPointerCapture() {}, replaceChildren() {}, append() {} };
  const page = { look: { number: 1, lang: "en" }, open: "orc", isHeld: false }, reopened = [];
  let mayAct = true, marks = [];
  const read = load({ DOMPoint, DOMMatrix: function () { return matrixOf(1, 0, 0, 1, 0, 0); }, state: page, canAct: () => mayAct, phrase: key => key, say: words => said.push(words), $: () => null, all: () => marks, count: () => "",
    document: { createElementNS: () => ({ setAttribute() {}, append() {} }), activeElement: null }, ask: async () => ({}), open: (...words) => reopened.push(words),
    post: async (path, body) => { posted.push([path, body]); }, setTimeout: act => timers.push(act), clearTimeout: at => { timers[at - 1] = () => {}; } });
  const [argumentsOf, boxWith, snap, toOwn, corners, span] = ["argumentsOf", "boxWith", "snap", "toOwn", "corners", "span"].map(name => read(name));
  const [HANDLES, FRAME, SNAP_PX, REACH_MM, NUDGES] = ["HANDLES", "FRAME", "SNAP_PX", "REACH_MM", "NUDGES"].map(name => read(name));
  const screen = matrixOf(3, 1, -1, 3, 40, 50), turns = given.drawn.calls.map((_, n) => n % 4 === 3 ? matrixOf(0, 1, -1, 0, n, 2) : matrixOf(1, 0, 0, 1, 0, 0));
  marks = given.drawn.calls.map(({ given: { x, y } }, n) => ({ dataset: { src: `${n}|card:1` }, closest: () => n === 2 ? {} : null, getBBox: () => ({ x, y, width: 20, height: 7 }),
    parentNode: { getScreenCTM: () => screen.multiply(turns[n]) }, cloneNode: () => ({}) }));
  const things = read("findThings")(given.drawn, { getScreenCTM: () => screen });
  const fnOf = ({ call }) => { const [template, number] = call.split("#"); return given.drawn.sources[template].calls[number]; };
  check(same(things.map(({ index }) => index), given.drawn.calls.flatMap((each, n) => n !== 2 && (each.box || fnOf(each).macro) ? [n] : [])), "each call that is seen is a thing");
  for (const thing of things) check(["a", "b", "c", "d", "e", "f"].every(name => near(thing.matrix[name], turns[thing.index][name], 1e-9)) && thing.call === fnOf(given.drawn.calls[thing.index])
    && thing.elements[0] === marks[thing.index] && (thing.call.macro ? near(thing.box[0] + (thing.given.r ?? 0), thing.given.x) && near(thing.box[1] + (thing.given.r ?? 0), thing.given.y)
    && near(thing.box[2], thing.given.r ? 2 * thing.given.r : 20) : same(thing.box, given.drawn.calls[thing.index].box)), "where it is drawn", thing.call.fn);
  for (const thing of things) thing.matrix = matrixOf(1, 0, 0, 1, 0, 0);
  const shot = { width: 63.5, height: 88.9 }, isNumber = (thing, name) => read("isFree")(thing, name);
  answer.changes = [];
  for (const thing of things) {
    const { fn, args } = thing.call, [x, y, width, height] = thing.box, inBox = Boolean(args.box), byMargin = read("isByMargin")(thing);
    const middled = read("isMiddled")(thing) || fn === "qr", share = read("shareOf")(thing);
    for (const handle of ["", ...(read("isRound")(thing) ? HANDLES.badge : HANDLES[fn] ?? (read("isLine")(thing) ? HANDLES.text : FRAME))]) {
      const [dx, dy] = [0, 0].map(() => random(4) && random(81) / 10 - 4), set = argumentsOf(thing, handle, dx, dy), words = [fn, handle, dx, dy, set];
      const [left, top, wide, high] = boxWith(thing, set), [right, bottom] = [left + wide, top + high];
      check(Object.keys(set).every(name => isNumber(thing, name) && Number.isFinite(set[name])), "only numbers are written", ...words);
      if (inBox || fn === "fill") { check(same(set, {}), "what stands in a box stays", ...words); continue; }
      if (!thing.call.macro) answer.changes.push([thing.template, thing.number, thing.index, set, [left, top, wide, high]]);
      const moves = { w: near(left, x + dx), e: near(right, x + width + dx), n: near(top, y + dy), s: near(bottom, y + height + dy) };
      const stays = { w: near(left, x), e: near(right, x + width), n: near(top, y), s: near(bottom, y + height) };
      if (!handle) check((set.x === undefined || moves.w && moves.e) && (set.y === undefined || moves.n && moves.s) && (byMargin
        || (!dx || (set.x !== undefined) === isNumber(thing, "x")) && (!dy || (set.y !== undefined) === isNumber(thing, "y"))), "it moves with the pointer", ...words);
      else if (middled) check(near(high - height, Math.max(dx, dy) * (fn === "qr" ? 1 : 2)) && near(wide / high, width / height)
        && (fn === "qr" ? stays.w && stays.n : near(left + right, 2 * x + width) && near(top + bottom, 2 * y + height)), "it grows about its middle", ...words);
      else if (byMargin) check(near(left - x, top - y) && near(x + width - right, left - x) && near(y + height - bottom, left - x)
        && (set.margin === 0 || [...handle].some(side => moves[side])), "all edges alike", ...words);
      else if (read("isLine")(thing) && handle === "n") check(near(high, Math.max(0.5, height - dy)) && near((made(thing) - top) * height, (made(thing) - y) * high, 0.2) && stays.w && stays.e, "letters grow from where they stand", ...words);
      else for (const side of handle) if ({ w: ["width", !share && "x"], e: ["width", share === 1 && "x"], n: ["height", "y"], s: ["height"] }[side].every(name => !name || isNumber(thing, name))) {
        const other = { w: "e", e: "w", n: "s", s: "n" }[side];
        check(moves[side], "the edge is below the pointer", side, ...words);
        check(share === 0.5 && "we".includes(side) ? near(left + right, 2 * x + width) : stays[other], "the other edge stays", side, ...words);
      }
    }
  }
  // turned and scaled: pointer and thing go together; the nearest line within reach draws an edge to it
  for (let round = 0; round < 200; round++) {
    const turn = pick([[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [2, 0, 0, 0.5], [0.6, 0.8, -0.8, 0.6]]), thing = { ...pick(things), matrix: matrixOf(...turn, random(60), random(60)) };
    const [dx, dy] = [random(200) / 10 - 10, random(200) / 10 - 10], own = corners(thing), by = toOwn(thing, dx, dy), [x, y, width, height] = thing.box;
    const moved = corners(thing, [x + by[0], y + by[1], width, height]);
    check(own.every(([left, top], n) => near(moved[n][0] - left, dx, 1e-6) && near(moved[n][1] - top, dy, 1e-6)), "pointer and thing go together", turn, dx, dy);
    const view = { things: things.slice(0, 3), shot, unit: 4 }, handle = pick(["", "", ...FRAME]), [tx, ty, guides] = snap(view, thing, handle, dx, dy);
    if (turn[1] && turn[0]) { check(tx === dx && ty === dy && !guides.length, "what lies askew is free"); continue; }
    [[tx, dx, "w", "e", 63.5], [ty, dy, "n", "s", 88.9]].forEach(([to, wish, before, after, length], axis) => {
      const [low, high] = span(own, axis), others = view.things.filter(each => each.template !== thing.template || each.number !== thing.number).filter(each => !read("isWith")(each, thing));
      const edges = handle ? [...(handle.includes(before) ? [low] : []), ...(handle.includes(after) ? [high] : [])] : [low, (low + high) / 2, high];
      const lines = [0, 3, length / 2, length - 3, length, ...others.flatMap(each => { const { box } = each; return [box[axis], box[axis] + box[axis + 2] / 2, box[axis] + box[axis + 2]]; })];
      const off = Math.min(...edges.flatMap(edge => lines.map(line => Math.abs(line - edge - wish)))), reach = SNAP_PX / view.unit;
      if (Math.abs(off - reach) < 1e-6) return;
      check(off < reach ? near(Math.abs(to - wish), off, 1e-6) && edges.some(edge => near(edge + to, guides[axis], 1e-6)) && lines.some(line => near(line, guides[axis], 1e-6))
        : guides[axis] === undefined && near(to, wish, 0.051) && near(to * 10, Math.round(to * 10), 1e-6), "to the nearest line, or in steps", handle, axis, to, wish, guides[axis], off);
    });
  }
  // with the pointer and by keys: one change is written when it is let go, and none if it is broken off
  const view = { number: 1, unit: 4, shot, piece: { id: "orc", cells: {} }, side: "front", layer, things, nudge: null, drawn: given.drawn };
  read("each => { layout.view = each; }")(view);
  read("listen")(layer);
  const at = ([x, y], more = {}) => ({ clientX: 20 + (x + REACH_MM) * 4, clientY: 10 + (y + REACH_MM) * 4, pointerId: 1, target: {}, preventDefault() {}, stopPropagation() {}, ...more });
  const area = ({ box: [, , width, height] }) => width * height;
  const inside = ([x, y]) => things.filter(({ box: [left, top, width, height] }) => x > left && x < left + width && y > top && y < top + height).sort((one, other) => area(one) - area(other) || Number(one.call.macro) - Number(other.call.macro));
  for (let round = 0; round < 200; round++) {
    const point = [random(63) + 0.43, random(88) + 0.43], hits = inside(point), edges = things.some(({ box: [left, top, width, height] }) =>
      [[point[0], left, width], [point[1], top, height]].some(([to, from, long]) => Math.min(Math.abs(to - from), Math.abs(to - from - long)) < 0.35));
    if (edges) continue;
    read("layout").pick = null;
    const end = pick(["pointerup", "pointerup", "pointercancel"]), by = pick([[0, 0], [0.5, 0], [3.3, -2.1], [-7, 4]]), far = Math.hypot(...by) * 4 >= 3;
    mayAct = random(5) > 0;
    posted.length = 0;
    heard.pointerdown(at(point));
    const taken = read("chosen()");
    check(taken === hits[0], "the smallest below the pointer is taken", point);
    check(page.isHeld === (mayAct && hits.length > 0), "what comes meanwhile waits");
    heard.pointermove(at([point[0] + by[0], point[1] + by[1]], { ctrlKey: true }));
    heard[end](at(point));
    const set = taken ? argumentsOf(taken, "", ...by) : {};
    check(!page.isHeld && same(posted, mayAct && end === "pointerup" && far && Object.keys(set).length ? [["/api/layout", { template: taken.template, digest: taken.digest,
      call: taken.number, do: "set", values: set }]] : []), "written when it is let go", end, by, posted);
    if (mayAct && end === "pointerup" && far && taken && !Object.keys(set).length) check(said.pop() === (taken.call.args.box ? "in_box" : "place_computed"), "why it stays", said);
    posted.length = 0;
    if (hits.length > 1 && mayAct) {
      for (const next of [hits[1], ...hits.slice(2), hits[0]]) {
        heard.pointerdown(at(point));
        heard.pointerup(at(point));
        check(read("chosen()") === next && !posted.length, "a click on the same place takes what lies below");
      }
    }
    if (!hits.length) continue;
    timers.length = 0;
    const thing = read("chosen()"), sum = [0, 0], key = more => heard.keydown({ preventDefault() {}, stopPropagation() {}, ...more });
    for (let step = 0; step < 4; step++) {
      const name = pick(Object.keys(NUDGES)), how = pick([{}, { shiftKey: true }, { altKey: true }, { ctrlKey: true }]), far = how.shiftKey ? 5 : how.altKey ? 0.1 : how.ctrlKey ? 0 : 0.5;
      key({ key: name, ...how });
      sum[name.endsWith("Left") || name.endsWith("Right") ? 0 : 1] += name.endsWith("Left") || name.endsWith("Up") ? -far : far;
    }
    timers.forEach(act => act());
    const wanted = argumentsOf(thing, "", ...sum);
    check(posted.length === (mayAct && Object.keys(wanted).length ? 1 : 0) && posted.every(([, each]) => same(each.values, wanted)), "keys add up to one change", sum, wanted, posted);
    posted.length = 0;
    key({ key: pick(["Delete", "Backspace"]) });
    check(same(posted.map(([, each]) => [each.do, each.call, each.template]), mayAct ? [["delete", thing.number, thing.template]] : []), "deleted by who may");
    key({ key: "Escape" });
    check(read("chosen()") === undefined, "Escape lets go");
    view.nudge = null;
  }
  mayAct = true;
  page.look.number = 2;
  heard.pointerdown(at([1, 1]));
  heard.pointerup(at([1, 1]));
  check(same(reopened, [["orc", false]]), "what came meanwhile is shown");
}

// A grid over a sheet of cards: what is dragged stays below the pointer, what is drawn is what the command is told.
function grid() {
  const sizes = { poker: [63.5, 88.9], mini: [44, 68] }, names = ["columns", "rows", "width", "height", "gap", "gap_down", "left", "top"], marks = {};
  const rect = name => marks[name] ??= { setAttribute(key, value) { this[key] = value; }, getBoundingClientRect: () => ({ width: 400 }), addEventListener() {} };
  const form = { ...rect("form"), elements: Object.fromEntries([...names, "name", "backs"].map(name => [name, { value: name === "name" ? "deck" : "" }])) };
  const corners = [0, 1, 2, 3].map(n => rect(`corner${n}`)), read = load({ $: name => name === "#new" ? form : rect(name), all: name => name === "path" ? [rect("path")] : corners,
    fetch: () => new Promise(() => {}), state: {} });
  const near = (one, other, by = 1e-6) => Math.abs(one - other) <= by, set = read("(one, other) => { sheet = one; grid = other; isTouched = false; }");
  for (let round = 0; round < 200; round++) {
    const sheet = { sizes, has_scale: random(4) > 0, sides: [150 + random(200), 150 + random(200)], others: [[1, 2, 31, 52]], is_sure: true, source: "s.pdf" };
    const size = pick([[20 + random(50), 20.5 + random(50)], [63.5, 88.9], [68, 44]]), [columns, rows] = [1 + random(4), 1 + random(4)];
    const one = { columns, rows, width: size[0], height: size[1], gap: 2 * random(2), gap_down: 3 * random(2), left: random(20), top: random(20) };
    set(sheet, one);
    const ends = ({ left, top, width, height, gap, gap_down }) => [[left, left + columns * (width + gap) - gap], [top, top + rows * (height + gap_down) - gap_down]];
    const corner = random(4), by = [random(300) / 10 - 15, random(300) / 10 - 15], got = { ...one, ...read("resize")(one, corner, by) }, words = [one, corner, by, got];
    const caught = Object.values(sizes).some(([a, b]) => same([a, b], [got.width, got.height]) || same([b, a], [got.width, got.height]));
    [[corner % 2, columns, got.width], [corner >> 1, rows, got.height]].forEach(([isFar, number, length], axis) => {
      const [before, after] = [ends(one)[axis], ends(got)[axis]], to = isFar ? before[1] + by[axis] : Math.max(0, before[0] + by[axis]);
      const least = ((isFar ? to - before[0] : before[1] - to) + [one.gap, one.gap_down][axis]) / number - [one.gap, one.gap_down][axis];
      check(length === 5 ? least < 5.06 : length > 5 && near(after[isFar], to, number * (caught ? 0.46 : 0.051)), "the corner is below the pointer", axis, ...words);
      check(near(after[1 - isFar], before[1 - isFar]) || !isFar && after[0] === 0, "the other corner stays", axis, ...words);
    });
    const moved = read("move")(one, by);
    check(near(moved.left, Math.max(0, one.left + by[0]), 0.051) && near(moved.top, Math.max(0, one.top + by[1]), 0.051), "it moves with the pointer", ...words, moved);
    read("take")({});
    check(rect("path").d.endsWith("M1 2h30v50h-30z") && !rect("#command").textContent.includes("--grid"), "a grid that is found stays, with other cards");
    read("take")(moved);
    const now = { ...one, ...moved }, boxes = [...rect("path").d.matchAll(/M(\S+) (\S+)h(\S+)v(\S+)h-\S+z/g)].map(found => found.slice(1).map(Number)), [[left, right], [top, low]] = ends(now);
    check(boxes.length === columns * rows && boxes.every(([x, y, w, h], n) => w === now.width && h === now.height && near(x, left + n % columns * (w + now.gap))
      && near(y, top + Math.floor(n / columns) * (h + now.gap_down))), "each card", now, boxes);
    corners.forEach((each, n) => check(near(each.x + each.width / 2, n % 2 ? right : left) && near(each.y + each.height / 2, n > 1 ? low : top) && each.width === each.height, "handles"));
    check(near(rect(".grab").x, left) && near(rect(".grab").x + rect(".grab").width, right) && near(rect(".grab").y + rect(".grab").height, low), "all of it is held");
    const [wide, high] = rect("#over").viewBox.split(" ").slice(2).map(Number);
    check(sheet.has_scale ? same([wide, high], sheet.sides) : near(wide, right) && near(high / wide, sheet.sides[1] / sheet.sides[0]), "the sheet");
    check(names.every(name => form.elements[name].value === now[name]), "the fields show it");
    const gaps = [columns > 1 && now.gap, rows > 1 && now.gap_down].filter(each => each !== false), known = now.width <= now.height && Object.keys(sizes).find(name => same(sizes[name], [now.width, now.height]));
    check(rect("#command").textContent === `ppgen new deck --from s.pdf --grid ${columns}x${rows} --size ${known || `${now.width}x${now.height}mm`} --gap ${[...new Set(gaps)].join("x") || 0}mm --margin ${left}x${top}mm`, "the command", rect("#command").textContent);
    const first = read("guess")(), [[from, to], [upper, lower]] = [[first.left, first.left + first.columns * first.width], [first.top, first.top + first.rows * first.height]];
    check(sheet.has_scale ? near(from + to, Math.max(sheet.sides[0], to - from)) && near(upper + lower, Math.max(sheet.sides[1], lower - upper)) && to - from + 63.5 > sheet.sides[0] && lower - upper + 88.9 > sheet.sides[1]
      && (first.columns === 1 || to <= sheet.sides[0]) && (first.rows === 1 || lower <= sheet.sides[1]) : first.columns === 3 && !from && !first.gap, "as many as there is room for, in the middle", first, sheet.sides);
  }
}

const laws = { cards, board, store, worker, site, tables, table, layout, grid };
await laws[law]();
process.stdout.write(JSON.stringify({ broken: [...broken], ...answer }), () => process.exit(0));
