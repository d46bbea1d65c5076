import { lookup } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { parseBuildSettings } from "@/lib/config/build-settings";
import { delivery as deliveryClaim, processing, recentUse, statistics } from "@/lib/content/claims";
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

type Facts = Awaited<ReturnType<typeof measure>>;

interface Row {
  check: string;
  level: "problem" | "warning";
  /** Returns what is wrong. Returns a false value if nothing is. */
  fault: (facts: Facts) => string | false | null | undefined;
  remedy: string;
}

/** Only the first fault of a check is printed. */
const rows: Row[] = [
  {
    check: "redis",
    level: "problem",
    fault: ({ redis }) => redis.failure && `it does not answer, or does not let us in: ${redis.failure}`,
    remedy:
      "ECONNREFUSED: start it, or read its log if it ends; ENOTFOUND: compare its host with the DNS; ETIMEDOUT or ECONNRESET: " +
      "compare rediss:// and the port, and look at the firewall; a certificate: name its authority in NODE_EXTRA_CA_CERTS; " +
      "clients: find who holds the connections (CLIENT LIST); sentinels: compare REDIS_SENTINELS and the host in REDIS_URL, which " +
      "is their name for the primary; QUOTA or THROTTLED: choose a larger plan at Upstash; WRONGPASS: copy the token again",
  },
  {
    check: "redis writes",
    level: "problem",
    fault: ({ redis }) => redis.refusal && `it refuses a script or a write: ${redis.refusal}`,
    remedy:
      "OOM: give it more memory; READONLY: name the primary, not a replica; NOREPLICAS: bring its replicas back; " +
      "MISCONF: its disk is full or read-only, or it cannot fork (docs/runbook.md, Redis cannot save); " +
      "QUOTA: choose a larger plan at Upstash; NOPERM: let the user run scripts, and all commands on all keys",
  },
  {
    check: "redis eviction",
    level: "problem",
    // All keys have a lifetime, so volatile-* policies are no better than allkeys-*.
    fault: ({ redis: { policy } }) =>
      policy &&
      policy !== "noeviction" &&
      `maxmemory-policy is ${policy}: a full Redis would delete cooldowns and the charges of the day`,
    remedy: "set maxmemory-policy noeviction, in its configuration file and by CONFIG SET",
  },
  {
    check: "redis eviction",
    level: "warning",
    fault: ({ redis }) => redis.policy === undefined && "it does not tell its memory policy",
    remedy: "make sure in its console that eviction is off: an evicted key is a lost cooldown or charge",
  },
  {
    check: "redis persistence",
    level: "problem",
    fault: ({ redis }) => redis.state.saved === false && "the last attempt to write its file failed",
    remedy: "look at its log, at the free space and permissions of its folder, and at vm.overcommit_memory",
  },
  {
    check: "redis persistence",
    level: "warning",
    fault: ({ env, redis: { state } }) =>
      (state.appendOnlyFile === false || (state.appendOnlyFile === null && env.redis.kind === "tcp")) &&
      "the append-only file is off: a restart forgets orders and cooldowns",
    remedy: "set appendonly yes, in its configuration file and by CONFIG SET",
  },
  {
    check: "clock",
    level: "problem",
    fault: ({ redis: { aheadSeconds } }) =>
      Math.abs(aheadSeconds) > 5 &&
      `this machine is ${Math.abs(aheadSeconds).toFixed(1)} s ${aheadSeconds > 0 ? "ahead of" : "behind"} Redis's clock`,
    remedy: "let both machines take their time from the network (systemd-timesyncd, chrony)",
  },
  {
    check: "human check",
    level: "problem",
    fault: ({ env: { captcha, siteUrl } }) =>
      captcha.provider === "altcha" &&
      siteUrl.startsWith("http:") &&
      !isLoopback(new URL(siteUrl).hostname) &&
      "altcha does not run in a browser on an http address",
    remedy: "serve the site by https, and set SITE_URL accordingly; or choose another CAPTCHA_PROVIDER",
  },
  {
    check: "human check",
    level: "problem",
    fault: ({ env: { captcha } }) =>
      captcha.provider !== "altcha" &&
      siteKeyPatterns[otherProvider(captcha.provider)].test(captcha.siteKey) &&
      `CAPTCHA_SITE_KEY is a key of ${otherProvider(captcha.provider)}, and CAPTCHA_PROVIDER is ${captcha.provider}`,
    remedy: "copy the site key from the provider's console, or change CAPTCHA_PROVIDER",
  },
  {
    check: "human check",
    level: "problem",
    fault: ({ env: { captcha, siteUrl } }) =>
      captcha.provider !== "altcha" &&
      !captcha.hostnames.includes(new URL(siteUrl).hostname) &&
      !(captcha.allowLoopback && isLoopback(new URL(siteUrl).hostname)) &&
      `checks solved on ${new URL(siteUrl).hostname} would all be refused: CAPTCHA_HOSTNAMES does not name it`,
    remedy: "add the name to CAPTCHA_HOSTNAMES, or unset it",
  },
  {
    check: "human check",
    level: "problem",
    fault: ({ captcha }) =>
      captcha?.endsWith("-input-secret") && "the provider does not know CAPTCHA_SECRET_KEY",
    remedy: "copy it again from the provider's console, from the same site as CAPTCHA_SITE_KEY",
  },
  {
    check: "human check",
    level: "problem",
    fault: ({ captcha }) => captcha && `the provider could not be asked: ${captcha}`,
    remedy: "look at CAPTCHA_VERIFY_URL, and whether this machine may call the provider by https",
  },
  {
    check: "post lookup",
    level: "problem",
    fault: ({ env: { postLookup, delivery } }) =>
      postLookup.kind === "sandbox" &&
      delivery.kind === "webhook" &&
      "delivery is live, and the sandbox calls any code a public post",
    remedy: "set POST_LOOKUP=oembed, or http with your service, and build again",
  },
  {
    check: "post lookup",
    level: "problem",
    fault: ({ env, lookup }) => lookup && `${env.postLookup.kind} is of no use: ${lookup}`,
    remedy:
      "look at POST_LOOKUP_URL, after HTTP 401 or 403 at POST_LOOKUP_SECRET (docs/post-lookup.md is the contract); for oembed at " +
      "META_OEMBED_TOKEN, and after a limit at Meta's app page",
  },
  {
    check: "delivery",
    level: "problem",
    fault: ({ receiver: [first] }) =>
      first && !first.passed && `the service answers the test call with: ${first.came}. ${first.advice}`,
    remedy: "look at LIKE_WEBHOOK_URL and LIKE_WEBHOOK_SECRET, and run npm run check-receiver",
  },
  {
    check: "delivery",
    level: "problem",
    fault: ({ receiver: [, forged] }) =>
      forged &&
      !forged.passed &&
      "the service also takes a call with a wrong signature: anybody could order there",
    remedy:
      "verify signatures by the Standard Webhooks specification, and respond with 401 when one is wrong",
  },
  {
    check: "delivery",
    level: "warning",
    fault: ({ receiver }) =>
      receiver.some(({ passed }) => !passed) &&
      `the service does not refuse what it should: ${receiver.flatMap(({ passed, name, came }) => (passed ? [] : [`${name} (${came})`])).join("; ")}`,
    remedy: "docs/delivery.md is the contract, and npm run check-receiver shows every case",
  },
  {
    check: "mail",
    level: "problem",
    fault: ({ mail }) => mail && `the server cannot be used (${mail})`,
    remedy:
      "EAUTH: correct user and password in SMTP_URL (special characters as %40 and so on); ETLS: the server offers no TLS, and a " +
      "password is never sent without; otherwise look at host, port and smtps:// for port 465, at the firewall, and at " +
      "NODE_EXTRA_CA_CERTS for a certificate of a private authority",
  },
  {
    check: "site address",
    level: "problem",
    fault: ({ env: { siteUrl } }) =>
      values.from !== undefined &&
      new URL(values.from).origin !== siteUrl &&
      `visitors call ${new URL(values.from).origin}, and SITE_URL is ${siteUrl}`,
    remedy: "set SITE_URL to what visitors call, and build again",
  },
  {
    check: "site",
    level: "problem",
    fault: ({ site }) => site?.failure && `its deep health is not readable: ${site.failure}`,
    remedy:
      "ECONNREFUSED: compare the port behind --from, and start the web server; ENOTFOUND: compare the name with the DNS; a " +
      "certificate or TLS: look at the web server's log; HTTP 401 or 404: set the same HEALTH_TOKEN here and there, and restart; " +
      "HTTP 502, 503 or 504: look at the site's log; empty: the web server has no site for this path, compare its SITE_URL; " +
      "otherwise find the program that has taken the site's port (ss -ltnp)",
  },
  {
    check: "site",
    level: "problem",
    fault: ({ site }) =>
      site?.limit !== site?.ownLimit &&
      `today's limit is ${site?.limit} there, and ${site?.ownLimit} by these settings`,
    remedy: "restart the site",
  },
  {
    check: "site",
    level: "warning",
    fault: ({ site }) => site?.isOtherBuild && "it runs another build than the one in .next",
    remedy: "run npm run release; or run the doctor in the checkout of the site's build",
  },
  {
    check: "visitors' address",
    level: "warning",
    fault: ({ env: { siteUrl, healthToken, clientAddress } }) =>
      values.from !== undefined
        ? !healthToken && "the site tells it only with HEALTH_TOKEN, and none is set"
        : siteUrl.startsWith("https:") &&
          !clientAddress.header &&
          clientAddress.proxyHops === 0 &&
          "the socket's, although SITE_URL is https: behind a proxy all visitors would share one cooldown",
    remedy:
      "set HEALTH_TOKEN here and at the site, and TRUSTED_IP_HEADER or TRUSTED_PROXY_HOPS as your proxy needs it; --from <site> " +
      "tries it out",
  },
  {
    check: "visitors' address",
    level: "problem",
    fault: ({ site, trust }) =>
      site?.forged === forgedAddress &&
      `with ${trust} visitors choose it themselves: ${forgedAddress} was believed`,
    remedy:
      "name a header that your proxy overwrites, or lower TRUSTED_PROXY_HOPS to the number of your proxies; and let nobody past " +
      "the proxy",
  },
  {
    check: "visitors' address",
    level: "problem",
    fault: ({ site, trust, env }) =>
      site?.seen === "unknown" &&
      env.clientAddress.proxyHops > 0 &&
      `with ${trust} the site finds no address: there are fewer proxies`,
    remedy: "lower TRUSTED_PROXY_HOPS to the number of your proxies",
  },
  {
    check: "visitors' address",
    level: "warning",
    fault: ({ site }) =>
      site?.isLocal &&
      `the site takes us for ${site.seen}, because it runs on this machine (/etc/hosts, or Docker's gateway)`,
    remedy: "run the doctor on another machine, once over IPv4 and once over IPv6",
  },
  {
    check: "visitors' address",
    level: "problem",
    fault: ({ site, trust }) =>
      site?.isWrong &&
      `with ${trust} the site takes us for ${site.seen}${values.address ? `, and we are ${values.address}` : ""}`,
    remedy:
      "if it ends in .1, it may be Docker's gateway: give Docker's network IPv6, as compose.yaml does; otherwise it is a proxy: set " +
      "TRUSTED_IP_HEADER to what the outermost one writes, or count them all in TRUSTED_PROXY_HOPS",
  },
  {
    check: "secrets",
    level: "warning",
    fault: ({ env }) =>
      env.sessionSecrets[0] === env.visitorHashSecrets[0] &&
      "SESSION_SECRET and VISITOR_HASH_SECRET are the same",
    remedy: "give each its own (openssl rand -base64 48), so that a leak of one does not reveal the other",
  },
  {
    check: "upkeep",
    level: "problem",
    fault: ({ env }) =>
      !env.reconcileEverySeconds &&
      !env.cronSecret &&
      "nothing finishes pending orders and mails what waits: the timer is off, and the cron route has no secret",
    remedy: "set RECONCILE_EVERY_SECONDS=60, or CRON_SECRET and a call of /api/cron/reconcile every minute",
  },
  {
    check: "content",
    level: "warning",
    fault: ({ env, samples }) =>
      env.delivery.kind === "webhook" &&
      samples.length > 0 &&
      `sample content is still shown: ${samples.join(", ")}`,
    remedy:
      "replace it in lib/content/claims.ts and testimonials.ts with what you can prove, set sample to false; set SUPPORT_EMAIL, and " +
      "build again",
  },
];

