// Layout by hand: boxes of the calls that drew a face, to drag. What is let go becomes numbers in the template.
"use strict";

const layout = { pick: null, view: null, timer: 0, fitTimer: 0, refocus: "", trace: "" };
const SVG_NS = "http://www.w3.org/2000/svg";
const SNAP_PX = 6;
const REACH_MM = 12; // of the layer beyond the face, for handles there
const FRAME = "n s e w nw ne sw se".split(" ");
const HANDLES = { text: ["e", "w", "n"], icon: ["se"], badge: ["se"], qr: ["se"], fill: [] };
const MIDDLED = new Set(["icon", "badge"]);
const ENDLESS = new Set(["panel", "image", "rows", "hexes"]); // without a width they end where the face does
const FITTED = new Set(["text", "paragraph", "rich", "badge"]);
const SHARES = { start: 0, middle: 0.5, end: 1 };
const NUDGES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FINE = new Set(["opacity", "leading", "spacing", "stroke_width"]);
const PLACES = new Set(["x", "y", "width", "height"]);
const COLOURS = new Set(["fill", "stroke", "accent", "colour", "ground"]);
const round = value => Math.round(value * 100) / 100;

function shape(tag, given = {}, ...inside) {
  const element = document.createElementNS(SVG_NS, tag);
  for (const [name, value] of Object.entries(given)) { element.setAttribute(name, value); }
  element.append(...inside);
  return element;
}

// Things: the calls that were made, with their boxes

