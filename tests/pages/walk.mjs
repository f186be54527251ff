// Walks over a page as its user does, and prints what each step changes of all that can be seen, heard, stored or asked for.
//
//     node walk.mjs NODE_MODULES CHROMIUM < {"files": {path: text}, "at": "/#…", "steps": "…", "before": "…"}
//
// The page is one of the files. `before` is a script that runs before those of the page; its api(path, query, body) may answer
// what the page fetches: a value, or [status, value]. Chance, clock and timers are the walk's own: what would happen later
// happens with the step !later. Steps are words, or a line:
//
//     digit-3            taps what has this id, or the first that the selector finds
//     :Shift+Tab         a key, for what has the focus
//     name0=Ann B.       types into a field, or chooses an option, to the end of the line
//     @tap("x")          runs a script to the end of the line
//     *40 .pad button    taps, 40 times, what was tapped least of what the selector finds (else of all controls)
//     !later  !reload  !size 390 800
import { readFileSync } from "node:fs";
import { openProfile } from "../engines.mjs";

const [modules, chromium] = process.argv.slice(2), PLACE = "http://localhost/";
const { files, at = "/", steps, before = "" } = JSON.parse(readFileSync(0, "utf8"));
const KINDS = { css: "text/css", js: "text/javascript", mjs: "text/javascript", svg: "image/svg+xml", json: "application/json" };
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");