runTool(run);

async function run(): Promise<number> {
  if (values.from !== undefined && !URL.canParse(values.from)) return fail(usage);
  const counts = { ok: 0, warning: 0, problem: 0 };
  const report = (level: keyof typeof counts, check: string, says: string, remedy?: string) => {
    counts[level] += 1;
    const line = `${level.padEnd(7)}  ${check.padEnd(17)}  ${says}`;
    print(escapeControls(remedy === undefined ? line : `${line}. To do: ${remedy}`));
  };
  const file = ".next/required-server-files.json";
  const build = z
    .object({ config: z.object({ env: z.object({ BUILD_SETTINGS: z.string() }) }) })
    .transform(({ config }) => parseBuildSettings(JSON.parse(config.env.BUILD_SETTINGS)))
    .optional()
    .parse(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);
  const result = parseEnv(process.env, build);
  const settings = "see .env.example";
  if (!result.ok)
    for (const problem of result.problems) report("problem", "configuration", problem, settings);
  else {
    // The row of the lookup reports the sandbox.
    const warnings = result.warnings.filter((text) => !text.startsWith("POST_LOOKUP is sandbox"));
    if (warnings.length === 0) report("ok", "configuration", "complete, and without contradictions");
    for (const text of warnings) report("warning", "configuration", text, settings);
    const facts = await measure(result.env);
    for (const check of new Set(rows.map((row) => row.check))) {
      if (facts.redis.failure && /^(?:redis .*|clock)$/.test(check)) continue;
      const faults = rows.flatMap((row) => {
        const says = row.check === check && row.fault(facts);
        return says ? [{ ...row, says }] : [];
      });
      if (faults[0]) report(faults[0].level, check, faults[0].says, faults[0].remedy);
      else report("ok", check, facts.ok[check] ?? "");
    }
  }
  print(`\n${counts.problem} problems, ${counts.warning} warnings, ${counts.ok} ok`);
  return counts.problem > 0 ? 1 : 0;
}

