// Fills in a PDF form in Chromium with real keystrokes and prints the form as Chromium saves it, in base64.
//
//     node chromium.mjs NODE_MODULES FORM.pdf CHROMIUM PICTURE.png < keys.json
//
// keys.json is a list of texts to type, and of keys to press: ["Ulm", {"press": "Tab"}, …]. The first key that is
// pressed should be Tab: it goes to the first field.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, path, program, picture] = process.argv.slice(2);
const puppeteer = createRequire(join(modules, "x.js"))("puppeteer-core");
const keys = JSON.parse(readFileSync(0, "utf8"));
const wait = ms => new Promise(done => setTimeout(done, ms));
const browser = await puppeteer.launch({
  executablePath: program, headless: true,
  // The PDF viewer is an extension.
  ignoreDefaultArgs: ["--disable-extensions", "--disable-component-extensions-with-background-pages"],
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--no-first-run", "--window-size=1000,1400"],
});
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 1400 });
  await page.goto(`${pathToFileURL(path)}#toolbar=0&navpanes=0&view=Fit`);
  const viewer = await (await browser.waitForTarget(
    target => target.url().startsWith("chrome-extension://"), { timeout: 20000 })).createCDPSession();
  const inViewer = async expression => {
    const { result, exceptionDetails } = await viewer.send(
      "Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) { throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text); }
    return result.value;
  };
  for (let tries = 0; !await inViewer("document.querySelector('pdf-viewer')?.loadState_ === 'success'"
    + " || document.querySelector('pdf-viewer')?.loadProgress === 100"); tries++) {
    if (tries > 100) { break; }
    await wait(100);
  }
  await wait(500);
  await page.mouse.click(500, 30); // the page's blank margin
  for (const key of keys) {
    // Letters beyond the keyboard's come another way than keys: each waits for the one before, or one is lost.
    for (const letter of typeof key === "string" ? key : []) {
      await page.keyboard.type(letter);
      await wait(/[ -~]/.test(letter) && /^[ -~]*$/.test(key) ? 2 : 60);
    }
    if (typeof key !== "string") { await page.keyboard.press(key.press); await wait(5); }
  }
  await wait(300);
  await page.screenshot({ path: picture });
  const saved = await inViewer(`(async () => {
    const viewer = document.querySelector("pdf-viewer");
    const { dataToSave } = await (viewer.currentController ?? viewer.currentController_).save("EDITED");
    let text = "";
    for (const byte of new Uint8Array(dataToSave)) { text += String.fromCharCode(byte); }
    return btoa(text);
  })()`);
  process.stdout.write(JSON.stringify({ saved }));
} finally {
  await browser.close();
}
