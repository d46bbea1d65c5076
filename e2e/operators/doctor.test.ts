import { expect, test, useServers } from "@/testing/test";
import { testCases } from "@/cli/receiver-cases";
import { liveDelivery } from "@/testing/servers/live-delivery";
import { startLookupServer } from "@/testing/servers/lookup-servers";
import { startMailServer } from "@/testing/servers/mail-server";
import { startRedisProxy } from "@/testing/servers/redis-proxy";
import { startSiteverify } from "@/testing/servers/siteverify-server";
import { runTool } from "@/testing/operator-tools";
import { startHttpDouble, type HttpRequest, type Responder } from "@/testing/servers/http-double";
import { isSigned } from "@/testing/servers/webhook-receiver";

/* npm run doctor with a good configuration and with broken ones. All services are running. */

const secrets = ["captcha-secret-of-the-tests", "lookup-secret-of-the-tests", "health-token-of-the-tests"];
const [captchaSecret = "", lookupSecret = "", healthToken = ""] = secrets;
const env = { HEALTH_TOKEN: healthToken, TEST_RATE_LIMIT_SCALE: undefined, TRUSTED_IP_HEADER: undefined };

const servers = useServers({ redisSettings: ["--appendonly", "yes"] }, async (servers) => {
  const siteverify = await servers.keep(startSiteverify("turnstile", captchaSecret));
  const lookup = await servers.keep(startLookupServer());
  const isKnown = ({ headers }: HttpRequest) => headers.authorization === `Bearer ${lookupSecret}`;
  lookup.respond((request) => (isKnown(request) ? { body: { status: "missing" } } : { status: 401 }));
  const mailServer = await servers.keep(startMailServer({ user: "site", password: "right" }));
  const good = {
    REDIS_URL: servers.redis.url,
    HEALTH_TOKEN: healthToken,
    ...siteverify.env,
    POST_LOOKUP: "http",
    POST_LOOKUP_URL: lookup.url,
    POST_LOOKUP_SECRET: lookupSecret,
    ...liveDelivery(servers.receiver),
    SMTP_URL: `smtp://site:right@127.0.0.1:${mailServer.port}`,
    NODE_EXTRA_CA_CERTS: mailServer.authority,
    MAIL_FROM: "site@example.com",
    SUPPORT_EMAIL: "operator@example.com",
  };
  return { app: await servers.start({ env }), good };
});
test.beforeEach(async () => {
  servers.receiver.requests.length = 0;
  servers.receiver.respond((request) => {
    if (request.method !== "POST") return { status: 405 };
    if (request.body.length > 16_384) return { status: 413 };
    return { status: isSigned(request) ? 204 : 401 };
  });
  await setRedis("maxmemory-policy", "noeviction", "appendonly", "yes", "maxmemory", "0")();
});

/** Environment of the doctor. It gets `from` and `address` as options, and `from` or `servers.app` as SITE_URL. */
type Settings = Record<string, string | undefined> & { from?: string; address?: string };

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
  expect((await servers.store.keys("*")).filter((key) => !key.startsWith("burst:"))).toEqual([]);
});

const fromApp = (settings: Settings) => ({ from: servers.app.url, ...settings });

/** Starts a site with settings that do not fit its proxies. Returns the settings of the doctor. */
async function misconfigured(settings: Record<string, string>): Promise<Settings> {
  return { from: (await servers.start({ env: { ...env, ...settings } })).url, ...settings };
}

/** Starts another program in the place of the site. */
async function otherSite(responder: Responder): Promise<Settings> {
  return { from: (await servers.keep(startHttpDouble("", responder, {}))).url };
}

/** Starts a site, and a proxy that writes the same address for all visitors. The doctor runs at `address`. */
async function behindProxy(hops: string, visitor: string, address: string): Promise<Settings> {
  const site = await misconfigured({ TRUSTED_PROXY_HOPS: hops });
  const proxy = await otherSite(async ({ path, query, headers: { authorization = "" } }) => {
    const headers = { authorization, "x-forwarded-for": visitor };
    const reply = await fetch(`${site.from}${path}?${query}`, { headers });
    return { status: reply.status, body: await reply.text() };
  });
  return { ...site, ...proxy, address };
}

const command = (...words: string[]) => servers.store.exec<unknown>(words as [string, ...string[]]);
function setRedis(...settings: string[]) {
  return async () => void (await command("CONFIG", "SET", ...settings));
}

/** Gives the doctor a user of Redis with these rights, as a host or an administrator does. */
function withRights(...rights: string[]) {
  return async (): Promise<Settings> => {
    await command("ACL", "SETUSER", "site", "reset", "on", ">right", "+@all", ...rights);
    return { REDIS_URL: servers.redis.url.replace("//", "//site:right@") };
  };
}

async function slowRedis(): Promise<Settings> {
  const proxy = await servers.keep(startRedisProxy(servers.redis.port));
  proxy.set({ matches: () => true, fault: { delayMs: 250 } });
  return { REDIS_URL: proxy.url };
}