/** Measures everything that the rows compare. Failures are values, too. */
async function measure(env: Env) {
  // The other requests would disturb the measurement of Redis.
  const redis = await measureRedis(env);
  const { postLookup, delivery, mail, clientAddress } = env;
  const { hostname } = new URL(env.siteUrl);
  const [captcha, lookup, receiver, mailFault, site] = await Promise.all([
    env.captcha.provider === "altcha" || env.captcha.mode !== "enforce"
      ? null
      : createCaptcha(env)
          .check("connection.test", hostname)
          .then((check) =>
            check.outcome === "rejected"
              ? null
              : "reason" in check
                ? check.reason
                : "an invalid token was accepted",
          ),
    postLookup.kind === "sandbox"
      ? null
      : createPostLookup(postLookup, () => createRedis(env.redis))
          .find({ postId: "AAAAAAAAAAA", type: "post" })
          .then((result) => (result.status === "unavailable" ? result.reason : null)),
    delivery.kind === "dry-run" ? [] : tryReceiver(delivery, testCases).then(({ results }) => results),
    mail && tryLogin(mail),
    values.from && env.healthToken ? measureSite(env, values.from, env.healthToken) : null,
  ]);
  const { SUPPORT_EMAIL } = parseBuildSettings(process.env);
  const claims = Object.entries({ delivery: deliveryClaim, processing, recentUse, statistics });
  const samples = [
    ...claims.flatMap(([name, { sample }]) => (sample ? [name] : [])),
    ...(testimonials ? ["testimonials"] : []),
    ...(SUPPORT_EMAIL.endsWith("@example.com") ? [SUPPORT_EMAIL] : []),
  ];
  const { header, proxyHops } = clientAddress;
  const trust = header ? `TRUSTED_IP_HEADER=${header}` : `TRUSTED_PROXY_HOPS=${proxyHops}`;
  const { dailyLikeLimit, pacing } = env.ledger;
  const ok: Record<string, string> = {
    redis: `answers after ${redis.latencyMs.toFixed(1)} ms`,
    "redis writes": "scripts run, and a key was written and deleted",
    "human check": `${env.captcha.provider}; only a browser can test the site key`,
    "post lookup": `${postLookup.kind} answers as it should`,
    delivery:
      delivery.kind === "dry-run"
        ? "dry-run: nothing is sent"
        : "the service keeps the contract, as far as test calls show",
    mail: mail ? "the server accepts the login" : "none: messages are read with npm run inbox",
    "visitors' address": site
      ? `the site takes us for ${site.seen}, and ignores a forged address`
      : `${trust}; --from <site> tries it out`,
    upkeep: env.reconcileEverySeconds
      ? `by the timer, every ${env.reconcileEverySeconds} s`
      : "by the cron route; call it every minute",
    content: `${dailyLikeLimit.toLocaleString("en-US")} likes a day, ${pacing ? "paced" : "not paced"} (DAILY_PACING)`,
  };
  return { env, redis, captcha, lookup, receiver, mail: mailFault, site, trust, samples, ok };
}

