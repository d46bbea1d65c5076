import "server-only";
import { checkSharesLua } from "@/lib/server/identity/network-shares";

/*
 * Lua scripts of the inbox. Each script is atomic, is safe to run twice, and reads the time from Redis. Except `retain`, none
 * has more work if more messages are stored. KEYS[1] is the key prefix, and ARGV[1] has the arguments as JSON.
 * likes/script-runner.ts explains KEYS[2].
 */

/** Lua code at the start of every inbox script. */
export const inboxPrelude = `${checkSharesLua}
local args = cjson.decode(ARGV[1])
local prefix = KEYS[1]
local indexKey, unmailedKey, nextDigestKey = prefix .. 'index', prefix .. 'unmailed', prefix .. 'next-digest'
local bytesKey, lifeKey = prefix .. 'bytes', prefix .. 'life'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function integer(number) return string.format('%.0f', number) end
local function messageKey(id) return prefix .. 'message:' .. id end
local retentionMs = integer(args.retentionMs)

-- The index has an entry "id:bytes" for each message, because the size of an expired message is unknown.
local function parseEntry(entry)
  local id, bytes = string.match(entry, '^([^:]*):(%d+)$')
  return id, tonumber(bytes)
end

local function storedBytes() return tonumber(redis.call('GET', bytesKey) or 0) end
local function setBytes(bytes) redis.call('SET', bytesKey, integer(math.max(0, bytes)), 'PX', retentionMs) end

-- Deletes a message and all that refers to it.
local function drop(entry)
  local id, bytes = parseEntry(entry)
  redis.call('DEL', messageKey(id))
  redis.call('ZREM', unmailedKey, id)
  redis.call('ZREM', nextDigestKey, id)
  if redis.call('ZREM', indexKey, entry) == 1 then setBytes(storedBytes() - bytes) end
end
`;

/** Maximum number of expired messages that one run of `store` removes. */
const expiredAtOnce = 100;

/**
 * Stores the message from ARGV[2] once per request key. With `args.dryRun`, the script stores nothing. If the inbox is full and
 * had expired messages, there may be more of them, and the reply is "expired": the caller has to run the script again.
 */
const store = `
local requestKey, sharesKey = prefix .. 'request:' .. args.requestKey, prefix .. 'shares:' .. args.record
local function reply(kind, waitMs) return cjson.encode({ kind = kind, waitMs = waitMs }) end
local requestValue = args.bodyHash .. ':' .. args.id

local earlier = redis.call('GET', requestKey)
-- An equal message id means that the Redis client lost the first reply and sent this command again.
if earlier == requestValue then return reply('stored') end
if earlier then
  return reply(string.sub(earlier, 1, #args.bodyHash + 1) == args.bodyHash .. ':' and 'repeated' or 'key_reused')
end
local size, limits = #ARGV[2], args.limits
-- A small message counts as its part of the maximum number of messages.
local cost = math.max(size, limits.bytes / limits.messages)
local countShares = checkShares(sharesKey, args.shares, cost, args.shareLifeMs)
if not countShares then return reply('address_full', redis.call('PTTL', sharesKey)) end

local expired = redis.call('ZRANGEBYSCORE', indexKey, '-inf', integer(now - args.retentionMs),
  'LIMIT', 0, args.dryRun and 1 or ${expiredAtOnce})
if not args.dryRun then for _, entry in ipairs(expired) do drop(entry) end end
local entries = redis.call('ZCARD', indexKey)
-- The count may outlive the index.
local bytes = entries > 0 and storedBytes() or 0
local percent = size > limits.smallMessageBytes and limits.reserveFromPercent or 100
local isFull = entries >= limits.messages or bytes + size > limits.bytes * percent / 100
if isFull and #expired == 0 then return reply('inbox_full') end
if args.dryRun then return reply('has_room') end
if isFull then return reply('expired') end

countShares()
redis.call('SET', requestKey, requestValue, 'PX', args.requestLifeMs)
redis.call('SET', messageKey(args.id), ARGV[2], 'PX', retentionMs)
redis.call('ZADD', indexKey, integer(now), args.id .. ':' .. size)
redis.call('PEXPIRE', indexKey, retentionMs)
setBytes(bytes + size)
if args.mailLeaseMs then
  redis.call('ZADD', unmailedKey, integer(now + args.mailLeaseMs), args.id)
  redis.call('PEXPIRE', unmailedKey, retentionMs)
end
return reply('stored')
`;

