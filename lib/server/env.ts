import "server-only";
import { captureBuildSettings, type BuildSettings } from "@/lib/build-settings";
import type { SiteverifySettings } from "./captcha/siteverify";
import {
  captchaOf,
  contradictions,
  deliveryOf,
  hiddenBanner,
  isDemo,
  mailOf,
  postLookupOf,
  redisOf,
  warningsOf,
} from "./env-rules";
import { isComplete, parseSiteVariables, parseVariables, type Variables } from "./env-variables";

/*
 * All configuration, read here and nowhere else. `.env.example` documents every name. An unset or empty variable takes
 * its default; a wrong or contradictory one stops start-up with the whole list.
 */

/** The human check: self-hosted, with keys that may be derived, or a provider's, with the keys it gave. */
export type CaptchaSource =
  | {
      provider: "altcha";
      siteKey: string | undefined;
      secretKey: string | undefined;
      cost: number | undefined;
    }
  | ({ provider: "recaptcha" | "turnstile" } & SiteverifySettings);

/** The configuration as the server uses it. */
export interface Env {
  siteUrl: string;
  /** Decides `Secure` and `__Host-` of cookies: the scheme of SITE_URL, never NODE_ENV. */
  secureCookies: boolean;
  /** Newest first. */
  sessionSecrets: string[];
  /** Newest first: written with the first, looked up with all. */
  visitorHashSecrets: string[];
  redis: { kind: "tcp"; url: string } | { kind: "rest"; url: string; token: string };
  ledger: {
    dailyLikeLimit: number;
    cooldownSeconds: number;
    maxRequestsPerDay: number;
    maxRequestsPerAddressPerDay: number;
  };
  burstLimitScale: number;
  clientAddress: { header: string | undefined; proxyHops: number };
  captcha: CaptchaSource & {
    mode: Variables["CAPTCHA_MODE"];
    onProviderError: Variables["CAPTCHA_ON_PROVIDER_ERROR"];
  };
  postLookup:
    | { kind: "sandbox" }
    | { kind: "oembed"; url: string; token: string | undefined }
    | { kind: "http"; url: string; secret: string; imageHosts: string[] };
  delivery: { kind: "dry-run" } | { kind: "webhook"; url: string; secret: string; timeoutMs: number };
  /** Where form messages are mailed to, or null. */
  mail: { smtpUrl: string; from: string; to: string } | null;
  inboxRetentionDays: number;
  reconcileEverySeconds: number;
  cronSecret: string | undefined;
  healthToken: string | undefined;
}

/** What prerendered pages show; fixed when they are built. */
export interface SiteSettings {
  siteUrl: string;
  siteName: string;
  supportEmail: string;
  /** Where security.txt sends reports: an e-mail address or an https address. */
  securityContact: string;
  /** No likes reach Instagram, or posts are samples: every page says so. */
  demoMode: boolean;
  /** Decides how much room pages keep for the human check. */
  captchaProvider: string;
  /** The GMT day of the build, as YYYY-MM-DD. */
  buildDate: string;
  /** Days that the messages of the forms are kept. */
  inboxRetentionDays: number;
  /** Google Tag Manager's container, or null. */
  gtmId: string | null;
  /** AdSense's publisher and its units, or null; a slot without a unit shows a placeholder. */
  ads: { client: string; headerUnit: string | undefined; toolUnit: string | undefined } | null;
  /** Addresses of the site's own scripts, by the names of their bundles. */
  scripts: SiteScripts;
}

/** Their names hold a hash of their content, so that browsers keep them for good. */
export type SiteScripts = Partial<Record<"site.js" | "consent.js" | "consent.css", string>>;

export type EnvResult = { ok: true; env: Env; warnings: string[] } | { ok: false; problems: string[] };

/**
 * Parses an environment. Pure: takes the variables and what the build was made with, returns everything that is wrong
 * at once, or the configuration with warnings for the log.
 */
