// The words of the page: the house's under "", which games say too, each game's own under its name; read when a language is first wanted.

const readTexts = {};

function textsOf(language) {
  if (!readTexts[language]) {
    const keys = JSON.parse(byId("texts").textContent), words = JSON.parse(byId(`texts-${language}`).textContent),
      made = readTexts[language] = {};
    for (const game of Object.keys(keys)) {
      made[game] = {};
      let place = 0;
      for (const table of Object.keys(keys[game]))
        for (const name of keys[game][table]) made[game][`${table}.${name}`] = words[game][place++];
    }
  }
  return readTexts[language];
}

const fill = (words, values) => words.replace(/\{(\w+)\}/g, (placeholder, name) => values && name in values
  ? String(values[name]) : placeholder);

// A text of a game or the house, if there is one of that key.
function textIn(game, key) {
  const all = textsOf(language()), own = [all[game], all[""]].find(words => Object.prototype.hasOwnProperty.call(words,
    key));
  return own && own[key];
}

function sayIn(game, key, values) {
  const text = textIn(game, key);
  if (text === undefined) throw new Error(`no text ${key}`);
  return fill(text, values);
}

// A text of the house: say("undo") is scorer.undo of the common locale files.
const say = (key, values) => sayIn("", `scorer.${key}`, values);

// What the address asks for, as the pages of a site do: #lang=fr&game=card-game.
const asked = new URLSearchParams(location.hash.slice(1));

// The page's languages, and those that it was made for or that the device prefers.
const LANGUAGES = document.documentElement.dataset.languages.split(" ");
const PREFERRED = [document.documentElement.dataset.first, ...(navigator.languages || [navigator.language || ""]).map(
  each => each.slice(0, 2).toLowerCase())];

// The language of the site's page that one came from, or chosen in the settings; else the preferred one.
function language() {
  return [asked.get("lang"), store.prefs.lang, ...PREFERRED].find(each => LANGUAGES.includes(each)) || LANGUAGES[0];
}

const signed = points => String(points).replace("-", "−");
const gained = points => (points > 0 ? "+" : "") + signed(points);

// A day as the device writes it.
function day(date) {
  const parts = date.split("-").map(Number);
  return parts.length === 3 ? new Date(parts[0], parts[1] - 1, parts[2]).toLocaleDateString(language()) : date;
}
