// What the pages of ppgen open share: texts, elements, the token, and what became of a job.
"use strict";

// A text of the page in the user's language: phrase("taken_back", { file }) is open.taken_back of data/open_page.
const phrase = (key, values = {}) => WORDS[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

const $ = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Makes an element with properties or attributes, listeners (on) and children.
function el(tag, given = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name === "on") {
      for (const [event, act] of Object.entries(value)) { element.addEventListener(event, act); }
    } else if (name in element) {
      element[name] = value;
    } else {
      element.setAttribute(name, value);
    }
  }
  element.append(...inside.filter(each => each !== null && each !== undefined && each !== ""));
  return element;
}

const memory = {
  get(key, otherwise) { try { return localStorage.getItem(`ppgen ${key}`) ?? otherwise; } catch { return otherwise; } },
  set(key, value) { try { localStorage.setItem(`ppgen ${key}`, value); } catch { /* it is as well forgotten */ } },
};
const [hashToken, hashTab] = location.hash.slice(1).split("!");
if (hashToken) { try { sessionStorage.setItem("token", hashToken); } catch { /* a browser that keeps nothing */ } }
if (location.hash) { history.replaceState(null, "", "/"); }
let token = hashToken;
try { token ||= sessionStorage.getItem("token") ?? ""; } catch { /* then it may only look */ }

const say = words => { $("#said").textContent = words; };

async function post(path, given, type = "application/json") {
  let answer, result;
  try {
    answer = await fetch(path, {
      method: "POST", headers: { "Content-Type": type, "X-Ppgen-Token": token }, body: given instanceof Blob ? given : JSON.stringify(given) });
    result = await answer.json();
  } catch {
    throw new Error(phrase("ended_unwritten"));
  }
  if (answer.status === 403) { // ppgen was started anew, with another token
    token = "";
    refreshRights();
  }
  if (!answer.ok) { throw new Error(result.error ?? phrase(result.key)); }
  return result;
}

// Posts, and then says what was done, or what is wrong.
const postAndSay = (path, given, words) => post(path, given).then(answer => say(words(answer)), error => say(error.message));

const pause = () => new Promise(done => { setTimeout(done, 300); });

// Waits until the page with this script has taken this one's place, and shows it.
async function leaveFor(script, tab = "") {
  while (!await fetch(script, { cache: "no-store" }).then(answer => answer.ok, () => false)) { await pause(); }
  location.replace(`/#${token}${tab && `!${tab}`}`);
  location.reload();
}

// Makes a button lead to the page to start from, if that was before this one.
function leadHome(button, hasHome) {
  button.hidden = !hasHome || !token;
  button.onclick = () => post("/api/home", {}).then(() => leaveFor("/start.js"), error => say(error.message));
}

async function copy(words) {
  try { await navigator.clipboard.writeText(words); say(phrase("copied", { words })); } catch { say(words); }
}

function tell(words, isError = false) {
  $("#job").textContent = words;
  $("#job").className = isError ? "err" : "";
}

// What went wrong with a job.
const listErrors = ({ errors }) => errors.slice(0, 12).map(({ key, where, what, remedy }) =>
  key ? phrase(key) : `${where ? `${where}: ` : ""}${what}${remedy ? ` (${remedy})` : ""}`).join("\n");
