import "server-only";
import { isDeepStrictEqual } from "node:util";
import {
  findBuildProblems,
  buildSettingNames,
  getDemoMode,
  sampleSupportEmail,
  type BuildSettings,
} from "@/lib/config/build-settings";
import { functionTimeoutSeconds, maxWebhookTimeoutMs, detectServerlessHost } from "@/lib/config/deployment";
import type { RawVariables } from "@/lib/config/variable-schemas";
import { isLoopback } from "@/lib/http/loopback";
import { isTestKey } from "@/lib/config/captcha";
import { envSchema, testSettings, type Variables } from "./env-schema";

interface RuleInput {
  /** Valid variables and defaults. An invalid variable is undefined. */
  values: Partial<Variables>;
  /** All variables of the process. */
  raw: RawVariables;
  build: BuildSettings | undefined;
}

/** Checks combinations of variables. Returns one message for each broken rule. */
export function findProblems({ values, raw, build }: RuleInput): string[] {
  const { REDIS_URL, REDIS_SENTINELS, CAPTCHA_PROVIDER, CAPTCHA_SECRET_KEY } = values;
  const rest = values.UPSTASH_REDIS_REST_URL ?? values.UPSTASH_REDIS_REST_TOKEN;
  const live = values.LIKE_DELIVERY === "webhook";
  const isRemote = CAPTCHA_PROVIDER && CAPTCHA_PROVIDER !== "altcha";
  const mail = values.SMTP_URL ?? values.MAIL_FROM;
  const isLiveBuild = build !== undefined && getDemoMode(build) === null;
  const rebuild = "this build was made for live delivery and hides the demo banner; rebuild for";
  const needs: [applies: unknown, reason: string, names: (keyof Variables)[]][] = [
    [rest && !REDIS_URL, "Redis over REST", ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"]],
    [isRemote, `CAPTCHA_PROVIDER=${CAPTCHA_PROVIDER}`, ["CAPTCHA_SITE_KEY", "CAPTCHA_SECRET_KEY"]],
    [values.POST_LOOKUP === "http", "POST_LOOKUP=http", ["POST_LOOKUP_URL", "POST_LOOKUP_SECRET"]],
    [live, "LIKE_DELIVERY=webhook", ["LIKE_WEBHOOK_URL", "LIKE_WEBHOOK_SECRET"]],
    [mail, "mail", ["SMTP_URL", "MAIL_FROM"]],
  ];
  const missing = needs.flatMap(([applies, reason, names]) =>
    names.filter((name) => applies && !values[name]).map((name) => `${name}: needed for ${reason}`),
  );
  const rules: [broken: unknown, problem: string][] = [
    [
      values.TRUSTED_IP_HEADER && values.TRUSTED_PROXY_HOPS,
      "TRUSTED_IP_HEADER and TRUSTED_PROXY_HOPS exclude each other: set the one your proxy provides",
    ],
    [
      REDIS_URL && rest,
      "REDIS_URL and UPSTASH_REDIS_REST_URL/_TOKEN (or KV_REST_API_URL/_TOKEN) exclude each other: set one kind",
    ],
    [!REDIS_URL && !rest, "REDIS_URL: this setting, or both UPSTASH_REDIS_REST_* settings, are required"],
    [REDIS_SENTINELS && !REDIS_URL, "REDIS_URL: needed for REDIS_SENTINELS, with user, password and TLS"],
    [
      REDIS_SENTINELS && REDIS_URL && new URL(REDIS_URL).port,
      "REDIS_URL: with REDIS_SENTINELS the host must be the primary's name at the sentinels, without a port",
    ],
    [
      live && !values.LIKE_DELIVERY_ACKNOWLEDGED,
      "LIKE_DELIVERY_ACKNOWLEDGED: live delivery needs the value yes, your statement that the likes come from real, " +
        "consenting people and that the platform's terms and the law allow it (in the United States 16 CFR 465.8 " +
        "forbids selling or distributing fake indicators of social-media influence; in the European Union Directive " +
        "2005/29/EC, Annex I, 23c, forbids false endorsements)",
    ],
    [
      live && values.CAPTCHA_MODE !== "enforce",
      "CAPTCHA_MODE: dev and bypass are for development; live delivery starts only with enforce",
    ],
    // The providers' public test keys do not stop bots, so the server refuses live delivery with test keys.
    [live && isRemote && isTestKey(values.CAPTCHA_SITE_KEY), testKey("CAPTCHA_SITE_KEY")],
    [live && isRemote && isTestKey(CAPTCHA_SECRET_KEY), testKey("CAPTCHA_SECRET_KEY")],
    [
      CAPTCHA_PROVIDER === "altcha" && CAPTCHA_SECRET_KEY && CAPTCHA_SECRET_KEY.length < 32,
      "CAPTCHA_SECRET_KEY: must have 32 characters or more",
    ],
    [
      mail && values.SUPPORT_EMAIL === sampleSupportEmail,
      "SUPPORT_EMAIL: needed for mail: your address instead of the sample",
    ],
    // Pages of a trial say that orders go to a service on this machine, so another service is not allowed.
    [
      values.DEPLOYMENT === "trial" && !(live && isOnThisMachine(values.LIKE_WEBHOOK_URL)),
      "DEPLOYMENT: a trial delivers only to a service on this machine (LIKE_DELIVERY=webhook, " +
        "LIKE_WEBHOOK_URL at 127.0.0.1): npm run quickstart -- --live starts one; rebuild for anything else",
    ],
    // In demo mode, the pages of a live build would promise likes that never arrive.
    [isLiveBuild && values.DEPLOYMENT === "trial", `DEPLOYMENT: ${rebuild} a trial`],
    [isLiveBuild && values.LIKE_DELIVERY === "dry-run", `LIKE_DELIVERY: ${rebuild} dry-run`],
    ...serverlessRules(values, detectServerlessHost(raw)),
  ];
  const problems = rules.flatMap(([broken, problem]) => (broken ? [problem] : []));
  return [...findMisspelledNames(raw), ...findBuildProblems(values), ...missing, ...problems];
}

function serverlessRules(values: Partial<Variables>, host: string | undefined): [unknown, string][] {
  if (!host) return [];
  return [
    [
      !values.TRUSTED_IP_HEADER,
      `TRUSTED_IP_HEADER: required on a serverless host (${host} is set), for example x-real-ip; ` +
        "without it all visitors would share one cooldown",
    ],
    [
      values.RECONCILE_EVERY_SECONDS,
      "RECONCILE_EVERY_SECONDS: must be 0 on a serverless host, because its functions have no timer; " +
        "let the host call /api/cron/reconcile instead",
    ],
    [
      !values.CRON_SECRET,
      "CRON_SECRET: required on a serverless host, where /api/cron/reconcile does the upkeep; " +
        "create one with openssl rand -hex 24",
    ],
    [
      !values.SITE_URL?.startsWith("https://"),
      "SITE_URL: required on a serverless host, with https://, which cookies and canonical URLs need",
    ],
    [
      values.LIKE_DELIVERY === "webhook" && (values.LIKE_WEBHOOK_TIMEOUT_MS ?? 0) > maxWebhookTimeoutMs,
      `LIKE_WEBHOOK_TIMEOUT_MS: must be ${maxWebhookTimeoutMs} or less on a serverless host, which ends a function ` +
        `after ${functionTimeoutSeconds} s (vercel.json)`,
    ],
  ];
}

/** Hosts set these variables for other programs. */
const platformNames = /^(?:REDIS|SMTP)_URI(?:_FILE)?$/;

/**
 * Finds unknown names that differ from the name of an unset setting in one character, or two in long names. A short name
 * also needs the same first word, because GCM_ID is no misspelled GTM_ID.
 */
function findMisspelledNames(raw: RawVariables): string[] {
  const known: string[] = envSchema.keyof().options;
  const unset = known.filter((name) => !raw[name]);
  return Object.keys(raw).flatMap((name) => {
    if (known.includes(name) || platformNames.test(name)) return [];
    const base = name.replace(/_FILE$/, "");
    if (known.includes(base)) return [`${name}: only secrets can be read from a file: set ${base}`];
    const edits = base.length < 12 ? 1 : 2;
    const meant = unset.find(
      (other) =>
        (edits > 1 || other.startsWith(base.replace(/_.*/, "_"))) && isWithinEdits(base, other, edits),
    );
    const ending = name.slice(base.length);
    return meant ? [`${name}: there is no such setting; did you mean ${meant}${ending}?`] : [];
  });
}

/** Returns whether `edits` characters to insert, delete, replace or swap with the next turn `a` into `b`. */
function isWithinEdits(a: string, b: string, edits: number): boolean {
  if (!a || !b) return a.length + b.length <= edits;
  const [nextA, nextB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return isWithinEdits(nextA, nextB, edits);
  const isSwapped = a[0] === nextB[0] && nextA[0] === b[0];
  return (
    edits > 0 &&
    (isWithinEdits(nextA, nextB, edits - 1) ||
      isWithinEdits(nextA, b, edits - 1) ||
      isWithinEdits(a, nextB, edits - 1) ||
      (isSwapped && isWithinEdits(a.slice(2), b.slice(2), edits - 1)))
  );
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
  const { DEPLOYMENT, LIKE_DELIVERY, POST_LOOKUP } = variables;
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
    ...(LIKE_DELIVERY === "webhook" && POST_LOOKUP === "sandbox" && DEPLOYMENT !== "trial"
      ? ["POST_LOOKUP is sandbox with live delivery: posts are samples, and pages keep the demo banner"]
      : []),
  ];
}
