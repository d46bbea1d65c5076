import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect } from "@playwright/test";
import { freePort, untilHealthy } from "@/scripts/lib/ports.mjs";
import { startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { findElement, type Driver, type Look } from "./engine-page";

/** Without this style, the toolbar of MiniBrowser has a minimum width that is wider than a phone. */
const windowStyle = "* { min-width: 0; padding: 0; margin: 0; font-size: 1px; }";
/** A page in the back/forward cache never runs its script, so the timeout of scripts is short. */
const scriptTimeoutMs = 4_000;

/** Opens a window of WebKitGTK's MiniBrowser on its own X display, over WebDriver. */
export async function startWebKit({ colours, ...size }: Look, proxyPort: number): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), "webkit-"));
  // The X server chooses a free display number, and writes it to the fourth stream.
  const displayArguments = ["-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp"];
  const display = startInBackground(requireProgram("xvfb"), displayArguments, {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const signal = AbortSignal.timeout(20_000);
  const [number] = (await once(display.child.stdio[3] as Readable, "data", { signal })) as [Buffer];

  mkdirSync(join(folder, "gtk-3.0"));
  writeFileSync(join(folder, "gtk-3.0", "gtk.css"), windowStyle);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const webDriver = startInBackground(requireProgram("webkit-driver"), [`--port=${port}`], {
    env: {
      ...process.env,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_CACHE_HOME: folder,
      DISPLAY: `:${number.toString().trim()}`,
      // The test machine has no desktop services.
      NO_AT_BRIDGE: "1",
      GSETTINGS_BACKEND: "memory",
    },
  });
  if (!(await untilHealthy(`${url}/status`, webDriver, 20_000)))
    throw new Error(`The WebDriver server did not start:\n${webDriver.output()}`);
  const alwaysMatch = {
    proxy: { proxyType: "manual", httpProxy: `127.0.0.1:${proxyPort}` },
    "webkitgtk:browserOptions": {
      binary: requireProgram("minibrowser"),
      args: ["--automation", "--full-screen", ...(colours === "dark" ? ["--dark-mode"] : [])],
    },
  };
  const started = await send(`${url}/session`, { capabilities: { alwaysMatch } });
  const driver = driverOf(`${url}/session/${(started as { sessionId: string }).sessionId}`);
  await driver.resize(size);
  const close = async (): Promise<void> => {
    for (const each of [webDriver, display]) await stop(each);
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...driver, close };
}

function driverOf(session: string): Omit<Driver, "close"> {
  const run = (script: string, args: unknown[]) =>
    send(`${session}/execute/sync`, { script, args }, scriptTimeoutMs);
  const evaluate: Driver["evaluate"] = async (script, ...args) =>
    (await run(`return (${String(script)})(...arguments)`, args)) as never;
  return {
    evaluate,
    open: async (url) => void (await send(`${session}/url`, { url })),
    async find(target) {
      const found = (await evaluate(findElement, target)) as Record<string, string> | null;
      const [id] = Object.values(found ?? {});
      if (id === undefined) return null;
      return {
        click: async () => {
          // Without a window manager, the driver does not scroll far enough.
          await run('arguments[0].scrollIntoView({ block: "center" })', [found]);
          await send(`${session}/element/${id}/click`, {});
        },
        type: async (text) => void (await send(`${session}/element/${id}/value`, { text })),
      };
    },
    async press() {
      // Escape (https://www.w3.org/TR/webdriver2/#keyboard-actions).
      const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: "\uE00C" }));
      await send(`${session}/actions`, { actions: [{ type: "key", id: "keyboard", actions }] });
    },
    /** The response comes before the page has its new size. On a busy machine, the driver loses some requests. */
    async resize({ width, height }) {
      await expect(async () => {
        await send(`${session}/window/rect`, { x: 0, y: 0, width, height });
        const size = () => evaluate(() => [innerWidth, innerHeight]);
        await expect.poll(size, { intervals: [50], timeout: 500 }).toEqual([width, height]);
      }).toPass({ timeout: 10_000 });
    },
  };
}

/** Sends a command (https://www.w3.org/TR/webdriver2/#endpoints). Throws for an error of the driver. */
async function send(url: string, body: object, timeoutMs = 60_000): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${new URL(url).pathname}: ${JSON.stringify(value)}`);
  return value;
}
