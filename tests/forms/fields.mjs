// Fills in a form's fields and runs its scripts on them as a viewer does, only without a viewer.
//
//     node fields.mjs NODE_MODULES < form.json
//
// form.json is {script, calculated: [[field, script], …], names: [field, …], filled: [{field: text}, …]}; the answer
// is a list of what the fields then hold, blank ones left out.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

const { script, calculated, names, filled } = JSON.parse(readFileSync(0, "utf8"));
const fields = Object.fromEntries(names.map(name => [name, { value: "" }]));
const page = createContext({ app: { viewerType: "none" }, getField: name => fields[name] ?? null, event: null });
runInContext(script, page);
const steps = calculated.map(([name, body]) => [name, runInContext(`(function () { ${body} })`, page)]);
const played = filled.map(game => {
  for (const name of names) { fields[name].value = game[name] ?? ""; }
  for (const [name, compute] of steps) {
    page.event = { value: fields[name].value };
    compute();
    fields[name].value = page.event.value;
  }
  return Object.fromEntries(names.filter(name => fields[name].value !== "").map(name => [name, fields[name].value]));
});
process.stdout.write(JSON.stringify(played), () => process.exit(0));
