import { join } from "node:path";
import { buildSync } from "esbuild";
import type { Page } from "@playwright/test";

/**
 * A virtual screen reader in the pages of a window, from their first moment on. It reads roles, names, states,
 * descriptions and live regions out of the real page in the real browser, by the specifications; how a person's own
 * screen reader words and interrupts them is its own affair. Close the window's context afterwards: it stays in there.
 *
 * @returns what it said since it was last asked, on the page that is open now; a page's own beginning is left out
 */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript({ content: bundle() });
  return () =>
    page.evaluate(async () => {
      const { virtual } = (window as unknown as { screenReader: ScreenReader }).screenReader;
      const log = await virtual.spokenPhraseLog();
      await virtual.clearSpokenPhraseLog();
      return log.filter((phrase) => phrase !== "document");
    });
}

interface ScreenReader {
  virtual: { spokenPhraseLog(): Promise<string[]>; clearSpokenPhraseLog(): Promise<void> };
}

const source = `
export { virtual } from "@guidepup/virtual-screen-reader";
import { virtual } from "@guidepup/virtual-screen-reader";
document.addEventListener("DOMContentLoaded", async () => {
  await virtual.start({ container: document.body });
  // The page may have moved the focus before: that is read like a move that comes later.
  const focused = document.activeElement;
  if (focused !== document.body) focused.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
});
`;

function bundle(): string {
  const { outputFiles } = buildSync({
    stdin: { contents: source, resolveDir: join(__dirname, "..", "..", "..") },
    bundle: true,
    format: "iife",
    globalName: "screenReader",
    minify: true,
    write: false,
    define: { "process.env.NODE_ENV": '"production"', "process.env": "{}" },
  });
  // The name is a variable of the script; what is evaluated later looks for a property of the window.
  return `${outputFiles[0]?.text ?? ""};window.screenReader=screenReader;`;
}
