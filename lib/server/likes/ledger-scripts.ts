import "server-only";

/*
 * The ledger: which visitor may have an order, and how many likes of the day are left. Each operation is one Lua script, so
 * operations never overlap. All times are Redis's. docs/architecture.md draws the life of an order, and
 * docs/decisions/0001-ledger.md has the reasons.
 *
 * `reserve` checks every limit. If none blocks, it charges the likes and stores an order with an attempt and a lease. An attempt
 * is one try to deliver, with a random id. Until the lease ends, only this attempt may deliver the order, outside of Redis. Then
 * it reports the result: `settle` (accepted), `refuse` (certainly not accepted) or `defer` (unknown; the order is due at once).
 * `claim` leases the order that has been due for the longest time. `reserve` finds an open order of its visitor, its flow or its
 * Idempotency-Key, and leases it if it is due.
 * Every script may run twice, because the client repeats a command after a lost reply. A repeated reserve or claim finds the
 * order with its attempt. A repeated settle, refuse or defer finds a closed order, or one that is due, and changes nothing.
 */

/**
 * Lua code at the start of every ledger script. KEYS[1] is the key prefix. ARGV[1] and the reply are JSON.
 *
 * Names of the keys after the prefix, and their values (JSON, except budget, returning, limit, claim, blocked and pending):
 *   order:{id}       order
 *   visitor:{hash}   cooldownUntil; order: id of the open order; orders: id -> time of the open order and the accepted
 *                    orders of 24 hours; requests: hash of an Idempotency-Key -> {order, postId, till}, till: expiry time
 *   address:{hash}   orders: id -> time of all orders of 24 hours, also refused ones; recent: id -> end of the
 *                    rate-limit window of each attempt that the rate limit let pass
 *   network:{hash}   hours: hour -> number of all orders, also refused ones
 *   budget:{day}     likes charged on this GMT day; {day} is the number of days since 1970-01-01
 *   returning:{day}  part of these likes that the pace charged to addresses with an order in the last 24 hours
 *   limit:{day}      daily limit set by the operator; without this key the configured limit applies
 *   limit-changes    list of the operator's limit changes, newest last
 *   claim:{attempt}  id of the order that a claim leased; a repeated claim command leases this order again
 *   blocked:{code}   time from which the post with this code gets no likes
 *   pending          sorted set of all open orders; score: time from which reconcile may claim the order
 */
