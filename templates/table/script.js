"use strict";
// The table. A state is a list of pieces in the order in which they lie on each other, and the seed of what is random:
// the same seed and the same acts give the same table. A piece is {kind, x, y, turn, up, hand, fixed, value}; kind -1 is
// a die of six sides, -2 a counter; hand is the seat whose player alone sees it, else -1.
const data = JSON.parse(document.getElementById("data").textContent), { words, kinds } = data;
const byId = id => document.getElementById(id), table = byId("table"), world = byId("world");
const DIE = -1, COUNTER = -2, SIDES = 6, SNAP = 7, STEPS = 200, MOST = 5000, LONG_PRESS = 420, AREA = 20, NOTE = 1000, ABREAST = 5.4;
const store = `ppgen-table/${data.id}`;
let state, past = [], nodes = [], marks = [], pick = -1, seat = 0, view = { x: 20, y: 80, k: 1 };

const sheet = document.styleSheets[0];
data.pictures.forEach((picture, n) => {
  const bytes = Uint8Array.from(atob(picture), sign => sign.charCodeAt(0));
  sheet.insertRule(`.f${n}{background-image:url(${URL.createObjectURL(new Blob([bytes], { type: "image/webp" }))})}`,
    sheet.cssRules.length);
});
data.pictures = [];
byId("data").remove();

const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (whole, name) => values[name]);
const join = facts => facts.reduce((first, last) => say("join", { first, last }));
const tell = text => { byId("said").textContent = text; };
const kindOf = piece => piece.kind >= 0 ? kinds[piece.kind] : { w: 14, h: 14, title: say(piece.kind === DIE ? "die" : "counter"), told: [],
  back: null, faces: [] };
const isHidden = piece => piece.hand >= 0 && piece.hand !== seat;
const isDie = piece => piece.kind === DIE || kindOf(piece).faces.length > 0;
const isUp = piece => kindOf(piece).back === null || (piece.up && !isHidden(piece));
const setUp = () => data.setups[state.players];

// ---- chance ----

function random() { // mulberry32
  let t = state.seed = (state.seed + 0x6D2B79F5) | 0;
  t = Math.imul(t ^ t >>> 15, t | 1);
  t ^= t + Math.imul(t ^ t >>> 7, t | 61);
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
}

function mix(values) {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [values[i], values[j]] = [values[j], values[i]];
  }
  return values;
}

// ---- states ----

const copy = each => ({ ...each, notes: { ...each.notes }, pieces: each.pieces.map(piece => ({ ...piece })) });

function layOut(players, seed) {
  state = { seed, players, pieces: [], notes: state ? state.notes : {} }; // what was noted outlasts a game
  const groups = new Map();
  state.pieces = setUp().pieces.map(([kind, x, y, up, group, hand, fixed], n) => {
    if (group) groups.set(group, [...groups.get(group) || [], n]);
    return { kind, x, y, turn: 0, up, hand, fixed, value: 1 };
  });
  for (const places of groups.values()) {
    const mixed = mix(places.map(n => state.pieces[n].kind));
    places.forEach((n, i) => { state.pieces[n].kind = mixed[i]; });
  }
}

function begin(players, seed) {
  layOut(players, seed);
  past = [];
  pick = -1;
  seat = Math.min(seat, players - 1);
  render();
  fit();
  keep();
  tell(say("seed", { seed }));
}

const newSeed = () => Math.floor(Math.random() * 1e6);
const keep = () => { try { localStorage.setItem(store, JSON.stringify(state)); } catch { /* the page forgets */ } };

function change(deed) {
  past.push(copy(state));
  if (past.length > STEPS) past.shift();
  deed();
  render();
  keep();
}

const isNumber = value => typeof value === "number" && Number.isFinite(value);
const isSound = each => Boolean(each) && Number.isInteger(each.seed) && data.setups[each.players] !== undefined
  && Array.isArray(each.pieces) && each.pieces.length < MOST && each.pieces.every(piece => piece
    && Number.isInteger(piece.kind) && piece.kind >= COUNTER && piece.kind < kinds.length
    && [piece.x, piece.y, piece.turn, piece.hand, piece.value].every(isNumber))
  && Object.values(each.notes || {}).every(words => typeof words === "string" && words.length <= NOTE);
