import "server-only";
import { isDeepStrictEqual } from "node:util";
import {
  findAdSettingConflicts,
  buildSettingNames,
  getDemoMode,
  type BuildSettings,
} from "@/lib/config/build-settings";
import { functionTimeoutSeconds, maxWebhookTimeoutMs, detectServerlessHost } from "@/lib/config/deployment";
import type { RawVariables } from "@/lib/config/variable-schemas";
import { isLoopback } from "@/lib/http/loopback";
import { isTestSecretKey, isTestSiteKey } from "@/lib/config/captcha-test-keys";
import { envSchema, testSettings, type Variables } from "./env-schema";
import { editDistance } from "./edit-distance";

/** Checks combinations of variables. Returns one message for each broken rule. */
export function findProblems(raw: RawVariables, build: BuildSettings | undefined): string[] {
  const { LIKE_DELIVERY: delivery = "dry-run", CAPTCHA_PROVIDER: captcha = "altcha" } = raw;
  const live = delivery === "webhook";
  const serverless = detectServerlessHost(raw);
  const { CAPTCHA_SITE_KEY: siteKey = "", CAPTCHA_SECRET_KEY: secretKey = "" } = raw;
  const mail = ["SMTP_URL", "MAIL_FROM", "INBOX_EMAIL"];
  const rest = ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"];
  const all = (...names: string[]) => names.every((name) => raw[name]);
  const any = (...names: string[]) => names.some((name) => raw[name]);
  const rules: [broken: boolean, problem: string][] = [
    [
      all("TRUSTED_IP_HEADER") && Number(raw.TRUSTED_PROXY_HOPS) > 0,
      "TRUSTED_IP_HEADER and TRUSTED_PROXY_HOPS exclude each other: set the one your proxy provides",
    ],
    [
      serverless !== undefined && !raw.TRUSTED_IP_HEADER,
      `TRUSTED_IP_HEADER: required on a serverless host (${serverless} is set), for example x-real-ip; ` +
        "without it all visitors would share one cooldown",
    ],
    [
      serverless !== undefined && Number(raw.RECONCILE_EVERY_SECONDS) > 0,
      "RECONCILE_EVERY_SECONDS: must be 0 on a serverless host, because its functions have no timer; " +
        "let the host call /api/cron/reconcile instead",
    ],
    [
      serverless !== undefined && !raw.CRON_SECRET,
      "CRON_SECRET: required on a serverless host, where only /api/cron/reconcile finishes pending orders; " +
        "create one with openssl rand -hex 24",
    ],
    [
      serverless !== undefined && !raw.SITE_URL?.startsWith("https://"),
      "SITE_URL: required on a serverless host, with https://, which cookies and canonical URLs need",
    ],
    [
      serverless !== undefined && live && Number(raw.LIKE_WEBHOOK_TIMEOUT_MS) > maxWebhookTimeoutMs,
      `LIKE_WEBHOOK_TIMEOUT_MS: must be ${maxWebhookTimeoutMs} or less on a serverless host, which ends a function ` +
        `after ${functionTimeoutSeconds} s (vercel.json)`,
    ],
    [any(...mail) && !all(...mail), "SMTP_URL, MAIL_FROM and INBOX_EMAIL: set all three, or none"],
    [
      all("REDIS_URL") && any(...rest),
      "REDIS_URL and UPSTASH_REDIS_REST_URL/_TOKEN exclude each other: set one kind",
    ],
    [
      !raw.REDIS_URL && !any(...rest),
      "REDIS_URL, or UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: one kind of Redis is required",
    ],
    [
      all("REDIS_SENTINELS", "REDIS_CLUSTER_NODES"),
      "REDIS_SENTINELS and REDIS_CLUSTER_NODES exclude each other: a cluster needs no sentinels",
    ],
    [
      any("REDIS_SENTINELS", "REDIS_CLUSTER_NODES") && !raw.REDIS_URL,
      "REDIS_SENTINELS and REDIS_CLUSTER_NODES also need REDIS_URL, which sets user, password and TLS",
    ],
    [
      all("REDIS_SENTINELS") && /:\d+(?:\/\d*)?$/.test(raw.REDIS_URL ?? ""),
      "REDIS_URL: with REDIS_SENTINELS the host must be the primary's name at the sentinels, without a port",
    ],
    [
      all("REDIS_CLUSTER_NODES") && /\/0*[1-9]\d*$/.test(raw.REDIS_URL ?? ""),
      "REDIS_URL: a cluster has only database 0; remove the database number",
    ],
    [
      all("REDIS_CLUSTER_NODES") && /[/@]/.test(raw.REDIS_CLUSTER_NODES ?? ""),
      "REDIS_CLUSTER_NODES: list only host:port; scheme, user and password come from REDIS_URL",
    ],
    [
      !raw.REDIS_URL && any(...rest) && !all(...rest),
      "UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: both are needed",
    ],
    [
      raw.POST_LOOKUP === "http" && !all("POST_LOOKUP_URL", "POST_LOOKUP_SECRET"),
      "POST_LOOKUP_URL and POST_LOOKUP_SECRET: both are needed for POST_LOOKUP=http",
    ],
    [
      captcha === "altcha" && secretKey !== "" && secretKey.length < 32,
      "CAPTCHA_SECRET_KEY: must have 32 characters or more",
    ],
    [
      (captcha === "recaptcha" || captcha === "turnstile") && !all("CAPTCHA_SITE_KEY", "CAPTCHA_SECRET_KEY"),
      `CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY: both are needed for CAPTCHA_PROVIDER=${captcha}`,
    ],
    [
      live && !all("LIKE_WEBHOOK_URL", "LIKE_WEBHOOK_SECRET"),
      "LIKE_WEBHOOK_URL and LIKE_WEBHOOK_SECRET: both are needed for LIKE_DELIVERY=webhook",
    ],
    [
      live && !raw.LIKE_DELIVERY_ACKNOWLEDGED,
      "LIKE_DELIVERY_ACKNOWLEDGED: live delivery needs the value yes, your statement that the likes come from real, " +
        "consenting people and that the platform's terms and the law allow it (in the United States 16 CFR 465.8 " +
        "forbids selling or distributing fake indicators of social-media influence; in the European Union Directive " +
        "2005/29/EC, Annex I, 23c, forbids false endorsements)",
    ],
    [
      live && (raw.CAPTCHA_MODE === "dev" || raw.CAPTCHA_MODE === "bypass"),
      `CAPTCHA_MODE: ${raw.CAPTCHA_MODE} is for development; live delivery starts only with enforce`,
    ],
    // The providers' public test keys do not stop bots, so the server refuses live delivery with test keys.
    [live && captcha !== "altcha" && isTestSiteKey(siteKey), testKey("CAPTCHA_SITE_KEY")],
    [live && captcha !== "altcha" && isTestSecretKey(secretKey), testKey("CAPTCHA_SECRET_KEY")],
    // Pages of a trial say that orders go to a service on this machine, so another service is not allowed.
    [
      raw.DEPLOYMENT === "trial" && !(live && isOnThisMachine(raw.LIKE_WEBHOOK_URL)),
      "DEPLOYMENT: a trial delivers only to a service on this machine (LIKE_DELIVERY=webhook, " +
        "LIKE_WEBHOOK_URL at 127.0.0.1): npm run quickstart -- --live starts one; rebuild for anything else",
    ],
    [
      build !== undefined && getDemoMode(build) === null && raw.DEPLOYMENT === "trial",
      "DEPLOYMENT: this build was made for live delivery and hides the demo banner; rebuild for a trial",
    ],
    // Live builds show no demo banner. In a dry run, their pages would promise likes that never arrive.
    [
      build !== undefined && getDemoMode(build) === null && delivery === "dry-run",
      "LIKE_DELIVERY: this build was made for live delivery and hides the demo banner; rebuild for dry-run",
    ],
  ];
  const problems = rules.flatMap(([broken, problem]) => (broken ? [problem] : []));
  return [...findMisspelledNames(raw), ...findAdSettingConflicts(raw), ...problems];
}

