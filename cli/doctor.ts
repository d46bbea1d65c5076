import { existsSync, readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { parseBuildSettings } from "@/lib/config/build-settings";
import { isTestKey } from "@/lib/config/captcha";
import * as figures from "@/lib/content/figures";
import * as testimonials from "@/lib/content/testimonials";
import { isLoopback } from "@/lib/http/loopback";
import { createCaptcha } from "@/lib/server/captcha";
import { parseEnv, type Env } from "@/lib/server/config/env";
import { failureCode, sendRequest } from "@/lib/server/http/http-client";
import { normalizeAddress } from "@/lib/server/identity/networks";
import { tryLogin } from "@/lib/server/inbox/mail";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import { createPostLookup } from "@/lib/server/post-lookup";
import { createRedis } from "@/lib/server/redis/client";
import { checkConnection } from "@/lib/server/redis/connect";
import { probeWrite, readRedisState } from "@/lib/server/redis/probe";
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
const maxHealthBytes = 100_000;
const samplePost = { postId: "AAAAAAAAAAA", type: "post" } as const;

type Facts = Awaited<ReturnType<typeof measure>>;
type Fault = string | { warning: string } | false | null | undefined;

/** The product's keys begin with these names. */
const keyPrefixes = ["{likes}", "{inbox}", "{captcha}", "not-found", "burst"];
const permissions = "NOPERM: let the user run all commands but the dangerous ones, and scripts, on all keys";

/** Each check: its name, a function that returns what is wrong or a false value, and what to do. */
const checks: Record<string, [find: (facts: Facts) => Fault | Promise<Fault>, remedy: string]> = {
  redis: [
    ({ redis: { failure, latencyMs } }) =>
      failure
        ? `it does not answer, or does not let us in: ${failure}`
        : latencyMs > 200 && { warning: `it answers only after ${latencyMs.toFixed(0)} ms` },
    "ECONNREFUSED: start it, or read its log; ENOTFOUND: correct its host; ETIMEDOUT, ECONNRESET: compare rediss:// and the port; " +
      "a certificate: name its authority in NODE_EXTRA_CA_CERTS; clients: CLIENT LIST shows who holds the connections; sentinels, " +
      "master: compare REDIS_SENTINELS and the host in REDIS_URL; QUOTA, THROTTLED: a larger plan; WRONGPASS: copy the token again; " +
      `ms: run the site and Redis in the same region; ${permissions}`,
  ],
  "redis writes": [
    ({ redis }) => redis.refusal && `it refuses a script or a write: ${redis.refusal}`,
    "OOM: give it more memory; READONLY: name the primary; NOREPLICAS: bring its replicas back; MISCONF: docs/redis.md, Redis " +
      `cannot save; QUOTA: choose a larger plan; LOADING: wait until it has read its file; ${permissions}`,
  ],
  "redis storage": [
    ({ redis: { evictionPolicy, saved, appendOnlyFile } }) => {
      if (!evictionPolicy) return { warning: "it does not tell its memory policy and its persistence" };
      // All keys have a lifetime, so volatile-* policies are no better than allkeys-*.
      if (evictionPolicy !== "noeviction") return `the policy ${evictionPolicy} loses cooldowns and charges`;
      if (saved === false) return "the last attempt to write its file failed";
      if (appendOnlyFile === false)
        return { warning: "the append-only file is off: a restart forgets orders and cooldowns" };
    },
    "policy: set maxmemory-policy noeviction, in its configuration file and by CONFIG SET, or look in its console; failed: look at " +
      "its log, at the free space and permissions of its folder, and at vm.overcommit_memory; off: set appendonly yes in both places",
  ],
  clock: [
    ({ redis: { skew } }) => skew > 5 && `this machine's and Redis's differ by ${skew.toFixed(1)} s`,
    "let both machines take their time from the network (systemd-timesyncd, chrony)",
  ],
  "human check": [
    async ({ env, hostname }) => {
      const { captcha, siteUrl } = env;
      if (captcha.provider === "altcha") {
        const isUnsafe = siteUrl.startsWith("http:") && !isLoopback(hostname);
        return isUnsafe && "altcha does not run in a browser on an http address";
      }
      if (!captcha.hostnames.includes(hostname)) return `checks solved on ${hostname} would all be refused`;
      if (captcha.mode !== "enforce" || isTestKey(captcha.secretKey)) return false;
      const token = await createCaptcha(env).check("connection.test", hostname);
      const reason = "reason" in token ? token.reason : token.outcome;
      return token.outcome !== "rejected" && `the provider refuses no token: ${reason}`;
    },
    "http: serve the site by https, and set SITE_URL accordingly, or choose another CAPTCHA_PROVIDER; refused: add the name to " +
      "CAPTCHA_HOSTNAMES, or unset it; invalid-input-secret: copy CAPTCHA_SECRET_KEY again from the provider's console; " +
      "otherwise look at CAPTCHA_VERIFY_URL",
  ],
  "post lookup": [
    async ({ env: { postLookup, redis } }) => {
      if (postLookup.kind === "sandbox") return false;
      const lookup = await createPostLookup(postLookup, () => createRedis(redis))(samplePost);
      return lookup.status === "unavailable" && `it is of no use: ${lookup.reason}`;
    },
    "look at POST_LOOKUP_URL and POST_LOOKUP_SECRET (docs/post-lookup.md); for oembed at META_OEMBED_TOKEN and Meta's app page",
  ],
  delivery: [
    async ({ env: { delivery } }) => {
      if (delivery.kind === "dry-run") return false;
      const failed = (await tryReceiver(delivery, testCases)).results.find(({ passed }) => !passed);
      return failed && `${failed.name}: ${failed.came}. ${failed.advice.slice(0, -1)}`;
    },
    "look at LIKE_WEBHOOK_URL and LIKE_WEBHOOK_SECRET; npm run check-receiver shows every case of the contract (docs/delivery.md)",
  ],
  mail: [
    async ({ env: { mail } }) => {
      const fault = mail && (await tryLogin(mail));
      return fault && `the server cannot be used (${fault})`;
    },
    "EAUTH: correct user and password in SMTP_URL (special characters as %40); ETLS: the server must offer TLS for a password; a " +
      "certificate: name its authority in NODE_EXTRA_CA_CERTS; otherwise look at host, port, and smtps:// for port 465",
  ],
  "site address": [
    ({ from, env: { siteUrl } }) => from && from !== siteUrl && `it is ${from}, and SITE_URL is ${siteUrl}`,
    "set SITE_URL to what visitors call, and build again",
  ],
  site: [
    ({ site }) =>
      site?.failure
        ? `its deep health is not readable: ${site.failure}`
        : site?.isOtherBuild && { warning: "it runs another build than the one in .next" },
    "ECONNREFUSED: compare the port, and start the web server; ENOTFOUND: look at the DNS; a certificate, TLS: read the web " +
      "server's log; HTTP 401, 404: set the same HEALTH_TOKEN here and at the site, and restart it; HTTP 50x: read the site's log; " +
      "empty: correct SITE_URL of the web server; build: run npm run release, or the doctor in the checkout of the site's build; " +
      "otherwise find the program that has taken the site's port (ss -ltnp)",
  ],
  "visitors' address": [
    ({ from, site, trust, env: { siteUrl, clientAddress } }) => {
      if (!from && siteUrl.startsWith("https:") && !clientAddress.header && !clientAddress.proxyHops)
        return { warning: "the socket's, although SITE_URL is https: all visitors would share one cooldown" };
      if (site?.isForged) return `with ${trust} visitors choose it: ${forgedAddress} was believed`;
      if (site?.isWrong) return `with ${trust} the site takes us for ${site.seen}`;
      return site?.isInside && { warning: `the site takes us for ${site.seen}, which is no public address` };
    },
    "socket: set TRUSTED_IP_HEADER or TRUSTED_PROXY_HOPS; believed: name a header that your proxy overwrites, or lower " +
      "TRUSTED_PROXY_HOPS to the number of your proxies, and let nobody past them; no public address: run the doctor on another " +
      "machine with --address, once over IPv4 and once over IPv6; unknown: lower TRUSTED_PROXY_HOPS; Docker's gateway: give Docker's " +
      "network IPv6, as compose.yaml does; a proxy: set TRUSTED_IP_HEADER to what the outermost one writes, or count them all in " +
      "TRUSTED_PROXY_HOPS",
  ],
  secrets: [
    ({ env }) =>
      env.sessionSecrets[0] === env.visitorHashSecrets[0] && { warning: "both have the same value" },
    "give SESSION_SECRET and VISITOR_HASH_SECRET one each (openssl rand -base64 48): a leak of one must not reveal the other",
  ],
  upkeep: [
    ({ env }) => !env.reconcileEverySeconds && !env.cronSecret && "nothing finishes pending orders and mail",
    "set RECONCILE_EVERY_SECONDS=60, or CRON_SECRET and a call of /api/cron/reconcile every minute",
  ],
  content: [
    ({ env: { delivery } }) => {
      const email = { sample: parseBuildSettings(process.env).SUPPORT_EMAIL.endsWith("@example.com") };
      const samples = Object.entries({ ...figures, testimonials, email }).flatMap(([name, figure]) =>
        "sample" in figure && figure.sample ? name : [],
      );
      const isShown = delivery.kind === "webhook" && samples.length > 0;
      return isShown && { warning: `sample content is shown: ${samples.join(", ")}` };
    },
    "replace figures.ts and testimonials.ts in lib/content with what you can prove; set SUPPORT_EMAIL; build again",
  ],
};

runTool(run);

async function run(): Promise<number> {
  if (values.from !== undefined && !URL.canParse(values.from)) return fail(usage);
  const counts = { ok: 0, warning: 0, problem: 0 };
  const report = (level: keyof typeof counts, check: string, says: string, remedy?: string) => {
    counts[level] += 1;
    const line = `${level.padEnd(7)}  ${check.padEnd(17)}  ${says}`.trimEnd();
    print(escapeControls(remedy === undefined ? line : `${line}. To do: ${remedy}`));
  };
  const file = readText(".next/build-settings.json");
  const result = parseEnv(process.env, file ? parseBuildSettings(JSON.parse(file)) : undefined);
  for (const text of result.ok ? result.warnings : result.problems)
    report(result.ok ? "warning" : "problem", "configuration", text, ".env.example");
  if (result.ok) {
    if (result.warnings.length === 0) report("ok", "configuration", "complete, and without contradictions");
    const facts = await measure(result.env);
    const found = Object.entries(checks).map(async ([name, [find, remedy]]) => {
      return [name, remedy, await find(facts)] as const;
    });
    for (const [name, remedy, fault] of await Promise.all(found)) {
      if (facts.redis.failure && /^redis .|^clock/.test(name)) continue;
      if (!facts.from && name.startsWith("site")) continue;
      if (!fault) report("ok", name, facts.ok[name] ?? "");
      else if (typeof fault === "string") report("problem", name, fault, remedy);
      else report("warning", name, fault.warning, remedy);
    }
  }
  print(`\n${counts.problem} problems, ${counts.warning} warnings, ${counts.ok} ok`);
  return counts.problem > 0 ? 1 : 0;
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}

/** Measures what several rows compare. Failures are values, too. */
async function measure(env: Env) {
  const { header, proxyHops } = env.clientAddress;
  const from = values.from && new URL(values.from).origin;
  // Other requests would disturb the measurement of Redis.
  const redis = await measureRedis(env);
  const site = from ? await measureSite(from, env.healthToken, header) : null;
  const trust = header ? `TRUSTED_IP_HEADER=${header}` : `TRUSTED_PROXY_HOPS=${proxyHops}`;
  const ok: Record<string, string> = {
    redis: `answers after ${redis.latencyMs.toFixed(1)} ms`,
    "human check": `${env.captcha.provider}; only a browser can test the site key`,
    "post lookup": env.postLookup.kind,
    delivery: env.delivery.kind,
    "visitors' address": site
      ? `the site takes us for ${site.seen}${values.address ? "" : ": compare it with your own address"}`
      : `${trust}; --from <site> tries it out`,
  };
  return { env, hostname: new URL(env.siteUrl).hostname, from, redis, site, trust, ok };
}

async function measureRedis({ redis: settings, ledger }: Env) {
  const redis = createRedis(settings);
  let failure, refusal;
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
    if (!failure) await createLedgerAdmin(redis, ledger).overview();
    if (!failure) await probeWrite(redis, keyPrefixes);
  } catch (error) {
    const { cause, message } = error as Error;
    refusal = cause instanceof Error ? cause.message : message;
  }
  return { failure, refusal, latencyMs, skew, ...(await readRedisState(redis)) };
}

