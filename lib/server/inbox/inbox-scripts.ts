import "server-only";
import { takeSharesLua } from "@/lib/server/identity/network-shares";

/*
 * Lua scripts of the inbox. Each script is atomic, is safe to run twice, and reads the time from Redis.
 * KEYS[1] is the key prefix, and ARGV[1] has the arguments as JSON. likes/script-runner.ts explains KEYS[2].
 */

/** Lua code at the start of every inbox script. */
export const inboxPrelude = `${takeSharesLua}
local args = cjson.decode(ARGV[1])
local prefix = KEYS[1]
local indexKey, unmailedKey, bytesKey, lifeKey = prefix .. 'index', prefix .. 'unmailed', prefix .. 'bytes', prefix .. 'life'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function integer(number) return string.format('%.0f', number) end
local function messageKey(id) return prefix .. 'message:' .. id end
local retentionMs = integer(args.retentionMs)

-- Removes expired messages from the index and recounts the bytes, because Redis deletes only message keys.
local function recount()
  local bytes = 0
  for _, id in ipairs(redis.call('ZRANGE', indexKey, 0, -1)) do
    local size = redis.call('STRLEN', messageKey(id))
    if size == 0 then redis.call('ZREM', indexKey, id) end
    bytes = bytes + size
  end
  redis.call('SET', bytesKey, integer(bytes), 'PX', retentionMs)
end

-- If the configured retention changed, updates the expiry of all messages. Redis deletes expired messages.
local function applyRetention()
  if redis.call('GET', lifeKey) == retentionMs then return 0 end
  local entries = redis.call('ZRANGE', indexKey, 0, -1, 'WITHSCORES')
  if #entries == 0 then return 0 end
  for n = 1, #entries, 2 do
    local id, expiresAt = entries[n], entries[n + 1] + args.retentionMs
    redis.call('PEXPIREAT', messageKey(id), integer(expiresAt))
    if expiresAt <= now then redis.call('ZREM', unmailedKey, id) end
  end
  recount()
  redis.call('PEXPIRE', indexKey, retentionMs)
  redis.call('PEXPIRE', unmailedKey, retentionMs)
  redis.call('SET', lifeKey, retentionMs, 'PX', retentionMs)
  return #entries / 2
end
`;

/** Stores the message from ARGV[2] once per request key. With `args.dryRun`, the script stores nothing. */
const store = `
local requestKey, networkKey = prefix .. 'request:' .. args.requestKey, prefix .. 'network:' .. args.record
local function reply(kind, waitMs) return cjson.encode({ kind = kind, waitMs = waitMs }) end
local requestValue = args.bodyHash .. ':' .. args.id

local earlier = redis.call('GET', requestKey)
-- An equal message id means that the Redis client lost the first reply and sent this command again.
if earlier == requestValue then return reply('stored') end
if earlier then
  return reply(string.sub(earlier, 1, #args.bodyHash + 1) == args.bodyHash .. ':' and 'repeated' or 'key_reused')
end
if not args.dryRun then applyRetention() end
-- A small message counts as its part of the maximum number of messages.
local cost = math.max(#ARGV[2], args.limits.bytes / args.limits.messages)
local function takeShare(dryRun) return takeShares(networkKey, args.shares, cost, args.shareLifeMs, dryRun) end
if not takeShare(true) then return reply('address_full', redis.call('PTTL', networkKey)) end
local percent = #ARGV[2] > args.limits.smallMessageBytes and args.limits.reserveFromPercent or 100
local function isFull()
  local bytes = tonumber(redis.call('GET', bytesKey) or 0) + #ARGV[2]
  return redis.call('ZCARD', indexKey) >= args.limits.messages or bytes > args.limits.bytes * percent / 100
end
if isFull() then recount() end
if isFull() then return reply('inbox_full') end
if args.dryRun then return reply('has_room') end

takeShare()
redis.call('SET', requestKey, requestValue, 'PX', args.requestLifeMs)
redis.call('SET', messageKey(args.id), ARGV[2], 'PX', retentionMs)
redis.call('ZADD', indexKey, integer(now), args.id)
redis.call('PEXPIRE', indexKey, retentionMs)
redis.call('INCRBY', bytesKey, #ARGV[2])
redis.call('PEXPIRE', bytesKey, retentionMs)
if args.mailLeaseMs then
  redis.call('ZADD', unmailedKey, integer(now + args.mailLeaseMs), args.id)
  redis.call('PEXPIRE', unmailedKey, retentionMs)
end
return reply('stored')
`;

/**
 * Returns the id of the message that has waited longest for its mail, or false if no message is due. Other
 * processes then skip this message for `args.leaseMs`.
 */
const claim = `
local ids = redis.call('ZRANGEBYSCORE', unmailedKey, '-inf', integer(now), 'LIMIT', 0, 1)
if not ids[1] then return false end
redis.call('ZADD', unmailedKey, integer(now + args.leaseMs), ids[1])
return ids[1]
`;

/**
 * Takes one of the mails of 24 hours. Returns 1 if the message may be mailed. Otherwise, returns 0 and counts the message for
 * the next digest.
 */
const takeMail = `
local mailsKey, digestKey = prefix .. 'mails', prefix .. 'for-digest'
local mails = redis.call('INCR', mailsKey)
if mails == 1 then redis.call('PEXPIRE', mailsKey, args.dayMs) end
if mails <= args.mailsPerDay then return 1 end
if redis.call('ZREM', unmailedKey, args.id) == 1 then
  redis.call('INCR', digestKey)
  redis.call('PEXPIRE', digestKey, retentionMs)
end
return 0
`;

/** Gives back the mail of a failed attempt. */
const returnMail = `
local mailsKey = prefix .. 'mails'
return redis.call('EXISTS', mailsKey) == 1 and redis.call('DECR', mailsKey) or 0
`;

/** Returns the number of messages for a digest, at most once in `args.pauseMs`. Otherwise, returns 0. */
const claimDigest = `
local count = tonumber(redis.call('GET', prefix .. 'for-digest') or 0)
if count == 0 or not redis.call('SET', prefix .. 'digest', 1, 'NX', 'PX', args.pauseMs) then return 0 end
return count
`;

const remove = `
local size = redis.call('STRLEN', messageKey(args.id))
redis.call('DEL', messageKey(args.id))
redis.call('ZREM', indexKey, args.id)
redis.call('ZREM', unmailedKey, args.id)
if redis.call('EXISTS', bytesKey) == 1 then redis.call('DECRBY', bytesKey, size) end
return size
`;

const retain = "return applyRetention()\n";

export const inboxScripts = {
  store: inboxPrelude + store,
  claim: inboxPrelude + claim,
  takeMail: inboxPrelude + takeMail,
  returnMail: inboxPrelude + returnMail,
  claimDigest: inboxPrelude + claimDigest,
  remove: inboxPrelude + remove,
  retain: inboxPrelude + retain,
};