const sound = each => ({ seed: each.seed, players: each.players, notes: Object.fromEntries(
  Object.entries(each.notes || {}).filter(([id]) => kinds.some(kind => kind.id === id))), pieces: each.pieces.map(({ kind, x, y, turn, up, hand, fixed,
  value }) => ({ kind, x, y, turn, up: Boolean(up), hand, fixed: Boolean(fixed), value: Math.trunc(value) })) });

// ---- piles ----

const sameSize = (one, other) => kindOf(one).w === kindOf(other).w && kindOf(one).h === kindOf(other).h;

function pileOf(n) {
  const { pieces } = state, top = pieces[n];
  return top.fixed ? [n] : pieces.map((piece, i) => !piece.fixed && piece.x === top.x && piece.y === top.y
    && sameSize(piece, top) ? i : -1).filter(i => i >= 0);
}

// The uppermost piece of each pile, from above to below and from left to right.
function tops() {
  const found = new Map();
  state.pieces.forEach((piece, n) => { if (!piece.fixed) found.set(`${piece.x} ${piece.y} ${kindOf(piece).w}`, n); });
  return [...found.values()].sort((a, b) => state.pieces[a].y - state.pieces[b].y || state.pieces[a].x - state.pieces[b].x);
}

// Put pieces on top of all others; return their new numbers.
function lift(numbers) {
  const moved = numbers.map(n => state.pieces[n]), chosen = state.pieces[pick];
  state.pieces = [...state.pieces.filter(piece => !moved.includes(piece)), ...moved];
  pick = state.pieces.indexOf(chosen);
  return moved.map(piece => state.pieces.indexOf(piece));
}

const holds = ([x, y, w, h], piece) => {
  const { w: wide, h: high } = kindOf(piece), middle = [piece.x + wide / 2, piece.y + high / 2];
  return middle[0] > x && middle[0] < x + w && middle[1] > y && middle[1] < y + h;
};

// Pieces that come to rest join a pile nearby, and belong to the seat in which they lie.
function settle(numbers) {
  const own = new Set(numbers), top = state.pieces[numbers[0]];
  const near = state.pieces.find((piece, n) => !own.has(n) && !piece.fixed && piece.kind >= 0 && sameSize(piece, top)
    && Math.min(kindOf(top).w, kindOf(top).h) > AREA && Math.hypot(piece.x - top.x, piece.y - top.y) < SNAP);
  for (const n of numbers) {
    const piece = state.pieces[n], before = piece.hand;
    if (near) Object.assign(piece, { x: near.x, y: near.y });
    piece.hand = kindOf(piece).back === null ? -1 : setUp().seats.findIndex(room => holds(room, piece));
    if (piece.hand >= 0 && before < 0) piece.up = true;
  }
}

// Where a piece lies, in a row of the game, whose ends matter, or at a seat, and what lies on it: what a look at the table shows.
function surroundings(n) {
  const piece = state.pieces[n], { w, h } = kindOf(piece), row = setUp().rows.indexOf(piece.y);
  const beside = state.pieces.filter((other, i) => i !== n && other.y === piece.y && sameSize(other, piece)).map(({ x }) => x - piece.x);
  const isEnd = beside.every(by => by > 0) || beside.every(by => by < 0);
  const above = state.pieces.filter((other, i) => i > n && !sameSize(other, piece) && holds([piece.x, piece.y, w, h], other))
    .map(other => isUp(other) ? kindOf(other).title : kindOf(other).part);
  const at = setUp().seats.findIndex(room => holds(room, piece));
  return [row >= 0 && say(isEnd ? "row_end" : "row", { n: row + 1 }), at >= 0 && say("seat", { n: at + 1 }), above.length && say("with", { pieces: join(above) })];
}

