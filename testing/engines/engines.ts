import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { launch, type LaunchOptions } from "puppeteer-core";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { chromiumArguments } from "../browser/browser";
import { isSkippedTransition } from "../browser/open-page";
import { newAddress } from "../visitor";
import { EnginePage, findElement, type Driver, type Look } from "./engine-page";
import { startWebKit } from "./webkit";

/** Each opens a window of a new browser with an empty profile, which uses the proxy also for localhost. */
const engines = { Chromium: startChromium, Firefox: startFirefox, WebKit: startWebKit };

type EngineName = keyof typeof engines;

export const engineNames = Object.keys(engines) as EngineName[];

/** Opens a URL in a new browser. Throws if the engine is not installed. The caller closes the driver. */
export async function openEngine(name: EngineName, look: Look, url: string): Promise<EnginePage> {
  const proxy = await startProxy(look);
  const driver = await engines[name](look, proxy.port);
  await driver.open(url);
  const close = async () => {
    await driver.close();
    proxy.close();
  };
  return new EnginePage({ ...driver, close, problems: () => proxy.problems });
}

/** Uses the Chrome DevTools Protocol. Unlike Playwright, Puppeteer keeps the back/forward cache. */
function startChromium(look: Look, proxyPort: number): Promise<Driver> {
  const proxy = [`--proxy-server=127.0.0.1:${proxyPort}`, "--proxy-bypass-list=<-loopback>"];
  const args = [...chromiumArguments, ...proxy, ...(look.colours === "dark" ? ["--force-dark-mode"] : [])];
  return startWithPuppeteer({ executablePath: requireProgram("browser"), args }, look);
}

/** Uses WebDriver BiDi, which cannot set the preferred colours. */
function startFirefox(look: Look, proxyPort: number): Promise<Driver> {
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

async function startWithPuppeteer(options: LaunchOptions, { width, height }: Look): Promise<Driver> {
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

/** Paths on the site's own origin, because the content security policy allows no other origin. */
const scriptPath = "/script-of-the-tests.js";
const problemsPath = "/problems-for-the-tests";
const library = require.resolve("@testing-library/dom/dist/@testing-library/dom.umd.min.js");

/**
 * Starts a proxy, because WebDriver can neither set headers nor run a script before a page's own scripts. The proxy adds
 * x-real-ip to requests, and a script to pages: it reports errors and policy violations to `problems`, contains the
 * library that `findElement` needs, and then runs `script`.
 */
async function startProxy({ script = "", fails }: Look) {
  const problems: string[] = [];
  const address = newAddress();

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<unknown> {
    const url = new URL(incoming.url ?? "");
    if (url.pathname === scriptPath) {
      const source = `(${String(reportProblems)})("${problemsPath}");${readFileSync(library, "utf8")};${script}`;
      return outgoing.setHeader("content-type", "text/javascript").end(source);
    }
    if (url.pathname === problemsPath) {
      const problem = await text(incoming);
      if (!isSkippedTransition(problem)) problems.push(problem);
      return outgoing.writeHead(204).end();
    }
    if (await fails?.(url.pathname)) return outgoing.writeHead(503).end();
    const headers = { ...incoming.headers, "x-real-ip": address, "accept-encoding": "identity" };
    const onward = request(url, { method: incoming.method, headers });
    incoming.pipe(onward);
    const [response] = (await once(onward, "response")) as [IncomingMessage];
    const status = response.statusCode ?? 502;
    if (!response.headers["content-type"]?.startsWith("text/html"))
      return response.pipe(outgoing.writeHead(status, response.headers));
    const html = (await text(response)).replace("<head>", `<head><script src="${scriptPath}"></script>`);
    // The length has changed. Node sets the header for the new body.
    delete response.headers["content-length"];
    delete response.headers["transfer-encoding"];
    return outgoing.writeHead(status, response.headers).end(html);
  }

  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, problems, close };
}

/** Runs in the page, before the page's own scripts. */
function reportProblems(path: string): void {
  const write = console.error.bind(console);
  console.error = (...parts) => {
    navigator.sendBeacon(path, parts.map(String).join(" "));
    write(...parts);
  };
  addEventListener("error", ({ message }) => console.error(message));
  addEventListener("unhandledrejection", ({ reason }) => console.error(String(reason)));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    console.error(`the policy's ${violatedDirective} has refused ${blockedURI}`),
  );
}
