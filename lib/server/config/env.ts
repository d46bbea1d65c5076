import "server-only";
import { readFileSync } from "node:fs";
import { getDemoMode, parseBuildSettings, type BuildSettings } from "@/lib/config/build-settings";
import { limits } from "@/lib/config/limits";
import { resolveDeploymentVariables, detectServerlessHost } from "@/lib/config/deployment";
import { readVariables } from "@/lib/config/read-variables";
import { definedVariables, parseVariables } from "@/lib/config/variable-schemas";
import { findProblems, findWarnings } from "./env-rules";
import { envSchema, type Variables } from "./env-schema";
import { addressCap } from "@/lib/config/network-caps";
import { isLoopback } from "@/lib/http/loopback";

/* In lib, components and app, only this file reads `process.env`. `.env.example` and CONTRIBUTING.md explain the variables. */

export type Env = ReturnType<typeof toEnv>;

type EnvResult = { ok: true; env: Env; warnings: string[] } | { ok: false; problems: string[] };

/** Parses environment variables. Returns the configuration and warnings, or a list of all problems. */
export function parseEnv(source: Record<string, string | undefined>, build?: BuildSettings): EnvResult {
  const read = readVariables({ ...source, ...fixedByBuild(build) }, readSecretFile);
  const raw = resolveDeploymentVariables(definedVariables(read.variables));
  const { values, problems: invalid } = parseVariables(envSchema, raw);
  const problems = joinProblems(read.problems, invalid, findProblems({ values, raw, build }));
  if (problems.length > 0) return { ok: false, problems };
  const variables = values as Variables;
  return {
    ok: true,
    env: toEnv(variables, detectServerlessHost(raw) !== undefined),
    warnings: findWarnings(variables, raw, build ?? variables),
  };
}

/** Joins the lists. Omits a problem of a setting that an earlier list names: the later check found the setting unset. */
function joinProblems(...lists: string[][]): string[] {
  const settingOf = (problem: string) => /^[A-Z_]+?(?=(?:_FILE)?\b)/.exec(problem)?.[0];
  return lists.reduce((known, list) => {
    const settings = new Set(known.map(settingOf));
    return [...known, ...list.filter((problem) => !settings.has(settingOf(problem)))];
  });
}

/** The comment stops the bundler, which would add every file of the project to the serverless functions. */
function readSecretFile(path: string): string {
  return readFileSync(/* turbopackIgnore: true */ path, "utf8");
}

/** Returns the variables that keep their value from a preview or trial build. Built pages show this value. */
function fixedByBuild(build?: BuildSettings): Record<string, string> {
  if (build?.DEPLOYMENT === "preview") return { DEPLOYMENT: "preview", SITE_URL: build.SITE_URL };
  return build?.DEPLOYMENT === "trial" ? { DEPLOYMENT: "trial" } : {};
}

let cached: Env | undefined;

/** Returns the configuration of this process. Throws an Error with all problems if any exist. */
export function getEnv(): Env {
  if (cached) return cached;
  const result = readEnv();
  if (!result.ok) throw new Error(`Configuration:\n${result.problems.join("\n")}`);
  cached = result.env;
  return cached;
}

/** Parses the environment of this process. Returns configuration and warnings, or a list of all problems. */
export function readEnv(): EnvResult {
  return parseEnv(process.env, readBuildSettings());
}

/** Returns whether requests use the proxy of HTTP_PROXY and HTTPS_PROXY. Node 24 uses the same variable for `fetch`. */
export function usesEnvProxy(): boolean {
  return process.env.NODE_USE_ENV_PROXY === "1";
}

/** Reads the settings that next.config.ts stored in the build. Returns undefined in tests and tools. */
function readBuildSettings(): BuildSettings | undefined {
  const json = process.env.BUILD_SETTINGS;
  return json ? parseBuildSettings(JSON.parse(json)) : undefined;
}

/**
 * Returns the settings that pages show. The build stores them, so that all pages show the same values. Tests and tools have no
 * build, so they use the environment, and `buildDate` is today.
 */
export function getSiteSettings(build = readBuildSettings() ?? parseBuildSettings(process.env)) {
  return {
    siteUrl: build.SITE_URL,
    siteName: build.SITE_NAME,
    supportEmail: build.SUPPORT_EMAIL,
    /** Name and address of the person or company that runs the site. Null if OPERATOR_NAME is not set. */
    operator: build.OPERATOR_NAME ? { name: build.OPERATOR_NAME, address: build.OPERATOR_ADDRESS } : null,
    /** Kind of demo banner that every page shows. Null if pages show no banner. */
    demoMode: getDemoMode(build),
    /** Captcha provider. Pages reserve space for the provider's widget before it loads. */
    captchaProvider: build.CAPTCHA_PROVIDER,
    /** Day of the build in GMT, as YYYY-MM-DD. */
    buildDate: process.env.BUILD_DATE ?? new Date().toISOString().slice(0, 10),
    /** Id of the build. `npm run release` reads it in the pages. */
    buildId: process.env.BUILD_ID,
    gtmId: build.GTM_ID ?? null,
    /** AdSense publisher id and ad unit ids. Null without ads. A position without an id shows no ad. */
    ads: build.ADS_CLIENT
      ? { client: build.ADS_CLIENT, headerUnit: build.ADS_SLOT_HEADER, toolUnit: build.ADS_SLOT_TOOL }
      : null,
    isDevelopment: process.env.NODE_ENV === "development",
    /** URL paths of the site's own scripts. */
    scripts: JSON.parse(process.env.SITE_SCRIPTS ?? "{}") as SiteScripts,
  };
}

