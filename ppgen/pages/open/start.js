// The page to start from: make a deck of files that are dropped or of a starter, open one, print a shipped game.
"use strict";

const FILE = "application/octet-stream";
const HIDDEN = /(^|\/)(\.|__MACOSX\/)/, TABLE = /\.(csv|tsv|xlsx|ods|json|ya?ml)$/i;
const form = $("#maker"), name = $("#name");
let start, paths = [], starter = "", isBooklet = false, isBusy = false;

const shellWord = words => /^[\w./-]+$/.test(words) ? words : `"${words}"`;
const face = (of, n = 0) => el("img", { src: `/face.webp?${new URLSearchParams({ of, n, at: Date.now() })}`, alt: "", loading: "lazy", on: { error: ({ target }) => target.remove() } });
const stem = path => path.split("/").pop().replace(/\.[^.]+$/, "");
const setCommand = (section, words) => { $(".cmd code", section).textContent = words; };
// Shows the equal command of an act while it is pointed at or has the focus.
const telling = (selector, words) => {
  const tell = () => setCommand($(selector), words());
  return { focus: tell, pointerenter: tell };
};

function refreshRights() {
  for (const button of all("main button:not(.cmd button, #cancel), main select")) { button.disabled = !token || isBusy; }
  $("#bar").hidden = !isBusy;
  if (!token) { say(phrase("no_token")); }
}

// Does something that takes its time; what goes wrong is said.
async function attempt(act) {
  isBusy = true;
  refreshRights();
  try { await act(); } catch (error) { ($("#found").hidden ? say : words => tell(words, true))(error.message); }
  isBusy = false;
  refreshRights();
}

// The last job, once it has ended; one that failed is an error.
async function finishJob() {
  for (;;) {
    const status = await (await fetch("/api/job", { cache: "no-store" })).json();
    if (status.state === "failed") { throw new Error(listErrors(status)); }
    if (status.state !== "running") { return status; }
    await pause();
  }
}

async function open(given, tab = "") {
  await post("/api/open", given);
  await leaveFor("/page.js", tab);
}

// ---- What was dropped ----

async function walk(entry, into) {
  if (entry.isFile) {
    into.push([entry.fullPath.slice(1), await new Promise((done, fail) => { entry.file(done, fail); })]);
  } else if (into.length <= start.max_files) {
    const reader = entry.createReader();
    for (let some; (some = await new Promise((done, fail) => { reader.readEntries(done, fail); })).length;) {
      for (const each of some) { await walk(each, into); }
    }
  }
}

// What ppgen new --from is told of the same files.
function source() {
  const [top] = paths[0].split("/"), table = paths.find(path => TABLE.test(path));
  if (paths.length === 1) { return shellWord(paths[0]); }
  if (paths.every(path => path.startsWith(`${top}/`))) { return shellWord(top); }
  return table ? `${shellWord(table)} --art .` : ".";
}

function drawCommand() {
  const from = starter ? `--starter ${starter}` : paths.length ? `--from ${source()}${isBooklet ? " --as booklet" : ""}` : "";
  setCommand($("#found"), `ppgen new ${shellWord(name.value.trim())} ${from}`);
}

function showPanel(title, named, notes = []) {
  $("#found").hidden = false;
  $("#found-h").textContent = title;
  $("#what").replaceChildren(...notes.map(([words, isWrong]) => el("li", { className: isWrong ? "err" : "" }, words)));
  $(".faces", form).replaceChildren();
  $("#grid").hidden = $("#booklet").hidden = true;
  $("#go").hidden = $("#named").hidden = isBooklet = false;
  name.value = named.replace(/[^\p{L}\p{N}_ .-]+/gu, "-").replace(/^[-_. ]+|[-_. ]+$/g, "") || "deck";
  tell("");
  drawCommand();
  $("#found-h").focus();
}

