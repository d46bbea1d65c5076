import { expect } from "@playwright/test";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { AppOptions, AppServer } from "@/testing/servers/app-server";
import { startRedisProxy, type RedisProxy } from "@/testing/servers/redis-proxy";
import { TestServers } from "@/testing/servers/test-servers";
import type { HttpRequest } from "@/testing/servers/http-double";
import { idOf, type WebhookReply } from "@/testing/servers/webhook-receiver";
import { until } from "@/testing/until";
import { healthToken, referenceOf, Visitor, type ApiResponse } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/** Error codes after which a repeated request cannot succeed. */
const finalCodes = new Set(["daily_limit", "delivery_refused", "cooldown"]);
const likeTimeoutMs = 90_000;

const orderShape = z.object({ id: z.string(), state: z.string(), visitor: z.string() });
const visitorShape = z.object({ order: z.string().nullish() });
type Order = z.infer<typeof orderShape>;
type MaybePromise<Value> = Value | Promise<Value>;

/** Breaks parts of a fixture, and expects that no order is lost, repeated or leaked. */
export type Scenario = (fixture: Fixture) => Promise<void>;

/** Returns the ids of the orders in any of these states. */
export function idsOf(orders: readonly Order[], ...states: string[]): string[] {
  return orders.filter(({ state }) => states.includes(state)).map(({ id }) => id);
}

/**
 * The processes of a scenario: Redis with `appendfsync always`, a proxy before it, a delivery service, and servers of
 * the product. `store` connects to Redis without the proxy. Counts failed requests, and stores the references that visitors
 * receive.
 */
export class Fixture extends TestServers {
  /** Ids of the orders that the delivery service accepted. */
  readonly received = new Set<string>();
  /** Ids of the open calls to the delivery service, and the number of calls for an order with an open call. */
  readonly #calls = new Set<string>();
  #overlaps = 0;
  /** The references of accepted orders in the responses to each visitor, by address. */
  readonly confirmed = new Map<string, Set<string>>();
  /** Requests whose connection broke or whose status was 500 or more. */
  failures = 0;
  /** Number of injected faults. */
  faults = 0;
  proxy!: RedisProxy;

  /** `places` is the number of orders in a day's budget. */
  constructor(readonly places: number) {
    super();
  }

  static async open(places: number): Promise<Fixture> {
    const fixture = new Fixture(places);
    await fixture.launch({ redisSettings: ["--appendonly", "yes", "--appendfsync", "always"] });
    fixture.proxy = await fixture.keep(startRedisProxy(fixture.redis.port));
    fixture.serve();
    return fixture;
  }

  /** Starts a server of the product with live delivery, short time-outs and high rate limits. */
  startServer({ env, port }: Pick<AppOptions, "env" | "port"> = {}): Promise<AppServer> {
    return this.start({
      live: true,
      redisUrl: this.proxy.url,
      port,
      env: {
        LIKE_WEBHOOK_TIMEOUT_MS: "1000",
        DAILY_LIKE_LIMIT: String(50 * this.places),
        RECONCILE_EVERY_SECONDS: "1",
        HEALTH_TOKEN: healthToken,
        ...env,
      },
    });
  }

  /** Returns visitors at step 3 of the flow. */
  visitors(server: AppServer, count: number): Promise<Visitor[]> {
    return Promise.all(Array.from({ length: count }, () => newVisitorInFlow(server.url)));
  }

  /** Sends a request. Returns null if the connection breaks. */
  async send(request: () => Promise<ApiResponse>): Promise<ApiResponse | null> {
    const response = await request().catch(() => null);
    if (response === null || response.status >= 500) this.failures += 1;
    return response;
  }

