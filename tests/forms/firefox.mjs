// Fills in a PDF form in Firefox with real keystrokes and prints the fields that then hold anything, form by form.
//
//     node firefox.mjs NODE_MODULES FORM.pdf FIREFOX < forms.json
//
// forms.json is as for chromium.mjs.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, path, program] = process.argv.slice(2);
const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
const forms = JSON.parse(readFileSync(0, "utf8"));
const wait = ms => new Promise(done => setTimeout(done, ms));
const browser = await puppeteer.launch({
  browser: "firefox", executablePath: program, headless: true, timeout: 120000,
  args: ["--width=1000", "--height=1400"],
});

async function filled(keys) {
  const page = await browser.newPage();
  page.setDefaultTimeout(60000);
  await page.setViewport({ width: 1000, height: 1400 });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector(".annotationLayer input:disabled", { timeout: 60000 }); // the scripts are at work
  // Whatever the page had still to do is done when it has painted twice.
  const settled = () => page.evaluate(() => new Promise(
    done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
  await settled();
  let first = true;
  for (const key of keys) {
    // The first Tab leads into the page, which has buttons before its fields.
    if (first) { await page.click(".annotationLayer input"); first = false; continue; }
    if (typeof key === "string") { await page.keyboard.type(key); } else { await page.keyboard.press(key.press); }
    await settled();
  }
  let held = {}, before, same = 0;
  while (same < 4) { // until the scripts have had nothing to write for a while
    before = JSON.stringify(held);
    await wait(300);
    held = await page.evaluate(() => Object.fromEntries(
      [...document.querySelectorAll(".annotationLayer input")].filter(field => field.value)
        .map(field => [field.name, field.value])));
    same = JSON.stringify(held) === before ? same + 1 : 0;
  }
  await page.close();
  return held;
}

try {
  const held = [];
  for (const keys of forms) { held.push(await filled(keys)); }
  process.stdout.write(JSON.stringify(held));
} finally {
  await browser.close();
}
