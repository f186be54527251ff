// A script in a page of Chromium: the value that it returns as JSON, and what axe finds.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

// `prepare` brings a page into the state that axe looks at, narrow and dark, then wide and light. At the addresses of
// `more` axe does not look.
export async function evaluateIn(modules, program, address, script, prepare, more = []) {
  const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
  const browser = await puppeteer.launch({ executablePath: program, headless: true, timeout: 120000,
    args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage(), errors = [], violations = [];
    page.on("pageerror", error => errors.push(String(error)));
    await page.goto(address);
    const found = JSON.parse(await page.evaluate(`(async () => { ${script} })()`));
    for (const [width, scheme] of [[390, "dark"], [1400, "light"]]) {
      await page.setViewport({ width, height: 800 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.reload();
      await prepare(page);
      await page.evaluate(readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8"));
      const result = await page.evaluate(rules => window.axe.run(document, { runOnly: rules }), RULES);
      violations.push(...result.violations.map(each => `${each.id} ${each.nodes[0].html}`));
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
