// What stays on this device: one entry of the browser's storage, written at each tap and judged when it is read.

const KEY = "ppgen-scorer", SPOILT = "ppgen-scorer-spoilt", VERSION = 1;
const MOST_GAMES = 500, MOST_NAMES = 30, MOST_UNDO = 300, MOST_CHARACTERS = 4000000;

let store = emptyStore();
let kept = "kept"; // or why nothing is: "refused" (private windows, or full), "newer", "spoilt" (kept, but what was there could not be read)
let lastWritten = null;

function emptyStore() {
  return { v: VERSION, prefs: { lang: "", theme: "auto", hand: "right" }, names: [], games: [], drafts: {} };
}

const isText = (value, most) => typeof value === "string" && [...value].length <= most;
const isObject = value => value !== null && typeof value === "object" && !Array.isArray(value);

// A game as it is kept or being counted, or null for what is none.
function soundGame(game) {
  const page = isObject(game) && games[game.game];
  if (!page || !isText(game.id, 40) || !isText(game.when, 20) || !Array.isArray(game.players)) return null;
  const seats = game.players.map(player => isObject(player) && player.seat);
  if (game.players.length < 3 || game.players.length > 5 || new Set(seats).size < seats.length) return null;
  if (!game.players.every(player => isObject(player) && isText(player.name, 60) && player.name && [1, 2, 3, 4,
    5].includes(player.seat)))
    return null;
  const sound = page.sound(game);
  return sound && { ...sound, id: game.id, game: game.game, when: game.when, of: isText(game.of, 40) ? game.of
    : undefined,
    players: game.players.map(({ name, seat }) => ({ name, seat })) };
}

// What was stored, without what is damaged in it: [store, whether all was sound]. Raises for what is no store at all.
function soundStore(text) {
  const found = JSON.parse(text), made = emptyStore();
  if (!isObject(found) || typeof found.v !== "number") throw new Error("no store");
  if (found.v > VERSION) return [null, true];
  let sound = true;
  const drop = () => { sound = false; return null; };
  const list = value => Array.isArray(value) ? value : (drop(), []);
  const table = value => isObject(value) ? value : (drop(), {});
  for (const key of Object.keys(made.prefs)) if (isText(table(found.prefs)[key], 20)) made.prefs[key] = found.prefs[
    key];
  made.names = list(found.names).filter(name => isText(name, 60)).slice(0, MOST_NAMES);
  made.games = list(found.games).map(game => soundGame(game) || drop()).filter(Boolean).slice(0, MOST_GAMES);
  for (const slot of Object.keys(table(found.drafts))) {
    const draft = soundGame(found.drafts[slot]) || drop();
    if (draft) made.drafts[slot] = draft;
  }
  return [made, sound];
}

function readStore() {
  let text = null;
  try {
    text = localStorage.getItem(KEY);
  } catch (error) {
    kept = "refused";
    return;
  }
  lastWritten = text;
  if (text !== null) adopt(text);
}

// Take over what is stored, here or by another tab.
function adopt(text) {
  try {
    const [found, sound] = soundStore(text);
    if (!found) kept = "newer";
    else store = found;
    if (sound) return;
  } catch (error) { /* not even JSON, or none of ours */ }
  kept = "spoilt";
  try {
    localStorage.setItem(SPOILT, text);
  } catch (error) { /* then it is lost */ }
}

// Write it all down. Nothing is written over what a newer page has stored; what another tab has written unseen is joined.
function save() {
  if (kept === "newer") return;
  try {
    const there = localStorage.getItem(KEY);
    if (there !== null && there !== lastWritten) join(there);
    const text = JSON.stringify(store);
    if (text === there) return;
    while (text.length > MOST_CHARACTERS && store.games.length) store.games.pop();
    localStorage.setItem(KEY, text);
    lastWritten = text;
    if (kept === "refused") kept = "kept";
  } catch (error) {
    kept = "refused";
  }
}

// The games and names of another tab beside ours; what is being counted here stays.
function join(text) {
  let theirs = null;
  try {
    [theirs] = soundStore(text);
  } catch (error) { return; }
  if (!theirs) { kept = "newer"; return; }
  const ours = new Set(store.games.map(game => game.id));
  store.games = [...store.games, ...theirs.games.filter(game => !ours.has(game.id))].slice(0, MOST_GAMES);
  store.names = [...new Set([...store.names, ...theirs.names])].slice(0, MOST_NAMES);
  store.drafts = { ...theirs.drafts, ...store.drafts };
}

// Another tab has written: what it shows, this one shows too.
function heard(event) {
  if (event.key !== KEY && event.key !== null) return;
  if (event.newValue === null) { store = emptyStore(); lastWritten = null; }
  else { lastWritten = event.newValue; adopt(event.newValue); }
  if (view.slot && !store.drafts[view.slot]) { view.slot = ""; view.screen = "home"; }
  if (view.past && !(view.past = store.games.find(game => game.id === view.past.id))) view.screen = "home";
  draw();
}

const freshId = () => Date.now().toString(36) + Math.floor(Math.random() * 1296).toString(36);

function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, "0")).join("-");
}

function freshGame(page, players) {
  return { ...page.fresh(players), id: freshId(), game: page.name, when: today(), players };
}

// Put a finished game among the past ones: in the place of the one that it corrects, else first.
function keepGame(game, slot) {
  const { of, undo, ...finished } = game;
  if (of) store.games = store.games.map(each => each.id === of ? { ...finished, id: of, undo: [] } : each);
  else store.games = [{ ...finished, undo: [] }, ...store.games.filter(each => each.id !== game.id)].slice(0,
    MOST_GAMES);
  delete store.drafts[slot];
  if (navigator.storage && navigator.storage.persist) navigator.storage.persist().catch(() => {});
}
