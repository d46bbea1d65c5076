import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "@upstash/redis";
import type { AppOptions, AppServer } from "@/testing/servers/app-server";
import { startRedisProxy, type RedisProxy } from "@/testing/servers/redis-proxy";
import { TestServers } from "@/testing/servers/test-servers";
import type { WebhookReceiver } from "@/testing/servers/webhook-receiver";
import { AcceptedOrders } from "./accepted-orders";
import { until } from "@/testing/until";
import { referenceOf, Visitor, type ApiResponse } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

export const pendingKey = "{likes}:v2:pending";
const cronSecret = "cron-secret-of-the-tests";
const healthToken = "health-token-of-the-tests";
/** Error codes after which a repeated request cannot succeed. */
const finalCodes = new Set(["daily_limit", "delivery_refused", "cooldown"]);
const likeTimeoutMs = 90_000;

/**
 * The processes of a scenario: Redis with `appendfsync always`, a proxy before it, a delivery service, and servers of
 * the product. Counts the requests, and stores the references that visitors receive.
 */
export class Fixture {
  /** Orders that the delivery service accepted. */
  readonly received = new AcceptedOrders();
  /** The references of accepted orders in the responses to each visitor, by address. */
  readonly confirmed = new Map<string, Set<string>>();
  requests = 0;
  /** Requests whose connection broke or whose status was 500 or more. */
  failures = 0;
  /** Number of injected faults. */
  faults = 0;
  /** Connects to Redis without the proxy. */
  redis: Redis;
  readonly receiver: WebhookReceiver;

  private constructor(
    /** Number of orders in a day's budget. */
    readonly places: number,
    readonly servers: TestServers,
    readonly proxy: RedisProxy,
  ) {
    this.redis = servers.store;
    this.receiver = servers.receiver;
    this.serve();
  }

  static async open(places: number): Promise<Fixture> {
    const servers = new TestServers();
    await servers.launch({ redisSettings: ["--appendonly", "yes", "--appendfsync", "always"] });
    return new Fixture(places, servers, await servers.keep(startRedisProxy(servers.redis.port)));
  }

  /** Starts a server of the product with live delivery, short time-outs and high rate limits. */
  startServer({ env, port }: Pick<AppOptions, "env" | "port"> = {}): Promise<AppServer> {
    return this.servers.start({
      live: true,
      redisUrl: this.proxy.url,
      port,
      env: {
        LIKE_WEBHOOK_TIMEOUT_MS: "1000",
        DAILY_LIKE_LIMIT: String(50 * this.places),
        RECONCILE_EVERY_SECONDS: "1",
        CRON_SECRET: cronSecret,
        HEALTH_TOKEN: healthToken,
        ...env,
      },
    });
  }

  /** Returns visitors at step 3 of the flow. */
  visitors(server: AppServer, count: number): Promise<Visitor[]> {
    return Promise.all(Array.from({ length: count }, () => newVisitorInFlow(server.url)));
  }

  /** Sends and counts a request. Returns null if the connection breaks. */
  async send(request: () => Promise<ApiResponse>): Promise<ApiResponse | null> {
    this.requests += 1;
    const response = await request().catch(() => null);
    if (response === null || response.status >= 500) this.failures += 1;
    return response;
  }

  /** Returns the status of the deep health check. */
  async health({ url }: AppServer): Promise<number> {
    const headers = { authorization: `Bearer ${healthToken}` };
    return (await fetch(`${url}/api/health?deep=1`, { headers })).status;
  }

  /** Requests likes. By default, all requests of a visitor have the same Idempotency-Key. */
  async like(
    visitor: Visitor,
    key = `key-of-${visitor.options.address}`,
    server?: AppServer,
  ): Promise<ApiResponse | null> {
    const sender = server ? visitor.at(server.url) : visitor;
    const response = await this.send(() => sender.like("Cxyz123abc_", key));
    if (response?.status === 200) {
      const address = visitor.options.address ?? "";
      const references = this.confirmed.get(address) ?? new Set();
      references.add(referenceOf(response));
      this.confirmed.set(address, references);
    }
    return response;
  }

  /** Repeats the request for likes, at each of the servers in turn, until the response is final. */
  async likeUntilFinal(
    visitor: Visitor,
    servers: readonly AppServer[] = [],
    key?: string,
  ): Promise<ApiResponse> {
    const end = performance.now() + likeTimeoutMs;
    for (let attempt = 0; performance.now() < end; attempt += 1) {
      const response = await this.like(visitor, key, servers[attempt % servers.length]);
      if (response?.status === 200 || (response && finalCodes.has(response.body.code ?? ""))) return response;
      await pause(100);
    }
    throw new Error(`no final response in ${likeTimeoutMs} ms`);
  }

  /** Requests likes for all visitors, six at a time. Runs `fault` so many times, evenly spread over the orders. */
  async traffic(visitors: readonly Visitor[], times = 0, fault?: () => Promise<void>): Promise<void> {
    const waiting = [...visitors];
    const count = Math.min(visitors.length, this.places);
    const send = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await this.likeUntilFinal(next);
    };
    const injectFaults = async () => {
      for (let time = 1; time <= times; time += 1) {
        const enough = Math.floor((count * time) / (times + 1));
        await until(`${enough} orders`, () => this.confirmed.size >= enough, 120_000);
        this.faults += 1;
        await fault?.();
      }
    };
    await Promise.all([injectFaults(), ...Array.from({ length: 6 }, send)]);
  }

  /** Sends the request of a scheduler, so that the server finishes open orders now. */
  async reconcile(server: AppServer): Promise<void> {
    const headers = { authorization: `Bearer ${cronSecret}` };
    await this.send(() => new Visitor(server.url).post("/api/cron/reconcile", {}, headers));
  }

  /** The delivery service runs `work` for each call, and then accepts the order unless `work` returns another reply. */
  serve(work: Parameters<AcceptedOrders["responder"]>[0] = () => undefined): void {
    this.receiver.respond(this.received.responder(work));
  }

  /** Waits until timers or requests have finished all open orders. */
  untilNothingIsOpen(): Promise<void> {
    const countOpen = () => this.redis.zcard(pendingKey).catch(() => null);
    return until("no order is open", async () => (await countOpen()) === 0, 60_000);
  }

  async killRedisFor(ms: number): Promise<void> {
    await this.servers.redis.kill();
    await pause(ms);
    await this.servers.redis.restart();
  }

  async freezeRedisFor(ms: number): Promise<void> {
    this.servers.redis.freeze();
    await pause(ms);
    this.servers.redis.thaw();
  }

  /** Runs `work` while Redis refuses commands that need memory. */
  async withRedisFull<T>(work: () => Promise<T>): Promise<T> {
    await this.redis.exec(["CONFIG", "SET", "maxmemory", "1"]);
    const result = await work();
    await this.redis.exec(["CONFIG", "SET", "maxmemory", "0"]);
    return result;
  }
}
