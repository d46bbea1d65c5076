import "server-only";
import { checkSharesLua } from "@/lib/server/identity/network-shares";

/*
 * Lua scripts of the inbox. Each script is atomic, is safe to run twice, reads the time from Redis, and has no more work if more
 * messages are stored. KEYS[1] is the key prefix, and ARGV[1] has the arguments as JSON. likes/script-runner.ts explains KEYS[2].
 */

/** Lua code at the start of every inbox script. */
const inboxPrelude = `${checkSharesLua}
local args = cjson.decode(ARGV[1])
local prefix = KEYS[1]
-- "stored" is a hash: day of receipt -> bytes of its messages.
local unmailedKey, mailsKey, storedKey = prefix .. 'unmailed', prefix .. 'mails-taken', prefix .. 'stored'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function integer(number) return string.format('%.0f', number) end
local function messageKey(id) return prefix .. 'message:' .. id end
local function dayOf(text) return string.sub(cjson.decode(text).receivedAt, 1, 10) end
-- A small message counts as its part of the maximum number of messages.
local function bytesOf(text) return math.max(#text, math.ceil(args.limits.bytes / args.limits.messages)) end
`;

/**
 * Stores the message from ARGV[2] once per request key. Returns the result, or above a share of the sender's networks the time
 * until a new window, in milliseconds.
 */
const store = `
local requestKey, sharesKey = prefix .. 'request:' .. args.requestKey, prefix .. 'shares:' .. args.record
local requestValue = args.bodyHash .. ':' .. args.id
local earlier = redis.call('GET', requestKey)
-- An equal message id means that the Redis client lost the first reply and sent this command again.
if earlier == requestValue then return 'stored' end
if earlier then return string.sub(earlier, 1, #args.bodyHash + 1) == args.bodyHash .. ':' and 'repeated' or 'key_reused' end

local bytes, total = bytesOf(ARGV[2]), 0
local countShares = checkShares(sharesKey, args.shares, bytes, args.shareLifeMs)
if not countShares then return redis.call('PTTL', sharesKey) end
local days = redis.call('HGETALL', storedKey)
for n = 1, #days, 2 do
  if days[n] >= args.oldestDay then total = total + days[n + 1] else redis.call('HDEL', storedKey, days[n]) end
end
if total + bytes > args.limits.bytes then return 'inbox_full' end

countShares()
redis.call('SET', requestKey, requestValue, 'PX', args.requestLifeMs)
redis.call('SET', messageKey(args.id), ARGV[2], 'PX', integer(args.retentionMs))
redis.call('HINCRBY', storedKey, dayOf(ARGV[2]), bytes)
redis.call('PEXPIRE', storedKey, integer(args.retentionMs))
if args.mailed then
  redis.call('ZADD', unmailedKey, integer(now), args.id)
  redis.call('PEXPIRE', unmailedKey, integer(args.retentionMs))
end
return 'stored'
`;

/**
 * Returns the id of the message that has waited longest for its mail. Other processes then skip this message for `args.leaseMs`.
 * Returns false if no message is due, or if the mails of 24 hours are used up.
 */
const claim = `
local ids = redis.call('ZRANGEBYSCORE', unmailedKey, '-inf', integer(now), 'LIMIT', 0, 1)
if not ids[1] then return false end
redis.call('ZREMRANGEBYSCORE', mailsKey, '-inf', integer(now - args.dayMs))
if not redis.call('ZSCORE', mailsKey, ids[1]) and redis.call('ZCARD', mailsKey) >= args.limits.mailsPerDay then return false end
redis.call('ZADD', mailsKey, integer(now), ids[1])
redis.call('PEXPIRE', mailsKey, args.dayMs)
redis.call('ZADD', unmailedKey, integer(now + args.leaseMs), ids[1])
return ids[1]
`;

const remove = `
redis.call('ZREM', unmailedKey, args.id)
local text = redis.call('GET', messageKey(args.id))
if not text then return end
redis.call('DEL', messageKey(args.id))
redis.call('HINCRBY', storedKey, dayOf(text), -bytesOf(text))
`;

export const inboxScripts = {
  store: inboxPrelude + store,
  claim: inboxPrelude + claim,
  remove: inboxPrelude + remove,
};
