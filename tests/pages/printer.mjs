// Corrects PDFs of a site as its page does.
//
//     node printer.mjs NODE_MODULES SCRIPT    with {plans, readings, slope, numbers, files: {name: [from, to]}} on standard input
import { readFileSync, writeFileSync } from "node:fs";

const script = readFileSync(process.argv[3]);
const { correct, correctionOf, parseNumber } = await import(`data:text/javascript;base64,${script.toString("base64")}`);
const { plans, readings, slope, numbers, files } = JSON.parse(readFileSync(0, "utf8"));
const correction = correctionOf(readings, slope), untouched = [];
for (const [name, [from, to]] of Object.entries(files)) {
  const bytes = new Uint8Array(readFileSync(from)), made = plans[name] ? correct(bytes, plans[name], correction) : bytes;
  if (made === bytes) { untouched.push(name); } else { writeFileSync(to, made); }
}
console.log(JSON.stringify({ correction, untouched, numbers: numbers.map(text => { const number = parseNumber(text); return Number.isNaN(number) ? null : number; }) }));
