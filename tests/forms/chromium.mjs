// Fills in a PDF form in Chromium with real keystrokes and prints the form as Chromium saves it, in base64.
//
//     node chromium.mjs NODE_MODULES FORM.pdf CHROMIUM < keys.json
//
// keys.json is a list of texts to type, and of keys to press: ["Ulm", {"press": "Tab"}, …]. The first one should be Tab:
// it goes to the first field.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, path, program] = process.argv.slice(2);
const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
const keys = JSON.parse(readFileSync(0, "utf8"));
const PATIENCE = 60000;
const wait = ms => new Promise(done => setTimeout(done, ms));
const browser = await puppeteer.launch({
  executablePath: program, headless: true, timeout: 120000,
  // The PDF viewer is an extension.
  ignoreDefaultArgs: ["--disable-extensions", "--disable-component-extensions-with-background-pages"],
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--no-first-run", "--window-size=400,560"],
});

try {
  const page = await browser.newPage();
  page.setDefaultTimeout(60000);
  await page.setViewport({ width: 400, height: 560 });
  await page.goto(`${pathToFileURL(path)}#toolbar=0&navpanes=0&view=Fit`);
  const target = await browser.waitForTarget(each => each.url().startsWith("chrome-extension://"), { timeout: 60000 });
  const viewer = await target.createCDPSession();
  const inViewer = async expression => {
    const { result, exceptionDetails } = await viewer.send(
      "Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) { throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text); }
    return result.value;
  };
  const until = async expression => {
    for (const end = Date.now() + PATIENCE; !await inViewer(expression); await wait(50)) {
      if (Date.now() > end) { throw new Error(`never true: ${expression}`); }
    }
  };
  await until("document.querySelector('pdf-viewer')?.loadState_ === 'success'");
  await page.mouse.click(200, 12); // the page's blank margin
  const keyboard = await page.createCDPSession();
  for (const [number, key] of keys.entries()) {
    // As characters of key events: so letters beyond the keyboard's come in the order of the others.
    for (const text of typeof key === "string" ? key : []) {
      await keyboard.send("Input.dispatchKeyEvent", { type: "char", text });
    }
    if (typeof key !== "string") { await page.keyboard.press(key.press); }
    if (number === 0) { await until("document.querySelector('pdf-viewer').formFieldFocus_ !== 'none'"); }
  }
  let saved, before;
  const content = file => file && atob(file).replaceAll(/\/ID\[[^\]]*\]/g, ""); // the last one differs each time
  for (const end = Date.now() + PATIENCE; Date.now() < end && (!saved || content(saved) !== content(before));) {
    before = saved;
    saved = await inViewer(`(async () => {
      const viewer = document.querySelector("pdf-viewer");
      const { dataToSave } = await (viewer.currentController ?? viewer.currentController_).save("EDITED");
      let text = "";
      for (const byte of new Uint8Array(dataToSave)) { text += String.fromCharCode(byte); }
      return btoa(text);
    })()`);
  }
  process.stdout.write(JSON.stringify(saved));
} finally {
  await browser.close();
}
