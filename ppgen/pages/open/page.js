// The maker's bench: fetches looks at the set as JSON and shows them. Words of a deck become text, never HTML.
"use strict";

const PX_PER_MM = 96 / 25.4;
const state = { look: null, open: null, laid: "", notes: {}, ids: null, failed: false, states: {}, checked: [], job: 0, shared: new Set() };
let px = Number(memory.get("px", "1"));
let zoom = Number(memory.get("zoom", "1"));
const isReadOnly = () => state.look?.job.number === undefined;
const canAct = () => Boolean(token) && !isReadOnly() && !document.body.classList.contains("lost");
const onlyLook = () => document.body.classList.contains("lost") ? phrase("ended")
  : isReadOnly() ? phrase("read_only")
    : phrase("no_token");
const sideName = side => ({ front: phrase("front"), back: phrase("back") })[side] ?? side;
const nameOf = (list, value) => TITLES[list][1][value]
  ?? (list === "lang" ? new Intl.DisplayNames([value], { type: "language", fallback: "code" }).of(value) : value);
const count = (key, number) => phrase(number === 1 ? `${key}_one` : key, { count: number });
const viewed = () => Object.fromEntries(all("#switches select").map(select => [select.name, select.value]));
const pieces = () => state.look?.sections.flatMap(section => section.pieces) ?? [];
// What the look says, and what a check has found besides.
function allGroups() {
  const known = state.look?.problems ?? [];
  const told = new Set(known.flatMap(group => group.entries.map(entry => group.cause + entry.what)));
  const more = state.checked.map(group => ({ ...group, entries: group.entries.filter(entry => !told.has(group.cause + entry.what)) }));
  return [...known, ...more.filter(group => group.entries.length)];
}
const entries = () => allGroups().flatMap(group => group.entries);
const problemsOf = id => entries().filter(entry => entry.ids.includes(id));

async function ask(path, given = {}) {
  const answer = await fetch(`${path}?${new URLSearchParams({ ...viewed(), ...given })}`, { cache: "no-store" });
  if (!answer.ok) { throw new Error(phrase("nothing_to_show")); }
  return answer.json();
}

// Pictures

// The smallest picture that is sharp enough; on screens of a high resolution a larger one.
function address(key, dpis, scale) {
  const wanted = 96 * scale * px * (window.devicePixelRatio || 1);
  return `/picture/${key}-${dpis.find(dpi => dpi >= wanted * 0.95) ?? dpis.at(-1)}.webp`;
}

const out = shot => $("#bleed").checked ? shot.bleed : 0;

// A face with its lines. The picture with bleed is only fetched if the bleed is shown. An image that was there before
// shows the old picture until the new one has come.
function face(shot, alt, scale, image = el("img", { decoding: "async", loading: "lazy" })) {
  const beyond = out(shot);
  const unit = scale * PX_PER_MM * px;
  const box = el("span", { className: "face" });
  box.style.width = `${(shot.width + 2 * beyond) * unit}px`;
  box.style.height = `${(shot.height + 2 * beyond) * unit}px`;
  const line = (name, inset) => { const mark = el("i", { className: name }); mark.style.inset = `${inset * unit}px`; return mark; };
  const source = address(beyond ? `${shot.key}-0` : shot.key, shot.dpis, scale);
  if (image.getAttribute("src") !== source) { image.src = source; }
  image.alt = alt;
  box.append(image, line("bleedline", 0), line("trim", beyond), line("safe", beyond + 3));
  return box;
}

// Faces

function badges(id) {
  const wrong = problemsOf(id).length;
  const words = state.states.new?.includes(id) ? phrase("new") : state.states.changed?.includes(id) ? phrase("changed") : "";
  return [words ? el("span", { className: "badge soft" }, words) : null,
    state.notes[id] ? el("span", { className: "badge soft", title: phrase("notes_title") }, phrase("note")) : null,
    wrong ? el("span", { className: "badge", title: phrase("problems") }, `${wrong} !`) : null];
}

// Pieces of one name also show their ids; what a picture says is said with it, unless that is as long as a row.
const LONG_NAME = 60;
const isShared = piece => state.shared.has(piece.title);
const toldOf = (piece, side) => [piece.told.length < LONG_NAME && piece.told, sideName(side)].filter(Boolean).join(", ");

const drawn = new Map(); // the buttons of the pieces, with the words of what they show

function pieceButton(piece, old) {
  const isBack = $("#turn").getAttribute("aria-pressed") === "true" && piece.back;
  const shot = isBack ? piece.back : piece.front;
  const known = drawn.get(piece.id);
  const marks = badges(piece.id);
  const shows = JSON.stringify([shot, isBack, zoom, px, window.devicePixelRatio, out(shot), piece.title, isShared(piece), piece.told, piece.copies, marks.map(mark => mark?.textContent)]);
  if (known?.shows === shows) { return known.button; }
  const button = el("button", { className: "piece", type: "button", id: `p-${piece.id}`, ariaExpanded: String(state.open === piece.id),
    on: { click: () => open(piece.id), animationend: event => event.currentTarget.classList.remove("fresh") } }, face(shot, "", zoom, known && $("img", known.button)),
  el("span", { className: "cap" }, piece.title, el("i", {}, `${isShared(piece) ? ` ${piece.id}` : ""}${piece.copies > 1 ? ` ×${piece.copies}` : ""}`),
    el("span", { className: "sr" }, `, ${toldOf(piece, isBack ? "back" : "front")} `), ...marks));
  drawn.set(piece.id, { shows, button });
  if (old && JSON.stringify([old.get(piece.id)?.front.key, old.get(piece.id)?.back?.key]) !== JSON.stringify([piece.front.key, piece.back?.key])) {
    button.classList.add("fresh");
  }
  return button;
}