function prepare() {
  const soon = window.setTimeout, log = [], images = [], loaded = new Set(), used = new Map(), timers = new Set(), later = new Map(), NOW = "2026-01-15T12:00:00Z", Day = Date;
  let asked = 0, number = 0, seed = 7;
  const hash = words => [...words].reduce((sum, sign) => Math.imul(sum ^ sign.codePointAt(0), 16777619) >>> 0, 2166136261).toString(36);
  const short = words => words.length > 100 ? `${[...words].slice(0, 60).join("")}… ${words.length} ${hash(words)}` : words;
  const plain = words => short(String(words).replace(/\s+/g, " ").trim().replace(/-?\d+\.\d{3,}/g, each => String(+Number(each).toFixed(2))));
  const during = deed => { asked++; return Promise.resolve(deed).finally(() => { asked--; }); };
  window.Date = class extends Day { constructor(...given) { if (given.length) super(...given); else super(NOW); } static now() { return new Day(NOW).getTime(); } };
  Math.random = () => { seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff; return seed / 0x80000000; };
  crypto.getRandomValues = list => list.map(() => Math.floor(Math.random() * 256));
  crypto.randomUUID = () => `uuid-${++number}`;
  window.setTimeout = (act, ms = 0, ...given) => {
    const id = ++number;
    if (ms >= 300) later.set(id, () => { later.delete(id); act(...given); });
    else { timers.add(id); soon(() => { if (timers.delete(id)) act(...given); }); }
    return id;
  };
  window.clearTimeout = id => { timers.delete(id); later.delete(id); };
  window.setInterval = act => { later.set(++number, act); return number; };
  window.requestAnimationFrame = act => window.setTimeout(act);
  window.cancelAnimationFrame = window.clearTimeout;
  window.IntersectionObserver = class { constructor(act) { this.act = act; } observe(target) { window.setTimeout(() => this.act([{ isIntersecting: true, target }], this)); } disconnect() {} };
  window.EventSource = class extends EventTarget { constructor(address) { super(); window.stream = this; log.push(`listen ${address}`); } };
  const fetchFile = window.fetch;
  window.fetch = (address, { method = "GET", body, headers } = {}) => during((async () => {
    const { pathname, searchParams } = new URL(address, location), query = Object.fromEntries(searchParams), text = body instanceof Blob ? await body.text() : body;
    log.push(`${method} ${plain(address)}${text === undefined ? "" : ` ${plain(text)}`}${headers?.["X-Ppgen-Token"] ? ` by ${headers["X-Ppgen-Token"]}` : ""}`);
    const answer = window.api?.(pathname, query, text && text.startsWith("{") ? JSON.parse(text) : text);
    if (answer === undefined) { const found = await fetchFile(address); return new Response(await found.arrayBuffer(), found); } // all of it is waited for
    const [status, value] = Array.isArray(answer) && Number.isInteger(answer[0]) ? answer : [200, answer];
    return new Response(status === 204 ? null : JSON.stringify(value), { status });
  })());
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async words => { log.push(`copy ${plain(words)}`); } } });
  Object.defineProperty(navigator, "serviceWorker", { value: { ready: Promise.resolve({ active: { postMessage: list => log.push(`keep ${list[0]} and more`) } }),
    register: async name => { log.push(`worker ${name}`); } } });
  window.open = (...words) => { log.push(`window ${words.join(" ")}`); return { close() {}, set location(address) { log.push(`leads to ${address}`); } }; };
  URL.createObjectURL = blob => { during(blob.text().then(text => log.push(`blob ${blob.type} ${blob.type === "image/png" ? "" : plain(text)}`))); return `blob:${++number}`; };
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = function () { log.push(`save ${this.download} ${this.getAttribute("href")}`); };
  const Picture = window.Image;
  window.Image = function (...given) {
    const image = new Picture(...given);
    images.push(image);
    for (const end of ["load", "error"]) image.addEventListener(end, () => loaded.add(image)); // complete is said before
    return image;
  };
  HTMLCanvasElement.prototype.toBlob = function (act, type) { act(new Blob([], { type })); };
  for (const { prototype } of [HTMLButtonElement, HTMLSelectElement]) { // a browser takes the focus away once it draws
    const { get, set } = Object.getOwnPropertyDescriptor(prototype, "disabled");
    Object.defineProperty(prototype, "disabled", { get, set(value) {
      set.call(this, value);
      if (value && this === document.activeElement) this.blur();
    } });
  }
  const { drawImage } = CanvasRenderingContext2D.prototype;
  for (const name of ["fillRect", "fillText", "moveTo", "lineTo", "strokeRect", "drawImage"]) {
    const deed = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
      log.push(`canvas ${name} ${plain(given.map(each => typeof each === "object" ? "image" : each).join(" "))} ${deed === drawImage ? "" : `${this.fillStyle} ${this.strokeStyle} ${this.font} ${this.textAlign}`}`);
      return deed.apply(this, given);
    };
  }
  addEventListener("error", event => log.push(`ERROR ${event.message}`));
  addEventListener("unhandledrejection", event => log.push(`ERROR ${event.reason}`));
  addEventListener("click", event => {
    const link = event.target.closest?.("a[href]");
    if (link && !event.defaultPrevented) { event.preventDefault(); log.push(`follow ${plain(link.getAttribute("href"))}`); }
  });

  const find = name => document.getElementById(name) ?? (/^[\w-]+$/.test(name) ? null : document.querySelector(name));
  const need = name => { const found = typeof name === "string" ? find(name) : name; if (!found) throw new Error(`no ${name}`); return found; };
  window.tap = (name, more = {}) => {
    const found = need(name);
    if (!found.disabled) found.focus?.({ preventScroll: true });
    found.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...more }));
  };
  window.type = (name, words) => {
    const field = need(name);
    field.focus();
    field.value = words;
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  window.press = name => {
    const [key, ...held] = name.split("+").reverse();
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key: key || "+", bubbles: true, cancelable: true,
      ctrlKey: held.includes("Ctrl"), shiftKey: held.includes("Shift"), altKey: held.includes("Alt") }));
  };
  window.point = (name, kind, [clientX, clientY], more = {}) =>
    need(name).dispatchEvent(new PointerEvent(kind, { clientX, clientY, bubbles: true, cancelable: true, pointerId: 1, pointerType: "mouse", ...more }));
  window.drag = (name, from, to, more) => [["pointerdown", from], ["pointermove", to], ["pointerup", to], ["lostpointercapture", to]].forEach(([kind, at]) => point(name, kind, at, more));
  DataTransferItem.prototype.webkitGetAsEntry = () => null; // files come at once
  Element.prototype.setPointerCapture = () => {};
  const VALUES = ["Ann", "12", "-3", "a 'b' <c>", "", "7"];
  window.explore = selector => {
    const top = document.querySelector("dialog[open]") ?? document;
    const able = [...top.querySelectorAll(selector)].filter(each => !each.disabled && !each.closest("[inert]") && each.checkVisibility());
    const name = each => each.id || `${each.localName}.${each.className?.baseVal ?? each.className} ${each.name ?? ""} ${plain(each.textContent)}`;
    const count = each => used.get(name(each)) ?? 0;
    if (!able.length) return "nothing";
    const one = able.reduce((best, each) => count(each) < count(best) ? each : best), times = count(one);
    used.set(name(one), times + 1);
    if (one.matches("select")) type(one, one.options[(one.selectedIndex + 1) % one.options.length].value);
    else if (one.matches("textarea, input:not([type=checkbox], [type=radio], [type=file])")) type(one, VALUES[(times + number) % VALUES.length]);
    else tap(one);
    return short(name(one));
  };

  // What is there to see: a line for each element that says something, then what is stored.
  function* flat(name, value) {
    if (typeof value !== "object" || value === null || !Object.values(value).some(each => typeof each === "object" && each !== null)) yield `${name} = ${plain(JSON.stringify(value))}`;
    else for (const key of Object.keys(value)) yield* flat(Array.isArray(value) ? name : `${name}.${key}`, value[key]);
  }
  function* lines(element) {
    if (["head", "script", "style", "noscript", "symbol", "defs", "filter"].includes(element.localName) || element !== document.documentElement && !element.checkVisibility()) return;
    const kinds = { [Node.TEXT_NODE]: each => each.data, [Node.ELEMENT_NODE]: () => "·" }; // what stands before words, and what behind them
    const words = plain([...element.childNodes].map(each => kinds[each.nodeType]?.(each) ?? "").join(" ")).replace(/( ?·)+$/, "");
    const given = [...element.attributes].filter(({ name }) => !["id", "class", "value", "d", "xmlns"].includes(name) || name === "d" && element.childNodes.length === 0)
      .map(({ name, value }) => `${name}=${plain(value)}`);
    if ("value" in element && element.localName !== "li" && element.localName !== "button" && element.localName !== "option") given.push(`value ${plain(JSON.stringify(element.value))}`);
    if (element.checked) given.push("checked");
    if (element !== document.documentElement && (element.scrollLeft || element.scrollTop)) given.push(`scrolled ${Math.round(element.scrollLeft / 5)} ${Math.round(element.scrollTop / 5)}`);
    const name = `${element.localName}${element.id && `#${element.id}`}${[...element.classList].map(each => `.${each}`).join("")}`;
    const line = [name, words && `“${words}”`, ...given].filter(Boolean).join(" ");
    if (line !== element.localName) yield line;
    for (const child of element.children) yield* lines(child);
  }
  const parse = text => { try { return JSON.parse(text); } catch { return text; } };
  window.seen = async () => {
    for (let quiet = 0; quiet < 8;) {
      await new Promise(done => soon(done));
      quiet = timers.size || asked || images.some(each => each.src && !loaded.has(each)) || [...document.images].some(each => each.src && !each.complete && each.loading !== "lazy") ? 0 : quiet + 1;
    }
    const kept = [localStorage, sessionStorage].flatMap(store => Object.keys(store).sort().flatMap(key => [...flat(`stored ${key}`, parse(store.getItem(key)))]));
    const at = document.activeElement, focused = at?.matches(":disabled") || !at?.checkVisibility() ? document.body : at; // as once it is drawn
    return { log: log.splice(0), lines: [`title “${document.title}” ${location.hash}`, `focus ${focused?.localName} ${focused?.id} ${focused === document.body ? "" : plain(focused?.textContent)}`, ...lines(document.documentElement), ...kept] };
  };
  window.passTime = () => { for (const act of [...later.values()]) act(); };
}

