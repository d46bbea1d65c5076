import { join } from "node:path";
import { buildSync } from "esbuild";
import type { Page } from "@playwright/test";

/**
 * Starts a virtual screen reader in every page that `page` opens. It speaks roles, names, states, descriptions and live
 * regions as the specifications define them. Real screen readers use other words and interruptions.
 *
 * @returns a function that returns the phrases on the open page since its last call
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
  // The page may have moved the focus before the screen reader started.
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
  // `page.evaluate` does not see variables of other scripts.
  return `${outputFiles[0]?.text ?? ""};window.screenReader=screenReader;`;
}
