import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { freePort } from "../ports";
import { newAddress } from "../visitor";
import { end, watch } from "../watchdog";
import type { Driver, FoundElement, Key, Look, Target } from "./engine-page";
import { startListeningProxy, type ListeningProxy } from "./listening-proxy";
import { hasLibrary, lookUp, lookUpLibrary } from "./look-up";
import { startSession, type WebDriverSession } from "./web-driver";

/** So that the window can be as narrow as a phone: its own parts have a width that they insist on. */
const windowStyle = "* { min-width: 0; padding: 0; margin: 0; font-size: 1px; }";
/** Room for every page as a whole. */
const screenSize = "1400x9000x24";

const resizeMs = 10_000;

/** The keys of WebDriver, as private characters. https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keys: Record<Key, string> = { Enter: "\uE007", Escape: "\uE00C" };

/**
 * A window of WebKitGTK's MiniBrowser on a display of its own, over WebDriver. That protocol knows neither scripts
 * that run before a page's own nor headers: a proxy puts both in.
 */
export async function startWebKit({ colours, script, ...size }: Look): Promise<Driver> {
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "webkit-"));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    const proxy = await startListeningProxy(newAddress(), script);
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
    const window = new WebKitDriver(session, proxy, stop);
    await window.resize(size);
    return window;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A display that nobody sees, under a number that nobody else has. */
async function startDisplay() {
  const running = watch(
    spawn(requireProgram("xvfb"), ["-displayfd", "3", "-screen", "0", screenSize, "-nolisten", "tcp"], {
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    }),
  );
  const number = await new Promise<string>((resolve, reject) => {
    (running.child.stdio[3] as Readable).once("data", (data: Buffer) => resolve(data.toString().trim()));
    void running.ended.then(() => reject(new Error(`Xvfb did not start:\n${running.output()}`)));
  });
  return { name: `:${number}`, stop: () => end(running, "SIGTERM") };
}

async function startWebDriver(display: string, folder: string) {
  mkdirSync(join(folder, "gtk-3.0"));
  writeFileSync(join(folder, "gtk-3.0", "gtk.css"), windowStyle);
  const port = await freePort();
  const running = watch(
    spawn(requireProgram("webkit-driver"), [`--port=${port}`], {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_CACHE_HOME: folder,
        DISPLAY: display,
        // No services of a desktop.
        NO_AT_BRIDGE: "1",
        GSETTINGS_BACKEND: "memory",
      },
    }),
  );
  return { url: `http://127.0.0.1:${port}`, stop: () => end(running, "SIGTERM") };
}

class WebKitDriver implements Driver {
  readonly #session: WebDriverSession;
  readonly #proxy: ListeningProxy;
  readonly #stop: () => Promise<void>;

  constructor(session: WebDriverSession, proxy: ListeningProxy, stop: () => Promise<void>) {
    this.#session = session;
    this.#proxy = proxy;
    this.#stop = stop;
  }

  async open(url: string): Promise<void> {
    await this.#session.post("/url", { url });
  }

  async evaluate<Args extends unknown[], Result>(
    script: (...args: Args) => Result,
    ...args: Args
  ): Promise<Result> {
    return (await this.#session.run(`return (${String(script)})(...arguments)`, args)) as Result;
  }

  async find(target: Target): Promise<FoundElement | null> {
    if (!(await this.evaluate(hasLibrary))) await this.#session.run(lookUpLibrary);
    const found = (await this.evaluate(lookUp, target)) as Record<string, string> | null;
    const [id] = Object.values(found ?? {});
    if (id === undefined) return null;
    return {
      click: async () => {
        // In a window without a window manager the driver itself does not scroll far enough.
        await this.#session.run('arguments[0].scrollIntoView({ block: "center" })', [found]);
        await this.#session.post(`/element/${id}/click`);
      },
      type: async (text) => void (await this.#session.post(`/element/${id}/value`, { text })),
    };
  }

  async press(key: Key): Promise<void> {
    const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: keys[key] }));
    await this.#session.post("/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  /** The answer comes before the page has its new size, and on a busy machine a request comes to nothing. */
  async resize(size: Pick<Look, "width" | "height">): Promise<void> {
    const isDone = () =>
      this.evaluate(
        (width, height) => innerWidth === width && innerHeight === height,
        size.width,
        size.height,
      );
    for (const end = performance.now() + resizeMs; performance.now() < end;) {
      await this.#session.post("/window/rect", { x: 0, y: 0, ...size });
      for (let looks = 0; looks < 10; looks += 1) {
        if (await isDone()) return;
        await pause(50);
      }
    }
    throw new Error(`The window does not take the size ${size.width} × ${size.height}.`);
  }

  async screenshot(): Promise<Uint8Array> {
    return Buffer.from(String(await this.#session.get("/screenshot")), "base64");
  }

  problems(): string[] {
    return this.#proxy.problems;
  }

  close(): Promise<void> {
    return this.#stop();
  }
}
