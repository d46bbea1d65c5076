import "server-only";
import { z } from "zod";
import { sampleSupportEmail } from "@/lib/config/build-settings";
import { isLoopback } from "@/lib/http/loopback";
import type { Variables } from "./env-schema";

/* Settings of each service, by its kind. env-schema.ts checks the format of the values before. */

const neededFor = (choice: string, name: keyof Variables) => z.string(`${name}: needed for ${choice}`);

const redis = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("tcp"),
    url: z.string("REDIS_URL: this setting, or both UPSTASH_REDIS_REST_* settings, are required"),
    sentinels: z.array(z.string()).optional(),
  }),
  z.object({
    kind: z.literal("rest"),
    url: neededFor("Redis over REST", "UPSTASH_REDIS_REST_URL"),
    token: neededFor("Redis over REST", "UPSTASH_REDIS_REST_TOKEN"),
  }),
]);

const remoteCaptcha = <Provider extends "recaptcha" | "turnstile">(provider: Provider) =>
  z.object({
    provider: z.literal(provider),
    siteKey: neededFor(`CAPTCHA_PROVIDER=${provider}`, "CAPTCHA_SITE_KEY"),
    secretKey: neededFor(`CAPTCHA_PROVIDER=${provider}`, "CAPTCHA_SECRET_KEY"),
    verifyUrl: z.string().optional(),
    hostnames: z.array(z.string()),
    allowLoopback: z.boolean(),
  });

const captcha = z.discriminatedUnion("provider", [
  z.object({
    provider: z.literal("altcha"),
    siteKey: z.string().optional(),
    secretKey: z.string().min(32, "CAPTCHA_SECRET_KEY: must have 32 characters or more").optional(),
    cost: z.number(),
  }),
  remoteCaptcha("recaptcha"),
  remoteCaptcha("turnstile"),
]);

const postLookup = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sandbox") }),
  z.object({ kind: z.literal("oembed"), url: z.string(), token: z.string().optional() }),
  z.object({
    kind: z.literal("http"),
    url: neededFor("POST_LOOKUP=http", "POST_LOOKUP_URL"),
    secret: neededFor("POST_LOOKUP=http", "POST_LOOKUP_SECRET"),
    imageHosts: z.array(z.string()),
  }),
]);

const delivery = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("dry-run") }),
  z.object({
    kind: z.literal("webhook"),
    url: neededFor("LIKE_DELIVERY=webhook", "LIKE_WEBHOOK_URL"),
    secret: neededFor("LIKE_DELIVERY=webhook", "LIKE_WEBHOOK_SECRET"),
    timeoutMs: z.number(),
  }),
]);

const mail = z
  .object({
    smtpUrl: neededFor("mail, as MAIL_FROM is", "SMTP_URL"),
    from: neededFor("mail, as SMTP_URL is", "MAIL_FROM"),
    to: neededFor("mail: your address instead of the sample", "SUPPORT_EMAIL"),
  })
  .nullable();

/** Settings of all services. Each error message begins with the name of its variable. */
export const providersSchema = z.object({ redis, captcha, postLookup, delivery, mail });

/** Arranges valid variables for `providersSchema`. Missing values are undefined. */
export function toProviderInput(values: Partial<Variables>): object {
  const { REDIS_URL, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN } = values;
  const isRest = !REDIS_URL && (UPSTASH_REDIS_REST_URL ?? UPSTASH_REDIS_REST_TOKEN) !== undefined;
  const isOembed = values.POST_LOOKUP === "oembed";
  const { hostname } = new URL(values.SITE_URL ?? "http://localhost");
  const { SMTP_URL, MAIL_FROM, SUPPORT_EMAIL } = values;
  const to = SUPPORT_EMAIL === sampleSupportEmail ? undefined : SUPPORT_EMAIL;
  return {
    redis: {
      kind: isRest ? "rest" : "tcp",
      url: isRest ? UPSTASH_REDIS_REST_URL : REDIS_URL,
      token: UPSTASH_REDIS_REST_TOKEN,
      sentinels: values.REDIS_SENTINELS,
    },
    captcha: {
      provider: values.CAPTCHA_PROVIDER,
      siteKey: values.CAPTCHA_SITE_KEY,
      secretKey: values.CAPTCHA_SECRET_KEY,
      cost: values.ALTCHA_COST,
      verifyUrl: values.CAPTCHA_VERIFY_URL,
      hostnames: values.CAPTCHA_HOSTNAMES ?? [hostname],
      allowLoopback: values.CAPTCHA_HOSTNAMES === undefined && isLoopback(hostname),
    },
    postLookup: {
      kind: values.POST_LOOKUP,
      url: isOembed ? values.META_OEMBED_URL : values.POST_LOOKUP_URL,
      token: values.META_OEMBED_TOKEN,
      secret: values.POST_LOOKUP_SECRET,
      imageHosts: values.POST_LOOKUP_IMAGE_HOSTS,
    },
    delivery: {
      kind: values.LIKE_DELIVERY,
      url: values.LIKE_WEBHOOK_URL,
      secret: values.LIKE_WEBHOOK_SECRET,
      timeoutMs: values.LIKE_WEBHOOK_TIMEOUT_MS,
    },
    mail: (SMTP_URL ?? MAIL_FROM) ? { smtpUrl: SMTP_URL, from: MAIL_FROM, to } : null,
  };
}