// The lines that go and come between two lists, in order: equal ones once, with their number; of an element that is
// another line now, only that one.
function diff(one, other) {
  let start = 0, end = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start++;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [a, b] = [one, other].map(list => list.slice(start, list.length - end)), rows = [new Uint16Array(b.length + 1)];
  for (const line of [...a].reverse()) {
    const below = rows[0], row = new Uint16Array(b.length + 1);
    for (let n = b.length - 1; n >= 0; n--) row[n] = line === b[n] ? below[n + 1] + 1 : Math.max(below[n], row[n + 1]);
    rows.unshift(row);
  }
  const found = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) { i++; j++; }
    else if (j < b.length && (i === a.length || rows[i][j + 1] > rows[i + 1][j])) found.push(`+ ${b[j++]}`);
    else found.push(`- ${a[i++]}`);
  }
  const counts = new Map(), name = line => line.slice(2).split(/[\s.]/)[0], come = found.filter(line => line[0] === "+").map(name);
  const left = found.filter(line => line[0] === "+" || !(come.includes(name(line)) && come.splice(come.indexOf(name(line)), 1)));
  const gone = left.filter(line => line[0] === "-");
  for (const line of gone.length > 20 ? left.filter(line => line[0] === "+") : left) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...gone.length > 20 ? [`- ${gone.length} lines`] : [], ...[...counts].map(([line, count]) => count > 1 ? `${line} ×${count}` : line)];
}

