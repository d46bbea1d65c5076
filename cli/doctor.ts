import { lookup as resolve } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { parseBuildSettings } from "@/lib/config/build-settings";
import { isTestSecretKey } from "@/lib/config/captcha-test-keys";
import * as figures from "@/lib/content/figures";
import * as testimonials from "@/lib/content/testimonials";
import { isLoopback } from "@/lib/http/loopback";
import { createCaptcha } from "@/lib/server/captcha";
import { parseEnv, type Env } from "@/lib/server/config/env";
import { failureCode } from "@/lib/server/http/http-client";
import { normalizeAddress } from "@/lib/server/identity/networks";
import { tryLogin } from "@/lib/server/inbox/mail";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import { createPostLookup } from "@/lib/server/post-lookup";
import { createRedis } from "@/lib/server/redis/client";
import { checkConnection } from "@/lib/server/redis/connect";
import { parseRedisInfo, probeWrite, readInfoField } from "@/lib/server/redis/probe";
import { testCases, tryReceiver } from "./receiver-cases";
import { escapeControls, fail, parseArguments, print, runTool } from "./terminal";

/*
 * npm run doctor: checks the settings, Redis, the services and the running site. Sends no order and no mail. First measures
 * what the checks need, then compares it with the rows of a table. `parseEnv` finds what prevents a start.
 */

const usage = `Usage: npm run doctor [-- --from <address of the running site> [--address <this machine's public address>]]
  Checks the configuration against Redis and the services around it, and, with --from, the running site.
  Prints one line a check, with what to do. The exit status is 1 when there is a problem.`;

const { values } = parseArguments(usage, {
  options: { from: { type: "string" }, address: { type: "string" } },
});

/** An address from a range for documentation, which no visitor has. */
const forgedAddress = "203.0.113.77";
const timeoutMs = 10_000;
/** The usual form of the other provider's site keys. It is not documented, so the site starts with any key. */
const foreignKey = { turnstile: /^6L[\w-]{38}$/, recaptcha: /^[0-3]x[\w-]{20,}$/ };

type Level = "ok" | "warning" | "problem";
type Facts = Awaited<ReturnType<typeof measure>>;
/** Returns what is wrong, or a false value. */
type Fault = (facts: Facts) => string | false | null | undefined;

const row = (level: Level) => (check: string, fault: Fault, remedy: string) => ({
  ...{ level, check, fault, remedy },
});
const problem = row("problem");
const warning = row("warning");

/** The product's keys begin with these names. */
const keyPrefixes = ["{likes}", "{inbox}", "{captcha}", "{lookup}", "not-found", "burst"];
const permissions = "NOPERM: let the user run all commands but the dangerous ones, and scripts, on all keys";