function titleOf(n) {
  const piece = state.pieces[n], kind = kindOf(piece), count = pileOf(n).length;
  const title = isUp(piece) ? kind.title + (piece.kind < 0 || kind.faces.length ? ` ${piece.value}` : "")
    : say("covered", { part: kind.part });
  const whole = join([count > 1 ? say("pile", { title, count }) : title, ...(isUp(piece) ? kind.told : []), ...surroundings(n).filter(Boolean)]);
  return isUp(piece) && state.notes[kind.id] ? `${whole}: ${state.notes[kind.id]}` : whole;
}

// ---- drawing ----

function put(n) {
  const piece = state.pieces[n], kind = kindOf(piece), node = nodes[n];
  const face = kind.faces.length ? kind.faces[piece.value - 1] : isUp(piece) ? kind.front : kind.back;
  const look = ["piece", piece.kind >= 0 && `f${face}`, kind.cut && "cut", piece.fixed && "fixed", piece.kind === DIE && "die",
    piece.kind === COUNTER && "counter", isUp(piece) && state.notes[kind.id] && "noted", n === pick && "pick"].filter(Boolean).join(" ");
  if (node.className !== look) node.className = look;
  node.style.transform = `translate(${piece.x}px,${piece.y}px) rotate(${piece.turn}deg)`;
  node.textContent = piece.kind < 0 ? piece.value : "";
}

function mark(name, x, y, text) {
  const node = document.createElement(name === "badge" ? "span" : "div");
  node.className = name;
  node.textContent = text;
  node.style.transform = `translate(${x}px,${y}px)`;
  return node;
}

function render() {
  while (nodes.length > state.pieces.length) nodes.pop().remove();
  while (nodes.length < state.pieces.length) nodes.push(world.appendChild(document.createElement("div")));
  state.pieces.forEach((piece, n) => {
    const { w, h } = kindOf(piece), { style } = nodes[n];
    style.width = `${w}px`;
    style.height = `${h}px`;
    style.zIndex = piece.fixed ? 0 : n + 1;
    put(n);
  });
  for (const node of marks) node.remove();
  const rooms = setUp().seats.map(([x, y, w, h], n) => {
    const node = mark(`seat${n === seat ? " mine" : ""}`, x, y, say("seat", { n: n + 1 }));
    node.style.width = `${w}px`;
    node.style.height = `${h}px`;
    return node;
  });
  const counts = tops().map(n => [state.pieces[n], pileOf(n).length]).filter(([, count]) => count > 1);
  marks = [...rooms, ...counts.map(([piece, count]) => mark("badge", piece.x - 2, piece.y - 4, count))];
  world.prepend(...marks);
  byId("undo").disabled = !past.length;
  byId("seat").textContent = say("seat", { n: seat + 1 });
  byId("players").value = state.players;
  list();
}

function list() {
  const box = byId("list");
  if (box.hidden) return;
  box.replaceChildren(...tops().map(n => {
    const button = document.createElement("button");
    button.textContent = titleOf(n);
    button.addEventListener("click", () => { select(n); table.focus(); });
    return button;
  }));
}

function extent() {
  const corners = [...setUp().pieces.map(([kind, x, y]) => [x + kinds[kind].w, y + kinds[kind].h]),
    ...setUp().seats.map(([x, y, w, h]) => [x + w, y + h])];
  return [Math.max(1, ...corners.map(([x]) => x)), Math.max(1, ...corners.map(([, y]) => y))];
}

const whole = () => look([0, 0, ...extent()]);

// All of the table; on a screen that is higher than wide the left ends of the rows, large enough to read the cards, or the board.
function fit() {
  const { pieces, rows } = setUp(), board = pieces.find(([, , , , , , fixed]) => fixed);
  const card = pieces.find(([kind, , y]) => y === rows[0] && kinds[kind].h > AREA);
  if (innerHeight < innerWidth || !(card || board)) return whole();
  if (!card) return look([board[1], 0, kinds[board[0]].w, extent()[1]]);
  const [w, h] = [kinds[card[0]].w, kinds[card[0]].h];
  return look([0, 0, w * ABREAST, h * (rows.length + 1)]);
}

