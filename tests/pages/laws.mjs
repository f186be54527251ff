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

// Pieces on a table: the one that is drawn below the pointer is taken, piles stay together, and a damaged game is refused.
function table() {
  const kinds = [[44, 68], [22, 22], [10, 50]].map(([w, h], n) => ({ id: `k${n}`, w, h, title: "", told: "", back: 0, faces: [] }));
  const data = { id: "x", words: {}, kinds, pictures: [], learn: [], tools: [], links: [], more: [], setups: { 3: { pieces: [], rows: [] } } };
  const read = load({ document: { styleSheets: [anything], querySelectorAll: () => [], addEventListener() {}, body: anything,
    createElement: () => anything, documentElement: anything,
    getElementById: id => id === "data" ? { textContent: JSON.stringify(data), remove() {} } : anything }, innerWidth: 800, innerHeight: 600 });
  for (let round = 0; round < 300; round++) {
    const pieces = Array.from({ length: 6 }, () => ({ kind: random(3), x: random(100), y: random(100), turn: 90 * random(4), up: true, hand: -1,
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
    const odd = pick([{ kind: 3 }, { kind: -3 }, { kind: 0.5 }, { x: "1" }, { y: null }, { turn: undefined }, { hand: "0" }, { value: {} }]);
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

const laws = { cards, board, store, worker, site, tables, table };
await laws[law]();
process.stdout.write(JSON.stringify({ broken: [...broken], ...answer }), () => process.exit(0));