/** The first fault of each check is printed. */
const rows = [
  problem(
    "redis",
    ({ redis }) => redis.failure && `it does not answer, or does not let us in: ${redis.failure}`,
    "ECONNREFUSED: start it, or read its log; ENOTFOUND: correct its host; ETIMEDOUT, ECONNRESET: compare rediss:// and the port; " +
      "a certificate: name its authority in NODE_EXTRA_CA_CERTS; clients: CLIENT LIST shows who holds the connections; sentinels, " +
      "master: compare REDIS_SENTINELS and the host in REDIS_URL; QUOTA, THROTTLED: a larger plan; WRONGPASS: copy the token again; " +
      permissions,
  ),
  warning(
    "redis",
    ({ redis: { latencyMs } }) => latencyMs > 200 && `it answers only after ${latencyMs.toFixed(0)} ms`,
    "run the site and Redis in the same region",
  ),
  problem(
    "redis writes",
    ({ redis }) => redis.refusal && `it refuses a script or a write: ${redis.refusal}`,
    "OOM: give it more memory; READONLY: name the primary; NOREPLICAS: bring its replicas back; MISCONF: docs/runbook.md, Redis " +
      "cannot save; QUOTA: choose a larger plan; LOADING: wait until it has read its file; " +
      permissions,
  ),
  problem(
    "redis eviction",
    // All keys have a lifetime, so volatile-* policies are no better than allkeys-*.
    ({ redis: { policy = "noeviction" } }) =>
      policy !== "noeviction" && `${policy} loses cooldowns and charges`,
    "set maxmemory-policy noeviction, in its configuration file and by CONFIG SET",
  ),
  warning(
    "redis eviction",
    ({ redis }) => !redis.policy && "it does not tell its memory policy",
    "make sure in its console that eviction is off: an evicted key is a lost cooldown or charge",
  ),
  problem(
    "redis persistence",
    ({ redis }) => redis.saved === false && "the last attempt to write its file failed",
    "look at its log, at the free space and permissions of its folder, and at vm.overcommit_memory",
  ),
  warning(
    "redis persistence",
    ({ redis }) => redis.hidesFile && "it does not tell whether the append-only file is on",
    "look in its console, or wait until it has read its file",
  ),
  warning(
    "redis persistence",
    ({ redis }) => redis.forgets && "the append-only file is off: a restart forgets orders and cooldowns",
    "set appendonly yes, in its configuration file and by CONFIG SET",
  ),
  problem(
    "clock",
    ({ redis: { skew } }) => skew > 5 && `this machine's and Redis's differ by ${skew.toFixed(1)} s`,
    "let both machines take their time from the network (systemd-timesyncd, chrony)",
  ),
  problem(
    "human check",
    ({ needsHttps }) => needsHttps && "altcha does not run in a browser on an http address",
    "serve the site by https, and set SITE_URL accordingly; or choose another CAPTCHA_PROVIDER",
  ),
  problem(
    "human check",
    ({ isOtherKey }) => isOtherKey && "CAPTCHA_SITE_KEY is a key of another CAPTCHA_PROVIDER",
    "copy the site key from the provider's console, or change CAPTCHA_PROVIDER",
  ),
  problem(
    "human check",
    ({ unnamedHost }) => unnamedHost && `checks solved on ${unnamedHost} would all be refused`,
    "add the name to CAPTCHA_HOSTNAMES, or unset it",
  ),
  warning(
    "human check",
    ({ letsAllPass }) =>
      letsAllPass && "everybody passes, robots too: by CAPTCHA_MODE or by public test keys",
    "unset CAPTCHA_MODE, and set your own CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY",
  ),
  problem(
    "human check",
    ({ token }) =>
      token &&
      token.outcome !== "rejected" &&
      `the provider refuses no token: ${"reason" in token ? token.reason : token.outcome}`,
    "invalid-input-secret: copy CAPTCHA_SECRET_KEY again from the provider's console; otherwise look at CAPTCHA_VERIFY_URL",
  ),
  problem(
    "post lookup",
    ({ lookup }) => lookup && lookup.status === "unavailable" && `it is of no use: ${lookup.reason}`,
    "look at POST_LOOKUP_URL and POST_LOOKUP_SECRET (docs/post-lookup.md); for oembed at META_OEMBED_TOKEN and Meta's app page",
  ),
  problem(
    "delivery",
    ({ refused: [first] }) => first?.isBasic && `${first.name}: ${first.came}. ${first.advice.slice(0, -1)}`,
    "look at LIKE_WEBHOOK_URL and LIKE_WEBHOOK_SECRET, and run npm run check-receiver",
  ),
  warning(
    "delivery",
    ({ refused }) => refused.map(({ name, came }) => `${name}: ${came}`).join("; "),
    "docs/delivery.md is the contract, and npm run check-receiver shows every case",
  ),
  problem(
    "mail",
    ({ mailFault }) => mailFault && `the server cannot be used (${mailFault})`,
    "EAUTH: correct user and password in SMTP_URL (special characters as %40); ETLS: the server must offer TLS for a password; a " +
      "certificate: name its authority in NODE_EXTRA_CA_CERTS; otherwise look at host, port, and smtps:// for port 465",
  ),
  problem(
    "site address",
    ({ from, env: { siteUrl } }) => from && from !== siteUrl && `it is ${from}, and SITE_URL is ${siteUrl}`,
    "set SITE_URL to what visitors call, and build again",
  ),
  problem(
    "site",
    ({ site }) => site?.failure && `its deep health is not readable: ${site.failure}`,
    "ECONNREFUSED: compare the port, and start the web server; ENOTFOUND: look at the DNS; a certificate, TLS: read the web " +
      "server's log; HTTP 401, 404: set the same HEALTH_TOKEN here and at the site, and restart it; HTTP 50x: read the site's log; " +
      "empty: correct SITE_URL of the web server; otherwise find the program that has taken the site's port (ss -ltnp)",
  ),
  problem(
    "site",
    ({ site, redis, isOtherLimit }) => isOtherLimit && `today's limit is ${site?.limit}, not ${redis.limit}`,
    "restart the site",
  ),
  warning(
    "site",
    ({ site }) => site?.isOtherBuild && "it runs another build than the one in .next",
    "run npm run release; or run the doctor in the checkout of the site's build",
  ),
  warning(
    "visitors' address",
    ({ isUnproxied }) => isUnproxied && "the socket's, although SITE_URL is https",
    "set TRUSTED_IP_HEADER or TRUSTED_PROXY_HOPS, or all visitors share one cooldown; --from <site> tries it out",
  ),
  problem(
    "visitors' address",
    ({ site, trust }) => site?.isForged && `with ${trust} visitors choose it: ${forgedAddress} was believed`,
    "name a header that your proxy overwrites, or lower TRUSTED_PROXY_HOPS to the number of your proxies; let nobody past them",
  ),
  warning(
    "visitors' address",
    ({ site }) => site?.isLocal && `the site, on the same machine, takes us for ${site.seen}`,
    "run the doctor on another machine, once over IPv4 and once over IPv6 (/etc/hosts or Docker's gateway changes the address)",
  ),
  problem(
    "visitors' address",
    ({ site, trust }) => site?.isWrong && `with ${trust} the site takes us for ${site.seen}`,
    "unknown: lower TRUSTED_PROXY_HOPS; Docker's gateway: give Docker's network IPv6, as compose.yaml does; a proxy: set " +
      "TRUSTED_IP_HEADER to what the outermost one writes, or count them all in TRUSTED_PROXY_HOPS",
  ),
  warning(
    "secrets",
    ({ env }) => env.sessionSecrets[0] === env.visitorHashSecrets[0] && "both have the same value",
    "give SESSION_SECRET and VISITOR_HASH_SECRET one each (openssl rand -base64 48): a leak of one must not reveal the other",
  ),
  problem(
    "upkeep",
    ({ env }) => !env.reconcileEverySeconds && !env.cronSecret && "nothing finishes pending orders and mail",
    "set RECONCILE_EVERY_SECONDS=60, or CRON_SECRET and a call of /api/cron/reconcile every minute",
  ),
  warning(
    "content",
    ({ env, samples }) => env.delivery.kind === "webhook" && samples && `sample content is shown: ${samples}`,
    "replace figures.ts and testimonials.ts in lib/content with what you can prove; set SUPPORT_EMAIL; build again",
  ),
];

