// Plays on the scorer page in Chromium, as people do and as they shouldn't, and prints what came of it.
//
//     node played.mjs NODE_MODULES CHROMIUM PAGE_URL LONE_URL < given.json
//
// LONE_URL is a page of the board game alone. given.json is {games, deals, positions}: games to be scored through
// window.ppgen, deals to be counted on the pad, the first of the positions to be put on the map.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, program, address, lone] = process.argv.slice(2);
const require = createRequire(join(modules, "x.js"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
const { games, deals, positions } = JSON.parse(readFileSync(0, "utf8"));
const found = { requests: [], errors: [], violations: [] };

const browser = await puppeteer.launch({ executablePath: program, args: ["--no-sandbox",
  "--allow-file-access-from-files", "--disable-gpu"] });

async function tab() {
  const page = await browser.newPage();
  await page.setViewport({ width: 360, height: 640, hasTouch: true, isMobile: true });
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  page.on("request", request => { if (!/^(data|blob):/.test(request.url())
    && ![address, lone].includes(request.url())) found.requests.push(request.url()); });
  page.on("pageerror", error => found.errors.push(error.message));
  await page.evaluateOnNewDocument(() => addEventListener("securitypolicyviolation", event => {
    (window.violations = window.violations || []).push(`${event.violatedDirective} ${event.blockedURI}`);
  }));
  return page;
}

// The page as somebody opens it for the first time, after a script: nothing is stored. Always in the same tab.
const only = await tab();
async function open(before = "", where = address) {
  const { identifier } = await only.evaluateOnNewDocument(`localStorage.clear(); sessionStorage.clear(); ${before}`);
  await only.goto(where);
  await only.removeScriptToEvaluateOnNewDocument(identifier); // what is stored from now on outlives a reload
  return only;
}

const click = (page, ...ids) => page.evaluate(all => {
  for (const id of all) {
    const element = document.getElementById(id);
    if (!element) throw new Error(`no ${id} on ${document.querySelector(".screen").className}`);
    element.dispatchEvent(new MouseEvent("click", { bubbles: true })); // drawings have no click()
  }
}, ids);
const text = (page, selector) => page.$eval(selector, element => element.textContent);
const has = (page, id) => page.evaluate(each => Boolean(document.getElementById(each)), id);
const stored = page => page.evaluate(() => JSON.parse(localStorage.getItem("ppgen-scorer")));

async function begin(page, names, game = "card-game") {
  await click(page, `new-${game}`);
  for (let more = 3; more < names.length; more++) await click(page, "add");
  for (const [place, name] of names.entries()) await page.type(`#name${place}`, name);
  await click(page, "start");
}

// Count as the page asks until it asks for nothing more: what stands where the cursor is, or "go on anyway".
const countOut = (page, deal, most = 999) => page.evaluate((tallies, steps) => {
  for (let step = 0; step < steps; step++) {
    const anyway = document.getElementById("anyway"), at = document.querySelector(".cell.at");
    if (anyway) { anyway.click(); continue; }
    if (!at) return document.querySelector(".screen").className;
    const [, place, column] = /^cell-(\d)(.*)$/.exec(at.id), player = tallies.players[place];
    const row = JSON.parse(localStorage.getItem("ppgen-scorer")).drafts["card-game"].at.row;
    document.getElementById(`digit-${(column ? player[column][row] : player[row]) || 0}`).click();
  }
  return document.querySelector(".screen").className;
}, deal, most);

async function judgeAccess(page, state) {
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
  const findings = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] }));
  for (const each of findings.violations) found.violations.push(
    `${state}: ${each.id} ${each.nodes.map(node => node.target).join(" ").slice(0, 200)}`);
}

// What is wider than the screen, and targets under 44 px.
const misfits = page => page.evaluate(() => [
  ...(document.documentElement.scrollWidth > innerWidth
    ? [`${document.querySelector(".screen").className} is ${document.documentElement.scrollWidth} wide`] : []),
  ...[...document.querySelectorAll("button, .file")].filter(each => {
    const box = each.getBoundingClientRect();
    return box.height < 43.5 || box.width < 30;
  }).map(each => `${document.querySelector(".screen").className} #${each.id} is small`)]);

// ---- 1: through window.ppgen ----
{
  const page = await open();
  found.scores = await page.evaluate(all => all.map(game => window.ppgen.score(game)), games);
  found.placed = await page.evaluate(all =>
    all.map(game => { try { return window.ppgen.score(game); } catch (error) { return error.message; } }), positions);
  found.refused = await page.evaluate(() => [{ players: [] }, null, 5, "x", { game: "chess", players: [] },
    { players: [{ name: "A", cards: { france: 9 } }, { name: "A" }, { name: "C" }] }].map(wrong => {
    try { window.ppgen.score(wrong); return ""; } catch (error) { return error instanceof Error ? error.message
      : "no Error"; }
  }));
}

