/** Default limits of the product. Some environment variables override them: lib/server/config/env.ts. */
export const limits = {
  likesPerRequest: 50,
  /** Four hours, counted from the acceptance of an order. */
  cooldownSeconds: 14_400,
  maxRequestsPerDay: 6,
  /** Equals `networkShares.address` percent of the orders of a day with the default like limit. */
  maxRequestsPerAddressPerDay: 60,
  dailyLikeLimit: 100_000,
  flowLifetimeSeconds: 3_600,
  /** Accepted clock difference between servers: a cookie or challenge may have a timestamp in the future. */
  clockToleranceSeconds: 60,
  /** Maximum number of visited paths in the flow cookie, because browsers limit a cookie to 4,096 bytes. */
  visitedSequenceLength: 10,
  bodyBytes: 16_384,
  bodySeconds: 10,
} as const;

/** Limits of the form inbox: about 20 MB of Redis memory, so that enough memory remains for the ledger. */
export const inboxLimits = {
  messagesPerAddressPerDay: 20,
  messages: 10_000,
  bytes: 16_000_000,
} as const;

/** Maximum share of a day's orders per network, in percent. See docs/decisions/0014-caps-by-network.md. */
export const networkShares = {
  address: 3,
  "IPv6 /56": 4.5,
  "IPv6 /48": 9,
  "IPv4 /24": 12,
  "IPv6 /32": 25,
} as const;

export type NetworkKind = Exclude<keyof typeof networkShares, "address">;

/** Retention periods of stored records. The server applies them, and the privacy policy shows them. */
export const retention = {
  /** An order record, counted from its last change. */
  orderDays: 30,
  /** An order with an unknown outcome; the server abandons the order after this time. */
  openOrderHours: 24,
  /** The response to a request with an Idempotency-Key, so that a retry has no second effect. */
  idempotencyKeyHours: 24,
  /** Form messages; INBOX_RETENTION_DAYS overrides the default. */
  inboxDays: 30,
  /** The number of likes charged on a day; a refund may follow on the next day. */
  budgetDays: 3,
  /** A used captcha token; longer than the lifetime of any token, so that no token works twice. */
  captchaUseMinutes: 25,
  notFoundDays: 30,
  /** The number of requests from an address: the rate limit window. */
  rateLimitWindowMinutes: 1,
  /** The number of post lookups of a flow; longer than the flow lifetime plus the clock tolerance. */
  lookupCountMinutes: 65,
  /** Maximum pause after the lookup provider reports a rate limit. */
  lookupPauseMinutes: 60,
} as const;

/** Cookie with the visitor's consent to tags and ads. Sites without tags and ads do not use the cookie. */
export const consentCookie = { name: "consent", days: 182 } as const;

/** Cookie that carries a shared text from the device's share menu to the link field on the home page. */
export const sharedTextCookieName = "shared-text";
/** Lifetime of the shared-text cookie, long enough for a slow page script to load and read it. */
export const sharedTextCookieSeconds = 60;

/** Maximum lengths of form fields, in characters. The limits only prevent abuse. */
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
