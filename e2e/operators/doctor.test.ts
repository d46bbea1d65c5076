import { expect, test, useServers } from "../support/test";
import { rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { once } from "node:events";
import { connect, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import IORedis from "ioredis";
import { testCases } from "@/scripts/lib/receiver-cases";
import { liveDelivery } from "../support/servers/live-delivery";
import { makeCertificate } from "../support/servers/certificate";
import { startLookupServer } from "../support/servers/lookup-servers";
import { startMailServer } from "../support/servers/mail-server";
import { startRedis } from "../support/servers/redis-server";
import { startSentinel } from "../support/servers/redis-sentinel";
import { until } from "../support/until";
import { freePort } from "../support/ports";
import { startSiteverify } from "../support/servers/siteverify-server";
import { runTool } from "../support/operator-tools";
import { startHttpDouble, type HttpRequest } from "../support/servers/http-double";
import { isSigned, isSignedWhenever } from "../support/servers/webhook-receiver";

/* npm run doctor with a good configuration and with broken ones. All services are running. */

const otherWebhookSecret = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
const captchaSecret = "captcha-secret-of-the-tests";
const lookupSecret = "lookup-secret-of-the-tests";
const healthToken = "health-token-of-the-tests";

const servers = useServers({ redisSettings: ["--appendonly", "yes"] }, async (servers) => {
  const siteverify = await servers.keep(startSiteverify({ provider: "turnstile", secret: captchaSecret }));
  const lookup = await servers.keep(startLookupServer());
  lookup.respond(({ headers }) =>
    headers.authorization === `Bearer ${lookupSecret}`
      ? { status: 200, body: { status: "missing" } }
      : { status: 401 },
  );
  const mailServer = await servers.keep(startMailServer({ user: "site", password: "right" }));
  const env = { HEALTH_TOKEN: healthToken, TEST_RATE_LIMIT_SCALE: undefined };
  const [app, trustingApp] = await Promise.all([
    servers.start({ env: { ...env, TRUSTED_IP_HEADER: undefined } }),
    // The test reaches this site without the proxy that overwrites the header.
    servers.start({ env }),
  ]);
  const good = {
    REDIS_URL: servers.redis.url,
    SITE_URL: app.url,
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
    INBOX_EMAIL: "operator@example.com",
  };
  const admin = new IORedis(servers.redis.url);
  await servers.keep({ stop: async () => admin.disconnect() });
  /** Starts the site with other settings. Returns its URL. */
  const site = async (other: Parameters<typeof servers.start>[0]) =>
    (await servers.start({ ...other, env: { ...env, TRUSTED_IP_HEADER: undefined, ...other?.env } })).url;
  /** Starts another program on a port. Returns the port. */
  const listen = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, resolve));
    await servers.keep({ stop: async () => void server.close() });
    return (server.address() as AddressInfo).port;
  };
  const emptyRedis = async (...settings: string[]) => servers.keep(await startRedis({ settings }));
  return { mailServer, app, trustingApp, good, admin, site, listen, emptyRedis };
});
test.beforeEach(() => {
  servers.receiver.requests.length = 0;
  servers.receiver.respond(keepContract(isSigned));
});

/** A delivery service that handles test calls correctly, with a given check of signatures. */
function keepContract(verify: (request: HttpRequest) => boolean) {
  return (request: HttpRequest) => {
    if (request.method !== "POST") return { status: 405 };
    if (request.body.length > 16_384) return { status: 413 };
    return { status: verify(request) ? 204 : 401 };
  };
}

async function doctor(env: Record<string, string | undefined>, ...args: string[]) {
  const { status, stdout } = await runTool("doctor", args, env);
  const lines = stdout.split("\n").filter(Boolean);
  return { status, lines: lines.slice(0, -1), bad: lines.slice(0, -1).filter((line) => !/^ok /.test(line)) };
}

test("finds no problem in a demo whose build has the same settings", async () => {
  const { status, lines, bad } = await doctor({ REDIS_URL: servers.redis.url, SITE_URL: undefined });
  expect({ status, bad }).toEqual({ status: 0, bad: [] });
  expect(lines.length).toBeGreaterThan(10);
  expect(lines).toContainEqual(expect.stringMatching(/^ok +budget +100,000 likes a day, not paced /));
});

