// Fills in a PDF form as pdf.js does when a person types, and prints what the form then holds.
//
//     node pdfjs.mjs NODE_MODULES < forms.json
//
// forms.json has lines of {form: path of a PDF, games}: a list of games, each a list of [field, text]. Each is answered
// with a line {played: a list of {field: value}, shown: a list of {field: text} where that is another, errors}.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [modules] = process.argv.slice(2);
const at = name => pathToFileURL(join(modules, "pdfjs-dist", "legacy", "build", name)).href;
globalThis.window = globalThis; // the sandbox speaks to a window: timers, console and one event
globalThis.alert = message => errors.push(message);
const listeners = [];
globalThis.dispatchEvent = event => listeners.forEach(listen => listen(event.detail));
const { getDocument } = await import(at("pdf.mjs"));
const { QuickJSSandbox } = await import(at("pdf.sandbox.mjs"));

const errors = [];
let objects;

async function open(path) {
  const pdf = await getDocument({ data: new Uint8Array(readFileSync(path)), verbosity: 0 }).promise;
  objects = await pdf.getFieldObjects();
  return {
    objects,
    calculationOrder: await pdf.getCalculationOrderIds(),
    appInfo: { platform: "Linux", language: "en" },
    docInfo: {
      ...(await pdf.getMetadata()).info, baseURL: "", filesize: 0, filename: "form.pdf", metadata: "", authors: null,
      numPages: pdf.numPages, URL: "", actions: await pdf.getJSActions(),
    },
  };
}

async function play(document, game) {
  const values = {}, shown = {}, names = {};
  for (const [name, [field]] of Object.entries(objects)) {
    if (field.type) { values[name] = String(field.value ?? ""); names[field.id] = name; }
  }
  listeners.length = 0;
  listeners.push(detail => {
    if (detail.command === "error" || detail.error) { errors.push(JSON.stringify(detail)); }
    if (detail.id in names && "value" in detail) { values[names[detail.id]] = String(detail.value ?? ""); }
    if (detail.id in names && "formattedValue" in detail) { shown[names[detail.id]] = detail.formattedValue; }
  });
  const sandbox = await QuickJSSandbox();
  sandbox.create(document);
  sandbox.dispatchEvent({ id: "doc", name: "Open" });
  for (const [name, text] of game) { type(sandbox, objects[name][0].id, name, text, values); }
  sandbox.nukeSandbox();
  const others = Object.entries(shown).filter(([name, text]) => text && text !== values[name]);
  return { values, shown: Object.fromEntries(others) };
}

// One field as the viewer does it: focus, a keystroke for each character, commit, blur.
function type(sandbox, id, name, text, values) {
  const keystrokes = Boolean(objects[name][0].actions?.Keystroke);
  sandbox.dispatchEvent({ id, name: "Focus", value: values[name] });
  let value = "";
  for (const change of text) {
    if (!keystrokes) { value += change; continue; }
    values[name] = value;
    sandbox.dispatchEvent({
      id, name: "Keystroke", value, change, willCommit: false, selStart: value.length, selEnd: value.length });
    value = values[name];
  }
  values[name] = value;
  sandbox.dispatchEvent({
    id, name: "Keystroke", value, willCommit: true, commitKey: 1, selStart: value.length, selEnd: value.length });
  sandbox.dispatchEvent({ id, name: "Blur", value });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { form, games } = JSON.parse(line), document = await open(form), played = [];
  for (const game of games) { played.push(await play(document, game)); }
  process.stdout.write(`${JSON.stringify({
    played: played.map(each => each.values), shown: played.map(each => each.shown), errors: errors.splice(0) })}\n`);
}
process.stdout.write("", () => process.exit(0)); // the timers of the sandbox would go on
