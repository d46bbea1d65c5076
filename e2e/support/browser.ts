import { chromium, type Browser } from "playwright-core";
import { requireProgram } from "@/scripts/lib/programs.mjs";

/** How a Chromium is started that shows nothing, asks nothing, and calls nobody of its own accord. */
const chromiumArguments = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A headless Chromium with a fresh profile. Without a browser the test fails; it is never skipped. */
export function launchBrowser(more: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: requireProgram("browser"),
    args: [...chromiumArguments, ...more],
  });
}
