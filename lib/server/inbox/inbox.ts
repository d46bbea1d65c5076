import "server-only";
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { z } from "zod";
import { retention } from "@/lib/limits";
import { onRedis } from "../redis/client";

const prefix = "{inbox}:v1:";
const indexKey = `${prefix}index`;
const unmailedKey = `${prefix}unmailed`;
const messageKey = (id: string) => `${prefix}message:${id}`;
const requestKeyOf = (hash: string) => `${prefix}request:${hash}`;

const dayMs = 86_400_000;
const idempotencyLifeMs = retention.idempotencyKeyHours * 3_600_000;
/** Longer than a mail server may take; until then a message that is being mailed is nobody else's. */
const mailLeaseMs = 60_000;

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
  /** Hash of the visitor's Idempotency-Key, or null. */
  requestKey: string | null;
  /** What was sent, to tell a repetition from another message under the same key. */
  bodyHash: string;
}

export type KeepResult = { kind: "kept"; message: InboxMessage } | { kind: "repeated" | "key_reused" };

/** One step, and safe to run twice: the message, its place in the index, its mail, and the request it answers. */
export const keepScript = `
local requestKey, messageKey, indexKey, unmailedKey = unpack(KEYS)
local args = cjson.decode(ARGV[1])
local known = redis.call('GET', requestKey)
if known then return known end
redis.call('SET', requestKey, args.bodyHash .. ':' .. args.id, 'PX', args.requestLifeMs)
redis.call('SET', messageKey, ARGV[2], 'PX', args.lifeMs)
redis.call('ZREMRANGEBYSCORE', indexKey, '-inf', args.now - args.lifeMs)
redis.call('ZADD', indexKey, args.now, args.id)
redis.call('PEXPIRE', indexKey, args.lifeMs)
if args.mailAt then
  redis.call('ZADD', unmailedKey, args.mailAt, args.id)
  redis.call('PEXPIRE', unmailedKey, args.lifeMs)
end
return args.bodyHash .. ':' .. args.id
`;

/** The longest-waiting message to mail, leased. */
export const claimScript = `
local args = cjson.decode(ARGV[1])
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', args.now, 'LIMIT', 0, 1)
if not ids[1] then return false end
redis.call('ZADD', KEYS[1], args.now + args.leaseMs, ids[1])
return ids[1]
`;

export type Inbox = ReturnType<typeof createInbox>;

/**
 * Keeps what visitors send by the forms, for the operator to read with `npm run inbox`. Every verb rejects with
 * `service_unavailable` when Redis does not answer in time.
 *
 * @param settings how long a message is kept, and whether it is mailed as well
 */
export function createInbox(redis: Redis, settings: { retentionDays: number; mailed: boolean }) {
  const keepCommand = redis.createScript<string>(keepScript);
  const claimCommand = redis.createScript<string | null>(claimScript);
  const lifeMs = settings.retentionDays * dayMs;

  /** What an earlier request under this key came to, or null when there was none. */
  async function findRepetition(requestKey: string | null, bodyHash: string): Promise<KeepResult | null> {
    if (requestKey === null) return null;
    const known = await onRedis("inbox request", () => redis.get<string>(requestKeyOf(requestKey)));
    if (known === null) return null;
    return { kind: known.startsWith(`${bodyHash}:`) ? "repeated" : "key_reused" };
  }

  /** Keeps a message once per request. */
  async function keep({ form, fields, requestKey, bodyHash }: Submission): Promise<KeepResult> {
    const now = Date.now();
    const id = newMessageId();
    const message: InboxMessage = { id, form, receivedAt: new Date(now).toISOString(), fields };
    const args = {
      id,
      bodyHash,
      now,
      lifeMs,
      requestLifeMs: idempotencyLifeMs,
      // Leased to the request itself, which mails it right after its answer.
      mailAt: settings.mailed ? now + mailLeaseMs : undefined,
    };
    const keys = [requestKeyOf(requestKey ?? id), messageKey(id), indexKey, unmailedKey];
    const known = await onRedis("inbox keep", () =>
      keepCommand.exec(keys, [JSON.stringify(args), JSON.stringify(message)]),
    );
    if (known === `${bodyHash}:${id}`) return { kind: "kept", message };
    return { kind: known.startsWith(`${bodyHash}:`) ? "repeated" : "key_reused" };
  }

  /** The message, or null when it never was, was deleted, or its time is over. */
  async function find(id: string): Promise<InboxMessage | null> {
    const stored = await onRedis("inbox find", () => redis.get<unknown>(messageKey(id)));
    return stored === null ? null : messageShape.parse(stored);
  }

  /** All messages, the newest first. */
  async function list(): Promise<InboxMessage[]> {
    const ids = await onRedis("inbox list", () => redis.zrange<string[]>(indexKey, 0, -1, { rev: true }));
    const messages = await Promise.all(ids.map((id) => find(String(id))));
    return messages.filter((message) => message !== null);
  }

  /** Deletes a message for good. */
  async function remove(id: string): Promise<void> {
    await onRedis("inbox delete", () =>
      redis.pipeline().del(messageKey(id)).zrem(indexKey, id).zrem(unmailedKey, id).exec(),
    );
  }

  /** The next message that is due to be mailed, leased to the caller; null when there is none. */
  async function claimUnmailed(): Promise<InboxMessage | null> {
    for (;;) {
      const args = JSON.stringify({ now: Date.now(), leaseMs: mailLeaseMs });
      const id = await onRedis("inbox claim", () => claimCommand.exec([unmailedKey], [args]));
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

  return { findRepetition, keep, find, list, remove, claimUnmailed, markMailed, countUnmailed };
}

/** Random, and never a number, which the Redis client would read as one. */
function newMessageId(): string {
  return `m${randomBytes(9).toString("base64url")}`;
}
