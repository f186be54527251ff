// Pages of the running Chromium, and what axe finds on them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const PATIENCE_MS = 300_000; // on a busy machine
const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

// A profile of its own in the Chromium at an address: nothing is stored in it yet.
export async function openProfile(modules, chromium) {
  const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
  const browser = await puppeteer.connect({ browserWSEndpoint: chromium, protocolTimeout: PATIENCE_MS }), profile = await browser.createBrowserContext();
  const newPage = async () => {
    const page = await profile.newPage(), resize = page.setViewport.bind(page);
    page.setDefaultTimeout(PATIENCE_MS);
    return Object.assign(page, { setViewport: size => resize(size).then(() => page.url() === "about:blank" || page.evaluate(settle, size)) });
  };
  return { newPage, close: () => profile.close().then(() => browser.disconnect()) };
}

// What a page does by itself after a while (a number that is complete, a long press) it does not do: the machine may be busy.
export const forgetLater = page => page.evaluateOnNewDocument(() => {
  const soon = setTimeout;
  window.setTimeout = (act, ms = 0, ...given) => ms < 300 ? soon(act, ms, ...given) : 0;
});

// In a page: wait until it has this size and has heard of it, which it does before it draws the next frame.
async function settle({ width, height }) {
  const frame = () => new Promise(requestAnimationFrame);
  while (!matchMedia(`(width: ${width}px) and (height: ${height}px)`).matches) await frame();
  await frame();
  await frame();
}

// The value that a script returns as JSON, and what axe finds. `prepare` brings a page into the state that axe looks at,
// narrow and dark. At the addresses of `more` axe does not look.
export async function evaluateIn(modules, chromium, address, script, prepare, more = []) {
  const browser = await openProfile(modules, chromium);
  try {
    const page = await browser.newPage(), errors = [], violations = [];
    page.on("pageerror", error => errors.push(String(error)));
    await page.goto(address);
    const found = JSON.parse(await page.evaluate(`(async () => { ${script} })()`));
    await page.setViewport({ width: 390, height: 800 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }, { name: "prefers-reduced-motion", value: "reduce" }]);
    await page.reload();
    await prepare(page);
    await page.evaluate(readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8"));
    const result = await page.evaluate(rules => window.axe.run(document, { runOnly: rules }), RULES);
    violations.push(...result.violations.map(each => `${each.id} ${each.nodes[0].html}`));
    for (const width of [390, 1400]) {
      await page.setViewport({ width, height: 800 });
      violations.push(...await page.evaluate(() => document.documentElement.scrollWidth > innerWidth ? [`wide at ${innerWidth}`] : []));
    }
    const others = [];
    for (const other of more) {
      await page.goto(other);
      others.push(JSON.parse(await page.evaluate(`(async () => { ${script} })()`)));
      await page.reload();
      await prepare(page);
    }
    return { ...found, others, violations: [...violations, ...errors] };
  } finally {
    await browser.close();
  }
}
