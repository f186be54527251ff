// Plays at a table in Chromium and prints what came of it.
//
//     node table.mjs NODE_MODULES CHROMIUM PAGE_URL < {"seed": 7, "acts": ["Tab", "f", …]}
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openProfile } from "../../engines.mjs";

const [modules, chromium, address] = process.argv.slice(2);
const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
const { acts, seed } = JSON.parse(readFileSync(0, "utf8"));
const found = { errors: [], requests: [], refused: [], violations: [] };

const browser = await openProfile(modules, chromium);
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1200, height: 800 });
  page.on("pageerror", error => found.errors.push(error.message));
  page.on("request", request => { if (!/^(data|blob):/.test(request.url()) && request.url() !== address)
    found.requests.push(request.url()); });
  await page.evaluateOnNewDocument(() => addEventListener("securitypolicyviolation", event => {
    (window.refused = window.refused || []).push(`${event.violatedDirective} ${event.blockedURI}`);
  }));
  await page.goto(address);
  const read = () => page.evaluate(() => ({ state: JSON.parse(JSON.stringify(state)), said: document.getElementById("said").textContent }));
  const press = async keys => { for (const key of keys) await page.keyboard.press(key); };
  const kindsOf = ({ state: { pieces } }) => pieces.map(({ kind }) => kind).filter(kind => kind >= 0).sort((a, b) => a - b);

  const begun = async () => { await page.evaluate(given => begin(state.players, given), seed); return read(); };
  found.first = (await begun()).state;
  found.same = JSON.stringify(found.first) === JSON.stringify((await begun()).state);
  await page.focus("#table");
  await press(acts);
  found.played = await read();
  await page.reload();
  found.kept = await read();
  await page.focus("#table");
  for (let n = 0; n < acts.length; n++) await page.keyboard.press("u");
  await begun();
  await page.focus("#table");
  await press(acts);
  found.again = JSON.stringify((await read()).state) === JSON.stringify(found.played.state);
  for (let n = 0; n < acts.length; n++) await page.keyboard.press("u");
  found.undone = JSON.stringify((await read()).state) === JSON.stringify(found.first);
  found.kinds = [kindsOf({ state: found.first }), kindsOf(found.played)];

  // a piece is dragged by the mouse onto another, and a damaged game is refused
  const places = await page.evaluate(() => tops().slice(-2).map(n => {
    const { x, y, width, height } = nodes[n].getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  }));
  await page.mouse.move(...places[0]);
  await page.mouse.down();
  await page.mouse.move(places[0][0] + 30, places[0][1] - 30, { steps: 4 });
  await page.mouse.up();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  found.dragged = await page.evaluate(() => past.length);

  // a note on a card outlasts the game, and is taken back like an act
  await page.evaluate(() => select(tops().find(n => isUp(state.pieces[n]) && state.pieces[n].kind >= 0)));
  await page.focus("#table");
  await page.keyboard.press("n");
  await page.keyboard.type("too <b>strong");
  await page.click("#noting button");
  await page.waitForFunction(() => Object.keys(state.notes).length === 1);
  await page.focus("#table");
  await page.keyboard.press("n");
  await page.keyboard.type(", or not");
  await page.keyboard.press("Escape"); // the note stays as it was
  await page.waitForFunction(() => !document.getElementById("noting").open);
  found.marked = await page.$$eval(".noted", nodes => nodes.length);
  found.notes = await page.evaluate(() => { begin(state.players, 1); return state.notes; });
  const input = await page.$("#file");
  for (const [name, text] of Object.entries({ damaged: '{"seed":1,"players":3,"pieces":[{"kind":99999}]}', words: "no",
    wrong_notes: '{"seed":1,"players":3,"pieces":[],"notes":{"a":5}}' })) {
    await page.evaluate((element, content) => {
      const files = new DataTransfer();
      files.items.add(new File([content], "table.json"));
      element.files = files.files;
      element.dispatchEvent(new Event("change"));
    }, input, text);
    await new Promise(resolve => setTimeout(resolve, 50));
    found[name] = (await read()).said;
  }
  found.names = await page.evaluate(() => [begin(state.players, 1), ...tops().slice(0, 2).map(titleOf)].slice(1));
  found.bar = await page.$$eval("#acts button", buttons => buttons.map(button => button.id));
  await page.click("#list-button");
  found.listed = await page.$$eval("#list button", buttons => buttons.map(button => button.textContent));
  await page.evaluate(axe);
  for (const width of [1200, 390]) {
    await page.setViewport({ width, height: 760 });
    await page.evaluate(() => openMore(true));
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] }));
    found.violations.push(...violations.map(each => `${each.id} ${each.nodes[0].html}`));
  }
  const across = () => page.evaluate(() => tops().slice(0, 14).map(n => nodes[n].getBoundingClientRect()).map(box => [box.left, box.right]));
  await page.evaluate(() => { act.list(); begin(state.players, 1); });
  found.begun = await across();
  await page.click("#whole");
  found.whole = await across();
  found.refused = await page.evaluate(() => window.refused || []);
  found.images = await page.evaluate(() => document.querySelectorAll("img,script[src],iframe").length);
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(found));