// Show a part of the table and what lies around it, above the steps if they are open. Nothing is shown beyond the table's
// edges as long as the table fills the window.
function look([x, y, w, h], most = 8, around = 0) {
  const top = document.querySelector("header").offsetHeight + 10, below = byId("learning").hidden ? 36 : byId("learning").offsetHeight + 30;
  const k = Math.min((innerWidth - 12) / (w + 2 * around), Math.max(60, innerHeight - top - below) / (h + 2 * around), most);
  const left = 6 - Math.min(0, x) * k, right = innerWidth - 6 - Math.max(extent()[0], x + w) * k;
  const centred = (innerWidth - w * k) / 2 - x * k;
  view = { k, x: right > left ? (left + right) / 2 : Math.max(right, Math.min(left, centred)), y: top - Math.max(Math.min(0, y), y - around) * k };
  byId("list").style.top = `${top - 10}px`;
  pan();
}

const pan = () => {
  world.style.transform = `translate(${view.x}px,${view.y}px) scale(${view.k})`;
  world.style.setProperty("--pixel", `${1 / view.k}px`); // frames around pieces to look at are as wide in any view
};

function zoom([x, y], by) {
  const k = Math.max(0.1, Math.min(8, view.k * by)), share = k / view.k;
  view = { k, x: x - (x - view.x) * share, y: y - (y - view.y) * share };
  pan();
}

function select(n) {
  const before = pick;
  pick = n;
  if (nodes[before] && state.pieces[before]) put(before);
  if (n < 0) return;
  put(n);
  tell(titleOf(n));
}

// ---- pointers ----

const onTable = event => [(event.clientX - view.x) / view.k, (event.clientY - view.y) / view.k];

function under([x, y]) {
  for (let n = state.pieces.length - 1; n >= 0; n--) {
    const piece = state.pieces[n], { w, h } = kindOf(piece), lies = piece.turn % 180 !== 0;
    if (!piece.fixed && Math.abs(x - piece.x - w / 2) <= (lies ? h : w) / 2 && Math.abs(y - piece.y - h / 2) <= (lies ? w : h) / 2)
      return n;
  }
  return -1;
}

const fingers = new Map();
let held = null, pinch = null, frame = 0, latest = null;
const spread = () => {
  const [[ax, ay], [bx, by]] = [...fingers.values()];
  return { wide: Math.hypot(ax - bx, ay - by), middle: [(ax + bx) / 2, (ay + by) / 2] };
};

table.addEventListener("pointerdown", event => {
  table.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  table.focus({ preventScroll: true });
  if (fingers.size === 2) {
    if (held) clearTimeout(held.timer);
    if (held && held.isMoved && held.n >= 0) act.undo();
    held = null;
    pinch = spread();
    return;
  }
  const start = onTable(event), n = under(start);
  select(n);
  held = { n, start, from: [event.clientX, event.clientY], view: { ...view }, isWhole: event.shiftKey || event.button === 2,
    isMoved: false };
  if (n >= 0) held.timer = setTimeout(() => { held.isWhole = true; for (const i of pileOf(pick)) nodes[i].classList.add("held"); },
    LONG_PRESS);
});

table.addEventListener("pointermove", event => {
  if (!fingers.has(event.pointerId)) return;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (pinch && fingers.size === 2) {
    const now = spread();
    view.x += now.middle[0] - pinch.middle[0];
    view.y += now.middle[1] - pinch.middle[1];
    zoom(now.middle, now.wide / pinch.wide);
    pinch = now;
    return;
  }
  latest = event;
  frame = frame || requestAnimationFrame(() => { frame = 0; drag(latest); });
});

