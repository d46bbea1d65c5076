import "server-only";

/**
 * Lua code at the start of every ledger script. KEYS[1] is the key prefix. ARGV[1] and the reply are JSON.
 * Every script may run twice, because the client repeats a command after a lost reply (docs/decisions/0001).
 *
 * Key names after the prefix, and their values (JSON, except budget, limit, claim and pending):
 *   order:{id}       order
 *   visitor:{hash}   cooldownUntil; order: id of the open order; orders: id -> time, for 24 hours;
 *                    requests: hash of an Idempotency-Key -> {order, body, till}. `till` is its expiry time
 *   address:{hash}   orders: id -> time, for 24 hours; lost: hour -> number of refused and abandoned orders;
 *                    windowEnd, attempts: end of the current rate-limit window, and attempts in this window
 *   network:{hash}   hours: hour -> number of orders; lost: hour -> number of refused and abandoned orders
 *   budget:{day}     likes charged on this GMT day; {day} is the number of days since 1970-01-01
 *   limit:{day}      daily limit set by the operator; without this key the configured limit applies
 *   limit-changes    list of the operator's limit changes, newest last
 *   claim:{attempt}  id of the order that a claim leased; a repeated claim command leases this order again
 *   pending          sorted set of all open orders; score: time from which reconcile may claim the order
 */
