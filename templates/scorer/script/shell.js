// Which screen is shown, how one comes from one to the next, and what all of them have.

const games = {}; // the pages of the games by their names, in the order in which they are offered
// What is looked at: slot names the draft that is being counted, past is a finished game. Nothing of it is kept.
const view = { screen: "home", slot: "", past: null, flash: null, open: null, seats: null, picked: 0, tens: 0 };
let app = null, guarded = false, drawing = false;

const current = () => view.past || store.drafts[view.slot] || null;
const pageOf = game => games[game.game];

function screenNow() {
  const common = { home: homeScreen, players: playersScreen, past: pastScreen, settings: settingsScreen };
  const game = current();
  return common[view.screen] || game && pageOf(game).screens[view.screen] || homeScreen;
}

function draw() {
  if (drawing) { drawing = "again"; return; } // a field that goes away tells of its change while the page is drawn
  drawing = true;
  drawAll();
  const again = drawing === "again";
  drawing = false;
  if (again) draw();
}

function drawAll() {
  const root = document.documentElement, focused = document.activeElement && document.activeElement.id;
  keepInStep();
  save();
  const dark = store.prefs.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches
    : store.prefs.theme === "dark";
  root.dataset.theme = dark ? "dark" : "light";
  root.dataset.hand = store.prefs.hand;
  if (root.lang !== language()) root.lang = language(); // setting it styles the whole page anew
  const screen = screenNow();
  if (screen === homeScreen && view.screen !== "home") Object.assign(view, { screen: "home", slot: "", past: null });
  show(app, [h("div", { key: view.screen, class: `screen on-${view.screen}` }, notice(), screen(current()))]);
  keepInSight(app.querySelector(".row.me"), app.querySelector(".rows"));
  const here = app.querySelector(".lines .at");
  if (here) here.scrollIntoView({ block: "nearest", inline: "nearest" });
  const again = focused && document.activeElement === document.body && byId(focused);
  if (again) again.focus({ preventScroll: true });
}

function keepInSight(row, rows) {
  if (!row || !rows || rows.scrollHeight <= rows.clientHeight) return;
  const own = row.getBoundingClientRect(), all = rows.getBoundingClientRect();
  if (own.bottom > all.bottom) rows.scrollTop += own.bottom - all.bottom;
  if (own.top < all.top) rows.scrollTop -= all.top - own.top;
}

// What is wrong with keeping, where there is room to say so; while counting, one counts.
function notice() {
  if (kept === "kept" || view.screen === "count" || view.screen === "map") return null;
  return h("p", { class: "note", role: "status", key: "notice" }, say(`store_${kept}`),
    kept === "spoilt" && h("button", { class: "btn small", on: () => { kept = "kept"; draw(); } }, say("understood")));
}

function go(screen, more) {
  Object.assign(view, { screen, flash: null, open: null, tens: 0, fixing: false }, more);
  if (screen === "home") {
    Object.assign(view, { slot: "", past: null });
    tidyDrafts();
  }
  else guard();
  draw();
  scrollTo(0, 0);
  const title = app.querySelector("h1");
  if (title) {
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }
}

// The device's way back leads to where the arrow of the screen leads, and only from the first screen out of the page.
function guard() {
  if (guarded) return;
  try {
    history.pushState({}, "");
    guarded = true;
  } catch (error) { /* a page without a history of its own, such as a preview */ }
}

function wentBack() {
  guarded = false;
  if (view.screen === "home") return;
  const back = byId("back");
  if (back) back.click();
  if (view.screen !== "home") guard();
}

function bar(title, back, right) {
  return h("header", { class: "bar" }, back ? iconButton("back", "back", say("back"), back) : h("span",
    { class: "ib" }),
    h("h1", {}, title), right || h("span", { class: "ib" }));
}

const foot = (...inside) => h("div", { class: "foot" }, inside);

// What came of a tap, for those who see it and those who hear it; back takes it back.
function flash(words, wrong, back) {
  view.flash = { words, wrong, back };
  tell(words);
  draw();
}

