// Judges, scores and explains games with the scripts that the scorer page shares with Python, and prints what they say.
//
//     node told.mjs NODE_MODULES < given.json
//
// given.json is {scripts, data, words, games}, scripts and data as a game hands them over for the page. The answer has for
// each of the games {problem} or {result, verdict, reasons}.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const { scripts, data, words, games } = JSON.parse(readFileSync(0, "utf8"));
const bare = vm.createContext({ rules: data.rules, deck: data.deck, games, say, find: key => words[key] });

function say(key, values) {
  if (!(key in words)) throw new Error(`no text ${key}`);
  return words[key].replace(/\{(\w+)\}/g, (_, name) => {
    if (!values || !(name in values)) throw new Error(`${key} has no ${name}`);
    return String(values[name]);
  });
}

vm.runInContext(scripts.join("\n"), bare);
const told = data.deck ? `game => {
  if (game && game.claims) {
    const { claims, country } = game, { cards } = deck.countries.find(({ id }) => id === country);
    return { shared: cardGameJudge.canShare(cards, claims), most: claims.map(claim => cardGameJudge.mostOfOneKind(cards,
      claim.cards)), routes: cardGameJudge.mostRoutes({ [country]: claims[0].cards }, { [country]: cards }, "ship") };
  }
  const result = cardGame.score(cardGameJudge.checked(game, deck, say), rules);
  return { result, verdict: cardGame.verdict(result, rules, find),
    reasons: cardGame.reasons(result, rules, find).map(each => each.words) };
}` : `game => {
  const position = boardGameJudge.checked(game, rules, say);
  const result = boardGame.score(boardGameJudge.written(position, rules), rules);
  return { result, missing: boardGameJudge.missing(position).map(key => say(key)),
    verdict: boardGameSentences.verdict(result, rules, find),
    reasons: boardGameSentences.reasons(result, position, rules, false, find).filter(each => !each.single)
      .map(each => each.words) };
}`;
const answer = vm.runInContext(`games.map(game => {
  try {
    return (${told})(game);
  } catch (error) {
    if (error.name !== "Error") throw error; // a bug
    return { problem: error.message };
  }
})`, bare);
process.stdout.write(JSON.stringify(answer));
