import "server-only";
import { z } from "zod";
import type { BuildSettings } from "@/lib/build-settings";
import { limits } from "@/lib/limits";
import { altchaDifficulty, maxAltchaCost } from "./captcha/difficulty";

/* Every variable's name, form and default, each on its own; what they mean together is in env-rules.ts. */

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

const adUnit = z
  .string()
  .regex(/^\d{5,20}$/, "must be the number of an ad unit")
  .optional();

const schema = z.object({
  SITE_URL: webAddress
    .refine(
      (text) => URL.canParse(text) && new URL(text).origin === text.replace(/\/$/, ""),
      "must be an origin: no path, no query",
    )
    .default("http://localhost:3000"),
  SITE_NAME: z
    .string()
    .max(60, "must have 60 characters or less")
    // It stands in scripts of data, where a "<" could end them.
    .regex(/^[^<>\p{Cc}]+$/u, "must be one line without < and >")
    .default("Boost50"),
  SUPPORT_EMAIL: z.email("must be an e-mail address").default("support@example.com"),
  SECURITY_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https$/ })], {
      error: "must be an e-mail address or an https address",
    })
    .optional(),
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
  ALTCHA_COST: wholeNumber(altchaDifficulty.cost, 1, maxAltchaCost),
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
  PIN_PAGES: z.enum(["yes", "no"], { error: "must be yes or no" }).default("yes"),
  GTM_ID: z
    .string()
    .regex(/^GTM-[A-Z0-9]{4,}$/, "must be a container's id, such as GTM-ABC1234")
    .optional(),
  ADS_CLIENT: z
    .string()
    .regex(/^ca-pub-\d{10,20}$/, "must be a publisher's id, such as ca-pub-1234567890123456")
    .optional(),
  ADS_SLOT_HEADER: adUnit,
  ADS_SLOT_TOOL: adUnit,
  RECONCILE_EVERY_SECONDS: wholeNumber(60, 0, 86_400),
  CRON_SECRET: z.string().min(16, "must have 16 characters or more").optional(),
  HEALTH_TOKEN: z.string().min(16, "must have 16 characters or more").optional(),
});

const siteSchema = schema.pick({
  SITE_URL: true,
  SITE_NAME: true,
  SUPPORT_EMAIL: true,
  SECURITY_CONTACT: true,
  CAPTCHA_PROVIDER: true,
  INBOX_RETENTION_DAYS: true,
  GTM_ID: true,
  ADS_CLIENT: true,
  ADS_SLOT_HEADER: true,
  ADS_SLOT_TOOL: true,
});

/** What pages show of the build's settings. Throws with the whole list of what is wrong, which fails the build. */
export function parseSiteVariables(build: BuildSettings): z.output<typeof siteSchema> {
  const parsed = siteSchema.safeParse(build);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new Error(`Configuration of the build:\n${problems.join("\n")}`);
}

/** The variables, each valid on its own. */
export type Variables = z.output<typeof schema>;

/** Each variable on its own, so that one wrong value does not hide the next. What is wrong is left out of the result. */
export function parseVariables(given: Record<string, string>): {
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

/** True when no variable was left out. */
export function isComplete(variables: Partial<Variables>): variables is Variables {
  return Object.keys(schema.shape).every((name) => name in variables);
}
