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

/** Opens a URL in a new browser context on a small phone. Without a URL, the page is blank. */
export async function openPage(
  browser: Browser,
  url?: string,
  { address = newAddress(), as, clock, prepare, ...options }: OpenOptions = {},
) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    ...options,
    extraHTTPHeaders: { ...options.extraHTTPHeaders, "x-real-ip": address },
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
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