function findShared() {
  const seen = new Set();
  state.shared = new Set(pieces().map(({ title }) => title).filter(title => seen.has(title) || !seen.add(title)));
}

const shown = () => pieces().filter(piece => state.ids === null || state.ids.has(piece.id));

function grid(before) {
  const old = before && new Map(before.sections.flatMap(section => section.pieces).map(piece => [piece.id, piece]));
  const focused = document.activeElement?.closest?.(".piece")?.id;
  const visible = new Set(shown().map(piece => piece.id));
  const sections = state.look.sections.map(section => [section, section.pieces.filter(piece => visible.has(piece.id))]).filter(([, some]) => some.length);
  $("#grid").replaceChildren(...sections.flatMap(([section, some]) => [
    el("h3", {}, section.title, el("small", {}, ` ${some.reduce((sum, piece) => sum + piece.copies, 0)}`)),
    el("div", { className: "row", id: `part-${section.name}` }, ...some.map(piece => pieceButton(piece, old)))]));
  if (!visible.size) {
    const every = el("button", { type: "button", on: { click: () => { $("#find").value = ""; filter().catch(lost); } } }, phrase("show_all"));
    $("#grid").append(el("p", { className: "nothing" }, state.ids ? `${phrase("none_found")} ` : phrase("nothing_drawn"), state.ids && every));
  }
  if (focused) { document.getElementById(focused)?.focus({ preventScroll: true }); }
}

async function filter() {
  const where = $("#find").value.trim();
  const total = pieces().length;
  let words = count("count_pieces", total);
  let ids = null;
  $("#find").ariaInvalid = "false";
  if (where) {
    const found = await ask("/api/select", { where });
    if (where !== $("#find").value.trim()) { return; } // typed on meanwhile
    if (found.error) {
      words = found.error;
      ids = state.ids;
      $("#find").ariaInvalid = "true";
    } else {
      ids = new Set(found.ids);
      words = phrase("of_total", { number: found.ids.length, total });
    }
  }
  state.ids = ids;
  $("#found").textContent = words;
  $("#found").classList.toggle("err", $("#find").ariaInvalid === "true");
  grid();
  if (state.look) { asks(); }
}

// A piece: both sides, the template line under the pointer, its row

const SHAPES = new Set(["path", "rect", "circle", "ellipse", "line", "polygon", "polyline", "text", "image", "use"]);
const GEOMETRY = new Set(("d x y x1 x2 y1 y2 cx cy r rx ry width height points transform href viewBox font-size font-family font-weight "
  + "font-style text-anchor letter-spacing dx dy id data-src").split(" "));

// Copies the geometry of a drawing: known elements with known attributes only. It is never visible.
function copyShapes(from) {
  const copy = document.createElementNS("http://www.w3.org/2000/svg", from.localName);
  for (const { name, value } of from.attributes) {
    if (GEOMETRY.has(name) && (name !== "href" || value.startsWith("#"))) { copy.setAttribute(name, value); }
  }
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) { copy.append(child.data); }
    if (SHAPES.has(child.localName) || ["g", "tspan", "defs", "svg"].includes(child.localName)) { copy.append(copyShapes(child)); }
  }
  return copy;
}

