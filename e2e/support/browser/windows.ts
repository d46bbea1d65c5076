import type { Browser, Page } from "playwright-core";
import { newWindow, type VisitOptions, type Window } from "./flow-pages";
import type { Visitor } from "../visitor";

export interface Opening extends VisitOptions {
  /** Whose cookies the browser has. */
  as?: Visitor;
  /** With a clock that stops and goes on as the test says. */
  clock?: boolean;
  /** Thrown away after the visit: what the test does to it cannot be taken back. */
  once?: boolean;
  /** Before the page is asked for. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** The windows of a test. */
export class Windows {
  readonly #browser: Browser;
  readonly #defaults: VisitOptions;
  #open: { window: Window; once: boolean }[] = [];

  constructor(browser: Browser, defaults: VisitOptions = {}) {
    this.#browser = browser;
    this.#defaults = defaults;
  }

  /** Opens an address in a new window; without one, the test says where to go. */
  async open(url?: string, options: Opening = {}): Promise<Window> {
    const { as, clock = false, once = clock, prepare, ...visit } = options;
    const window = await newWindow(this.#browser, { ...this.#defaults, ...visit });
    this.#open.push({ window, once });
    const { page } = window;
    if (clock) await page.clock.install();
    if (url && as) await become(page, url, as);
    await prepare?.(page);
    if (url) await page.goto(url);
    return window;
  }

  /** Errors on the consoles of the open windows. */
  problems(): string[] {
    return this.#open.flatMap(({ window }) => window.problems);
  }

  /** Ends the visits. */
  async closeAll(): Promise<void> {
    await Promise.all(
      this.#open.splice(0).map(({ window, once }) => (once ? window.context.close() : window.close())),
    );
  }
}

/** Gives a window a visitor's cookies, for the site of that address. */
export async function become(page: Page, url: string, visitor: Visitor): Promise<void> {
  const { origin } = new URL(url);
  await page
    .context()
    .addCookies(visitor.sentCookies().map(([name, value]) => ({ name, value, url: origin })));
}
