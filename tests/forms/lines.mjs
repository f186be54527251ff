// Scores games of score.toml with score_lines.js, and prints what it says of them.
//
//     node lines.mjs NODE_MODULES SCORE_LINES.js < games.json
//
// games.json is {games: [{rules, texts, names, columns, over}]}; the answer has for each game its counts, points,
// totals, ranks, the tie-break that decided, the reasons and the verdict.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const bare = vm.createContext({});
vm.runInContext(readFileSync(process.argv[3], "utf8"), bare);
const { games } = JSON.parse(readFileSync(0, "utf8"));
const answer = games.map(({ rules, texts, names, columns, over }) => {
  const scored = bare.scoreLines.score(rules, names, columns), words = bare.scoreLines.speaker(key => texts[key]);
  return [scored.counts, scored.points, scored.totals, scored.ranks, scored.decided,
    bare.scoreLines.reasons(rules, scored, words).map(each => each.words),
    bare.scoreLines.verdict(rules, scored, words, over)];
});
process.stdout.write(JSON.stringify(answer));
