// Chromium for all scripts that a worker runs: a line of input is answered with its address, and it ends with the input.
//
//     node chromium.mjs NODE_MODULES PROGRAM
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [modules, program] = process.argv.slice(2);
const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
const browser = await puppeteer.launch({ executablePath: program, headless: "shell", timeout: 120000,
  args: ["--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--disable-background-networking",
         "--disable-component-update", "--no-first-run", "--lang=en-US"] });
for await (const _ of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify({ address: browser.wsEndpoint() })}\n`);
}
await browser.close();