// ---- 2: counted on the pad, with a refusal, an undo and a reload on the way ----
{
  const page = await open();
  await judgeAccess(page, "home");
  found.misfits = await misfits(page);
  found.results = [];
  for (const [number, deal] of deals.entries()) {
    await begin(page, deal.players.map(player => player.name));
    if (number === 0) {
      found.misfits.push(...await misfits(page));
      await countOut(page, deal, 2);
      const before = await stored(page);
      const wrong = await page.evaluate(() => [...document.querySelectorAll(".key[aria-disabled=true]")].filter(key =>
        key.id !== "undo").map(key => key.id));
      await click(page, wrong[wrong.length - 1]);
      found.refusal = { digits: wrong.length, alert: await text(page, "[role=alert]"),
        kept: JSON.stringify(before.drafts) === JSON.stringify((await stored(page)).drafts) };
      await judgeAccess(page, "refused");
      await countOut(page, deal, 1);
      await click(page, "undo");
      found.undone = JSON.stringify(before.drafts["card-game"].cells) === JSON.stringify((await stored(page)).drafts[
        "card-game"].cells);
      await page.reload();
      await click(page, "on-card-game");
    }
    found.ended = await countOut(page, deal);
    if (number === 0) {
      await judgeAccess(page, "result");
      found.misfits.push(...await misfits(page));
      await click(page, "pl0");
      found.opened = await text(page, ".open p");
      found.why = await page.$$eval("details p", all => all.map(each => each.textContent));
      await click(page, "to-sheet");
      await judgeAccess(page, "sheet");
      found.misfits.push(...await misfits(page));
      await click(page, "fix-france-0", "back", "on-card-game");
    }
    found.results.push({ verdict: await text(page, ".verdict"), totals: await page.$$eval(".podium .nm",
      all => all.map(each => [each.firstChild.data, each.nextSibling.textContent])) });
    await click(page, "home");
  }
  await click(page, "to-past");
  await judgeAccess(page, "past");
  found.misfits.push(...await misfits(page));
  found.wins = await page.$$eval(".wins li", all => all.map(each => each.textContent));

  // one of them corrected: its first player loses all ships
  const kept = (await stored(page)).games;
  await click(page, `past-${kept[0].id}`, "edit");
  await click(page, "fix-ships-0", "digit-0");
  found.correcting = await page.evaluate(() => document.querySelector(".screen").className);
  await click(page, "goon", "keep");
  const after = (await stored(page)).games;
  found.corrected = { same: after.length === kept.length && after[0].id === kept[0].id,
    ships: after[0].cells["p1.ships"], drafts: Object.keys((await stored(page)).drafts) };

  // out as data and back in
  await click(page, `past-${kept[1].id}`);
  const data = await page.evaluate(
    () => { navigator.clipboard.writeText = words => { window.copied = words; return Promise.resolve(
    ); }; document.getElementById("copy-data").click(); return window.copied; });
  found.data = JSON.parse(data);
  await click(page, "bin", "yes-delete");
  const fewer = (await stored(page)).games.length;
  await click(page, "paste");
  await page.$eval("#typed", (area, words) => { area.value = words; area.dispatchEvent(new Event("input")); }, data);
  await judgeAccess(page, "paste");
  await click(page, "take");
  const more = (await stored(page)).games;
  found.pasted = { fewer: kept.length - fewer, more: more.length - fewer };
  await click(page, "paste");
  await page.$eval("#typed", area => { area.value = '{"players": []}'; area.dispatchEvent(new Event("input")); });
  await click(page, "take");
  found.unpasted = await text(page, "dialog .note");
  await click(page, "no-paste", "back", "gear");
  await judgeAccess(page, "settings");
  found.misfits.push(...await misfits(page));
  await click(page, "theme-dark", "back");
  await click(page, `past-${more[0].id}`);
  await judgeAccess(page, "dark result");
  found.policy = await page.evaluate(() => window.violations || []);
}

// ---- 2: put on the map: the interim scoring known by its points, every cloister and every councillor ----
{
  const page = await open(), position = positions[0], letters = position.players.map(name => name[0]);
  await begin(page, position.players, "board-game");
  found.misfits.push(...await misfits(page));
  await click(page, "whole", "land-france"); // widest, and a long name at its edge
  found.cut = await page.$$eval(".m .name:not(.dim)", all => all.filter(name => { // their rims are 1 px
    const box = name.getBoundingClientRect();
    return box.left < 2 || box.right > innerWidth - 2;
  }).map(name => name.textContent));
  await click(page, "phase-final");
  await page.evaluate(points => points.forEach((each, place) => {
    const field = document.getElementById(`points${place}`);
    field.value = each;
    field.dispatchEvent(new Event("input"));
  }), position.before);
  await click(page, "start-final", "advise");
  found.court = await text(page, "[role=alert]");
  await page.evaluate((all, labels, known) => {
    const tap = id => document.getElementById(id).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    for (const country of Object.keys(all.spaces)) {
      tap("whole");
      tap(`land-${country}`);
      labels[country].forEach((label, place) => {
        const letter = all.spaces[country][place];
        if (letter !== ".") { tap(`brush-${known.indexOf(letter)}`); tap(`space-${label}`); }
      });
      for (const letter of all.councillors[country] || "") { tap(`brush-${known.indexOf(letter)}`); tap("court"); }
    }
  }, position, await page.evaluate(() =>
    Object.fromEntries(JSON.parse(document.getElementById("game-board-game").textContent).rules.countries.map(each =>
    [each.id, each.spaces]))), letters);
  await judgeAccess(page, "map full");
  found.misfits.push(...await misfits(page));
  await page.reload();
  await click(page, "on-board-game", "to-result");
  await judgeAccess(page, "map result");
  found.misfits.push(...await misfits(page));
  const words = await page.evaluate(
    () => { navigator.clipboard.writeText = each => { window.copied = each; return Promise.resolve(
    ); }; document.getElementById("copy-data").click(); return window.copied; });
  found.board = { verdict: await text(page, ".verdict"), data: JSON.parse(words), boxes: await page.$$eval("button.al",
    all => all.map(each => each.lastChild.textContent)) };
  await click(page, "box-3");
  found.board.lit = await page.$$eval(".land.lit", all => all.length);
  await click(page, "home");
  found.board.kept = (await stored(page)).games.length;
}

