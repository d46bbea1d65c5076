import { Redis } from "@upstash/redis";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { startApp, type AppOptions, type AppServer } from "../support/servers/app-server";
import { liveDelivery, webhookSecret } from "../support/servers/live-delivery";
import { startRedisProxy, type RedisProxy } from "../support/servers/redis-proxy";
import { startRedis, type RedisServer } from "../support/servers/redis-server";
import { until } from "../support/until";
import { newAddress, Visitor, type ApiAnswer } from "../support/visitor";
import { newVisitorInFlow } from "../support/visitor-in-flow";
import { AcceptedOrders, startReceiver, type WebhookReceiver } from "../support/servers/webhook-receiver";

export const pendingKey = "{likes}:v2:pending";
const cronSecret = "cron-secret-of-the-tests";
const healthToken = "health-token-of-the-tests";
/** Answers after which asking again about the same order is of no use. */
const finalCodes = new Set(["daily_limit", "delivery_refused", "cooldown"]);

/**
 * Everything that a fault can befall: a Redis that writes before it answers, a proxy in front of it, a delivery service
 * that keeps its word, and servers of the product, with counters of what was asked and what visitors were told.
 */
export class Shop {
  readonly received = new AcceptedOrders();
  /** References under which each visitor, by address, was told of success. */
  readonly told = new Map<string, Set<string>>();
  /** Requests sent to the product. */
  requests = 0;
  /** Of these, those that broke, or were answered with a failure of ours. */
  failures = 0;
  /** Faults injected so far. */
  faults = 0;
  readonly #servers = new Set<AppServer>();
  readonly #closers: (() => Promise<void> | void)[] = [];

  private constructor(
    /** How many orders a day's budget has room for. */
    readonly places: number,
    readonly redisServer: RedisServer,
    readonly proxy: RedisProxy,
    readonly receiver: WebhookReceiver,
    public requester: ReturnType<typeof createTcpRequester>,
    public redis: Redis,
  ) {
    this.serve();
  }

  static async open(places: number): Promise<Shop> {
    const redisServer = await startRedis({ appendOnly: "always" });
    const proxy = await startRedisProxy(redisServer.port);
    const receiver = await startReceiver({ secret: webhookSecret });
    // Past the proxy: the audit looks at Redis itself.
    const requester = createTcpRequester(redisServer.url);
    return new Shop(places, redisServer, proxy, receiver, requester, new Redis(requester));
  }

