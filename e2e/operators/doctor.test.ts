import { expect, test, useServers } from "../support/test";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import IORedis from "ioredis";
import { testCases } from "@/cli/receiver-cases";
import { liveDelivery } from "../support/servers/live-delivery";
import { startLookupServer } from "../support/servers/lookup-servers";
import { startMailServer } from "../support/servers/mail-server";
import { startRedisProxy } from "../support/servers/redis-proxy";
import { startRedis } from "../support/servers/redis-server";
import { startSentinel } from "../support/servers/redis-sentinel";
import { until } from "../support/until";
import { startSiteverify } from "../support/servers/siteverify-server";
import { runTool } from "../support/operator-tools";
import { startHttpDouble, type HttpRequest } from "../support/servers/http-double";
import { isSigned, isSignedWhenever, type WebhookReply } from "../support/servers/webhook-receiver";

/* npm run doctor with a good configuration and with broken ones. All services are running. */

const secrets = ["captcha-secret-of-the-tests", "lookup-secret-of-the-tests", "health-token-of-the-tests"];
const [captchaSecret = "", lookupSecret = "", healthToken = ""] = secrets;
const env = { HEALTH_TOKEN: healthToken, TEST_RATE_LIMIT_SCALE: undefined, TRUSTED_IP_HEADER: undefined };

const servers = useServers({ redisSettings: ["--appendonly", "yes"] }, async (servers) => {
  const siteverify = await servers.keep(startSiteverify({ provider: "turnstile", secret: captchaSecret }));
  const lookup = await servers.keep(startLookupServer());
  const isKnown = ({ headers }: HttpRequest) => headers.authorization === `Bearer ${lookupSecret}`;
  lookup.respond((request) => (isKnown(request) ? { body: { status: "missing" } } : { status: 401 }));
  const mailServer = await servers.keep(startMailServer({ user: "site", password: "right" }));
  const app = await servers.start({ env });
  const good = {
    REDIS_URL: servers.redis.url,
    HEALTH_TOKEN: healthToken,
    CAPTCHA_PROVIDER: "turnstile",
    CAPTCHA_SITE_KEY: "site-key",
    CAPTCHA_SECRET_KEY: captchaSecret,
    CAPTCHA_VERIFY_URL: siteverify.url,
    POST_LOOKUP: "http",
    POST_LOOKUP_URL: lookup.url,
    POST_LOOKUP_SECRET: lookupSecret,
    ...liveDelivery(servers.receiver),
    SMTP_URL: `smtp://site:right@127.0.0.1:${mailServer.port}`,
    NODE_EXTRA_CA_CERTS: mailServer.authority,
    MAIL_FROM: "site@example.com",
    SUPPORT_EMAIL: "operator@example.com",
  };
  const admin = new IORedis(servers.redis.url);
  await servers.keep({ stop: async () => admin.disconnect() });
  return { mailServer, app, good, admin };
});
test.beforeEach(async () => {
  servers.receiver.requests.length = 0;
  servers.receiver.respond(keepContract(isSigned));
  const right = { "maxmemory-policy": "noeviction", appendonly: "yes", maxmemory: "0" };
  await servers.admin.config("SET", ...Object.entries({ ...right, "min-replicas-to-write": "0" }).flat());
});

/** A delivery service that handles test calls correctly, with a given check of signatures. */
function keepContract(verify: (request: HttpRequest) => boolean) {
  return (request: HttpRequest) => {
    if (request.method !== "POST") return { status: 405 };
    if (request.body.length > 16_384) return { status: 413 };
    return { status: verify(request) ? 204 : 401 };
  };
}

/** Environment of the doctor. It gets `from` and `address` as options, and `from` or `servers.app` as SITE_URL. */
interface Settings {
  [name: string]: string | undefined;
  from?: string;
  address?: string;
}

async function doctor({ from, address, ...env }: Settings) {
  const args = [...(from ? ["--from", from] : []), ...(address ? ["--address", address] : [])];
  const { status, stdout } = await runTool("doctor", args, { SITE_URL: from ?? servers.app.url, ...env });
  for (const secret of [...secrets, "the-password"]) expect(stdout).not.toContain(secret);
  const lines = stdout.split("\n").slice(0, -3);
  return { status, lines, bad: lines.filter((line) => !line.startsWith("ok ")) };
}

test("finds no problem in a demo whose build has the same settings", async () => {
  const { status, lines, bad } = await doctor({ REDIS_URL: servers.redis.url, SITE_URL: undefined });
  expect({ status, bad }).toEqual({ status: 0, bad: [] });
  expect(lines.length).toBeGreaterThan(10);
});

