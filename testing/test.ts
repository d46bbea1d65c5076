import { test as base, type BrowserContext } from "@playwright/test";
import type { AppServer } from "./servers/app-server";
import { TestServers, type ServerOptions } from "./servers/test-servers";
import { SharedPage } from "./browser/shared-page";
import { canShare, openPage, type OpenedPage, type OpenOptions } from "./browser/open-page";

export { expect } from "@playwright/test";

/**
 * Opens a URL as a new visitor. The first call of a test takes a page of the worker, see shared-page.ts. Other calls, and options
 * for new contexts, open a context that closes after the test.
 */
export type Open = (url?: string, options?: OpenOptions) => Promise<OpenedPage>;

type ServersWithApp = TestServers & { app: AppServer };

/** Playwright's `test` with the fixtures `open` and `demo`, servers for the tests of all files that need no options. */
export const test = base.extend<{ open: Open }, { demo: ServersWithApp; shared: Map<string, SharedPage> }>({
  // One page with and one without a clock, and with and without scripts, because Playwright cannot change these.
  shared: [({}, use) => use(new Map()), { scope: "worker" }],
  demo: [
    // Playwright reads the names of the needed fixtures from the parameter.
    async ({}, use) => {
      const servers = new TestServers();
      await servers.launch();
      await use(Object.assign(servers, { app: await servers.start() }));
      await servers.stop();
    },
    { scope: "worker" },
  ],
  open: async ({ browser, shared, javaScriptEnabled }, use) => {
    const contexts: BrowserContext[] = [];
    let used: SharedPage | undefined;
    await use(async (url, options) => {
      const isShared = !used && canShare(options);
      if (isShared) {
        const hasClock = Boolean(options?.clock);
        const kind = `${hasClock} ${javaScriptEnabled}`;
        used = shared.get(kind) ?? new SharedPage(hasClock);
        shared.set(kind, used);
      }
      const opened = await openPage((isShared && (await used?.take(browser))) || browser, url, options);
      if (!isShared) contexts.push(opened.context);
      return opened;
    });
    await Promise.all(contexts.map((context) => context.close()));
    await used?.reset();
  },
});

/**
 * Starts Redis, a webhook receiver and the product before the tests of a file, and stops them after the tests.
 * `servers.app` is the product with these options. Without options, empties the Redis of `demo` and uses its servers. A
 * file with other servers starts them in `startMore`, whose result is merged into the returned object.
 */
export function useServers<More extends object = { app: AppServer }>(
  options?: ServerOptions,
  startMore = async (servers: TestServers) => ({ app: await servers.start(options) }) as object as More,
): TestServers & More {
  const servers = new TestServers() as TestServers & More;
  if (!options) {
    test.beforeAll(async ({ demo }) => {
      await demo.store.flushall();
      Object.assign(servers, demo);
    });
    return servers;
  }
  test.beforeAll(async () => {
    await servers.launch(options);
    Object.assign(servers, await startMore(servers));
  });
  test.afterAll(() => servers.stop());
  return servers;
}
