// Ticks the steps of a making guide on a site in a browser and prints what came of it.
//
//     node companion.mjs NODE_MODULES CHROMIUM ADDRESS OTHER
import { evaluateIn } from "../engines.mjs";

const [modules, chromium, address, other] = process.argv.slice(2);
const made = `const ticks = () => [...document.querySelectorAll(".tick")], said = () => document.querySelector("#making p").textContent;
const found = { count: ticks().length, names: ticks().map(tick => tick.ariaLabel), before: said(), hidden: document.querySelector("#making").hidden,
  headings: [...document.querySelectorAll(".guide h3")].map(each => each.textContent) };
ticks()[0].click();
ticks()[2].click();
found.after = said();
found.kept = Object.entries(localStorage).filter(([name]) => name.startsWith("pnp make ")).map(([, value]) => JSON.parse(value).done);
document.querySelector("#make-next").click();
found.focus = ticks().indexOf(document.activeElement);
for (const tick of ticks()) if (!tick.checked) tick.click();
found.done = [said(), getComputedStyle(document.querySelector("#make-next")).display];
document.querySelector("#make-again").click();
found.again = said();
ticks()[1].click();
found.eager = [...document.querySelectorAll(".guide img")].every(image => image.loading === "eager");
if (location.protocol === "http:") { // and without the server
  const loaded = () => ["", ...performance.getEntriesByType("resource").map(each => each.name)].map(name => new URL(name, location.href).href);
  await new Promise(done => document.readyState === "complete" ? done() : addEventListener("load", done));
  ticks()[2].click();
  const end = Date.now() + 150_000, missing = async () => (await Promise.all(loaded().map(async name => await caches.match(name) ? [] : [name]))).flat();
  while ((await missing()).length && Date.now() < end) { await new Promise(done => setTimeout(done, 20)); }
  while (!navigator.serviceWorker.controller && Date.now() < end) { await new Promise(done => setTimeout(done, 20)); }
  const names = loaded();
  await fetch("stop").catch(() => {});
  found.offline = await Promise.all(names.map(name => fetch(name).then(answer => answer.ok, () => name)));
  found.other = await fetch("index.html").then(answer => answer.ok, () => "no network");
}
return JSON.stringify(found);`;

const reloaded = async page => {
  await page.waitForSelector(".tick");
  if (await page.$$eval(".tick", ticks => ticks.map(tick => tick.checked).indexOf(true)) !== 1) throw new Error("the page forgot");
};
process.stdout.write(JSON.stringify(await evaluateIn(modules, chromium, address, made, reloaded, [other])));