// Puts the geometry of a face over its picture, unseen, to be measured.
function placeShapes(box, text, shot) {
  const svg = copyShapes(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
  const unit = box.getBoundingClientRect().width / (shot.width + 2 * out(shot));
  const start = `${(out(shot) - shot.bleed) * unit}px`;
  svg.style.cssText = `position:absolute;opacity:0;pointer-events:none;left:${start};top:${start};`
    + `width:${(shot.width + 2 * shot.bleed) * unit}px;height:${(shot.height + 2 * shot.bleed) * unit}px`;
  svg.ariaHidden = "true";
  box.append(svg);
  return svg;
}

async function addMarks(box, piece, side, shot) {
  let drawn;
  try { drawn = await ask("/api/marks", { id: piece.id, side }); } catch { return; }
  const svg = placeShapes(box, drawn.svg, shot);
  const spot = el("span", { className: "spot", hidden: true });
  box.append(spot);
  const origin = box.getBoundingClientRect();
  // Of the boxes under the pointer the smallest one: thin strokes and letters are hard to hit.
  const boxes = all("[data-src]", svg).filter(each => SHAPES.has(each.localName) && !each.closest("defs"))
    .map(each => [each, each.getBoundingClientRect()]).filter(([, rect]) => rect.width || rect.height);
  const point = event => {
    const here = box.getBoundingClientRect();
    const [x, y] = [event.clientX - here.left + origin.left, event.clientY - here.top + origin.top];
    const [hit] = boxes.filter(([, rect]) => x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom)
      .sort(([, one], [, other]) => one.width * one.height - other.width * other.height);
    spot.hidden = !hit;
    if (!hit) { return; }
    const [shape, rect] = hit;
    spot.style.cssText = `left:${rect.left - origin.left - 2}px;top:${rect.top - origin.top - 2}px;width:${rect.width + 4}px;height:${rect.height + 4}px`;
    $("#place").textContent = drawn.places[shape.dataset.src] ?? shape.dataset.src;
    $("#place").dataset.source = shape.dataset.src;
    $("#tag").textContent = `<${shape.localName}>`;
    for (const button of all(".where button", box.closest("#side"))) { button.disabled = false; }
  };
  box.addEventListener("pointermove", point);
  box.addEventListener("pointerdown", event => { point(event); if (event.pointerType === "mouse") { copy($("#place").textContent); } });
}

// The text of a template, to change it here: saved like a cell.
async function editTemplate(source) {
  const [, name, line] = /^(.*):(\d+)$/.exec(source) ?? [];
  let found;
  try { found = await ask("/api/template", { name }); } catch { say(phrase("not_of_deck")); return; }
  const area = $("#source");
  area.value = found.text;
  area.readOnly = !canAct();
  $("#source-name").textContent = found.name;
  $("#source-error").textContent = canAct() ? "" : onlyLook();
  $("#source-save").onclick = async () => {
    try {
      await post("/api/template", { name, digest: found.digest, text: area.value });
      $("#editor").close();
    } catch (error) { $("#source-error").textContent = error.message; }
  };
  $("#editor").showModal();
  const before = area.value.split("\n").slice(0, line - 1).join("\n").length;
  area.focus();
  area.setSelectionRange(before + (line > 1 ? 1 : 0), before + (line > 1 ? 1 : 0));
  area.scrollTop = (line - 5) * Number.parseFloat(getComputedStyle(area).lineHeight);
}

const place = (words, id) => el("div", { className: "where" }, el("code", {}, el("span", id ? { id } : {}, words), id ? " " : "", id ? el("span", { id: "tag", className: "note" }) : ""),
  el("button", { type: "button", disabled: Boolean(id), on: { click: event => copy($("code span", event.target.parentElement).textContent) } }, phrase("copy")),
  id && state.look.layout ? el("button", { type: "button", disabled: true, on: { click: () => editTemplate($("#place").dataset.source) } }, phrase("edit")) : "");

// The row of a piece as it stands in its file, if this can be changed; else its cells as they were read.
function rowOf(piece) {
  const table = state.look.tables.find(each => each.place === piece.place);
  const row = table?.rows.find(each => each.line === piece.line);
  return row && { table, row };
}

// Makes a field as high as its text, in browsers that don't do it by themselves (CSS has field-sizing for it).
function fit(area) {
  if (CSS.supports("field-sizing", "content")) { return; }
  area.style.height = "";
  area.style.height = `${area.scrollHeight + 2}px`;
}

function cell(table, row, column, label) {
  const name = table.columns[column];
  const old = row.cells[column] ?? "";
  const fixed = !canAct() || column >= row.cells.length || name.trim().toLowerCase() === "id";
  const area = el("textarea", { value: old, rows: 1, ariaLabel: label, spellcheck: false, readOnly: fixed });
  area.addEventListener("blur", async () => {
    const typed = area.value;
    if (typed === old) { return; }
    try {
      await post("/api/cell", { place: table.place, line: row.line, column, old, new: typed });
      say(phrase("cell_saved", { column: name, file: table.place, line: row.line }));
    } catch (error) {
      area.parentElement.querySelector(".err")?.remove();
      area.after(el("p", { className: "err", role: "alert" }, error.message));
    }
  });
  area.addEventListener("input", () => fit(area));
  area.addEventListener("keydown", event => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); area.blur(); }
    if (event.key === "Escape") { event.stopPropagation(); area.value = old; area.blur(); }
  });
  return area;
}

// Notes of playtests, from games saved at a table of `ppgen export table`: kept on this page only.
async function readNotes(file) {
  try {
    const { notes } = JSON.parse(await file.text());
    for (const [id, words] of Object.entries(notes)) { state.notes[id] = [...new Set([...(state.notes[id] ?? []), String(words).slice(0, 1000)])]; }
    say(phrase("notes_read", { count: Object.keys(notes).length }));
    grid();
  } catch { say(phrase("not_a_game")); }
}

function cellRows(piece) {
  const found = rowOf(piece);
  const row = (name, content) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, content));
  return found ? found.table.columns.map((name, n) => row(name, cell(found.table, found.row, n, `${piece.id}: ${name}`)))
    : Object.entries(piece.cells).map(([name, value]) => row(name, el("span", { className: "fixed" }, value)));
}

