// Counts a game on the scorer page in another browser and prints what it says.
//
//     node smoke.mjs NODE_MODULES PROGRAM PAGE_URL firefox|webkit < deal.json
//
// PROGRAM is Firefox, or WebKitGTK's WebDriver, which needs a display.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { startWebKit } from "../../webkit.mjs";

const [modules, program, address, kind] = process.argv.slice(2);
const deal = readFileSync(0, "utf8");

// Once the page has taken in its drawings, which it does when it was shown: everything in one go, as it does at most a
// few milliseconds of work at each tap.
const played = `const deal = ${deal};
const tap = id => document.getElementById(id).click();
tap("new-card-game");
for (let more = 3; more < deal.players.length; more++) tap("add");
deal.players.forEach((player, place) => {
  const field = document.getElementById("name" + place);
  field.value = player.name;
  field.dispatchEvent(new Event("input"));
});
tap("start");
for (let step = 0; step < 400 && !document.querySelector(".podium"); step++) {
  if (document.getElementById("anyway")) { tap("anyway"); continue; }
  const [, place, column] = /^cell-(\\d)(.*)$/.exec(document.querySelector(".cell.at").id),
    player = deal.players[place];
  const row = JSON.parse(localStorage.getItem("ppgen-scorer")).drafts["card-game"].at.row;
  tap("digit-" + ((column ? player[column][row] : player[row]) || 0));
}
tap("pl0");
return JSON.stringify({
  agent: navigator.userAgent, verdict: document.querySelector(".verdict").textContent,
    opened: document.querySelector(".open p").textContent,
  result: window.ppgen.score(deal), wide: document.documentElement.scrollWidth > innerWidth,
    drawn: document.querySelectorAll("#drawings symbol").length,
});`;

async function firefox() {
  const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: program, headless: true,
    timeout: 120000 });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(address);
    await page.waitForSelector("#drawings symbol");
    return await page.evaluate(`(() => { ${played} })()`);
  } finally {
    await browser.close();
  }
}

async function webkit() {
  const { ask, quit } = await startWebKit(program);
  try {
    await ask("POST", "/url", { url: address });
    const run = script => ask("POST", "/execute/sync", { script, args: [] });
    while (!await run('return document.querySelector("#drawings symbol") !== null;')) {
      await new Promise(done => setTimeout(done, 100));
    }
    return await run(played);
  } finally {
    await quit();
  }
}

const said = await (kind === "firefox" ? firefox() : webkit());
process.stdout.write(said);
