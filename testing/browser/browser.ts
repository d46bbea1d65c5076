import { chromium, type Browser, type BrowserContext } from "@playwright/test";
import { findProgram, requireProgram } from "@/scripts/lib/programs.mjs";
import { newAddress } from "../visitor";

/** Arguments for a headless Chromium without requests of its own. */
export const chromiumArguments = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Returns the path of Debian's chromium-headless-shell if it is installed, because a page needs a third of the CPU time
 * in it. Otherwise returns the path of Chromium, or throws if there is none.
 */
export function chromiumPath(): string {
  return findProgram("headless-shell") ?? requireProgram("browser");
}

/** Starts a headless browser with a fresh profile. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
}

/** Starts the complete Chromium with a fresh profile and more arguments. */
export function launchWholeBrowser(more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: requireProgram("browser"),
    args: [...chromiumArguments, ...more],
  });
}

/** Starts the complete Chromium with a profile folder, which keeps the data of the last start. */
export function launchProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: requireProgram("browser"),
    args: chromiumArguments,
    viewport: { width: 360, height: 640 },
    extraHTTPHeaders: { "x-real-ip": newAddress() },
  });
}
