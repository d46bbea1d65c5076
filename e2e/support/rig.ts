import { Redis } from "@upstash/redis";
import type { Browser } from "playwright-core";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { startApp, type AppOptions, type AppServer } from "./servers/app-server";
import { launchBrowser } from "./browser/browser";
import type { VisitOptions, Window } from "./browser/flow-pages";
import { liveDelivery, webhookSecret } from "./servers/live-delivery";
import { startRedis, type RedisServer } from "./servers/redis-server";
import { startServerlessSite } from "./servers/serverless-site";
import { startUpstashServer } from "./servers/upstash-server";
import { startReceiver, type WebhookReceiver } from "./servers/webhook-receiver";
import { Windows, type Opening } from "./browser/windows";

/** Set by scripts/test-serverless.mjs: what would run the default build runs on the host for tests. */
const runsServerless = process.env.E2E_SERVERLESS === "yes";

export interface RigOptions {
  /** With a browser: `rig.browser`, and `rig.windows`, which are closed after each test. */
  browser?: boolean;
  /** How Redis keeps its data on the disk; not at all unless given. */
  appendOnly?: boolean | "always";
  /** Of every window, unless its opening says otherwise. */
  windows?: VisitOptions;
}

export interface ServerOptions extends AppOptions {
  /** Delivers to the rig's receiver, in place of the demo's dry run. */
  live?: boolean;
  /** Of the rig's Redis: a server with data of its own. */
  database?: number;
}

interface Stoppable {
  stop(): Promise<unknown>;
}

/**
 * What a test file needs: Redis, a delivery service, the product, perhaps a browser. All of it is started before the
 * file's tests and stopped after them. `rig.app` is the product with these options; a file that needs other servers, or
 * more of them, starts them in `startParts`, and finds what that returns in the rig.
 */
export function useRig(options?: RigOptions & ServerOptions): Rig & { app: AppServer };
export function useRig<Parts extends object>(
  options: RigOptions,
  startParts: (rig: Rig) => Promise<Parts>,
): Rig & Parts;
export function useRig(
  options: RigOptions & ServerOptions = {},
  startParts: (rig: Rig) => Promise<object> = async (rig) => ({ app: await rig.start(options) }),
): Rig {
  const rig = new Rig();
  beforeAll(async () => {
    await rig.launch(options);
    const [parts] = await Promise.all([
      startParts(rig),
      options.browser && rig.launchBrowser(options.windows),
    ]);
    Object.assign(rig, parts);
  });
  afterEach(() => rig.windows?.closeAll());
  afterAll(() => rig.stop());
  return rig;
}

/** Parts that belong together and end together, the last one first. */
export class Rig {
  redis!: RedisServer;
  /** A client of that Redis, for its first database. */
  store!: Redis;
  receiver!: WebhookReceiver;
  /** Only where the options ask for it, as the windows. */
  browser!: Browser;
  windows!: Windows;
  readonly #kept: Stoppable[] = [];
  readonly #servers: AppServer[] = [];

  /** Starts Redis and the receiver. */
  async launch({ appendOnly }: Pick<RigOptions, "appendOnly"> = {}): Promise<void> {
    [this.redis, this.receiver] = await Promise.all([
      this.keep(startRedis({ appendOnly })),
      this.keep(startReceiver({ secret: webhookSecret })),
    ]);
    const requester = createTcpRequester(this.redis.url);
    await this.keep({ stop: async () => requester.close() });
    this.store = new Redis(requester);
  }

  async launchBrowser(windows?: VisitOptions): Promise<void> {
    this.browser = await launchBrowser();
    // The host for tests has a certificate that nobody has signed.
    this.windows = new Windows(
      this.browser,
      runsServerless ? { ignoreHTTPSErrors: true, ...windows } : windows,
    );
  }

  /**
   * Starts the product on the rig's Redis. It takes x-real-ip for the visitor's address, and its burst limits are wide,
   * unless `env` says otherwise.
   */
  async start({ live, database = 0, env, ...options }: ServerOptions = {}): Promise<AppServer> {
    const redisUrl = `${this.redis.url}/${database}`;
    if (runsServerless && !options.build && !options.folder) {
      return this.#startServerless(options.redisUrl ?? redisUrl, {
        ...(live && liveDelivery(this.receiver)),
        ...env,
      });
    }
    const server = await startApp({
      redisUrl,
      ...options,
      env: {
        TRUSTED_IP_HEADER: "x-real-ip",
        BURST_LIMIT_SCALE: "1000",
        ...(live && liveDelivery(this.receiver)),
        ...env,
      },
    });
    this.#servers.push(server);
    return server;
  }

  /** The product on the host for tests, over https and Upstash's protocol. */
  async #startServerless(redisUrl: string, env: ServerOptions["env"]): Promise<AppServer> {
    const upstash = await this.keep(startUpstashServer(redisUrl));
    const server = await startServerlessSite({ upstash, env });
    this.#servers.push(server);
    return server;
  }

  /** Opens an address in a new window, which is closed after the test. */
  open(url?: string, options?: Opening): Promise<Window> {
    return this.windows.open(url, options);
  }

  /** Has something else stopped with the rig, after the product's servers. */
  async keep<Part extends Stoppable>(starting: Part | Promise<Part>): Promise<Part> {
    const part = await starting;
    this.#kept.unshift(part);
    return part;
  }

  /** Stops the product's servers, where a test must not meet those of the test before. */
  async stopServers(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.stop()));
  }

  /** Stops everything, whatever of it was started. */
  async stop(): Promise<void> {
    await this.browser?.close();
    await this.stopServers();
    for (const part of this.#kept) await part.stop();
  }
}