function open(id, focus = true) {
  const piece = pieces().find(each => each.id === id);
  const side = $("#side");
  state.open = piece ? id : null;
  for (const button of all(".piece")) { button.ariaExpanded = String(button.id === `p-${id}`); }
  side.hidden = !piece;
  if (!piece) { return; }
  if (document.activeElement?.matches(".layer")) { layout.refocus = "layer"; }
  const laid = state.look.layout ? (state.laid === "back" && piece.back ? "back" : state.laid) : "";
  side.classList.toggle("laid", Boolean(laid));
  const room = side.clientWidth - 48;
  const shot = laid ? piece[laid] : piece.front;
  const high = (innerHeight * (innerWidth < 960 ? 0.55 : 1) - 220) / PX_PER_MM / px / shot.height;
  const scale = laid ? Math.min(4, high, (room > 800 ? room - 420 : room) / PX_PER_MM / px / (shot.width + 2 * out(shot)))
    : Math.min(1.4, room / PX_PER_MM / px / (piece.front.width + 2 * out(piece.front) + (piece.back ? (piece.back.width + 2 * out(piece.back)) * 0.5 + 4 : 0)));
  const front = face(shot, `${piece.title}, ${toldOf(piece, laid || "front")}`, scale);
  if (!laid) { front.style.backgroundImage = `url(${$("img", document.getElementById(`p-${id}`) ?? front).src})`; } // until the large one has come
  const pair = el("div", { className: "pair" }, front, piece.back && !laid ? face(piece.back, `${piece.title}, ${sideName("back")}`, scale * 0.5) : null);
  const lay = (words, to) => el("button", { type: "button", ariaPressed: String(laid === to), on: { click: () => layOut(laid === to ? "" : to) } }, words);
  side.replaceChildren(
    el("div", { className: "head" }, el("h2", {}, piece.title, isShared(piece) ? el("small", {}, ` ${id}`) : ""),
      state.look.layout ? lay(phrase("layout"), laid === "back" ? "back" : "front") : "", laid && piece.back ? lay(phrase("layout_back"), laid === "back" ? "front" : "back") : "",
      el("button", { type: "button", ariaLabel: phrase("piece_before"), on: { click: () => step(-1) } }, "←"),
      el("button", { type: "button", ariaLabel: phrase("next_piece"), on: { click: () => step(1) } }, "→"),
      el("button", { type: "button", id: "shut", ariaLabel: phrase("close"), on: { click: shut } }, "✕")),
    el("div", { className: "work" }, pair, laid ? el("div", { id: "layout" }) : ""),
    laid ? "" : place(phrase("point_at_face"), "place"),
    piece.line ? place(`${piece.place}:${piece.line}`) : "",
    el("table", { className: "cells" }, el("tbody", {}, ...cellRows(piece))),
    ...(state.notes[id] ?? []).map(words => el("p", { className: "remark" }, words)),
    canAct() ? el("p", { className: "act" }, el("button", { type: "button", id: "print-this", disabled: state.isRunning, on: { click: () => printOnly(id) } }, phrase("print_card"))) : "",
    el("p", { className: "note" }, !rowOf(piece) ? (piece.place ? (state.look.workbooks.includes(piece.place) ? `${phrase("workbook_note")} ` : "") + phrase("change_elsewhere") : "")
      : canAct() ? phrase("change_cell") : onlyLook()),
    ...problemsOf(id).map(entry => el("p", { className: "err" }, entry.what, entry.remedy ? ` (${entry.remedy})` : "")));
  all("textarea", side).forEach(fit);
  if (laid) { startLayout(front, piece, laid, shot); } else { addMarks(front, piece, "front", piece.front); }
  if (pair.children[1]) { addMarks(pair.children[1], piece, "back", piece.back); }
  if (focus) { $("#shut").focus({ preventScroll: true }); }
  document.getElementById(`p-${id}`)?.scrollIntoView({ block: "nearest" });
}

// Makes the PDF of one piece, with the choices of the tab Print.
function printOnly(id) {
  show("print");
  make("make", { only: "all", ids: id });
}

// Shows a side with handles, or ("") both sides without. Its script is fetched when it is needed.
async function layOut(side) {
  const script = el("script", { src: "/layout.js" });
  if (side && !$("script[src='/layout.js']")) {
    await new Promise((done, failed) => { script.onload = done; script.onerror = failed; document.head.append(script); }).catch(lost);
  }
  state.laid = side;
  open(state.open, false);
  $("#side .head button")?.focus({ preventScroll: true });
}

function shut() {
  const id = state.open;
  state.open = null;
  $("#side").hidden = true;
  for (const button of all(".piece")) { button.ariaExpanded = "false"; }
  document.getElementById(`p-${id}`)?.focus();
}

function step(by) {
  const list = shown();
  const at = list.findIndex(piece => piece.id === state.open);
  if (list.length) { open(list[(at + by + list.length) % list.length].id, false); }
}

// Taking back

const takeBack = () => postAndSay("/api/undo", {}, ({ file }) => phrase("taken_back", { file }));
const makeAgain = () => postAndSay("/api/redo", {}, ({ file }) => phrase("made_again", { file }));