  /** Ends all servers and helpers. */
  async close(): Promise<void> {
    // What hangs is ended first: a server waits for it before it ends.
    for (const close of this.#closers) await close();
    await Promise.all([...this.#servers].map((server) => server.stop()));
    this.requester.close();
    await this.proxy.stop();
    await this.receiver.stop();
    await this.redisServer.stop();
  }

  /** Lets the audit look at another Redis than the shop's own. */
  lookAt(requester: ReturnType<typeof createTcpRequester>): void {
    this.requester.close();
    this.requester = requester;
    this.redis = new Redis(requester);
  }

  /** Something else to end with the shop. */
  atClose(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /** A server of the product with live delivery; its time-outs are short, its burst limits wide. */
  async startServer({ env, port }: Pick<AppOptions, "env" | "port"> = {}): Promise<AppServer> {
    const server = await startApp({
      redisUrl: this.proxy.url,
      port,
      env: {
        ...liveDelivery(this.receiver),
        LIKE_WEBHOOK_TIMEOUT_MS: "1000",
        DAILY_LIKE_LIMIT: String(50 * this.places),
        RECONCILE_EVERY_SECONDS: "1",
        CRON_SECRET: cronSecret,
        HEALTH_TOKEN: healthToken,
        TRUSTED_IP_HEADER: "x-real-ip",
        BURST_LIMIT_SCALE: "1000",
        ...env,
      },
    });
    this.#servers.add(server);
    return server;
  }

  /** Somebody who has not begun yet. */
  newPerson({ url }: AppServer): Visitor {
    return new Visitor(url, { address: newAddress(), fingerprint: "fingerprint" });
  }

  /** Visitors who have come to step 3 on a server. */
  visitors(server: AppServer, count: number): Promise<Visitor[]> {
    return Promise.all(Array.from({ length: count }, () => newVisitorInFlow(server.url)));
  }

  /** Sends a request and counts it; null when the connection breaks. */
  async send(request: () => Promise<ApiAnswer>): Promise<ApiAnswer | null> {
    this.requests += 1;
    const answer = await request().catch(() => null);
    if (answer === null || answer.status >= 500) this.failures += 1;
    return answer;
  }

  /** The status of a server's deep health check. */
  async health({ url }: AppServer): Promise<number> {
    const headers = { authorization: `Bearer ${healthToken}` };
    return (await fetch(`${url}/api/health?deep=1`, { headers })).status;
  }

  /** Waits until a server calls itself well again, and a new visitor gets through; returns the seconds that took. */
  async secondsUntilWell(server: AppServer): Promise<number> {
    const startedAt = performance.now();
    await until("the health check is well", async () => (await this.health(server)) === 200, 20_000);
    const person = this.newPerson(server);
    await until("a visitor gets through", async () => (await this.passes(person)) === 200, 20_000);
    return Math.round(performance.now() - startedAt) / 1_000;
  }

  async passes(person: Visitor): Promise<number | undefined> {
    const token = await person.solveCaptcha();
    return (await this.send(() => person.post("/api/recaptcha/verify", { token })))?.status;
  }

  /** Asks for likes, and remembers what the visitor was told. One key a visitor, unless given: the page's own repetition. */
  async like(
    visitor: Visitor,
    key = `key-of-${visitor.options.address}`,
    server?: AppServer,
  ): Promise<ApiAnswer | null> {
    const asking = server ? visitor.at(server.url) : visitor;
    const answer = await this.send(() => asking.like("Cxyz123abc_", key));
    if (answer?.status === 200) {
      const address = visitor.options.address ?? "";
      const references = this.told.get(address) ?? new Set();
      references.add((answer.body.order as { reference: string }).reference);
      this.told.set(address, references);
    }
    return answer;
  }

  /** Sends a message by the contact form, with a captcha token solved before. */
  sendMessage(visitor: Visitor, token: string): Promise<ApiAnswer | null> {
    const message = {
      name: "Test Person",
      email: "person@example.com",
      subject: "A question",
      category: "general",
      message: "How long does it take?",
    };
    return this.send(() => visitor.post("/api/contact/submit", { ...message, token }));
  }

  /** Asks again and again, as a patient visitor does, at any of the servers, until the answer is a final one. */
  async insist(visitor: Visitor, servers: readonly AppServer[] = [], key?: string): Promise<ApiAnswer> {
    let answer: ApiAnswer | null = null;
    let tries = 0;
    await until(
      "a final answer",
      async () => {
        if (tries > 0) await pause(100);
        answer = await this.like(visitor, key, servers[tries % servers.length]);
        tries += 1;
        return answer?.status === 200 || finalCodes.has(answer?.body.code ?? "");
      },
      90_000,
    );
    return answer as unknown as ApiAnswer;
  }

  /** Lets a server finish what is open now, as a host's timer does. */
  async reconcile(server: AppServer): Promise<void> {
    const headers = { authorization: `Bearer ${cronSecret}` };
    await this.send(() => new Visitor(server.url).post("/api/cron/reconcile", {}, headers));
  }

  /** Lets visitors insist, a few at a time, so that there is traffic as long as there are visitors. */
  async traffic(visitors: readonly Visitor[], concurrency = 6): Promise<void> {
    const waiting = [...visitors];
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) await this.insist(next);
      }),
    );
  }

  /** Lets the delivery service keep its word about each call after `work`, unless that says otherwise. */
  serve(work: Parameters<AcceptedOrders["responder"]>[0] = () => undefined): void {
    this.receiver.respond(this.received.responder(work));
  }

  /** Waits until the timers, or whoever comes next, have finished every open order. */
  untilNothingIsOpen(): Promise<void> {
    return until("nothing is open", async () => (await this.redis.zcard(pendingKey)) === 0, 60_000);
  }

  /** The audit's own connection has to find Redis again, too. */
  untilRedisAnswers(): Promise<void> {
    return until("Redis answers", () => this.redis.ping().then(Boolean, () => false));
  }

  async killRedisFor(ms: number): Promise<void> {
    await this.redisServer.kill();
    await pause(ms);
    await this.redisServer.restart();
  }

  async freezeRedisFor(ms: number): Promise<void> {
    this.redisServer.freeze();
    await pause(ms);
    this.redisServer.thaw();
  }

  /** Lets Redis refuse what takes memory while something is done. */
  async withRedisFull<T>(work: () => Promise<T>): Promise<T> {
    const limit = (bytes: string) => this.requester.request({ body: ["config", "set", "maxmemory", bytes] });
    await limit("1");
    const result = await work();
    await limit("0");
    return result;
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
