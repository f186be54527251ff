// Takes pictures of the scorer page as a phone shows it: where a game begins, a country of the card game, the map.
//
//     node scorer_picture.mjs NODE_MODULES CHROMIUM PAGE.html FOLDER
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, program, file, folder] = process.argv.slice(2);
const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
const browser = await puppeteer.launch({ executablePath: program, headless: true, args: ["--no-sandbox", "--lang=de"] });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 360, height: 720, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  await page.evaluateOnNewDocument(() => Object.defineProperty(navigator, "languages", { get: () => ["de"] }));
  await page.goto(pathToFileURL(file).href);
  const shown = () => new Promise(done => setTimeout(done, 600));
  const press = async (word) => {
    const button = await page.evaluateHandle(
      text => [...document.querySelectorAll("button")].find(each => each.textContent.includes(text)), word);
    await button.click();
    await shown();
  };
  const take = name => page.screenshot({ path: join(folder, `scorer-${name}.png`) });
  await shown();
  await take("1-home");
  await press("Das Kartenspiel");
  const names = await page.$$("input[type=text], input:not([type])");
  for (const [number, name] of ["Anna", "Ben", "Cem"].entries()) { await names[number].type(name); }
  await press("Zählen");
  for (const digit of "3222") { await page.keyboard.press(digit); await shown(); }
  await take("2-count");
  await page.reload();
  await shown();
  await press("Das Brettspiel");
  const players = await page.$$("input[type=text], input:not([type])");
  for (const [number, name] of ["Anna", "Ben", "Cem"].entries()) { await players[number].type(name); }
  await press("Zählen");
  for (const [name, spaces] of [["Anna", [0, 3, 5, 9, 12]], ["Ben", [1, 6, 10, 14]], ["Cem", [2, 7, 8]]]) {
    await press(name);
    for (const space of spaces) { await (await page.$$("g.sp"))[space].click(); await shown(); }
  }
  await take("3-map");
} finally {
  await browser.close();
}
