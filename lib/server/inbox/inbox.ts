import "server-only";
import { createHash, randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import { inboxLimits, retention } from "@/lib/config/limits";
import { AppError, errorTable } from "@/lib/http/errors";
import { getSiteSettings } from "@/lib/server/config/env";
import type { ClientNetworks } from "@/lib/server/identity/identify-visitor";
import { sharesOf } from "@/lib/server/identity/network-shares";
import { withRedis } from "@/lib/server/redis/client";
import { inboxScripts } from "./inbox-scripts";

const prefix = "{inbox}:v1:";
const scriptKeys = [prefix, `${prefix}whole`];
const unmailedKey = `${prefix}unmailed`;
const messagePrefix = `${prefix}message:`;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const retentionMs = retention.inboxDays * dayMs;
/** How long other processes skip a message that one process is mailing. Longer than the SMTP timeouts. */
const leaseMs = 120_000;
/** Time from a failed attempt to mail a message to the next one. */
const mailPauseMs = 60_000;
/** An address may always store this much in 24 hours: more than a message of the largest size. */
const minShareBytes = 1.25 * inboxLimits.messageBytes;
/** Approximate number of messages that `list` reads at once. A message may have 48 kB. */
const pageSize = 50;

const messageSchema = z.object({
  id: z.string(),
  form: z.enum(["contact", "feedback", "issue"]),
  receivedAt: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.boolean()])),
});

export type InboxMessage = z.output<typeof messageSchema>;

export interface Submission extends Pick<InboxMessage, "form" | "fields"> {
  visitor: ClientNetworks;
  /** Hash of the visitor's Idempotency-Key, or null. */
  requestKey: string | null;
}

const storeReply = z.union([z.enum(["stored", "repeated", "key_reused", "inbox_full"]), z.number()]);

export type Inbox = ReturnType<typeof createInbox>;

/**
 * Creates the inbox of form messages. The inbox methods throw `service_unavailable` when Redis fails.
 *
 * @param mailed Whether the messages wait to be mailed
 */
export function createInbox(
  redis: Redis,
  mailed: boolean,
  limits: { [Name in keyof typeof inboxLimits]: number } = inboxLimits,
) {
  const storeScript = redis.createScript<unknown>(inboxScripts.store);
  const claimScript = redis.createScript<string | null>(inboxScripts.claim);
  const removeScript = redis.createScript<null>(inboxScripts.remove);

  /**
   * Stores a message, unless an earlier request with its Idempotency-Key has stored it. Throws an AppError if the key was used
   * for another message, and if the sender's network or all messages have no room left.
   */
  async function store(submission: Submission): Promise<void> {
    const { form, fields, visitor, requestKey } = submission;
    const message: InboxMessage = { id: randomId(), form, receivedAt: new Date().toISOString(), fields };
    const args = {
      id: message.id,
      ...sharesOf(visitor, limits.bytes / retention.inboxDays, minShareBytes),
      requestKey: requestKey ?? message.id,
      bodyHash: hashBody(submission),
      oldestDay: new Date(Date.now() - retentionMs).toISOString().slice(0, 10),
      ...{ limits, retentionMs, mailed, shareLifeMs: dayMs },
      requestLifeMs: retention.idempotencyKeyHours * hourMs,
    };
    const run = () => storeScript.exec(scriptKeys, [JSON.stringify(args), JSON.stringify(message)]);
    const reply = storeReply.parse(await withRedis("inbox store", run));
    if (reply === "key_reused") throw keyReused();
    if (reply === "stored" || reply === "repeated") return;
    const code = reply === "inbox_full" ? reply : "message_cap";
    throw new AppError(code, {
      message: errorTable[code].message.replace("us an email", `to ${getSiteSettings().supportEmail}`),
      retryAfterSeconds: reply === "inbox_full" ? hourMs / 1_000 : Math.max(1, Math.ceil(reply / 1_000)),
    });
  }

  /** Returns whether an earlier request with this Idempotency-Key stored this message. Throws if it stored another one. */
  async function hasStored(submission: Submission): Promise<boolean> {
    const { requestKey } = submission;
    if (requestKey === null) return false;
    const value = await withRedis("inbox earlier", () => redis.get<string>(`${prefix}request:${requestKey}`));
    if (value === null) return false;
    if (String(value).startsWith(`${hashBody(submission)}:`)) return true;
    throw keyReused();
  }

  async function find(id: string): Promise<InboxMessage | null> {
    const stored = await withRedis("inbox find", () => redis.get<unknown>(messagePrefix + id));
    return stored === null ? null : messageSchema.parse(stored);
  }

  /** Returns all messages, newest first. Scans all keys. */
  async function list(): Promise<InboxMessage[]> {
    const found = new Map<string, InboxMessage>();
    let cursor = "0";
    do {
      const [next, keys] = await withRedis("inbox list", () =>
        redis.scan(cursor, { match: `${messagePrefix}*`, count: pageSize }),
      );
      cursor = String(next);
      for (const message of await readAll(keys)) found.set(message.id, message);
    } while (cursor !== "0");
    return [...found.values()].sort((a, b) => b.receivedAt.localeCompare(a.receivedAt));
  }

  async function readAll(keys: string[]): Promise<InboxMessage[]> {
    if (keys.length === 0) return [];
    const stored = await withRedis("inbox read", () => redis.mget<unknown[]>(...keys));
    // MGET returns null for a message that expired after SCAN.
    return stored.filter((message) => message !== null).map((message) => messageSchema.parse(message));
  }

  async function remove(id: string): Promise<void> {
    await withRedis("inbox delete", () => removeScript.exec(scriptKeys, [JSON.stringify({ id, limits })]));
  }

  /**
   * Returns the next message to mail. Other processes then skip it for `leaseMs`. Returns null if none is due, or if the mails of
   * 24 hours are used up.
   */
  async function claimUnmailed(): Promise<InboxMessage | null> {
    for (;;) {
      const args = JSON.stringify({ dayMs, leaseMs, limits });
      const id = await withRedis("inbox claim", () => claimScript.exec(scriptKeys, [args]));
      if (!id) return null;
      const message = await find(String(id));
      if (message) return message;
      await markMailed(String(id));
    }
  }

  async function markMailed(id: string): Promise<void> {
    await withRedis("inbox mailed", () => redis.zrem(unmailedKey, id));
  }

  /** Ends the lease of a failed attempt, and gives back its mail: an outage of the mail server must not use up a day's mails. */
  async function returnMail(id: string): Promise<void> {
    const next = { score: Date.now() + mailPauseMs, member: id };
    await withRedis("inbox mail", () => redis.zrem(`${prefix}mails-taken`, id));
    await withRedis("inbox mail", () => redis.zadd(unmailedKey, { xx: true }, next));
  }

  /** Returns the number of messages that are not mailed yet, including messages that a process is mailing. */
  async function countUnmailed(): Promise<number> {
    return withRedis("inbox count", () => redis.zcard(unmailedKey));
  }

  return { store, hasStored, find, list, remove, claimUnmailed, markMailed, returnMail, countUnmailed };
}

function hashBody({ form, fields }: Submission): string {
  return createHash("sha256")
    .update(JSON.stringify([form, fields]))
    .digest("base64url");
}

function keyReused(): AppError {
  const message = "This request was already used for another message.";
  return new AppError("idempotency_key_reused", { message });
}

/** Starts with a letter, because the Redis client would parse an id of only digits as a number. */
function randomId(): string {
  return `m${randomBytes(9).toString("base64url")}`;
}
