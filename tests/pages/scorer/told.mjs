// Judges, scores and explains games with the scripts that the scorer page shares with Python, and prints what they say.
//
//     node told.mjs NODE_MODULES
//
// Each line of input is {scripts, data, words, games}, scripts and data as a game hands them over for the page. The line
// that answers it has for each of the games {problem} or {result, verdict, reasons}.
import { createInterface } from "node:readline";
import vm from "node:vm";

function judge({ scripts, data, words, games }) {
  const say = (key, values) => {
    if (!(key in words)) throw new Error(`no text ${key}`);
    return words[key].replace(/\{(\w+)\}/g, (_, name) => {
      if (!values || !(name in values)) throw new Error(`${key} has no ${name}`);
      return String(values[name]);
    });
  };
  const bare = vm.createContext({ rules: data.rules, deck: data.deck, games, say, find: key => words[key] });
  vm.runInContext(scripts.join("\n"), bare);
  return vm.runInContext(`games.map(game => {
    try {
      return (${data.deck ? CARDS : BOARD})(game);
    } catch (error) {
      if (error.name !== "Error") throw error; // a bug
      return { problem: error.message };
    }
  })`, bare);
}

const CARDS = `game => {
  if (game && game.claims) {
    const { claims, country } = game, { cards } = deck.countries.find(({ id }) => id === country);
    return { shared: cardGameJudge.canShare(cards, claims), most: claims.map(claim => cardGameJudge.mostOfOneKind(cards,
      claim.cards)), routes: cardGameJudge.mostRoutes({ [country]: claims[0].cards }, { [country]: cards }, "ship") };
  }
  const result = cardGame.score(cardGameJudge.checked(game, deck, say), rules);
  return { result, verdict: cardGame.verdict(result, rules, find),
    reasons: cardGame.reasons(result, rules, find).map(each => each.words) };
}`;
const BOARD = `game => {
  const position = boardGameJudge.checked(game, rules, say);
  const result = boardGame.score(position, rules);
  return { result, missing: boardGameJudge.missing(position).map(key => say(key)),
    verdict: boardGameSentences.verdict(result, rules, find),
    reasons: boardGameSentences.reasons(result, position, rules, false, find).filter(each => !each.single)
      .map(each => each.words) };
}`;

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(judge(JSON.parse(line)))}\n`);
