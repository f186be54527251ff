// Counts a game on a deck's page in Chromium, by tapping on a phone 390 pixels wide, and prints what came of it.
//
//     node deck_played.mjs NODE_MODULES CHROMIUM PAGE_URL < tallies.json
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forgetLater, openProfile } from "../../engines.mjs";

const [modules, chromium, address] = process.argv.slice(2);
const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
const tallies = JSON.parse(readFileSync(0, "utf8")), found = { errors: [], requests: [], violations: [] };

const browser = await openProfile(modules, chromium);
try {
  const page = await browser.newPage();
  const phone = height => page.setViewport({ width: 390, height, hasTouch: true, isMobile: true });
  await forgetLater(page);
  await phone(760);
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  page.on("pageerror", error => found.errors.push(error.message));
  page.on("request", request => { if (!/^(data|blob):/.test(request.url()) && request.url() !== address)
    found.requests.push(request.url()); });
  await page.evaluateOnNewDocument(() => addEventListener("securitypolicyviolation", event => {
    (window.refused = window.refused || []).push(`${event.violatedDirective} ${event.blockedURI}`);
  }));
  await page.goto(address);
  await page.waitForSelector("#drawings symbol");

  const tap = (...ids) => page.evaluate(all => all.forEach(window.tap), ids);
  await page.evaluate(() => {
    window.tap = id => {
      const element = document.getElementById(id), { top, bottom, left, right } = element.getBoundingClientRect();
      if (top < 0 || left < 0 || bottom > innerHeight + 1 || right > innerWidth + 1) throw new Error(`${id} is not in sight`);
      element.click();
    };
  });
  const judge = async () => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run({ exclude: ["#drawings"] }, { resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] }));
    found.violations.push(...violations.map(each => `${each.id} ${each.nodes[0].html}`));
  };
  const read = ask => page.evaluate(ask);
  await tap("new-any");
  while (await read(() => document.querySelectorAll(".seat").length) < tallies.players.length) await tap("add");
  for (let more; (more = await read(() => document.querySelectorAll(".seat").length)) > tallies.players.length;)
    await tap(`out${more - 1}`);
  for (const [place, { name }] of tallies.players.entries()) await page.type(`#name${place}`, name);
  await page.$eval("#start", element => element.click());

  await tap("digit-8", "undo"); // a wrong digit, taken back
  await judge();
  await page.evaluate(players => {
    const { rules } = JSON.parse(document.querySelector('[id^="game-"]').textContent), { tap } = window;
    const entries = rules.lines.flatMap(line => line.entries || []), box = selector => document.querySelector(selector)
      .getBoundingClientRect();
    for (let cell; (cell = document.querySelector(".cell.at")); tap("next")) {
      const [, n, place] = /^cell-(\d+)-(\d+)$/.exec(cell.id);
      const [row, column] = entries[n].split("."), player = players[place];
      const value = column ? (player[column] || {})[row] : player[row];
      if (typeof value === "number") {
        for (const digit of String(Math.abs(value))) tap(`digit-${digit}`);
        if (value < 0) tap("minus");
      }
      if (box(".cell.at").bottom > box(".deck").top) throw new Error("the cell at the cursor is behind the keys");
    }
  }, tallies.players);
  await phone(4000); // nothing behind the foot
  await judge();
  await page.reload(); // everything was kept
  await page.waitForSelector("#drawings symbol");
  await page.$eval("[id^=past-]", element => element.click());
  await page.$eval("#pl0", element => element.click());
  Object.assign(found, await read(() => ({
    verdict: document.querySelector(".verdict").textContent, policy: window.refused || [],
    ranking: [...document.querySelectorAll(".pl > button")].map(each => [".rk", ".nm", ".pt"].map(part =>
      each.querySelector(part).textContent)),
    sheet: document.querySelector("table").textContent, images: document.querySelectorAll("img").length,
    wide: document.documentElement.scrollWidth > innerWidth,
  })));
  found.copied = await read(() => {
    const past = JSON.parse(localStorage.getItem("any/ppgen-scorer")).games[0];
    const players = past.players.map(({ name }, place) => {
      const player = { name };
      for (const field of Object.keys(past.cells)) {
        const [seat, row, column] = field.split(".");
        if (seat === `p${place + 1}`) (column ? player[column] = player[column] || {} : player)[row] = past.cells[field];
      }
      return player;
    });
    return window.ppgen.score({ players });
  });
  found.result = await page.evaluate(given => window.ppgen.score(given), tallies);
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(found));