function drag(event) {
  if (!held) return;
  const [dx, dy] = [event.clientX - held.from[0], event.clientY - held.from[1]];
  if (!held.isMoved && Math.hypot(dx, dy) < 5) return;
  if (held.n < 0) {
    held.isMoved = true;
    view = { ...view, x: held.view.x + dx, y: held.view.y + dy };
    pan();
    return;
  }
  if (!held.isMoved) {
    clearTimeout(held.timer);
    held.isMoved = true;
    past.push(copy(state));
    held.numbers = lift(held.isWhole ? pileOf(held.n) : [held.n]);
    held.base = held.numbers.map(n => [state.pieces[n].x, state.pieces[n].y]);
    render();
  }
  const [x, y] = onTable(event);
  held.numbers.forEach((n, i) => {
    Object.assign(state.pieces[n], { x: held.base[i][0] + x - held.start[0], y: held.base[i][1] + y - held.start[1] });
    put(n);
  });
}

function release(event) {
  fingers.delete(event.pointerId);
  if (fingers.size < 2) pinch = null;
  if (!held) return;
  clearTimeout(held.timer);
  if (held.isMoved && held.n >= 0) {
    drag(event);
    settle(held.numbers);
    render();
    keep();
    tell(titleOf(pick));
  } else if (held.n >= 0) render();
  held = null;
}

table.addEventListener("pointerup", release);
table.addEventListener("pointercancel", release);
table.addEventListener("contextmenu", event => event.preventDefault());
table.addEventListener("dblclick", event => {
  const n = under(onTable(event));
  if (n >= 0) {
    select(n);
    act.flip();
  }
});
table.addEventListener("wheel", event => {
  event.preventDefault();
  zoom([event.clientX, event.clientY], Math.exp(-event.deltaY / 400));
}, { passive: false });

// ---- acts ----

const number = (id, most) => Math.max(1, Math.min(most, Math.trunc(Number(byId(id).value)) || 1));

function add(kind, value) {
  change(() => state.pieces.push({ kind, x: (innerWidth / 2 - view.x) / view.k - 7, y: (innerHeight / 2 - view.y) / view.k - 7,
    turn: 0, up: true, hand: -1, fixed: false, value }));
  select(state.pieces.length - 1);
}

const act = {
  flip() {
    if (pick < 0) return;
    change(() => {
      const piece = state.pieces[pick];
      if (isDie(piece)) piece.value = 1 + Math.floor(random() * SIDES);
      else if (piece.kind === COUNTER) piece.value++;
      else if (kindOf(piece).back !== null) piece.up = !piece.up;
    });
    if (isDie(state.pieces[pick])) nodes[pick].classList.add("rolled");
    tell(titleOf(pick));
  },
  less() {
    if (pick >= 0 && state.pieces[pick].kind === COUNTER) change(() => { state.pieces[pick].value--; });
  },
  turn() {
    if (pick >= 0) change(() => { state.pieces[pick].turn = (state.pieces[pick].turn + 90) % 360; });
  },
  shuffle() {
    if (pick < 0) return;
    const numbers = pileOf(pick);
    change(() => {
      const mixed = mix(numbers.map(n => state.pieces[n]));
      numbers.forEach((n, i) => { state.pieces[n] = mixed[i]; });
      pick = numbers[numbers.length - 1];
    });
    tell(say("shuffled", { count: numbers.length }));
  },
  deal() {
    if (pick < 0) return;
    const each = number("each", 60), rooms = setUp().seats;
    change(() => {
      const pile = pileOf(pick).map(n => state.pieces[n]);
      for (let k = 0; k < each; k++) for (const [n, [x, y, w]] of rooms.entries()) {
        const piece = pile.pop();
        if (!piece) continue;
        const step = Math.min(kindOf(piece).w + 1, (w - 6 - kindOf(piece).w) / Math.max(1, each - 1));
        Object.assign(piece, { x: x + 3 + k * step, y: y + 10, hand: kindOf(piece).back === null ? -1 : n, up: true });
        state.pieces = [...state.pieces.filter(other => other !== piece), piece];
      }
      pick = -1;
    });
    tell(say("dealt", { count: each, players: rooms.length }));
  },
  spread() {
    if (pick < 0) return;
    const numbers = pileOf(pick);
    change(() => numbers.forEach((n, i) => { state.pieces[n].x += i * kindOf(state.pieces[n]).w * 0.5; }));
  },
  note() {
    if (pick < 0 || state.pieces[pick].kind < 0) return;
    if (!isUp(state.pieces[pick])) return void tell(titleOf(pick));
    byId("note-title").textContent = kindOf(state.pieces[pick]).title;
    const { id } = kindOf(state.pieces[pick]);
    byId("noting").dataset.id = id; // another piece may be picked when the dialog says that it was closed
    byId("words").value = state.notes[id] || "";
    byId("noting").returnValue = "";
    byId("noting").showModal();
  },
  roll() { add(DIE, 1 + Math.floor(random() * SIDES)); },
  counter() { add(COUNTER, 0); },
  seat() {
    seat = (seat + 1) % state.players;
    render();
    tell(say("seat_next", { n: seat + 1 }));
  },
  undo() {
    if (!past.length) return;
    state = past.pop();
    pick = -1;
    seat = Math.min(seat, state.players - 1);
    render();
    keep();
    tell(say("undone"));
  },
  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(state)], { type: "application/json" }));
    link.download = `${data.id}-table.json`;
    link.click();
  },
  load() { byId("file").click(); },
  begin() { begin(state.players, newSeed()); },
  whole,
  list() {
    const box = byId("list");
    box.hidden = !box.hidden;
    byId("list-button").setAttribute("aria-expanded", String(!box.hidden));
    list();
  },
};