// ---- 2: the board game alone, with nothing of the other's ----
{
  const page = await open("", lone);
  await begin(page, ["A", "B", "C"], "board-game");
  await click(page, "space-FR1", "undo", "space-FR1", "phase-final", "court", "to-result");
  found.alone = { verdict: await text(page, ".verdict"), missing: await page.$$eval("use",
    all => all.map(each => each.getAttribute("href").slice(1)).filter(id => !document.getElementById(id))) };
}

// ---- 3: names are text ----
{
  const page = await open(), name = "<img src=x onerror=alert(1)>";
  await begin(page, [name, "\"><b>", "{name}"]);
  await countOut(page, deals[0]);
  found.markup = { images: await page.$$eval("img, b b", all => all.length), name: await page.$eval(".podium",
    (list, wanted) => list.textContent.includes(wanted), name) };
}

// ---- 4: what may be in the storage ----
found.storage = {};
for (const [name, words] of Object.entries({
  garbage: "{\"v\":1,", newer: "{\"v\":2,\"games\":[]}",
  wrong: JSON.stringify({ v: 1, prefs: [], names: [1, "Åse", {}], games: [null, { game: "card-game", id: "x",
    when: "2026-01-01", players: [] }, { game: "__proto__" }], drafts: { "card-game": { game: "card-game", id: "y",
    when: "", players: "no", cells: {} }, x: 7 } }),
  cells: JSON.stringify({ v: 1, prefs: {}, names: [], games: [], drafts: { "card-game": { game: "card-game", id: "z",
    when: "2026-01-01", players: [1, 2, 3].map(seat => ({ name: `N${seat}`, seat })), cells: { "p1.france.cards": 3 },
    at: { row: "nowhere", place: 9 }, undo: [1, {}], last: "x" } } }),
})) {
  const page = await open(`localStorage.setItem("ppgen-scorer", ${JSON.stringify(words)});`);
  await click(page, await has(page, "new-card-game") ? "new-card-game" : "on-card-game");
  found.storage[name] = await page.evaluate(before => ({ kept: localStorage.getItem("ppgen-scorer") === before,
    copy: localStorage.getItem("ppgen-scorer-spoilt") === before,
    screen: document.querySelector(".screen").className }), words);
}
{
  const page = await open('Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };');
  await begin(page, ["A", "B", "C"]);
  found.storage.full = { screen: await page.evaluate(() => document.querySelector(".screen").className) };
  await page.evaluate(() => document.getElementById("digit-3").click());
  found.storage.full.counted = await text(page, "#cell-0cards");
  await click(page, "back");
  found.storage.full.told = await has(page, "on-card-game") && await text(page, ".note");
}

// ---- 5: two tabs ----
{
  const one = await open(), other = await tab();
  await other.goto(address);
  await begin(one, ["A", "B", "C"]);
  await one.evaluate(() => document.getElementById("digit-3").click());
  // A browser under load may tell a tab late of what another one stored: then the tab is opened anew, as people do.
  const hears = async (tab, test) => {
    for (let tries = 0; tries < 6; tries++) {
      await tab.bringToFront(); // a tab in the background draws no frames
      if (await tab.waitForFunction(test, { polling: 100, timeout: 4000 }).catch(() => null)) return;
      await tab.reload();
      if (await has(tab, "on-card-game") && tries) await click(tab, "on-card-game");
    }
    throw new Error(`a tab never heard: ${test}`);
  };
  await hears(other, () => Boolean(document.getElementById("on-card-game") || document.getElementById("cell-0cards")));
  if (await has(other, "on-card-game")) await click(other, "on-card-game");
  await hears(other, () => document.getElementById("cell-0cards")?.textContent === "3");
  await click(other, "digit-2");
  await hears(one, () => document.getElementById("cell-0symbols")?.textContent === "2");
  found.tabs = (await stored(one)).drafts["card-game"].cells;
}

await browser.close();
process.stdout.write(JSON.stringify(found));