const ledgerPrelude = `
local prefix = KEYS[1]
local args = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local hourMs, dayMs = 3600000, 86400000
local today = math.floor(now / dayMs)
local ttl = args.ttlMs
local pendingIndex = prefix .. 'pending'
local abandonedCount = 0

local function integer(number) return string.format('%.0f', number) end
local budgetName, limitName = 'budget:' .. integer(today), 'limit:' .. integer(today)
local returningName = 'returning:' .. integer(today)

-- Adds readAt to the orders of the reply and encodes the reply. A script must not store an order after this
-- call, because stored orders have no readAt field.
local function reply(fields)
  fields.now = now
  fields.abandoned = abandonedCount
  for _, order in ipairs(fields.orders or { fields.order }) do order.readAt = now end
  return cjson.encode(fields)
end

-- Maps names to the records that this script run has read. The value false means that the key does not exist.
local records = {}

-- Reads records with one MGET. Skips each record that this run has already read, because the record may have
-- unsaved changes.
local function load(names)
  local missing, keys = {}, {}
  for _, name in ipairs(names) do
    if records[name] == nil then missing[#missing + 1], keys[#keys + 1] = name, prefix .. name end
  end
  if #keys == 0 then return end
  for i, text in ipairs(redis.call('MGET', unpack(keys))) do records[missing[i]] = text and cjson.decode(text) end
end

local function read(name)
  load({ name })
  return records[name] or nil
end

local function write(name, record, ttlMs)
  redis.call('SET', prefix .. name, cjson.encode(record), 'PX', integer(ttlMs))
end

local function readOrder(id) return read('order:' .. id) end
local function writeOrder(order) write('order:' .. order.id, order, ttl.order) end
local function isOpen(order) return order.state == 'reserved' or order.state == 'pending' end
local function isLeased(order) return order.leaseUntil > now end
-- The code of an old private post is the code of the post and 28 more characters (see blockedKey in script-runner.ts).
local function blockedName(postId) return 'blocked:' .. (#postId > 28 and string.sub(postId, 1, -29) or postId) end
local function isBlocked(postId) return read(blockedName(postId)) ~= nil end
local function isOverdue(order)
  return isOpen(order) and not isLeased(order) and (order.createdAt + ttl.openOrder <= now or isBlocked(order.postId))
end

-- Returns the orders with these ids. Omits missing orders.
local function readOrders(ids)
  local names, orders = {}, {}
  for i, id in ipairs(ids) do names[i] = 'order:' .. id end
  load(names)
  for _, id in ipairs(ids) do orders[#orders + 1] = readOrder(id) end
  return orders
end

-- Expiry times of the entries in the record of a subject. Hours have numbers, counted from 1970. The count of an
-- hour expires 24 hours after the start of that hour, so an order counts for 23 to 24 hours.
local expiryOf = {
  orders = function(at) return at + dayMs end,
  hours = function(_, hour) return tonumber(hour) * hourMs + dayMs end,
  requests = function(request) return request.till end,
  recent = function(till) return till end,
}

-- Returns the record of a visitor, an address or a network. Returns an empty record when the key does not exist.
local function readSubject(name)
  local subject = read(name) or {}
  for field in pairs(expiryOf) do subject[field] = subject[field] or {} end
  records[name] = subject
  return subject
end

-- Removes expired entries from the record of a subject. Redis deletes the record when its last entry expires.
local function writeSubject(name)
  local subject = readSubject(name)
  local openUntil = subject.order and now + ttl.openOrder + dayMs or now
  local expiresAt = math.max(subject.cooldownUntil or now, openUntil)
  for field, expiry in pairs(expiryOf) do
    for id, entry in pairs(subject[field]) do
      local at = expiry(entry, id)
      if at <= now then subject[field][id] = nil else expiresAt = math.max(expiresAt, at) end
    end
  end
  if expiresAt > now then write(name, subject, expiresAt - now) else redis.call('DEL', prefix .. name) end
end

-- Adds an order to the index of open orders, and renews the expiry of the index. The reserve script does not
-- renew the expiry for a new order, because Redis hosts charge for each command and most orders close within
-- a second.
local function addToPendingIndex(order, at)
  redis.call('ZADD', pendingIndex, integer(at), order.id)
  redis.call('PEXPIRE', pendingIndex, ttl.order)
end

local function lease(order)
  order.state = 'pending'
  order.attempt = args.attempt
  order.leaseUntil = now + args.leaseMs
  order.tries = order.tries + 1
  writeOrder(order)
  addToPendingIndex(order, order.leaseUntil)
end

local function likesUsed() return read(budgetName) or 0 end
local function dailyLimit() return read(limitName) or args.dailyLikeLimit end
local function isUsedUp() return likesUsed() + args.likes > dailyLimit() end
local function usage() return { likesUsed = likesUsed(), totalLimit = dailyLimit(), resetsAt = (today + 1) * dayMs } end

-- Stores the final state of an order. Only an accepted order counts for its visitor, and starts the cooldown.
local function close(order, state)
  local visitorName = 'visitor:' .. order.visitor
  local visitor, accepted = readSubject(visitorName), state == 'accepted'
  if visitor.order == order.id then visitor.order = nil end
  visitor.orders[order.id] = accepted and now or nil
  visitor.cooldownUntil = accepted and order.cooldownUntil or visitor.cooldownUntil
  writeSubject(visitorName)
  order.state = state
  order.closedAt = now
  writeOrder(order)
  redis.call('ZREM', pendingIndex, order.id)
end

-- Closes an order whose outcome stayed unknown, or whose post is blocked. The likes still count against the daily limit, but the
-- visitor may create another order.
local function abandon(order)
  close(order, 'abandoned')
  abandonedCount = abandonedCount + 1
end

-- If the orders of the last 24 hours in these records reach the cap, returns the time when the oldest stops
-- counting. Otherwise, returns nil.
local function capUntil(names, cap)
  local count, oldest = 0, nil
  for _, name in ipairs(names) do
    for _, field in ipairs({ 'orders', 'hours' }) do
      for id, entry in pairs(readSubject(name)[field]) do
        local expiresAt = expiryOf[field](entry, id)
        if expiresAt > now then
          count = count + (field == 'hours' and entry or 1)
          oldest = math.min(oldest or expiresAt, expiresAt)
        end
      end
    end
  end
  return count >= cap and oldest or nil
end

-- Returns the time when the caps of the address and its networks stop blocking orders. Returns nil if no cap
-- is reached.
local function addressCapUntil()
  local cappedUntil = now
  for _, network in ipairs(args.networks) do
    cappedUntil = math.max(cappedUntil, capUntil(network.names, network.cap) or now)
  end
  return cappedUntil > now and cappedUntil or nil
end

-- Whether the address had an order in the last 24 hours.
local function isReturning() return capUntil(args.networks[1].names, 1) ~= nil end

-- Returns the time from which the pace of the day allows an order. Returns nil if it allows one now.
local function pacedUntil()
  if not args.pacing or isUsedUp() then return nil end
  local pacing, limit, needed = args.pacing, dailyLimit(), likesUsed() + args.likes
  if isReturning() then
    needed = math.max(needed, ((read(returningName) or 0) + args.likes) * 100 / pacing.returningShare)
  end
  local seconds = math.ceil((100 * needed - pacing.start * limit) * 86400 / (pacing.slope * limit))
  local allowedAt = today * dayMs + (needed > limit and dayMs or seconds * 1000)
  return allowedAt > now and allowedAt or nil
end

-- Returns the end of the cooldown and the id of the open order. Each value is nil if it does not exist.
local function readVisitor()
  local cookieOrder = args.cookie and readOrder(args.cookie)
  local cooldownUntil = cookieOrder and cookieOrder.state == 'accepted' and cookieOrder.cooldownUntil or now
  local orderId = nil
  for _, name in ipairs(args.visitors) do
    local visitor = readSubject(name)
    cooldownUntil = math.max(cooldownUntil, visitor.cooldownUntil or now)
    orderId = orderId or visitor.order
  end
  return cooldownUntil > now and cooldownUntil or nil, orderId
end
`;

