import "server-only";
import { z } from "zod";
import { buildSettingNames, captureBuildSettings, type BuildSettings } from "@/lib/build-settings";
import { limits } from "@/lib/limits";
import type { SiteverifySettings } from "./captcha/siteverify";
import { isTestSecretKey, isTestSiteKey } from "./captcha/test-keys";

/**
 * All configuration, read here and nowhere else. `.env.example` documents every name.
 * An unset or empty variable takes its default; a wrong or contradictory one stops start-up with the whole list.
 */

const wholeNumber = (fallback: number, minimum = 0, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((n) => n >= minimum && n <= maximum, `must lie between ${minimum} and ${maximum}`)
    .default(fallback);

const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

/** An address that is called with parameters and secrets of its own: fetch refuses a user name in it. */
const serviceAddress = webAddress.refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return !url?.username && !url?.password;
}, "must not hold a user name or password");

/** What can stand in an Authorization header. */
const bearerToken = z.string().regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters without spaces");

const hostList = z
  .string()
  .transform((text) => text.split(",").map((host) => host.trim().toLowerCase()))
  .refine(
    (hosts) => hosts.every((host) => /^(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z0-9-]+$/.test(host)),
    "must be host names such as images.example.com or *.example.com, separated by commas",
  )
  .default([]);

const secretList = z
  .string({ error: "is required: a random text of 32 characters or more (local runs create one)" })
  .transform((text) => text.split(",").map((part) => part.trim()))
  .refine(
    (list) => list.every((secret) => secret.length >= 32),
    "every secret must have 32 characters or more",
  );

const hostnameList = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim().toLowerCase()))
  .refine(
    (list) =>
      list.every((name) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name),
    "must be a comma-separated list of host names, without scheme, port or path",
  );

const schema = z.object({
  SITE_URL: webAddress
    .refine(
      (text) => URL.canParse(text) && new URL(text).origin === text.replace(/\/$/, ""),
      "must be an origin: no path, no query",
    )
    .default("http://localhost:3000"),
  SESSION_SECRET: secretList,
  VISITOR_HASH_SECRET: secretList,
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: "must be a redis:// or rediss:// address" }).optional(),
  UPSTASH_REDIS_REST_URL: webAddress.optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  DAILY_LIKE_LIMIT: wholeNumber(limits.dailyLikeLimit, limits.likesPerRequest),
  COOLDOWN_SECONDS: wholeNumber(limits.cooldownSeconds, 1, 86_400),
  MAX_REQUESTS_PER_DAY: wholeNumber(limits.maxRequestsPerDay, 1, 1_000),
  MAX_REQUESTS_PER_IP_PER_DAY: wholeNumber(limits.maxRequestsPerAddressPerDay, 1, 100_000),
  BURST_LIMIT_SCALE: wholeNumber(1, 1, 1_000_000),
  TRUSTED_IP_HEADER: z
    .string()
    .regex(/^[a-z0-9-]+$/i, "must be a header's name")
    .transform((name) => name.toLowerCase())
    .optional(),
  TRUSTED_PROXY_HOPS: wholeNumber(0, 0, 10),
  CAPTCHA_PROVIDER: z
    .enum(["altcha", "recaptcha", "turnstile"], { error: "must be altcha, recaptcha or turnstile" })
    .default("altcha"),
  CAPTCHA_SITE_KEY: z.string().optional(),
  CAPTCHA_SECRET_KEY: z.string().optional(),
  CAPTCHA_VERIFY_URL: webAddress.optional(),
  CAPTCHA_HOSTNAMES: hostnameList.optional(),
  CAPTCHA_MODE: z
    .enum(["enforce", "dev", "bypass"], { error: "must be enforce, dev or bypass" })
    .default("enforce"),
  CAPTCHA_ON_PROVIDER_ERROR: z.enum(["deny", "allow"], { error: "must be deny or allow" }).default("deny"),
  POST_LOOKUP: z
    .enum(["sandbox", "oembed", "http"], { error: "must be sandbox, oembed or http" })
    .default("sandbox"),
  META_OEMBED_URL: serviceAddress.default("https://graph.facebook.com/v26.0/instagram_oembed"),
  META_OEMBED_TOKEN: bearerToken.optional(),
  POST_LOOKUP_URL: serviceAddress.optional(),
  POST_LOOKUP_SECRET: bearerToken.min(16, "must have 16 characters or more").optional(),
  POST_LOOKUP_IMAGE_HOSTS: hostList,
  LIKE_DELIVERY: z.enum(["dry-run", "webhook"], { error: "must be dry-run or webhook" }).default("dry-run"),
  LIKE_WEBHOOK_URL: webAddress.optional(),
  LIKE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_(?:[A-Za-z0-9+/]{4}){6,}[A-Za-z0-9+/]{0,3}={0,2}$/,
      "must be whsec_ and at least 24 bytes of base64",
    )
    .optional(),
  LIKE_WEBHOOK_TIMEOUT_MS: wholeNumber(8_000, 100, 60_000),
  LIKE_DELIVERY_ACKNOWLEDGED: z.literal("yes", { error: "must be yes, or unset" }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" }).optional(),
  MAIL_FROM: z.email("must be an e-mail address").optional(),
  INBOX_EMAIL: z.email("must be an e-mail address").optional(),
  INBOX_RETENTION_DAYS: wholeNumber(limits.inboxRetentionDays, 1, 365),
  RECONCILE_EVERY_SECONDS: wholeNumber(60, 0, 86_400),
  CRON_SECRET: z.string().min(16, "must have 16 characters or more").optional(),
  HEALTH_TOKEN: z.string().min(16, "must have 16 characters or more").optional(),
});

