// A browser that does what it is told, line by line, and answers each line with one of JSON.
//
//     node browser.mjs NODE_MODULES CHROMIUM
//
// Deeds:
// {"do": "open", "url": …}
// {"do": "look", "width": …, "height": …, "dark": …, "still": …}    the window, and what its user prefers
// {"do": "find", "code": …}     the value of an expression on the page, also of a promise
// {"do": "await", "code": …}    waits until an expression on the page is true, and gives its value
// {"do": "press", "key": …}  {"do": "type", "text": …}  {"do": "click", "at": SELECTOR}
// {"do": "drag", "from": [x, y], "to": [x, y]}    with the mouse
// {"do": "drop", "at": [x, y], "files": […]}    files and folders, from outside
// {"do": "shoot", "to": FILE, "full": …}
// {"do": "heard"}    what went wrong on the page since this was asked, and every address that it asked for
import { createInterface } from "node:readline";
import { openProfile } from "../../engines.mjs";

const [modules, chromium] = process.argv.slice(2);
const wait = () => new Promise(done => setTimeout(done, 100));

async function awaitOn(find, code) {
  for (const end = Date.now() + 300_000; ;) {
    const value = await find({ code }).catch(error => {  // the page may give way to another meanwhile
      if (!String(error).includes("context was destroyed")) { throw error; }
    });
    if (value) { return value; }
    if (Date.now() > end) { throw new Error(`not true in time: ${code}`); }
    await wait();
  }
}

async function startBrowser() {
  const browser = await openProfile(modules, chromium);
  const page = await browser.newPage();
  const errors = [], asked = [];
  page.on("console", message => { if (["error", "warn"].includes(message.type())) { errors.push(message.text()); } });
  page.on("pageerror", error => errors.push(String(error)));
  page.on("request", request => asked.push(request.url()));
  const find = ({ code }) => page.evaluate(code);
  return {
    open: async ({ url }) => { await page.goto(url, { waitUntil: "load" }); },
    look: async ({ width = 1200, height = 900, dark = false, still = true }) => {
      await page.setViewport({ width, height });
      await page.emulateMediaFeatures([
        { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
        { name: "prefers-reduced-motion", value: still ? "reduce" : "no-preference" }]);
    },
    find,
    await: ({ code }) => awaitOn(find, code),
    press: ({ key }) => page.keyboard.press(key),
    type: ({ text }) => page.keyboard.type(text),
    click: ({ at }) => page.locator(at).click(),  // it waits until nothing moves
    drag: async ({ from, to }) => {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 4 });
      await page.mouse.up();
    },
    drop: async ({ at: [x, y], files }) => {
      const session = await page.createCDPSession(), data = { items: [], files, dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"]) { await session.send("Input.dispatchDragEvent", { type, x, y, data }); }
    },
    shoot: async ({ to, full = false }) => { await page.screenshot({ path: to, fullPage: full }); },
    heard: () => ({ errors: errors.splice(0), asked: asked.splice(0) }),
    quit: () => browser.close(),
  };
}

const deeds = await startBrowser();
try {
  for await (const line of createInterface({ input: process.stdin })) {
    const wish = JSON.parse(line);
    let answer;
    try {
      answer = { got: (await deeds[wish.do](wish)) ?? null };
    } catch (error) {
      answer = { failed: String(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
} finally {
  await deeds.quit();
}