/**
 * Checks the limits that apply to the visitor. If no limit blocks the visitor, creates an order and gives
 * this delivery attempt a lease on it. `orderIds` are the possible order ids of this flow, and a new order
 * gets the first unused id. `visitors` and the `names` of each network are names of records, one for each secret,
 * the newest secret first. The first network is the address itself. `names` are all records to read.
 */
const reserve = `
-- After a freeze, Redis runs waiting commands late. Their callers have already failed, so the script creates
-- no order.
if now > args.notAfter then return reply({ kind = 'late' }) end

load({ limitName, budgetName, returningName, blockedName(args.postId), unpack(args.names) })
local visitorName, addressName = args.visitors[1], args.networks[1].names[1]
local visitor, address = readSubject(visitorName), readSubject(addressName)

-- Adds the likes of this order to a total of the day.
local function charge(name)
  records[name] = redis.call('INCRBY', prefix .. name, args.likes)
  if records[name] == args.likes then redis.call('PEXPIRE', prefix .. name, ttl.budget) end
end

local function storeRequestKey(orderId)
  if not args.requestKey then return end
  visitor.requests[args.requestKey] = { order = orderId, postId = args.postId, till = now + ttl.requestKey }
  local hashes = {}
  for hash in pairs(visitor.requests) do hashes[#hashes + 1] = hash end
  table.sort(hashes, function(a, b) return visitor.requests[a].till > visitor.requests[b].till end)
  for i = args.maxRequestKeys + 1, #hashes do visitor.requests[hashes[i]] = nil end
end

local function resumeOrder(order)
  if not isOpen(order) then return reply({ kind = order.state, order = order, usage = usage() }) end
  if order.attempt ~= args.attempt then
    local waitUntil = order.live ~= args.live and now + args.leaseMs or order.leaseUntil
    if waitUntil > now then return reply({ kind = 'in_progress', waitUntil = waitUntil }) end
    lease(order)
  end
  return reply({ kind = 'leased', order = order, usage = usage() })
end

local function decide()
  local cooldownUntil, openId = readVisitor()

  -- Finds the first unused order id of the flow, and the open or accepted order of the flow.
  local freeId, flowOrder = nil, nil
  for _, id in ipairs(args.orderIds) do
    local order = readOrder(id)
    if not order then
      freeId = freeId or id
    elseif order.flow == args.flow and (order.state == 'accepted' or isOpen(order)) then
      flowOrder = order
    end
  end
  -- A visitor with a new IP address has a new hash. The script then finds the open order by its flow.
  local open = openId and readOrder(openId) or flowOrder

  local stored = nil
  for _, name in ipairs(args.requestKey and args.visitors or {}) do
    local request = readSubject(name).requests[args.requestKey]
    if request and request.till > now then stored = stored or request end
  end
  local storedOrder = stored and readOrder(stored.order)
  local known = storedOrder or open

  -- The client repeats a command after a lost reply. The first run may have given this attempt a lease.
  if known and isOpen(known) and known.attempt == args.attempt then return resumeOrder(known) end

  local windowEnd = (math.floor(now / args.rateLimit.windowMs) + 1) * args.rateLimit.windowMs
  local attempts = 1
  for id, till in pairs(address.recent) do if till == windowEnd and id ~= args.attempt then attempts = attempts + 1 end end
  if attempts > args.rateLimit.requests then return reply({ kind = 'rate_limited', waitUntil = windowEnd }) end
  address.recent[args.attempt] = windowEnd

  if stored and stored.postId ~= args.postId then return reply({ kind = 'key_reused' }) end
  if known and isOverdue(known) then abandon(known) end
  if storedOrder then return resumeOrder(storedOrder) end
  if cooldownUntil then return reply({ kind = 'cooldown', waitUntil = cooldownUntil }) end
  if open and isOpen(open) then
    if open.postId ~= args.postId then return reply({ kind = 'other_pending' }) end
    storeRequestKey(open.id)
    writeSubject(visitorName)
    return resumeOrder(open)
  end
  -- The response was lost, and the visitor has a new address.
  if flowOrder and flowOrder.state == 'accepted' and flowOrder.postId == args.postId then return resumeOrder(flowOrder) end
  if not freeId or flowOrder and flowOrder.state ~= 'abandoned' then return reply({ kind = 'flow_used' }) end
  if isBlocked(args.postId) then return reply({ kind = 'post_blocked' }) end

  local visitorCap = capUntil(args.visitors, args.maxRequestsPerDay)
  if visitorCap then return reply({ kind = 'daily_cap', waitUntil = visitorCap }) end
  local addressCap = addressCapUntil()
  if addressCap then return reply({ kind = 'address_cap', waitUntil = addressCap }) end
  if isUsedUp() then return reply({ kind = 'daily_limit', waitUntil = (today + 1) * dayMs }) end
  local paced = pacedUntil()
  if paced then return reply({ kind = 'paced', waitUntil = paced }) end

  local returning = args.pacing and isReturning() or nil
  charge(budgetName)
  if returning then charge(returningName) end
  local order = {
    id = freeId, state = 'reserved', postId = args.postId, postType = args.postType, likes = args.likes,
    visitor = args.visitor, flow = args.flow, day = today, createdAt = now,
    attempt = args.attempt, leaseUntil = now + args.leaseMs, tries = 1, returning = returning, live = args.live,
  }
  writeOrder(order)
  visitor.order = order.id
  visitor.orders[order.id] = now
  storeRequestKey(order.id)
  writeSubject(visitorName)
  address.orders[order.id] = now
  local thisHour = integer(math.floor(now / hourMs))
  for i = 2, #args.networks do
    local networkName = args.networks[i].names[1]
    local hours = readSubject(networkName).hours
    hours[thisHour] = (hours[thisHour] or 0) + 1
    writeSubject(networkName)
  end
  redis.call('ZADD', pendingIndex, integer(order.leaseUntil), order.id)
  return reply({ kind = 'leased', order = order, usage = usage() })
end

local response = decide()
writeSubject(addressName)
return response
`;

