// Make it with me: ticks on the making guide, kept on this device; the page needs no network once somebody follows it. All words are the guide's.
"use strict";
const bar = $("#making"), book = $(".book"), place = `make ${location.pathname.split("/").pop()}`;
const groups = []; // the sections of the guide, each with its heading
for (const each of all(".guide > *", book)) { if (each.matches("h3")) { groups.push([each]); } else { groups.at(-1)?.push(each); } }
const at = groups.findIndex(group => group.some(each => $("tbody", each)));
if (at >= 0 && at + 1 < groups.length) { // how to print, the test before all, comes before the files to print
  groups[at + 1].at(-1).after(...groups[at]);
  groups.splice(at, 2, groups[at + 1], groups[at]);
}
const steps = groups.flatMap(group => {
  const find = query => group.flatMap(each => each.matches(query) ? [each] : all(query, each));
  const found = find("li, tbody tr, figure:has(figcaption)");
  return found.length ? found : find("p");
});
const boxes = steps.map(step => {
  const tick = Object.assign(document.createElement("input"), { type: "checkbox", className: "tick" });
  const words = ($("figcaption", step) ?? step).innerText.trim().replace(/\s+/g, " ");
  tick.ariaLabel = words.length > 120 ? `${words.slice(0, 120)}…` : words;
  if (step.matches("tr")) {
    const cell = document.createElement("td");
    cell.append(tick);
    step.prepend(cell);
  } else { ($("figcaption", step) ?? step).prepend(tick); }
  step.classList.add("step");
  return tick;
});
for (const row of all("thead tr", book)) { if ($(".tick", row.closest("table"))) { row.prepend(document.createElement("td")); } }
for (const picture of all("img", book)) { picture.loading = "eager"; } // offline, too

const fill = (words, values) => words.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
let kept = [];
try { const { count, done } = JSON.parse(keep.get(place)); kept = count === boxes.length && Array.isArray(done) ? done : []; } catch { /* a new start */ }
boxes.forEach((tick, n) => { tick.checked = kept.includes(n); });
const show = () => {
  const done = boxes.filter(tick => tick.checked).length, next = boxes.findIndex(tick => !tick.checked);
  steps.forEach((step, n) => { step.classList.toggle("done", boxes[n].checked); step.classList.toggle("now", n === next); });
  $("p", bar).textContent = next < 0 ? bar.dataset.all : fill(bar.dataset.done, { done, count: boxes.length });
  $("#make-next").hidden = next < 0; $("#make-again").hidden = done === 0;
};
const go = () => {
  const tick = boxes.find(each => !each.checked);
  tick?.focus({ preventScroll: true });
  tick?.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
};
let awake = null;
const stayAwake = async () => { try { awake ??= await navigator.wakeLock?.request("screen"); awake?.addEventListener("release", () => { awake = null; }); } catch { /* the screen may sleep */ } };
const keepHere = async () => { // where pages have workers: not in files
  try {
    await navigator.serviceWorker.register("../worker.js");
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage([...new Set([location.pathname, ...all("img, script[src], link[rel=stylesheet], link[rel=icon]").map(each => each.src ?? each.href),
      ...performance.getEntriesByType("resource").map(each => each.name)])]); // fonts are among the last
  } catch { /* then it must stay open */ }
};
const begin = () => { stayAwake(); keepHere(); };
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible" && boxes.some(tick => tick.checked)) { stayAwake(); } });
for (const tick of boxes) {
  tick.addEventListener("change", () => {
    keep.set(place, JSON.stringify({ count: boxes.length, done: boxes.flatMap((each, n) => each.checked ? [n] : []) }));
    show(); begin();
  });
}
$("#make-next").onclick = go;
$("#make-again").onclick = () => { for (const tick of boxes) { tick.checked = false; } keep.set(place, ""); show(); go(); };
if (boxes.length) { bar.hidden = false; show(); }
if (location.hash === "#make") { begin(); go(); }
