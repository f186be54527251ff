// Corrects files on a page of a site in Chromium; prints what the page says, and what it saves in base64.
//
//     node printer_page.mjs NODE_MODULES CHROMIUM ADDRESS FILE    with {bad, askew, readings} on standard input
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openProfile } from "../engines.mjs";

const [modules, chromium, address, file] = process.argv.slice(2);
const { bad, askew, readings } = JSON.parse(readFileSync(0, "utf8"));
const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
const browser = await openProfile(modules, chromium);
const found = { wide: [] };

const open = async target => {
  await page.goto(target, { waitUntil: "load" });
  await page.evaluate(() => { window.made = []; const make = URL.createObjectURL;
    URL.createObjectURL = blob => { window.made.push(blob); return make(blob); }; });
};
const fill = values => page.evaluate(async values => {
  const box = document.querySelector("#printer"), form = box.querySelector("form");
  if (!box.open) {
    const opened = new Promise(done => box.addEventListener("toggle", done, { once: true }));
    box.open = true;
    await opened;
  }
  await import("/look/printer.js"); // comes with the first opening, and is started then
  await new Promise(done => setTimeout(done));
  for (const [name, text] of Object.entries(values)) { form.elements[name].value = text; }
  form.requestSubmit();
  return { status: form.querySelector("output").textContent, focus: document.activeElement.id,
    wrong: Object.fromEntries([...form.querySelectorAll(".wrong")].map(each => [each.id.replace("-problem", ""), each.textContent])) };
}, values);
const take = query => page.evaluate(async query => {
  const link = [...document.querySelectorAll(query)].find(each => each.checkVisibility()), names = [], { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function () { if (this.download) { names.push(this.download); } else { click.call(this); } };
  window.made.length = 0;
  let left = false;
  const stay = event => { left = !event.defaultPrevented; event.preventDefault(); };
  addEventListener("click", stay);
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  removeEventListener("click", stay);
  for (let tries = 0; !left && !names.length && tries < 7500; tries++) { await new Promise(done => setTimeout(done, 20)); }
  HTMLAnchorElement.prototype.click = click;
  let text = "";
  if (window.made.length) { for (const byte of new Uint8Array(await window.made[0].arrayBuffer())) { text += String.fromCharCode(byte); } }
  return { plain: left, name: names[0] ?? "", content: btoa(text) };
}, query);

let page = await browser.newPage();
await page.setViewport({ width: 390, height: 844 });
await open(address);
found.before = await take(`.files a[href$="${file}"]`);
found.bad = await fill(bad);
found.askew = await fill(askew);
found.kept = await fill(readings);
for (const width of [390, 1280]) {
  await page.setViewport({ width, height: 900 });
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) { found.wide.push(width); }
}
await page.evaluate(axe);
found.violations = (await page.evaluate(() => window.axe.run("#printer"))).violations.map(each => each.id);
await open(address); // the numbers are kept
found.file = await take(`.files a[href$="${file}"]`);
found.zip = await take("[data-zip]");
await page.evaluate(() => document.querySelector("#printer [type=reset]").click());
found.after = await take(`.files a[href$="${file}"]`);
await page.close();
page = await browser.newPage();
await page.evaluateOnNewDocument(() => Object.defineProperty(window, "localStorage", { get() { throw new Error("no storage"); } }));
await open(address);
found.visit = await fill(readings);
found.unstored = await take(`.files a[href$="${file}"]`);
await browser.close();
console.log(JSON.stringify(found));
