/** The product's own numbers. What a deployer may change stands in lib/server/config/env.ts, with these as defaults. */
export const limits = {
  likesPerRequest: 50,
  /** Four hours from the moment of acceptance. */
  cooldownSeconds: 14_400,
  maxRequestsPerDay: 6,
  /** The address's share (networkShares) of the default day. */
  maxRequestsPerAddressPerDay: 60,
  dailyLikeLimit: 100_000,
  /** From the captcha check to the last step. */
  flowLifetimeSeconds: 3_600,
  /** How far a cookie or challenge may come from the future: servers' clocks differ a little. */
  clockToleranceSeconds: 60,
  /** The visited sequence in the flow cookie; bounded because a cookie holds 4,096 bytes. */
  visitedSequenceLength: 10,
  bodyBytes: 16_384,
  /** For a body to arrive. */
  bodySeconds: 10,
} as const;

/**
 * What the inbox of the forms has room for, so that nobody fills the memory that the ledger needs: an office behind one
 * address, a month of letters, and with them at most some 20 MB of Redis.
 */
export const inboxLimits = {
  messagesPerAddressPerDay: 20,
  messages: 10_000,
  bytes: 16_000_000,
} as const;

/**
 * The part of a day's orders that one network may get, in percent. One line of a household or a rented server is far more
 * than one address, so networks count side by side: an IPv4 address in its /24; an IPv6 /64, which counts as one address,
 * in its /56, /48 and /32.
 */
export const networkShares = {
  /** An IPv4 address, or an IPv6 /64. */
  address: 3,
  "IPv6 /56": 4.5,
  "IPv6 /48": 9,
  "IPv4 /24": 12,
  "IPv6 /32": 25,
} as const;

/** A network wider than an address. */
export type NetworkKind = Exclude<keyof typeof networkShares, "address">;

/** How long records are kept: the server keeps to it, and the privacy policy says it. */
export const retention = {
  /** The record of an order, after its last change. */
  orderDays: 30,
  /** An order whose outcome is still unknown after this long is abandoned. */
  openOrderHours: 24,
  /** What a request was answered, so that a repetition of it counts once. */
  idempotencyKeyHours: 24,
  /** Messages of the forms, unless the deployer says otherwise. */
  inboxDays: 30,
  /** The likes charged on a day; a charge may be given back on the day after. */
  budgetDays: 3,
  /** That a captcha token was used: longer than the longest-lived of them could be replayed. */
  captchaUseMinutes: 25,
  /** Counts of unknown paths. */
  notFoundDays: 30,
  /** How many requests came from an address. */
  burstMinutes: 1,
  /** How often a flow's post was looked up: longer than a flow can last, on servers whose clocks differ. */
  lookupCountMinutes: 65,
  /** That the lookup provider asked us to pause, at most. */
  lookupPauseMinutes: 60,
} as const;

/** The cookie that remembers a visitor's choice about tags and ads. It exists only where there is a choice. */
export const consentCookie = { name: "consent", days: 182 } as const;

/** The cookie that carries a text from the device's share menu to the link field, which reads and deletes it. */
export const sharedTextCookieName = "shared-text";
/** How long it waits for a page whose script is slow to come. */
export const sharedTextSeconds = 60;

/** Lengths of what people type: upper bounds that nobody meets, against abuse. */
export const fieldLimits = {
  name: 100,
  email: 254,
  subject: 200,
  message: 5_000,
  link: 500,
} as const;

/** Times of the interface, from the specification of the product. */
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
