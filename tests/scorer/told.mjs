// Judges, scores and explains games with the scripts that the scorer page shares with Python, and prints what they say.
//
//     node told.mjs NODE_MODULES SCRIPT… < given.json
//
// given.json is {rules, deck, words, games}; the answer has for each game {problems} or {result, verdict, reasons}.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [, ...paths] = process.argv.slice(2);
const { rules, deck, words, games } = JSON.parse(readFileSync(0, "utf8"));
const bare = vm.createContext({ rules, deck, games, say });

function say(key, values) {
  if (!(key in words)) throw new Error(`no text ${key}`);
  return words[key].replace(/\{(\w+)\}/g, (_, name) => {
    if (!values || !(name in values)) throw new Error(`${key} has no ${name}`);
    return String(values[name]);
  });
}

vm.runInContext(paths.map(path => readFileSync(path, "utf8")).join("\n"), bare);
const answer = vm.runInContext(`games.map(game => {
  const [hands, problems] = cardGameJudge.judged(game, deck, say);
  if (problems.length) return { problems };
  const result = cardGame.score({ players: hands.map(held => held.tally) }, rules);
  return { result, verdict: cardGameSentences.verdict(result, say), sofar: cardGameSentences.verdict(result, say, false),
    reasons: cardGameSentences.reasons(result, rules, say).map(each => each.words) };
})`, bare);
process.stdout.write(JSON.stringify(answer));