let telling = 0;
function tell(words) {
  const live = byId("live");
  live.textContent = "";
  clearTimeout(telling); // of quick taps the last one is told
  telling = setTimeout(() => { live.textContent = words; }, 30);
}

function flashed() {
  if (!view.flash) return null;
  const { words, wrong, back } = view.flash;
  return h("div", { class: wrong ? "note" : "done", role: wrong ? "alert" : "status" }, words, back
    && button("take-back", say("undo"), () => { view.flash = null; back(); draw(); }, "small"));
}
const spark = () => h("div", { class: "rule", "aria-hidden": "true" }, h("svg", { viewBox: "-1 -1 2 2" },
  h("path", { d: "M0 -1L.28 -.28L1 0L.28 .28L0 1L-.28 .28L-1 0L-.28 -.28Z", fill: "currentColor" })));
const isWide = () => innerWidth >= 720 && innerHeight >= 560;

// A choice of one of several: [value, label, language of the label] each.
function choice(name, legend, offered, chosen, choose) {
  return h("fieldset", {}, h("legend", {}, legend), h("div", { class: "seg" }, offered.map(([value, label, lang]) =>
    h("button", { id: `${name}-${value}`, lang, "aria-pressed": String(value === chosen),
      on: () => { choose(value); draw(); } }, label))));
}

// A box over the page, closed by its first button or Escape. Where dialogs are unknown it stands at the page's end.
function box(label, make) {
  const element = document.createElement("dialog");
  const close = () => { if (element.close && element.open) element.close(); element.remove(); };
  element.setAttribute("aria-label", label);
  element.addEventListener("close", () => element.remove());
  const redraw = () => show(element, make(close, redraw));
  redraw();
  document.body.appendChild(element);
  if (element.showModal) element.showModal();
  else element.setAttribute("open", "");
}

function start(pages) {
  for (const page of pages) games[page.name] = page;
  app = byId("app");
  readStore();
  addEventListener("storage", ({ key }) => { if (key === KEY || key === null) catchUp(); });
  addEventListener("pagehide", save);
  addEventListener("popstate", wentBack);
  document.addEventListener("visibilitychange", () => { if (document.hidden) save(); else catchUp(); });
  document.addEventListener("keydown", pressed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  let wide = isWide();
  addEventListener("resize", () => { if (isWide() !== wide) { wide = isWide(); draw(); } });
  draw();
  const kind = asked.get("game");
  if (Object.keys(games).includes(kind) && !Object.keys(store.drafts).length) go("players", { kind, seats: null });
  // the first screen can be used before its pictures are there
  requestAnimationFrame(() => setTimeout(() => { byId("drawings").innerHTML = byId("signs").textContent; }));
  window.ppgen = { score: scoreTallies };
  if ("serviceWorker" in navigator && isSecureContext && location.protocol === "https:") serveOffline();
}

// On web space the page installs itself like an app; a single file needs neither manifest nor worker.
function serveOffline() {
  const link = document.createElement("link");
  link.rel = "manifest";
  link.href = "manifest.webmanifest";
  document.head.appendChild(link);
  navigator.serviceWorker.register("worker.js").catch(() => {});
}

// The result of tallies of any of the games, as "ppgen score --format json" prints it. Throws an Error with what is wrong.
function scoreTallies(tallies) {
  return tallyPage(tallies).score(tallies);
}

function tallyPage(tallies) {
  const name = isObject(tallies) && tallies.game !== undefined && tallies.game !== null ? tallies.game
    : "card-game" in games ? "card-game" : Object.keys(games)[0];
  const page = Object.prototype.hasOwnProperty.call(games, name) && games[name];
  if (!page) throw new Error(`game: ${say("unknown_game", { game: String(name).slice(0, 40) })}`);
  return page;
}

// Keys for who has a keyboard: the screen says what they do.
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA/.test(event.target.tagName)) return;
  const game = current(), keys = game && pageOf(game).keys && pageOf(game).keys[view.screen];
  if (keys && keys(event, game)) event.preventDefault();
}
