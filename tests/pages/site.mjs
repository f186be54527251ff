// Opens pages of a site in Chromium and prints what axe, the console and the network have to say, and a ZIP in base64.
//
//     node site.mjs NODE_MODULES CHROMIUM ADDRESS PAGE…
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openProfile } from "../engines.mjs";

const [modules, chromium, address, ...pages] = process.argv.slice(2);
const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
const browser = await openProfile(modules, chromium);
const found = { violations: [], messages: [], outside: [], wide: [], zip: "" };
const views = [[360, "dark"], [1280, "light"]]; // the index in both, the others in turn
for (const [n, name] of pages.entries())
for (const [width, scheme] of name.endsWith("index.html") ? views : [views[n % 2]]) {
  const page = await browser.newPage();
  page.on("console", message => found.messages.push(message.text()));
  page.on("pageerror", error => found.messages.push(String(error)));
  page.on("request", request => { if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address)) {
    found.outside.push(request.url()); } });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(`${address}/${name}`, { waitUntil: "load" });
  const over = await page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth,
    ...Array.from(document.querySelectorAll(".wide"), table => table.scrollWidth - table.clientWidth)));
  if (over > 0) { found.wide.push(`${name} ${width} ${over}`); }
  if (await page.$("[data-zip]") && !found.zip) {
    await page.evaluate(() => { window.made = []; const make = URL.createObjectURL;
      URL.createObjectURL = blob => { window.made.push(blob); return make(blob); }; });
    await page.$$eval("[data-zip]", links => links.find(link => link.offsetParent).click());
    await page.waitForFunction(() => window.made.length);
    found.zip = await page.evaluate(async () => { const bytes = new Uint8Array(await window.made[0].arrayBuffer());
      let text = ""; for (const byte of bytes) { text += String.fromCharCode(byte); } return btoa(text); });
  }
  await page.evaluate(axe);
  await page.$$eval("details", all => all.forEach(each => { each.open = true; })); // the form of a printer in one of them
  const result = await page.evaluate(() => window.axe.run({
    rules: { "label-content-name-mismatch": { enabled: true } } }));
  for (const each of result.violations) {
    found.violations.push(`${name} ${width}: ${each.id} ${each.nodes.map(node => node.target).join(" ").slice(0, 200)}`); }
  await page.close();
}
await browser.close();
console.log(JSON.stringify(found));
