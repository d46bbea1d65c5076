import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";

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
  return chromium.launch({ executablePath: findChromium(), args: [...chromiumArguments, ...more] });
}

/** The full path of the Chromium or Chrome of this machine; throws when there is none. */
function findChromium(): string {
  const inPath = (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => ["google-chrome", "google-chrome-stable"].map((name) => join(folder, name)));
  const candidates = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", ...inPath];
  const found = candidates.find((path) => path && isExecutable(path));
  if (found) return found;
  throw new Error(
    "These tests need a browser, and there is no Chromium or Chrome. On Debian: apt-get install chromium; " +
      "elsewhere set CHROMIUM_PATH to the program.",
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