test("finds only the build and the sample content of a live site, and creates no orders", async () => {
  const { status, bad } = await doctor({ ...servers.good, from: servers.app.url });
  expect(status).toBe(0);
  const isExpected =
    /^warning +(?:configuration .*differs from the build's|content .*recentUse.*testimonials)/;
  expect(bad.filter((line) => !isExpected.test(line))).toEqual([]);
  expect(bad.length).toBeGreaterThan(1);

  const { requests } = servers.receiver;
  expect(requests.length).toBeGreaterThan(testCases.length);
  for (const { body, headers } of requests)
    expect([headers["webhook-id"] ?? "test_", body]).toEqual([
      expect.stringMatching(/^test_/),
      expect.stringMatching(/^(?:$|\{"type":"connection\.test")/),
    ]);
  expect((await servers.admin.keys("*")).filter((key) => !key.startsWith("burst:"))).toEqual([]);
});

test("accepts the IPv6 address of this machine, of which the site sees the network", async () => {
  const { lines } = await doctor({
    ...servers.good,
    ...(await behindProxy("1", "2001:db8::7", "2001:db8::7")),
  });
  expect(lines).toContainEqual(expect.stringMatching(/^ok +visitors' address .* takes us for 2001:db8::/));
});

/** Starts another program on a port. Returns its http address. */
async function listen(server: Server): Promise<string> {
  await once(server.listen(0), "listening");
  await servers.keep({ stop: async () => void server.close() });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const fromApp = (settings: Settings) => ({ from: servers.app.url, ...settings });

/** Starts a site with settings that do not fit its proxies. Returns the settings of the doctor. */
async function misconfigured(settings: Record<string, string>): Promise<Settings> {
  return { from: (await servers.start({ env: { ...env, ...settings } })).url, ...settings };
}

/** Starts a site, and a proxy that writes the same address for all visitors. The doctor runs at `address`. */
async function behindProxy(hops: string, visitor: string, address = "198.51.100.7"): Promise<Settings> {
  const site = await misconfigured({ TRUSTED_PROXY_HOPS: hops });
  const overwrite: RequestListener = ({ url = "", headers: { authorization = "" } }, response) =>
    void fetch(site.from + url, { headers: { authorization, "x-forwarded-for": visitor } }).then(
      async (reply) => response.writeHead(reply.status).end(await reply.text()),
    );
  return { ...site, from: await listen(createServer(overwrite)), address };
}

const responds = async (body: string) => ({
  from: await listen(createServer((_, reply) => reply.end(body))),
});
const respond = (reply: WebhookReply) => () => servers.receiver.respond(reply);
const setRedis = (name: string, value: string) => async () =>
  void (await servers.admin.config("SET", name, value));

const emptyRedis = async (...settings: string[]) => servers.keep(startRedis({ settings }));
const withPassword = async (...settings: string[]) => ({
  REDIS_URL: (await emptyRedis(...settings)).url.replace("//", "//:the-password@"),
});

async function sentinels(REDIS_URL: string, ...user: string[]): Promise<Settings> {
  const { port } = await servers.keep(await startSentinel("boost50", servers.redis.port));
  const sentinel = new IORedis(port);
  await sentinel.call("ACL", "SETUSER", "default", ...user);
  sentinel.disconnect();
  return { REDIS_URL, REDIS_SENTINELS: `127.0.0.1:9,127.0.0.1:${port}` };
}

async function usedUpRest(): Promise<Settings> {
  const error = "ERR max requests limit exceeded. Limit: 9, Usage: 9.";
  const { url } = await servers.keep(startHttpDouble("", { status: 400, body: { error } }, {}));
  return { REDIS_URL: undefined, UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: "the-password" };
}

/** Gives the doctor a user of Redis with these rights, as a host or an administrator does. */
function withRights(...rights: string[]) {
  return async (): Promise<Settings> => {
    await servers.admin.call("ACL", "SETUSER", "site", "reset", "on", ">right", "+@all", ...rights);
    return { REDIS_URL: servers.redis.url.replace("//", "//site:right@") };
  };
}

async function slowRedis(): Promise<Settings> {
  const proxy = await servers.keep(startRedisProxy(servers.redis.port));
  proxy.set({ matches: () => true, fault: { delayMs: 250 } });
  return { REDIS_URL: proxy.url };
}

async function fullRedis(): Promise<Settings> {
  const { url, port } = await emptyRedis("--maxclients", "1");
  await once(connect(port, "127.0.0.1"), "connect");
  return { REDIS_URL: url };
}

/** Starts a Redis whose snapshots fail, as on a full disk. Redis then rejects writes. */
async function unsaved(): Promise<Settings> {
  const { url, dir } = await emptyRedis("--maxmemory-policy", "noeviction");
  const redis = new IORedis(url);
  await redis.config("SET", "save", "1 1");
  rmSync(dir, { recursive: true });
  await redis.set("key", "value");
  await until("the snapshot fails", async () => {
    await redis.bgsave().catch(() => undefined);
    return (await redis.info("persistence")).includes("rdb_last_bgsave_status:err");
  });
  redis.disconnect();
  return { REDIS_URL: url };
}

const preload = (file: string) => `--require=${join(__dirname, "..", "support", file)}.cjs`;
const nothing = "http://127.0.0.1:9";

/** The start of each bad line, a part of the fault and a part of the remedy, with | between them; and what to break. */
const faults: [lines: string, broken: Settings | (() => Promise<Settings | void> | Settings | void)][] = [
  ["problem configuration | POST_LOOKUP: must be sandbox | .env.example", { POST_LOOKUP: "scraping" }],
  ["problem redis | ECONNREFUSED | start it", { REDIS_URL: "redis://:the-password@127.0.0.1:9" }],
  ["problem redis | does not accept this user and password | ", () => withPassword("--requirepass", "right")],
  ["problem redis | unknown command | ", () => withPassword("--rename-command", "AUTH", "")],
  [
    "problem redis | needs a password | ",
    async () => ({ REDIS_URL: (await emptyRedis("--requirepass", "right")).url }),
  ],
  [
    "problem redis | \\w | compare rediss://",
    () => ({ REDIS_URL: servers.redis.url.replace("redis", "rediss") }),
  ],
  ["warning redis | answers only after [23]\\d\\d | same region", slowRedis],
  ["problem redis | max number of clients | CLIENT LIST", fullRedis],
  ["problem redis | No such master | REDIS_SENTINELS", () => sentinels("redis://boost5")],
  ["problem redis | NOAUTH | REDIS_SENTINELS", () => sentinels("redis://boost50", ">right")],
  [
    "problem redis | unreachable | SENTINELS",
    { REDIS_URL: "redis://boost50", REDIS_SENTINELS: "127.0.0.1:9" },
  ],
  ["problem redis | QUOTA | QUOTA, THROTTLED: a larger plan", usedUpRest],
  ["problem redis writes | OOM | OOM: give it more", setRedis("maxmemory", "1")],
  ["problem redis writes | NOREPLICAS | bring its replicas back", setRedis("min-replicas-to-write", "1")],
  ["problem redis eviction | allkeys-lru | noeviction", setRedis("maxmemory-policy", "allkeys-lru")],
  [
    "warning redis eviction | tell its memory policy | console\nwarning redis persistence | does not tell | console",
    async () => ({ REDIS_URL: (await emptyRedis("--rename-command", "INFO", "")).url }),
  ],
  ["problem redis writes | NOPERM | NOPERM: let the user", withRights("~{likes}*")],
  ["problem redis | NOPERM | NOPERM: let the user", withRights("~*", "-time")],
  ["warning redis persistence | append-only file is off | appendonly yes", setRedis("appendonly", "no")],
  [
    "problem redis writes | MISCONF | runbook.md\nproblem redis persistence | to write its file | free",
    unsaved,
  ],
  [
    "problem clock | differ by (?:8|9)\\d | chrony",
    { NODE_OPTIONS: preload("clock-ahead"), CLOCK_AHEAD_MS: "90000" },
  ],
  [
    "problem human check | does not run in a browser | by https",
    { CAPTCHA_PROVIDER: "altcha", CAPTCHA_SECRET_KEY: undefined, SITE_URL: "http://likes.example" },
  ],
  ["problem human check | a key of another | copy", { CAPTCHA_SITE_KEY: `6L${"a".repeat(38)}` }],
  ["problem human check | localhost would all be refused | add", { CAPTCHA_HOSTNAMES: "www.example.com" }],
  ["warning human check | robots | unset", { LIKE_DELIVERY: undefined, CAPTCHA_MODE: "bypass" }],
  ["problem human check | input-secret | copy CAPTCHA_SECRET_KEY", { CAPTCHA_SECRET_KEY: "another-secret" }],
  ["problem human check | ECONNREFUSED | CAPTCHA_VERIFY_URL", { CAPTCHA_VERIFY_URL: nothing }],
  ["problem post lookup | HTTP 401 | POST_LOOKUP_SECRET", { POST_LOOKUP_SECRET: "of-another-service" }],
  ["problem delivery | 401. After 401 | SECRET", { LIKE_WEBHOOK_SECRET: `whsec_${"A".repeat(40)}` }],
  ["problem delivery | ECONNREFUSED | LIKE_WEBHOOK_URL", { LIKE_WEBHOOK_URL: nothing }],
  [
    "problem delivery | no connection | LIKE_WEBHOOK_URL",
    () => ({ LIKE_WEBHOOK_URL: servers.receiver.url.replace("http:", "https:") }),
  ],
  ["problem delivery | 307. The site follows no redirect | LIKE_WEBHOOK_URL", respond("redirect")],
  ["problem delivery | Anybody could order likes | check-receiver", respond("accept")],
  [
    "warning delivery | signed an hour ago, .* 204, 204 | check-receiver",
    () => servers.receiver.respond(keepContract(isSignedWhenever)),
  ],
  [
    "problem mail | EAUTH | correct user",
    () => ({ SMTP_URL: servers.good.SMTP_URL.replace(":right", ":the-password") }),
  ],
  [
    "problem site address | it is http://localhost | set SITE_URL",
    () => fromApp({ SITE_URL: "http://likes.localhost", CAPTCHA_HOSTNAMES: "likes.localhost" }),
  ],
  ["problem site | ECONNREFUSED | compare the port", { from: "http://localhost:3" }],
  ["problem site | HTTP 401 | set the same HEALTH_TOKEN", () => fromApp({ HEALTH_TOKEN: "t".repeat(20) })],
  ["problem site | HTTP 401 | HEALTH_TOKEN here", () => fromApp({ HEALTH_TOKEN: undefined })],
  ["problem site | HTTP 200, empty | empty: correct SITE_URL", () => responds("")],
  ["problem site | HTTP 200 | taken the site's port", () => responds("hello")],
  ["problem site | is 100000, not 60000 | restart", () => fromApp({ DAILY_LIKE_LIMIT: "60000" })],
  [
    "warning site | another build | run release",
    async () => ({ from: (await servers.start({ build: "deployed", env })).url }),
  ],
  [
    "warning visitors' address | SITE_URL is https | TRUSTED_IP_HEADER",
    { SITE_URL: "https://likes.example" },
  ],
  [
    "problem visitors' address | 203.0.113.77 was | name a header",
    () => misconfigured({ TRUSTED_IP_HEADER: "x-real-ip" }),
  ],
  [
    "problem visitors' address | was believed | lower TRUSTED_PROXY_HOPS",
    () => misconfigured({ TRUSTED_PROXY_HOPS: "1" }),
  ],
  ["problem visitors' address | for unknown | lower TRUSTED", () => behindProxy("2", "198.51.100.7")],
  [
    "warning visitors' address | on the same machine | on another machine",
    () => ({ from: `http://likes.example:${servers.app.port}`, NODE_OPTIONS: preload("debian-hosts") }),
  ],
  ["problem visitors' address | takes us for 127.0.0.1 | HOPS", () => fromApp({ address: "198.51.100.7" })],
  ["problem visitors' address | takes us for 172.18.0.1 | IPv6", () => behindProxy("1", "172.18.0.1")],
  ["warning secrets | the same value | openssl", { SESSION_SECRET: "v".repeat(40) }],
  ["problem upkeep | nothing finishes | RECONCILE_EVERY_SECONDS", { RECONCILE_EVERY_SECONDS: "0" }],
];

for (const [lines, broken] of faults)
  // This fault needs another build.
  test(`finds only: ${lines}`, { tag: lines.includes("another build") ? "@slow" : [] }, async () => {
    const settings = (typeof broken === "function" ? await broken() : broken) ?? {};
    const { status, bad } = await doctor({ ...servers.good, ...settings });
    const found = bad.filter((line) => !/differs from the build's|sample content/.test(line));
    expect(found).toEqual(
      lines.split("\n").map((line) => {
        const [start = "", fault = "", remedy = ""] = line.split(" | ");
        return expect.stringMatching(`^${start.replace(" ", " +")}  .*${fault}.*\\. To do: .*${remedy}`);
      }),
    );
    expect(status).toBe(lines.startsWith("warning") ? 0 : 1);
  });