export const ledgerPrelude = `
local prefix = KEYS[1]
local args = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local hourMs, dayMs = 3600000, 86400000
local today = math.floor(now / dayMs)
local ttl = args.ttlMs
local pendingIndex = prefix .. 'pending'

local function integer(number) return string.format('%.0f', number) end
local function key(kind, id) return prefix .. kind .. ':' .. id end
local budgetKey = key('budget', integer(today))
local limitKey = key('limit', integer(today))

local abandonedCount = 0

-- Adds readAt to the orders of the reply and encodes the reply. A script must not store an order after this
-- call, because stored orders have no readAt field.
local function reply(fields)
  fields.now = now
  fields.abandoned = abandonedCount
  for _, order in ipairs(fields.orders or { fields.order }) do order.readAt = now end
  return cjson.encode(fields)
end

-- Maps keys to the records that this script run has read. The value false means that the key does not exist.
local records = {}

-- Reads the keys with one MGET. Skips each record that this run has already read, because the record may have
-- unsaved changes.
local function load(keys)
  local missing = {}
  for _, each in ipairs(keys) do
    if records[each] == nil then missing[#missing + 1] = each end
  end
  if #missing == 0 then return end
  for i, text in ipairs(redis.call('MGET', unpack(missing))) do
    records[missing[i]] = text and cjson.decode(text)
  end
end

local function read(recordKey)
  if records[recordKey] == nil then load({ recordKey }) end
  return records[recordKey] or nil
end

local function write(recordKey, record, ttlMs)
  records[recordKey] = record
  redis.call('SET', recordKey, cjson.encode(record), 'PX', integer(ttlMs))
end

local function readOrder(id) return read(key('order', id)) end
local function writeOrder(order) write(key('order', order.id), order, ttl.order) end
local function isOpen(order) return order.state == 'reserved' or order.state == 'pending' end
local function isLeased(order) return order.leaseUntil > now end
local function isOverdue(order) return order.createdAt + ttl.openOrder <= now and not isLeased(order) end

-- Returns the record of a visitor or an address. Returns an empty record when the key does not exist.
local function readSubject(subjectKey)
  local subject = read(subjectKey) or {}
  subject.orders = subject.orders or {}
  subject.requests = subject.requests or {}
  records[subjectKey] = subject
  return subject
end

-- Hours have numbers, counted from 1970. The count of an hour expires 24 hours after the start of that hour,
-- so an order counts for 23 to 24 hours.
local thisHour = math.floor(now / hourMs)
local function hourExpiry(hour) return tonumber(hour) * hourMs + dayMs end

local function addTo(counts, hour, number)
  hour = integer(hour)
  local count = (counts[hour] or 0) + number
  counts[hour] = count > 0 and count or nil
end

-- Removes expired hourly counts. Returns the time when the last remaining count expires. Returns 0 if no
-- count remains.
local function removeExpired(counts)
  local expiresAt = 0
  for hour in pairs(counts) do
    if hourExpiry(hour) <= now then counts[hour] = nil else expiresAt = math.max(expiresAt, hourExpiry(hour)) end
  end
  return expiresAt
end

local function readNetwork(networkKey)
  local network = read(networkKey) or {}
  network.hours = network.hours or {}
  network.lost = network.lost or {}
  records[networkKey] = network
  return network
end

local function writeNetwork(networkKey)
  local network = readNetwork(networkKey)
  local expiresAt = math.max(removeExpired(network.hours), removeExpired(network.lost))
  if expiresAt > now then write(networkKey, network, expiresAt - now) else redis.call('DEL', networkKey) end
end

-- Removes expired entries from the record of a visitor or an address. Redis deletes the record when its last
-- entry expires.
local function writeSubject(subjectKey)
  local subject = readSubject(subjectKey)
  local expiresAt = math.max(subject.cooldownUntil or 0, subject.windowEnd or 0, subject.lost and removeExpired(subject.lost) or 0)
  if subject.order then expiresAt = math.max(expiresAt, now + ttl.openOrder + dayMs) end
  for id, at in pairs(subject.orders) do
    if at + dayMs <= now then subject.orders[id] = nil else expiresAt = math.max(expiresAt, at + dayMs) end
  end
  for hash, request in pairs(subject.requests) do
    if request.till <= now then subject.requests[hash] = nil else expiresAt = math.max(expiresAt, request.till) end
  end
  if expiresAt > now then write(subjectKey, subject, expiresAt - now) else redis.call('DEL', subjectKey) end
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

local function dailyLimit() return read(limitKey) or args.dailyLikeLimit end
local function likesUsed() return read(budgetKey) or 0 end
local function usage() return { likesUsed = likesUsed(), totalLimit = dailyLimit(), resetsAt = (today + 1) * dayMs } end

-- Removes a refused or abandoned order from the visitor record, the order counts and the index of open
-- orders. Counts the order as lost, because the server has already sent the order to the delivery service.
local function detachOrder(order)
  local visitorKey, addressKey, networkKeys = key('visitor', order.visitor), key('address', order.address), {}
  for i, hash in ipairs(order.networks or {}) do networkKeys[i] = key('network', hash) end
  load({ visitorKey, addressKey, unpack(networkKeys) })
  local visitor, address = readSubject(visitorKey), readSubject(addressKey)
  if visitor.order == order.id then visitor.order = nil end
  visitor.orders[order.id] = nil
  address.orders[order.id] = nil
  address.lost = address.lost or {}
  addTo(address.lost, thisHour, 1)
  writeSubject(visitorKey)
  writeSubject(addressKey)
  for _, networkKey in ipairs(networkKeys) do
    local network = readNetwork(networkKey)
    addTo(network.hours, math.floor(order.createdAt / hourMs), -1)
    addTo(network.lost, thisHour, 1)
    writeNetwork(networkKey)
  end
  redis.call('ZREM', pendingIndex, order.id)
end

-- Closes an order whose outcome stayed unknown. The likes still count against the daily limit, but the
-- visitor may create another order.
local function abandon(order)
  detachOrder(order)
  order.state = 'abandoned'
  order.closedAt = now
  writeOrder(order)
  abandonedCount = abandonedCount + 1
end

-- If the orders of the last 24 hours reach the cap, returns the time when the oldest order stops counting.
-- Otherwise, returns nil.
local function capUntil(subjectKeys, cap)
  local count, oldest = 0, nil
  for _, subjectKey in ipairs(subjectKeys) do
    for _, at in pairs(readSubject(subjectKey).orders) do
      if at > now - dayMs then
        count = count + 1
        if not oldest or at < oldest then oldest = at end
      end
    end
  end
  return count >= cap and oldest + dayMs or nil
end

-- If the hourly counts reach the cap, returns the time when the oldest count expires. Otherwise, returns nil.
local function hourlyCapUntil(counts, cap)
  local sum, oldest = 0, nil
  for _, each in ipairs(counts) do
    for hour, count in pairs(each) do
      if hourExpiry(hour) > now then
        sum = sum + count
        oldest = math.min(oldest or hourExpiry(hour), hourExpiry(hour))
      end
    end
  end
  return sum >= cap and oldest or nil
end

-- Keys of the visitor's records. Each list has one key for each secret. The key of the newest secret is
-- first.
local visitorKeys, addressKeys, networks, cookieKey = {}, {}, {}, nil
for _, hash in ipairs(args.visitors or {}) do visitorKeys[#visitorKeys + 1] = key('visitor', hash) end
for _, hash in ipairs(args.addresses or {}) do addressKeys[#addressKeys + 1] = key('address', hash) end
for i, network in ipairs(args.networks or {}) do
  networks[i] = { cap = network.cap, keys = {} }
  for n, hash in ipairs(network.hashes) do networks[i].keys[n] = key('network', hash) end
end
if args.cookie then cookieKey = key('order', args.cookie) end

local function loadIdentity(extraKeys)
  local keys = { unpack(visitorKeys) }
  for _, each in ipairs(addressKeys) do keys[#keys + 1] = each end
  for _, network in ipairs(networks) do
    for _, each in ipairs(network.keys) do keys[#keys + 1] = each end
  end
  if cookieKey then keys[#keys + 1] = cookieKey end
  for _, each in ipairs(extraKeys or {}) do keys[#keys + 1] = each end
  load(keys)
end

-- Returns the time when the caps of the address and its networks stop blocking orders. Returns nil if no cap
-- is reached.
local function addressCapUntil()
  local cappedUntil = capUntil(addressKeys, args.maxRequestsPerAddressPerDay) or 0
  local lost = {}
  for i, addressKey in ipairs(addressKeys) do lost[i] = readSubject(addressKey).lost or {} end
  cappedUntil = math.max(cappedUntil, hourlyCapUntil(lost, args.maxRequestsPerAddressPerDay) or 0)
  for _, network in ipairs(networks) do
    local orders, lostOrders = {}, {}
    for i, networkKey in ipairs(network.keys) do
      local record = readNetwork(networkKey)
      orders[i], lostOrders[i] = record.hours, record.lost
    end
    cappedUntil = math.max(cappedUntil, hourlyCapUntil(orders, network.cap) or 0, hourlyCapUntil(lostOrders, network.cap) or 0)
  end
  return cappedUntil > 0 and cappedUntil or nil
end

-- Returns the end of the cooldown and the id of the open order. Each value is nil if it does not exist.
local function readVisitor()
  local cooldownUntil, orderId = nil, nil
  local function extendCooldown(deadline)
    if deadline and deadline > now and deadline > (cooldownUntil or 0) then cooldownUntil = deadline end
  end
  for _, visitorKey in ipairs(visitorKeys) do
    local visitor = readSubject(visitorKey)
    extendCooldown(visitor.cooldownUntil)
    orderId = orderId or visitor.order
  end
  local cookieOrder = cookieKey and read(cookieKey)
  if cookieOrder and cookieOrder.state == 'accepted' then extendCooldown(cookieOrder.cooldownUntil) end
  return cooldownUntil, orderId
end
`;