// Problems, grouped by their cause

function problems() {
  const groups = allGroups();
  const total = groups.reduce((sum, group) => sum + group.entries.length, 0);
  $("#problems").hidden = !total;
  $("#problems").classList.toggle("failed", state.look.failed);
  const places = groups.length > 1 && groups.length < total ? ` ${phrase("in_places", { count: groups.length })}` : "";
  const isWrong = groups.some(group => group.level === "error");
  $("#count").textContent = state.look.failed ? `${phrase("not_right_yet")} ${count("count_problems", total)}${places}. ${pieces().length ? phrase("last_pictures") : phrase("mend_and_save")}`
    : `${isWrong ? count("count_problems", total) : count("count_remarks", total)}${places}`;
  if (state.look.failed !== state.failed) {
    $("#problems details").open = state.failed = state.look.failed;
    if (document.activeElement?.matches("textarea")) { document.activeElement.scrollIntoView({ block: "nearest" }); } // the list takes room
  }
  $("#groups").replaceChildren(...groups.map(group => {
    const ids = [...new Set(group.entries.flatMap(entry => entry.ids))];
    const [first] = group.entries;
    const times = group.entries.reduce((sum, entry) => sum + 1 + entry.more, 0);
    return el("div", { className: `group ${group.level}` },
      el("p", {}, el("code", {}, [group.cause, ...(first.ids.length ? [] : [first.key])].filter(Boolean).join(" ")), " ", el("button", { type: "button", className: "link", on: { click: () => copy(group.cause) } }, phrase("copy_place")),
        times > 1 ? el("b", {}, ` ${times}×`) : "", first.place ? el("span", { className: "note" }, ` ${first.place}`) : ""),
      el("p", {}, first.what, first.remedy ? el("span", { className: "note" }, ` (${first.remedy})`) : ""),
      ...group.entries.slice(1, 4).filter(entry => entry.what !== first.what).map(entry => el("p", { className: "note" }, entry.what)),
      ids.length ? el("p", {}, ...ids.slice(0, 24).flatMap(id => [el("button", { type: "button", className: "link", on: { click: () => { show("faces"); open(id); } } }, id), " "])) : "");
  }));
}

// Sheets

function layoutOf([{ sheets, cuts }, ...others], paper) {
  return sheets ? `${paper}: ${count("count_sheets", sheets)}${cuts ? `, ${count("count_cuts", cuts)}` : ""}` : count("count_pages", others.length + 1);
}

async function sheets() {
  const panel = $("#sheets");
  if (panel.hidden) { return; }
  if (!panel.children.length) { panel.replaceChildren(el("p", { className: "nothing" }, phrase("laying_out"))); }
  const found = await ask("/api/sheets");
  const parts = [...new Set(found.pages.map(page => page.part))];
  panel.replaceChildren(...found.problems.flatMap(group => group.entries.map(entry => el("p", { className: "err" }, `${group.cause}: ${entry.what}`))),
    ...parts.flatMap(part => {
      const some = found.pages.filter(page => page.part === part);
      const twoSided = some.some(page => page.side === "back");
      const title = state.look.sections.find(section => section.name === part)?.title ?? some[0].title;
      return [el("h2", {}, title, el("small", {}, ` ${layoutOf(some, found.paper)}`)), el("div", { className: "pages" }, ...some.map(page => {
        const image = el("img", { src: address(page.key, page.dpis, 0.5), alt: phrase("sheet_alt", { title: page.title, number: page.number }), loading: "lazy" });
        image.style.aspectRatio = `${page.width} / ${page.height}`;
        return el("figure", {}, el("a", { href: address(page.key, page.dpis, 2), target: "_blank", rel: "noopener" }, image),
          el("figcaption", {}, `${page.number} ${twoSided ? sideName(page.side) : ""}`));
      }))];
    }));
  if (!found.pages.length) { panel.append(el("p", { className: "nothing" }, phrase("no_sheets"))); }
}

// The first card in each look; once the layout has been changed by hand a word about that

const LOOK_HEIGHT = 124;
const strip = once(async () => {
  const box = $("#looks");
  box.hidden = !state.look.looks || !canAct();
  if (box.hidden || !box.open) { return; }
  if (state.look.looks === "changed") { $(".strip").replaceChildren(el("p", { className: "note" }, phrase("looks_changed"))); return; }
  if (!$(".strip").children.length) { $(".strip").replaceChildren(el("p", { className: "note" }, phrase("drawing_looks"))); }
  const { looks } = await ask("/api/looks");
  const focused = document.activeElement?.closest(".strip button")?.name;
  $(".strip").replaceChildren(...looks.map(({ name, chosen, front }) => {
    const label = WORDS[`look_${name || "plain"}`] ?? name;
    return el("button", { type: "button", name, ariaPressed: String(chosen), on: { click: () => chosen || postAndSay("/api/relook", { name }, () => phrase("look_taken", { look: label })) } },
      face(front, "", LOOK_HEIGHT / (front.height + 2 * out(front)) / PX_PER_MM / px), label);
  }));
  if (focused !== undefined) { all(".strip button").find(button => button.name === focused)?.focus({ preventScroll: true }); }
});