async function measureRedis(env: Env) {
  const redis = createRedis(env.redis);
  let [failure, refusal]: (string | null)[] = [null, null];
  let [latencyMs, aheadSeconds] = [0, 0];
  try {
    await redis.time();
    const startedAt = performance.now();
    const [seconds, microseconds] = await redis.time();
    latencyMs = performance.now() - startedAt;
    aheadSeconds = (Date.now() - latencyMs / 2) / 1_000 - seconds - microseconds / 1_000_000;
  } catch (error) {
    failure = await explainFailure(env.redis, String(error));
  }
  const info = failure ? "" : await redis.exec<unknown>(["INFO"]).then(String, () => "");
  if (!failure)
    refusal = await createLedgerAdmin(redis, env.ledger)
      .overview()
      .then(() => probeWrite(redis))
      .then(
        () => null,
        ({ cause, message }: Error) => (cause instanceof Error ? cause.message : message),
      );
  const policy = readInfoField(info, "maxmemory_policy");
  return { failure, refusal, latencyMs, aheadSeconds, policy, state: parseRedisInfo(info) };
}

/** Connects once more, because errors of the client contain no reason. */
async function explainFailure(redis: Env["redis"], failure: string): Promise<string> {
  if (redis.kind !== "tcp") return failure;
  const describe = (error: Error) => `${failureCode(error)} ${error.message}`;
  return (await checkConnection(redis, describe)) ?? failure;
}