const KEYS = { n: "note", f: "flip", r: "turn", s: "shuffle", d: "deal", w: "spread", u: "undo", p: "seat", l: "list", "-": "less", 0: "whole" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

table.addEventListener("keydown", event => {
  const [by, isCommand] = [ARROWS[event.key], event.ctrlKey || event.metaKey];
  if (event.key === "Tab") {
    const order = tops(), n = order.indexOf(pick) + (event.shiftKey ? -1 : 1);
    if (order[n] === undefined) return; // leave the table
    select(order[n]);
  } else if (by && pick >= 0) {
    const far = event.altKey ? 1 : 10;
    change(() => {
      const numbers = lift(event.shiftKey ? pileOf(pick) : [pick]);
      for (const n of numbers) Object.assign(state.pieces[n], { x: state.pieces[n].x + by[0] * far, y: state.pieces[n].y + by[1] * far });
    });
  } else if (event.key === "Enter" && pick >= 0) {
    const numbers = pileOf(pick);
    change(() => settle(numbers));
    tell(titleOf(pick));
  } else if (isCommand && event.key === "z") act.undo();
  else if (!isCommand && KEYS[event.key.toLowerCase()]) act[KEYS[event.key.toLowerCase()]]();
  else return;
  event.preventDefault();
});

// ---- the bar ----

function tool(id, key = "") {
  const button = document.createElement("button");
  button.id = id === "list" ? "list-button" : id;
  button.textContent = id === "seat" ? "" : words[id];
  if (key) {
    button.title = key.toUpperCase();
    button.setAttribute("aria-keyshortcuts", key);
  }
  if (id === "list") button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    act[id]();
    openMore(false);
    table.focus({ preventScroll: true });
  });
  return button;
}

function field(id, node) {
  const label = document.createElement("label");
  node.id = id;
  label.append(words[id], node);
  return label;
}