const cornersOf = ([x, y, width, height]) => [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
const map = (matrix, points) => points.map(([x, y]) => { const at = new DOMPoint(x, y).matrixTransform(matrix); return [at.x, at.y]; });
const corners = (thing, box = thing.box) => map(thing.matrix, cornersOf(box));
const span = (points, axis) => [Math.min(...points.map(each => each[axis])), Math.max(...points.map(each => each[axis]))];
const isLevel = ({ matrix: { a, b, c, d } }) => (Math.abs(b) < 1e-6 && Math.abs(c) < 1e-6) || (Math.abs(a) < 1e-6 && Math.abs(d) < 1e-6);
const isSame = (one, other) => one && other && one.template === other.template && one.number === other.number;

// Each recorded call with its box, the matrix from its own mm to those of the face, and the call as it stands in the file.
function findThings(drawn, svg) {
  const toRoot = svg.getScreenCTM().inverse();
  const elements = new Map();
  for (const element of all("[data-src]", svg)) {
    const [, index] = /^(\d+)\|/.exec(element.dataset.src) ?? [];
    if (index && !element.closest("defs")) { elements.set(Number(index), element); }
  }
  const things = drawn.calls.map((made, index) => {
    const [template, number] = made.call.split("#");
    const source = drawn.sources[template];
    const call = source?.calls[number];
    const element = elements.get(index);
    if (!call) { return null; }
    const matrix = element ? toRoot.multiply(element.parentNode.getScreenCTM()) : new DOMMatrix();
    return { ...made, index, template, number: Number(number), call, matrix, digest: source.digest, elements: element ? [element] : [],
      isShown: Boolean(element) };
  });
  for (const thing of things.filter(each => each?.isShown && each.call.macro)) { thing.box = boxOfMacro(thing); }
  const isGrid = thing => ["rows", "hexes", "track"].includes(thing.call.fn);
  const isOfLook = thing => thing.within.some(index => things[index]?.isShown && isOfModule(things[index])); // moves with that
  return things.filter(each => each?.box && (each.isShown || isGrid(each)) && !isOfLook(each));
}

// Where a macro draws: its box or circle if it is given one, else what can be seen of it.
function boxOfMacro({ given: { x, y, width, height, r }, elements: [element] }) {
  if ([x, y, width, height].every(Number.isFinite)) { return [x, y, width, height]; }
  if ([x, y, r].every(Number.isFinite)) { return [x - r, y - r, 2 * r, 2 * r]; }
  const seen = element.getBBox();
  return [seen.x, seen.y, seen.width, seen.height];
}

// What a drag changes

const isFree = (thing, name) => thing.call.offered.includes(name) && (thing.call.args[name]?.kind ?? "number") === "number";
const isOfModule = thing => thing.call.fn.includes("."); // a macro of an imported template, such as that of a look
const isMovable = thing => thing.call.macro && ["x", "y"].every(name => thing.call.args[name]?.kind === "number");
const isRound = thing => thing.call.fn === "badge" || Boolean(thing.call.macro && thing.call.args.r && !thing.call.args.width);
const isMiddled = thing => MIDDLED.has(thing.call.fn) || isRound(thing);
const isByMargin = thing => thing.call.args.margin && !thing.call.args.x && !thing.call.args.width;
const marginOf = thing => isByMargin(thing) ? 0 : thing.given.margin ?? 0; // beyond the box, within x, y, width and height
const isInBox = thing => Boolean(thing.call.args.box);
const isWhole = thing => Boolean(thing.call.macro && !thing.call.args.x && !thing.call.args["2"]);
const boxOf = thing => JSON.stringify(["x", "y", "width", "height"].map(name => thing.call.args[name]?.kind === "number" ? thing.given[name] : thing.index));
const isWith = (thing, other) => thing.index !== other.index && boxOf(thing) === boxOf(other) && [thing, other].some(isOfModule); // a picture and its frame
const isLine = thing => thing.call.fn === "text" || (thing.call.fn === "rich" && thing.given.height === undefined);
const isAnchored = thing => thing.call.fn === "text" || thing.call.fn === "paragraph";
const shareOf = thing => isAnchored(thing) ? SHARES[thing.given.anchor ?? "start"] ?? 0 : 0;

// Where the x and y of a thing are.
function origin(thing) {
  const [x, y, width, height] = thing.box;
  if (thing.call.macro) { return [thing.given.x, thing.given.y]; }
  if (isMiddled(thing)) { return [x + width / 2, y + height / 2]; }
  return [x - marginOf(thing) + width * shareOf(thing), isLine(thing) ? thing.given.y : y - marginOf(thing)];
}

// The arguments of a thing that has been moved by dx, dy (no handle) or resized by a handle, in mm of its own.
function argumentsOf(thing, handle, dx, dy) {
  const { fn, args } = thing.call;
  const [width, height] = [thing.box[2] + 2 * marginOf(thing), thing.box[3] + 2 * marginOf(thing)];
  const set = {};
  const put = (name, value) => { if (isFree(thing, name)) { set[name] = round(value); } };
  if (isInBox(thing) || fn === "fill") { return set; }
  const [east, west, south, north] = ["e", "w", "s", "n"].map(each => handle.includes(each));
  if (isByMargin(thing)) {
    const inward = [west && dx, east && -dx, north && dy, south && -dy].filter(each => each !== false);
    if (inward.length) { put("margin", Math.max(0, thing.given.margin + inward.reduce((one, other) => Math.abs(one) > Math.abs(other) ? one : other))); }
    return set;
  }
  const [atX, atY] = origin(thing);
  if (!handle) {
    const isEndless = ENDLESS.has(fn);
    if (dx && isFree(thing, "x") && atX !== undefined) { put("x", atX + dx); if (isEndless && !args.width) { put("width", width); } }
    if (dy && isFree(thing, "y") && atY !== undefined) { put("y", atY + dy); if (isEndless && !args.height) { put("height", height); } }
    return set;
  }
  if (isMiddled(thing) || fn === "qr") {
    const grown = Math.max(dx, dy) * (fn === "qr" ? 1 : 2);
    if (isRound(thing)) { put("r", Math.max(0.5, (height + grown) / 2)); } else { put("size", Math.max(1, height + grown)); }
    return set;
  }
  if (east || west) {
    const share = shareOf(thing);
    const moved = isAnchored(thing) ? (share === 0 && west) || (share === 1 && east) ? dx : 0 : west ? dx : 0;
    if (!moved || isFree(thing, "x")) {
      put("width", Math.max(1, width + (east ? dx : -dx) * (share === 0.5 ? 2 : 1)));
      if (moved) { put("x", atX + moved); }
    }
  }
  if (isLine(thing)) {
    if (north) { put("size", Math.max(0.5, thing.given.size - dy)); }
  } else if (south || (north && isFree(thing, "y"))) {
    put("height", Math.max(1, height + (south ? dy : -dy)));
    if (north) { put("y", atY + dy); }
  }
  return set;
}

// The box of a thing with other arguments, as the server would report it.
function boxWith(thing, set) {
  const [x, y, width, height] = thing.box;
  const { fn } = thing.call;
  if (set.margin !== undefined) {
    const by = set.margin - thing.given.margin;
    return [x + by, y + by, width - 2 * by, height - 2 * by];
  }
  const [oldX, oldY] = origin(thing);
  const [dx, dy] = [(set.x ?? oldX ?? 0) - (oldX ?? 0), (set.y ?? oldY ?? 0) - (oldY ?? 0)];
  if (isMiddled(thing) || fn === "qr") {
    const h = set.size ?? (set.r !== undefined ? 2 * set.r : height);
    const w = width * h / height;
    return fn === "qr" ? [x + dx, y + dy, w, h] : [x + dx + (width - w) / 2, y + dy + (height - h) / 2, w, h];
  }
  const inside = value => value === undefined ? undefined : value - 2 * marginOf(thing);
  const w = inside(set.width) ?? width;
  const left = x + dx + (width - w) * shareOf(thing);
  if (isLine(thing) && set.size !== undefined) { return [left, y + dy + (thing.given.y - y) * (1 - set.size / height), w, set.size]; }
  return [left, y + dy, w, inside(set.height) ?? height];
}

// Moves dx, dy (mm of the face) so that an edge or the middle meets trim, safe margin, middle or another box.
function snap(view, thing, handle, dx, dy) {
  const guides = [];
  if (!isLevel(thing)) { return [dx, dy, guides]; }
  const own = corners(thing);
  const others = view.things.filter(each => !isSame(each, thing) && each.isShown && !isWith(each, thing)).map(each => corners(each));
  const to = [dx, dy];
  [view.shot.width, view.shot.height].forEach((length, axis) => {
    const [low, high] = span(own, axis);
    const [before, after] = axis ? ["n", "s"] : ["w", "e"];
    const edges = handle ? [handle.includes(before) && low, handle.includes(after) && high].filter(each => each !== false) : [low, (low + high) / 2, high];
    const targets = [0, 3, length / 2, length - 3, length, ...others.flatMap(each => { const [a, b] = span(each, axis); return [a, (a + b) / 2, b]; })];
    let best = SNAP_PX / view.unit;
    for (const edge of edges) {
      for (const target of targets) {
        const off = target - edge - [dx, dy][axis];
        if (Math.abs(off) < best) { best = Math.abs(off); to[axis] = target - edge; guides[axis] = target; }
      }
    }
    if (guides[axis] === undefined) { to[axis] = Math.round([dx, dy][axis] * 10) / 10; }
  });
  return [...to, guides];
}

function toOwn({ matrix: { a, b, c, d } }, dx, dy) {
  const area = a * d - b * c;
  return [(d * dx - c * dy) / area, (a * dy - b * dx) / area];
}

// The layer over a face

async function startLayout(box, piece, side, shot) {
  const old = layout.view;
  let drawn;
  try { drawn = await ask("/api/layout", { id: piece.id, side }); } catch (error) { $("#layout").replaceChildren(el("p", { className: "err" }, error.message)); return; }
  if (!box.isConnected) { return; } // another piece has been opened meanwhile
  const unit = box.getBoundingClientRect().width / (shot.width + 2 * out(shot));
  const svg = drawn.svg ? placeShapes(box, drawn.svg, shot) : shape("svg");
  if (layout.trace) { box.append(el("img", { className: "trace", src: layout.trace, alt: "" })); }
  const layer = shape("svg", { class: "layer", tabindex: 0, role: "application", "aria-label": phrase("layout_label"),
    viewBox: `${-REACH_MM} ${-REACH_MM} ${shot.width + 2 * REACH_MM} ${shot.height + 2 * REACH_MM}` });
  const start = `${(out(shot) - REACH_MM) * unit}px`;
  layer.style.cssText = `left:${start};top:${start};width:${(shot.width + 2 * REACH_MM) * unit}px;height:${(shot.height + 2 * REACH_MM) * unit}px`;
  const wasFocused = document.activeElement === old?.layer || layout.refocus === "layer";
  layout.view = { number: state.look.number, unit, shot, piece, side, drawn, layer, things: drawn.svg ? findThings(drawn, svg) : [], nudge: null };
  box.append(layer);
  listen(layer);
  draw();
  panel();
  if (wasFocused) { layout.refocus = ""; layer.focus({ preventScroll: true }); }
}

function listen(layer) {
  const view = layout.view;
  let drag = null;
  const at = event => {
    const here = layer.getBoundingClientRect();
    return [(event.clientX - here.left) / view.unit - REACH_MM, (event.clientY - here.top) / view.unit - REACH_MM];
  };
  // The things under a point, the smallest first.
  const under = ([x, y]) => view.things.filter(thing => {
    const p = new DOMPoint(x, y).matrixTransform(thing.matrix.inverse());
    const [left, top, width, height] = thing.box;
    return thing.isShown && p.x >= left - 0.3 && p.x <= left + width + 0.3 && p.y >= top - 0.3 && p.y <= top + height + 0.3;
  }).sort((one, other) => one.box[2] * one.box[3] - other.box[2] * other.box[3] || Number(one.call.macro) - Number(other.call.macro));
  layer.addEventListener("pointerdown", event => {
    const start = at(event);
    const handle = event.target.dataset?.handle ?? "";
    let thing = chosen();
    let next = null;
    if (!handle) {
      const hits = under(start);
      const here = hits.findIndex(each => each.index === thing?.index);
      next = here >= 0 ? hits[(here + 1) % hits.length] : null; // a click on the same place takes what lies below
      if (here < 0) { [thing] = hits; choose(thing, false); }
    }
    layer.focus({ preventScroll: true });
    if (!thing || !canAct()) { return; }
    drag = { start, handle, thing, next, set: null };
    state.isHeld = true; // what comes meanwhile is shown afterwards
    layer.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  layer.addEventListener("pointermove", event => {
    if (!drag) { return; }
    const [x, y] = at(event);
    const [byX, byY] = [x - drag.start[0], y - drag.start[1]];
    if (!drag.set && Math.hypot(byX, byY) * view.unit < 3) { return; }
    const [dx, dy, guides] = event.ctrlKey ? [byX, byY, []] : snap(view, drag.thing, drag.handle, byX, byY);
    drag.set = argumentsOf(drag.thing, drag.handle, ...toOwn(drag.thing, dx, dy));
    draw(drag.thing, drag.set, guides);
    showFits(drag.thing, drag.set);
  });
  const end = isKept => () => {
    const { thing, set, next } = drag ?? {};
    drag = null;
    state.isHeld = false;
    if (isKept && set && Object.keys(set).length) { write(thing, set); return; }
    if (isKept && set) { say(isInBox(thing) ? phrase("in_box") : isWhole(thing) ? phrase("whole_face") : phrase("place_computed")); }
    if (state.look.number !== view.number) { open(state.open, false); return; }
    if (isKept && thing && !set && next) { choose(next, false); } else { draw(); }
  };
  layer.addEventListener("pointerup", end(true));
  layer.addEventListener("pointercancel", end(false));
  layer.addEventListener("keydown", event => {
    const thing = chosen();
    const by = NUDGES[event.key];
    if (!thing || event.ctrlKey || event.metaKey) { return; }
    if (by || ["Escape", "Delete", "Backspace"].includes(event.key)) { event.preventDefault(); event.stopPropagation(); }
    if (event.key === "Escape") { choose(null); }
    if (!canAct()) { return; }
    if (event.key === "Delete" || event.key === "Backspace") { act(thing, "delete"); }
    if (!by) { return; }
    const far = event.shiftKey ? 5 : event.altKey ? 0.1 : 0.5;
    const moved = view.nudge?.thing.index === thing.index ? view.nudge.by : [0, 0];
    view.nudge = { thing, by: [moved[0] + by[0] * far, moved[1] + by[1] * far] };
    const set = argumentsOf(thing, "", ...toOwn(thing, ...view.nudge.by));
    draw(thing, set);
    clearTimeout(layout.timer);
    layout.timer = setTimeout(() => { view.nudge = null; if (Object.keys(set).length) { write(thing, set); } }, 350);
  });
}

const chosen = () => layout.view?.things.find(each => isSame(each, layout.pick) && each.index === layout.pick.index) ?? layout.view?.things.find(each => isSame(each, layout.pick));

function choose(thing, isFocused = true) {
  layout.pick = thing ? { template: thing.template, number: thing.number, index: thing.index } : null;
  draw();
  panel();
  if (isFocused) { layout.view.layer.focus({ preventScroll: true }); }
}

function draw(moving = null, set = {}, guides = []) {
  const { layer, things, unit, shot } = layout.view;
  const pick = chosen();
  const outline = (thing, box, name) => shape("polygon", { points: corners(thing, box).map(each => each.join()).join(" "), class: name });
  layer.replaceChildren(shape("rect", { x: -1, y: -1, width: shot.width + 2, height: shot.height + 2, class: "ring" }), ...things.filter(each => each.isShown && each.call.fn !== "fill").map(each => outline(each, each.box, isSame(each, pick) ? "same" : "other")));
  if (!pick) { return; }
  const box = moving ? boxWith(moving, set) : pick.box;
  for (const { elements, matrix: { a, b, c, d, e, f } } of moving ? things.filter(each => each === moving || isWith(each, moving)) : []) {
    layer.append(shape("g", { class: "ghost", transform: `matrix(${[a, b, c, d, e, f].join(" ")}) translate(${box[0] - moving.box[0]} ${box[1] - moving.box[1]})` }, ...elements.map(each => each.cloneNode(true))));
  }
  layer.append(outline(pick, box, "pick"));
  if (guides[0] !== undefined) { layer.append(shape("line", { x1: guides[0], x2: guides[0], y1: -9, y2: shot.height + 9, class: "guide" })); }
  if (guides[1] !== undefined) { layer.append(shape("line", { y1: guides[1], y2: guides[1], x1: -9, x2: shot.width + 9, class: "guide" })); }
  if (!canAct() || isInBox(pick) || (pick.call.macro && !isMovable(pick))) { return; }
  const [nw, ne, se, sw] = corners(pick, box);
  const middle = (one, other) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
  const spots = { nw, ne, se, sw, n: middle(nw, ne), s: middle(sw, se), w: middle(nw, sw), e: middle(ne, se) };
  for (const handle of (isRound(pick) ? HANDLES.badge : HANDLES[pick.call.fn]) ?? (isLine(pick) ? HANDLES.text : FRAME)) {
    const [x, y] = spots[handle];
    layer.append(shape("circle", { cx: x, cy: y, r: 9 / unit, class: "grab", "data-handle": handle }), shape("circle", { cx: x, cy: y, r: 4 / unit, class: "handle" }));
  }
}

// In how many rows and languages the words of a thing fit; asked at most ten times a second.
function showFits(thing, set = {}) {
  clearTimeout(layout.fitTimer);
  if (!thing || !FITTED.has(thing.call.fn)) { return; }
  layout.fitTimer = setTimeout(async () => {
    const values = Object.fromEntries(Object.entries(set).filter(([name]) => ["width", "height", "size", "r"].includes(name)));
    const { piece, side } = layout.view;
    let found;
    try { found = await ask("/api/fits", { id: piece.id, side, call: `${thing.template}#${thing.number}`, fn: thing.call.fn, values: JSON.stringify(values) }); } catch { return; }
    const lacks = found.worst && [found.worst.across && phrase("mm_across", { mm: found.worst.across }), found.worst.down && phrase("mm_down", { mm: found.worst.down })].filter(Boolean).join(", ");
    const line = $("#layout-fits");
    if (!line || !found.all) { return; }
    line.textContent = found.worst ? phrase("fits_some", { fits: found.fits, all: found.all, id: found.worst.id, lang: nameOf("lang", found.worst.lang), lacks }) : phrase("fits_all", { all: found.all });
    line.classList.toggle("err", Boolean(found.worst));
  }, 100);
}

// Writing: literals, the line, a new line

async function send(given) {
  try { await post("/api/layout", given); return true; } catch (error) { say(error.message); $("#layout-error").textContent = error.message; draw(); return false; }
}
async function write(thing, set) {
  if (document.activeElement === layout.view.layer) { layout.refocus = "layer"; }
  if (await send({ template: thing.template, digest: thing.digest, call: thing.number, do: "set", values: set })) {
    say(`${thing.template}:${thing.call.line} ${Object.entries(set).map(([name, value]) => `${name}=${value}`).join(" ")}`);
  }
}
const act = (thing, what) => send({ template: thing.template, digest: thing.digest, call: thing.number, do: what, values: {} });
async function addThing(fn, column) {
  const { drawn, shot } = layout.view;
  const source = drawn.sources[drawn.template];
  if (!source) { say(phrase("not_of_deck")); return; }
  const number = Object.keys(source.calls).length;
  if (await send({ template: drawn.template, digest: source.digest, call: 0, do: "add", values: { fn, column, x: round(shot.width / 2), y: round(shot.height / 2) } })) {
    layout.pick = { template: drawn.template, number, index: -1 };
  }
}

// The panel: arguments of what is chosen, and the list of things

function field(thing, name) {
  const given = thing.call.args[name];
  const { drawn } = layout.view;
  const written = given && given.kind !== "code" ? given.text.replace(/^["']|["']$/g, "").replace(/^colours\./, "") : "";
  const value = given?.kind === "name" ? written : thing.given[name] ?? written;
  const save = typed => { layout.refocus = name; if (String(typed) !== String(value) && String(typed) !== "") { write(thing, { [name]: typed }); } };
  const input = (type, more, parse = typed => typed.trim()) => el("input", { type, value, name, disabled: !canAct(), ...more, on: { change: event => { const typed = event.target.value; event.target.blur(); if (typed !== "") { save(parse(typed)); } } } });
  const label = content => el("label", {}, el("span", {}, name), content);
  if (given?.kind === "code") {
    const isNumber = typeof thing.given[name] === "number" && !thing.within.length;
    return el("div", { className: "code" }, el("span", {}, name), el("code", {}, given.text),
      isNumber ? el("button", { type: "button", className: "link", disabled: !canAct(), on: { click: () => write(thing, { [name]: round(thing.given[name]) }) } }, phrase("make_number")) : "");
  }
  if (COLOURS.has(name)) {
    const known = drawn.colours[value] ?? value;
    const picker = input("color", { value: /^#[0-9a-f]{6}$/i.test(known) ? known : "#000000", name: "", ariaLabel: `${name}: ${phrase("choose")}` });
    return el("div", { className: "colour" }, el("span", {}, name), input("text", { ariaLabel: name }), picker,
      ...Object.entries(drawn.colours).map(([own, colour]) => { const dab = el("button", { type: "button", className: "dab", title: own, ariaLabel: `${name}: ${own}`, disabled: !canAct(), on: { click: () => save(own) } }); dab.style.background = colour; return dab; }));
  }
  const words = drawn.words[name];
  if (words) {
    return label(el("select", { name, disabled: !canAct(), on: { change: event => { const typed = event.target.value; event.target.blur(); save(typed); } } }, ...(words.includes(value) ? [] : [el("option", { value: "" }, "–")]), ...words.map(each => el("option", { value: each, selected: each === value }, each))));
  }
  if (name === "style") { return label(input("text", {})); }
  return label(input("number", { step: FINE.has(name) ? 0.05 : 0.5, placeholder: "–" }, Number));
}

function details(thing) {
  const source = layout.view.things.find(each => `${each.template}#${each.number}` === thing.boxesBy);
  const outer = thing.within.map(index => layout.view.things.find(each => each.index === index)).findLast(Boolean);
  const lead = (to, words) => el("button", { type: "button", className: "link", on: { click: () => choose(to) } }, words);
  return el("div", { className: "fields" }, el("h3", {}, thing.call.fn, el("small", {}, ` ${thing.template}:${thing.call.line}`)),
    el("p", { id: "layout-fits", className: "note", role: "status" }),
    isInBox(thing) ? el("p", { className: "note" }, `${phrase("in_box")} `, source ? lead(source, phrase("change_boxes", { function: source.call.fn, line: source.call.line })) : "") : null,
    isWhole(thing) ? el("p", { className: "note" }, phrase("whole_face")) : null,
    outer ? el("p", { className: "note" }, `${phrase("by_macro")} `, lead(outer, phrase("move_call", { line: outer.call.line }))) : null,
    ...thing.call.offered.filter(each => !isInBox(thing) || !PLACES.has(each)).map(each => field(thing, each)),
    el("p", { className: "act" }, ...[["up", phrase("behind")], ["down", phrase("in_front")], ["delete", phrase("delete")]].map(([what, words]) => el("button", { type: "button", disabled: !canAct() || !thing.call.whole, on: { click: () => act(thing, what) } }, words))));
}

function panel() {
  const view = layout.view;
  const thing = chosen();
  const target = $("#layout");
  if (!target) { return; }
  const name = each => `${each.call.fn} ${each.given["0"] ?? each.given.words ?? each.given.name ?? each.call.args.words?.text ?? ""}`.trim().slice(0, 28);
  const list = view.things.filter((each, n) => view.things.findIndex(other => isSame(each, other)) === n);
  const columns = Object.keys(view.piece.cells).filter(each => /^[a-z_]\w*$/i.test(each) && each !== "id");
  target.replaceChildren(
    el("p", { id: "layout-error", className: "err", role: "alert" }, view.drawn.svg ? "" : phrase("face_broken")),
    thing ? details(thing) : el("p", { className: "note" }, phrase("layout_hint")),
    el("details", { open: layout.isListOpen ?? false, on: { toggle: event => { layout.isListOpen = event.target.open; } } }, el("summary", {}, count("count_things", list.length)),
      el("ul", { className: "things" }, ...list.map(each => el("li", {}, el("button", { type: "button", className: "link", ariaPressed: String(each === thing), on: { click: () => choose(each) } }, name(each)))))),
    canAct() && columns.length ? el("form", { className: "adding", on: { submit: event => { event.preventDefault(); const data = new FormData(event.target); addThing(data.get("fn"), data.get("column")); } } },
      el("select", { name: "fn", ariaLabel: phrase("what_to_add") }, ...["text", "rich", "image", "badge", "panel"].map(each => el("option", {}, each))),
      el("select", { name: "column", ariaLabel: phrase("column") }, ...columns.map(each => el("option", {}, each))), el("button", {}, phrase("add"))) : "",
    el("label", { className: "tracing" }, el("span", {}, phrase("trace")), el("input", { type: "file", accept: "image/*", on: { change: event => {
      URL.revokeObjectURL(layout.trace);
      layout.trace = event.target.files[0] ? URL.createObjectURL(event.target.files[0]) : "";
      open(state.open, false);
    } } })));
  if (layout.refocus && layout.refocus !== "layer") { $(`[name="${layout.refocus}"]`, target)?.focus({ preventScroll: true }); layout.refocus = ""; }
  showFits(thing);
}