async function measureSite(env: Env, from: string, token: string) {
  const { header } = env.clientAddress;
  const health = await requestHealth(from, token, []);
  if (typeof health === "string") return { failure: health, seen: "" };
  const forgeable = ["x-forwarded-for", "x-real-ip", ...(header ? [header] : [])];
  const forged = await requestHealth(from, token, forgeable);
  const limit = health.budget.totalLimit;
  const ownLimit = await createLedgerAdmin(createRedis(env.redis), env.ledger)
    .overview()
    .then(
      ({ totalLimit }) => totalLimit,
      () => limit,
    );
  const file = join(".next", "BUILD_ID");
  const buildId = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  const page = await fetch(from, { signal: AbortSignal.timeout(timeoutMs) }).then(
    (response) => response.text(),
    () => buildId,
  );
  const seen = health.you.address;
  const { hostname } = new URL(from);
  const reached = await lookup(hostname).then(
    ({ address }) => address,
    () => hostname,
  );
  const isPublic = !isPrivate(hostname);
  // The site shortens an IPv6 address to its network.
  const expected = values.address && (normalizeAddress(values.address) ?? values.address);
  const isWrong = (isPublic && isPrivate(seen)) || seen === "unknown" || (expected ?? seen) !== seen;
  return {
    ...{ failure: null, seen, limit, ownLimit, isWrong, isOtherBuild: !page.includes(buildId) },
    forged: typeof forged === "string" ? null : forged.you.address,
    isLocal: isWrong && ((isPublic && isPrivate(seen) && isPrivate(reached)) || seen === ownGateway()),
  };
}

const healthShape = z.object({
  status: z.literal("ok"),
  budget: z.object({ totalLimit: z.number() }),
  you: z.object({ address: z.string() }),
});

/** Returns deep health, or why it is not readable. Sends the forged address in `headers`. */
async function requestHealth(from: string, token: string, headers: string[]) {
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
  return ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"].includes(
    ipaddr.process(text).range(),
  );
}

function otherProvider(provider: "recaptcha" | "turnstile") {
  return provider === "turnstile" ? "recaptcha" : "turnstile";
}
