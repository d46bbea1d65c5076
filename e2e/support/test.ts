import { test as base, type BrowserContext } from "@playwright/test";
import type { AppServer } from "./servers/app-server";
import { TestServers, type RedisOptions, type ServerOptions } from "./servers/test-servers";
import { openPage, type OpenedPage, type OpenOptions } from "./browser/open-page";

export { expect } from "@playwright/test";

/** Opens a URL as a new visitor, in a browser context that closes after the test. */
export type Open = (url?: string, options?: OpenOptions) => Promise<OpenedPage>;

/** Playwright's `test` with the fixture `open`. */
export const test = base.extend<{ open: Open }>({
  open: async ({ browser }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (url, options) => {
      const opened = await openPage(browser, url, options);
      contexts.push(opened.context);
      return opened;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

/**
 * Starts Redis, a webhook receiver and the product before the tests of a file, and stops them after the tests.
 * `servers.app` is the product with these options. A file with other servers starts them in `startMore`. The result of
 * `startMore` is merged into the returned object.
 */
export function useServers(options?: RedisOptions & ServerOptions): TestServers & { app: AppServer };
export function useServers<More extends object>(
  options: RedisOptions,
  startMore: (servers: TestServers) => Promise<More>,
): TestServers & More;
export function useServers(
  options: RedisOptions & ServerOptions = {},
  startMore: (servers: TestServers) => Promise<object> = async (servers) => ({
    app: await servers.start(options),
  }),
): TestServers {
  const servers = new TestServers();
  test.beforeAll(async () => {
    await servers.launch(options);
    Object.assign(servers, await startMore(servers));
  });
  test.afterAll(() => servers.stop());
  return servers;
}