async function measureSite(from: string, token = "", header = "x-real-ip") {
  const health = await requestHealth(from, token);
  if (typeof health === "string") return { failure: health };
  const forgery = { "x-forwarded-for": forgedAddress, [header]: forgedAddress };
  const forged = await requestHealth(from, token, forgery);
  const page = await fetch(from, { signal: AbortSignal.timeout(timeoutMs) })
    .then((response) => response.text())
    .catch(() => null);
  const { address: seen } = health.you;
  // The site shortens an IPv6 address to its network.
  const expected = values.address && (normalizeAddress(values.address) ?? values.address);
  return {
    seen,
    isWrong: seen === "unknown" || (expected ?? seen) !== seen,
    isForged: typeof forged === "object" && forged.you.address === forgedAddress,
    /** Normal if the doctor runs on the site's machine or in a container: /etc/hosts or Docker changes its address. */
    isInside: isPrivate(seen) && !isPrivate(new URL(from).hostname),
    isOtherBuild: page?.includes(readText(".next/BUILD_ID")) === false,
  };
}

const healthShape = z.object({ status: z.literal("ok"), you: z.object({ address: z.string() }) });

/** Returns deep health, or why it is not readable. */
async function requestHealth(from: string, token: string, forged: Record<string, string> = {}) {
  const headers = { ...forged, authorization: `Bearer ${token}` };
  const url = new URL("/api/health?deep=1", from);
  try {
    const request = { headers, signal: AbortSignal.timeout(timeoutMs) };
    const { status, json, isEmpty } = await sendRequest(url, request, maxHealthBytes);
    return healthShape.safeParse(json).data ?? `HTTP ${status}${isEmpty ? ", empty" : ""}`;
  } catch (error) {
    return failureCode(error);
  }
}

/** Returns whether a host is in a loopback, private or link-local network. */
function isPrivate(host: string): boolean {
  const text = host.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(text)) return text === "localhost";
  const range = ipaddr.process(text).range();
  return ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"].includes(range);
}
