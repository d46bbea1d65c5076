import { chromium, type Browser } from "@playwright/test";
import { findProgram, requireProgram } from "@/scripts/lib/programs.mjs";

/** Arguments for a headless Chromium without requests of its own, and with few processes and threads. */
export const chromiumArguments = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--process-per-site",
  "--js-flags=--single-threaded",
];

/**
 * Returns the path of Debian's chromium-headless-shell if it is installed, because a page needs a third of the CPU time
 * in it. Otherwise returns the path of Chromium, or throws if there is none.
 */
export function chromiumPath(): string {
  return findProgram("headless-shell") ?? requireProgram("browser");
}

/** Starts a headless browser with a fresh profile. */
export function launchBrowser(executablePath = chromiumPath()): Promise<Browser> {
  return chromium.launch({ executablePath, args: chromiumArguments });
}