type Variables = z.output<typeof schema>;

/** The human check: self-hosted, with keys that may be derived, or a provider's, with the keys it gave. */
type CaptchaSource =
  | { provider: "altcha"; siteKey: string | undefined; secretKey: string | undefined }
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
  /** No likes reach Instagram, or posts are samples: every page says so. */
  demoMode: boolean;
  /** Decides how much room pages keep for the human check. */
  captchaProvider: string;
}

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

/** Each variable on its own, so that one wrong value does not hide the next. What is wrong is left out of the result. */
function parseVariables(given: Record<string, string>): {
  variables: Partial<Variables>;
  problems: string[];
} {
  const variables: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, shape] of Object.entries(schema.shape)) {
    const parsed = shape.safeParse(given[name]);
    if (parsed.success) variables[name] = parsed.data;
    else problems.push(...parsed.error.issues.map((issue) => `${name}: ${issue.message}`));
  }
  return { variables, problems };
}

function isComplete(variables: Partial<Variables>): variables is Variables {
  return Object.keys(schema.shape).every((name) => name in variables);
}

function contradictions(variables: Partial<Variables>, given: Record<string, string>): string[] {
  const problems: string[] = [];
  const live = variables.LIKE_DELIVERY === "webhook";
  if (variables.TRUSTED_IP_HEADER && (variables.TRUSTED_PROXY_HOPS ?? 0) > 0) {
    problems.push(
      "TRUSTED_IP_HEADER and TRUSTED_PROXY_HOPS exclude each other: set the one your proxy provides",
    );
  }
  const mailNames = ["SMTP_URL", "MAIL_FROM", "INBOX_EMAIL"].filter((name) => given[name]);
  if (mailNames.length === 1 || mailNames.length === 2) {
    problems.push("SMTP_URL, MAIL_FROM and INBOX_EMAIL: set all three, or none");
  }
  const serverless = ["VERCEL", "AWS_LAMBDA_FUNCTION_NAME", "NETLIFY"].find((name) => given[name]);
  if (serverless && !given.TRUSTED_IP_HEADER) {
    problems.push(
      `TRUSTED_IP_HEADER: required on a serverless host (${serverless} is set), for example x-real-ip; ` +
        "without it all visitors would share one cooldown",
    );
  }
  if (live && !given.LIKE_DELIVERY_ACKNOWLEDGED) {
    problems.push(
      "LIKE_DELIVERY_ACKNOWLEDGED: live delivery needs the value yes, your statement that the likes come from real, " +
        "consenting people and that the platform's terms and the law allow it (in the United States 16 CFR 465.8 " +
        "forbids selling or distributing fake indicators of social-media influence; in the European Union Directive " +
        "2005/29/EC, Annex I, 23c, forbids false endorsements)",
    );
  }
  if (live && (variables.CAPTCHA_MODE === "dev" || variables.CAPTCHA_MODE === "bypass")) {
    problems.push(
      `CAPTCHA_MODE: ${variables.CAPTCHA_MODE} is for development; live delivery starts only with enforce`,
    );
  }
  if (live && variables.CAPTCHA_PROVIDER !== "altcha") problems.push(...testKeys(variables));
  return problems;
}

