import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { timing } from "@/lib/config/limits";

type Role = "textbox" | "combobox" | "checkbox" | "radio" | "button" | "link";

/** With the browser's own timer: where a test has stopped the page's clock, axe would wait for ever. */
const axeSource = `((setTimeout) => {
${readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")}
})(window.__pwClock?.builtins.setTimeout.bind(window) ?? setTimeout);`;

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
