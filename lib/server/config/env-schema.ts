import "server-only";
import { z } from "zod";
import { buildSettingsSchema, emailSchema } from "@/lib/config/build-settings";
import { limits } from "@/lib/config/limits";
import { httpUrlSchema, integerSchema, listSchema } from "@/lib/config/variable-schemas";
import { altchaDifficulty, maxAltchaCost } from "@/lib/config/captcha";
import { tryParseRedisAddress, defaultSentinelPort } from "@/lib/config/redis-address";

const bearerToken = z.string().regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters without spaces");

/** Schema of a Redis URL. Error messages never quote the URL, because the URL may contain a password. */
const redisUrl = z.string().superRefine((text, context) => {
  const address = text.includes("://")
    ? tryParseRedisAddress(text)
    : "must be a redis:// or rediss:// address";
  if (typeof address === "string") context.addIssue({ code: "custom", message: address });
});

/** Returns the schema of a list of Redis addresses. All addresses need the same scheme, user and password. */
const redisAddresses = (defaultPort: number) =>
  listSchema
    .superRefine((list, context) => {
      const addresses = list.map((text) => tryParseRedisAddress(text, defaultPort));
      const problem = addresses.find((address) => typeof address === "string");
      const credentials = addresses.map((address) =>
        typeof address === "string" ? "" : [address.tls, address.username, address.password].join("\n"),
      );
      if (problem)
        context.addIssue({ code: "custom", message: `must be a list of host:port; one of them ${problem}` });
      else if (new Set(credentials).size > 1)
        context.addIssue({ code: "custom", message: "must all have the same scheme, user and password" });
    })
    .optional();

const secretList = z
  .string({ error: "is required: a random text of 32 characters or more (local runs create one)" })
  .pipe(listSchema)
  .refine(
    (list) => list.every((secret) => secret.length >= 32),
    "every secret must have 32 characters or more",
  );

const hostnameList = listSchema
  .transform((names) => names.map((name) => name.toLowerCase()))
  .refine(
    (list) =>
      list.every((name) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name),
    "must be a comma-separated list of host names, without scheme, port or path",
  );

/** Names, formats and defaults of all environment variables. env-rules.ts checks their combinations. */
export const envSchema = buildSettingsSchema.extend({
  SESSION_SECRET: secretList,
  VISITOR_HASH_SECRET: secretList,
  REDIS_URL: redisUrl.optional(),
  REDIS_SENTINELS: redisAddresses(defaultSentinelPort),
  UPSTASH_REDIS_REST_URL: httpUrlSchema.optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  DAILY_LIKE_LIMIT: integerSchema(limits.dailyLikeLimit, limits.likesPerRequest),
  MAX_REQUESTS_PER_IP_PER_DAY: integerSchema(0, 1, 100_000).unwrap().optional(),
  DAILY_PACING: z.enum(["on", "off"], { error: "must be on or off" }).default("off"),
  TRUSTED_IP_HEADER: z
    .string()
    .regex(/^[a-z0-9-]+$/i, "must be a header name")
    .transform((name) => name.toLowerCase())
    .refine(
      (name) => name !== "x-forwarded-for",
      "must not be x-forwarded-for, because visitors can write its first entries: set TRUSTED_PROXY_HOPS " +
        "to the number of your proxies instead",
    )
    .optional(),
  TRUSTED_PROXY_HOPS: integerSchema(0, 0, 10),
  CAPTCHA_SITE_KEY: z.string().optional(),
  CAPTCHA_SECRET_KEY: z.string().optional(),
  ALTCHA_COST: integerSchema(altchaDifficulty.cost, 1, maxAltchaCost),
  CAPTCHA_VERIFY_URL: httpUrlSchema.optional(),
  CAPTCHA_HOSTNAMES: hostnameList.optional(),
  CAPTCHA_MODE: z
    .enum(["enforce", "dev", "bypass"], { error: "must be enforce, dev or bypass" })
    .default("enforce"),
  CAPTCHA_ON_PROVIDER_ERROR: z.enum(["deny", "allow"], { error: "must be deny or allow" }).default("deny"),
  META_OEMBED_URL: httpUrlSchema.default("https://graph.facebook.com/v26.0/instagram_oembed"),
  META_OEMBED_TOKEN: bearerToken.optional(),
  POST_LOOKUP_URL: httpUrlSchema.optional(),
  POST_LOOKUP_SECRET: bearerToken.min(16, "must have 16 characters or more").optional(),
  LIKE_WEBHOOK_URL: httpUrlSchema.optional(),
  LIKE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "must be whsec_ and at least 24 bytes of base64")
    .optional(),
  LIKE_WEBHOOK_TIMEOUT_MS: integerSchema(8_000, 100, 60_000),
  LIKE_DELIVERY_ACKNOWLEDGED: z.literal("yes", { error: "must be yes, or unset" }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" }).optional(),
  MAIL_FROM: emailSchema.optional(),
  RECONCILE_EVERY_SECONDS: integerSchema(60, 0, 86_400),
  KEEP_ALIVE_SECONDS: integerSchema(75, 1, 86_400),
  CRON_SECRET: bearerToken.min(16, "must have 16 characters or more").optional(),
  HEALTH_TOKEN: bearerToken.min(16, "must have 16 characters or more").optional(),
  /** Seconds from an accepted request for likes to the next. The pages always say 4 hours. */
  TEST_COOLDOWN_SECONDS: integerSchema(limits.cooldownSeconds, 1, 86_400),
  /** Factor for the rate limits of an IP address. */
  TEST_RATE_LIMIT_SCALE: integerSchema(1, 1, 1_000_000),
});

/** Settings that only tests need. The server warns about them on a site with https. */
export const testSettings = ["TEST_COOLDOWN_SECONDS", "TEST_RATE_LIMIT_SCALE"] as const;

export type Variables = z.output<typeof envSchema>;