runTool(run);

async function run(): Promise<number> {
  if (values.from !== undefined && !URL.canParse(values.from)) return fail(usage);
  const counts = { ok: 0, warning: 0, problem: 0 };
  const report = (level: Level, check: string, says: string, remedy?: string) => {
    counts[level] += 1;
    const line = `${level.padEnd(7)}  ${check.padEnd(17)}  ${says}`.trimEnd();
    print(escapeControls(remedy === undefined ? line : `${line}. To do: ${remedy}`));
  };
  const file = readText(".next/build-settings.json");
  const build = file ? parseBuildSettings(JSON.parse(file)) : undefined;
  const result = parseEnv(process.env, build);
  for (const text of result.ok ? result.warnings : result.problems)
    report(result.ok ? "warning" : "problem", "configuration", text, ".env.example");
  if (result.ok) {
    if (result.warnings.length === 0) report("ok", "configuration", "complete, and without contradictions");
    const facts = await measure(result.env);
    for (const check of new Set(rows.map((row) => row.check))) {
      if (facts.redis.failure && /^redis .|^clock/.test(check)) continue;
      if (!facts.from && check.startsWith("site")) continue;
      const found = rows.find((row) => row.check === check && row.fault(facts));
      if (found) report(found.level, check, String(found.fault(facts)), found.remedy);
      else report("ok", check, facts.ok[check] ?? "");
    }
  }
  print(`\n${counts.problem} problems, ${counts.warning} warnings, ${counts.ok} ok`);
  return counts.problem > 0 ? 1 : 0;
}

