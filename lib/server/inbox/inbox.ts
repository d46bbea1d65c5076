import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import { inboxLimits, retention } from "@/lib/config/limits";
import type { VisitorIdentity } from "@/lib/server/identity/identify-visitor";
import { sharesOf } from "@/lib/server/identity/network-shares";
import { withRedis } from "@/lib/server/redis/client";
import { inboxScripts } from "./inbox-scripts";

const prefix = "{inbox}:v1:";
const scriptKeys = [prefix, `${prefix}whole`];
const unmailedKey = `${prefix}unmailed`;
const messagePrefix = `${prefix}message:`;
const messageKey = (id: string) => `${messagePrefix}${id}`;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long other processes skip a message that one process is mailing. Longer than the SMTP timeouts. */
const mailLeaseMs = 120_000;
/** Time from a failed attempt to mail a message to the next one. */
const mailPauseMs = 60_000;
/** Time between two digests. */
const digestPauseMs = hourMs;
/** An address may always store this much in 24 hours: more than a message of the largest size. */
const minShareBytes = 1.25 * inboxLimits.messageBytes;
/** Approximate number of messages that `list` reads at once. A message may have 48 kB. */
const pageSize = 50;

export const formNames = ["contact", "feedback", "issue"] as const;
export type FormName = (typeof formNames)[number];

const messageSchema = z.object({
  id: z.string(),
  form: z.enum(formNames),
  receivedAt: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.boolean()])),
});

export type InboxMessage = z.output<typeof messageSchema>;

export interface Submission {
  form: FormName;
  fields: InboxMessage["fields"];
  visitor: Pick<VisitorIdentity, "addressHashes" | "networks">;
  /** Hash of the visitor's Idempotency-Key, or null. */
  requestKey: string | null;
  /** Hash of form and fields. A later request with the same Idempotency-Key must have the same hash. */
  bodyHash: string;
}

const storeReplySchema = z.object({
  kind: z.enum(["stored", "repeated", "key_reused", "address_full", "inbox_full", "has_room", "expired"]),
  waitMs: z.number().optional(),
});

export type StoreResult =
  | { kind: "stored"; message: InboxMessage }
  /** The Idempotency-Key was used before. "repeated": for this message. "key_reused": for another message. */
  | { kind: "repeated" | "key_reused" }
  | { kind: "address_full"; waitSeconds: number }
  | { kind: "inbox_full" };

interface Digest {
  messages: number;
  /** The digest announces messages that were added to it before this time of Redis, in milliseconds since 1970. */
  before: number;
}

type InboxLimits = { [Name in keyof typeof inboxLimits]: number };

export type Inbox = ReturnType<typeof createInbox>;