const browser = await openProfile(modules, chromium), page = await browser.newPage(), told = [];
await page.setRequestInterception(true);
page.on("request", request => {
  const address = request.url(), path = decodeURI(address.split(/[?#]/)[0].replace(PLACE, "/"));
  if (!address.startsWith(PLACE)) request.continue();
  else if (path in files) request.respond({ contentType: `${KINDS[path.split(".")[1]] ?? "text/html"}; charset=utf-8`, body: files[path] });
  else if (/\.(webp|png)$/.test(path)) request.respond({ contentType: "image/png", body: PIXEL });
  else if (path.endsWith(".pdf")) request.respond({ contentType: "application/pdf", body: `%PDF ${path}` });
  else request.respond({ status: 404, body: "" });
});
await page.setBypassCSP(true);
await page.emulateTimezone("UTC");
await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
await page.setViewport({ width: 1200, height: 800 });
await page.evaluateOnNewDocument(prepare);
await page.evaluateOnNewDocument(`if (!sessionStorage.begun) { localStorage.clear(); sessionStorage.begun = 1; } { ${before} }`);

const CONTROLS = "button, a[href], input, select, textarea, summary, [role=button], [tabindex='0']";
let last = [];
const run = async words => {
  const [name, ...more] = words.split(" "), typed = /^(#?[\w-]+)=(.*)$/.exec(words);
  if (words === "!reload") return page.reload();
  if (name === "!size") {
    const heard = page.evaluate(() => new Promise(done => addEventListener("resize", () => done(), { once: true })));
    await page.setViewport({ width: Number(more[0]), height: Number(more[1]) });
    return Promise.race([heard, new Promise(done => setTimeout(done, 2000))]); // the same size is not said
  }
  if (words === "!later") return page.evaluate("passTime()");
  if (words.startsWith("@")) return page.evaluate(`(async () => { ${words.slice(1)} })()`);
  if (words.startsWith(":")) return page.evaluate(key => press(key), words.slice(1));
  if (words.startsWith("*")) return page.evaluate(selector => explore(selector), more.join(" ") || CONTROLS);
  if (typed) return page.evaluate((field, text) => type(field, text), typed[1], typed[2]);
  return page.evaluate(each => tap(each), words);
};
async function step(words) {
  let what = "";
  try { what = await (words ? run(words) : page.goto(PLACE + at.slice(1))); } catch (error) { what = `FAILED ${String(error).split("\n")[0]}`; }
  const { log, lines } = await page.evaluate("seen()");
  const news = [...log.map(each => `> ${each}`), ...diff(last, lines)];
  if (what !== "nothing") told.push("", `# ${words}${typeof what === "string" && what ? ` → ${what}` : ""}`, ...news);
  last = lines;
}
await step("");
for (const line of steps.split("\n").map(each => each.trim()).filter(Boolean)) {
  const many = /^\*(\d+)(.*)$/.exec(line);
  if (many) for (let n = 0; n < Number(many[1]); n++) await step(`*${many[2]}`);
  else for (const words of /^[@!#.[]|^[\w-]+=/.test(line) ? [line] : line.split(/\s+/)) await step(words);
}
await browser.close();
process.stdout.write(JSON.stringify({ text: `${told.slice(1).join("\n")}\n` }));