// Print

const TITLES = {
  paper: [phrase("paper"), { a4: "A4", letter: "US Letter", a3: "A3" }],
  backs: [phrase("backs"), { duplex: phrase("duplex"), fold: phrase("fold"), none: phrase("no_backs") }],
  marks: [phrase("marks"), { ticks: phrase("marks_ticks"), lines: phrase("marks_lines"), none: phrase("marks_none"), silhouette: phrase("marks_silhouette") }],
  ink: [phrase("ink"), { full: phrase("full_colour"), low: phrase("little_ink") }], printer: [phrase("printer"), { "": phrase("no_profile") }], lang: [phrase("language"), {}], skin: [phrase("skin"), { "": phrase("usual") }], size: [phrase("card_size"), {}],
  only: [phrase("pieces"), { all: phrase("all"), changed: phrase("only_changed"), found: phrase("only_found") }],
};

function asks() {
  const before = Object.fromEntries(new FormData($("#make")));
  const lists = { ...state.look.choices, only: ["all", ...(state.states.changed ? ["changed"] : []), ...(state.ids?.size ? ["found"] : [])] };
  const names = ["paper", "backs", "marks", "ink", "lang", "printer", "only"].filter(name => lists[name]?.length > 1);
  $("#asks").replaceChildren(...names.map(name => {
    const chosen = lists[name].includes(before[name]) ? before[name] : lists[name][0];
    return el("fieldset", {}, el("legend", {}, TITLES[name][0]), ...lists[name].map(value => el("label", {},
      el("input", { type: "radio", name, value, checked: value === chosen }), nameOf(name, value),
      name === "only" && value !== "all" ? el("b", {}, ` (${value === "found" ? state.ids.size : state.states.changed.length})`) : "")));
  }), ...(lists.margin ?? []).map(margin => el("fieldset", {}, el("legend", {}, phrase("margin")),
    el("input", { name: "margin", value: before.margin ?? margin, placeholder: "10mm", ariaLabel: phrase("margin"), maxLength: 12, autocomplete: "off" }))));
  $("#exports summary").textContent = WORDS.exports;
  $("#exports .act").replaceChildren(...(lists.target ?? []).map(target =>
    el("button", { type: "button", on: { click: () => make("export", { target }) } }, WORDS[`export_${target}`])));
  refreshRights();
}

function refreshRights() {
  for (const button of all("#go, #check, #playtest, #exports button")) { button.disabled = !canAct() || state.isRunning; }
  $("#save-printer").disabled = !canAct();
  $("#only-look").hidden = canAct();
  $("#only-look").textContent = onlyLook();
}

// Makes PDFs or an export with what is chosen on the tab.
function make(name, more = {}) {
  const { skin = "", size } = viewed();
  const given = Object.fromEntries(new FormData($("#make")));
  $("#made").replaceChildren();
  const isOther = size && size !== state.look.choices.size[0];
  start(name, { skin, ...(isOther ? { size } : {}), ...given, ...(given.only === "found" ? { ids: [...state.ids].join(" ") } : {}), ...more });
}

async function start(name, given) {
  try { job(await post(`/api/${name}`, given)); } catch (error) { tell(error.message, true); }
}

function job(status) {
  state.isRunning = status.state === "running";
  $("#bar").hidden = $("#stop").hidden = !state.isRunning;
  refreshRights();
  if (state.isRunning) {
    if (status.total) { $("#bar").max = status.total; $("#bar").value = status.done; } else { $("#bar").removeAttribute("value"); }
    tell(status.total ? `${phrase("of_total", { number: status.done + 1, total: status.total })}: ${status.step}` : phrase(status.step || "beginning"));
    return;
  }
  if (!status.number || state.job === status.number) { return; }
  state.job = status.number;
  if (status.state === "failed") {
    tell(listErrors(status), true);
  } else if (status.name === "make") {
    made(status);
  } else if (status.name === "export") {
    tell(phrase("exported", { files: status.result.files.length, folder: status.result.folder }));
    $("#made").replaceChildren(...status.result.notes.map(note => el("p", { className: "note" }, note)));
  } else if (status.name === "playtest") {
    tell("");
    $("#made").replaceChildren(el("p", {}, `${phrase("playtest_made")} `, ...status.result.files.map((file, n) =>
      el("a", { href: `/made/${status.number}/${n}/${file.path.split(/[\\/]/).at(-1)}`, target: "_blank", rel: "noopener" }, file.path))));
    $("#made a").focus();
  } else if (status.name === "check") {
    state.checked = status.result.problems;
    tell(state.checked.length ? phrase("check_found") : phrase("check_clean"));
    $("#problems details").open ||= state.checked.length > 0;
    problems();
    grid();
  } else {
    load().catch(lost);
    tell(status.name === "printed" ? phrase("remembered") : `${phrase("printer_saved", { name: status.result.name })} ${status.result.doubt}`);
  }
}

