// A script in a page of Chromium, Firefox or WebKitGTK: the value that it returns as JSON, and what axe finds in Chromium.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { startWebKit } from "./webkit.mjs";

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

// `prepare` brings a page into the state that axe looks at, narrow and dark, then wide and light.
export async function evaluateIn(kind, modules, program, address, script, prepare) {
  if (kind === "webkit") return inWebKit(program, address, script);
  const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
  const browser = await puppeteer.launch({ browser: kind, executablePath: program, headless: true, timeout: 120000,
    args: kind === "chrome" ? ["--no-sandbox", "--disable-gpu"] : [] });
  try {
    const page = await browser.newPage(), errors = [], violations = [];
    page.on("pageerror", error => errors.push(String(error)));
    await page.goto(address);
    const found = JSON.parse(await page.evaluate(`(async () => { ${script} })()`));
    if (kind === "chrome") for (const [width, scheme] of [[390, "dark"], [1400, "light"]]) {
      await page.setViewport({ width, height: 800 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.reload();
      await prepare(page);
      await page.evaluate(readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8"));
      const result = await page.evaluate(rules => window.axe.run(document, { runOnly: rules }), RULES);
      violations.push(...result.violations.map(each => `${each.id} ${each.nodes[0].html}`));
      violations.push(...await page.evaluate(() => document.documentElement.scrollWidth > innerWidth ? [`wide at ${innerWidth}`] : []));
    }
    return { ...found, violations: [...violations, ...errors] };
  } finally {
    await browser.close();
  }
}

async function inWebKit(program, address, script) {
  const { ask, quit } = await startWebKit(program);
  try {
    await ask("POST", "/url", { url: address });
    const run = `const done = arguments[arguments.length - 1]; (async () => { ${script} })().then(done, error => done(JSON.stringify({ error: String(error) })));`;
    return { violations: [], ...JSON.parse(await ask("POST", "/execute/async", { script: run, args: [] })) };
  } finally {
    await quit();
  }
}
