// Words in the language of ppgen's user. They arise in English, here and in ppgen itself, and are found by it.
"use strict";

const { lang: LANG = "en", texts: TEXTS = {}, messages: MESSAGES = [] } = SENTENCES;
const LETTERS = "abcdef";

// A text of the page, as in phrase`Taken back in ${file}.`: its English, with {a}, {b} … for values, is the key.
function phrase(pieces, ...values) {
  const english = pieces.reduce((text, piece, n) => `${text}{${LETTERS[n - 1]}}${piece}`);
  return (TEXTS[english] ?? english).replace(/\{([a-f])\}/g, (_, letter) => values[LETTERS.indexOf(letter)]);
}

const escaped = words => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// The translation of a message of ppgen; null if it has none.
function find(message) {
  if (!message || LANG === "en") { return message; }
  if (TEXTS[message]) { return TEXTS[message]; }
  for (const { parts, names, said } of MESSAGES) {
    if (!parts.every(part => message.includes(part))) { continue; }
    const found = new RegExp(`^${parts.map(escaped).join("(.*?)")}$`, "s").exec(message);
    if (found) {
      return said.replace(/\{([a-z_]+)\}/g, (_, name) => { const value = found[names.indexOf(name) + 1]; return name === "message" ? translate(value) : value; });
    }
  }
  return null;
}

const translate = message => find(message) ?? message;

// Problems in the user's language, or all of them in English if one has no translation.
function translateProblems(problems) {
  const said = problems.map(problem => ({ ...problem, what: find(problem.what), remedy: find(problem.remedy) }));
  return said.some(({ what, remedy }) => what === null || remedy === null) ? problems : said;
}

function translateGroups(groups) {
  const said = translateProblems(groups.flatMap(group => group.entries));
  return groups.map(group => ({ ...group, entries: said.splice(0, group.entries.length) }));
}

// The texts of page.html, which is English.
function translatePage() {
  document.documentElement.lang = LANG;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const english = texts.currentNode.data.trim();
    if (TEXTS[english]) { texts.currentNode.data = texts.currentNode.data.replace(english, () => TEXTS[english]); }
  }
  for (const name of ["title", "aria-label", "placeholder"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const said = TEXTS[element.getAttribute(name)];
      if (said) { element.setAttribute(name, said); }
    }
  }
}
translatePage();
