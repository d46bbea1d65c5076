import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import { inboxLimits, retention } from "@/lib/config/limits";
import { onRedis } from "@/lib/server/redis/client";
import { inboxScripts } from "./inbox-scripts";

const prefix = "{inbox}:v1:";
const namedKeys = [prefix, `${prefix}whole`];
const unmailedKey = `${prefix}unmailed`;
const messagePrefix = `${prefix}message:`;
const messageKey = (id: string) => `${messagePrefix}${id}`;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Longer than a mail server may take; until then a message that is being mailed is nobody else's. */
const mailLeaseMs = 60_000;
/** So many messages are read at a time, which may be 16 KiB each. */
const pageSize = 200;

export const formNames = ["contact", "feedback", "issue"] as const;
export type FormName = (typeof formNames)[number];

const messageShape = z.object({
  id: z.string(),
  form: z.enum(formNames),
  receivedAt: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.boolean()])),
});

/** What a visitor sent by one of the forms. */
export type InboxMessage = z.output<typeof messageShape>;

export interface Submission {
  form: FormName;
  fields: InboxMessage["fields"];
  /** Hash of the visitor's address, for its bound. */
  address: string;
  /** Hash of the visitor's Idempotency-Key, or null. */
  requestKey: string | null;
  /** What was sent, to tell a repetition from another message under the same key. */
  bodyHash: string;
}

const keepReply = z.object({
  kind: z.enum(["kept", "repeated", "key_reused", "address_full", "inbox_full", "room"]),
  waitMs: z.number().optional(),
});

export type StoreResult =
  | { kind: "kept"; message: InboxMessage }
  /** An earlier request under this key sent the same, or something else. */
  | { kind: "repeated" | "key_reused" }
  /** The address has sent its messages of a day. */
  | { kind: "address_full"; waitSeconds: number }
  | { kind: "inbox_full" };

type InboxBounds = { [Name in keyof typeof inboxLimits]: number };

export type Inbox = ReturnType<typeof createInbox>;

/**
 * Keeps what visitors send by the forms, for the operator to read with `npm run inbox`. Every verb rejects with
 * `service_unavailable` when Redis does not answer in time.
 *
 * @param settings how long a message is kept, and whether it is mailed as well
 * @param bounds what there is room for
 */
export function createInbox(
  redis: Redis,
  settings: { retentionDays: number; mailed: boolean },
  bounds: InboxBounds = inboxLimits,
) {
  const lifeMs = settings.retentionDays * dayMs;
  const keepCommand = redis.createScript<unknown>(inboxScripts.keep);
  const claimCommand = redis.createScript<string | null>(inboxScripts.claim);
  const removeCommand = redis.createScript<number>(inboxScripts.remove);
  const keepForCommand = redis.createScript<number>(inboxScripts.keepFor);

  /** Keeps a message once per request, or says what stands in its way. */
  async function keep(submission: Submission): Promise<StoreResult> {
    const result = await ask("keep", submission);
    if (result === null) throw new Error("the inbox did neither keep nor refuse a message");
    return result;
  }

  /** What stands in the way of keeping a message, without keeping it; null when nothing does. */
  function findObstacle(submission: Submission): Promise<StoreResult | null> {
    return ask("look", submission);
  }

  async function ask(what: "keep" | "look", submission: Submission): Promise<StoreResult | null> {
    const message = newMessage(submission);
    const { address, requestKey, bodyHash } = submission;
    const args = {
      id: message.id,
      address,
      requestKey: requestKey ?? message.id,
      bodyHash,
      look: what === "look",
      bounds,
      lifeMs,
      requestLifeMs: retention.idempotencyKeyHours * hourMs,
      addressLifeMs: dayMs,
      // Leased to the request itself, which mails it right after its answer.
      mailLeaseMs: settings.mailed ? mailLeaseMs : undefined,
    };
    const answer = await onRedis(`inbox ${what}`, () =>
      keepCommand.exec(namedKeys, [JSON.stringify(args), JSON.stringify(message)]),
    );
    const { kind, waitMs = 0 } = keepReply.parse(answer);
    switch (kind) {
      case "room":
        return null;
      case "kept":
        return { kind, message };
      case "address_full":
        return { kind, waitSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
      default:
        return { kind };
    }
  }

  /** Keeps all messages for the configured time, counted from their receipt: those of another time are moved. */
  async function applyRetention(): Promise<number> {
    return onRedis("inbox retention", () => keepForCommand.exec(namedKeys, [JSON.stringify({ lifeMs })]));
  }

  /** The message, or null when it never was, was deleted, or its time is over. */
  async function find(id: string): Promise<InboxMessage | null> {
    const stored = await onRedis("inbox find", () => redis.get<unknown>(messageKey(id)));
    return stored === null ? null : messageShape.parse(stored);
  }

  /** All messages, the newest first: every key that there is, whatever the index knows. */
  async function list(): Promise<InboxMessage[]> {
    const found = new Map<string, InboxMessage>();
    let cursor = "0";
    do {
      const [next, keys] = await onRedis("inbox list", () =>
        redis.scan(cursor, { match: `${messagePrefix}*`, count: pageSize }),
      );
      cursor = String(next);
      for (const message of await readAll(keys)) found.set(message.id, message);
    } while (cursor !== "0");
    return [...found.values()].sort((a, b) => b.receivedAt.localeCompare(a.receivedAt));
  }

  async function readAll(keys: string[]): Promise<InboxMessage[]> {
    if (keys.length === 0) return [];
    const stored = await onRedis("inbox read", () => redis.mget<unknown[]>(...keys));
    // One may have ended meanwhile.
    return stored.filter((message) => message !== null).map((message) => messageShape.parse(message));
  }

  /** Deletes a message for good. */
  async function remove(id: string): Promise<void> {
    await onRedis("inbox delete", () => removeCommand.exec(namedKeys, [JSON.stringify({ id, lifeMs })]));
  }

  /** The next message that is due to be mailed, leased to the caller; null when there is none. */
  async function claimUnmailed(): Promise<InboxMessage | null> {
    for (;;) {
      const args = JSON.stringify({ leaseMs: mailLeaseMs, lifeMs });
      const id = await onRedis("inbox claim", () => claimCommand.exec(namedKeys, [args]));
      if (!id) return null;
      const message = await find(String(id));
      if (message) return message;
      await markMailed(String(id));
    }
  }

  /** The mail server has taken the message. */
  async function markMailed(id: string): Promise<void> {
    await onRedis("inbox mailed", () => redis.zrem(unmailedKey, id));
  }

  /** How many messages wait to be mailed, those that are just being mailed among them. */
  async function countUnmailed(): Promise<number> {
    return onRedis("inbox count", () => redis.zcard(unmailedKey));
  }

  return { findObstacle, keep, applyRetention, find, list, remove, claimUnmailed, markMailed, countUnmailed };
}

function newMessage({ form, fields }: Submission): InboxMessage {
  return { id: newMessageId(), form, receivedAt: new Date().toISOString(), fields };
}

/** Random, and never a number, which the Redis client would read as one. */
function newMessageId(): string {
  return `m${randomBytes(9).toString("base64url")}`;
}