/**
 * Checks the limits that apply to the visitor. If no limit blocks the visitor, creates an order and gives
 * this delivery attempt a lease on it. `orderIds` are the possible order ids of this flow, and a new order
 * gets the first unused id.
 */
const reserve = `
-- After a freeze, Redis runs waiting commands late. Their callers have already failed, so the script creates
-- no order.
if now > args.notAfter then return reply({ kind = 'late' }) end

local extraKeys = { limitKey, budgetKey }
for _, id in ipairs(args.orderIds) do extraKeys[#extraKeys + 1] = key('order', id) end
loadIdentity(extraKeys)
local visitor, address = readSubject(visitorKeys[1]), readSubject(addressKeys[1])

local function storeRequestKey(orderId)
  if not args.requestKey then return end
  visitor.requests[args.requestKey] = { order = orderId, body = args.bodyHash, till = now + ttl.requestKey }
  local hashes = {}
  for hash in pairs(visitor.requests) do hashes[#hashes + 1] = hash end
  table.sort(hashes, function(a, b) return visitor.requests[a].till > visitor.requests[b].till end)
  for i = args.maxRequestKeys + 1, #hashes do visitor.requests[hashes[i]] = nil end
end

local function resumeOrder(order)
  if not isOpen(order) then return reply({ kind = order.state, order = order, usage = usage() }) end
  if order.attempt ~= args.attempt then
    if isLeased(order) then return reply({ kind = 'in_progress', waitUntil = order.leaseUntil }) end
    lease(order)
  end
  return reply({ kind = 'leased', order = order, usage = usage() })
end

local function decide()
  -- The client repeats a command after a lost reply. The first run may have given this attempt a lease.
  local cooldownUntil, openId = readVisitor()
  local ids = { unpack(args.orderIds) }
  ids[#ids + 1] = openId
  for _, id in ipairs(ids) do
    local order = readOrder(id)
    if order and isOpen(order) and order.attempt == args.attempt then return resumeOrder(order) end
  end

  local windowEnd = (math.floor(now / args.rateLimit.windowMs) + 1) * args.rateLimit.windowMs
  if address.windowEnd ~= windowEnd then address.windowEnd, address.attempts = windowEnd, 0 end
  address.attempts = address.attempts + 1
  if address.attempts > args.rateLimit.requests then return reply({ kind = 'rate_limited', waitUntil = windowEnd }) end

  for _, visitorKey in ipairs(visitorKeys) do
    local stored = args.requestKey and readSubject(visitorKey).requests[args.requestKey]
    if stored and stored.till > now then
      if stored.body ~= args.bodyHash then return reply({ kind = 'key_reused' }) end
      local order = readOrder(stored.order)
      if order then
        if isOpen(order) and isOverdue(order) then abandon(order) end
        return resumeOrder(order)
      end
    end
  end

  if cooldownUntil then return reply({ kind = 'cooldown', waitUntil = cooldownUntil }) end

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
  if open and isOpen(open) then
    if isOverdue(open) then
      abandon(open)
      if open == flowOrder then flowOrder = nil end
    elseif open.postId == args.postId then
      storeRequestKey(open.id)
      writeSubject(visitorKeys[1])
      return resumeOrder(open)
    else
      return reply({ kind = 'other_pending' })
    end
  end
  if flowOrder or not freeId then return reply({ kind = 'flow_used' }) end

  local visitorCap = capUntil(visitorKeys, args.maxRequestsPerDay)
  if visitorCap then return reply({ kind = 'daily_cap', waitUntil = visitorCap }) end
  local addressCap = addressCapUntil()
  if addressCap then return reply({ kind = 'address_cap', waitUntil = addressCap }) end
  if likesUsed() + args.likes > dailyLimit() then
    return reply({ kind = 'daily_limit', waitUntil = (today + 1) * dayMs })
  end

  records[budgetKey] = redis.call('INCRBY', budgetKey, args.likes)
  if likesUsed() == args.likes then
    redis.call('PEXPIRE', budgetKey, ttl.budget)
  end
  local networkHashes = {}
  for i, network in ipairs(args.networks) do networkHashes[i] = network.hashes[1] end
  local order = {
    id = freeId, state = 'reserved', postId = args.postId, postType = args.postType, likes = args.likes,
    visitor = args.visitors[1], address = args.addresses[1], networks = networkHashes, flow = args.flow,
    day = today, createdAt = now, attempt = args.attempt, leaseUntil = now + args.leaseMs, tries = 1,
  }
  writeOrder(order)
  visitor.order = order.id
  visitor.orders[order.id] = now
  address.orders[order.id] = now
  storeRequestKey(order.id)
  writeSubject(visitorKeys[1])
  for _, network in ipairs(networks) do
    addTo(readNetwork(network.keys[1]).hours, thisHour, 1)
    writeNetwork(network.keys[1])
  end
  redis.call('ZADD', pendingIndex, integer(order.leaseUntil), order.id)
  return reply({ kind = 'leased', order = order, usage = usage() })
end

local response = decide()
writeSubject(addressKeys[1])
return response
`;

