// Walks through the first turns on the table page in a browser and prints what came of it.
//
//     node learn.mjs NODE_MODULES CHROMIUM PAGE_URL ANOTHER_URL
import { evaluateIn } from "../../engines.mjs";

const [modules, chromium, address, other] = process.argv.slice(2);

// In the page, in one go: play a little, walk there and back, look at what lies where, close by the keyboard.
const walked = `const $ = id => document.getElementById(id), found = { errors: [], steps: [], taken: [] };
addEventListener("error", event => found.errors.push(event.message));
select(tops()[0]);
act.turn();
const before = JSON.stringify([state, past, seat, view]), stored = localStorage.getItem(store);
const key = name => $("learning").dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const placed = () => JSON.stringify(state.pieces);
$("learn").click();
found.inert = [table.inert, $("acts").inert, document.activeElement.id];
const layouts = [];
for (let n = 0; n < data.learn.length; n++) {
  layouts.push(placed());
  const seen = walk.lit.map(i => state.pieces[i]);
  found.steps.push({ felt: [view.x + Math.min(0, ...seen.map(({ x }) => x)) * view.k,
    innerWidth - view.x - Math.max(extent()[0], ...seen.map(piece => piece.x + kindOf(piece).w)) * view.k], text: $("learn-text").textContent, place: $("learn-step").textContent, lit: document.querySelectorAll(".piece.lit").length,
    moved: n ? state.pieces.flatMap((piece, i) => JSON.stringify(JSON.parse(layouts[n - 1])[i]) === JSON.stringify(piece) ? []
      : [{ id: kinds[piece.kind].id, from: JSON.parse(layouts[n - 1])[i], to: piece, seat: setUp().seats.findIndex(room => holds(room, piece)) }]) : [] });
  if (n < data.learn.length - 1) key("ArrowRight");
}
found.first = JSON.parse(layouts[0]).map(piece => ({ ...piece, id: kinds[piece.kind].id }));
key("ArrowLeft");
key("ArrowRight");
found.same = placed() === layouts.at(-1);
found.last = $("learn-next").textContent;
found.tags = document.querySelectorAll("#learning b, #learning img, #learning script").length;
found.wide = document.documentElement.scrollWidth > innerWidth;
key("Escape");
found.restored = JSON.stringify([state, past, seat, view]) === before && localStorage.getItem(store) === stored;
found.closed = [$("learning").hidden, table.inert, document.activeElement.id, document.querySelectorAll(".lit").length];
begin(state.players, 1);
found.names = tops().slice(0, 2).map(titleOf);
$("list-button").click();
found.cut = Array.from(document.querySelectorAll("#list button")).filter(line => line.scrollWidth > line.clientWidth).map(line => line.textContent);
found.lines = document.querySelectorAll("#list button").length;
return JSON.stringify(found);`;

// On a phone, look where the first pieces lie, at first and with all of the table in sight, or how wide a board is; then
// open the walk.
const phone = [], boards = [];
async function prepare(page) {
  if (page.viewport().width < 400) phone.push(...await page.evaluate(() => [() => begin(state.players, 1), () => byId("whole").click()].map(show => {
    show();
    return tops().slice(0, 14).map(n => nodes[n].getBoundingClientRect()).map(box => [box.left, box.right]);
  })));
  else {
    await page.setViewport({ width: 390, height: 800 });
    boards.push(...await page.$$eval(".fixed", nodes => nodes.map(node => node.getBoundingClientRect().width)));
  }
  await page.click("#learn");
}

const found = await evaluateIn(modules, chromium, address, walked, prepare, [other]);
process.stdout.write(JSON.stringify({ ...found, phone, boards }));
