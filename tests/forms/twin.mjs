// Scores positions with score.js, and prints what it says of them.
//
//     node twin.mjs NODE_MODULES SCORE.js < games.json
//
// games.json is {rules, games, interim}: interim says which are scored as in the interim scoring. The answer is {results,
// globals} with the names that the script defines; the last of them is the scoring.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const bare = vm.createContext({}); // the script finds nothing but the language
vm.runInContext(readFileSync(process.argv[3], "utf8"), bare);
const { rules, games, interim = [] } = JSON.parse(readFileSync(0, "utf8"));
const globals = Object.keys(bare), scoring = bare[globals[globals.length - 1]];
const results = games.map((game, number) => scoring.score(game, rules, interim[number]));
process.stdout.write(JSON.stringify({ results, globals }), () => process.exit(0));
