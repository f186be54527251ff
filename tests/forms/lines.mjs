// Scores games of score.toml with score_lines.js, and prints what it says of them.
//
//     node lines.mjs NODE_MODULES SCORE_LINES.js < games.json
//
// games.json is {texts, games: [{game, rules, names, columns, over}]} with the texts of each game; the answer has for each game its counts, points,
// totals, ranks, the tie-break that decided, the reasons and the verdict.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const bare = vm.createContext({});
vm.runInContext(readFileSync(process.argv[3], "utf8"), bare);
const { texts, games } = JSON.parse(readFileSync(0, "utf8"));
const answer = games.map(({ game, rules, names, columns, over }) => {
  const scored = bare.scoreLines.score(rules, names, columns), words = bare.scoreLines.speaker(key => texts[game][key]);
  return [scored.counts, scored.points, scored.totals, scored.ranks, scored.decided,
    bare.scoreLines.reasons(rules, scored, words).map(each => each.words),
    bare.scoreLines.verdict(rules, scored, words, over)];
});
process.stdout.write(JSON.stringify(answer));
