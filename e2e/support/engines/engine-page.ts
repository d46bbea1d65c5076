import type { ByRoleMatcher } from "@testing-library/dom";

/** How a window looks at a page, in CSS pixels. */
export interface Look {
  width: number;
  height: number;
  colours: "light" | "dark";
  /** JavaScript that runs in each page before the page's own scripts. */
  script?: string;
}

/** An element by its role and a part of its accessible name, or by a selector and the whole text that it shows. */
export type Target = { role: ByRoleMatcher; name?: string } | { selector: string; text: string };

export type Key = "Enter" | "Escape";

export interface FoundElement {
  click(): Promise<void>;
  type(text: string): Promise<void>;
}

/** A window of one engine, as its protocol drives it. Nothing here waits for what comes later. */
export interface Driver {
  /** In a window where nothing was opened before. */
  open(url: string): Promise<void>;
  /** The script runs in the page: it sees nothing but its arguments. */
  evaluate<Args extends unknown[], Result>(script: (...args: Args) => Result, ...args: Args): Promise<Result>;
  /** What can be seen and is the target; null where nothing is. */
  find(target: Target): Promise<FoundElement | null>;
  press(key: Key): Promise<void>;
  resize(size: Pick<Look, "width" | "height">): Promise<void>;
  /** What the window shows, as PNG. */
  screenshot(): Promise<Uint8Array>;
  /** Script errors, errors on the console and violations of the policy so far, on whichever page. */
  problems(): string[];
  close(): Promise<void>;
}

const patienceMs = 20_000;

/** A window of any engine, as tests use it: every step waits until it can be done, and says what it waited for in vain. */
export class EnginePage {
  readonly driver: Driver;

  constructor(driver: Driver) {
    this.driver = driver;
  }

  /** Presses an element that can be seen, once nothing moves any more. */
  async click(role: ByRoleMatcher, name?: string): Promise<void> {
    await this.press({ role, name });
  }

  async press(target: Target): Promise<void> {
    await this.#until(`${JSON.stringify(target)} to be pressed`, async () => {
      const element = (await this.#isAtRest()) && (await this.driver.find(target));
      if (!element) return false;
      await element.click();
      return true;
    });
  }

  /** Waits until all pictures are there, and nothing moves but what turns for ever. */
  async settle(): Promise<void> {
    await this.#until("all pictures", () =>
      this.driver.evaluate(() => [...document.images].every(({ complete }) => complete)),
    );
    await this.#until("everything to be at rest", () => this.#isAtRest());
  }

  #isAtRest(): Promise<boolean> {
    return this.driver.evaluate(() =>
      document
        .getAnimations()
        .every(
          ({ effect, playState }) =>
            playState !== "running" || effect?.getComputedTiming().endTime === Infinity,
        ),
    );
  }

  /** Types into an empty field, after a press on it: a window in the background tells its page of no focus. */
  async fill(name: string, text: string): Promise<void> {
    await this.click("textbox", name);
    const element = await this.find({ role: "textbox", name });
    await element.type(text);
  }

  /** Waits until the target can be seen. */
  find(target: Target): Promise<FoundElement> {
    return this.#until(`${JSON.stringify(target)} to be seen`, () => this.driver.find(target));
  }

  async waitUntilGone(target: Target): Promise<void> {
    await this.#until(`${JSON.stringify(target)} to be gone`, async () => !(await this.driver.find(target)));
  }

  /** Waits until the page shows these words, in a document of that path where one is given. */
  async waitFor(words: string, path?: string): Promise<void> {
    await this.#until(`"${words}" on ${path ?? "the page"}`, async () => {
      const [shownPath, text] = await this.driver.evaluate(() => [
        location.pathname,
        document.body.innerText.replaceAll(/\s+/g, " "),
      ]);
      return (path === undefined || shownPath === path) && text?.includes(words);
    });
  }

  /** Opens another address in place of this page. */
  goTo(url: string): Promise<void> {
    return this.#leave((to) => location.assign(to), url);
  }

  reload(): Promise<void> {
    return this.#leave(() => location.reload());
  }

  /** In the tab's history, as by the browser's own buttons: -1 is back. */
  async travel(steps: -1 | 1): Promise<void> {
    await this.driver.evaluate((by) => history.go(by), steps);
  }

  /** The first part of the page's text that matches. */
  async read(pattern: RegExp): Promise<string> {
    const text = await this.driver.evaluate(() => document.body.innerText);
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) throw new Error(`nothing matches ${String(pattern)} in: ${text}`);
    return found;
  }

  /**
   * By the page's own script, and until there is another document: not every protocol finds its way back from a page that
   * the browser had kept in memory. A page that is left while it still comes would say so on its console (React's error 412).
   */
  async #leave<Args extends unknown[]>(script: (...args: Args) => void, ...args: Args): Promise<void> {
    const isWhole = () => this.driver.evaluate(() => document.readyState === "complete");
    await this.#until("the whole page", isWhole);
    await this.driver.evaluate(() => document.documentElement.setAttribute("data-left", ""));
    await this.driver.evaluate(script, ...args);
    await this.#until("another document", () =>
      this.driver.evaluate(
        () => document.readyState === "complete" && !document.documentElement.hasAttribute("data-left"),
      ),
    );
  }

  /** Tries until something comes of it. A page that is being left answers nothing: that is tried again, too. */
  async #until<Result>(
    what: string,
    attempt: () => Promise<Result>,
  ): Promise<Exclude<Result, null | undefined | false>> {
    let failure: unknown;
    for (const end = performance.now() + patienceMs; performance.now() < end;) {
      try {
        const result = await attempt();
        if (result) return result as Exclude<Result, null | undefined | false>;
        failure = undefined;
      } catch (error) {
        failure = error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const where = await this.driver
      .evaluate(() => `${location.href}, which says: ${document.body.innerText.slice(0, 500)}`)
      .catch(() => "a page that does not answer");
    throw new Error(`waited in vain for ${what} at ${where}`, { cause: failure });
  }
}
