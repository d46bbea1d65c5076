import { lookup as resolve } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { parseBuildSettings } from "@/lib/config/build-settings";
import { isTestSecretKey } from "@/lib/config/captcha-test-keys";
import * as claims from "@/lib/content/claims";
import { sample as testimonials } from "@/lib/content/testimonials";
import { isLoopback } from "@/lib/http/loopback";
import { createCaptcha } from "@/lib/server/captcha";
import { parseEnv, type Env } from "@/lib/server/config/env";
import { failureCode } from "@/lib/server/http/http-client";
import { normalizeAddress } from "@/lib/server/identity/networks";
import { tryLogin } from "@/lib/server/inbox/mail";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import { createPostLookup } from "@/lib/server/post-lookup";
import { createRedis } from "@/lib/server/redis/client";
import { checkConnection } from "@/lib/server/redis/connection-check";
import { parseRedisInfo, probeWrite, readInfoField } from "@/lib/server/redis/probe";
import { testCases, tryReceiver } from "./lib/receiver-cases";
import { escapeControls, fail, parseArguments, print, runTool } from "./lib/terminal";

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
/** The usual form of site keys. The providers do not document it, so the site starts with any key. */
const siteKeyPatterns = { recaptcha: /^6L[\w-]{38}$/, turnstile: /^[0-3]x[\w-]{20,}$/ };
const otherProvider = { recaptcha: "turnstile", turnstile: "recaptcha" } as const;

type Level = "ok" | "warning" | "problem";
type Facts = Awaited<ReturnType<typeof measure>>;
/** Returns what is wrong. Returns a false value if nothing is. */
type Fault = (facts: Facts) => string | false | null | undefined;

const row = (level: Level) => (check: string, fault: Fault, remedy: string) => ({
  ...{ level, check, fault, remedy },
});
const problem = row("problem");
const warning = row("warning");

