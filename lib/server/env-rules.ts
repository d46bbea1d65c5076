import "server-only";
import { buildSettingNames, type BuildSettings } from "@/lib/build-settings";
import { isTestSecretKey, isTestSiteKey } from "./captcha/test-keys";
import type { CaptchaSource, Env } from "./env";
import type { Variables } from "./env-variables";

/* What the variables mean together. Rules see the parsed variables and, for what was left out, the given texts. */

/** What contradicts each other, or the law of live delivery. */
export function contradictions(variables: Partial<Variables>, given: Record<string, string>): string[] {
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
  const adUnits = ["ADS_SLOT_HEADER", "ADS_SLOT_TOOL"].filter((name) => given[name]);
  if (adUnits.length > 0 && !given.ADS_CLIENT) {
    problems.push(`ADS_CLIENT: needed for ${adUnits.join(" and ")}`);
  }
  if (given.ADS_CLIENT && adUnits.length === 0) {
    problems.push("ADS_SLOT_HEADER or ADS_SLOT_TOOL: ADS_CLIENT alone shows no ads");
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
export function redisOf(variables: Partial<Variables>, given: Record<string, string>): Env["redis"] | string {
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

/** The post lookup to use, or what it misses. */
export function postLookupOf(
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
export function captchaOf(variables: Partial<Variables>): CaptchaSource | string {
  const { CAPTCHA_PROVIDER: provider, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET_KEY: secretKey } = variables;
  if (provider === undefined || provider === "altcha") {
    return secretKey !== undefined && secretKey.length < 32
      ? "CAPTCHA_SECRET_KEY: must have 32 characters or more"
      : { provider: "altcha", siteKey, secretKey, cost: variables.ALTCHA_COST };
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

/** The delivery to use, or what it misses. */
export function deliveryOf(
  variables: Partial<Variables>,
  given: Record<string, string>,
): Env["delivery"] | string {
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

/** Where form messages are mailed to, or null. */
export function mailOf({ SMTP_URL, MAIL_FROM, INBOX_EMAIL }: Variables): Env["mail"] {
  if (!SMTP_URL || !MAIL_FROM || !INBOX_EMAIL) return null;
  return { smtpUrl: SMTP_URL, from: MAIL_FROM, to: INBOX_EMAIL };
}

/** Pages built for live delivery carry no demo banner: serving them with dry-run would claim likes that nobody sends. */
export function hiddenBanner(variables: Partial<Variables>, build: BuildSettings): string[] {
  const builtForDemo = isDemo(build);
  return !builtForDemo && variables.LIKE_DELIVERY === "dry-run"
    ? ["LIKE_DELIVERY: this build was made for live delivery and hides the demo banner; rebuild for dry-run"]
    : [];
}

/** What is odd, and yet may run: for the log. */
export function warningsOf(
  variables: Variables,
  given: Record<string, string>,
  build: BuildSettings,
): string[] {
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

/** No likes reach Instagram, or posts are samples. */
export function isDemo(build: BuildSettings): boolean {
  return build.LIKE_DELIVERY !== "webhook" || (build.POST_LOOKUP ?? "sandbox") === "sandbox";
}
