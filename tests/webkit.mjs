// WebKitGTK by its own WebDriver, which needs a display.
import { spawn } from "node:child_process";
import { createServer } from "node:net";

const wait = () => new Promise(done => setTimeout(done, 100));
const freePort = () => new Promise(done => {
  const server = createServer().listen(0, "127.0.0.1", () => { const { port } = server.address(); server.close(() =>
    done(port)); });
});

// Starts the driver and a session; `ask` sends a command of the session, `quit` ends both.
export async function startWebKit(program) {
  let port, driver;
  const send = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (value && value.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  try {
    for (let ready = false, end = Date.now() + 120000; !ready;) {
      if (!driver || driver.exitCode !== null) { // at first, or as somebody else took the port
        port = await freePort();
        driver = spawn(program, [`--port=${port}`], { stdio: "ignore" });
      }
      await wait();
      ready = await send("GET", "/status").then(() => driver.exitCode === null, () => false);
      if (!ready && Date.now() > end) throw new Error("WebKitWebDriver does not answer");
    }
    const { sessionId } = await send("POST", "/session", { capabilities: { alwaysMatch: { browserName: "MiniBrowser" } } });
    const ask = (method, path, body) => send(method, `/session/${sessionId}${path}`, body);
    return { ask, quit: async () => { await ask("DELETE", "").catch(() => {}); driver.kill(); } };
  } catch (error) {
    driver?.kill();
    throw error;
  }
}