/**
 * Gives this attempt a lease on the open order that was due first. Skips orders that became due after `upTo`, and live
 * orders in a demo, which would accept them and send nothing. Abandons orders that have been open for 24 hours, or whose post is
 * blocked.
 */
const claim = `
local claimKey = prefix .. 'claim:' .. args.attempt
local claimedId = redis.call('GET', claimKey)
local claimed = claimedId and readOrder(claimedId)
if claimed and isOpen(claimed) and claimed.attempt == args.attempt then return reply({ order = claimed }) end

local upTo = math.min(args.upTo or now, now)
local ids = redis.call('ZRANGEBYSCORE', pendingIndex, '-inf', integer(upTo), 'LIMIT', 0, 100)
if #ids > 0 then redis.call('PEXPIRE', pendingIndex, ttl.order) end
for _, id in ipairs(ids) do
  local order = readOrder(id)
  if not order or not isOpen(order) then
    redis.call('ZREM', pendingIndex, id)
  elseif isOverdue(order) then
    abandon(order)
  elseif not isLeased(order) and order.live == args.live then
    redis.call('SET', claimKey, id, 'PX', args.leaseMs)
    lease(order)
    return reply({ order = order })
  end
end
return reply({})
`;

/** Accepts an order and starts the cooldown. Needs no lease, because the delivery is already accepted. */
const settle = `
load({ 'order:' .. args.orderId, 'visitor:' .. args.visitor })
local order = readOrder(args.orderId)
if order and isOpen(order) then
  order.cooldownUntil = now + args.cooldownMs
  order.providerReference = args.providerReference
  close(order, 'accepted')
end
return reply({ order = order })
`;

