import { expect } from "@playwright/test";
import type * as Library from "@testing-library/dom";

type Role = Library.ByRoleMatcher;
type Size = Record<"width" | "height", number>;

/** Settings of a browser window. The size is in CSS pixels. */
export interface Look extends Size {
  colours: "light" | "dark";
  /** JavaScript that runs in each page before the page's own scripts. */
  script?: string;
  /** Preferences of Firefox (about:config). */
  preferences?: Record<string, boolean | number>;
  /** Called with the path of each request. If the result is true, the request fails. */
  fails?: (path: string) => boolean | Promise<boolean>;
}

/** An element by its role and a part of its accessible name, or by a selector and the start of its text. */
export type Target = { role: Role; name?: string } | { selector: string; text: string };

interface FoundElement {
  click(): Promise<void>;
  type(text: string): Promise<void>;
}

/** A browser window. The methods do not wait until the page is ready for them. */
export interface Driver {
  open(url: string): Promise<void>;
  /** Runs the script in the page. The script can use only its arguments. */
  evaluate<Args extends unknown[], Result>(script: (...args: Args) => Result, ...args: Args): Promise<Result>;
  /** Returns the result of `findElement` in the page. */
  find(target: Target): Promise<FoundElement | null>;
  press(key: "Escape"): Promise<void>;
  resize(size: Size): Promise<void>;
  close(): Promise<void>;
}

/** Runs in the page, which has the library (engines.ts). Returns the first visible element that matches. */
export function findElement(target: Target): HTMLElement | null {
  const { TestingLibraryDom } = globalThis as unknown as { TestingLibraryDom: typeof Library };
  // Functions must have no name here: some compilers wrap named functions in a helper that the page does not have.
  const found =
    "role" in target
      ? TestingLibraryDom.queryAllByRole(document.body, target.role, {
          // The library's own visibility check takes seconds in Firefox.
          hidden: true,
          name: (name) => name.includes(target.name ?? ""),
        })
      : [...document.querySelectorAll<HTMLElement>(target.selector)].filter((element) =>
          element.innerText.trim().startsWith(target.text),
        );
  const options = { opacityProperty: true, visibilityProperty: true };
  return found.find((element) => element.checkVisibility(options)) ?? null;
}

/** A page in any engine. Each method waits until its step is possible, and throws after a timeout. */
export class EnginePage {
  /** `problems` returns all script errors, console errors and policy violations so far. */
  constructor(readonly driver: Driver & { problems(): string[] }) {}

  click(role: Role, name?: string): Promise<void> {
    return this.press({ role, name });
  }

  /** Clicks an element after all animations have ended. */
  async press(target: Target): Promise<void> {
    const isAtRest = () =>
      this.driver.evaluate(() => {
        const running = document.getAnimations().filter(({ playState }) => playState === "running");
        return running.every(({ effect }) => effect?.getComputedTiming().endTime === Infinity);
      });
    await this.#until(`${JSON.stringify(target)} can be clicked`, async () => {
      const element = (await isAtRest()) ? await this.driver.find(target) : null;
      await element?.click();
      return element;
    });
  }

  /** Types into an empty field. The click comes first, because a page in a background window gets no focus event. */
  async fill(name: string, text: string): Promise<void> {
    await this.click("textbox", name);
    await (await this.find({ role: "textbox", name })).type(text);
  }

  find(target: Target): Promise<FoundElement> {
    return this.#until(`${JSON.stringify(target)} is visible`, () => this.driver.find(target));
  }

  async waitUntilGone(target: Target): Promise<void> {
    await this.#until(`${JSON.stringify(target)} is gone`, async () => !(await this.driver.find(target)));
  }

  /** Waits until the page shows the text. With a path, the page must also have this path. */
  async waitFor(text: string, path?: string): Promise<void> {
    await this.#until(`"${text}" is on ${path ?? "the page"}`, async () => {
      const shownPath = await this.driver.evaluate(() => location.pathname);
      return (path === undefined || shownPath === path) && (await this.#text()).includes(text);
    });
  }

  #text(): Promise<string> {
    return this.driver.evaluate(() => document.body.innerText.replaceAll(/\s+/g, " "));
  }

  /** Returns the first part of the page's text that matches. */
  async read(pattern: RegExp): Promise<string> {
    const text = await this.#text();
    expect(text).toMatch(pattern);
    return pattern.exec(text)![0];
  }

  /**
   * Loads a URL, or the same page again, with a script in the page, because the protocol's own command fails on pages from
   * the back/forward cache. The present document must be complete: otherwise React logs error 412.
   */
  async goTo(url?: string): Promise<void> {
    const isComplete = () =>
      this.driver.evaluate(
        () => document.readyState === "complete" && !document.documentElement.hasAttribute("data-old"),
      );
    await this.#until("the page is complete", isComplete);
    await this.driver.evaluate((to) => {
      document.documentElement.setAttribute("data-old", "");
      if (to) location.assign(to);
      else location.reload();
    }, url);
    await this.#until("the next page is complete", isComplete);
  }

  /** Goes back (-1) or forward (1) in the history. */
  async travel(steps: -1 | 1): Promise<void> {
    const address = () => this.driver.evaluate(() => location.href);
    const before = await address();
    await expect(async () => {
      // The timeout lets the call return before the page, and its execution context, go away.
      await this.driver.evaluate((by) => void setTimeout(() => history.go(by)), steps);
      // Firefox drops the call while it still finishes the navigation before.
      await expect.poll(() => address().catch(() => before), { timeout: 8_000 }).not.toBe(before);
    }).toPass({ timeout: 20_000 });
  }

  /** Repeats the attempt until its result is truthy. Errors count as failed attempts, because pages unload meanwhile. */
  async #until<Result>(description: string, attempt: () => Promise<Result>) {
    let result: Result;
    await expect(async () => {
      result = await attempt();
      if (!result) throw new Error(`not true: ${description}. The page shows: ${await this.#text()}`);
      // More often, the attempts take most of the processor.
    }).toPass({ timeout: 20_000, intervals: [200] });
    return result! as Exclude<Result, null | undefined | false>;
  }
}
