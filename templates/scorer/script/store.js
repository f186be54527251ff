// What stays on this device: one entry of the browser's storage, written at each tap and judged when it is read.

const KEY = document.documentElement.dataset.store, SPOILT = `${KEY}-spoilt`, VERSION = 1;
// MOST_GAMES bounds what is taken in from elsewhere. Games that were counted here are never dropped for want of room.
const MOST_GAMES = 500, MOST_NAMES = 30, MOST_UNDO = 300, MOST_CHARACTERS = 4000000;

let store = emptyStore();
let kept = "kept"; // or why nothing is: "refused" (private windows, or full), "newer", "spoilt" (kept, but what was there could not be read)
let lastWritten = null, lastState = ""; // the text that was read or written last, and the store that it means

// The store as text. Its games, which 500 of make a million characters, are put into it anew only when the list is
// replaced: past games don't change. That saves three quarters of what save() takes at each tap.
let writtenGames = { games: null, text: "" };
function storeText() {
  const { games, ...rest } = store;
  if (writtenGames.games !== games) writtenGames = { games, text: JSON.stringify(games) };
  return `${JSON.stringify(rest).slice(0, -1)},"games":${writtenGames.text}}`;
}

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
  const [least, most] = page.seats;
  if (game.players.length < least || game.players.length > most || new Set(seats).size < seats.length) return null;
  if (!game.players.every(player => isObject(player) && isText(player.name, 60) && player.name
    && stones(most).includes(player.seat)))
    return null;
  const sound = page.sound(game);
  if (!sound) return null;
  const undo = sound.undo && sound.undo.map(step => step.whole ? { ...step, whole: soundGame({ ...step.whole,
    undo: [] }) } : step).filter(step => step.whole !== null);
  return { ...sound, undo, id: game.id, game: game.game, when: game.when, of: isText(game.of, 40) ? game.of : undefined,
    kept: game.kept === true || undefined, players: game.players.map(({ name, seat }) => ({ name, seat })) };
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
  made.games = list(found.games).map(game => soundGame(game) || drop()).filter(Boolean);
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
  adopt(text);
  tidyDrafts();
}

// Take over what is stored, here or by another tab, or nothing: a page that is only looked at stores nothing.
function adopt(text) {
  lastWritten = text;
  try {
    const [found, sound] = text === null ? [emptyStore(), true] : soundStore(text);
    if (!found) kept = "newer";
    else store = found;
    if (sound) { lastState = storeText(); return; }
  } catch (error) { /* not even JSON, or none of ours */ }
  kept = "spoilt";
  try {
    localStorage.setItem(SPOILT, text);
  } catch (error) { /* then it is lost */ }
}

// Write what has changed here. Nothing is written over what a newer page has stored; what another tab has written unseen
// is joined.
function save() {
  let text = storeText();
  if (kept === "newer" || text === lastState) return;
  try {
    const there = localStorage.getItem(KEY);
    if (there !== null && there !== lastWritten) {
      join(there);
      text = storeText();
    }
    if (kept === "newer") return;
    if (text.length > MOST_CHARACTERS) { // what can be spared first: the steps back
      for (const slot of Object.keys(store.drafts)) store.drafts[slot].undo = [];
      text = storeText();
    }
    if (text.length > MOST_CHARACTERS) throw new Error("full");
    if (text !== there) localStorage.setItem(KEY, text);
    lastWritten = lastState = text;
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
  store.games = newestFirst([...store.games, ...theirs.games.filter(game => !ours.has(game.id))]);
  store.names = [...new Set([...store.names, ...theirs.names])].slice(0, MOST_NAMES);
  store.drafts = { ...theirs.drafts, ...store.drafts };
}

// Another tab has written: show what it shows. Read what is stored by now, not the value in an event: one that arrives
// late holds an old state, and drawing that would write it over the new one. A tab that slept got no event.
function catchUp() {
  const before = store.drafts[view.slot];
  let text = null;
  try {
    text = localStorage.getItem(KEY);
  } catch (error) { return; }
  if (text === lastWritten) return;
  adopt(text);
  if (view.slot && !store.drafts[view.slot]) {
    const past = before && view.screen === "result" && store.games.find(game => game.id === before.id);
    Object.assign(view, past ? { slot: "", past } : { slot: "", screen: "home" });
  }
  if (view.past && !(view.past = store.games.find(game => game.id === view.past.id))) view.screen = "home";
  draw();
}

const freshId = () => Date.now().toString(36) + Math.floor(Math.random() * 36 ** 8).toString(36);

// The day as 2026-11-22, or one some days later.
function today(later = 0) {
  const now = new Date();
  now.setDate(now.getDate() + later);
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, "0")).join("-");
}

function freshGame(page, players) {
  return { ...page.fresh(players), id: freshId(), game: page.name, when: today(), players };
}

// Days are written so that their order is that of their letters.
const newestFirst = list => list.slice().sort((one, other) => other.when < one.when ? -1 : other.when > one.when ? 1 : 0);

// A place for another draft of the game, beside those that are there.
const freeSlot = page => store.drafts[page.name] ? `${page.name}-${freshId()}` : page.name;

// Put a finished game among the past ones: in the place of the one that it is or corrects, else first.
function keepGame(game) {
  const { of, undo, kept: before, ...finished } = game, past = { ...finished, id: of || game.id, undo: [] };
  if (store.games.some(each => each.id === past.id)) {
    store.games = store.games.map(each => each.id === past.id ? past : each);
    return;
  }
  store.games = [past, ...store.games];
  if (navigator.storage && navigator.storage.persist) navigator.storage.persist().catch(() => {});
}

// A game that is over is kept at once, and stays in step with its draft until that is left; one that is opened again is
// no past game.
function keepInStep() {
  const game = store.drafts[view.slot];
  if (!game || game.of) return;
  const over = pageOf(game).isOver(game, view.screen);
  if (over) keepGame(game);
  else if (game.kept) store.games = store.games.filter(each => each.id !== game.id);
  game.kept = over || undefined;
}

// Drafts that nobody needs: kept ones, and corrections that changed nothing.
function tidyDrafts() {
  for (const slot of Object.keys(store.drafts)) {
    const game = store.drafts[slot], past = game.of && store.games.find(each => each.id === game.of);
    if (game.kept || past && contents(game) === contents(past)) delete store.drafts[slot];
  }
}

const contents = game => JSON.stringify([game.players, pageOf(game).tallies(game)]);

// Other players for a draft: each with a name, a seat and from, the place at which they sat before, if they did.
function reseat(game, players) {
  const whole = { ...JSON.parse(JSON.stringify(game)), undo: [] }, same = players.length === game.players.length
    && players.every((player, place) => player.from === place);
  const parts = same ? {} : { ...pageOf(game).reseated(game, players.map(player => player.from)) };
  Object.assign(game, parts, { players: players.map(({ name, seat }) => ({ name, seat })) });
  if (!same) game.undo = [{ at: game.at, before: {}, whole }];
}
