import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { freePort } from "../ports";
import { newAddress } from "../visitor";
import type { Driver, Key, Look } from "./engine-page";
import { findElement, hasLibrary, librarySource } from "./find-element";
import { startScriptProxy } from "./script-proxy";
import { startSession, type WebDriverSession } from "./web-driver";

/** Without this style, the toolbar of MiniBrowser has a minimum width that is wider than a phone. */
const windowStyle = "* { min-width: 0; padding: 0; margin: 0; font-size: 1px; }";
const screenSize = "1400x900x24";

const resizeMs = 10_000;

/** Codes of the keys: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keys: Record<Key, string> = { Enter: "\uE007", Escape: "\uE00C" };

/** Opens a window of WebKitGTK's MiniBrowser on its own X display, over WebDriver. */
export async function startWebKit({ colours, script, fails, ...size }: Look): Promise<Driver> {
  const stops: (() => unknown)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "webkit-"));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    const proxy = await startScriptProxy(newAddress(), { script, fails });
    stops.push(() => proxy.stop());
    const display = await startDisplay();
    stops.push(() => display.stop());
    const driver = await startWebDriver(display.name, folder);
    stops.push(() => driver.stop());

    const args = ["--automation", "--full-screen", ...(colours === "dark" ? ["--dark-mode"] : [])];
    const session = await startSession(driver.url, {
      proxy: { proxyType: "manual", httpProxy: proxy.host },
      "webkitgtk:browserOptions": { binary: requireProgram("minibrowser"), args },
    });
    stops.push(() => session.end());
    const window = { ...windowOf(session), problems: () => proxy.problems, close: stopAll };
    await window.resize(size);
    return window;
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** Starts an X server, which chooses a free display number. */
async function startDisplay() {
  const args = ["-displayfd", "3", "-screen", "0", screenSize, "-nolisten", "tcp"];
  const stdio = ["ignore" as const, "pipe" as const, "pipe" as const, "pipe" as const];
  const running = startInBackground(requireProgram("xvfb"), args, { stdio });
  const number = await new Promise<string>((resolve, reject) => {
    (running.child.stdio[3] as Readable).once("data", (data: Buffer) => resolve(data.toString().trim()));
    void running.ended.then(() => reject(new Error(`Xvfb did not start:\n${running.output()}`)));
  });
  return { name: `:${number}`, stop: () => stop(running) };
}

async function startWebDriver(display: string, folder: string) {
  mkdirSync(join(folder, "gtk-3.0"));
  writeFileSync(join(folder, "gtk-3.0", "gtk.css"), windowStyle);
  const port = await freePort();
  const running = startInBackground(requireProgram("webkit-driver"), [`--port=${port}`], {
    env: {
      ...process.env,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_CACHE_HOME: folder,
      DISPLAY: display,
      // The test machine has no desktop services.
      NO_AT_BRIDGE: "1",
      GSETTINGS_BACKEND: "memory",
    },
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(running) };
}

function windowOf(session: WebDriverSession): Omit<Driver, "problems" | "close"> {
  const evaluate: Driver["evaluate"] = async (script, ...args) =>
    (await session.run(`return (${String(script)})(...arguments)`, args)) as never;

  return {
    evaluate,
    open: async (url) => void (await session.post("/url", { url })),
    async find(target) {
      if (!(await evaluate(hasLibrary))) await session.run(librarySource);
      const found = (await evaluate(findElement, target)) as Record<string, string> | null;
      const [id] = Object.values(found ?? {});
      if (id === undefined) return null;
      return {
        click: async () => {
          // Without a window manager, the driver does not scroll far enough.
          await session.run('arguments[0].scrollIntoView({ block: "center" })', [found]);
          await session.post(`/element/${id}/click`);
        },
        type: async (text) => void (await session.post(`/element/${id}/value`, { text })),
      };
    },
    async press(key) {
      const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: keys[key] }));
      await session.post("/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
    },
    /** The response comes before the page has its new size. On a busy machine, the driver loses some requests. */
    async resize({ width, height }) {
      for (const end = performance.now() + resizeMs; performance.now() < end;) {
        await session.post("/window/rect", { x: 0, y: 0, width, height });
        for (let checks = 0; checks < 10; checks += 1) {
          if (await evaluate((w, h) => innerWidth === w && innerHeight === h, width, height)) return;
          await sleep(50);
        }
      }
      throw new Error(`The window does not take the size ${width} × ${height}.`);
    },
  };
}
