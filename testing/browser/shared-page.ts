import type { Browser, CDPSession, Page } from "@playwright/test";

/** Events that tests listen to. Playwright itself listens to others, and needs these listeners. */
const events = ["console", "pageerror", "request", "requestfinished"];

/**
 * A page that several tests use, one after the other. A new page needs three times its CPU time, because its process starts
 * and compiles all scripts. Playwright's `reuseContext` needs twice its CPU time, because it also empties the browser's cache.
 */
export class SharedPage {
  private page?: Page;
  private protocol?: CDPSession;
  /** Remove the init scripts of the test. */
  private readonly scripts: { dispose(): Promise<void> }[] = [];

  constructor(private readonly hasClock: boolean) {}

  /** Returns the page, which is as in a new browser context except for the cache. The caller ends its use with `reset`. */
  async take(browser: Browser): Promise<Page> {
    if (this.page) return this.page;
    const context = await browser.newContext();
    const page = await context.newPage();
    this.protocol = await context.newCDPSession(page);
    const add = page.addInitScript.bind(page);
    page.addInitScript = async (...args: Parameters<typeof add>) => {
      const script = await add(...args);
      this.scripts.push(script);
      return script;
    };
    return (this.page = page);
  }

  /** Removes all that a test has left. */
  async reset(): Promise<void> {
    const { page, protocol } = this;
    if (!page || !protocol) return;
    const context = page.context();
    if (page.isClosed()) {
      this.page = undefined;
      return context.close();
    }
    // Pages of errors have no storage.
    await page.evaluate(() => sessionStorage.clear()).catch(() => {});
    for (const other of context.pages()) if (other !== page) await other.close();
    // Without the page, a request that a route held is not sent. A click of the test can begin a navigation later and interrupt
    // this one, which still runs and would interrupt another one at once.
    const leave = () => page.goto("about:blank");
    await leave().catch(() => page.waitForTimeout(100).then(leave));
    for (const place of [page, context]) {
      for (const event of events) place.removeAllListeners(event);
      await place.unrouteAll({ behavior: "ignoreErrors" });
    }
    for (const script of this.scripts.splice(0)) await script.dispose();
    // A clock that stands still would stay so in the next test.
    if (this.hasClock) await page.clock.resume();
    const { entries } = await protocol.send("Page.getNavigationHistory");
    for (const origin of new Set(entries.map(({ url }) => new URL(url).origin))) {
      if (origin === "null") continue;
      await protocol.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    }
    await protocol.send("Page.resetNavigationHistory");
    await context.clearPermissions();
    await context.setOffline(false);
    await page.mouse.move(-1, -1);
  }
}
