/** Default limits of the product. Some environment variables override them: lib/server/config/env.ts. */
export const limits = {
  likesPerRequest: 50,
  /** Four hours. The cooldown starts when the delivery service accepts an order. */
  cooldownSeconds: 14_400,
  maxRequestsPerDay: 6,
  /** `networkShares.address` (3 %) of the 2,000 orders that the default daily limit allows. */
  maxRequestsPerAddressPerDay: 60,
  dailyLikeLimit: 100_000,
  flowLifetimeSeconds: 3_600,
  /** Maximum clock difference between servers. A timestamp may be this far in the future. */
  clockToleranceSeconds: 60,
  /** Maximum number of visited paths in the flow cookie, because browsers limit a cookie to 4,096 bytes. */
  visitedSequenceLength: 10,
  bodyBytes: 16_384,
  bodySeconds: 10,
} as const;

/** Limits of the form inbox. With these limits, the inbox uses at most about 20 MB of Redis memory. */
export const inboxLimits = {
  messagesPerAddressPerDay: 20,
  messages: 10_000,
  bytes: 16_000_000,
} as const;

/** Percentage of a day's orders that one network may use (docs/decisions/0014-caps-by-network.md). */
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
  /** Redis deletes an order record when it has not changed for this time. */
  orderDays: 30,
  /** The server abandons an order when its result is still unknown after this time. */
  openOrderHours: 24,
  /** Time in which a second request with the same Idempotency-Key has no second effect. */
  idempotencyKeyHours: 24,
  /** Retention of form messages. INBOX_RETENTION_DAYS overrides this default. */
  inboxDays: 30,
  /** Retention of the number of likes charged on a day. A refused order can reduce the number a day later. */
  budgetDays: 3,
  /** Maximum time for which the server remembers a used captcha token. Every token expires earlier. */
  captchaUseMinutes: 25,
  notFoundDays: 30,
  /** Length of the time window in which the rate limits count the requests of an address. */
  rateLimitWindowMinutes: 1,
  /** Retention of the number of post lookups in a flow. It exceeds flow lifetime plus clock tolerance. */
  lookupCountMinutes: 65,
  /** Maximum time without post lookups after the lookup provider reports that its rate limit is reached. */
  lookupPauseMinutes: 60,
} as const;

/** Cookie with the visitor's choice about analytics and ads. A site with neither does not use this cookie. */
export const consentCookie = { name: "consent", days: 182 } as const;

/** Cookie that brings a text from the device's share menu to the link field on the home page. */
export const sharedTextCookieName = "shared-text";
/** Lifetime of the shared-text cookie. The script that reads the cookie must load in this time. */
export const sharedTextCookieSeconds = 60;

/** Maximum lengths of form fields, in characters. The limits prevent abuse. */
export const fieldLimits = {
  name: 100,
  email: 254,
  subject: 200,
  message: 5_000,
  link: 500,
} as const;

/** Timing of the user interface, from the product specification. */
export const timing = {
  countdownTickMs: 1_000,
  meterPollMs: 30_000,
  dailyUsagePollMs: 60_000,
  navigationDelayMs: 500,
  progressTickMs: 100,
  progressMinMs: 10_000,
  progressMaxMs: 20_000,
  progressEndDelayMs: 500,
  toastMs: 5_000,
} as const;