function made({ number, result, choices }) {
  const sheetCount = result.files.reduce((sum, file) => sum + file.sheets, 0);
  tell(phrase("made", { files: result.files.length, sheets: sheetCount, folder: result.folder }));
  $("#made").replaceChildren(el("p", {}, phrase("print_full_size")), ...result.notes.map(note => el("p", { className: "note" }, note)),
    el("ul", { className: "files" }, ...result.files.map((file, n) => el("li", {}, el("a", { href: `/made/${number}/${n}/${file.name}`, target: "_blank", rel: "noopener" },
      el("b", {}, file.name), el("span", {}, `${file.part} · ${count("count_pages", file.pages)}`),
      el("span", {}, file.sheets ? count("count_sheets", file.sheets) : phrase("for_the_screen")), el("span", {}, `${Math.ceil(file.bytes / 1000)} kB`))))),
    el("p", { className: "act" }, el("button", { type: "button", id: "printed", disabled: !canAct(), on: { click: () => start("printed", choices) } }, phrase("printed")),
      el("span", { className: "note" }, phrase("printed_note"))));
}

// The whole

const scrolled = {}; // how far each tab was, to come back to the same place

function show(name) {
  const main = $("main");
  scrolled[$("[role=tab][aria-selected=true]").id] = main.scrollTop;
  for (const tab of all("[role=tab]")) {
    const isOn = tab.id === `t-${name}`;
    tab.ariaSelected = String(isOn);
    tab.tabIndex = isOn ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !isOn;
  }
  main.scrollTop = scrolled[`t-${name}`] ?? 0;
  if (name !== "faces") { state.open = null; $("#side").hidden = true; }
  if (name === "table") { all("#table textarea").forEach(fit); }
  if (name === "sheets") { sheets().catch(error => say(error.message)); }
}

function switches() {
  const names = ["lang", "ink", "skin", "size"].filter(name => state.look.choices[name]?.length > 1);
  if (all("#switches select").map(select => select.name).join() === names.join()) { return; }
  $("#switches").replaceChildren(...names.map(name => el("label", {}, `${TITLES[name][0]} `,
    el("select", { name, on: { change: load } }, ...state.look.choices[name].map(value => el("option", { value, selected: value === state.look.view[name] }, nameOf(name, value)))))));
}

// Runs a deed; if it is asked for again meanwhile, once more afterwards.
function once(deed) {
  let isRunning = false, again = false;
  return async () => {
    again = true;
    if (isRunning) { return; }
    isRunning = true;
    try {
      while (again) { again = false; await deed(); }
    } finally {
      isRunning = false;
    }
  };
}

const load = once(async () => {
  document.body.classList.add("busy");
  try {
    take(await ask("/api/look"));
    state.states = await ask("/api/states");
    asks();
    await filter();
    await sheets();
    await strip();
  } finally {
    document.body.classList.remove("busy");
  }
});
const followJob = once(async () => job(await ask("/api/job")));

// What was saved, and how many pictures look different now.
function changeOf({ files: [file = "", ...others] = [], is_first, has_failed, changed, added, removed, needs_restart }) {
  const counts = [changed && phrase("pictures_changed", { count: changed }), added && phrase("pictures_added", { count: added }),
    removed && phrase("pictures_removed", { count: removed })].filter(Boolean);
  const what = is_first || has_failed ? "" : counts.join(", ") || phrase("pictures_same");
  const saved = file + (others.length ? ` ${phrase("and_more", { count: others.length })}` : "");
  return [[saved, what].filter(Boolean).join(": "), needs_restart && phrase("fonts_once")].filter(Boolean).join(". ");
}

function take(look) {
  const before = state.look;
  state.look = look;
  leadHome($("#home"), look.home);
  findShared();
  $("#title").textContent = document.title = look.title || "ppgen";
  $("#title").lang = $("#grid").lang = look.lang || "en";
  say(changeOf(look.change));
  switches();
  job(look.job);
  const focused = document.activeElement;
  grid(before?.number === look.number ? null : before);
  problems();
  if (!focused?.matches("#table textarea")) { tables(); } else { $("#undo").disabled = !look.undo; $("#redo").disabled = !look.redo; }
  if (state.open && !state.isHeld && !focused?.matches("#side textarea, #layout input")) { open(state.open, false); }
  $("#hint").hidden = !canAct() || memory.get("hint", "") !== "";
  $("#hint-words").textContent = look.tables.length ? phrase("hint") : phrase("hint_look");
}

function lines() {
  for (const name of ["trim", "bleed", "safe"]) { document.body.classList.toggle(`lines-${name}`, $(`#${name}`).checked); }
  grid();
  if (state.open) { open(state.open, false); }
}

function resize(by) {
  const select = $("#zoom");
  select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by));
  select.dispatchEvent(new Event("change"));
}