/** URL paths of the files. Browsers cache the files forever, because each path contains a content hash. */
type SiteScripts = Partial<Record<"site.js" | "consent.js", string>> & {
  /** Scripts by the name of their entry in components/islands. */
  islands?: Record<string, readonly string[]>;
};

/** Converts valid variables. `findProblems` has checked that no setting of a selected service is unset. */
function toEnv(variables: Variables, isServerless: boolean) {
  const siteUrl = variables.SITE_URL;
  const { DAILY_LIKE_LIMIT: dailyLikeLimit, LIKE_DELIVERY, SMTP_URL, MAIL_FROM } = variables;
  return {
    /** Whether a serverless host runs this process. The host has its own HTTP server. */
    isServerless,
    siteUrl,
    /** Whether cookies have the attribute `Secure`. Depends on the scheme of SITE_URL, never on NODE_ENV. */
    secureCookies: siteUrl.startsWith("https:"),
    /** Secrets of the flow cookies, newest first. The first secret seals cookies. All secrets open cookies. */
    sessionSecrets: variables.SESSION_SECRET,
    /** Secrets of visitor hashes, newest first. The server needs older secrets to find older records. */
    visitorHashSecrets: variables.VISITOR_HASH_SECRET,
    redis: toRedis(variables),
    captcha: {
      ...toCaptcha(variables),
      mode: variables.CAPTCHA_MODE,
      onProviderError: variables.CAPTCHA_ON_PROVIDER_ERROR,
    },
    postLookup: toPostLookup(variables),
    delivery:
      LIKE_DELIVERY === "dry-run"
        ? { kind: LIKE_DELIVERY }
        : {
            kind: LIKE_DELIVERY,
            url: variables.LIKE_WEBHOOK_URL!,
            secret: variables.LIKE_WEBHOOK_SECRET!,
            timeoutMs: variables.LIKE_WEBHOOK_TIMEOUT_MS,
          },
    mail: SMTP_URL ? { smtpUrl: SMTP_URL, from: MAIL_FROM!, to: variables.SUPPORT_EMAIL } : null,
    ledger: {
      dailyLikeLimit,
      cooldownSeconds: variables.TEST_COOLDOWN_SECONDS,
      maxRequestsPerDay: limits.maxRequestsPerDay,
      maxRequestsPerAddressPerDay: addressCap(
        { dailyLikeLimit, maxRequestsPerDay: limits.maxRequestsPerDay },
        variables.MAX_REQUESTS_PER_IP_PER_DAY,
      ),
      pacing: variables.DAILY_PACING === "on",
    },
    rateLimitScale: variables.TEST_RATE_LIMIT_SCALE,
    clientAddress: { header: variables.TRUSTED_IP_HEADER, proxyHops: variables.TRUSTED_PROXY_HOPS },
    reconcileEverySeconds: variables.RECONCILE_EVERY_SECONDS,
    keepAliveSeconds: variables.KEEP_ALIVE_SECONDS,
    cronSecret: variables.CRON_SECRET,
    healthToken: variables.HEALTH_TOKEN,
    /** Undefined on serverless hosts, because Prometheus cannot read the metrics of each process there. */
    metricsToken: isServerless ? undefined : variables.HEALTH_TOKEN,
  };
}

function toRedis(variables: Variables) {
  const { REDIS_URL, REDIS_SENTINELS, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN } = variables;
  return REDIS_URL
    ? { kind: "tcp" as const, url: REDIS_URL, sentinels: REDIS_SENTINELS }
    : { kind: "rest" as const, url: UPSTASH_REDIS_REST_URL!, token: UPSTASH_REDIS_REST_TOKEN! };
}

function toCaptcha(variables: Variables) {
  const { CAPTCHA_PROVIDER: provider, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET_KEY: secretKey } = variables;
  if (provider === "altcha") return { provider, siteKey, secretKey, cost: variables.ALTCHA_COST };
  const { hostname } = new URL(variables.SITE_URL);
  return {
    provider,
    siteKey: siteKey!,
    secretKey: secretKey!,
    verifyUrl: variables.CAPTCHA_VERIFY_URL,
    hostnames: variables.CAPTCHA_HOSTNAMES ?? [hostname],
    allowLoopback: variables.CAPTCHA_HOSTNAMES === undefined && isLoopback(hostname),
  };
}

function toPostLookup(variables: Variables) {
  const { POST_LOOKUP: kind, META_OEMBED_URL, META_OEMBED_TOKEN, POST_LOOKUP_URL } = variables;
  if (kind === "sandbox") return { kind };
  if (kind === "oembed") return { kind, url: META_OEMBED_URL, token: META_OEMBED_TOKEN };
  const { POST_LOOKUP_SECRET, POST_LOOKUP_IMAGE_HOSTS } = variables;
  return { kind, url: POST_LOOKUP_URL!, secret: POST_LOOKUP_SECRET!, imageHosts: POST_LOOKUP_IMAGE_HOSTS };
}