function bar() {
  const each = Object.assign(document.createElement("input"), { type: "number", min: 1, max: 60, value: data.each });
  const players = document.createElement("select");
  for (const count of Object.keys(data.setups)) players.append(new Option(count, count));
  players.addEventListener("change", () => begin(Number(players.value), newSeed()));
  const file = Object.assign(document.createElement("input"), { type: "file", accept: ".json", hidden: true, id: "file" });
  file.addEventListener("change", async () => {
    try {
      const loaded = JSON.parse(await file.files[0].text());
      if (!isSound(loaded)) throw new Error(words.wrong);
      change(() => { state = sound(loaded); pick = -1; seat = 0; });
    } catch {
      tell(say("wrong"));
    }
    file.value = "";
  });
  const make = name => [tool(name, Object.keys(KEYS).find(key => KEYS[key] === name) || ""), ...name === "deal" ? [field("each", each)] : []];
  if (data.learn.length) {
    const learn = Object.assign(document.createElement("button"), { id: "learn", textContent: words.learn });
    learn.addEventListener("click", openWalk);
    byId("acts").append(learn);
  }
  const more = Object.assign(document.createElement("button"), { id: "more-button", textContent: words.more });
  more.setAttribute("aria-expanded", "false");
  more.setAttribute("aria-controls", "more");
  more.addEventListener("click", () => openMore(byId("more").hidden));
  byId("acts").append(...data.tools.flatMap(make), ...["seat", "undo", "list"].flatMap(make), more);
  const links = data.links.map(([textContent, href]) => Object.assign(document.createElement("a"), { textContent, href }));
  byId("more").append(tool("whole", "0"), field("players", players), ...["begin", "save", "load"].map(name => tool(name)), file,
    ...links, document.createElement("hr"), ...data.more.flatMap(make));
}

function openMore(isOpen) {
  byId("more").hidden = !isOpen;
  byId("more-button").setAttribute("aria-expanded", String(isOpen));
}

addEventListener("pointerdown", event => { if (!event.target.closest("header")) openMore(false); });
byId("acts").parentElement.addEventListener("keydown", event => {
  if (event.key !== "Escape" || byId("more").hidden) return;
  openMore(false);
  byId("more-button").focus();
});

byId("noting").addEventListener("close", () => {
  const { id } = byId("noting").dataset, words = byId("words").value.trim();
  if (byId("noting").returnValue === "keep" && words !== (state.notes[id] || "")) change(() => { if (words) state.notes[id] = words; else delete state.notes[id]; });
  table.focus({ preventScroll: true });
});

// ---- learn it here ----
// A walk lies over the reader's own table, which comes back when it ends: nothing is kept meanwhile. Each step is laid out
// from the start of the walk. Pieces keep their numbers, so that they move from place to place.

const LEARN_SEED = 197; // the steps of the shipped games name the pieces that this number deals
let walk = null;

const middle = piece => [piece.x + kindOf(piece).w / 2, piece.y + kindOf(piece).h / 2];

// The piece of these kinds that moves next: the top of a pile for a kind of many; else one in sight, of one's hand, that has
// not moved yet.
function nextOf(own, to, moved) {
  const rank = n => {
    const piece = state.pieces[n];
    return own.length > 1 ? !isUp(piece) && piece.hand < 0 : 4 * isUp(piece) + 2 * (piece.hand === 0) + !moved.includes(n);
  };
  const isThere = piece => to.seat >= 0 ? inSeat(piece, to.seat) : Boolean(to.at) && middle(piece).every((side, i) => Math.abs(side - to.at[i]) < 1);
  const able = state.pieces.flatMap((piece, n) => own.includes(piece.kind) && !isThere(piece) ? [n] : []);
  return able.reduce((best, n) => best < 0 || rank(n) >= rank(best) ? n : best, -1);
}

const inSeat = (piece, n) => Boolean(setUp().seats[n]) && holds(setUp().seats[n], piece);

function placeOf(piece, to, n) {
  const { w, h } = kindOf(piece), centred = ([x, y]) => [x - w / 2, y - h / 2];
  if (to.at) return centred(to.at);
  if (to.on) {
    const target = state.pieces.findLast((other, i) => i !== n && to.on.includes(other.kind));
    return target ? centred(middle(target)) : [piece.x, piece.y];
  }
  const [x, y, wide] = setUp().seats[to.seat] || setUp().seats[0], top = y + 10;
  const taken = state.pieces.filter((other, i) => i !== n && other.y < top + h && other.y + kindOf(other).h > top);
  let left = x + 3;
  for (const other of taken.sort((a, b) => a.x - b.x)) if (other.x < left + w && other.x + kindOf(other).w > left) left = other.x + kindOf(other).w + 1;
  return [left + w > x + wide ? x + wide - w - 3 : left, top];
}