test("finds only the build and the sample content of a live site, and creates no orders", async () => {
  const { status, bad } = await doctor(servers.good, "--from", servers.app.url);
  expect(status).toBe(0);
  const about = bad.map((line) => line.replace(/^(\w+) +(\w+) .*$/, "$1 $2"));
  expect([...new Set(about)].sort()).toEqual(["warning configuration", "warning content"]);
  const settings = bad.filter((line) => line.includes(" configuration "));
  expect(settings.every((line) => line.includes("differs from the build's"))).toBe(true);

  expect(servers.receiver.requests).toHaveLength(testCases.length);
  for (const { body, headers } of servers.receiver.requests) {
    expect(headers["webhook-id"] ?? "test_").toMatch(/^test_/);
    expect(body === "" || /^\{"type":"connection\.test"/.test(body)).toBe(true);
  }
  expect((await servers.admin.keys("*")).filter((key) => !key.startsWith("burst:"))).toEqual([]);
});

test("accepts the IPv6 address of this machine, of which the site sees the network", async () => {
  const url = await siteBehindProxy("1", "2001:db8::7");
  const env = { ...servers.good, SITE_URL: url, TRUSTED_PROXY_HOPS: "1" };
  const { lines } = await doctor(env, "--from", url, "--address", "2001:db8::7");
  expect(lines).toContainEqual(
    expect.stringMatching(/^ok +visitors' address +the site takes us for 2001:db8::/),
  );
});

/** Starts the site with a number of trusted proxies, and a proxy that writes the same address for all visitors. */
async function siteBehindProxy(hops: string, address: string): Promise<string> {
  const url = await servers.site({ env: { TRUSTED_PROXY_HOPS: hops } });
  const overwrite: RequestListener = ({ url: path = "", headers }, response) =>
    void fetch(url + path, {
      headers: { authorization: headers.authorization ?? "", "x-forwarded-for": address },
    }).then(async (reply) => response.writeHead(reply.status).end(await reply.text()));
  return `http://localhost:${await servers.listen(createServer(overwrite))}`;
}

interface Broken {
  name: string;
  env?: () => Record<string, string | undefined> | Promise<Record<string, string | undefined>>;
  args?: () => string[];
  /** The site whose address the doctor gets, as SITE_URL and with --from. */
  site?: () => string | Promise<string>;
  /** Breaks a part other than the configuration. Returns a function that repairs it. */
  breakIt?: () => Promise<() => Promise<unknown>> | Promise<void> | void;
  /** The line with the problem and its remedy, or several. */
  finds: RegExp | RegExp[];
  /** After a warning, the exit status is 0. */
  warns?: boolean;
}

const setRedis = (name: string, broken: string, right: string) => async () => {
  await servers.admin.config("SET", name, broken);
  return () => servers.admin.config("SET", name, right);
};

const broken: Broken[] = [
  {
    name: "an invalid value",
    env: () => ({ POST_LOOKUP: "scraping" }),
    finds: /^problem +configuration +POST_LOOKUP: must be sandbox, oembed or http. To do: .env.example/,
  },
  {
    name: "a Redis that is not running",
    env: async () => ({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` }),
    finds: /^problem +redis +nothing listens at its host and port. To do: start it, and compare REDIS_URL/,
  },
  {
    name: "a REST API whose quota is used up",
    async env() {
      const error = "ERR max requests limit exceeded. Limit: 9, Usage: 9.";
      const { url } = await servers.keep(startHttpDouble("", { status: 400, body: { error } }, {}));
      return { REDIS_URL: undefined, UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: "token" };
    },
    finds: /^problem +redis +its quota is used up. To do: choose a larger plan/,
  },
  {
    name: "a Redis that evicts keys",
    breakIt: setRedis("maxmemory-policy", "allkeys-lru", "noeviction"),
    finds: /^problem +redis eviction .*allkeys-lru.* To do: set maxmemory-policy noeviction/,
  },
  {
    name: "a Redis without persistence",
    breakIt: setRedis("appendonly", "no", "yes"),
    finds: /^warning +redis persistence .*append-only file is off.* To do: set appendonly yes/,
    warns: true,
  },
  {
    name: "a full Redis",
    breakIt: setRedis("maxmemory", "1", "0"),
    finds: /^problem +redis writes .*OOM.* To do: OOM: give it more memory/,
  },
  {
    name: "a Redis with too few replicas",
    breakIt: setRedis("min-replicas-to-write", "1", "0"),
    finds: /^problem +redis writes .*NOREPLICAS.* To do: .*NOREPLICAS: bring its replicas back/,
  },
  {
    name: "a wrong clock",
    env: () => ({
      NODE_OPTIONS: `--require=${join(__dirname, "..", "support", "clock-ahead.cjs")}`,
      CLOCK_AHEAD_MS: "90000",
    }),
    finds: /^problem +clock +this machine is (?:8|9)\d\.\d s ahead of Redis's clock. To do: .*chrony/,
  },
  {
    name: "a captcha key of another site",
    env: () => ({ CAPTCHA_SECRET_KEY: "another-secret" }),
    finds: /^problem +human check +turnstile does not know CAPTCHA_SECRET_KEY. To do: copy it again/,
  },
  {
    name: "captcha hostnames without the site's own",
    env: () => ({ CAPTCHA_HOSTNAMES: "www.example.com" }),
    finds:
      /^problem +human check .*localhost would all be refused.* To do: add localhost to CAPTCHA_HOSTNAMES/,
  },
  {
    name: "a captcha provider that is not running",
    env: async () => ({ CAPTCHA_VERIFY_URL: `http://127.0.0.1:${await freePort()}/` }),
    finds:
      /^problem +human check +turnstile could not be asked: no connection \(\S+\). To do: look at CAPTCHA_VERIFY_URL/,
  },
  {
    name: "a lookup service that rejects the secret",
    env: () => ({ POST_LOOKUP_SECRET: "a-secret-of-another-service" }),
    finds: /^problem +post lookup +http is of no use: HTTP 401. To do: .*POST_LOOKUP_SECRET/,
  },
  {
    name: "live delivery of sample posts",
    env: () => ({ POST_LOOKUP: "sandbox", POST_LOOKUP_URL: undefined, POST_LOOKUP_SECRET: undefined }),
    finds: /^problem +post lookup +delivery is live, and the sandbox .* To do: set POST_LOOKUP=oembed/,
  },
  {
    name: "a webhook secret that differs from the service's",
    env: () => ({ LIKE_WEBHOOK_SECRET: otherWebhookSecret }),
    finds:
      /^problem +delivery +the service refuses our signature \(HTTP 401\). To do: .*same LIKE_WEBHOOK_SECRET/,
  },
  {
    name: "a webhook service without TLS at its https address",
    env: () => ({ LIKE_WEBHOOK_URL: servers.receiver.url.replace("http:", "https:") }),
    finds: /^problem +delivery +no connection to the service \(ERR_SSL_\w+\). To do: .*certificate/,
  },
  {
    name: "a webhook service that checks no signature",
    breakIt: () => servers.receiver.respond("accept"),
    finds: /^problem +delivery .*wrong signature: anybody could order there. To do: verify signatures/,
  },
  {
    name: "a webhook service that ignores the timestamp",
    breakIt: () => servers.receiver.respond(keepContract(isSignedWhenever)),
    finds:
      /^warning +delivery .*signed an hour ago \(204\), signed in an hour \(204\). To do: .*npm run check-receiver/,
    warns: true,
  },
  {
    name: "a webhook address that redirects",
    breakIt: () => servers.receiver.respond("redirect"),
    finds:
      /^problem +delivery +the service answers the test call with HTTP 307. To do: look at LIKE_WEBHOOK_URL/,
  },
  {
    name: "a webhook address that shows a page",
    breakIt: () => servers.receiver.respond("junk"),
    finds:
      /^problem +delivery .* HTTP 200 with a body that is neither empty nor JSON .*To do: look at LIKE_WEBHOOK_URL/,
  },
  {
    name: "a mail server that refuses the login",
    env: () => ({ SMTP_URL: `smtp://site:wrong@127.0.0.1:${servers.mailServer.port}` }),
    finds:
      /^problem +mail +the server refuses user or password. To do: correct user and password in SMTP_URL/,
  },
  {
    name: "a trusted address header that visitors can set",
    env: () => ({ SITE_URL: servers.trustingApp.url, TRUSTED_IP_HEADER: "x-real-ip" }),
    args: () => ["--from", servers.trustingApp.url],
    finds:
      /^problem +visitors' address .*visitors choose it themselves: 203\.0\.113\.77 was believed. To do: name a header/,
  },
  {
    name: "a proxy whose address is used for all visitors",
    args: () => ["--from", servers.app.url, "--address", "198.51.100.7"],
    finds:
      /^problem +visitors' address .*takes us for 127\.0\.0\.1, and we are 198\.51\.100\.7. To do: .*TRUSTED_PROXY_HOPS/,
  },
  {
    name: "a SITE_URL with another host name",
    env: () => ({ SITE_URL: "http://likes.localhost", CAPTCHA_HOSTNAMES: "likes.localhost" }),
    args: () => ["--from", servers.app.url],
    finds:
      /^problem +site address +visitors call http:\/\/localhost:\d+, and SITE_URL is .* To do: set SITE_URL/,
  },
  {
    name: "a site without maintenance of pending orders",
    env: () => ({ RECONCILE_EVERY_SECONDS: "0" }),
    finds:
      /^problem +upkeep +nothing finishes pending orders.* To do: set RECONCILE_EVERY_SECONDS=60, or CRON_SECRET/,
  },
  {
    name: "a changed limit without a restart",
    env: () => ({ DAILY_LIKE_LIMIT: "60000" }),
    site: () => servers.app.url,
    finds:
      /^problem +site +today's limit is 100000 there, and 60000 by these settings. To do: restart the site/,
  },
  {
    name: "a site that runs another build",
    site: () => servers.site({ build: "deployed" }),
    finds: /^warning +site +it runs another build than the one in .next. To do: run npm run release/,
    warns: true,
  },
  {
    name: "more hops than proxies",
    env: () => ({ TRUSTED_PROXY_HOPS: "1" }),
    site: () => servers.site({ env: { TRUSTED_PROXY_HOPS: "1" } }),
    finds: /^problem +visitors' address .*was believed. To do: lower TRUSTED_PROXY_HOPS/,
  },
  {
    name: "more hops than proxies, behind a proxy that overwrites the header",
    env: () => ({ TRUSTED_PROXY_HOPS: "2" }),
    site: () => siteBehindProxy("2", "198.51.100.7"),
    finds: /^problem +visitors' address .*there are fewer proxies. To do: lower TRUSTED_PROXY_HOPS/,
  },
  {
    name: "Docker's gateway in the place of visitors",
    env: () => ({ TRUSTED_PROXY_HOPS: "1" }),
    site: () => siteBehindProxy("1", "172.18.0.1"),
    args: () => ["--address", "198.51.100.7"],
    finds:
      /^problem +visitors' address .*takes us for 172.18.0.1, which looks like Docker's .* To do: give .* IPv6/,
  },
  {
    name: "Debian's line for the host's own name in /etc/hosts",
    env: () => ({
      NODE_OPTIONS: `--require=${join(__dirname, "..", "support", "debian-hosts.cjs")}`,
    }),
    site: () => `http://likes.example:${servers.app.port}`,
    finds:
      /^warning +visitors' address +on this machine likes.example leads to 127.0.1.1 .* To do: run the doctor on another/,
    warns: true,
  },
  {
    name: "a certificate that nobody trusts",
    site: async () => {
      const certificate = makeCertificate();
      const server = createTlsServer(certificate.readServer());
      certificate.remove();
      return `https://localhost:${await servers.listen(server)}`;
    },
    finds: /^problem +site +TLS fails \(\w+\). To do: look at the web server's certificate/,
  },
  {
    name: "a port without a site",
    site: async () => `http://localhost:${await freePort()}`,
    finds: /^problem +site +nothing listens there \(ECONNREFUSED\). To do: compare the port/,
  },
  {
    name: "a wrong health token",
    env: () => ({ HEALTH_TOKEN: "another-token-of-the-tests" }),
    site: () => servers.app.url,
    finds: /^problem +site +it does not accept HEALTH_TOKEN \(HTTP 401 unauthorized\). To do: set the same/,
  },
  {
    name: "a web server with another address",
    site: async () =>
      `http://localhost:${await servers.listen(createServer((_, response) => response.end()))}`,
    finds:
      /^problem +site +the web server has no site for this path .* To do: compare SITE_URL in the web server/,
  },
  {
    name: "another program on the site's port",
    site: async () =>
      `http://localhost:${await servers.listen(createServer((_, response) => response.end("hello")))}`,
    finds: /^problem +site +another program answers there \(HTTP 200\). To do: find the program/,
  },
  {
    name: "a missing Redis password",
    env: async () => ({ REDIS_URL: (await servers.emptyRedis("--requirepass", "right")).url }),
    finds: /^problem +redis +REDIS_URL: this Redis needs a password. To do: /,
  },
  {
    name: "a wrong Redis password",
    env: async () => {
      const { port } = await servers.emptyRedis("--requirepass", "right");
      return { REDIS_URL: `redis://:wrong@127.0.0.1:${port}` };
    },
    finds: /^problem +redis +REDIS_URL: Redis does not accept this user and password. To do: /,
  },
  {
    name: "a Redis whose connections are all taken",
    env: async () => {
      const { url, port } = await servers.emptyRedis("--maxclients", "1");
      await once(connect(port, "127.0.0.1"), "connect");
      return { REDIS_URL: url };
    },
    finds: /^problem +redis +all its connections are taken. To do: find who holds them/,
  },
  {
    name: "a Redis without the TLS of REDIS_URL",
    env: () => ({ REDIS_URL: servers.redis.url.replace("redis:", "rediss:") }),
    finds: /^problem +redis +it does not complete the connection. To do: compare rediss:/,
  },
  {
    name: "a name that the sentinels do not know",
    env: async () => {
      const { port } = await servers.keep(await startSentinel("boost50", servers.redis.port));
      return {
        REDIS_URL: "redis://boost5",
        REDIS_SENTINELS: `127.0.0.1:${await freePort()},127.0.0.1:${port}`,
      };
    },
    finds: /^problem +redis +the sentinels do not know the name .* To do: compare it with the name/,
  },
  {
    name: "a missing password of the sentinels",
    env: async () => {
      const { port } = await servers.keep(await startSentinel("boost50", servers.redis.port));
      const sentinel = new IORedis(port);
      await sentinel.call("ACL", "SETUSER", "default", ">right");
      sentinel.disconnect();
      return { REDIS_URL: "redis://boost50", REDIS_SENTINELS: `127.0.0.1:${port}` };
    },
    finds: /^problem +redis +the sentinels do not accept the password. To do: .*REDIS_SENTINELS/,
  },
  {
    name: "sentinels that are not running",
    env: async () => ({ REDIS_URL: "redis://boost50", REDIS_SENTINELS: `127.0.0.1:${await freePort()}` }),
    finds: /^problem +redis +no sentinel answers. To do: start them, and compare REDIS_SENTINELS/,
  },
  {
    name: "a site key of another captcha provider",
    env: () => ({ CAPTCHA_SITE_KEY: `6L${"a".repeat(38)}` }),
    finds: /^problem +human check +CAPTCHA_SITE_KEY is a key of recaptcha, and CAPTCHA_PROVIDER is turnstile/,
  },
  {
    name: "a Redis that cannot write its files",
    env: async () => {
      const { url, dir } = await servers.emptyRedis("--maxmemory-policy", "noeviction");
      const redis = new IORedis(url);
      // As on a full disk, the snapshot fails, and Redis rejects writes.
      await redis.config("SET", "save", "1 1");
      rmSync(dir, { recursive: true });
      await redis.set("key", "value");
      await until("the snapshot fails", async () => {
        await redis.bgsave().catch(() => undefined);
        return (await redis.info("persistence")).includes("rdb_last_bgsave_status:err");
      });
      redis.disconnect();
      return { REDIS_URL: url };
    },
    finds: [
      /^problem +redis writes .*MISCONF.* To do: .*MISCONF: its disk is full .*docs\/runbook.md/,
      /^problem +redis persistence +the last attempt to write its file failed/,
    ],
  },
];

for (const { name, env, args, site, breakIt, finds, warns = false } of broken)
  test(`finds ${name}, and names the remedy`, async () => {
    const mend = await breakIt?.();
    try {
      const url = await site?.();
      const settings = { ...servers.good, ...(url && { SITE_URL: url }), ...(await env?.()) };
      const { status, bad } = await doctor(settings, ...(url ? ["--from", url] : []), ...(args?.() ?? []));
      const settled = bad.filter((line) => !/differs from the build's|sample content/.test(line));
      expect(settled).toEqual([finds].flat().map((pattern) => expect.stringMatching(pattern) as unknown));
      expect(status).toBe(warns ? 0 : 1);
    } finally {
      await mend?.();
    }
  });