/**
 * Gives this attempt a lease on the open order that was due first. Skips orders that became due after `upTo`.
 * Abandons orders that have been open for 24 hours.
 */
const claim = `
local claimKey = key('claim', args.attempt)
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
  elseif not isLeased(order) then
    redis.call('SET', claimKey, id, 'PX', args.leaseMs)
    lease(order)
    return reply({ order = order })
  end
end
return reply({})
`;

/** Accepts an order and starts the cooldown. Needs no lease, because the delivery is already accepted. */
const settle = `
local visitorKey = key('visitor', args.visitor)
load({ key('order', args.orderId), visitorKey })
local order = readOrder(args.orderId)
if not order or not isOpen(order) then return reply({ order = order }) end
order.state = 'accepted'
order.closedAt = now
order.cooldownUntil = now + args.cooldownMs
order.providerReference = args.providerReference
writeOrder(order)
local visitor = readSubject(visitorKey)
visitor.cooldownUntil = order.cooldownUntil
if visitor.order == order.id then visitor.order = nil end
visitor.orders[order.id] = now
writeSubject(visitorKey)
redis.call('ZREM', pendingIndex, order.id)
return reply({ order = order })
`;

/** Refuses an order and gives its likes back to the day. Does nothing if a newer attempt has a lease on it. */
const release = `
local order = readOrder(args.orderId)
if not order or not isOpen(order) or order.attempt ~= args.attempt then return reply({ order = order }) end
detachOrder(order)
local chargedKey = key('budget', integer(order.day))
if redis.call('EXISTS', chargedKey) == 1 then redis.call('DECRBY', chargedKey, order.likes) end
order.state = 'refused'
order.closedAt = now
order.message = args.message
writeOrder(order)
return reply({ order = order })
`;

