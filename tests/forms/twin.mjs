// Scores games with score.js, and prints what it says of them.
//
//     node twin.mjs NODE_MODULES SCORE.js < games.json
//
// The script finds nothing but the language. games.json is {rules, games, interim: which are scored as its interim
// scoring does}. The answer is {results, globals} with the names that the script defines; the last of them is the
// scoring.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const bare = vm.createContext({}), { rules, games, interim } = JSON.parse(readFileSync(0, "utf8"));
vm.runInContext(readFileSync(process.argv[3], "utf8"), bare);
const globals = Object.keys(bare), scoring = bare[globals[globals.length - 1]];
const results = games.map((game, number) => scoring.score(game, rules, interim[number]));
process.stdout.write(JSON.stringify({ globals, results }));