export function parseEnv(source: Record<string, string | undefined>, build: BuildSettings): EnvResult {
  const given = Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
  const { variables, problems } = parseVariables(given);
  problems.push(...contradictions(variables, given), ...hiddenBanner(variables, build));
  const redis = redisOf(variables, given);
  const postLookup = postLookupOf(variables, given);
  const delivery = deliveryOf(variables, given);
  const captcha = captchaOf(variables);
  for (const part of [redis, postLookup, captcha, delivery]) {
    if (typeof part === "string") problems.push(part);
  }
  if (
    problems.length > 0 ||
    typeof redis === "string" ||
    typeof postLookup === "string" ||
    typeof delivery === "string" ||
    typeof captcha === "string" ||
    !isComplete(variables)
  ) {
    return { ok: false, problems };
  }
  const siteUrl = new URL(variables.SITE_URL).origin;
  const env: Env = {
    siteUrl,
    secureCookies: siteUrl.startsWith("https:"),
    sessionSecrets: variables.SESSION_SECRET,
    visitorHashSecrets: variables.VISITOR_HASH_SECRET,
    redis,
    ledger: {
      dailyLikeLimit: variables.DAILY_LIKE_LIMIT,
      cooldownSeconds: variables.COOLDOWN_SECONDS,
      maxRequestsPerDay: variables.MAX_REQUESTS_PER_DAY,
      maxRequestsPerAddressPerDay: variables.MAX_REQUESTS_PER_IP_PER_DAY,
    },
    burstLimitScale: variables.BURST_LIMIT_SCALE,
    clientAddress: { header: variables.TRUSTED_IP_HEADER, proxyHops: variables.TRUSTED_PROXY_HOPS },
    captcha: {
      ...captcha,
      mode: variables.CAPTCHA_MODE,
      onProviderError: variables.CAPTCHA_ON_PROVIDER_ERROR,
    },
    postLookup,
    delivery,
    mail: mailOf(variables),
    inboxRetentionDays: variables.INBOX_RETENTION_DAYS,
    reconcileEverySeconds: variables.RECONCILE_EVERY_SECONDS,
    cronSecret: variables.CRON_SECRET,
    healthToken: variables.HEALTH_TOKEN,
  };
  return { ok: true, env, warnings: warningsOf(variables, given, build) };
}

/** The build's settings: put in by next.config.ts; outside a build (tests, tools) the environment's own. */
export function getBuildSettings(): BuildSettings {
  const captured = process.env.BUILD_SETTINGS;
  return captured ? (JSON.parse(captured) as BuildSettings) : captureBuildSettings(process.env);
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
  return parseEnv(process.env, getBuildSettings());
}

/** What pages show: the values of the build, so that prerendered and rendered pages agree. */
export function getSiteSettings(): SiteSettings {
  return siteSettingsOf(getBuildSettings());
}

/** The settings of pages from those of a build. Pure, but for the day of a build that did not write it down. */
export function siteSettingsOf(build: BuildSettings): SiteSettings {
  const variables = parseSiteVariables(build);
  return {
    siteUrl: new URL(variables.SITE_URL).origin,
    siteName: variables.SITE_NAME,
    supportEmail: variables.SUPPORT_EMAIL,
    securityContact: variables.SECURITY_CONTACT ?? variables.SUPPORT_EMAIL,
    demoMode: isDemo(build),
    captchaProvider: variables.CAPTCHA_PROVIDER,
    buildDate: process.env.BUILD_DATE ?? new Date().toISOString().slice(0, 10),
    inboxRetentionDays: variables.INBOX_RETENTION_DAYS,
    gtmId: variables.GTM_ID ?? null,
    ads: variables.ADS_CLIENT
      ? {
          client: variables.ADS_CLIENT,
          headerUnit: variables.ADS_SLOT_HEADER,
          toolUnit: variables.ADS_SLOT_TOOL,
        }
      : null,
    scripts: JSON.parse(process.env.SITE_SCRIPTS ?? "{}") as SiteScripts,
  };
}
