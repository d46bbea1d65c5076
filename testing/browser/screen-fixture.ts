import { expect, type Browser, type Page } from "@playwright/test";
import { pages } from "@/lib/http/pages";
import type { Flow } from "@/lib/server/cookies/flow-cookie";
import { usedUpLookups } from "@/lib/server/http/rate-limits";
import { linkOf, postCode, reelLink, sandboxCodes } from "../sample-posts";
import type { AppServer } from "../servers/app-server";
import { consentSite } from "../servers/builds";
import { TestServers } from "../servers/test-servers";
import type { WebhookReceiver } from "../servers/webhook-receiver";
import { returningVisitor, visitorAtStep3 } from "../visitor";
import { newVisitorInFlow } from "../visitor-in-flow";
import { openPage, type OpenedPage, type OpenOptions } from "./open-page";

const dayMs = 86_400_000;
const uncheckedFlow = "unchecked";

type LikeTotal = "budget" | "returning";

/** Sets a total of today's likes. Also sets it for tomorrow, in case the test runs at midnight GMT. */
export async function chargeLikes(
  { store }: Pick<TestServers, "store">,
  likes: number,
  total: LikeTotal = "budget",
): Promise<void> {
  const today = Math.floor(Date.now() / dayMs);
  for (const day of [today, today + 1]) await store.set(`{likes}:v2:${total}:${day}`, likes, { px: dayMs });
}

export type VisitorName = keyof Awaited<ReturnType<typeof createVisitors>>;

export interface ScreenOptions extends Omit<OpenOptions, "as"> {
  as?: VisitorName;
  /** Opens the page in the width of a desktop instead of a phone. */
  wide?: boolean;
  /** Opens the page of the site with a tag manager and ads, which asks for consent. It starts when a test needs it. */
  asking?: boolean;
}

export type ScreenFixture = Awaited<ReturnType<typeof startScreens>>;

/**
 * Starts servers and visitors for all screens, whose steps are in e2e/pages/screens. `defaults` are the options of all pages.
 * They open in new contexts of the browser. Without a browser, they open with the function of `openWith`.
 */
export async function startScreens(defaults: OpenOptions, browser?: Browser) {
  const servers = new TestServers();
  await servers.launch();
  const { receiver, store } = servers;
  const app = await servers.start({ live: true, env: { DAILY_PACING: "on" } });
  const visitors = await createVisitors(app.url, receiver);
  await store.set("{likes}:v2:blocked:Blocked1", 1);
  const opened: OpenedPage[] = [];
  let asked: Promise<AppServer> | undefined;
  let open = (url: string, options: OpenOptions): Promise<OpenedPage> => openPage(browser!, url, options);
  return {
    receiver,
    /** Sets the function that opens pages, which a test closes. */
    openWith: (given: typeof open) => void (open = given),
    /** Opens a path as another visitor. */
    async open(path: string, { as, wide, asking, ...options }: ScreenOptions = {}): Promise<Page> {
      if (asking) asked ??= servers.start({ ...consentSite, database: 1 });
      const { url } = (asking && (await asked)) || app;
      const visitor = as && visitors[as];
      const page = await open(url + path, {
        ...defaults,
        address: visitor?.options.address,
        ...(wide && { viewport: { width: 1280, height: 800 } }),
        ...options,
        prepare: (page) => Promise.all([defaults.prepare?.(page), options.prepare?.(page)]),
        as: visitor,
      });
      opened.push(page);
      return page.page;
    },
    /** The delivery service refuses orders with this message. */
    refuseOrders: (message: string) => receiver.respond({ status: 422, body: { message } }),
    /** Sets the number of used likes, of 100,000: of all addresses, or of those that had an order. */
    chargeLikes: (likes: number, total?: LikeTotal) => chargeLikes(servers, likes, total),
    /** Uses up the lookups of the visitor `unchecked`, whose post nobody has looked up. */
    useUpLookups: () => store.set(`{likes}:lookup:flow:${uncheckedFlow}`, usedUpLookups, { px: dayMs }),
    /** Errors on the consoles of the open pages. */
    problems: () => opened.flatMap(({ problems }) => problems),
    /** Closes the pages and resets the servers. Visitors open more screens than one flow may look up posts. */
    async clear(): Promise<void> {
      receiver.respond("accept");
      for (const { context } of opened.splice(0)) if (browser) await context.close();
      for (const total of ["budget", "returning"] as const) await chargeLikes(servers, 0, total);
      for (const key of await store.keys("{likes}:lookup:*")) await store.del(key);
    },
    /** Stops the servers. The browser stays open. */
    async stop(): Promise<void> {
      await asked;
      await servers.stop();
    },
  };
}

/** Creates visitors whose flows are at step 3. */
async function createVisitors(url: string, receiver: WebhookReceiver) {
  const visited = [pages.verification.path, pages.getLikes.path];
  const inFlow = (postId: string = postCode, changes?: Partial<Flow>) =>
    newVisitorInFlow(url, { postId, type: "post" }, { visited, ...changes });
  const visitors = {
    /** Never sends an order. */
    verified: await visitorAtStep3(url),
    /** Has no order yet. One screen sends its order. */
    ordering: await inFlow(),
    /** Has an accepted order. */
    ordered: await visitorAtStep3(url),
    /** Has an accepted order, and has started a new flow. */
    returning: await returningVisitor(url),
    /** Has the address of `ordered`, so that the pace can refuse an order at any time of the day. */
    paced: await inFlow(),
    /** Has a pending order. */
    pending: await visitorAtStep3(url),
    ofReel: await visitorAtStep3(url, reelLink),
    ofLimitedPost: await inFlow(sandboxCodes.withoutImage),
    /** Has a post that is shown without a lookup after `useUpLookups`. */
    unchecked: await inFlow(postCode, { id: uncheckedFlow }),
    /** Step 2 has refused the post as private. */
    ofPrivatePost: await inFlow(sandboxCodes.private),
    /** The operator has blocked the post. */
    ofBlockedPost: await inFlow("Blocked1"),
    /** Step 2 has not found the post. */
    ofMissingPost: await inFlow(sandboxCodes.missing),
  };
  visitors.paced.options.address = visitors.ordered.options.address;
  await visitors.ofPrivatePost.details(linkOf(sandboxCodes.private));
  await visitors.ofMissingPost.details(linkOf(sandboxCodes.missing));
  expect((await visitors.ordered.like()).status).toBe(200);
  receiver.respond("error");
  expect((await visitors.pending.like()).status).toBe(503);
  receiver.respond("accept");
  return visitors;
}
