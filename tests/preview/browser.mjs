// A browser that does what it is told, line by line, and answers each line with one of JSON.
//
//     node browser.mjs NODE_MODULES CHROMIUM
//
// {"do": "open", "url": …, "scripts": false}    opens a page, perhaps with scripts switched off
// {"do": "look", "width": …, "height": …, "dark": …, "still": …}    the window, and what its user prefers
// {"do": "find", "code": …}     the value of an expression on the page
// {"do": "await", "code": …}    waits until an expression on the page is true, and gives its value
// {"do": "press", "key": …}  {"do": "click", "at": SELECTOR}  {"do": "shoot", "to": FILE, "full": …}
// {"do": "heard"}    what went wrong on the page since this was asked, and every address that it asked for
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [modules, program] = process.argv.slice(2);
const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: program, headless: true, timeout: 120000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
});
const page = await browser.newPage();
page.setDefaultTimeout(60000);
const errors = [], asked = [];
page.on("console", message => { if (["error", "warn"].includes(message.type())) { errors.push(message.text()); } });
page.on("pageerror", error => errors.push(String(error)));
page.on("request", request => asked.push(request.url()));

const deeds = {
  open: async ({ url, scripts = true }) => {
    await page.setJavaScriptEnabled(scripts);
    await page.goto(url, { waitUntil: "load" });
  },
  look: async ({ width = 1200, height = 900, dark = false, still = true }) => {
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      { name: "prefers-reduced-motion", value: still ? "reduce" : "no-preference" }]);
  },
  find: ({ code }) => page.evaluate(code),
  await: async ({ code }) => (await page.waitForFunction(code, { timeout: 60000, polling: 50 })).jsonValue(),
  press: ({ key }) => page.keyboard.press(key),
  click: ({ at }) => page.click(at),
  shoot: async ({ to, full = false }) => { await page.screenshot({ path: to, fullPage: full }); },
  heard: () => ({ errors: errors.splice(0), asked: asked.splice(0) }),
};
try {
  for await (const line of createInterface({ input: process.stdin })) {
    const wish = JSON.parse(line);
    let answer;
    try {
      answer = { got: (await deeds[wish.do](wish)) ?? null };
    } catch (error) {
      answer = { failed: String(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
} finally {
  await browser.close();
}