async function take(files) {
  const taken = files.filter(([path]) => !HIDDEN.test(path));
  if (!taken.length) { return; }
  [starter, paths] = ["", taken.map(([path]) => path)];
  const [top] = paths[0].split("/"), bytes = taken.reduce((sum, [, file]) => sum + file.size, 0);
  const main = paths.find(path => TABLE.test(path)) ?? paths[0], isLoose = paths.length > 1 && !TABLE.test(main) && !main.includes("/");
  const title = paths.length === 1 ? main : phrase("files_and_more", { file: main.split("/").pop(), count: paths.length - 1 });
  const deck = isLoose ? "deck" : TABLE.test(main) || !main.includes("/") ? stem(main) : top;
  showPanel(title, deck);
  $("#go").hidden = $("#named").hidden = true;
  if (taken.length > start.max_files || bytes > start.max_bytes) {
    throw new Error(phrase("too_many_files", { files: start.max_files, mb: start.max_bytes / 1e6 }));
  }
  await post("/api/clear", {});
  for (const [n, [path, file]] of taken.entries()) {
    tell(phrase("copying", { n: n + 1, count: taken.length }));
    await post(`/api/drop?${encodeURIComponent(path)}`, file, FILE);
  }
  tell(phrase("reading"));
  await post("/api/read", {});
  await showFound(title, deck);
}

async function takeAddress(address) {
  [starter, paths] = ["", [address]];
  const deck = stem(new URL(address).pathname), named = /^(edit|export|download|view|)$/.test(deck) ? "deck" : deck;
  showPanel(address, named);
  $("#go").hidden = $("#named").hidden = true;
  tell(phrase("fetching"));
  await post("/api/fetch", { address });
  await showFound(address, named);
}

async function showFound(title, deck) {
  const { result } = await finishJob();
  showPanel(title, deck, [
    ...Object.entries(result.columns).map(([heading, meaning]) => [`${heading} → ${meaning}`]),
    ...result.notes.map(note => [note]), ...result.warnings.map(warning => [warning, true])]);
  $("#go").hidden = $("#named").hidden = !result.is_sure;
  $("#grid").hidden = !result.has_grid;
  $("#booklet").hidden = !result.may_be_booklet;
  if (result.is_sure) { $(".faces", form).append(...Array.from({ length: start.faces }, (_, n) => face("found", n))); }
}

document.addEventListener("dragover", event => { event.preventDefault(); $("#drop").classList.add("over"); });
document.addEventListener("dragleave", event => { if (!event.relatedTarget) { $("#drop").classList.remove("over"); } });
document.addEventListener("drop", event => {
  event.preventDefault();
  $("#drop").classList.remove("over");
  const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = [...event.dataTransfer.files].map(file => [file.name, file]);
  if (!token || isBusy) { say(phrase(token ? "busy" : "no_token")); return; }
  attempt(async () => {
    const files = [];
    for (const entry of entries) { await walk(entry, files); }
    await take(entries.length ? files : plain);
  });
});
$("#choose").addEventListener("click", () => $("#files").click());
$("#files").addEventListener("change", ({ target }) => {
  const files = [...target.files].map(file => [file.name, file]);
  target.value = "";
  attempt(() => take(files));
});
$("#web").addEventListener("submit", event => { event.preventDefault(); attempt(() => takeAddress($("#address").value.trim())); });
name.addEventListener("input", drawCommand);
$("#cancel").addEventListener("click", async () => {
  await post("/api/clear", {}).catch(error => say(error.message));
  $("#found").hidden = true;
  $("#choose").focus();
});
$("#grid").addEventListener("click", () => attempt(async () => {
  await post("/api/grid", {});
  await leaveFor("/sheet.js");
}));
$("#booklet").addEventListener("click", () => {
  showPanel($("#found-h").textContent, name.value);
  isBooklet = true;
  drawCommand();
});
form.addEventListener("submit", event => {
  event.preventDefault();
  attempt(async () => {
    tell(phrase("beginning"));
    await post("/api/new", { name: name.value.trim(), ...(starter ? { starter } : {}), ...(isBooklet ? { booklet: true } : {}) });
    const { result } = await finishJob();
    tell(phrase("deck_made"));
    await open({ key: result.key });
  });
});
for (const section of all("main > section")) {
  $(".cmd button", section)?.addEventListener("click", () => copy($(".cmd code", section).textContent));
}

// ---- Games to open, to begin with, and to print ----

const tile = (of, title, words, act, on, ...more) => el("div", { className: "tile" },
  el("button", { type: "button", on: { click: act, ...on } }, face(of), el("b", {}, title), el("small", {}, words)), ...more);

