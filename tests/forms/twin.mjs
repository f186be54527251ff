// Scores games with score.js, and prints what it says of them.
//
//     node twin.mjs NODE_MODULES ENGINE SCORE.js < games.json
//
// ENGINE is node, where the script finds nothing but the language, or pdf.js, where it stands in a document.
// games.json is {rules, games} and, where a game has one, interim: which are scored as its interim scoring does. The
// answer is {results, globals} with the names that the script defines; the last of them is the scoring.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const [modules, engine, path] = process.argv.slice(2);
const script = readFileSync(path, "utf8");
const { rules, games, interim = [] } = JSON.parse(readFileSync(0, "utf8"));

function inNode() {
  const bare = vm.createContext({});
  vm.runInContext(script, bare);
  const globals = Object.keys(bare), scoring = bare[globals[globals.length - 1]];
  return { globals, results: games.map((game, number) => scoring.score(game, rules, interim[number])) };
}

async function inPdfJs() {
  const printed = [];
  globalThis.window = globalThis; // the sandbox speaks to a window
  globalThis.alert = message => printed.push(message);
  globalThis.dispatchEvent = event => printed.push(event.detail.value);
  const sandboxes = pathToFileURL(join(modules, "pdfjs-dist", "legacy", "build", "pdf.sandbox.mjs"));
  const { QuickJSSandbox } = await import(sandboxes.href);
  const all = `${JSON.stringify(games)}.map(function (game) { return cardGame.score(game, ${JSON.stringify(rules)}); })`;
  const appInfo = { platform: "Linux", language: "en" };
  const actions = { twin: [`${script}console.println(JSON.stringify(${all}));`] };
  const sandbox = await QuickJSSandbox();
  sandbox.create({ objects: {}, calculationOrder: [], appInfo, docInfo: { actions, filename: "form.pdf" } });
  sandbox.dispatchEvent({ id: "doc", name: "Open" });
  sandbox.nukeSandbox();
  return { results: JSON.parse(printed.join("").replace("PDF.js Console:: ", "")) };
}

const answer = engine === "node" ? inNode() : await inPdfJs();
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