/** Settings that one lookup alone uses: given for another one, somebody believes to run what does not run. */
const lookupOfSetting = {
  META_OEMBED_TOKEN: "oembed",
  POST_LOOKUP_URL: "http",
  POST_LOOKUP_SECRET: "http",
  POST_LOOKUP_IMAGE_HOSTS: "http",
};

/** The Redis to use, or what is wrong with the names given; values that are wrong on their own were reported before. */
function redisOf(variables: Partial<Variables>, given: Record<string, string>): Env["redis"] | string {
  const rest = given.UPSTASH_REDIS_REST_URL || given.UPSTASH_REDIS_REST_TOKEN;
  if (given.REDIS_URL && rest)
    return "REDIS_URL and UPSTASH_REDIS_REST_URL/_TOKEN exclude each other: set one kind";
  if (given.REDIS_URL) return { kind: "tcp", url: variables.REDIS_URL ?? "" };
  if (!rest) {
    return "REDIS_URL, or UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: one kind of Redis is required";
  }
  if (!given.UPSTASH_REDIS_REST_URL || !given.UPSTASH_REDIS_REST_TOKEN) {
    return "UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: both are needed";
  }
  return { kind: "rest", url: variables.UPSTASH_REDIS_REST_URL ?? "", token: given.UPSTASH_REDIS_REST_TOKEN };
}

function postLookupOf(
  variables: Partial<Variables>,
  given: Record<string, string>,
): Env["postLookup"] | string {
  switch (variables.POST_LOOKUP) {
    case "oembed":
      return { kind: "oembed", url: variables.META_OEMBED_URL ?? "", token: variables.META_OEMBED_TOKEN };
    case "http":
      if (!given.POST_LOOKUP_URL || !given.POST_LOOKUP_SECRET) {
        return "POST_LOOKUP_URL and POST_LOOKUP_SECRET: both are needed for POST_LOOKUP=http";
      }
      return {
        kind: "http",
        url: variables.POST_LOOKUP_URL ?? "",
        secret: given.POST_LOOKUP_SECRET,
        imageHosts: variables.POST_LOOKUP_IMAGE_HOSTS ?? [],
      };
    default:
      return { kind: "sandbox" };
  }
}

/** Public test keys let everybody through, robots included: not where likes are really ordered. */
function testKeys({ CAPTCHA_SITE_KEY = "", CAPTCHA_SECRET_KEY = "" }: Partial<Variables>): string[] {
  const names = [
    ...(isTestSiteKey(CAPTCHA_SITE_KEY) ? ["CAPTCHA_SITE_KEY"] : []),
    ...(isTestSecretKey(CAPTCHA_SECRET_KEY) ? ["CAPTCHA_SECRET_KEY"] : []),
  ];
  return names.map(
    (name) =>
      `${name}: this is the provider's public test key, which checks nobody; live delivery needs your own`,
  );
}

