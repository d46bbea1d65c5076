import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { virtual } from "@guidepup/virtual-screen-reader";

declare global {
  interface Window {
    virtual: typeof virtual;
  }
}

/** The package's module for browsers, as a script: the content security policy allows no import of it. */
const source = readFileSync(require.resolve("@guidepup/virtual-screen-reader/browser.js"), "utf8").replace(
  /export\{.*?([\w$]+) as virtual\};/,
  "window.virtual=$1;",
);

/**
 * Starts a virtual screen reader in every page that `page` opens. It speaks roles, names, states, descriptions and live
 * regions as the specifications define them. Real screen readers use other words and interruptions.
 *
 * @returns a function that returns the phrases on the open page since its last call
 */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(`(() => {${source}\n})();`);
  await page.addInitScript(() =>
    document.addEventListener("DOMContentLoaded", async () => {
      await window.virtual.start({ container: document.body });
      // The page may have moved the focus before the screen reader started.
      const focused = document.activeElement;
      if (focused !== document.body) focused?.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    }),
  );
  return () =>
    page.evaluate(async () => {
      const log = await window.virtual.spokenPhraseLog();
      await window.virtual.clearSpokenPhraseLog();
      return log.filter((phrase) => phrase !== "document");
    });
}