/** Returns the text of a file, or an empty text without one. */
function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}

/** Measures everything that the rows compare. Failures are values, too. */
async function measure(env: Env) {
  const { captcha, siteUrl, postLookup, delivery, mail, healthToken } = env;
  const { header, proxyHops } = env.clientAddress;
  const { hostname } = new URL(siteUrl);
  const from = values.from && new URL(values.from).origin;
  const isRemote = captcha.provider !== "altcha";
  const letsAllPass = captcha.mode !== "enforce" || isTestSecretKey(captcha.secretKey);
  // The other requests would disturb the measurement of Redis.
  const redis = await measureRedis(env);
  const [token, lookup, receiver, mailFault, site] = await Promise.all([
    isRemote && !letsAllPass && createCaptcha(env).check("connection.test", hostname),
    postLookup.kind !== "sandbox" &&
      createPostLookup(postLookup, () => createRedis(env.redis))({
        postId: "AAAAAAAAAAA",
        type: "post",
      }),
    delivery.kind === "webhook" ? tryReceiver(delivery, testCases).then(({ results }) => results) : [],
    mail && tryLogin(mail),
    from ? measureSite(from, healthToken, header) : null,
  ]);
  const { SUPPORT_EMAIL } = parseBuildSettings(process.env);
  const email = { sample: SUPPORT_EMAIL.endsWith("@example.com") };
  const samples = Object.entries({ ...figures, testimonials, email })
    .flatMap(([name, figure]) => ("sample" in figure && figure.sample ? name : []))
    .join(", ");
  const trust = header ? `TRUSTED_IP_HEADER=${header}` : `TRUSTED_PROXY_HOPS=${proxyHops}`;
  return {
    ...{ env, from, redis, token, letsAllPass, lookup, mailFault, site, samples, trust },
    refused: receiver.flatMap((result, n) => (result.passed ? [] : { ...result, isBasic: n < 2 })),
    needsHttps: !isRemote && siteUrl.startsWith("http:") && !isLoopback(hostname),
    isOtherKey: isRemote && foreignKey[captcha.provider].test(captcha.siteKey),
    isOtherLimit: (site?.limit ?? redis.limit) !== (redis.limit ?? site?.limit),
    isUnproxied: !from && siteUrl.startsWith("https:") && !header && proxyHops === 0,
    unnamedHost: isRemote && !captcha.hostnames.includes(hostname) && hostname,
    ok: {
      redis: `answers after ${redis.latencyMs.toFixed(1)} ms`,
      "redis writes": "a script ran, and a key was written and deleted",
      "human check": `${captcha.provider}; only a browser can test the site key`,
      "post lookup": postLookup.kind,
      delivery: delivery.kind,
      "visitors' address": site
        ? `the site takes us for ${site.seen}${values.address ? "" : ": compare it with your own address"}`
        : `${trust}; --from <site> tries it out`,
    } as Record<string, string>,
  };
}

