import type { Browser, Locator, Page } from "playwright-core";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { startApp, type AppServer } from "./app-server";
import { launchBrowser } from "./browser";
import { newWindow, type VisitOptions, type Window } from "./flow-pages";
import { startRedis, type RedisServer } from "./redis-server";
import { newAddress, Visitor } from "./visitor";
import { startReceiver, type WebhookReceiver } from "./webhook-receiver";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const dayMs = 86_400_000;
const desktop = { width: 1280, height: 800 };

/** The post of those who have one. */
export const code = "Cxyz123abc_";
export const postLink = `https://www.instagram.com/p/${code}/`;
export const reelLink = `https://www.instagram.com/reel/${code}/`;
export const limitedCode = "NOIMAGE1234";

export interface Opening extends VisitOptions {
  /** Whose cookies the browser has. */
  as?: Visitor;
  /** With a clock that stops and goes on as the test says. */
  clock?: boolean;
  /** As wide as a desktop, not as a phone. */
  wide?: boolean;
  /** On the server that asks for consent. */
  asking?: boolean;
  /** Before the page is asked for. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** Visitors at step 3. */
export interface Cast {
  /** Has ordered nothing yet, and nobody lets it. */
  verified: Visitor;
  /** The same, for the one who does order. */
  ordering: Visitor;
  /** Has an accepted order. */
  ordered: Visitor;
  /** Has an order whose outcome is not known. */
  pending: Visitor;
  ofReel: Visitor;
  /** Of a post that can be previewed in part only. */
  ofLimitedPost: Visitor;
}

/**
 * Everything that has to run so that any screen can be come to: servers, a browser, and visitors who stand at step 3.
 * The ways to the screens are in screens.ts.
 */
export class Stage {
  readonly receiver: WebhookReceiver;
  readonly cast: Cast;
  readonly #redis: RedisServer;
  readonly #requester: ReturnType<typeof createTcpRequester>;
  readonly #app: AppServer;
  readonly #browser: Browser;
  /** Of every window, unless an opening says otherwise. */
  readonly #defaults: VisitOptions;
  /** Has a tag manager and ads; started when a screen of the consent dialog is asked for. */
  #asking: Promise<AppServer> | undefined;
  #windows: { window: Window; clocked: boolean }[] = [];

  private constructor(
    parts: { redis: RedisServer; receiver: WebhookReceiver; app: AppServer; browser: Browser; cast: Cast },
    defaults: VisitOptions,
  ) {
    this.#redis = parts.redis;
    this.#requester = createTcpRequester(parts.redis.url);
    this.receiver = parts.receiver;
    this.#app = parts.app;
    this.#browser = parts.browser;
    this.cast = parts.cast;
    this.#defaults = defaults;
  }

  /** Starts it all. `phone` is the size of the windows in CSS pixels; both hold unless an opening says otherwise. */
  static async start(phone: { width: number; height: number }, options: VisitOptions = {}): Promise<Stage> {
    const [redis, receiver] = await Promise.all([startRedis(), startReceiver({ secret })]);
    const [app, browser] = await Promise.all([
      startApp({
        redisUrl: `${redis.url}/0`,
        env: {
          TRUSTED_IP_HEADER: "x-real-ip",
          BURST_LIMIT_SCALE: "1000",
          LIKE_DELIVERY: "webhook",
          LIKE_WEBHOOK_URL: receiver.url,
          LIKE_WEBHOOK_SECRET: secret,
          LIKE_DELIVERY_ACKNOWLEDGED: "yes",
        },
      }),
      launchBrowser(),
    ]);
    return new Stage(
      { redis, receiver, app, browser, cast: await gather(app.url, receiver) },
      { viewport: phone, ...options },
    );
  }

  /** Opens a path in a new window. */
  async open(path: string, options: Opening = {}): Promise<Page> {
    const { as, clock = false, wide, asking, prepare, ...visit } = options;
    const window = await newWindow(this.#browser, {
      ...this.#defaults,
      ...(wide && { viewport: desktop }),
      ...visit,
    });
    this.#windows.push({ window, clocked: clock });
    const { context, page } = window;
    const { url } = asking ? await this.#startAsking() : this.#app;
    if (clock) await page.clock.install();
    if (as) {
      await context.addCookies([...as.cookies].map(([name, value]) => ({ name, value, url })));
    }
    await prepare?.(page);
    await page.goto(url + path);
    return page;
  }

  /** Sets how many of the day's 100,000 likes are used; tomorrow's too, for a run at midnight GMT. */
  async chargeLikes(likes: number): Promise<void> {
    const today = Math.floor(Date.now() / dayMs);
    for (const day of [today, today + 1]) {
      const key = `{likes}:v2:budget:${day}`;
      await this.#requester.request({ body: ["set", key, likes, "px", dayMs] });
    }
  }

  /** Errors on the consoles of the open windows. */
  problems(): string[] {
    return this.#windows.flatMap(({ window }) => window.problems);
  }

  /** Closes the windows, and sets back what a screen has changed outside of them. */
  async clear(): Promise<void> {
    this.receiver.respond("accept");
    await Promise.all([
      this.chargeLikes(0),
      ...this.#windows
        .splice(0)
        .map(({ window, clocked }) => (clocked ? window.context.close() : window.close())),
    ]);
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    this.#requester.close();
    await this.#browser.close();
    await (await this.#asking)?.stop();
    await this.#app.stop();
    await this.receiver.stop();
    await this.#redis.stop();
  }

  #startAsking(): Promise<AppServer> {
    this.#asking ??= startApp({
      build: "widened",
      redisUrl: `${this.#redis.url}/1`,
      env: {
        TRUSTED_IP_HEADER: "x-real-ip",
        CAPTCHA_PROVIDER: "altcha",
        POST_LOOKUP: "sandbox",
        POST_LOOKUP_IMAGE_HOSTS: undefined,
      },
    });
    return this.#asking;
  }
}

async function gather(url: string, receiver: WebhookReceiver): Promise<Cast> {
  const [verified, ordering, ordered, pending, ofReel, ofLimitedPost] = await Promise.all([
    atStep3(url, postLink),
    atStep3(url, postLink),
    atStep3(url, postLink),
    atStep3(url, postLink),
    atStep3(url, reelLink),
    atStep3(url, `https://www.instagram.com/p/${limitedCode}/`),
  ]);
  await expectStatus(ordered, 200);
  receiver.respond("error");
  await expectStatus(pending, 503);
  receiver.respond("accept");
  return { verified, ordering, ordered, pending, ofReel, ofLimitedPost };
}

async function atStep3(url: string, link: string): Promise<Visitor> {
  const visitor = new Visitor(url, { address: newAddress(), fingerprint: "fp" });
  const token = await visitor.solveCaptcha();
  await visitor.post("/api/recaptcha/verify", { token, url: link });
  await visitor.get(`/api/instagram/post-details?url=${encodeURIComponent(link)}`);
  await visitor.visit("/verification/");
  await visitor.visit("/get-likes/");
  return visitor;
}

async function expectStatus(visitor: Visitor, expected: number): Promise<void> {
  const { status, body } = await visitor.like(code);
  if (status !== expected) throw new Error(`like answered ${status} ${body.code}, not ${expected}`);
}

/** The element that stands for a screen, and its page. */
export interface Place {
  page: Page;
  root: Locator;
}
