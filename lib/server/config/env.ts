import "server-only";
import { demoModeOf, parseBuildSettings, type BuildSettings } from "@/lib/config/build-settings";
import { deploymentVariables, serverlessHost } from "@/lib/config/deployment";
import { definedVariables, parseVariables, type RawVariables } from "@/lib/config/parse-variables";
import { contradictions, warningsOf } from "./env-rules";
import { schema, type Variables } from "./env-variables";
import { addressCap } from "@/lib/config/network-caps";

/*
 * All configuration, read here and nowhere else. `.env.example` documents every name. An unset or empty variable takes
 * its default; a wrong or contradictory one stops start-up with the whole list.
 */

/** The configuration as the server uses it. */
export type Env = ReturnType<typeof envOf>;

export type EnvResult = { ok: true; env: Env; warnings: string[] } | { ok: false; problems: string[] };

/**
 * Parses an environment. Pure: takes the variables and what the build was made with, where there is one, and returns
 * everything that is wrong at once, or the configuration with warnings for the log.
 */
export function parseEnv(source: Record<string, string | undefined>, build?: BuildSettings): EnvResult {
  const given = deploymentVariables(definedVariables({ ...source, ...kindOf(build) }));
  const parsed = parseVariables(schema, given, contradictions(given, build));
  if (!parsed.ok) return parsed;
  const { variables } = parsed;
  return {
    ok: true,
    env: envOf(variables, given),
    warnings: warningsOf(variables, given, build ?? variables),
  };
}

/**
 * What was built as a preview stays one under its own address, also where the host does not say so when it runs; what was
 * built as a trial stays one, since its pages say where orders go.
 */
function kindOf(build?: BuildSettings): Record<string, string> {
  if (build?.DEPLOYMENT === "preview") return { DEPLOYMENT: "preview", SITE_URL: build.SITE_URL };
  return build?.DEPLOYMENT === "trial" ? { DEPLOYMENT: "trial" } : {};
}

let cached: Env | undefined;

/** The configuration of this process. Throws with the whole list of problems; start-up has checked it before. */
export function getEnv(): Env {
  if (cached) return cached;
  const result = readEnv();
  if (!result.ok) throw new Error(`Configuration:\n${result.problems.join("\n")}`);
  cached = result.env;
  return cached;
}

/** Parses this process's environment, for start-up. */
export function readEnv(): EnvResult {
  return parseEnv(process.env, readBuildSettings());
}

/** The build's settings; outside a build (tests, tools) the environment's own. */
export function getBuildSettings(): BuildSettings {
  return readBuildSettings() ?? parseBuildSettings(process.env);
}

/** What next.config.ts put in. */
function readBuildSettings(): BuildSettings | undefined {
  const captured = process.env.BUILD_SETTINGS;
  return captured ? parseBuildSettings(JSON.parse(captured)) : undefined;
}

/** What pages show: the values of the build, so that prerendered and rendered pages agree. */
export function getSiteSettings() {
  return siteSettingsOf(getBuildSettings());
}

/** The settings of pages from those of a build. Pure, but for the day of a build that did not write it down. */
export function siteSettingsOf(build: BuildSettings) {
  return {
    siteUrl: build.SITE_URL,
    siteName: build.SITE_NAME,
    supportEmail: build.SUPPORT_EMAIL,
    /** Where security.txt sends reports: an e-mail address or an https address. */
    securityContact: build.SECURITY_CONTACT ?? build.SUPPORT_EMAIL,
    /** No likes reach Instagram, or posts are samples: every page says so. Null where likes are real. */
    demoMode: demoModeOf(build),
    /** Decides how much room pages keep for the human check. */
    captchaProvider: build.CAPTCHA_PROVIDER,
    /** The GMT day of the build, as YYYY-MM-DD. */
    buildDate: process.env.BUILD_DATE ?? new Date().toISOString().slice(0, 10),
    /** Days that the messages of the forms are kept. */
    inboxRetentionDays: build.INBOX_RETENTION_DAYS,
    /** Google Tag Manager's container, or null. */
    gtmId: build.GTM_ID ?? null,
    /** AdSense's publisher and its units, or null; a slot without a unit is left out. */
    ads: build.ADS_CLIENT
      ? { client: build.ADS_CLIENT, headerUnit: build.ADS_SLOT_HEADER, toolUnit: build.ADS_SLOT_TOOL }
      : null,
    /** Addresses of the site's own scripts, by the names of their bundles. */
    scripts: JSON.parse(process.env.SITE_SCRIPTS ?? "{}") as SiteScripts,
  };
}

/** Their names hold a hash of their content, so that browsers keep them for good. */
type SiteScripts = Partial<Record<"site.js" | "consent.js" | "consent.css", string>>;

