import { launch, type LaunchOptions } from "puppeteer-core";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { chromiumArguments } from "../browser/browser";
import { EnginePage, findElement, type Look, type Window } from "./engine-page";
import { startScriptProxy } from "./script-proxy";
import { startWebKit } from "./webkit";

/** Each opens a window of a new browser with an empty profile, which uses the proxy also for localhost. */
const engines = { Chromium: startChromium, Firefox: startFirefox, WebKit: startWebKit };

export type EngineName = keyof typeof engines;

export const engineNames = Object.keys(engines) as EngineName[];

/** Opens a URL in a new browser. Throws if the engine is not installed. The caller closes the driver. */
export async function openEngine(name: EngineName, look: Look, url: string): Promise<EnginePage> {
  const proxy = await startScriptProxy(look);
  const window = await engines[name](look, proxy.port);
  await window.open(url);
  const close = async () => {
    await window.close();
    await proxy.stop();
  };
  return new EnginePage({ ...window, close, problems: () => proxy.problems });
}

/** Uses the Chrome DevTools Protocol. Unlike Playwright, Puppeteer keeps the back/forward cache. */
function startChromium(look: Look, proxyPort: number): Promise<Window> {
  const proxy = [`--proxy-server=127.0.0.1:${proxyPort}`, "--proxy-bypass-list=<-loopback>"];
  const args = [...chromiumArguments, ...proxy, ...(look.colours === "dark" ? ["--force-dark-mode"] : [])];
  return startWithPuppeteer({ executablePath: requireProgram("browser"), args }, look);
}

/** Uses WebDriver BiDi, which cannot set the preferred colours. */
function startFirefox(look: Look, proxyPort: number): Promise<Window> {
  const extraPrefsFirefox = {
    "layout.css.prefers-color-scheme.content-override": look.colours === "dark" ? 0 : 1,
    // Scrollbars take no width, as on a phone.
    "ui.useOverlayScrollbars": 1,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": proxyPort,
    "network.proxy.allow_hijacking_localhost": true,
    ...look.preferences,
  };
  const executablePath = requireProgram("firefox");
  return startWithPuppeteer({ browser: "firefox", executablePath, extraPrefsFirefox }, look);
}

async function startWithPuppeteer(options: LaunchOptions, { width, height }: Look): Promise<Window> {
  const browser = await launch(options);
  // Firefox gives the focus only to new pages.
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  return {
    open: async (url) => void (await page.goto(url)),
    evaluate: (run, ...args) =>
      page.evaluate(`(${String(run)})(...${JSON.stringify(args)})`) as Promise<never>,
    find: async (target) => (await page.evaluateHandle(findElement, target)).asElement(),
    press: (key) => page.keyboard.press(key),
    resize: (size) => page.setViewport(size),
    close: () => browser.close(),
  };
}
