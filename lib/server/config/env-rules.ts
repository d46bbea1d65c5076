import "server-only";
import { isDeepStrictEqual } from "node:util";
import {
  adContradictions,
  buildSettingNames,
  demoModeOf,
  type BuildSettings,
} from "@/lib/config/build-settings";
import { functionSeconds, longestWebhookTimeoutMs, serverlessHost } from "@/lib/config/deployment";
import type { RawVariables } from "@/lib/config/parse-variables";
import { isLoopback } from "@/lib/http/loopback";
import { isTestSecretKey, isTestSiteKey } from "@/lib/config/captcha-test-keys";
import type { Variables } from "./env-variables";

/* What the variables mean together. */

/** What contradicts each other, or the law of live delivery, or the build, among the variables as they were given. */
export function contradictions(given: RawVariables, build: BuildSettings | undefined): string[] {
  const { LIKE_DELIVERY: delivery = "dry-run", CAPTCHA_PROVIDER: captcha = "altcha" } = given;
  const live = delivery === "webhook";
  const serverless = serverlessHost(given);
  const { CAPTCHA_SITE_KEY: siteKey = "", CAPTCHA_SECRET_KEY: secretKey = "" } = given;
  const mail = ["SMTP_URL", "MAIL_FROM", "INBOX_EMAIL"];
  const rest = ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"];
  const all = (...names: string[]) => names.every((name) => given[name]);
  const any = (...names: string[]) => names.some((name) => given[name]);
  const rules: [broken: boolean, problem: string][] = [
    [
      all("TRUSTED_IP_HEADER") && Number(given.TRUSTED_PROXY_HOPS) > 0,
      "TRUSTED_IP_HEADER and TRUSTED_PROXY_HOPS exclude each other: set the one your proxy provides",
    ],
    [
      serverless !== undefined && !given.TRUSTED_IP_HEADER,
      `TRUSTED_IP_HEADER: required on a serverless host (${serverless} is set), for example x-real-ip; ` +
        "without it all visitors would share one cooldown",
    ],
    [
      serverless !== undefined && Number(given.RECONCILE_EVERY_SECONDS) > 0,
      "RECONCILE_EVERY_SECONDS: must be 0 on a serverless host, whose functions have no timer: it calls " +
        "/api/cron/reconcile instead",
    ],
    [
      serverless !== undefined && !given.CRON_SECRET,
      "CRON_SECRET: required on a serverless host: without /api/cron/reconcile nobody finishes pending orders; " +
        "openssl rand -hex 24 makes one",
    ],
    [
      serverless !== undefined && !given.SITE_URL?.startsWith("https://"),
      "SITE_URL: required on a serverless host, with https://, since cookies and canonical addresses follow it",
    ],
    [
      serverless !== undefined && live && Number(given.LIKE_WEBHOOK_TIMEOUT_MS) > longestWebhookTimeoutMs,
      `LIKE_WEBHOOK_TIMEOUT_MS: must be ${longestWebhookTimeoutMs} or less on a serverless host, which ends a function ` +
        `after ${functionSeconds} s (vercel.json)`,
    ],
    [any(...mail) && !all(...mail), "SMTP_URL, MAIL_FROM and INBOX_EMAIL: set all three, or none"],
    [
      all("REDIS_URL") && any(...rest),
      "REDIS_URL and UPSTASH_REDIS_REST_URL/_TOKEN exclude each other: set one kind",
    ],
    [
      !given.REDIS_URL && !any(...rest),
      "REDIS_URL, or UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: one kind of Redis is required",
    ],
    [
      all("REDIS_SENTINELS", "REDIS_CLUSTER_NODES"),
      "REDIS_SENTINELS and REDIS_CLUSTER_NODES exclude each other: a cluster needs no sentinels",
    ],
    [
      any("REDIS_SENTINELS", "REDIS_CLUSTER_NODES") && !given.REDIS_URL,
      "REDIS_SENTINELS and REDIS_CLUSTER_NODES stand beside a REDIS_URL, which says user, password and TLS",
    ],
    [
      all("REDIS_SENTINELS") && /:\d+(?:\/\d*)?$/.test(given.REDIS_URL ?? ""),
      "REDIS_URL: beside REDIS_SENTINELS the host is the primary's name at the sentinels, and has no port",
    ],
    [
      all("REDIS_CLUSTER_NODES") && /\/0*[1-9]\d*$/.test(given.REDIS_URL ?? ""),
      "REDIS_URL: a cluster has database 0 alone; take the number out",
    ],
    [
      all("REDIS_CLUSTER_NODES") && /[/@]/.test(given.REDIS_CLUSTER_NODES ?? ""),
      "REDIS_CLUSTER_NODES: host:port alone; scheme, user and password are those of REDIS_URL",
    ],
    [
      !given.REDIS_URL && any(...rest) && !all(...rest),
      "UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN: both are needed",
    ],
    [
      given.POST_LOOKUP === "http" && !all("POST_LOOKUP_URL", "POST_LOOKUP_SECRET"),
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
      live && !given.LIKE_DELIVERY_ACKNOWLEDGED,
      "LIKE_DELIVERY_ACKNOWLEDGED: live delivery needs the value yes, your statement that the likes come from real, " +
        "consenting people and that the platform's terms and the law allow it (in the United States 16 CFR 465.8 " +
        "forbids selling or distributing fake indicators of social-media influence; in the European Union Directive " +
        "2005/29/EC, Annex I, 23c, forbids false endorsements)",
    ],
    [
      live && (given.CAPTCHA_MODE === "dev" || given.CAPTCHA_MODE === "bypass"),
      `CAPTCHA_MODE: ${given.CAPTCHA_MODE} is for development; live delivery starts only with enforce`,
    ],
    // Public test keys let everybody through, robots included: not where likes are really ordered.
    [live && captcha !== "altcha" && isTestSiteKey(siteKey), testKey("CAPTCHA_SITE_KEY")],
    [live && captcha !== "altcha" && isTestSecretKey(secretKey), testKey("CAPTCHA_SECRET_KEY")],
    // Its pages say that orders stay on this machine, and that no likes are sent.
    [
      given.DEPLOYMENT === "trial" && !(live && isOnThisMachine(given.LIKE_WEBHOOK_URL)),
      "DEPLOYMENT: a trial delivers to a service on this machine alone (LIKE_DELIVERY=webhook, LIKE_WEBHOOK_URL at " +
        "127.0.0.1): npm run quickstart -- --live starts one; rebuild for anything else",
    ],
    [
      build !== undefined && demoModeOf(build) === null && given.DEPLOYMENT === "trial",
      "DEPLOYMENT: this build was made for live delivery and hides the demo banner; rebuild for a trial",
    ],
    // Serving them with dry-run would claim likes that nobody sends.
    [
      build !== undefined && demoModeOf(build) === null && delivery === "dry-run",
      "LIKE_DELIVERY: this build was made for live delivery and hides the demo banner; rebuild for dry-run",
    ],
  ];
  return [...adContradictions(given), ...rules.flatMap(([broken, problem]) => (broken ? [problem] : []))];
}

function isOnThisMachine(address = ""): boolean {
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
}

const testKey = (name: string) =>
  `${name}: this is the provider's public test key, which checks nobody; live delivery needs your own`;

/** Settings that one lookup alone uses: given for another one, somebody believes to run what does not run. */
const lookupOfSetting = {
  META_OEMBED_TOKEN: "oembed",
  POST_LOOKUP_URL: "http",
  POST_LOOKUP_SECRET: "http",
  POST_LOOKUP_IMAGE_HOSTS: "http",
};

/** What is odd, and yet may run: for the log. */
export function warningsOf(variables: Variables, given: RawVariables, build: BuildSettings): string[] {
  const { DEPLOYMENT, LIKE_DELIVERY, POST_LOOKUP, METRICS_TOKEN } = variables;
  const serverless = serverlessHost(given);
  const changed = buildSettingNames.filter((name) => !isDeepStrictEqual(variables[name], build[name]));
  const unused = Object.entries(lookupOfSetting).filter(
    ([name, lookup]) => given[name] && POST_LOOKUP !== lookup,
  );
  return [
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
