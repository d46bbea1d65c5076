import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import { timing } from "@/lib/config/limits";

type Role = "textbox" | "combobox" | "checkbox" | "radio" | "button" | "link" | "tab";

/** axe uses the browser's own timer, because tests stop the page's clock. */
const axeSource = `((setTimeout) => {
${readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")}
})(window.__pwClock?.builtins.setTimeout.bind(window) ?? setTimeout);`;

/** Returns the group of the captcha, of any provider. */
export function captchaOf(page: Page): Locator {
  return page.getByRole("group", { name: "Human verification" });
}

/** Passes the captcha. `checkbox` is the checkbox in the frame of a provider. Altcha starts itself after a valid link. */
export async function passCaptcha(page: Page, checkbox?: Locator): Promise<void> {
  const box = checkbox ?? captchaOf(page).getByRole("checkbox");
  const begun = page.getByText(/^(?:Verifying\.\.\.|Verification complete\.)/);
  await box.or(begun).first().waitFor({ state: "attached" });
  // Nothing tells the page about a link that a password manager fills in.
  const wait = {
    state: "attached",
    timeout: (await page.locator("#post-link").count()) * 2_000 || 1,
  } as const;
  await begun
    .first()
    .waitFor(wait)
    .catch(() => box.click());
  await page.getByText("Verification complete.").waitFor({ state: "attached", timeout: 60_000 });
}

/** Opens the home page, passes step 1 and waits for the next page. */
export async function startFlow(page: Page, url: string, link: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("textbox").fill(link);
  await passCaptcha(page);
  await page.getByRole("button", { name: "Continue to Next Step" }).click();
  await page.waitForURL(/\/(verification|private-account-error)\/$/);
}

/** Goes from step 2 to step 3. */
export async function continueToGetLikes(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Continue to Get Likes" }).click();
  await page.waitForURL(/\/get-likes\/$/);
}

/** Skips the simulated progress of step 3. The page must have been opened with the option `clock`. */
export async function skipProgress(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sending Likes..." }).waitFor();
  await page.clock.fastForward(timing.progressMaxMs);
}

/** Goes from step 1 to the receipt. The page must have been opened with the option `clock`. */
export async function reachReceipt(page: Page, url: string, link: string): Promise<void> {
  await startFlow(page, url, link);
  await continueToGetLikes(page);
  await page.getByRole("button", { name: "Send 50 Free Likes" }).click();
  await skipProgress(page);
  await page.getByRole("heading", { name: "Likes Delivered Successfully!" }).waitFor();
}

/** Returns the problems that axe finds on the page, with these rules, or its default rules and the one for the size of targets. */
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(async (only) => {
    const chosen = only ? { runOnly: only } : { rules: { "target-size": { enabled: true } } };
    // Without a list of passed rules, axe needs half the time.
    const options: RunOptions = { resultTypes: ["violations"], ...chosen };
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
    );
  }, rules);
}

/** Returns whether the page needs no horizontal scrolling. */
export function fitsWidth(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
}

/** Presses Tab until an element with this role and name has the focus. Throws after 60 times. */
export async function tabTo(page: Page, role: Role, name?: string): Promise<void> {
  const focused = page.getByRole(role, { name }).and(page.locator(":focus"));
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await focused.count()) > 0) return;
  }
  throw new Error(`Tab never reached the ${role} ${name ?? ""}`);
}