const aheadCode = encodeURIComponent("const { now } = Date; Date.now = () => now() + 90_000;");
const clockAhead = { NODE_OPTIONS: `--import=data:text/javascript,${aheadCode}` };
const unsafe = {
  CAPTCHA_PROVIDER: "altcha",
  CAPTCHA_SECRET_KEY: undefined,
  SITE_URL: "http://likes.example",
};
const wrongPassword = () => ({ SMTP_URL: servers.good.SMTP_URL.replace(":right", ":the-password") });
const otherBuild = async () => ({ from: (await servers.start({ build: "deployed", env })).url });
const otherName = { SITE_URL: "http://likes.localhost", CAPTCHA_HOSTNAMES: "likes.localhost" };
const address = "198.51.100.7";

/** The start of the bad line, a part of the fault and a part of the remedy, with | between them; and what to break. */
const faults: [line: string, broken: Settings | (() => Promise<Settings | void> | Settings | void)][] = [
  ["problem configuration | POST_LOOKUP: must be sandbox | .env.example", { POST_LOOKUP: "scraping" }],
  ["problem redis | ECONNREFUSED | start it", { REDIS_URL: "redis://:the-password@127.0.0.1:9" }],
  ["problem redis | \\w | rediss://", () => ({ REDIS_URL: servers.redis.url.replace("redis", "rediss") })],
  ["problem redis | NOPERM | NOPERM: let the user", withRights("~*", "-time")],
  ["warning redis | answers only after [2-9]\\d\\d ms | ms: run .* same region", slowRedis],
  ["problem redis writes | NOPERM | NOPERM: let the user", withRights("~{likes}*")],
  ["problem redis writes | OOM | OOM: give it more", setRedis("maxmemory", "1")],
  ["problem redis storage | allkeys-lru | noeviction", setRedis("maxmemory-policy", "allkeys-lru")],
  ["warning redis storage | append-only file is off | appendonly yes", setRedis("appendonly", "no")],
  ["warning redis storage | tell its memory policy | console", withRights("~*", "-info")],
  ["problem clock | differ by (?:8|9)\\d | chrony", clockAhead],
  ["problem human check | does not run in a browser | by https", unsafe],
  ["problem human check | localhost would all be refused | add", { CAPTCHA_HOSTNAMES: "www.example.com" }],
  ["problem human check | input-secret | copy CAPTCHA_SECRET_KEY", { CAPTCHA_SECRET_KEY: "another-secret" }],
  ["problem post lookup | HTTP 401 | POST_LOOKUP_SECRET", { POST_LOOKUP_SECRET: "of-another-service" }],
  ["problem delivery | 401. After 401 | SECRET", { LIKE_WEBHOOK_SECRET: `whsec_${"A".repeat(40)}` }],
  ["problem delivery | 307. .*30x: .* redirect | URL", () => servers.receiver.respond("redirect")],
  ["problem delivery | could order likes | check-receiver", () => servers.receiver.respond({ status: 204 })],
  ["problem mail | EAUTH | correct user", wrongPassword],
  ["problem site address | it is http://localhost | set SITE_URL", () => fromApp(otherName)],
  ["problem site | ECONNREFUSED | compare the port", { from: "http://localhost:3" }],
  ["problem site | HTTP 401 | set the same HEALTH_TOKEN", () => fromApp({ HEALTH_TOKEN: "t".repeat(20) })],
  ["problem site | HTTP 200, empty | correct SITE_URL", () => otherSite({})],
  ["warning site | another build | run release", otherBuild],
  ["warning visitors' address | SITE_URL is https | TRUSTED_IP", { SITE_URL: "https://likes.example" }],
  ["problem visitors' address | was believed | HOPS", () => misconfigured({ TRUSTED_PROXY_HOPS: "1" })],
  ["problem visitors' address | for unknown | lower TRUSTED", () => behindProxy("2", address, address)],
  ["problem visitors' address | takes us for 127.0.0.1 | HOPS", () => fromApp({ address })],
  ["problem visitors' address | for 172.18.0.1 | IPv6", () => behindProxy("1", "172.18.0.1", address)],
  ["warning secrets | the same value | openssl", { SESSION_SECRET: "v".repeat(40) }],
  ["problem upkeep | nothing finishes | RECONCILE_EVERY_SECONDS", { RECONCILE_EVERY_SECONDS: "0" }],
];

for (const [line, broken] of faults)
  test(`finds only: ${line}`, async () => {
    const settings = (typeof broken === "function" ? await broken() : broken) ?? {};
    const { status, bad } = await doctor({ ...servers.good, ...settings });
    const found = bad.filter((line) => !/differs from the build's|sample content/.test(line));
    const [start = "", fault = "", remedy = ""] = line.split(" | ");
    const expected = `^${start.replace(" ", " +")}  .*${fault}.*\\. To do: .*${remedy}`;
    expect({ status, found }).toEqual({
      status: line.startsWith("warning") ? 0 : 1,
      found: [expect.stringMatching(expected)],
    });
  });