function deckTile({ key, title, folder, changed }) {
  const day = new Intl.DateTimeFormat(start.lang, { dateStyle: "medium" }).format(new Date(changed));
  const link = (words, path, command) => el("button", { type: "button", className: "link", ariaLabel: `${words}: ${title}`, on: {
    click: () => attempt(async () => { await post(path, { key }); await load(); }), ...telling("#games", () => command) } }, words);
  return tile(key, title, day, () => attempt(() => open({ key })), telling("#games", () => `cd ${shellWord(folder)}\nppgen open`),
    el("p", {}, link(phrase("show_folder"), "/api/show", `cd ${shellWord(folder)}`),
      link(phrase("duplicate"), "/api/duplicate", `${navigator.platform.startsWith("Win") ? "xcopy /e /i" : "cp -r"} ${shellWord(folder)} ${shellWord(`${folder}-2`)}`)));
}

function starterTile(each) {
  const [title, words] = phrase(`starter_${each}`).split("\n");
  return tile(`starter/${each}`, title, words, () => {
    [starter, paths] = [each, []];
    showPanel(title, title, [[words]]);
    $(".faces", form).append(face(`starter/${each}`));
    name.select();
  }, telling("#starters", () => `ppgen new ${shellWord(title)} --starter ${each}`));
}

function gameCard(game) {
  const chosen = el("select", { ariaLabel: phrase("preset") }, ...game.presets.map(preset => el("option", { value: preset.name, selected: preset.name === "nice" }, preset.text)));
  const paper = el("p", {}, "…"), tabs = { learn: "#learn", table: "" };
  const countPaper = async () => {
    const answer = await fetch(`/api/paper?${new URLSearchParams({ game: game.name, preset: chosen.value })}`);
    const { sheets, cuts } = answer.status === 200 ? await answer.json() : {};
    paper.textContent = sheets ? phrase("paper_needed", { sheets, cuts }) : "";
  };
  const button = (words, act, command, className = "") => el("button", { type: "button", className, on: { click: () => attempt(act), ...telling("#shipped", command) } }, words);
  const playAt = kind => async () => {
    const tab = window.open("", "_blank");
    try {
      say(phrase("beginning"));
      await post("/api/table", { game: game.name });
      const { number, result: { files: [{ path }] } } = await finishJob();
      const address = `/made/${number}/0/${path.split(/[\\/]/).pop()}${tabs[kind]}`;
      say("");
      if (tab) { tab.location = address; } else { location.assign(address); }
    } catch (error) { tab?.close(); throw error; }
  };
  chosen.addEventListener("change", countPaper);
  new IntersectionObserver((seen, observer) => {
    if (seen.some(each => each.isIntersecting)) { observer.disconnect(); countPaper(); }
  }).observe(paper);
  return el("article", {}, el("div", { className: "fan" }, ...Array.from({ length: start.faces }, (_, n) => face(`game/${game.name}`, n))),
    el("div", {}, el("h3", {}, game.title), el("p", {}, game.facts.join(" · ")), chosen, paper, el("div", { className: "act" },
      button(phrase("print"), () => open({ game: game.name, preset: chosen.value }, "print"), () => `ppgen build --game ${game.name} --preset ${chosen.value}`, "main"),
      button(phrase("count_points"), async () => {
        const { address } = await post("/api/points", { game: game.name }), dialog = $("#points"), link = $("a", dialog);
        link.href = link.textContent = address;
        $("img", dialog).src = `/qr.svg?${Date.now()}`;
        dialog.showModal();
      }, () => "ppgen export scorer --serve"),
      button(phrase("learn"), playAt("learn"), () => `ppgen export table --game ${game.name}`),
      button(phrase("try_table"), playAt("table"), () => `ppgen export table --game ${game.name}`))));
}

async function load() {
  start = await (await fetch("/api/start", { cache: "no-store" })).json();
  $("#home").textContent = start.home;
  $("#games").hidden = !start.decks.length;
  $("#games .tiles").replaceChildren(...start.decks.map(deckTile));
  if (start.decks.length) { setCommand($("#games"), `cd ${shellWord(start.decks[0].folder)}\nppgen open`); }
}

(async () => {
  await load();
  const named = code => new Intl.DisplayNames([code], { type: "language" }).of(code);
  $("#lang").append(...start.langs.map(code => el("option", { value: code, selected: code === start.lang, lang: code }, named(code))));
  $("#lang").addEventListener("change", ({ target }) => attempt(async () => {
    await post("/api/language", { lang: target.value });
    await leaveFor("/start.js");
  }));
  $("#starters .tiles").append(...start.starters.map(starterTile));
  setCommand($("#starters"), "ppgen new --starter list");
  $("#shipped .shipped").append(...start.games.map(gameCard));
  setCommand($("#shipped"), `ppgen build --game ${start.games[0].name}`);
  refreshRights();
})().catch(error => say(error.message));
