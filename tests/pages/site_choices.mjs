// Chooses on pages of a site in Chromium, and prints what they show then; also where the keyboard and the links lead.
//
//     node site_choices.mjs NODE_MODULES CHROMIUM ADDRESS PAGE…
import { openProfile } from "../engines.mjs";

const [modules, chromium, address, ...pages] = process.argv.slice(2);
const browser = await openProfile(modules, chromium);
const found = {};
for (const name of pages) {
  const page = await browser.newPage();
  await page.setViewport({ width: 390, height: 844 });
  await page.goto(`${address}/${name}`, { waitUntil: "load" });
  const all = (query, of) => page.$$eval(query, (list, code) => list.filter(each => each.checkVisibility()).map(
    each => Function("e", `return ${code}`)(each)), of);
  const seen = found[name] = { choices: {} };
  seen.paper = await page.$eval("[name=paper]:checked", radio => radio.value);
  await page.click("[name=paper][value=a4]");
  for (const backs of await page.$$eval("[name=backs]", radios => radios.map(radio => radio.value))) {
    await page.click(`[name=backs][value=${backs}]`);
    seen.choices[backs] = {
      files: await all(".files tbody tr", "[e.querySelector('a').textContent, e.querySelector('td small').textContent, "
        + "parseInt(e.querySelector('.n').textContent)]"),
      total: await all(".sheets b", "parseInt(e.textContent)"), needs: await all(".buy li", "e.textContent"),
      steps: await all(".steps h3", "e.textContent"), told: await all(".steps :is(p, li li)", "e.textContent"),
      guides: await all("#rules a[href*='-guide-']", "e.getAttribute('href')") };
  }
  await page.setViewport({ width: 1300, height: 900 });
  seen.lasts = await all(".steps, .cards", "[e.children.length, [...e.children].filter(c => c.offsetTop === e.lastElementChild.offsetTop).length]");
  seen.stops = await page.$$eval(".strip a", links => links.filter(link => link.tabIndex === 0).length);
  await page.focus(".strip [tabindex='0']");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
  seen.focused = await page.$$eval(".strip a", links => links.indexOf(document.activeElement));
  const printed = Buffer.from(await page.pdf({ format: "A4" })).toString("latin1");
  seen.printed = printed.match(/\/Type\s*\/Page\b/g).length;
  const link = await page.$eval("a[href*='score/']", each => each.href);
  await page.goto(link, { waitUntil: "load" });
  seen.score = await page.evaluate(() => [document.documentElement.lang, document.querySelector(".screen").className]);
  await page.click("#back");
  seen.back = await page.$eval("#to-site", each => each.href);
  await page.close();
}
await browser.close();
console.log(JSON.stringify(found));