/** The human check to use, or what is wrong with its keys. */
function captchaOf(variables: Partial<Variables>): CaptchaSource | string {
  const { CAPTCHA_PROVIDER: provider, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET_KEY: secretKey } = variables;
  if (provider === undefined || provider === "altcha") {
    return secretKey !== undefined && secretKey.length < 32
      ? "CAPTCHA_SECRET_KEY: must have 32 characters or more"
      : { provider: "altcha", siteKey, secretKey };
  }
  if (!siteKey || !secretKey) {
    return `CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY: both are needed for CAPTCHA_PROVIDER=${provider}`;
  }
  const hostnames = variables.CAPTCHA_HOSTNAMES;
  const siteHost = variables.SITE_URL === undefined ? [] : [new URL(variables.SITE_URL).hostname];
  return {
    provider,
    siteKey,
    secretKey,
    verifyUrl: variables.CAPTCHA_VERIFY_URL,
    hostnames: hostnames ?? siteHost,
    allowLoopback: hostnames === undefined,
  };
}

function deliveryOf(variables: Partial<Variables>, given: Record<string, string>): Env["delivery"] | string {
  if (variables.LIKE_DELIVERY !== "webhook") return { kind: "dry-run" };
  if (!given.LIKE_WEBHOOK_URL || !given.LIKE_WEBHOOK_SECRET) {
    return "LIKE_WEBHOOK_URL and LIKE_WEBHOOK_SECRET: both are needed for LIKE_DELIVERY=webhook";
  }
  return {
    kind: "webhook",
    url: variables.LIKE_WEBHOOK_URL ?? "",
    secret: given.LIKE_WEBHOOK_SECRET,
    timeoutMs: variables.LIKE_WEBHOOK_TIMEOUT_MS ?? 0,
  };
}

function mailOf({ SMTP_URL, MAIL_FROM, INBOX_EMAIL }: Variables): Env["mail"] {
  if (!SMTP_URL || !MAIL_FROM || !INBOX_EMAIL) return null;
  return { smtpUrl: SMTP_URL, from: MAIL_FROM, to: INBOX_EMAIL };
}

/** Pages built for live delivery carry no demo banner: serving them with dry-run would claim likes that nobody sends. */
function hiddenBanner(variables: Partial<Variables>, build: BuildSettings): string[] {
  const builtForDemo = isDemo(build);
  return !builtForDemo && variables.LIKE_DELIVERY === "dry-run"
    ? ["LIKE_DELIVERY: this build was made for live delivery and hides the demo banner; rebuild for dry-run"]
    : [];
}

function warningsOf(variables: Variables, given: Record<string, string>, build: BuildSettings): string[] {
  const warnings = buildSettingNames
    .filter((name) => given[name] !== build[name])
    .map((name) => `${name} differs from the build's: pages still show the old value; rebuild`);
  for (const [name, lookup] of Object.entries(lookupOfSetting)) {
    if (given[name] && variables.POST_LOOKUP !== lookup) {
      warnings.push(`${name} is for POST_LOOKUP=${lookup}, but POST_LOOKUP is ${variables.POST_LOOKUP}`);
    }
  }
  if (variables.LIKE_DELIVERY === "webhook" && variables.POST_LOOKUP === "sandbox") {
    warnings.push(
      "POST_LOOKUP is sandbox with live delivery: posts are samples, and pages keep the demo banner",
    );
  }
  return warnings;
}

function isDemo(build: BuildSettings): boolean {
  return build.LIKE_DELIVERY !== "webhook" || (build.POST_LOOKUP ?? "sandbox") === "sandbox";
}

/** The build's settings: put in by next.config.ts; outside a build (tests, tools) the environment's own. */
function buildSettings(): BuildSettings {
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
  return parseEnv(process.env, buildSettings());
}

/** What pages show: the values of the build, so that prerendered and rendered pages agree. */
export function getSiteSettings(): SiteSettings {
  const build = buildSettings();
  return {
    siteUrl: build.SITE_URL ?? "http://localhost:3000",
    siteName: build.SITE_NAME ?? "Boost50",
    supportEmail: build.SUPPORT_EMAIL ?? "support@example.com",
    demoMode: isDemo(build),
    captchaProvider: build.CAPTCHA_PROVIDER ?? "altcha",
  };
}