async function measureRedis({ redis: settings, ledger }: Env) {
  const redis = createRedis(settings);
  let failure, refusal, limit;
  let [latencyMs, skew] = [0, 0];
  try {
    // The first request waits for the connection.
    await redis.time();
    const startedAt = performance.now();
    const [seconds, microseconds] = await redis.time();
    latencyMs = performance.now() - startedAt;
    skew = Math.abs((Date.now() - latencyMs / 2) / 1_000 - seconds - microseconds / 1_000_000);
  } catch (error) {
    // Errors of the client contain no reason. A message of Redis can quote the password after "with args".
    const describe = (error: Error) =>
      error.message.endsWith("because Connection is closed.") // one of several sentinels
        ? null
        : `${failureCode(error)} ${error.message.split(", with args")[0]}`;
    failure = (settings.kind === "tcp" && (await checkConnection(settings, describe))) || String(error);
  }
  try {
    if (!failure) limit = (await createLedgerAdmin(redis, ledger).overview()).totalLimit;
    if (!failure) await probeWrite(redis, keyPrefixes);
  } catch (error) {
    const { cause, message } = error as Error;
    refusal = cause instanceof Error ? cause.message : message;
  }
  const info = failure ? "" : await redis.exec<unknown>(["INFO"]).then(String, () => "");
  const policy = readInfoField(info, "maxmemory_policy");
  const { saved, appendOnlyFile } = parseRedisInfo(info);
  const hidesFile = appendOnlyFile === null && settings.kind === "tcp";
  return {
    failure,
    refusal,
    limit,
    latencyMs,
    skew,
    policy,
    saved,
    hidesFile,
    forgets: appendOnlyFile === false,
  };
}

async function measureSite(from: string, token = "", header = "x-real-ip") {
  const health = await requestHealth(from, token);
  if (typeof health === "string") return { failure: health };
  const forged = await requestHealth(from, token, {
    "x-forwarded-for": forgedAddress,
    [header]: forgedAddress,
  });
  const page = await fetch(from, { signal: AbortSignal.timeout(timeoutMs) })
    .then((response) => response.text())
    .catch(() => null);
  const { address: seen } = health.you;
  const { hostname } = new URL(from);
  const reached = await resolve(hostname).catch(() => ({ address: "" }));
  const isInside = !isPrivate(hostname) && isPrivate(seen);
  // The site shortens an IPv6 address to its network.
  const expected = values.address && (normalizeAddress(values.address) ?? values.address);
  const isWrong = isInside || seen === "unknown" || (expected ?? seen) !== seen;
  return {
    seen,
    isWrong,
    limit: health.budget.totalLimit,
    isForged: typeof forged === "object" && forged.you.address === forgedAddress,
    isLocal: isWrong && ((isInside && isPrivate(reached.address)) || seen === ownGateway()),
    isOtherBuild: page?.includes(readText(".next/BUILD_ID")) === false,
  };
}

const healthShape = z.object({
  status: z.literal("ok"),
  budget: z.object({ totalLimit: z.number() }),
  you: z.object({ address: z.string() }),
});

/** Returns deep health, or why it is not readable. */
async function requestHealth(from: string, token: string, forged: Record<string, string> = {}) {
  try {
    const response = await fetch(new URL("/api/health?deep=1", from), {
      headers: { ...forged, authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const health = healthShape.safeParse(await new Response(text).json().catch(() => null));
    return health.data ?? `HTTP ${response.status}${text ? "" : ", empty"}`;
  } catch (error) {
    return failureCode((error as Error).cause ?? error);
  }
}

/** Returns the IPv4 gateway of this machine or container, or undefined. Linux prints it in hexadecimal, last byte first. */
function ownGateway(): string | undefined {
  const [, hex] = /^\S+\t0{8}\t([\dA-F]{8})\t/m.exec(readText("/proc/net/route")) ?? [];
  return hex && Buffer.from(hex, "hex").reverse().join(".");
}

/** Returns whether a host is in a loopback, private or link-local network. */
function isPrivate(host: string): boolean {
  const text = host.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(text)) return text === "localhost";
  const range = ipaddr.process(text).range();
  return ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"].includes(range);
}