/** Refuses an order and gives its likes back to the day. Does nothing if a newer attempt has a lease on it. */
const refuse = `
local order = readOrder(args.orderId)
if order and isOpen(order) and order.attempt == args.attempt then
  order.message = args.message
  close(order, 'refused')
  for _, total in ipairs({ 'budget:', order.returning and 'returning:' }) do
    local key = prefix .. total .. integer(order.day)
    if redis.call('EXISTS', key) == 1 then redis.call('DECRBY', key, order.likes) end
  end
end
return reply({ order = order })
`;

/** Keeps an order open for a later attempt. Does nothing if a newer attempt got a lease on the order. */
const defer = `
local order = readOrder(args.orderId)
if order and isOpen(order) and order.attempt == args.attempt then
  order.state = 'pending'
  order.leaseUntil = 0
  writeOrder(order)
  addToPendingIndex(order, now)
end
return reply({ order = order })
`;

/** Returns when each limit stops blocking the visitor, and whether an order is open. Writes nothing. */
const status = `
load({ limitName, budgetName, returningName, unpack(args.names) })
local cooldownUntil, openId = readVisitor()
return reply({
  cooldownUntil = cooldownUntil,
  dailyCapUntil = capUntil(args.visitors, args.maxRequestsPerDay),
  addressCapUntil = addressCapUntil(),
  pacedUntil = pacedUntil(),
  pending = openId ~= nil,
})
`;

const dailyUsage = `
load({ budgetName, limitName })
return reply(usage())
`;

/** Returns today's usage and limit, the number of open orders, and the creation time of the oldest open order. */
const overview = `
local fields = usage()
fields.open = redis.call('ZCARD', pendingIndex)
for _, order in ipairs(readOrders(redis.call('ZRANGE', pendingIndex, 0, args.maxOrders - 1))) do
  fields.oldestAt = math.min(fields.oldestAt or order.createdAt, order.createdAt)
end
return reply(fields)
`;

/** Returns the orders with the ids in `args.ids`, or all open orders. Omits missing orders. */
const findOrders = `
local orders = readOrders(args.ids or redis.call('ZRANGE', pendingIndex, 0, args.maxOrders - 1))
return reply({ orders = #orders > 0 and orders or nil })
`;

/**
 * Sets today's limit. Without `args.limit`, restores the configured limit. If the client repeats the command,
 * the script records the change only once.
 */
const changeLimit = `
local limitKey, changesKey = prefix .. limitName, prefix .. 'limit-changes'
-- Another operator may change the limit before the client repeats the command.
for _, text in ipairs(redis.call('LRANGE', changesKey, 0, -1)) do
  local earlier = cjson.decode(text)
  if earlier.id == args.change then return reply({ change = earlier }) end
end
local change = { id = args.change, at = now, day = today, before = dailyLimit(), after = args.limit or args.dailyLikeLimit, reason = args.reason }
if args.limit then redis.call('SET', limitKey, integer(args.limit), 'PX', ttl.budget) else redis.call('DEL', limitKey) end
redis.call('RPUSH', changesKey, cjson.encode(change))
redis.call('LTRIM', changesKey, -args.maxChanges, -1)
redis.call('PEXPIRE', changesKey, ttl.order)
return reply({ change = change })
`;

const scripts = {
  ...{ reserve, claim, settle, refuse, defer, status, dailyUsage },
  // ledger-admin.ts runs these for operator tools and the health endpoint.
  ...{ overview, findOrders, changeLimit },
};

/** The scripts by verb. */
export const ledgerScripts = Object.fromEntries(
  Object.entries(scripts).map(([verb, script]) => [verb, ledgerPrelude + script]),
) as Record<keyof typeof scripts, string>;
