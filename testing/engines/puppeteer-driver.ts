import { launch, type Browser, type Page } from "puppeteer-core";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { isSkippedTransition } from "../browser/open-page";
import { chromiumArguments } from "../browser/browser";
import { newAddress } from "../visitor";
import type { Driver, Look } from "./engine-page";
import { findElement, hasLibrary, librarySource } from "./find-element";

/** Opens a window of Chromium over the Chrome DevTools Protocol. */
export async function startChromium(look: Look): Promise<Driver> {
  const browser = await launch({ executablePath: requireProgram("browser"), args: chromiumArguments });
  return openWindow(browser, look, (page) =>
    page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: look.colours }]),
  );
}

/** Opens a window of Firefox over WebDriver BiDi. */
export async function startFirefox(look: Look): Promise<Driver> {
  const browser = await launch({
    browser: "firefox",
    executablePath: requireProgram("firefox"),
    extraPrefsFirefox: {
      // WebDriver BiDi cannot set the preferred colours.
      "layout.css.prefers-color-scheme.content-override": look.colours === "dark" ? 0 : 1,
      // Scrollbars take no width, as on a phone.
      "ui.useOverlayScrollbars": 1,
      ...look.preferences,
    },
  });
  return openWindow(browser, look);
}

async function openWindow(
  browser: Browser,
  { width, height, script, fails }: Look,
  prepare?: (page: Page) => Promise<void>,
): Promise<Driver> {
  // Firefox gives the focus only to new pages.
  const page = await browser.newPage();
  const problems = collectProblems(page);
  await page.evaluateOnNewDocument(logViolations);
  if (script) await page.evaluateOnNewDocument(script);
  if (fails) {
    await page.setRequestInterception(true);
    page.on("request", async (request) =>
      (await fails(new URL(request.url()).pathname)) ? request.abort() : request.continue(),
    );
  }
  await page.setExtraHTTPHeaders({ "x-real-ip": newAddress() });
  await page.setViewport({ width, height });
  await prepare?.(page);

  const evaluate: Driver["evaluate"] = (run, ...args) =>
    page.evaluate(`(${String(run)})(...${JSON.stringify(args)})`) as Promise<never>;

  return {
    evaluate,
    open: async (url) => void (await page.goto(url)),
    async find(target) {
      if (!(await evaluate(hasLibrary))) await page.evaluate(librarySource);
      return (await page.evaluateHandle(findElement, target)).asElement();
    },
    press: (key) => page.keyboard.press(key),
    resize: (size) => page.setViewport(size),
    problems: () => problems,
    close: () => browser.close(),
  };
}

function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => {
    if (!isSkippedTransition(String(error))) problems.push(String(error));
  });
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return problems;
}

/** Runs in the page, before the page's own scripts. */
function logViolations(): void {
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    console.error(`the policy's ${violatedDirective} has refused ${blockedURI}`),
  );
}
