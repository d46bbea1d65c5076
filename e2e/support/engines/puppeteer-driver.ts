import { launch, type Browser, type Page } from "puppeteer-core";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { chromiumArguments } from "../browser/browser";
import { newAddress } from "../visitor";
import type { Driver, FoundElement, Key, Look, Target } from "./engine-page";
import { hasLibrary, lookUp, lookUpLibrary } from "./look-up";

/** A window of Chromium, over its own protocol. */
export async function startChromium(look: Look): Promise<Driver> {
  const browser = await launch({ executablePath: requireProgram("browser"), args: chromiumArguments });
  return openWindow(browser, look, (page) =>
    page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: look.colours }]),
  );
}

/** A window of Firefox, over WebDriver BiDi. */
export async function startFirefox(look: Look): Promise<Driver> {
  const browser = await launch({
    browser: "firefox",
    executablePath: requireProgram("firefox"),
    extraPrefsFirefox: {
      // The protocol cannot say which colours the visitor prefers.
      "layout.css.prefers-color-scheme.content-override": look.colours === "dark" ? 0 : 1,
      // As on a phone.
      "ui.useOverlayScrollbars": 1,
    },
  });
  return openWindow(browser, look);
}

async function openWindow(
  browser: Browser,
  { width, height, script }: Look,
  prepare?: (page: Page) => Promise<void>,
): Promise<Driver> {
  const page = (await browser.pages())[0] ?? (await browser.newPage());
  const problems = collectProblems(page);
  await page.evaluateOnNewDocument(tellViolations);
  if (script) await page.evaluateOnNewDocument(script);
  await page.setExtraHTTPHeaders({ "x-real-ip": newAddress() });
  await page.setViewport({ width, height });
  await prepare?.(page);
  return new PuppeteerDriver(browser, page, problems);
}

function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // A failed request prints a line of its own; a test that provokes one looks at its outcome.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      problems.push(message.text());
    }
  });
  return problems;
}

/** In the page, before any script of its own. */
function tellViolations(): void {
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    console.error(`the policy's ${violatedDirective} has refused ${blockedURI}`),
  );
}

class PuppeteerDriver implements Driver {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #problems: string[];

  constructor(browser: Browser, page: Page, problems: string[]) {
    this.#browser = browser;
    this.#page = page;
    this.#problems = problems;
  }

  async open(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  evaluate<Args extends unknown[], Result>(
    script: (...args: Args) => Result,
    ...args: Args
  ): Promise<Result> {
    return this.#page.evaluate(`(${String(script)})(...${JSON.stringify(args)})`) as Promise<Result>;
  }

  async find(target: Target): Promise<FoundElement | null> {
    if (!(await this.evaluate(hasLibrary))) await this.#page.evaluate(lookUpLibrary);
    return (await this.#page.evaluateHandle(lookUp, target)).asElement();
  }

  press(key: Key): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  resize(size: Pick<Look, "width" | "height">): Promise<void> {
    return this.#page.setViewport(size);
  }

  screenshot(): Promise<Uint8Array> {
    return this.#page.screenshot();
  }

  problems(): string[] {
    return this.#problems;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
