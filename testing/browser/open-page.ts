import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { newAddress, type Visitor } from "../visitor";

export interface OpenOptions extends BrowserContextOptions {
  /** IP address of the visitor. Default: an address that no other visitor of this test process has. */
  address?: string;
  /** The browser starts with the cookies of this visitor. */
  as?: Visitor;
  /** Installs Playwright's clock, so that the test can move the time of the page. */
  clock?: boolean;
  /** Called before the page loads. */
  prepare?: (page: Page) => Promise<unknown> | undefined;
}

export type OpenedPage = Awaited<ReturnType<typeof openPage>>;

const phone = { width: 360, height: 640 };
const shareable = ["address", "as", "clock", "prepare", "viewport", "colorScheme", "reducedMotion"];

/** Returns whether a shared page can have these options. Others need a new browser context. */
export function canShare(options: OpenOptions = {}): boolean {
  return Object.keys(options).every((name) => shareable.includes(name));
}

/**
 * Opens a URL in the empty page of a test, or in a new browser context, on a small phone. Without a URL, the page is blank.
 * By default the visitor wants reduced motion, because animations need much CPU time without a graphics card.
 */
export async function openPage(
  place: Browser | Page,
  url?: string,
  { address = newAddress(), as, clock, prepare, reducedMotion = "reduce", ...rest }: OpenOptions = {},
) {
  const extraHTTPHeaders = { ...rest.extraHTTPHeaders, "x-real-ip": address };
  const isPage = "goto" in place;
  const page = isPage
    ? place
    : await (await place.newContext({ viewport: phone, reducedMotion, ...rest, extraHTTPHeaders })).newPage();
  const context = page.context();
  if (isPage) {
    await page.setViewportSize(rest.viewport ?? phone);
    const { colorScheme = null } = rest;
    await page.emulateMedia({ colorScheme, reducedMotion, media: null, forcedColors: null });
    await context.setExtraHTTPHeaders(extraHTTPHeaders);
  }
  context.setDefaultTimeout(15_000);
  /** Script errors, and errors on the console. */
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => {
    if (!isSkippedTransition(message)) problems.push(message);
  });
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  if (clock) await page.clock.install();
  if (url && as) await addCookies(context, url, as);
  await prepare?.(page);
  if (url) await page.goto(url);
  return { context, page, problems };
}

/** Adds a visitor's cookies for the site of the URL. */
export async function addCookies(context: BrowserContext, url: string, visitor: Visitor): Promise<void> {
  const { origin } = new URL(url);
  await context.addCookies(visitor.sentCookies().map(([name, value]) => ({ name, value, url: origin })));
}

/**
 * Browsers report an animation between pages as an error if the next navigation begins before its end, although visitors do
 * not notice it.
 */
export function isSkippedTransition(message: string): boolean {
  return /view ?transition|transition was skipped/i.test(message);
}
