import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { timing } from "@/lib/config/limits";
import { newAddress } from "../visitor";

type Role = "textbox" | "combobox" | "checkbox" | "radio" | "button" | "link";

/** With the browser's own timer: where a test has stopped the page's clock, axe would wait for ever. */
const axeSource = `((setTimeout) => {
${readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")}
})(window.__pwClock?.builtins.setTimeout.bind(window) ?? setTimeout);`;

export interface VisitOptions extends BrowserContextOptions {
  /** Client address; a new one unless given. The servers of these tests trust x-real-ip. */
  address?: string;
}

export interface Window {
  context: BrowserContext;
  page: Page;
  /** Errors on the page's console, as they come. */
  problems: string[];
  /**
   * Ends the visit, and keeps the window, with its cache, for the next one with the same options: a page in a window that was used before
   * costs a quarter of the processor time of one in a new window. After a moved clock, or a script or
   * function added to every page, close the context instead: those cannot be taken back.
   */
  close(): Promise<void>;
}

/** Windows that are free, by browser and options. */
const idle = new WeakMap<Browser, Map<string, Window[]>>();

/** A browser window for a visitor who was never here: no cookies, nothing stored. */
export async function newWindow(
  browser: Browser,
  { address = newAddress(), viewport = { width: 360, height: 640 }, ...options }: VisitOptions = {},
): Promise<Window> {
  const byOptions = idle.get(browser) ?? new Map<string, Window[]>();
  idle.set(browser, byOptions);
  const key = JSON.stringify({ viewport, ...options });
  const free = byOptions.get(key) ?? [];
  byOptions.set(key, free);

  const used = free.pop();
  const context = used?.context ?? (await browser.newContext({ viewport, ...options }));
  const page = used?.page ?? (await context.newPage());
  await context.setExtraHTTPHeaders({ ...options.extraHTTPHeaders, "x-real-ip": address });
  context.setDefaultTimeout(15_000);
  const window = { context, page, problems: collectProblems(page), close };
  return window;

  async function close(): Promise<void> {
    const isClean = await forgetVisit(window, viewport, options.colorScheme).catch(() => false);
    if (isClean) free.push(window);
    else await context.close();
  }
}

function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // A failed request prints a line of its own; the tests that provoke one look at its outcome.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      problems.push(message.text());
    }
  });
  return problems;
}

/** Takes a window back to what it was when it was new; false when it cannot be. */
async function forgetVisit(
  { context, page }: Window,
  viewport: VisitOptions["viewport"],
  colorScheme: VisitOptions["colorScheme"] = "light",
): Promise<boolean> {
  if (context.pages().length !== 1 || page.isClosed()) return false;
  page.removeAllListeners();
  const { origin, protocol } = new URL(page.url());
  await context.setOffline(false);
  if (protocol.startsWith("http")) {
    // A page without script of its own, so that nothing is stored again; on this site, which keeps the process.
    await page.goto(`${origin}/robots.txt`);
    await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  }
  // Only now: without its route a call that a test held would go on, and the page it belongs to with it.
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.clearCookies();
  if (viewport && page.viewportSize()?.width !== viewport.width) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  return true;
}

/** Step 1: fills in the link. */
export async function pasteLink(page: Page, link: string): Promise<void> {
  await page.getByRole("textbox").fill(link);
}

/** The place of the human check, whatever the provider. */
export function captchaOf(page: Page): Locator {
  return page.getByRole("group", { name: "Human verification" });
}

/** Passes the human check as a visitor does; `checkbox` is where a provider's frame has it. */
export async function passCaptcha(
  page: Page,
  checkbox: Locator = captchaOf(page).getByRole("checkbox"),
): Promise<void> {
  await checkbox.click();
  await page.getByText("Verification complete.").waitFor({ state: "attached", timeout: 60_000 });
}

/** Steps 1 to 2: from the home page to the answer of the verification page. */
export async function startFlow(page: Page, url: string, link: string): Promise<void> {
  await page.goto(url);
  await pasteLink(page, link);
  await passCaptcha(page);
  await page.getByRole("button", { name: "Continue to Next Step" }).click();
  await page.waitForURL(/\/(verification|private-account-error)\/$/);
}

/** Step 2 to 3. */
export async function continueToGetLikes(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue to Get Likes" }).click();
  await page.waitForURL(/\/get-likes\/$/);
}

/** Step 3, after the press: jumps over the simulated progress. Needs `page.clock.install()` before the page is opened. */
export async function skipProgress(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sending Likes..." }).waitFor();
  await page.clock.fastForward(timing.progressMaxMs);
}

/**
 * Accessibility problems that axe finds on the page as it is, as readable lines.
 *
 * @param rules ids of the only rules to look at; all that axe has switched on, and the size of targets, unless given
 * @param exclude selectors of parts that were looked at before
 */
export async function axeViolations(
  page: Page,
  { rules, exclude = [] }: { rules?: string[]; exclude?: string[] } = {},
): Promise<string[]> {
  await settleAnimations(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(
    async ([only, exclude]) => {
      const { axe } = window as unknown as {
        axe: { run: (context: object, options: object) => Promise<{ violations: AxeViolation[] }> };
      };
      interface AxeViolation {
        id: string;
        nodes: { html: string; failureSummary?: string }[];
      }
      const { violations } = await axe.run(
        { include: [["html"]], exclude: exclude.map((each) => [each]) },
        {
          // What passes is not listed, which halves the time.
          resultTypes: ["violations"],
          ...(only ? { runOnly: only } : { rules: { "target-size": { enabled: true } } }),
        },
      );
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
      );
    },
    [rules, exclude] as const,
  );
}

/** Half faded in, text has not its contrast yet. */
async function settleAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/** True when nothing sticks out of the window to the right. */
export function fitsWidth(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
}

/** Presses Tab until the focus is on an element of that role (and name); fails when it never gets there. */
export async function tabTo(page: Page, role: Role, name?: string): Promise<void> {
  const target = name === undefined ? page.getByRole(role).first() : page.getByRole(role, { name });
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    if (await target.count().then((n) => n > 0 && target.evaluate((e) => e === document.activeElement)))
      return;
  }
  throw new Error(`Tab never reached the ${role} ${name ?? ""}`);
}