/** The first fault of each check is printed. */
const rows = [
  problem(
    "redis",
    ({ redis }) => redis.failure && `it does not answer, or does not let us in: ${redis.failure}`,
    "ECONNREFUSED: start it, or read its log; ENOTFOUND: correct its host; ETIMEDOUT, ECONNRESET: compare rediss:// and the port; " +
      "a certificate: name its authority in NODE_EXTRA_CA_CERTS; clients: find who holds the connections (CLIENT LIST); sentinels: " +
      "compare REDIS_SENTINELS, and their name for the primary with the host in REDIS_URL; QUOTA, THROTTLED: choose a larger plan; " +
      "WRONGPASS: copy the token again",
  ),
  problem(
    "redis writes",
    ({ redis }) => redis.refusal && `it refuses a script or a write: ${redis.refusal}`,
    "OOM: give it more memory; READONLY: name the primary; NOREPLICAS: bring its replicas back; MISCONF: docs/runbook.md, Redis " +
      "cannot save; QUOTA: choose a larger plan; NOPERM: let the user run scripts, and all commands on all keys",
  ),
  problem(
    "redis eviction",
    // All keys have a lifetime, so volatile-* policies are no better than allkeys-*.
    ({ redis: { policy = "noeviction" } }) =>
      policy !== "noeviction" && `maxmemory-policy is ${policy}: a full Redis deletes cooldowns and charges`,
    "set maxmemory-policy noeviction, in its configuration file and by CONFIG SET",
  ),
  warning(
    "redis eviction",
    ({ redis }) => redis.policy === undefined && "it does not tell its memory policy",
    "make sure in its console that eviction is off: an evicted key is a lost cooldown or charge",
  ),
  problem(
    "redis persistence",
    ({ redis }) => redis.state.saved === false && "the last attempt to write its file failed",
    "look at its log, at the free space and permissions of its folder, and at vm.overcommit_memory",
  ),
  warning(
    "redis persistence",
    ({ env, redis: { state } }) =>
      (state.appendOnlyFile ?? env.redis.kind === "rest") === false &&
      "the append-only file is off: a restart forgets orders and cooldowns",
    "set appendonly yes, in its configuration file and by CONFIG SET",
  ),
  problem(
    "clock",
    ({ redis: { aheadSeconds: ahead } }) =>
      Math.abs(ahead) > 5 &&
      `this machine is ${Math.abs(ahead).toFixed(1)} s ${ahead > 0 ? "ahead of" : "behind"} Redis's clock`,
    "let both machines take their time from the network (systemd-timesyncd, chrony)",
  ),
  problem(
    "human check",
    ({ env: { captcha, siteUrl }, hostname }) =>
      captcha.provider === "altcha" &&
      siteUrl.startsWith("http:") &&
      !isLoopback(hostname) &&
      "altcha does not run in a browser on an http address",
    "serve the site by https, and set SITE_URL accordingly; or choose another CAPTCHA_PROVIDER",
  ),
  problem(
    "human check",
    ({ env: { captcha } }) =>
      captcha.provider !== "altcha" &&
      siteKeyPatterns[otherProvider[captcha.provider]].test(captcha.siteKey) &&
      `CAPTCHA_SITE_KEY is a key of ${otherProvider[captcha.provider]}, and CAPTCHA_PROVIDER is ${captcha.provider}`,
    "copy the site key from the provider's console, or change CAPTCHA_PROVIDER",
  ),
  problem(
    "human check",
    ({ env: { captcha }, hostname }) =>
      captcha.provider !== "altcha" &&
      !captcha.hostnames.includes(hostname) &&
      !(captcha.allowLoopback && isLoopback(hostname)) &&
      `checks solved on ${hostname} would all be refused: CAPTCHA_HOSTNAMES does not name it`,
    "add the name to CAPTCHA_HOSTNAMES, or unset it",
  ),
  warning(
    "human check",
    ({ letsAllPass }) =>
      letsAllPass && "everybody passes, robots too: by CAPTCHA_MODE, or by the provider's public test keys",
    "unset CAPTCHA_MODE, and set your own CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY",
  ),
  problem(
    "human check",
    ({ captcha }) => captcha && `the provider checks no token: ${captcha}`,
    "invalid-input-secret: copy CAPTCHA_SECRET_KEY again from the provider's console; otherwise look at CAPTCHA_VERIFY_URL",
  ),
  problem(
    "post lookup",
    ({ env: { postLookup, delivery } }) =>
      postLookup.kind === "sandbox" &&
      delivery.kind === "webhook" &&
      "delivery is live, and the sandbox calls any code a public post",
    "set POST_LOOKUP=oembed, or http with your service, and build again",
  ),
  problem(
    "post lookup",
    ({ env, lookup }) => lookup && `${env.postLookup.kind} is of no use: ${lookup}`,
    "look at POST_LOOKUP_URL and POST_LOOKUP_SECRET (docs/post-lookup.md); for oembed at META_OEMBED_TOKEN and Meta's app page",
  ),
  problem(
    "delivery",
    ({ receiver: [first] }) =>
      first && !first.passed && `the service answers the test call with: ${first.came}. ${first.advice}`,
    "look at LIKE_WEBHOOK_URL and LIKE_WEBHOOK_SECRET, and run npm run check-receiver",
  ),
  problem(
    "delivery",
    ({ receiver: [, forged] }) =>
      forged?.passed === false &&
      "the service takes a call with a wrong signature: anybody could order there",
    "verify signatures by the Standard Webhooks specification, and respond with 401 when one is wrong",
  ),
  warning(
    "delivery",
    ({ receiver }) => {
      const failed = receiver.flatMap(({ passed, name, came }) => (passed ? [] : `${name} (${came})`));
      return failed.length > 0 && `the service does not refuse what it should: ${failed.join("; ")}`;
    },
    "docs/delivery.md is the contract, and npm run check-receiver shows every case",
  ),
  problem(
    "mail",
    ({ mail }) => mail && `the server cannot be used (${mail})`,
    "EAUTH: correct user and password in SMTP_URL (special characters as %40); ETLS: the server must offer TLS for a password; a " +
      "certificate: name its authority in NODE_EXTRA_CA_CERTS; otherwise look at host, port, and smtps:// for port 465",
  ),
  problem(
    "site address",
    ({ env: { siteUrl }, from }) =>
      from && from.origin !== siteUrl && `visitors call ${from.origin}, and SITE_URL is ${siteUrl}`,
    "set SITE_URL to what visitors call, and build again",
  ),
  problem(
    "site",
    ({ site }) => site?.failure && `its deep health is not readable: ${site.failure}`,
    "ECONNREFUSED: compare the port, and start the web server; ENOTFOUND: look at the DNS; a certificate, TLS: read the web server's " +
      "log; HTTP 401, 404: set the same HEALTH_TOKEN at the site, and restart; HTTP 50x: read the site's log; empty: correct SITE_URL " +
      "of the web server; otherwise find the program that has taken the site's port (ss -ltnp)",
  ),
  problem(
    "site",
    ({ site, redis: { limit } }) =>
      (site?.limit ?? limit) !== (limit ?? site?.limit) &&
      `today's limit is ${site?.limit} there, and ${limit} by these settings`,
    "restart the site",
  ),
  warning(
    "site",
    ({ site }) => site?.isOtherBuild && "it runs another build than the one in .next",
    "run npm run release; or run the doctor in the checkout of the site's build",
  ),
  warning(
    "visitors' address",
    ({ env: { siteUrl, healthToken, clientAddress }, from }) =>
      from
        ? !healthToken && "the site tells it only with HEALTH_TOKEN, and none is set"
        : siteUrl.startsWith("https:") &&
          !clientAddress.header &&
          clientAddress.proxyHops === 0 &&
          "the socket's, although SITE_URL is https: behind a proxy all visitors would share one cooldown",
    "set HEALTH_TOKEN here and at the site, and TRUSTED_IP_HEADER or TRUSTED_PROXY_HOPS for your proxy; try it with --from <site>",
  ),
  problem(
    "visitors' address",
    ({ site, trust, env: { clientAddress } }) =>
      site?.forged === forgedAddress
        ? `with ${trust} visitors choose it themselves: ${forgedAddress} was believed`
        : site?.seen === "unknown" &&
          clientAddress.proxyHops > 0 &&
          `with ${trust} the site finds no address: there are fewer proxies`,
    "name a header that your proxy overwrites, or lower TRUSTED_PROXY_HOPS to the number of your proxies; let nobody past them",
  ),
  warning(
    "visitors' address",
    ({ site }) =>
      site?.isLocal &&
      `the site takes us for ${site.seen}, because it runs on this machine (/etc/hosts, or Docker's gateway)`,
    "run the doctor on another machine, once over IPv4 and once over IPv6",
  ),
  problem(
    "visitors' address",
    ({ site, trust }) =>
      site?.isWrong &&
      `with ${trust} the site takes us for ${site.seen}${values.address ? `, and we are ${values.address}` : ""}`,
    "if it is Docker's gateway, give Docker's network IPv6, as compose.yaml does; if it is a proxy, set TRUSTED_IP_HEADER to what the " +
      "outermost one writes, or count them all in TRUSTED_PROXY_HOPS",
  ),
  warning(
    "secrets",
    ({ env: { sessionSecrets, visitorHashSecrets } }) =>
      sessionSecrets[0] === visitorHashSecrets[0] && "SESSION_SECRET and VISITOR_HASH_SECRET are the same",
    "give each its own (openssl rand -base64 48), so that a leak of one does not reveal the other",
  ),
  problem(
    "upkeep",
    ({ env }) =>
      !env.reconcileEverySeconds &&
      !env.cronSecret &&
      "nothing finishes pending orders and mails what waits: the timer is off, and the cron route has no secret",
    "set RECONCILE_EVERY_SECONDS=60, or CRON_SECRET and a call of /api/cron/reconcile every minute",
  ),
  warning(
    "content",
    ({ env: { delivery }, samples }) =>
      delivery.kind === "webhook" && samples && `sample content is still shown: ${samples}`,
    "replace claims.ts and testimonials.ts in lib/content with what you can prove; set SUPPORT_EMAIL; build again",
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
  const file = readBuild("required-server-files.json");
  const build = file ? parseBuildSettings(JSON.parse(JSON.parse(file).config.env.BUILD_SETTINGS)) : undefined;
  const result = parseEnv(process.env, build);
  // A row reports the sandbox.
  const settings = result.ok
    ? result.warnings.filter((text) => !text.startsWith("POST_LOOKUP is sandbox"))
    : result.problems;
  for (const text of settings)
    report(result.ok ? "warning" : "problem", "configuration", text, ".env.example");
  if (result.ok) {
    if (settings.length === 0) report("ok", "configuration", "complete, and without contradictions");
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

/** Returns the text of a file of the build in this folder, or an empty text without a build. */
function readBuild(name: string): string {
  return existsSync(`.next/${name}`) ? readFileSync(`.next/${name}`, "utf8").trim() : "";
}

/** Measures everything that the rows compare. Failures are values, too. */
async function measure(env: Env) {
  const { postLookup, delivery, mail, healthToken, clientAddress } = env;
  const { provider, mode, secretKey } = env.captcha;
  const { hostname } = new URL(env.siteUrl);
  const from = values.from === undefined ? null : new URL(values.from);
  const letsAllPass = mode !== "enforce" || isTestSecretKey(secretKey);
  // The other requests would disturb the measurement of Redis.
  const redis = await measureRedis(env);
  const [captcha, lookup, receiver, mailFailure, site] = await Promise.all([
    provider !== "altcha" && !letsAllPass && checkInvalidToken(env, hostname),
    postLookup.kind !== "sandbox" &&
      createPostLookup(postLookup, () => createRedis(env.redis))
        .find({ postId: "AAAAAAAAAAA", type: "post" })
        .then((result) => result.status === "unavailable" && result.reason),
    delivery.kind === "webhook" ? tryReceiver(delivery, testCases).then(({ results }) => results) : [],
    mail && tryLogin(mail),
    from && healthToken ? measureSite(from, healthToken, clientAddress.header) : null,
  ]);
  const { SUPPORT_EMAIL } = parseBuildSettings(process.env);
  const isSample = { ...claims, testimonials, [SUPPORT_EMAIL]: SUPPORT_EMAIL.endsWith("@example.com") };
  const samples = Object.entries(isSample)
    .flatMap(([name, claim]) => (claim === true || (claim && "sample" in claim && claim.sample) ? name : []))
    .join(", ");
  const { header, proxyHops } = clientAddress;
  const trust = header ? `TRUSTED_IP_HEADER=${header}` : `TRUSTED_PROXY_HOPS=${proxyHops}`;
  const ok: Record<string, string> = {
    redis: `answers after ${redis.latencyMs.toFixed(1)} ms`,
    "human check": `${provider}; only a browser can test the site key`,
    "post lookup": postLookup.kind,
    delivery: delivery.kind,
    site: site ? "the deep health is readable" : "not checked",
    "visitors' address": site ? `the site takes us for ${site.seen}` : `${trust}; --from <site> tries it out`,
  };
  return {
    ...{ env, hostname, from, letsAllPass, redis, captcha, lookup, receiver, mail: mailFailure, site },
    ...{ samples, trust, ok },
  };
}

/** Returns why the captcha provider does not reject a token that it never issued, or null. */
async function checkInvalidToken(env: Env, hostname: string): Promise<string | null> {
  const check = await createCaptcha(env).check("connection.test", hostname);
  if (check.outcome === "rejected") return null;
  return check.outcome === "passed" ? "an invalid token was accepted" : check.reason;
}

async function measureRedis({ redis: settings, ledger }: Env) {
  const redis = createRedis(settings);
  let failure, refusal, limit;
  let [latencyMs, aheadSeconds] = [0, 0];
  try {
    // The first request waits for the connection.
    await redis.time();
    const startedAt = performance.now();
    const [seconds, microseconds] = await redis.time();
    latencyMs = performance.now() - startedAt;
    aheadSeconds = (Date.now() - latencyMs / 2) / 1_000 - seconds - microseconds / 1_000_000;
  } catch (error) {
    // Errors of the client contain no reason. A message of Redis can quote the password after "with args".
    const describe = (error: Error) => {
      const isOneSentinel = error.message.endsWith("because Connection is closed.");
      return isOneSentinel ? null : `${failureCode(error)} ${error.message.split(", with args")[0]}`;
    };
    failure = (settings.kind === "tcp" && (await checkConnection(settings, describe))) || String(error);
  }
  try {
    if (!failure) limit = (await createLedgerAdmin(redis, ledger).overview()).totalLimit;
    if (!failure) await probeWrite(redis);
  } catch (error) {
    const { cause, message } = error as Error;
    refusal = cause instanceof Error ? cause.message : message;
  }
  const info = failure ? "" : await redis.exec<unknown>(["INFO"]).then(String, () => "");
  const policy = readInfoField(info, "maxmemory_policy");
  return { failure, refusal, limit, latencyMs, aheadSeconds, policy, state: parseRedisInfo(info) };
}

async function measureSite(from: URL, token: string, header: string | undefined) {
  const health = await requestHealth(from, token, []);
  if (typeof health === "string") return { failure: health };
  const forged = await requestHealth(from, token, [
    "x-forwarded-for",
    "x-real-ip",
    ...(header ? [header] : []),
  ]);
  const buildId = readBuild("BUILD_ID");
  const page = await fetch(from, { signal: AbortSignal.timeout(timeoutMs) })
    .then((response) => response.text())
    .catch(() => buildId);
  const seen = health.you.address;
  const reached = await resolve(from.hostname).catch(() => ({ address: "" }));
  const isInside = !isPrivate(from.hostname) && isPrivate(seen);
  // The site shortens an IPv6 address to its network.
  const expected = values.address && (normalizeAddress(values.address) ?? values.address);
  const isWrong = isInside || seen === "unknown" || (expected ?? seen) !== seen;
  return {
    limit: health.budget.totalLimit,
    isOtherBuild: !page.includes(buildId),
    seen,
    forged: typeof forged === "object" && forged.you.address,
    isWrong,
    isLocal: isWrong && ((isInside && isPrivate(reached.address)) || seen === ownGateway()),
  };
}

const healthShape = z.object({
  status: z.literal("ok"),
  budget: z.object({ totalLimit: z.number() }),
  you: z.object({ address: z.string() }),
});

/** Returns deep health, or why it is not readable. Sends the forged address in `headers`. */
async function requestHealth(from: URL, token: string, headers: string[]) {
  const forged = Object.fromEntries(headers.map((name) => [name, forgedAddress]));
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
  const file = "/proc/net/route";
  const hex = /^\S+\t0{8}\t([\dA-F]{8})\t/m.exec(existsSync(file) ? readFileSync(file, "utf8") : "")?.[1];
  return hex && Buffer.from(hex, "hex").reverse().join(".");
}

/** Returns whether a host is in a loopback, private or link-local network. */
function isPrivate(host: string): boolean {
  const text = host.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(text)) return text === "localhost";
  const range = ipaddr.process(text).range();
  return ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"].includes(range);
}