/** Keeps an order open for a later attempt. Does nothing if a newer attempt got a lease on the order. */
const defer = `
local order = readOrder(args.orderId)
if not order or not isOpen(order) or order.attempt ~= args.attempt then return reply({ order = order }) end
order.state = 'pending'
order.leaseUntil = 0
writeOrder(order)
addToPendingIndex(order, now)
return reply({ order = order })
`;

/** Returns when each limit stops blocking the visitor, and whether an order is open. Writes nothing. */
const status = `
loadIdentity()
local cooldownUntil, openId = readVisitor()
return reply({
  cooldownUntil = cooldownUntil,
  dailyCapUntil = capUntil(visitorKeys, args.maxRequestsPerDay),
  addressCapUntil = addressCapUntil(),
  pending = openId ~= nil,
})
`;

const dailyUsage = `
load({ budgetKey, limitKey })
return reply(usage())
`;

/** Returns today's usage and limit, the number of open orders, and the creation time of the oldest open order. */
const overview = `
local oldest = nil
for _, id in ipairs(redis.call('ZRANGE', pendingIndex, 0, args.maxOrders - 1)) do
  local order = readOrder(id)
  if order and (not oldest or order.createdAt < oldest) then oldest = order.createdAt end
end
return reply({
  likesUsed = likesUsed(), totalLimit = dailyLimit(), resetsAt = (today + 1) * dayMs,
  open = redis.call('ZCARD', pendingIndex), oldestAt = oldest,
})
`;

/** Returns the orders with the ids in `args.ids`, or all open orders. Omits missing orders. */
const readOrders = `
local keys, orders = {}, {}
for _, id in ipairs(args.ids or redis.call('ZRANGE', pendingIndex, 0, args.maxOrders - 1)) do
  keys[#keys + 1] = key('order', id)
end
load(keys)
for _, orderKey in ipairs(keys) do orders[#orders + 1] = read(orderKey) end
return reply({ orders = #orders > 0 and orders or nil })
`;

/**
 * Sets today's limit. Without `args.limit`, restores the configured limit. If the client repeats the command,
 * the script records the change only once.
 */
const changeLimit = `
local changesKey = prefix .. 'limit-changes'
local last = redis.call('LINDEX', changesKey, -1)
if last and cjson.decode(last).id == args.change then return reply({ change = cjson.decode(last) }) end
local change = { id = args.change, at = now, day = today, before = dailyLimit(), after = args.limit or args.dailyLikeLimit, reason = args.reason }
if args.limit then redis.call('SET', limitKey, integer(args.limit), 'PX', ttl.budget) else redis.call('DEL', limitKey) end
redis.call('RPUSH', changesKey, cjson.encode(change))
redis.call('LTRIM', changesKey, -args.maxChanges, -1)
redis.call('PEXPIRE', changesKey, ttl.order)
return reply({ change = change })
`;

const limitChanges = `
local changes = {}
for _, line in ipairs(redis.call('LRANGE', prefix .. 'limit-changes', 0, -1)) do changes[#changes + 1] = cjson.decode(line) end
return reply({ changes = #changes > 0 and changes or nil })
`;

export const ledgerScripts = {
  reserve: ledgerPrelude + reserve,
  claim: ledgerPrelude + claim,
  settle: ledgerPrelude + settle,
  release: ledgerPrelude + release,
  defer: ledgerPrelude + defer,
  status: ledgerPrelude + status,
  dailyUsage: ledgerPrelude + dailyUsage,
};

/** Scripts that ledger-admin.ts runs for operator tools and the health endpoint. */
export const adminScripts = {
  overview: ledgerPrelude + overview,
  readOrders: ledgerPrelude + readOrders,
  changeLimit: ledgerPrelude + changeLimit,
  limitChanges: ledgerPrelude + limitChanges,
};
