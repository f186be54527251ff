// Scores games with the script of a deck's page, without a browser, and prints the results.
//
//     node deck.mjs NODE_MODULES PAGE < games.json
//
// The answer has {result, verdict, again} for each game, again what the page makes of its own tallies of it, or {problem}.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const html = readFileSync(process.argv[3], "utf8"), blocks = {}, dataset = {};
for (const [, id, text] of html.matchAll(/<script type="application\/json" id="([^"]+)">(.*?)<\/script>/gs))
  blocks[id] = { textContent: text };
for (const [, name, value] of html.matchAll(/ data-(\w+)="([^"]*)"/g)) dataset[name] = value;
const bare = vm.createContext({ URLSearchParams, location: { hash: "" }, navigator: { languages: ["en"] },
  games: JSON.parse(readFileSync(0, "utf8")), document: { documentElement: { dataset }, getElementById: id => blocks[id],
    querySelector: () => blocks[Object.keys(blocks).find(id => id.startsWith("game-"))] } });
const script = /<script>(.*?)<\/script>/s.exec(html)[1];
vm.runInContext(script.replace(/start\(\[deckPage\(\)\]\)/, "globalThis.page=deckPage()"), bare);
process.stdout.write(vm.runInContext(`JSON.stringify(games.map(game => {
  try {
    const result = page.score(game), taken = { ...page.fresh(), when: "", ...page.taken(game) };
    return { result, verdict: page.verdict(result), again: page.score(page.tallies(taken)) };
  } catch (error) {
    if (error.name !== "Error") throw error; // a bug
    return { problem: error.message };
  }
}))`, bare));