/** Creates the inbox of form messages. The inbox methods throw `service_unavailable` when Redis fails. */
export function createInbox(
  redis: Redis,
  settings: { retentionDays: number; mailed: boolean },
  limits: InboxLimits = inboxLimits,
) {
  const retentionMs = settings.retentionDays * dayMs;
  const storeScript = redis.createScript<unknown>(inboxScripts.store);
  const claimScript = redis.createScript<string | null>(inboxScripts.claim);
  const removeScript = redis.createScript<null>(inboxScripts.remove);
  const retainScript = redis.createScript<null>(inboxScripts.retain);
  const takeMailScript = redis.createScript<number>(inboxScripts.takeMail);
  const claimDigestScript = redis.createScript<Digest>(inboxScripts.claimDigest);

  async function store(submission: Submission): Promise<StoreResult> {
    const result = await runStoreScript("store", submission);
    if (result === null) throw new Error("the inbox neither stored nor rejected a message");
    return result;
  }

  /** Returns how `store` handled an earlier request with this Idempotency-Key. Returns null if there was none. */
  async function findEarlier({ requestKey, bodyHash }: Submission): Promise<StoreResult | null> {
    if (requestKey === null) return null;
    const value = await withRedis("inbox earlier", () => redis.get<string>(`${prefix}request:${requestKey}`));
    if (value === null) return null;
    return { kind: String(value).startsWith(`${bodyHash}:`) ? "repeated" : "key_reused" };
  }

  /** Returns null if `store` would store this message now. Otherwise returns the reason. Stores nothing. */
  function precheck(submission: Submission): Promise<StoreResult | null> {
    return runStoreScript("check", submission);
  }

  async function runStoreScript(
    operation: "store" | "check",
    submission: Submission,
  ): Promise<StoreResult | null> {
    const message = newMessage(submission);
    const { visitor, requestKey, bodyHash } = submission;
    const args = {
      id: message.id,
      ...sharesOf(visitor, limits.bytes / settings.retentionDays, minShareBytes),
      requestKey: requestKey ?? message.id,
      bodyHash,
      dryRun: operation === "check",
      limits,
      retentionMs,
      requestLifeMs: retention.idempotencyKeyHours * hourMs,
      shareLifeMs: dayMs,
      // The server mails the message right after the response, so maintenance skips it for `mailLeaseMs`.
      mailLeaseMs: settings.mailed ? mailLeaseMs : undefined,
    };
    const reply = await withRedis(`inbox ${operation}`, () =>
      storeScript.exec(scriptKeys, [JSON.stringify(args), JSON.stringify(message)]),
    );
    const { kind, waitMs = 0 } = storeReplySchema.parse(reply);
    switch (kind) {
      case "expired":
        return runStoreScript(operation, submission);
      case "has_room":
        return null;
      case "stored":
        return { kind, message };
      case "address_full":
        return { kind, waitSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
      default:
        return { kind };
    }
  }

  /** Applies a changed retention to all stored messages. */
  async function applyRetention(): Promise<void> {
    await withRedis("inbox retention", () =>
      retainScript.exec(scriptKeys, [JSON.stringify({ dayMs, retentionMs })]),
    );
  }

  async function find(id: string): Promise<InboxMessage | null> {
    const stored = await withRedis("inbox find", () => redis.get<unknown>(messageKey(id)));
    return stored === null ? null : messageSchema.parse(stored);
  }

  /** Returns all messages, newest first. Scans all keys, because a message may be missing from the index. */
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
    await withRedis("inbox delete", () =>
      removeScript.exec(scriptKeys, [JSON.stringify({ id, retentionMs })]),
    );
  }

  /** Returns the next message to mail. Other processes then skip it for `mailLeaseMs`. Returns null if none is due. */
  async function claimUnmailed(): Promise<InboxMessage | null> {
    for (;;) {
      const args = JSON.stringify({ attempt: randomId(), leaseMs: mailLeaseMs, retentionMs });
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

  /** Takes one of the mails of 24 hours. Returns false if there is none left. The next digest then counts the message. */
  async function takeMail(id: string): Promise<boolean> {
    const { mailsPerDay } = limits;
    const args = JSON.stringify({ id, mailsPerDay, dayMs, retentionMs });
    return (await withRedis("inbox mail", () => takeMailScript.exec(scriptKeys, [args]))) === 1;
  }

  /**
   * Ends the lease of a failed attempt, and gives back its mail, because an outage of the mail server must not use up the mails
   * of a day.
   */
  async function returnMail(id: string): Promise<void> {
    const next = { score: Date.now() + mailPauseMs, member: id };
    await withRedis("inbox mail", () => redis.zrem(`${prefix}mails-taken`, id));
    await withRedis("inbox mail", () => redis.zadd(unmailedKey, { xx: true }, next));
  }

  /** Returns the messages that the next digest announces, at most once an hour. Otherwise, their number is 0. */
  async function claimDigest(): Promise<Digest> {
    const args = JSON.stringify({ attempt: randomId(), pauseMs: digestPauseMs, retentionMs });
    return withRedis("inbox digest", () => claimDigestScript.exec(scriptKeys, [args]));
  }

  async function markDigestSent({ before }: Digest): Promise<void> {
    const range = [`${prefix}next-digest`, "-inf", `(${before}`] as const;
    await withRedis("inbox digest", () => redis.zremrangebyscore(...range));
  }

  /** Returns the number of messages that are not mailed yet, including messages that a process is mailing. */
  async function countUnmailed(): Promise<number> {
    return withRedis("inbox count", () => redis.zcard(unmailedKey));
  }

  const mails = {
    claimUnmailed,
    takeMail,
    returnMail,
    markMailed,
    countUnmailed,
    claimDigest,
    markDigestSent,
  };
  return { findEarlier, precheck, store, applyRetention, find, list, remove, ...mails };
}

function newMessage({ form, fields }: Submission): InboxMessage {
  return { id: randomId(), form, receivedAt: new Date().toISOString(), fields };
}

/** Starts with a letter, because the Redis client would parse an id of only digits as a number. */
function randomId(): string {
  return `m${randomBytes(9).toString("base64url")}`;
}
