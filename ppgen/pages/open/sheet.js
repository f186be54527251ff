// A grid over a sheet of finished cards, typed or dragged: ppgen new cuts by it. Lengths are in mm.
"use strict";

const LEAST_MM = 5, SNAP_MM = 0.4;
const NUMBERS = ["columns", "rows", "width", "height", "gap", "gap_down", "left", "top"];
const form = $("#new"), over = $("#over");
let sheet, grid, isTouched = false;

const round = (length, step = 100) => Math.round(length * step) / step;
const reach = (count, length, gap) => count * (length + gap) - gap;
// Left and upper edge of all cards, and their extent.
const extent = ({ columns, rows, width, height, gap, gap_down, left, top }) =>
  [left, top, reach(columns, width, gap), reach(rows, height, gap_down)];
const upright = (width, height) => [Math.min(width, height), Math.max(width, height)];
const sizeName = () => Object.entries(sheet.sizes).find(([, sides]) =>
  upright(grid.width, grid.height).every((side, n) => Math.abs(side - sides[n]) < 0.005))?.[0] ?? "";

// The sides of the sheet; without a scale it ends where the cards do.
function sides() {
  const [left, , width] = extent(grid);
  return sheet.has_scale ? sheet.sides : [left + width, (left + width) * sheet.sides[1] / sheet.sides[0]];
}

function guess() {
  const [width, height] = sheet.sizes.poker;
  if (!sheet.has_scale) { return { columns: 3, rows: 3, width, height, gap: 0, gap_down: 0, left: 0, top: 0 }; }
  const [columns, rows] = [width, height].map((side, n) => Math.max(1, Math.floor(sheet.sides[n] / side)));
  const [left, top] = [columns * width, rows * height].map((side, n) => Math.max(0, (sheet.sides[n] - side) / 2));
  return { columns, rows, width, height, gap: 0, gap_down: 0, left, top };
}

// What ppgen new is told: nothing of a grid that it finds by itself.
function options() {
  const { columns, rows, width, height, gap, gap_down, left, top } = grid;
  const gaps = [...new Set([gap, gap_down].filter((_, n) => (n ? rows : columns) > 1))].join("x") || 0;
  const size = width <= height && sizeName() || `${width}x${height}mm`;
  const backs = form.elements.backs.value;
  return { ...(isTouched || !sheet.is_sure ? { grid: `${columns}x${rows}`, size, gap: `${gaps}mm`, margin: `${left}x${top}mm` } : {}), ...(backs ? { backs } : {}) };
}

function draw() {
  const [wide, high] = sides();
  const [left, top, width, height] = extent(grid);
  const place = (start, length, gap, n) => start + n * (length + gap);
  const box = (x, y, w, h) => `M${x} ${y}h${w}v${h}h${-w}z`;
  const cards = Array.from({ length: grid.columns * grid.rows }, (_, n) => box(place(grid.left, grid.width, grid.gap, n % grid.columns),
    place(grid.top, grid.height, grid.gap_down, Math.floor(n / grid.columns)), grid.width, grid.height));
  const others = isTouched ? [] : sheet.others.map(([x, y, right, low]) => box(x, y, right - x, low - y));
  over.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  for (const path of all("path", over)) { path.setAttribute("d", [...cards, ...others].join("")); }
  const put = (rect, x, y, w, h) => Object.entries({ x, y, width: w, height: h }).forEach(([name, value]) => rect.setAttribute(name, value));
  put($(".grab", over), left, top, width, height);
  const side = 20 * wide / (over.getBoundingClientRect().width || 1);
  all(".corner", over).forEach((corner, n) => put(corner, left + n % 2 * width - side / 2, top + (n >> 1) * height - side / 2, side, side));
  $("#size").value = sizeName();
  const name = form.elements.name.value.trim();
  const shown = Object.entries(options()).map(([option, value]) => ` --${option} ${value}`).join("");
  $("#command").textContent = `ppgen new ${/^[\w.-]+$/.test(name) ? name : `"${name}"`} --from ${sheet.source}${shown}`;
}

// Takes a changed grid; the fields show it, but for the one that is typed into.
function take(changed, typed) {
  grid = { ...grid, ...changed };
  isTouched ||= Object.keys(changed).length > 0;
  for (const name of NUMBERS) {
    grid[name] = Math.max(0, round(grid[name]));
    if (form.elements[name] !== typed) { form.elements[name].value = grid[name]; }
  }
  draw();
}

