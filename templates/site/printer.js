// Corrects PDFs of the site for the reader's printer, as `ppgen build --printer` does. Loaded only if somebody uses the form.
const MM = 72 / 25.4, FIELDS = ["across", "down", "a-x", "a-y", "b-x", "b-y"];
const round = (number, digits) => Number(number.toFixed(digits));

// A typed number: 99,5 or 0.5 mm or −1; NaN for anything else.
export function parseNumber(text) {
  const plain = text.normalize("NFKC").trim().toLowerCase().replace(/mm$/, "").trim().replace(/[−–]/g, "-").replace(",", ".");
  return /^[+-]?(\d{1,4}(\.\d{0,4})?|\.\d{1,4})$/.test(plain) ? Number(plain) : NaN;
}

// Shift (mm right and down) and rotation (degrees clockwise) of backs, and the scale, from the readings; `slope`: degrees per mm.
export function correctionOf({ across, down, "a-x": ax, "a-y": ay, "b-x": bx, "b-y": by }, slope) {
  return { x: round((ax + bx) / 2, 3), y: round((ay + by) / 2, 3), turn: round((ay - by) * slope, 2), scale: [round(100 / across, 4), round(100 / down, 4)] };
}

function matrices({ x, y, turn, scale: [across, up] }, [width, height]) {
  const write = numbers => `${numbers.map(number => round(number, 6)).join(" ")} cm\n`;
  const [u, v] = [width / 2, height / 2], [c, s] = [Math.cos(turn * Math.PI / 180), Math.sin(turn * Math.PI / 180)];
  return { scaled: across === 1 && up === 1 ? "" : write([across, 0, 0, up, u - across * u, v - up * v]),
    moved: x || y || turn ? write([c, -s, s, c, u - c * u - s * v, v + s * u - c * v]) + write([1, 0, 0, 1, x * MM, -y * MM]) : "" };
}

function moveBox([left, bottom, right, top], { x, y, scale }, [width, height], isBack) {
  const place = (at, by, factor, length) => Math.min(length, Math.max(0, length / 2 + (at + (isBack ? by * MM : 0) - length / 2) * factor)).toFixed(4);
  return [place(left, x, scale[0], width), place(bottom, -y, scale[1], height), place(right, x, scale[0], width), place(top, -y, scale[1], height)];
}

// The PDF with an incremental update (ISO 32000-1, 7.5.6): small streams round the content of each page that a correction changes.
// The plan was made with the file: see assembly.py.
export function correct(bytes, plan, correction) {
  const objects = [], encoder = new TextEncoder();
  let next = plan.size;
  const stream = text => { objects.push([next, `<< /Length ${text.length} >>\nstream\n${text}\nendstream`]); return `${next++} 0 R`; };
  for (const { object, page, contents: [faces, marks, captions], boxes, paper, marks: split } of plan.pages) {
    const isBack = split !== undefined, { scaled, moved } = matrices(correction, paper);
    if (!scaled && !(isBack && moved)) { continue; }
    const list = isBack && moved
      ? [stream(`q ${scaled}q ${moved}`), faces, stream(`${plan.marks[split][0]}\nQ\n${plan.marks[split][1]}\n`), captions, stream("\nQ\n")]
      : [stream(`q ${scaled}`), faces, marks, captions, stream("\nQ\n")];
    const edges = Object.entries(boxes).map(([name, box]) => `${name} [ ${moveBox(box, correction, paper, isBack).join(" ")} ]`);
    objects.push([object, `${page.slice(0, page.lastIndexOf(">>"))}/Contents [ ${list.join(" ")} ] ${edges.join(" ")} >>`]);
  }
  if (!objects.length) { return bytes; }
  if (bytes.length !== plan.length) { throw new Error("size"); } // another version of the site
  const parts = [encoder.encode("\n")], places = [];
  let at = bytes.length + 1;
  const add = (number, body) => { const text = Uint8Array.from(`${number} 0 obj\n${body}\nendobj\n`, letter => letter.charCodeAt(0)); places.push([number, at]); parts.push(text); at += text.length; };
  objects.sort((one, other) => one[0] - other[0]).forEach(([number, body]) => add(number, body));
  const start = at, rows = [...places, [next, start]];
  const table = rows.map(([, place]) => `01${place.toString(16).padStart(8, "0")}0000`).join("");
  const trailer = Object.entries(plan.trailer).map(([name, value]) => `${name} ${value}`).join(" ");
  add(next, `<< /Type /XRef /Size ${next + 1} /Prev ${plan.prev} ${trailer} /W [1 4 2] /Index [${rows.map(([number]) => `${number} 1`).join(" ")}] `
    + `/Filter /ASCIIHexDecode /Length ${table.length + 1} >>\nstream\n${table}>\nendstream`);
  parts.push(encoder.encode(`startxref\n${start}\n%%EOF\n`));
  return concatenate([bytes, ...parts]);
}

