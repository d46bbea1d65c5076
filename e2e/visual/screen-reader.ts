import { join } from "node:path";
import type { Page } from "@playwright/test";

/**
 * Starts a virtual screen reader in every page that `page` opens. It speaks roles, names, states, descriptions and live
 * regions as the specifications define them. Real screen readers use other words and interruptions.
 *
 * @returns a function that returns the phrases on the open page since its last call
 */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript({ content: await bundle() });
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

async function bundle(): Promise<string> {
  const { build } = await import("vite");
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": '"production"', "process.env": "{}" },
    build: {
      write: false,
      lib: {
        entry: join(__dirname, "screen-reader-script.ts"),
        formats: ["iife"],
        name: "screenReader",
      },
    },
  });
  const [{ output }] = result as unknown as [{ output: [{ code: string }] }];
  // `page.evaluate` does not see variables of other scripts.
  return `${output[0].code};window.screenReader=screenReader;`;
}
