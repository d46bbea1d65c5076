import type { Locator, Page } from "playwright-core";
import type { AppServer } from "../servers/app-server";
import type { VisitOptions } from "./flow-pages";
import { Rig } from "../rig";
import { linkOf, reelLink, sandboxCodes } from "../sample-posts";
import { returningVisitor, visitorAtStep3, type Visitor } from "../visitor";
import { newVisitorInFlow } from "../visitor-in-flow";
import type { WebhookReceiver } from "../servers/webhook-receiver";
import type { Opening } from "./windows";

const dayMs = 86_400_000;
const desktop = { width: 1280, height: 800 };

export interface StageOpening extends Opening {
  /** As wide as a desktop, not as a phone. */
  wide?: boolean;
  /** On the server that asks for consent. */
  asking?: boolean;
}

/** Visitors at step 3. */
export interface Cast {
  /** Has ordered nothing yet, and nobody lets it. */
  verified: Visitor;
  /** The same, for the one who does order. */
  ordering: Visitor;
  /** Has an accepted order. */
  ordered: Visitor;
  /** Has an accepted order, and is at step 3 again with a new flow. */
  returning: Visitor;
  /** Has an order whose outcome is not known. */
  pending: Visitor;
  ofReel: Visitor;
  /** Of a post that can be previewed in part only. */
  ofLimitedPost: Visitor;
  /** Of posts that cannot get likes, and whom step 2 has told so. */
  ofPrivatePost: Visitor;
  ofMissingPost: Visitor;
}

/**
 * Everything that has to run so that any screen can be come to: servers, a browser, and visitors who stand at step 3.
 * The ways to the screens are in screens.ts.
 */
export class Stage {
  readonly cast: Cast;
  readonly #rig: Rig;
  readonly #app: AppServer;
  /** Has a tag manager and ads; started when a screen of the consent dialog is asked for. */
  #asking: Promise<AppServer> | undefined;

  private constructor(rig: Rig, app: AppServer, cast: Cast) {
    this.#rig = rig;
    this.#app = app;
    this.cast = cast;
  }

  /** Starts it all. `phone` is the size of the windows in CSS pixels; both hold unless an opening says otherwise. */
  static async start(phone: { width: number; height: number }, options: VisitOptions = {}): Promise<Stage> {
    const rig = new Rig();
    await rig.launch();
    const windows = rig.launchBrowser({ viewport: phone, ...options });
    const [app] = await Promise.all([rig.start({ live: true }), windows]);
    return new Stage(rig, app, await gather(app.url, rig.receiver));
  }

  get receiver(): WebhookReceiver {
    return this.#rig.receiver;
  }

  /** Opens a path in a new window. */
  async open(path: string, { wide, asking, ...options }: StageOpening = {}): Promise<Page> {
    const { url } = asking ? await this.#startAsking() : this.#app;
    const opening = { ...(wide && { viewport: desktop }), ...options };
    return (await this.#rig.windows.open(url + path, opening)).page;
  }

  /** Sets how many of the day's 100,000 likes are used; tomorrow's too, for a run at midnight GMT. */
  async chargeLikes(likes: number): Promise<void> {
    const today = Math.floor(Date.now() / dayMs);
    for (const day of [today, today + 1]) {
      await this.#rig.store.set(`{likes}:v2:budget:${day}`, likes, { px: dayMs });
    }
  }

  /** The cast goes through more screens than a flow has lookups. */
  async #forgetLookups(): Promise<void> {
    const { store } = this.#rig;
    const keys = await store.keys("lookup:*");
    if (keys.length > 0) await store.del(...keys);
  }

  /** Errors on the consoles of the open windows. */
  problems(): string[] {
    return this.#rig.windows.problems();
  }

  /** Closes the windows, and sets back what a screen has changed outside of them. */
  async clear(): Promise<void> {
    this.receiver.respond("accept");
    await Promise.all([this.chargeLikes(0), this.#forgetLookups(), this.#rig.windows.closeAll()]);
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    await this.#asking;
    await this.#rig.stop();
  }

  #startAsking(): Promise<AppServer> {
    const env = { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox", POST_LOOKUP_IMAGE_HOSTS: undefined };
    this.#asking ??= this.#rig.start({ build: "widened", database: 1, env });
    return this.#asking;
  }
}

async function gather(url: string, receiver: WebhookReceiver): Promise<Cast> {
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
  if (status !== expected) throw new Error(`like answered ${status} ${body.code}, not ${expected}`);
}

/** The element that stands for a screen, and its page. */
export interface Place {
  page: Page;
  root: Locator;
}
