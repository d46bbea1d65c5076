import type { Browser, Locator, Page } from "@playwright/test";
import { linkOf, reelLink, sandboxCodes } from "../sample-posts";
import type { AppServer } from "../servers/app-server";
import { TestServers } from "../servers/test-servers";
import type { WebhookReceiver } from "../servers/webhook-receiver";
import { returningVisitor, visitorAtStep3, type Visitor } from "../visitor";
import { newVisitorInFlow } from "../visitor-in-flow";
import { openPage, type OpenedPage, type OpenOptions } from "./open-page";

const dayMs = 86_400_000;
const desktop = { width: 1280, height: 800 };

export interface ScreenOptions extends OpenOptions {
  /** Opens the page in the width of a desktop instead of a phone. */
  wide?: boolean;
  /** Opens the page of the site that asks for consent. */
  asking?: boolean;
}

/** Visitors at step 3. */
interface Visitors {
  /** Has no order, and never sends one. */
  verified: Visitor;
  /** Has no order yet. One screen sends its order. */
  ordering: Visitor;
  /** Has an accepted order. */
  ordered: Visitor;
  /** Has an accepted order, and has started a new flow. */
  returning: Visitor;
  /** Has a pending order. */
  pending: Visitor;
  /** Has verified a reel. */
  ofReel: Visitor;
  /** Has verified a post without an image. */
  ofLimitedPost: Visitor;
  /** Step 2 has refused the post as private. */
  ofPrivatePost: Visitor;
  /** Step 2 has not found the post. */
  ofMissingPost: Visitor;
}

/** Servers, open pages and visitors for the tests of all screens. screens.ts has the steps that open a screen. */
export class ScreenFixture {
  readonly visitors: Visitors;
  readonly #servers: TestServers;
  readonly #app: AppServer;
  readonly #browser: Browser;
  readonly #defaults: OpenOptions;
  #opened: OpenedPage[] = [];
  /** A site with a tag manager and ads, which asks for consent. Starts when a test needs it. */
  #consentSite: Promise<AppServer> | undefined;

  private constructor(
    servers: TestServers,
    app: AppServer,
    visitors: Visitors,
    browser: Browser,
    defaults: OpenOptions,
  ) {
    this.#servers = servers;
    this.#app = app;
    this.visitors = visitors;
    this.#browser = browser;
    this.#defaults = defaults;
  }

  /** Starts the servers. `defaults` are the options of all pages that the fixture opens. */
  static async start(browser: Browser, defaults: OpenOptions): Promise<ScreenFixture> {
    const servers = new TestServers();
    await servers.launch();
    const app = await servers.start({ live: true });
    return new ScreenFixture(
      servers,
      app,
      await createVisitors(app.url, servers.receiver),
      browser,
      defaults,
    );
  }

  get receiver(): WebhookReceiver {
    return this.#servers.receiver;
  }

  /** Opens a path in a new browser context. */
  async open(path: string, { wide, asking, ...options }: ScreenOptions = {}): Promise<Page> {
    const { url } = asking ? await this.#startConsentSite() : this.#app;
    const opened = await openPage(this.#browser, url + path, {
      ...this.#defaults,
      ...(wide && { viewport: desktop }),
      ...options,
    });
    this.#opened.push(opened);
    return opened.page;
  }

  /** Sets the number of used likes, of 100,000. Also sets it for tomorrow, in case the test runs at midnight GMT. */
  async chargeLikes(likes: number): Promise<void> {
    const today = Math.floor(Date.now() / dayMs);
    for (const day of [today, today + 1]) {
      await this.#servers.store.set(`{likes}:v2:budget:${day}`, likes, { px: dayMs });
    }
  }

  /** Deletes the counts of lookups, because the visitors open more screens than one flow may look up posts. */
  async #resetLookups(): Promise<void> {
    const { store } = this.#servers;
    const keys = await store.keys("lookup:*");
    if (keys.length > 0) await store.del(...keys);
  }

  /** Errors on the consoles of the open pages. */
  problems(): string[] {
    return this.#opened.flatMap(({ problems }) => problems);
  }

  /** Closes the pages and resets the servers. */
  async clear(): Promise<void> {
    this.receiver.respond("accept");
    const closing = this.#opened.splice(0).map(({ context }) => context.close());
    await Promise.all([this.chargeLikes(0), this.#resetLookups(), ...closing]);
  }

  /** Stops the servers. The browser stays open. */
  async stop(): Promise<void> {
    await this.#consentSite;
    await this.#servers.stop();
  }

  #startConsentSite(): Promise<AppServer> {
    const env = { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox", POST_LOOKUP_IMAGE_HOSTS: undefined };
    this.#consentSite ??= this.#servers.start({ build: "widened", database: 1, env });
    return this.#consentSite;
  }
}

async function createVisitors(url: string, receiver: WebhookReceiver): Promise<Visitors> {
  const [
    verified,
    ordering,
    ordered,
    returning,
    pending,
    ofReel,
    ofLimitedPost,
    ofPrivatePost,
    ofMissingPost,
  ] = await Promise.all([
    visitorAtStep3(url),
    visitorAtStep3(url),
    visitorAtStep3(url),
    returningVisitor(url),
    visitorAtStep3(url),
    visitorAtStep3(url, reelLink),
    visitorAtStep3(url, linkOf(sandboxCodes.withoutImage)),
    refusedVisitor(url, sandboxCodes.private),
    refusedVisitor(url, sandboxCodes.missing),
  ]);
  await expectStatus(ordered, 200);
  receiver.respond("error");
  await expectStatus(pending, 503);
  receiver.respond("accept");
  return {
    verified,
    ordering,
    ordered,
    returning,
    pending,
    ofReel,
    ofLimitedPost,
    ofPrivatePost,
    ofMissingPost,
  };
}

async function refusedVisitor(url: string, postId: string): Promise<Visitor> {
  const visitor = await newVisitorInFlow(url, { postId, type: "post" });
  await visitor.details(linkOf(postId));
  return visitor;
}

async function expectStatus(visitor: Visitor, expected: number): Promise<void> {
  const { status, body } = await visitor.like();
  if (status !== expected) throw new Error(`like responded ${status} ${body.code}, not ${expected}`);
}

/** The element with the content of a screen, and its page. */
export interface Place {
  page: Page;
  root: Locator;
}