/** Finds unknown names that differ from the name of an unset setting in one character, or two in long names. */
function findMisspelledNames(raw: RawVariables): string[] {
  const known: string[] = envSchema.keyof().options;
  const unset = known.filter((name) => !raw[name]);
  return Object.keys(raw).flatMap((name) => {
    const allowed = name.length < 12 ? 1 : 2;
    const resembles = (other: string) =>
      Math.abs(other.length - name.length) <= allowed && editDistance(name, other) <= allowed;
    const meant = known.includes(name) ? undefined : unset.find(resembles);
    return meant ? [`${name}: there is no such setting; did you mean ${meant}?`] : [];
  });
}

function isOnThisMachine(address = ""): boolean {
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
}

const testKey = (name: string) =>
  `${name}: this is the provider's public test key, which stops no bots; live delivery needs your own key`;

/** Maps each setting to the only POST_LOOKUP value that uses the setting. Other values cause a warning. */
const lookupBySetting = {
  META_OEMBED_TOKEN: "oembed",
  POST_LOOKUP_URL: "http",
  POST_LOOKUP_SECRET: "http",
  POST_LOOKUP_IMAGE_HOSTS: "http",
};

/** Returns warnings about suspicious settings. The server logs the warnings and starts. */
export function findWarnings(variables: Variables, raw: RawVariables, build: BuildSettings): string[] {
  const { DEPLOYMENT, LIKE_DELIVERY, POST_LOOKUP, METRICS_TOKEN } = variables;
  const serverless = detectServerlessHost(raw);
  const changed = buildSettingNames.filter((name) => !isDeepStrictEqual(variables[name], build[name]));
  const unused = Object.entries(lookupBySetting).filter(
    ([name, lookup]) => raw[name] && POST_LOOKUP !== lookup,
  );
  const forTests = variables.SITE_URL.startsWith("https:") ? testSettings.filter((name) => raw[name]) : [];
  return [
    ...forTests.map((name) => `${name} is only for tests: unset it on a public site`),
    ...changed.map((name) => `${name} differs from the build's: pages still show the old value; rebuild`),
    ...unused.map(
      ([name, lookup]) => `${name} is for POST_LOOKUP=${lookup}, but POST_LOOKUP is ${POST_LOOKUP}`,
    ),
    ...(METRICS_TOKEN && serverless
      ? [
          `METRICS_TOKEN has no effect on a serverless host (${serverless} is set): each instance would count alone`,
        ]
      : []),
    ...(LIKE_DELIVERY === "webhook" && POST_LOOKUP === "sandbox" && DEPLOYMENT !== "trial"
      ? ["POST_LOOKUP is sandbox with live delivery: posts are samples, and pages keep the demo banner"]
      : []),
  ];
}
