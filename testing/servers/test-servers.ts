import { Redis } from "@upstash/redis";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { startApp, type AppOptions, type AppServer } from "./app-server";
import { liveDelivery } from "./live-delivery";
import { startRedis, type RedisServer } from "./redis-server";
import { startServerlessSite } from "./serverless-site";
import { startUpstashServer } from "./upstash-server";
import { startReceiver, type WebhookReceiver } from "./webhook-receiver";

/** Set by playwright.config.ts. The emulated serverless host then replaces the default build. */
const runsServerless = process.env.E2E_SERVERLESS === "yes";

export interface ServerOptions extends AppOptions {
  /** Sends orders to the webhook receiver. Without it, the product runs in demo mode. */
  live?: boolean;
  /** Number of the Redis database. Products with different numbers share no data. */
  database?: number;
  /** Only for `launch`: arguments of Redis, for example "--appendonly", "yes". By default, Redis writes no file. */
  redisSettings?: readonly string[];
}

interface Stoppable {
  stop(): Promise<unknown>;
}

/** Servers that stop together, in the reverse order of their start. */
export class TestServers {
  redis!: RedisServer;
  /** A client for the first database of `redis`. */
  store!: Redis;
  receiver!: WebhookReceiver;
  readonly #kept: Stoppable[] = [];
  readonly #apps: AppServer[] = [];

  /** Starts Redis and the receiver. */
  async launch({ redisSettings }: ServerOptions = {}): Promise<void> {
    [this.redis, this.receiver] = await Promise.all([
      this.keep(startRedis({ settings: redisSettings })),
      this.keep(startReceiver()),
    ]);
    this.store = await this.openRedis(this.redis.url);
  }

  /** Returns a client that `stop` disconnects. */
  async openRedis(url: string): Promise<Redis> {
    const requester = createTcpRequester(url);
    await this.keep({ stop: async () => requester.close() });
    return new Redis(requester);
  }

  /** Starts the product on `redis`. By default it trusts x-real-ip, and has high rate limits. */
  async start({ live, database = 0, env, ...options }: ServerOptions = {}): Promise<AppServer> {
    const redisUrl = options.redisUrl ?? `${this.redis.url}/${database}`;
    const settings = { ...(live && liveDelivery(this.receiver)), ...env };
    const app =
      runsServerless && !options.build && !options.folder
        ? await startServerlessSite({ upstash: await this.keep(startUpstashServer(redisUrl)), env: settings })
        : await startApp({
            redisUrl,
            ...options,
            env: { TRUSTED_IP_HEADER: "x-real-ip", TEST_RATE_LIMIT_SCALE: "1000", ...settings },
          });
    this.#apps.push(app);
    return app;
  }

  /** Stops another server after the product's servers. */
  async keep<Part extends Stoppable>(starting: Part | Promise<Part>): Promise<Part> {
    const part = await starting;
    this.#kept.unshift(part);
    return part;
  }

  /** Stops the product's servers. */
  async stopApps(): Promise<void> {
    await Promise.all(this.#apps.splice(0).map((app) => app.stop()));
  }

  /** Stops all servers. */
  async stop(): Promise<void> {
    await this.stopApps();
    for (const part of this.#kept) await part.stop();
  }
}
