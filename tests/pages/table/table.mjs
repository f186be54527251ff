// Plays at a table in Chromium and prints what came of it.
//
//     node table.mjs NODE_MODULES CHROMIUM PAGE_URL < {"seed": 7, "acts": ["Tab", "f", …]}
//
// The acts are events in the page, which are not painted each; notes are typed and pieces dragged for real.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forgetLater, openProfile } from "../../engines.mjs";

const [modules, chromium, address] = process.argv.slice(2);
const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
const { acts, seed } = JSON.parse(readFileSync(0, "utf8"));
const found = { errors: [], requests: [], refused: [], violations: [] };

const browser = await openProfile(modules, chromium);
try {
  const page = await browser.newPage();
  await forgetLater(page);
  await page.setViewport({ width: 1200, height: 800 });
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  page.on("pageerror", error => found.errors.push(error.message));
  page.on("request", request => { if (!/^(data|blob):/.test(request.url()) && request.url() !== address)
    found.requests.push(request.url()); });
  await page.evaluateOnNewDocument(() => addEventListener("securitypolicyviolation", event => {
    (window.refused = window.refused || []).push(`${event.violatedDirective} ${event.blockedURI}`);
  }));
  await page.goto(address);
  const read = () => page.evaluate(() => JSON.parse(JSON.stringify(state)));
  const press = keys => page.evaluate(all => all.forEach(key => table.dispatchEvent(new KeyboardEvent("keydown", { key }))), keys);
  const begun = async () => { await page.evaluate(given => begin(state.players, given), seed); return read(); };
  const kindsOf = ({ pieces }) => pieces.map(({ kind }) => kind).filter(kind => kind >= 0).sort((a, b) => a - b);

  found.first = await begun();
  await press(acts);
  found.played = await read();
  found.kinds = [kindsOf(found.first), kindsOf(found.played)];
  await page.reload();
  found.kept = await read();
  await begun();

  // a piece is dragged by the mouse to a seat, and a damaged game is refused
  const [from, to] = await page.evaluate(() => [nodes[tops()[0]], document.querySelector(".seat")].map(node => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  }));
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 4 });
  await page.mouse.up();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  found.dragged = await page.evaluate(() => [past.length, byId("said").textContent]);

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
    found[name] = await page.evaluate(async (element, content) => {
      const files = new DataTransfer();
      files.items.add(new File([content], "table.json"));
      element.files = files.files;
      tell("");
      element.dispatchEvent(new Event("change"));
      while (!document.getElementById("said").textContent) await new Promise(done => setTimeout(done));
      return document.getElementById("said").textContent;
    }, input, text);
  }
  found.bar = await page.$$eval("#acts button", buttons => buttons.map(button => button.id));
  await page.click("#list-button");
  found.listed = await page.$$eval("#list button", buttons => buttons.map(button => button.textContent));
  await page.evaluate(axe);
  await page.setViewport({ width: 390, height: 760 });
  await page.evaluate(() => openMore(true));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] }));
  found.violations.push(...violations.map(each => `${each.id} ${each.nodes[0].html}`));
  found.refused = await page.evaluate(() => window.refused || []);
  found.images = await page.evaluate(() => document.querySelectorAll("img,script[src],iframe").length);
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(found));
