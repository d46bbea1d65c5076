import "server-only";
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { getDemoMode, parseBuildSettings, type BuildSettings } from "@/lib/config/build-settings";
import { limits } from "@/lib/config/limits";
import { resolveDeploymentVariables, detectServerlessHost } from "@/lib/config/deployment";
import { readVariables } from "@/lib/config/read-variables";
import { definedVariables, parseVariables } from "@/lib/config/variable-schemas";
import { findProblems, findWarnings } from "./env-rules";
import { envSchema, type Variables } from "./env-schema";
import { providersSchema, toProviderInput } from "./provider-settings";
import { addressCap } from "@/lib/config/network-caps";

/* In lib, components and app, only this file reads `process.env`. `.env.example` and CONTRIBUTING.md explain the variables. */

export type Env = ReturnType<typeof toEnv>;

type EnvResult = { ok: true; env: Env; warnings: string[] } | { ok: false; problems: string[] };

/** Parses environment variables. Returns the configuration and warnings, or a list of all problems. */
export function parseEnv(source: Record<string, string | undefined>, build?: BuildSettings): EnvResult {
  const read = readVariables({ ...source, ...fixedByBuild(build) }, readSecretFile);
  if (read.problems.length > 0) return { ok: false, problems: read.problems };
  const raw = resolveDeploymentVariables(definedVariables(read.variables));
  const { values, problems } = parseVariables(envSchema, raw);
  const providers = providersSchema.safeParse(toProviderInput(values));
  problems.push(...missingSettings(providers.error, problems), ...findProblems({ values, raw, build }));
  if (problems.length > 0) return { ok: false, problems };
  if (!providers.success) throw providers.error;
  const variables = values as Variables;
  return {
    ok: true,
    env: toEnv(variables, providers.data, detectServerlessHost(raw) !== undefined),
    warnings: findWarnings(variables, raw, build ?? variables),
  };
}

/** Returns the messages about providers. Omits those about a variable that `problems` already reports. */
function missingSettings(error: z.ZodError | undefined, problems: readonly string[]): string[] {
  const messages = (error?.issues ?? []).map(({ message }) => message);
  return messages.filter((message) => {
    const [name] = /^[A-Z_]+: /.exec(message) ?? [];
    return name && !problems.some((problem) => problem.startsWith(name));
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

/** Returns the settings that the build stored. Tests and tools have no build, so they use the environment. */
export function getBuildSettings(): BuildSettings {
  return readBuildSettings() ?? parseBuildSettings(process.env);
}

/** Reads the settings that next.config.ts stored in the build. Returns undefined in tests and tools. */
function readBuildSettings(): BuildSettings | undefined {
  const json = process.env.BUILD_SETTINGS;
  return json ? parseBuildSettings(JSON.parse(json)) : undefined;
}

/** Returns the settings that pages show. The build stores them, so that all pages show the same values. */
export function getSiteSettings() {
  return toSiteSettings(getBuildSettings());
}

/** Converts build settings to page settings. In tests, BUILD_DATE is unset, and `buildDate` is today. */
export function toSiteSettings(build: BuildSettings) {
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

function toEnv(variables: Variables, providers: z.output<typeof providersSchema>, isServerless: boolean) {
  const siteUrl = variables.SITE_URL;
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
    ...providers,
    ledger: {
      dailyLikeLimit: variables.DAILY_LIKE_LIMIT,
      cooldownSeconds: variables.TEST_COOLDOWN_SECONDS,
      maxRequestsPerDay: limits.maxRequestsPerDay,
      maxRequestsPerAddressPerDay: addressCap(
        { dailyLikeLimit: variables.DAILY_LIKE_LIMIT, maxRequestsPerDay: limits.maxRequestsPerDay },
        variables.MAX_REQUESTS_PER_IP_PER_DAY,
      ),
      pacing: variables.DAILY_PACING === "on",
    },
    rateLimitScale: variables.TEST_RATE_LIMIT_SCALE,
    clientAddress: { header: variables.TRUSTED_IP_HEADER, proxyHops: variables.TRUSTED_PROXY_HOPS },
    captcha: {
      ...providers.captcha,
      mode: variables.CAPTCHA_MODE,
      onProviderError: variables.CAPTCHA_ON_PROVIDER_ERROR,
    },
    reconcileEverySeconds: variables.RECONCILE_EVERY_SECONDS,
    keepAliveSeconds: variables.KEEP_ALIVE_SECONDS,
    cronSecret: variables.CRON_SECRET,
    healthToken: variables.HEALTH_TOKEN,
    /** Undefined on serverless hosts, because Prometheus cannot read the metrics of each process there. */
    metricsToken: isServerless ? undefined : variables.HEALTH_TOKEN,
  };
}
