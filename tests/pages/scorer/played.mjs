// Plays on the scorer page in Chromium, as people do and as they shouldn't, and prints what came of it.
//
//     node played.mjs NODE_MODULES CHROMIUM PAGE_URL LONE_URL < given.json
//
// LONE_URL is a page of the board game alone, with room for 12 games and 40,000 characters. given.json is {games, deals,
// position}: games to be scored through window.ppgen, a deal to be counted on the pad and one to be pasted, and what is
// put on the map.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forgetLater, openProfile } from "../../engines.mjs";

const [modules, chromium, address, lone] = process.argv.slice(2);
const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
const { games, deals: [deal, pasted], position } = JSON.parse(readFileSync(0, "utf8"));
const found = { failed: {}, requests: [], errors: [], violations: [], misfits: [] };

// What a step finds stays, though a later one fails.
const step = async (name, act) => {
  try { await act(); } catch (error) { found.failed[name] = String(error.stack); }
};

const browser = await openProfile(modules, chromium);

async function tab() {
  const page = await browser.newPage();
  await forgetLater(page);
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
  await only.waitForSelector("#drawings symbol"); // they come once the page is shown
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
// What a screen reader is told after a tap, which takes a moment.
const spoken = page => page.waitForFunction(() => document.getElementById("live").textContent, { polling: 20 }).then(
  told => told.jsonValue());
const stored = page => page.evaluate(() => JSON.parse(localStorage.getItem("ppgen-scorer")));

const type = (page, selector, words) => page.$eval(selector, (field, typed) => {
  field.value = typed;
  field.dispatchEvent(new Event("input"));
}, words);

async function begin(page, names, game = "card-game") {
  await click(page, `new-${game}`);
  for (let more = 3; more < names.length; more++) await click(page, "add");
  for (const [place, name] of names.entries()) await type(page, `#name${place}`, name);
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

// Paste a text on the first screen or among the past games; what the page says to it.
async function take(page, words) {
  await click(page, "paste");
  await type(page, "#typed", words);
  await click(page, "take");
  return text(page, ".done, .note");
}

// A script that stores a draft of the card game with these cells, and the cursor in one.
const draftOf = (cells, at, names = ["A", "B", "C"], prefs = {}) => {
  const draft = { game: "card-game", id: "x", when: "2026-01-01", players: names.map((name, place) => ({ name,
    seat: place + 1 })), cells, undo: [], skipped: {}, at, last: null };
  const store = JSON.stringify({ v: 1, prefs, names: [], games: [], drafts: { "card-game": draft } });
  return `localStorage.setItem("ppgen-scorer", ${JSON.stringify(store)});`;
};

async function judgeAccess(page, state) {
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
  const findings = await page.evaluate(() => window.axe.run({ exclude: ["#drawings"] }, { resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice", "experimental"] }));
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

await step("through window.ppgen", async () => {
  const page = await open();
  found.scores = await page.evaluate(all => all.map(game => window.ppgen.score(game)), games);
  found.refused = await page.evaluate(() => [{ players: [] }, null, 5, "x", { game: "chess", players: [] },
    { players: JSON.parse("[".repeat(1e5) + "]".repeat(1e5)) },
    { players: [{ name: "A", cards: { france: 9 } }, { name: "A" }, { name: "C" }] }].map(wrong => {
    try { window.ppgen.score(wrong); return ""; } catch (error) { return error instanceof Error ? error.message
      : "no Error"; }
  }));
});

await step("counted on the pad, with a refusal, an undo and a reload on the way", async () => {
  const page = await open();
  found.misfits.push(...await misfits(page));
  await begin(page, deal.players.map(player => player.name));
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
  found.ended = await countOut(page, deal);
  await judgeAccess(page, "result");
  found.misfits.push(...await misfits(page));
  await click(page, "pl0");
  found.opened = await text(page, ".open p");
  found.why = await page.$$eval("details p", all => all.map(each => each.textContent));
  await click(page, "to-sheet");
  found.misfits.push(...await misfits(page));
  found.keptAtOnce = (await stored(page)).games.length;
  await click(page, "undo"); // the last number: the game is open again
  found.opened_again = (await stored(page)).games.length;
  await countOut(page, deal);
  await click(page, "to-sheet", "fix-france-0", "to-sheet", "goon");
  found.counted = { verdict: await text(page, ".verdict"), totals: await page.$$eval(".podium .nm",
    all => all.map(each => [each.firstChild.data, each.nextSibling.textContent])) };
  found.markup = await page.$$eval("img, b b", all => all.length);
  await click(page, "home");
  await take(page, JSON.stringify(pasted));
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

  // out as words where nothing else can send them
  await click(page, `past-${kept[1].id}`);
  found.shared = await page.evaluate(() => {
    navigator.share = undefined;
    navigator.clipboard.writeText = words => { window.shared = words; return Promise.resolve(); };
    document.getElementById("share").click();
    return window.shared;
  });
  await page.waitForSelector(".done");
  found.sharedSo = await text(page, ".done");
  await click(page, "back");

  // out as data and back in
  await click(page, `past-${kept[1].id}`);
  const data = await page.evaluate(
    () => { navigator.clipboard.writeText = words => { window.copied = words; return Promise.resolve(
    ); }; document.getElementById("copy-data").click(); return window.copied; });
  found.data = JSON.parse(data);
  await click(page, "bin", "yes-delete");
  const fewer = (await stored(page)).games.length;
  await take(page, data);
  const more = (await stored(page)).games;
  found.pasted = { fewer: kept.length - fewer, more: more.length - fewer };
  await click(page, "paste");
  await type(page, "#typed", '{"players": []}');
  await click(page, "take");
  await judgeAccess(page, "refused paste");
  found.unpasted = await text(page, "dialog .note");
  await click(page, "no-paste", "back", "gear");
  await judgeAccess(page, "settings");
  found.misfits.push(...await misfits(page));
  await click(page, "theme-dark", "back");
  await click(page, `past-${more[0].id}`);
  await judgeAccess(page, "dark result");
  found.policy = await page.evaluate(() => window.violations || []);
});

await step("put on the map: the interim scoring known by its points, every cloister and every councillor", async () => {
  const page = await open(), letters = position.players.map(name => name[0]);
  await begin(page, position.players, "board-game");
  found.misfits.push(...await misfits(page));
  found.touchable = await page.$$eval("[id^=space-] .hit", all => all.map(each => {
    const box = each.getBoundingClientRect();
    return Math.min(box.width, box.height);
  }));
  await click(page, "land-france", "near"); // widest, and a long name at its edge
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
    for (const [place, letter] of known.entries()) { // all of a player's, without a change of country
      tap(`brush-${place}`);
      for (const country of Object.keys(all.spaces)) labels[country].forEach((label, space) => {
        if (all.spaces[country][space] === letter) tap(`space-${label}`);
      });
    }
    for (const country of Object.keys(all.spaces)) for (const letter of all.councillors[country] || "") {
      tap(`brush-${known.indexOf(letter)}`);
      tap(`court-${country}`);
    }
  }, position, await page.evaluate(() =>
    Object.fromEntries(JSON.parse(document.getElementById("game-board-game").textContent).rules.countries.map(each =>
    [each.id, each.spaces]))), letters);
  await judgeAccess(page, "map full");
  found.misfits.push(...await misfits(page));
  await page.reload();
  await click(page, "on-board-game", "go-back"); // the ninth country: what comes next is the result
  found.last = { country: await text(page, ".bh h2"), way: await text(page, "#go-next") };
  await click(page, "go-next");
  found.misfits.push(...await misfits(page));
  const words = await page.evaluate(
    () => { navigator.clipboard.writeText = each => { window.copied = each; return Promise.resolve(
    ); }; document.getElementById("copy-data").click(); return window.copied; });
  found.board = { verdict: await text(page, ".verdict"), data: JSON.parse(words), boxes: await page.$$eval("button.al",
    all => all.map(each => each.lastChild.textContent)) };
  await click(page, "box-3");
  found.board.lit = await page.$$eval(".land.lit", all => all.length);
  const games = async () => (await stored(page)).games.length, steps = [await games()];
  await click(page, "back");
  steps.push(await games()); // counted on: no past game yet
  await click(page, "back");
  found.board.shown = await text(page, "#on-board-game");
  await click(page, "on-board-game");
  steps.push(await games());
  found.board.steps = steps;
  await click(page, "home");
  found.board.kept = (await stored(page)).games.length;
});

await step("the board game alone, where there is little room: nothing that was counted here is dropped", async () => {
  let page = await open("", lone);
  await begin(page, ["A", "B", "C"], "board-game");
  await click(page, "space-FR1", "undo", "space-FR1");
  found.claimed = await spoken(page);
  await click(page, "phase-final", "court-france", "to-result");
  found.alone = { verdict: await text(page, ".verdict"), missing: await page.$$eval("use",
    all => all.map(each => each.getAttribute("href").slice(1)).filter(id => !document.getElementById(id))) };
  await click(page, "home");

  const given = (date, count) => JSON.stringify({ games: Array.from({ length: count }, (_, number) => ({
    game: "board-game", date, players: ["A", `B${number}`, "C"] })) });
  const ids = async () => (await stored(page)).games.map(game => game.id);
  const copies = async count => {
    const [game] = (await stored(page)).games;
    return JSON.stringify({ ...await stored(page), games: Array.from({ length: count }, (_, number) => ({ ...game,
      id: `x${number}` })) });
  };
  await take(page, given("2026-01-01", 7));
  const own = await ids();
  found.imports = [];
  for (const each of [["9999-12-31", 9], ["2026-01-02", 7], ["2026-01-02", 6]])
    found.imports.push(await take(page, given(...each)));
  const after = await ids();
  found.own = [after.length, after.filter(id => own.includes(id)).length];

  // the 13th game, and those of another tab
  await click(page, "back");
  await begin(page, ["A", "B", "C"], "board-game");
  await click(page, "space-FR1", "phase-final", "to-result");
  found.own.push((await ids()).length);
  await page.evaluate(words => localStorage.setItem("ppgen-scorer", words), await copies(5));
  await click(page, "rematch");
  found.own.push((await ids()).length);

  // what a newer page wrote meanwhile stays
  const newer = '{"v":2,"games":[]}', many = await copies(1), one = many.length - (await copies(0)).length;
  const count = 1 + Math.floor((40000 - many.length) / (one + 3)), large = await copies(count);
  await page.evaluate(words => localStorage.setItem("ppgen-scorer", words), newer);
  await click(page, "space-FR1");
  found.newer = await page.evaluate(words => localStorage.getItem("ppgen-scorer") === words, newer);

  // more than fits: what was stored stays, and the page says that it can't save
  page = await open(`localStorage.setItem("ppgen-scorer", ${JSON.stringify(large)});`, lone);
  for (let game = 0; game < 40 && await page.$(".note") === null; game++) // until it is more than fits
    await click(page, "past-x0", "rematch", "space-FR1", "back");
  found.brim = { lost: count - (await ids()).length, told: await text(page, ".note"),
    full: await page.evaluate(() => localStorage.getItem("ppgen-scorer").length > 39000) };
});

found.storage = {};
await step("what may be in the storage", async () => {
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
    await click(page, await has(page, "on-card-game") ? "on-card-game" : "new-card-game");
    found.storage[name] = await page.evaluate(before => ({ kept: localStorage.getItem("ppgen-scorer") === before,
      copy: localStorage.getItem("ppgen-scorer-spoilt") === before,
      screen: document.querySelector(".screen").className }), words);
  }
});
await step("a full storage", async () => {
  const page = await open('Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };');
  await begin(page, ["A", "B", "C"]);
  found.storage.full = { screen: await page.evaluate(() => document.querySelector(".screen").className) };
  await page.evaluate(() => document.getElementById("digit-3").click());
  found.storage.full.counted = await text(page, "#cell-0cards");
  await click(page, "back");
  found.storage.full.told = await has(page, "on-card-game") && await text(page, ".note");
});

await step("labels beside numbers", async () => {
  const { deck } = JSON.parse(await text(only, "#game-card-game")), players = ["Anna", "Bartholomäus", "Chlodwig"];
  const columns = [...deck.countries.flatMap(({ id }) => [`${id}.cards`, `${id}.symbols`]), "ships", "carriages",
    "minus_two"], cells = {};
  for (const place of players.keys()) for (const column of columns) // none of France is counted: all of it is missing
    cells[`p${place + 1}.${column}`] = /\.cards/.test(column) && !/^france/.test(column) ? 1 : 0;
  delete cells["p1.saxony.cards"];
  found.beside = [];
  for (const lang of ["nl", "ja"]) { // the longest words, and the widest letters
    const page = await open(draftOf(cells, { row: "saxony", place: 0, column: "cards" }, players, { lang }));
    for (const way of ["on-card-game", "to-sheet"]) {
      await click(page, way);
      for (const width of [360, 720]) { // the narrowest of each layout
        await page.setViewport({ width, height: 800, hasTouch: true, isMobile: true });
        found.beside.push(...await page.evaluate(where => {
          const rect = element => {
            const range = document.createRange();
            range.selectNodeContents(element);
            return range.getBoundingClientRect();
          }, wrong = [];
          const labels = [...document.querySelectorAll("tbody tr, tfoot tr")];
          for (const row of labels) {
            const end = Math.max(...[...row.querySelectorAll("th .lb > span:not(.vh), th > .in > b, tfoot th")].map(each =>
              rect(each).right), 0), from = row.querySelector("td").getBoundingClientRect().left;
            if (end > from + 0.5) wrong.push(`${where}: ${row.textContent.slice(0, 20)} ends at ${end}, numbers at ${from}`);
          }
          const spans = [...document.querySelectorAll(".heads span")].filter(each => each.textContent).map(each =>
            [each.textContent, rect(each)]);
          spans.forEach(([words, box], place) => {
            if (box.height > 24) wrong.push(`${where}: ${words} is broken`);
            const next = spans[place + 1];
            if (next && box.right > next[1].left) wrong.push(`${where}: ${words} runs into ${next[0]}`);
          });
          if (!labels.length && !spans.length) wrong.push(`${where}: nothing to see`);
          return wrong;
        }, `${lang} ${width} ${way}`));
      }
    }
  }
  await only.setViewport({ width: 360, height: 640, hasTouch: true, isMobile: true });
});

await step("several drafts, other players, and away with one", async () => {
  const page = await open(), drafts = async () => (await stored(page)).drafts;
  await begin(page, ["Ann", "Ben", "Cid"]);
  await page.evaluate(() => document.getElementById("digit-3").click());
  found.spoken = await spoken(page);
  await click(page, "digit-1", "digit-2", "back");
  await begin(page, ["Dan", "Eve", "Fay"]);
  await click(page, "back");
  const two = await drafts();
  found.drafts = Object.values(two).map(game => game.players.map(player => player.name).join(" "));
  await judgeAccess(page, "drafts");
  found.misfits.push(...await misfits(page));

  // another name, another order and one more: what was counted goes along with its player
  await click(page, "more-card-game");
  await click(page, "edit-players");
  await judgeAccess(page, "players");
  await type(page, "#name0", "Anna");
  await click(page, "up1", "add");
  await page.type("#name3", "Gil");
  await click(page, "start");
  const changed = (await drafts())["card-game"];
  found.reseated = { names: changed.players.map(player => player.name), cells: changed.cells, at: changed.at };
  await click(page, "to-sheet", "players", "out1", "start");
  found.sure = await text(page, "dialog p");
  await click(page, "yes-remove");
  const fewer = (await drafts())["card-game"];
  await click(page, "undo");
  const again = (await drafts())["card-game"];
  found.removed = { names: fewer.players.map(player => player.name), cells: fewer.cells,
    undone: JSON.stringify([again.players, again.cells]) === JSON.stringify([changed.players, changed.cells]) };

  await click(page, "back", "more-card-game", "discard");
  found.discarded = Object.keys(await drafts()).length;
  await click(page, "take-back");
  found.taken_back = Object.values(await drafts()).map(game => game.players[0].name).sort();

  // councillors stay only where cloisters enough are left
  await begin(page, ["A", "B", "C", "D"], "board-game");
  await click(page, "space-EN1", "brush-3", "space-FR1", "phase-final", "brush-0", "court-england",
    "court-france", "back", "more-board-game", "edit-players", "out3", "start", "yes-remove");
  const { spaces, councillors } = (await drafts())["board-game"];
  found.fewer = { spaces, councillors };
  await click(page, "back", "more-board-game", "discard");
});

await step("a game of which nothing is counted, and corrections of it", async () => {
  const rows = JSON.parse(await text(only, "#game-card-game")).deck.countries.map(({ id }) => `${id}.cards`);
  const cells = [1, 2, 3].flatMap(seat => [...rows, "ships", "carriages", "minus_two"].map(row => [`p${seat}.${row}`, 0]));
  const page = await open(draftOf(Object.fromEntries(cells.slice(0, -1)), { row: "minus_two", place: 2, column: "" }));
  const drafts = async () => (await stored(page)).drafts;
  await click(page, "on-card-game", "digit-0");
  found.draw = { verdict: await text(page, ".verdict"), crowns: await page.$$eval(".crown, .pl.w", all => all.length),
    note: await text(page, ".note") };

  // one that changes nothing leaves nothing, one of a game that is deleted goes with it
  await click(page, "home");
  const past = (await stored(page)).games[0].id;
  await click(page, `past-${past}`, "edit", "back");
  const unchanged = Object.keys(await drafts()).length;
  await click(page, `past-${past}`, "edit", "players");
  await type(page, "#name0", "Zoe");
  await click(page, "start", "back");
  const correcting = Object.keys(await drafts()).length;
  await click(page, `past-${past}`, "bin", "yes-delete");
  found.corrections = [unchanged, correcting, Object.keys(await drafts()).length].map(count => count - unchanged);
});

await step("numbers of two digits from a keyboard", async () => {
  const { deck } = JSON.parse(await text(only, "#game-card-game"));
  const page = await open(draftOf(Object.fromEntries(deck.countries.map(({ id, number }) => [`p1.${id}.cards`, number])),
    { row: "ships", place: 0, column: "" }));
  const ships = async () => (await stored(page)).drafts["card-game"].cells["p1.ships"];
  await click(page, "on-card-game");
  await page.keyboard.press("1");
  found.digits = [await text(page, "#cell-0"), await ships()];
  await page.keyboard.press("Backspace");
  found.digits.push(await text(page, "#cell-0"));
  await page.keyboard.press("1");
  await page.keyboard.press("0");
  found.digits.push(await ships());
  await page.keyboard.press("Backspace");
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  found.digits.push(await ships());
});

await step("two tabs", async () => {
  // Two new tabs: the tab of the other steps has filled its store, after which it may not hear from another.
  const one = await tab(), other = await tab();
  await one.goto(address);
  await one.evaluate(() => localStorage.clear());
  await one.reload();
  await other.goto(address);
  await begin(one, ["A", "B", "C"]);
  await one.evaluate(() => document.getElementById("digit-3").click());
  const hears = async (tab, test) => {
    await tab.bringToFront(); // a tab in the background draws no frames
    await tab.waitForFunction(test, { polling: 100 });
  };
  await hears(other, () => document.getElementById("on-card-game"));
  await click(other, "on-card-game");
  await hears(other, () => document.getElementById("cell-0cards")?.textContent === "3");
  await click(other, "digit-2");
  await hears(one, () => document.getElementById("cell-0symbols")?.textContent === "2");
  found.tabs = (await stored(one)).drafts["card-game"].cells;

  // an event that arrives late does not bring back what was stored before it
  found.late = await one.evaluate(() => {
    const late = JSON.parse(localStorage.getItem("ppgen-scorer"));
    late.drafts["card-game"].cells = {};
    dispatchEvent(new StorageEvent("storage", { key: "ppgen-scorer", newValue: JSON.stringify(late) }));
    return JSON.parse(localStorage.getItem("ppgen-scorer")).drafts["card-game"].cells;
  });

  // a tab that slept got no event, as of what is stored by its own page
  found.slept = await one.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem("ppgen-scorer"));
    stored.drafts["card-game"].cells["p2.france.cards"] = 1;
    localStorage.setItem("ppgen-scorer", JSON.stringify(stored));
    document.dispatchEvent(new Event("visibilitychange"));
    return document.getElementById("cell-1cards").textContent;
  });
});

await browser.close();
process.stdout.write(JSON.stringify(found));