// The grid after a corner was dragged: 0 is the upper left one, 3 the lower right one. A known size is caught.
function resize(from, corner, [x, y]) {
  const [left, top, across, down] = extent(from);
  const [isRight, isLow] = [corner % 2, corner >> 1];
  const side = (total, count, gap) => Math.max(LEAST_MM, round((total + gap) / count - gap, 10));
  const dragged = [side(isRight ? across + x : across - Math.max(x, -left), from.columns, from.gap),
    side(isLow ? down + y : down - Math.max(y, -top), from.rows, from.gap_down)];
  const known = Object.values(sheet.sizes).flatMap(([a, b]) => [[a, b], [b, a]]);
  const [width, height] = known.find(sides => sides.every((length, n) => Math.abs(length - dragged[n]) < SNAP_MM)) ?? dragged;
  return { width, height, left: isRight ? left : Math.max(0, left + across - reach(from.columns, width, from.gap)),
    top: isLow ? top : Math.max(0, top + down - reach(from.rows, height, from.gap_down)) };
}

const move = (from, [x, y]) => ({ left: Math.max(0, round(from.left + x, 10)), top: Math.max(0, round(from.top + y, 10)) });

over.addEventListener("pointerdown", event => {
  const corner = all(".corner", over).indexOf(event.target);
  if (!event.target.matches("rect") || event.button) { return; }
  const [from, wide, high, box] = [grid, ...sides(), over.getBoundingClientRect()];
  const drag = ({ clientX, clientY }) => {
    const by = [(clientX - event.clientX) * wide / box.width, (clientY - event.clientY) * high / box.height];
    take(corner < 0 ? move(from, by) : resize(from, corner, by));
  };
  over.setPointerCapture(event.pointerId);
  over.addEventListener("pointermove", drag);
  over.addEventListener("lostpointercapture", () => over.removeEventListener("pointermove", drag), { once: true });
});
form.addEventListener("input", ({ target }) => {
  if (target.id === "size" && target.value) {
    const [short, long] = sheet.sizes[target.value];
    take(grid.width > grid.height ? { width: long, height: short } : { width: short, height: long });
  } else {
    take(NUMBERS.includes(target.name) && target.validity.valid ? { [target.name]: Number(target.value) } : {}, target);
  }
});
$("#copy").addEventListener("click", () => copy($("#command").textContent));
$("#stop").addEventListener("click", () => post("/api/stop", {}).catch(error => say(error.message)));

function refreshRights(isRunning = false) {
  $("#go").disabled = !token || isRunning;
  $("#bar").hidden = $("#stop").hidden = !isRunning;
  if (!token) { say(phrase("no_token")); }
}

// Follows the job until the deck is made; then its own page has taken this one's place.
async function follow() {
  for (;;) {
    const status = await (await fetch("/api/job", { cache: "no-store" })).json();
    refreshRights(["running", "done"].includes(status.state));
    if (status.state === "failed") { tell(listErrors(status), true); return; }
    tell(!status.number || status.state === "done" ? phrase("deck_made") : phrase("beginning"));
    if (!status.number || status.state === "done") { await leaveFor("/page.js"); return; }
    await pause();
  }
}

form.addEventListener("submit", async event => {
  event.preventDefault();
  try {
    await post("/api/new", { name: form.elements.name.value.trim(), ...options() });
    await follow();
  } catch (error) { tell(error instanceof TypeError ? phrase("ended_unwritten") : error.message, true); }
});

(async () => {
  sheet = await (await fetch("/api/sheet")).json();
  $("#title").textContent = document.title = sheet.file;
  $("#found").textContent = sheet.is_sure ? phrase("grid_found") : phrase("grid_unsure");
  $("#size").append(...Object.entries(sheet.sizes).map(([name, [width, height]]) => el("option", { value: name }, `${name} (${width} × ${height})`)));
  over.classList.toggle("fixed", !sheet.has_scale);
  grid = sheet.grid ?? guess();
  form.elements.name.value = sheet.name;
  take({});
  new ResizeObserver(draw).observe(over);
  refreshRights();
  leadHome($("#home"), sheet.home);
})().catch(error => say(error.message));