  /** Returns the status of the deep health check. */
  async health({ url }: AppServer): Promise<number> {
    return (await new Visitor(url).health()).status;
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

  /**
   * The delivery service runs `work` for each call, and then accepts the order unless `work` returns another reply. It accepts
   * each id once, and responds 409 to a repeated id.
   */
  serve(work: (request: HttpRequest, index: number) => MaybePromise<WebhookReply | void> = () => undefined) {
    this.receiver.respond(async (request, index) => {
      const id = idOf(request);
      if (this.#calls.has(id)) this.#overlaps += 1;
      this.#calls.add(id);
      const replacement = await work(request, index);
      this.#calls.delete(id);
      // After these responses, the service has not accepted the order.
      if (replacement === "error" || replacement === "redirect" || replacement === "refuse")
        return replacement;
      const reply = this.received.has(id) ? "conflict" : "accept";
      this.received.add(id);
      return replacement ?? reply;
    });
  }

  /** Waits until timers or requests have finished all open orders. */
  untilNothingIsOpen(): Promise<void> {
    const countOpen = () => this.store.zcard("{likes}:v2:pending").catch(() => null);
    return until("no order is open", async () => (await countOpen()) === 0, 60_000);
  }

  /** Reads all orders of the ledger. */
  async readOrders(): Promise<Order[]> {
    return z.array(orderShape).parse(await this.#readAll("order"));
  }

  async #readAll(kind: string): Promise<unknown[]> {
    const keys = await this.store.keys(`{likes}:v2:${kind}:*`);
    return Promise.all(keys.map((key) => this.store.get(key)));
  }

  /**
   * Waits until no order is open, and compares ledger, delivery service and the responses to visitors. The ledger may lack
   * `forgotten` orders, because Redis lost acknowledged writes. With `count`, it has so many orders, all accepted.
   */
  async audit({ forgotten = 0, count }: { forgotten?: number; count?: number } = {}): Promise<void> {
    await this.untilNothingIsOpen();
    const orders = await this.readOrders();
    const ids = [...this.received];
    const accepted = idsOf(orders, "accepted");
    const open = idsOf(orders, "reserved", "pending");
    const confirmed = [...this.confirmed.values()].flatMap((references) => [...references]);
    const known = new Set(orders.map(({ id }) => id));
    const unknown = ids.filter((id) => !known.has(id));
    const notAccepted = ids.filter((id) => known.has(id) && !accepted.includes(id));
    const notReceived = [...accepted, ...confirmed].filter((id) => !this.received.has(id));
    const buyers = orders.filter(({ state }) => state === "accepted").map(({ visitor }) => visitor);
    const repeated = Math.max(duplicates(buyers), confirmed.length - this.confirmed.size);
    const charges = (await this.#readAll("budget")).reduce<number>((sum, likes) => sum + Number(likes), 0);
    const charged = idsOf(orders, "accepted", "reserved", "pending", "abandoned").length;
    const visitors = z.array(visitorShape).parse(await this.#readAll("visitor"));
    const blocking = visitors.flatMap(({ order }) => order || []);

    expect.soft(notReceived, "the delivery service has every accepted or confirmed order").toEqual([]);
    expect.soft(notAccepted, "every received order in the ledger is accepted").toEqual([]);
    expect.soft(unknown.length, "the ledger lacks only lost orders").toBeLessThanOrEqual(forgotten);
    const doubled = repeated + this.#overlaps;
    expect
      .soft(doubled, "one accepted order per visitor and cooldown, and no overlapping calls")
      .toBeLessThanOrEqual(forgotten);
    expect.soft(duplicates(confirmed), "no order is confirmed to two visitors").toBe(0);
    expect.soft(accepted.length, "the daily limit").toBeLessThanOrEqual(this.places);
    expect.soft(ids.length, "the daily limit").toBeLessThanOrEqual(this.places + forgotten);
    expect.soft(charges, "each charge belongs to an order").toBe(50 * charged);
    expect.soft(blocking, "no closed order blocks a visitor").toEqual([]);
    expect.soft(open, "no order is pending").toEqual([]);
    if (count !== undefined) expect.soft([orders.length, accepted.length]).toEqual([count, count]);
  }
}

function duplicates(texts: string[]): number {
  return texts.length - new Set(texts).size;
}
