import "server-only";

/*
 * The inbox's steps as Lua: each runs atomically, is safe to run twice, and takes the time from Redis. KEYS[1] is the key
 * prefix; KEYS[2] makes a cluster put a script off while it moves the keys. ARGV[1] is an object of arguments, with the
 * time that messages are kept in `lifeMs`.
 */

/** What the scripts below share. */
export const inboxPrelude = `
local args = cjson.decode(ARGV[1])
local prefix = KEYS[1]
local indexKey, unmailedKey, bytesKey, lifeKey = prefix .. 'index', prefix .. 'unmailed', prefix .. 'bytes', prefix .. 'life'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function integer(number) return string.format('%.0f', number) end
local function messageKey(id) return prefix .. 'message:' .. id end
local lifeMs = integer(args.lifeMs)

-- Counts anew what there is: messages end by themselves, and nobody counts them down.
local function count()
  local bytes = 0
  for _, id in ipairs(redis.call('ZRANGE', indexKey, 0, -1)) do
    local size = redis.call('STRLEN', messageKey(id))
    if size == 0 then redis.call('ZREM', indexKey, id) end
    bytes = bytes + size
  end
  redis.call('SET', bytesKey, integer(bytes), 'PX', lifeMs)
end

-- Another time than the one that the messages were kept with: each is moved, and one whose time is over is deleted.
local function applyLife()
  if redis.call('GET', lifeKey) == lifeMs then return 0 end
  local entries = redis.call('ZRANGE', indexKey, 0, -1, 'WITHSCORES')
  if #entries == 0 then return 0 end
  for n = 1, #entries, 2 do
    local id, endsAt = entries[n], entries[n + 1] + args.lifeMs
    redis.call('PEXPIREAT', messageKey(id), integer(endsAt))
    if endsAt <= now then redis.call('ZREM', unmailedKey, id) end
  end
  count()
  redis.call('PEXPIRE', indexKey, lifeMs)
  redis.call('PEXPIRE', unmailedKey, lifeMs)
  redis.call('SET', lifeKey, lifeMs, 'PX', lifeMs)
  return #entries / 2
end
`;

/**
 * The message in ARGV[2], its place in the index, its mail, and the request it answers; or why it is not kept. With
 * `look` nothing is kept, and what it would come to is told.
 */
const keep = `
local requestKey, addressKey = prefix .. 'request:' .. args.requestKey, prefix .. 'address:' .. args.address
local function reply(kind, waitMs) return cjson.encode({ kind = kind, waitMs = waitMs }) end
local own = args.bodyHash .. ':' .. args.id

local known = redis.call('GET', requestKey)
if known == own then return reply('kept') end
if known then return reply(string.sub(known, 1, #args.bodyHash + 1) == args.bodyHash .. ':' and 'repeated' or 'key_reused') end
if not args.look then applyLife() end
if tonumber(redis.call('GET', addressKey) or 0) >= args.bounds.messagesPerAddressPerDay then
  return reply('address_full', redis.call('PTTL', addressKey))
end
local function isFull()
  local bytes = tonumber(redis.call('GET', bytesKey) or 0)
  return redis.call('ZCARD', indexKey) >= args.bounds.messages or bytes + #ARGV[2] > args.bounds.bytes
end
if isFull() then count() end
if isFull() then return reply('inbox_full') end
if args.look then return reply('room') end

if redis.call('INCR', addressKey) == 1 then redis.call('PEXPIRE', addressKey, args.addressLifeMs) end
redis.call('SET', requestKey, own, 'PX', args.requestLifeMs)
redis.call('SET', messageKey(args.id), ARGV[2], 'PX', lifeMs)
redis.call('ZADD', indexKey, integer(now), args.id)
redis.call('PEXPIRE', indexKey, lifeMs)
redis.call('INCRBY', bytesKey, #ARGV[2])
redis.call('PEXPIRE', bytesKey, lifeMs)
if args.mailLeaseMs then
  redis.call('ZADD', unmailedKey, integer(now + args.mailLeaseMs), args.id)
  redis.call('PEXPIRE', unmailedKey, lifeMs)
end
return reply('kept')
`;

/** The longest-waiting message to mail, leased. */
const claim = `
local ids = redis.call('ZRANGEBYSCORE', unmailedKey, '-inf', integer(now), 'LIMIT', 0, 1)
if not ids[1] then return false end
redis.call('ZADD', unmailedKey, integer(now + args.leaseMs), ids[1])
return ids[1]
`;

const remove = `
local size = redis.call('STRLEN', messageKey(args.id))
redis.call('DEL', messageKey(args.id))
redis.call('ZREM', indexKey, args.id)
redis.call('ZREM', unmailedKey, args.id)
if redis.call('EXISTS', bytesKey) == 1 then redis.call('DECRBY', bytesKey, size) end
return size
`;

/** How many messages were moved. */
const keepFor = "return applyLife()\n";

export const inboxScripts = {
  keep: inboxPrelude + keep,
  claim: inboxPrelude + claim,
  remove: inboxPrelude + remove,
  keepFor: inboxPrelude + keepFor,
};