function concatenate(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { whole.set(part, at); at += part.length; }
  return whole;
}

// Brings the form to life. Returns whether there are readings (`active`), and `fix`, which corrects a file and its name.
export function start(box, keep) {
  const form = box.querySelector("form"), status = form.querySelector("output"), words = form.dataset;
  const inputs = FIELDS.map(name => form.elements[name]).filter(Boolean);
  let correction = null, plans = null;
  const say = (template, text, most = "") => template.replace("{text}", text).replace("{number}", text).replace("{most}", most);
  const problem = input => {
    const group = inputs.filter(other => (other.name.length > 3) === (input.name.length > 3)), number = parseNumber(input.value);
    if (!input.value.trim()) { return group.some(other => other.value.trim()) ? words.missing : ""; }
    if (Number.isNaN(number)) { return say(words.notNumber, input.value.trim()); }
    if (input.name.length > 3) { return Math.abs(number - 100) <= words.most ? "" : say(words.rulerOff, input.value.trim(), words.most); }
    return Math.abs(number) <= words.reach ? "" : say(words.tooFar, input.value.trim());
  };
  const check = () => {
    let first = null;
    for (const input of inputs) {
      const note = form.querySelector(`#${input.name}-problem`);
      note.textContent = problem(input);
      input.setAttribute("aria-invalid", Boolean(note.textContent));
      if (note.textContent) { first ??= input; }
    }
    return first;
  };
  const use = () => {
    const read = Object.fromEntries(FIELDS.map(name => [name, parseNumber(form.elements[name]?.value ?? "")]));
    FIELDS.forEach(name => { if (Number.isNaN(read[name])) { read[name] = name.length > 3 ? 100 : 0; } });
    correction = inputs.some(input => input.value.trim()) ? correctionOf(read, Number(words.slope)) : null;
  };
  const askew = () => correction && Math.abs(correction.turn) >= words.drift ? ` ${say(words.askew, String(correction.turn))}` : "";
  form.addEventListener("submit", event => {
    event.preventDefault();
    const first = check();
    if (first) { status.textContent = ""; first.focus(); return; }
    use();
    const text = correction ? JSON.stringify(Object.fromEntries(inputs.map(input => [input.name, input.value]))) : "";
    keep.set("printer", text);
    status.textContent = !correction ? words.none : (keep.get("printer") ?? "") === text ? words.kept : words.visit;
    status.textContent += askew();
  });
  form.addEventListener("reset", () => { keep.set("printer", ""); correction = null; setTimeout(check); status.textContent = words.none; });
  try {
    const stored = JSON.parse(keep.get("printer") || "{}");
    inputs.forEach(input => { input.value = String(stored[input.name] ?? ""); });
    if (inputs.some(input => input.value) && !check()) { use(); status.textContent = words.kept; box.open = true; }
  } catch { keep.set("printer", ""); }
  return {
    get active() { return Boolean(correction); },
    async fix(name, bytes) {
      plans ??= await fetch(words.pages).then(answer => { if (!answer.ok) { throw new Error(words.pages); } return answer.json(); });
      const fixed = correction && plans[name] ? correct(bytes, plans[name], correction) : bytes;
      return [fixed === bytes ? name : name.replace(/\.pdf$/, "-corrected.pdf"), fixed];
    },
    fail(error) { box.open = true; status.textContent = `${error.message}: ✗`; },
  };
}