/**
 * Returns the id of the message that has waited longest for its mail, or false if no message is due. Other
 * processes then skip this message for `args.leaseMs`. A repeated `args.attempt` gets the same message.
 */
const claim = `
local claimKey = prefix .. 'claim:' .. args.attempt
local claimed = redis.call('GET', claimKey)
if claimed then return claimed end
local ids = redis.call('ZRANGEBYSCORE', unmailedKey, '-inf', integer(now), 'LIMIT', 0, 1)
if not ids[1] then return false end
redis.call('SET', claimKey, ids[1], 'PX', args.leaseMs)
redis.call('ZADD', unmailedKey, integer(now + args.leaseMs), ids[1])
return ids[1]
`;

/**
 * Takes one of the mails of 24 hours for the message. Returns 1 if the message may be mailed. Otherwise, returns 0 and leaves
 * the message to the next digest.
 */
const takeMail = `
local mailsKey = prefix .. 'mails-taken'
redis.call('ZREMRANGEBYSCORE', mailsKey, '-inf', integer(now - args.dayMs))
if redis.call('ZSCORE', mailsKey, args.id) or redis.call('ZCARD', mailsKey) < args.mailsPerDay then
  redis.call('ZADD', mailsKey, integer(now), args.id)
  redis.call('PEXPIRE', mailsKey, args.dayMs)
  return 1
end
if redis.call('ZREM', unmailedKey, args.id) == 1 then
  redis.call('ZADD', nextDigestKey, integer(now), args.id)
  redis.call('PEXPIRE', nextDigestKey, retentionMs)
end
return 0
`;

/**
 * Returns the number of messages for a digest, at most once in `args.pauseMs`, and the time before which they were added.
 * Otherwise, the number is 0. A repeated `args.attempt` gets the number again.
 */
const claimDigest = `
local digestKey = prefix .. 'digest'
local messages = redis.call('ZCOUNT', nextDigestKey, '-inf', '(' .. integer(now))
if messages > 0 and not redis.call('SET', digestKey, args.attempt, 'NX', 'PX', args.pauseMs)
  and redis.call('GET', digestKey) ~= args.attempt then messages = 0 end
return cjson.encode({ messages = messages, before = now })
`;

const remove = "drop(args.id .. ':' .. redis.call('STRLEN', messageKey(args.id)))\n";

/**
 * If the configured retention changed, and once a day, updates the expiry of all messages. Redis deletes expired messages. Then
 * counts again, because Redis may have lost a message. Maintenance runs this script.
 */
const retain = `
if redis.call('GET', lifeKey) == retentionMs then return end
local bytes = 0
local entries = redis.call('ZRANGE', indexKey, 0, -1, 'WITHSCORES')
for n = 1, #entries, 2 do
  local id, size = parseEntry(entries[n])
  local expiresAt = entries[n + 1] + args.retentionMs
  if redis.call('PEXPIREAT', messageKey(id), integer(expiresAt)) == 1 and expiresAt > now then bytes = bytes + size
  else drop(entries[n]) end
end
for _, key in ipairs({ indexKey, unmailedKey, nextDigestKey }) do redis.call('PEXPIRE', key, retentionMs) end
setBytes(bytes)
redis.call('SET', lifeKey, retentionMs, 'PX', args.dayMs)
`;

export const inboxScripts = {
  store: inboxPrelude + store,
  claim: inboxPrelude + claim,
  takeMail: inboxPrelude + takeMail,
  claimDigest: inboxPrelude + claimDigest,
  remove: inboxPrelude + remove,
  retain: inboxPrelude + retain,
};
