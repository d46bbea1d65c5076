import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { newAddress } from "../visitor";
import { findProgram, requireProgram } from "@/scripts/lib/programs.mjs";

/** How a Chromium is started that shows nothing, asks nothing, and calls nobody of its own accord. */
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
 * A headless Chromium with a fresh profile: the same engine without the browser's own windows where Debian's package of
 * that is there, since a page costs a third of the processor time in it. Without a browser the test fails; it is never
 * skipped. The walk through the engines and a profile that stays have the whole browser.
 */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findProgram("headless-shell") ?? requireProgram("browser"),
    args: chromiumArguments,
  });
}

/** The browser that people have, with a fresh profile and further arguments. */
export function launchWholeBrowser(more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: requireProgram("browser"),
    args: [...chromiumArguments, ...more],
  });
}

/** The same with a profile that stays: what a visitor's browser keeps from one start to the next. */
export function launchProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: requireProgram("browser"),
    args: chromiumArguments,
    viewport: { width: 360, height: 640 },
    extraHTTPHeaders: { "x-real-ip": newAddress() },
  });
}