// Lay out the table after a step; return the numbers of pieces to look at, and of all that have moved, the last one on top.
function play(last) {
  state = copy(walk.base);
  const moved = [];
  let lit = [];
  data.learn.slice(0, last + 1).forEach((step, at) => {
    const now = step.move.map(([own, to]) => {
      const n = nextOf(own, to, moved);
      if (n < 0) return n;
      const piece = state.pieces[n], [x, y] = placeOf(piece, to, n);
      Object.assign(piece, { x, y, up: true, hand: -1, fixed: false });
      if (moved.includes(n)) moved.splice(moved.indexOf(n), 1);
      moved.push(n);
      return n;
    }).filter(n => n >= 0);
    if (at === last) lit = [...now, ...state.pieces.flatMap((piece, n) => step.show.includes(piece.kind) ? [n] : [])];
  });
  const open = lit.filter(n => isUp(state.pieces[n]));
  return [open.length ? open : lit, moved];
}

function showStep(n) {
  walk.step = n;
  const [lit, moved] = play(n), step = data.learn[n], last = n === data.learn.length - 1;
  render();
  moved.forEach((one, i) => { nodes[one].style.zIndex = state.pieces.length + 1 + i; });
  nodes.forEach((node, i) => node.classList.toggle("lit", lit.includes(i)));
  byId("learn-step").textContent = say("learn_step", { n: n + 1, count: data.learn.length });
  byId("learn-text").textContent = step.text;
  byId("learn-next").textContent = say(last ? "learn_end" : "learn_next");
  byId("learn-back").disabled = n === 0;
  lookAtStep(lit);
}

function lookAtStep(lit) {
  walk.lit = lit;
  if (!lit.length) return whole();
  const boxes = lit.map(n => state.pieces[n]), AROUND = 24;
  const left = Math.min(...boxes.map(({ x }) => x)), top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(piece => piece.x + kindOf(piece).w)), bottom = Math.max(...boxes.map(piece => piece.y + kindOf(piece).h));
  return look([left, top, right - left, bottom - top], 3.4, AROUND);
}

function openWalk() {
  const own = { state, past, seat, pick, view };
  past = [];
  seat = 0;
  pick = -1;
  layOut(Number(Object.keys(data.setups)[0]), LEARN_SEED);
  walk = { own, base: copy(state), step: 0, lit: [] };
  byId("learning").hidden = false;
  table.inert = byId("acts").inert = byId("list").inert = true;
  openMore(false);
  tell("");
  showStep(0);
  requestAnimationFrame(() => world.classList.add("walking"));
  byId("learning").focus();
}

function closeWalk() {
  world.classList.remove("walking");
  for (const node of nodes) node.classList.remove("lit");
  ({ state, past, seat, pick, view } = walk.own);
  walk = null;
  byId("learning").hidden = true;
  table.inert = byId("acts").inert = byId("list").inert = false;
  render();
  pan();
  byId("learn").focus();
}

byId("learn-back").addEventListener("click", () => {
  showStep(walk.step - 1);
  if (walk.step === 0) byId("learn-next").focus();
});
byId("learn-next").addEventListener("click", () => { if (walk.step < data.learn.length - 1) showStep(walk.step + 1); else closeWalk(); });
byId("learn-close").addEventListener("click", () => closeWalk());
addEventListener("keydown", event => {
  if (!walk) return;
  if (event.key === "Escape") closeWalk();
  else if (event.key === "ArrowRight") byId("learn-next").click();
  else if (event.key === "ArrowLeft") byId("learn-back").click();
  else return;
  event.preventDefault();
});

function start() {
  bar();
  byId("words").maxLength = NOTE;
  let kept = null;
  try { kept = JSON.parse(localStorage.getItem(store)); } catch { /* nothing is kept */ }
  begin(Number(Object.keys(data.setups)[0]), newSeed());
  if (isSound(kept)) {
    state = sound(kept);
    render();
    fit();
    keep();
    tell(say("kept"));
  }
}

addEventListener("resize", () => { if (walk) lookAtStep(walk.lit); else fit(); });
start();
if (location.hash === "#learn" && data.learn.length) openWalk();