for (const tab of all("[role=tab]")) {
  tab.addEventListener("click", () => show(tab.id.slice(2)));
  tab.addEventListener("keydown", event => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) { return; }
    event.stopPropagation();
    const tabs = all("[role=tab]");
    const to = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
    show(to.id.slice(2));
    to.focus();
  });
}
$("#find").addEventListener("input", () => filter().catch(lost));
$("#zoom").value = String(zoom);
$("#zoom").addEventListener("change", event => { zoom = Number(event.target.value); memory.set("zoom", zoom); grid(); });
$("#eyes").addEventListener("change", event => {
  document.body.classList.remove(...[...document.body.classList].filter(name => name.startsWith("eyes-")));
  if (event.target.value) { document.body.classList.add(`eyes-${event.target.value}`); }
});
for (const name of ["trim", "bleed", "safe"]) { $(`#${name}`).addEventListener("change", lines); }
$("#turn").addEventListener("click", event => {
  event.target.setAttribute("aria-pressed", String(event.target.getAttribute("aria-pressed") !== "true"));
  grid();
});
$("#ruler").addEventListener("click", () => $("#rule").showModal());
$("#scale").value = px;
document.documentElement.style.setProperty("--px", px);
$("#scale").addEventListener("input", event => {
  px = Number(event.target.value);
  memory.set("px", px);
  document.documentElement.style.setProperty("--px", px);
  grid();
});
$("#help").addEventListener("click", () => $("#keys").showModal());
$("#make").addEventListener("submit", event => { event.preventDefault(); make("make"); });
$("#printer").addEventListener("submit", event => { event.preventDefault(); start("printer", Object.fromEntries(new FormData(event.target))); });
$("#check").addEventListener("click", () => start("check", viewed()));
$("#notes").addEventListener("change", async event => {
  for (const file of event.target.files) { await readNotes(file); }
  event.target.value = "";
});
$("#playtest").addEventListener("click", () => start("playtest", viewed()));
$("#more").addEventListener("click", event => { event.target.ariaExpanded = String(event.target.ariaExpanded !== "true"); });
$("#looks").open = memory.get("looks", "open") === "open";
$("#looks").addEventListener("toggle", event => {
  memory.set("looks", event.target.open ? "open" : "");
  if (state.look) { strip().catch(error => say(error.message)); }
});
$("#to-print").addEventListener("click", () => show("print"));
$("#hint-off").addEventListener("click", () => { memory.set("hint", "off"); $("#hint").hidden = true; });
$("#stop").addEventListener("click", () => post("/api/stop", {}).catch(error => say(error.message)));
document.addEventListener("keydown", event => {
  const isWriting = event.target.matches("textarea, select, input:not([type=checkbox], [type=radio])");
  if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key) && !isWriting && token) {
    event.preventDefault();
    if (event.shiftKey || event.key === "y") { makeAgain(); } else { takeBack(); }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) { return; }
  if (event.key === "Escape") {
    if (isWriting) { event.target.blur(); } else if (state.open) { shut(); }
    return;
  }
  if (isWriting || event.target.matches("[type=radio]")) { return; }
  const click = selector => () => $(selector).click();
  const act = {
    "/": () => { show("faces"); $("#find").focus(); }, 1: () => show("faces"), 2: () => show("sheets"), 3: () => show("table"), 4: () => show("print"),
    b: click("#turn"), t: click("#trim"), l: click("#bleed"), s: click("#safe"), "?": click("#help"), "+": () => resize(1), "-": () => resize(-1),
    p: () => { $("#problems details").open = !$("#problems details").open; },
    ArrowRight: state.open ? () => step(1) : null, ArrowLeft: state.open ? () => step(-1) : null,
  }[event.key];
  if (act) { event.preventDefault(); act(); }
});

// Offers a new version of a table that has landed in the folder of --follow.
const FOLLOW_MS = 2500;
async function followFolder() {
  if (!state.look?.follow || !canAct()) { return; }
  let found;
  try { found = await ask("/api/landed"); } catch { return; }
  const hint = $("#landed");
  if (!found.digest) { hint.hidden = true; return; }
  if (hint.dataset.digest === found.digest && !hint.hidden) { return; }
  const decide = wanted => async () => {
    hint.hidden = true;
    try { await post("/api/follow", { ...found, wanted }); } catch (error) { say(error.message); }
  };
  hint.dataset.digest = found.digest;
  hint.replaceChildren(el("span", {}, phrase("landed", { file: found.name, kb: Math.ceil(found.bytes / 1000), folder: found.folder, place: found.place })),
    el("span", { className: "act" }, el("button", { type: "button", className: "main", on: { click: decide(true) } }, phrase("take_it")), el("button", { type: "button", on: { click: decide(false) } }, phrase("no"))));
  hint.hidden = false;
}
setInterval(followFolder, FOLLOW_MS);

const events = new EventSource(`/events?${token}`);
events.addEventListener("look", event => {
  const isNew = document.body.classList.contains("lost") || Number(event.data) !== state.look?.number;
  document.body.classList.remove("lost");
  (isNew ? load() : followJob()).catch(lost);
});
events.addEventListener("error", lost);
function lost() {
  document.body.classList.add("lost");
  say(phrase("ended_last_pictures"));
  for (const area of all("textarea")) { area.readOnly = true; }
  refreshRights();
}
if (hashTab) { show(hashTab); }
