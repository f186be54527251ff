// Prints the syntax tree of a script (ESTree, with offsets).
//
//     node tree.mjs NODE_MODULES FILE
//
// What a template writes into the script counts as 0.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, path] = process.argv.slice(2);
const { parse } = createRequire(join(modules, "x.js"))("acorn");
const text = readFileSync(path, "utf8").replace(/\{\{.*?\}\}/gs, each => "0".padEnd(each.length))
  .replace(/\{%.*?%\}|\{#.*?#\}/gs, each => " ".repeat(each.length));
const options = { ecmaVersion: "latest", sourceType: /^(import|export) /m.test(text) ? "module" : "script", allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true };
process.stdout.write(JSON.stringify(parse(text, options)), () => process.exit(0));