/** The configuration that variables without contradictions mean. */
function envOf(variables: Variables, given: RawVariables) {
  const siteUrl = variables.SITE_URL;
  return {
    siteUrl,
    /** Decides `Secure` and `__Host-` of cookies: the scheme of SITE_URL, never NODE_ENV. */
    secureCookies: siteUrl.startsWith("https:"),
    /** Newest first. */
    sessionSecrets: variables.SESSION_SECRET,
    /** Newest first: written with the first, looked up with all. */
    visitorHashSecrets: variables.VISITOR_HASH_SECRET,
    redis: redisOf(variables),
    ledger: {
      dailyLikeLimit: variables.DAILY_LIKE_LIMIT,
      cooldownSeconds: variables.COOLDOWN_SECONDS,
      maxRequestsPerDay: variables.MAX_REQUESTS_PER_DAY,
      maxRequestsPerAddressPerDay: addressCap(
        { dailyLikeLimit: variables.DAILY_LIKE_LIMIT, maxRequestsPerDay: variables.MAX_REQUESTS_PER_DAY },
        variables.MAX_REQUESTS_PER_IP_PER_DAY,
      ),
    },
    burstLimitScale: variables.BURST_LIMIT_SCALE,
    clientAddress: { header: variables.TRUSTED_IP_HEADER, proxyHops: variables.TRUSTED_PROXY_HOPS },
    captcha: {
      ...captchaOf(variables),
      mode: variables.CAPTCHA_MODE,
      onProviderError: variables.CAPTCHA_ON_PROVIDER_ERROR,
    },
    postLookup: postLookupOf(variables),
    delivery: deliveryOf(variables),
    /** Where form messages are mailed to, or null. */
    mail: mailOf(variables),
    inboxRetentionDays: variables.INBOX_RETENTION_DAYS,
    reconcileEverySeconds: variables.RECONCILE_EVERY_SECONDS,
    cronSecret: variables.CRON_SECRET,
    healthToken: variables.HEALTH_TOKEN,
    /** Where instances come and go, each would count alone, and nobody could ask them one by one. */
    metricsToken: serverlessHost(given) ? undefined : variables.METRICS_TOKEN,
  };
}

function redisOf(variables: Variables) {
  const { REDIS_URL: url, REDIS_SENTINELS: sentinels, REDIS_CLUSTER_NODES: clusterNodes } = variables;
  if (url) return { kind: "tcp" as const, url, sentinels, clusterNodes };
  return {
    kind: "rest" as const,
    url: granted(variables.UPSTASH_REDIS_REST_URL),
    token: granted(variables.UPSTASH_REDIS_REST_TOKEN),
  };
}

/** The human check: self-hosted, with keys that may be derived, or a provider's, with the keys it gave. */
function captchaOf(variables: Variables) {
  const { CAPTCHA_PROVIDER: provider, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET_KEY: secretKey } = variables;
  if (provider === "altcha") return { provider, siteKey, secretKey, cost: variables.ALTCHA_COST };
  return {
    provider,
    siteKey: granted(siteKey),
    secretKey: granted(secretKey),
    verifyUrl: variables.CAPTCHA_VERIFY_URL,
    hostnames: variables.CAPTCHA_HOSTNAMES ?? [new URL(variables.SITE_URL).hostname],
    allowLoopback: variables.CAPTCHA_HOSTNAMES === undefined,
  };
}

function postLookupOf(variables: Variables) {
  const kind = variables.POST_LOOKUP;
  switch (kind) {
    case "sandbox":
      return { kind };
    case "oembed":
      return { kind, url: variables.META_OEMBED_URL, token: variables.META_OEMBED_TOKEN };
    case "http":
      return {
        kind,
        url: granted(variables.POST_LOOKUP_URL),
        secret: granted(variables.POST_LOOKUP_SECRET),
        imageHosts: variables.POST_LOOKUP_IMAGE_HOSTS,
      };
  }
}

function deliveryOf(variables: Variables) {
  const kind = variables.LIKE_DELIVERY;
  if (kind === "dry-run") return { kind };
  return {
    kind,
    url: granted(variables.LIKE_WEBHOOK_URL),
    secret: granted(variables.LIKE_WEBHOOK_SECRET),
    timeoutMs: variables.LIKE_WEBHOOK_TIMEOUT_MS,
  };
}

function mailOf({ SMTP_URL: smtpUrl, MAIL_FROM: from, INBOX_EMAIL: to }: Variables) {
  return smtpUrl && from && to ? { smtpUrl, from, to } : null;
}

/** What a rule of env-rules.ts has made sure of. */
function granted(value: string | undefined): string {
  if (value === undefined) throw new Error("A rule of the configuration is missing.");
  return value;
}
