/** Default limits of the product. Environment variables override some limits (lib/server/config/env.ts). */
export const limits = {
  likesPerRequest: 50,
  /** Four hours. The cooldown starts when the delivery service accepts an order for likes. */
  cooldownSeconds: 14_400,
  maxRequestsPerDay: 6,
  /** 3 % (`networkShares.address`) of the 2,000 orders per day that `dailyLikeLimit` allows. */
  maxRequestsPerAddressPerDay: 60,
  dailyLikeLimit: 100_000,
  /** Post lookups of all visitors. Without a token, Meta allows 1,000 per hour. */
  lookupsPerHour: 1_000,
  flowLifetimeSeconds: 3_600,
  /** Maximum clock difference between servers. Timestamps may be this far in the future. */
  clockToleranceSeconds: 60,
  /** The longest report needs about 75,000 if its JSON has six bytes for each character. */
  bodyBytes: 81_920,
  bodySeconds: 10,
} as const;

/**
 * Pace of a day, in percent of the daily limit (docs/decisions/0008-paced-day.md). `start + slope * t` may be used at time
 * t, where t is the part of the GMT day that is over.
 */
export const pacing = {
  start: 70,
  /** The pace reaches the whole limit at 18:00 GMT. */
  slope: 40,
  /** Percentage of the pace for all addresses together that had an order in the last 24 hours. */
  returningShare: 25,
} as const;

/** The server cuts a longer User-Agent. Those of in-app browsers have up to 450 characters. */
export const maxUserAgentLength = 512;

/** Limits of the inbox for form messages. The inbox then uses at most about 65 MB in Redis. */
export const inboxLimits = {
  messages: 10_000,
  bytes: 48_000_000,
  /** Every message is smaller: `fieldLimits` allow 47,000 bytes for the texts of a report. */
  messageBytes: 48_000,
  /** Maximum mails in 24 hours. Further messages wait for their mail. */
  mailsPerDay: 100,
} as const;

/**
 * Percentage of a shared resource that one network may use: orders of a day, lookups of an hour, bytes of messages
 * (docs/decisions/0007-caps-and-shares.md).
 */
export const networkShares = {
  address: 3,
  "IPv6 /56": 4.5,
  "IPv6 /48": 9,
  "IPv4 /24": 12,
  "IPv6 /32": 25,
} as const;

export type NetworkKind = Exclude<keyof typeof networkShares, "address">;

/** Retention periods of records in Redis. The server applies them, and the privacy policy shows them. */
export const retention = {
  /** Redis deletes an order record that has not changed for this time. */
  orderDays: 30,
  /** The server closes an order ("abandoned") if the delivery result is still unknown after this time. */
  openOrderHours: 24,
  /** During this time, a repeated request with the same Idempotency-Key has no second effect. */
  idempotencyKeyHours: 24,
  /** Retention of form messages. */
  inboxDays: 30,
  /** Retention of a day's total of likes. A refusal on a later day subtracts its likes from this total. */
  budgetDays: 3,
  /** The server remembers each used captcha token for at most this time. Every token expires earlier. */
  captchaUseMinutes: 25,
  notFoundDays: 30,
  /** Length of the time window in which the rate limits count the requests of an address. */
  rateLimitWindowMinutes: 1,
  /** Retention of the lookup count of a flow. Must exceed the flow lifetime plus the clock tolerance. */
  lookupCountMinutes: 65,
  /** Maximum pause of post lookups after the lookup provider reports that we reached its rate limit. */
  lookupPauseMinutes: 60,
} as const;

/** Cookies of the flow and of the waiting time. A flow's cookies begin with this name and "-". */
export const flowCookieName = "flow";
export const rateLimitCookieName = "rate-limit";

/** Cookie with the visitor's choice about analytics and ads. Without these features, no cookie is set. */
export const consentCookie = { name: "consent", days: 182 } as const;

/** Cookie with a text from the device's share menu. The link field on the home page shows this text. */
export const sharedTextCookieName = "shared-text";
/** Lifetime of the shared-text cookie. The script that reads the cookie must load within this time. */
export const sharedTextCookieSeconds = 60;

/** Maximum lengths of form fields, in characters as readers count them. The limits prevent abuse. */
export const fieldLimits = {
  name: 100,
  email: 254,
  subject: 200,
  message: 5_000,
  reference: 100,
  link: 1_500,
} as const;

/** Timing of the user interface. */
export const timing = {
  countdownTickMs: 1_000,
  meterPollMs: 30_000,
  dailyUsagePollMs: 60_000,
  navigationDelayMs: 500,
  progressTickMs: 100,
  progressMinMs: 10_000,
  progressMaxMs: 20_000,
  progressEndDelayMs: 500,
  /** Time between the acceptance and the next page, as long as the animation of the dots in app/globals.css. */
  acceptedMs: 1_150,
  toastMs: 5_000,
} as const;
