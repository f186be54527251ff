// Corrects a PDF of a site in a browser and prints the digest of what came of it.
//
//     node printer_engine.mjs NODE_MODULES PROGRAM ADDRESS chrome|firefox|webkit FILE PLANS READINGS SLOPE
import { evaluateIn } from "../engines.mjs";

const [modules, program, address, kind, file, plans, readings, slope] = process.argv.slice(2);
const script = `const { correct, correctionOf } = await import("/look/printer.js");
const [bytes, plans] = await Promise.all([fetch("/${file}").then(answer => answer.arrayBuffer()), fetch("/${plans}").then(answer => answer.json())]);
const made = correct(new Uint8Array(bytes), plans["${file}".split("/").at(-1)], correctionOf(${readings}, ${slope}));
const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", made));
return JSON.stringify({ digest: [...digest].map(byte => byte.toString(16).padStart(2, "0")).join("") });`;
console.log(JSON.stringify(await evaluateIn(kind, modules, program, address, script, () => {})));
