import "server-only";

/**
 * The ledger's verbs as Lua: each runs atomically in Redis and takes the time from Redis. KEYS[1] is the key prefix,
 * whose hash tag keeps all keys in one cluster slot; ARGV[1] is JSON. Each answers JSON as ledger-replies.ts reads it.
 * All are safe to run twice, because the client repeats a command whose answer was lost.
 *
 * Hosts bill every command, those of a script included: whoever is asked about has one record, which is read with all
 * others at once and written once.
 *
 * Keys behind the prefix; records are JSON:
 *   order:{id}       the order
 *   visitor:{hash}   {cooldownUntil, order, orders, requests}: end of the cooldown; the open order; id -> time of the
 *                    orders of 24 hours, for the cap; hash of an Idempotency-Key -> {order, body, till}
 *   address:{hash}   {orders, lost, windowEnd, attempts}: as above; hour -> how many refused or abandoned orders it has
 *                    cost in that hour; the like attempts in the current window
 *   network:{hash}   {hours, lost}: of a wider network, hour -> how many orders, and how many refused or abandoned ones
 *   budget:{day}     likes charged on a GMT day (days since 1970)
 *   limit:{day}      that day's limit where the operator changed it; else the configured one holds
 *   limit-changes    list of those changes, the newest last
 *   claim:{attempt}  the order that a claim leased, so that its repetition leases no second one
 *   pending          sorted set of all open orders by the time at which reconcile may take them
 */
export const prelude = `
local prefix = KEYS[1]
local args = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local hourMs, dayMs = 3600000, 86400000
local today = math.floor(now / dayMs)
local lives = args.livesMs
local pendingIndex = prefix .. 'pending'

local function integer(number) return string.format('%.0f', number) end
local function key(kind, id) return prefix .. kind .. ':' .. id end
local budgetKey = key('budget', integer(today))
local limitKey = key('limit', integer(today))

-- How many orders this run has abandoned.
local abandoned = 0

-- Last of all: the orders in it are marked with when they were read.
local function reply(fields)
  fields.now = now
  fields.abandoned = abandoned
  for _, order in ipairs(fields.orders or { fields.order }) do order.readAt = now end
  return cjson.encode(fields)
end

-- What was read or written in this run; false for what does not exist.
local records = {}

-- Those that were not read yet: what this run has changed since must not be read again.
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

local function write(recordKey, record, lifeMs)
  records[recordKey] = record
  redis.call('SET', recordKey, cjson.encode(record), 'PX', integer(lifeMs))
end

local function readOrder(id) return read(key('order', id)) end
local function writeOrder(order) write(key('order', order.id), order, lives.order) end
local function isOpen(order) return order.state == 'reserved' or order.state == 'pending' end
local function isLeased(order) return order.leaseUntil > now end
local function isOverdue(order) return order.createdAt + lives.pending <= now and not isLeased(order) end

-- Of a visitor or an address; empty for one who was never here.
local function readParty(partyKey)
  local party = read(partyKey) or {}
  party.orders = party.orders or {}
  party.requests = party.requests or {}
  records[partyKey] = party
  return party
end

-- Counts by the hour, in 1970's: each is forgotten when its hour began a day ago. So none is kept longer than 24 hours,
-- and none of a GMT day is forgotten before the day is over.
local thisHour = math.floor(now / hourMs)
local function hourEnds(hour) return tonumber(hour) * hourMs + dayMs end

local function addTo(counts, hour, number)
  hour = integer(hour)
  local count = (counts[hour] or 0) + number
  counts[hour] = count > 0 and count or nil
end

-- Drops what is over, and says until when the rest is kept.
local function forget(counts)
  local till = 0
  for hour in pairs(counts) do
    if hourEnds(hour) <= now then counts[hour] = nil else till = math.max(till, hourEnds(hour)) end
  end
  return till
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
  local till = math.max(forget(network.hours), forget(network.lost))
  if till > now then write(networkKey, network, till - now) else redis.call('DEL', networkKey) end
end

-- Keeps a party as long as something in it holds, and drops what does no more.
local function writeParty(partyKey)
  local party = readParty(partyKey)
  local till = math.max(party.cooldownUntil or 0, party.windowEnd or 0, party.lost and forget(party.lost) or 0)
  if party.order then till = math.max(till, now + lives.pending + dayMs) end
  for id, at in pairs(party.orders) do
    if at + dayMs <= now then party.orders[id] = nil else till = math.max(till, at + dayMs) end
  end
  for hash, request in pairs(party.requests) do
    if request.till <= now then party.requests[hash] = nil else till = math.max(till, request.till) end
  end
  if till > now then write(partyKey, party, till - now) else redis.call('DEL', partyKey) end
end

-- Enters an order into the index for reconcile. The index gets its life here and in claim, not with every new order: most
-- leave it within a second.
local function enlist(order, at)
  redis.call('ZADD', pendingIndex, integer(at), order.id)
  redis.call('PEXPIRE', pendingIndex, lives.order)
end

local function lease(order)
  order.state = 'pending'
  order.attempt = args.attempt
  order.leaseUntil = now + args.leaseMs
  order.tries = order.tries + 1
  writeOrder(order)
  enlist(order, order.leaseUntil)
end

-- The configured limit, unless the operator changed today's.
local function dailyLimit() return read(limitKey) or args.dailyLikeLimit end
local function likesUsed() return read(budgetKey) or 0 end

-- The visitor is no longer held by the order, and it counts no more towards the caps of orders; towards those of lost
-- orders it does, since it has cost the delivery service a call.
local function unbind(order)
  local visitorKey, addressKey, networkKeys = key('visitor', order.visitor), key('address', order.address), {}
  for i, hash in ipairs(order.networks or {}) do networkKeys[i] = key('network', hash) end
  load({ visitorKey, addressKey, unpack(networkKeys) })
  local visitor, address = readParty(visitorKey), readParty(addressKey)
  if visitor.order == order.id then visitor.order = nil end
  visitor.orders[order.id] = nil
  address.orders[order.id] = nil
  address.lost = address.lost or {}
  addTo(address.lost, thisHour, 1)
  writeParty(visitorKey)
  writeParty(addressKey)
  for _, networkKey in ipairs(networkKeys) do
    local network = readNetwork(networkKey)
    addTo(network.hours, math.floor(order.createdAt / hourMs), -1)
    addTo(network.lost, thisHour, 1)
    writeNetwork(networkKey)
  end
  redis.call('ZREM', pendingIndex, order.id)
end

-- Nobody knows whether it was delivered: the budget stays charged, the visitor is free.
local function abandon(order)
  unbind(order)
  order.state = 'abandoned'
  order.closedAt = now
  writeOrder(order)
  abandoned = abandoned + 1
end

-- When the next request is allowed under a cap of 24 hours, or nil.
local function capUntil(partyKeys, cap)
  local count, oldest = 0, nil
  for _, partyKey in ipairs(partyKeys) do
    for _, at in pairs(readParty(partyKey).orders) do
      if at > now - dayMs then
        count = count + 1
        if not oldest or at < oldest then oldest = at end
      end
    end
  end
  if count >= cap then return oldest + dayMs end
  return nil
end

-- The same for counts by the hour.
local function countsUntil(counts, cap)
  local sum, oldest = 0, nil
  for _, each in ipairs(counts) do
    for hour, count in pairs(each) do
      if hourEnds(hour) > now then
        sum = sum + count
        oldest = math.min(oldest or hourEnds(hour), hourEnds(hour))
      end
    end
  end
  if sum >= cap then return oldest end
  return nil
end

-- The keys of everything that is known of who asks, the newest secret's first.
local visitorKeys, addressKeys, networks, cookieKey = {}, {}, {}, nil
for _, hash in ipairs(args.visitors or {}) do visitorKeys[#visitorKeys + 1] = key('visitor', hash) end
for _, hash in ipairs(args.addresses or {}) do addressKeys[#addressKeys + 1] = key('address', hash) end
for i, network in ipairs(args.networks or {}) do
  networks[i] = { cap = network.cap, keys = {} }
  for n, hash in ipairs(network.hashes) do networks[i].keys[n] = key('network', hash) end
end
if args.cookie then cookieKey = key('order', args.cookie) end

local function loadIdentity(more)
  local keys = { unpack(visitorKeys) }
  for _, each in ipairs(addressKeys) do keys[#keys + 1] = each end
  for _, network in ipairs(networks) do
    for _, each in ipairs(network.keys) do keys[#keys + 1] = each end
  end
  if cookieKey then keys[#keys + 1] = cookieKey end
  for _, each in ipairs(more or {}) do keys[#keys + 1] = each end
  load(keys)
end

-- When the address and all networks that it lies in have room again, or nil: the last of them decides.
local function addressCapUntil()
  local till = capUntil(addressKeys, args.maxRequestsPerAddressPerDay) or 0
  local lost = {}
  for i, addressKey in ipairs(addressKeys) do lost[i] = readParty(addressKey).lost or {} end
  till = math.max(till, countsUntil(lost, args.maxRequestsPerAddressPerDay) or 0)
  for _, network in ipairs(networks) do
    local orders, lostOrders = {}, {}
    for i, networkKey in ipairs(network.keys) do
      local record = readNetwork(networkKey)
      orders[i], lostOrders[i] = record.hours, record.lost
    end
    till = math.max(till, countsUntil(orders, network.cap) or 0, countsUntil(lostOrders, network.cap) or 0)
  end
  return till > 0 and till or nil
end

-- The latest cooldown and the open order found under any of the visitor's names.
local function readVisitor()
  local cooldownUntil, orderId = nil, nil
  local function hold(deadline)
    if deadline and deadline > now and deadline > (cooldownUntil or 0) then cooldownUntil = deadline end
  end
  for _, visitorKey in ipairs(visitorKeys) do
    local visitor = readParty(visitorKey)
    hold(visitor.cooldownUntil)
    orderId = orderId or visitor.order
  end
  local remembered = cookieKey and read(cookieKey)
  if remembered and remembered.state == 'accepted' then hold(remembered.cooldownUntil) end
  return cooldownUntil, orderId
end
`;

/**
 * Checks the burst limit, cooldown, caps, captcha use and budget, and writes the reservation, in one step. The order
 * comes back leased to this attempt, or `kind` says what stands against it.
 *
 * `orderIds` are the names that the orders of one captcha check may have: a refused or abandoned one gives the check
 * back, under the next name. So a check's use needs no key of its own.
 */
const reserve = `
-- The caller has given up on an answer this late (a frozen Redis runs what piled up): charge nothing.
if now > args.notAfter then return reply({ kind = 'late' }) end

local ownOrders = { limitKey, budgetKey }
for _, id in ipairs(args.orderIds) do ownOrders[#ownOrders + 1] = key('order', id) end
loadIdentity(ownOrders)
local visitor, address = readParty(visitorKeys[1]), readParty(addressKeys[1])

local function bindRequest(orderId)
  if not args.request then return end
  visitor.requests[args.request] = { order = orderId, body = args.bodyHash, till = now + lives.request }
  local names = {}
  for name in pairs(visitor.requests) do names[#names + 1] = name end
  table.sort(names, function(a, b) return visitor.requests[a].till > visitor.requests[b].till end)
  for i = args.mostRequests + 1, #names do visitor.requests[names[i]] = nil end
end

local function resume(order)
  if not isOpen(order) then return reply({ kind = order.state, order = order }) end
  if order.attempt ~= args.attempt then
    if isLeased(order) then return reply({ kind = 'in_progress', waitUntil = order.leaseUntil }) end
    lease(order)
  end
  return reply({ kind = 'leased', order = order })
end

local function decide()
  local windowEnd = (math.floor(now / args.burst.windowMs) + 1) * args.burst.windowMs
  if address.windowEnd ~= windowEnd then address.windowEnd, address.attempts = windowEnd, 0 end
  address.attempts = address.attempts + 1
  if address.attempts > args.burst.requests then return reply({ kind = 'rate_limited', waitUntil = windowEnd }) end

  for _, visitorKey in ipairs(visitorKeys) do
    local known = args.request and readParty(visitorKey).requests[args.request]
    if known and known.till > now then
      if known.body ~= args.bodyHash then return reply({ kind = 'key_reused' }) end
      local order = readOrder(known.order)
      if order then
        if isOpen(order) and isOverdue(order) then abandon(order) end
        return resume(order)
      end
    end
  end

  local cooldownUntil, openId = readVisitor()
  if cooldownUntil then return reply({ kind = 'cooldown', waitUntil = cooldownUntil }) end

  -- The first name that is free, and the order that used the captcha check up, if any.
  local freeId, used = nil, nil
  for _, id in ipairs(args.orderIds) do
    local order = readOrder(id)
    if not order then
      freeId = freeId or id
    elseif order.flow == args.flow and (order.state == 'accepted' or isOpen(order)) then
      used = order
    end
  end
  -- The same browser may have changed its address since: its captcha check leads to its order, too.
  local open = openId and readOrder(openId) or used
  if open and isOpen(open) then
    if isOverdue(open) then
      abandon(open)
      if open == used then used = nil end
    elseif open.postId == args.postId then
      bindRequest(open.id)
      writeParty(visitorKeys[1])
      return resume(open)
    else
      return reply({ kind = 'other_pending' })
    end
  end
  if used or not freeId then return reply({ kind = 'flow_used' }) end

  local visitorCap = capUntil(visitorKeys, args.maxRequestsPerDay)
  if visitorCap then return reply({ kind = 'daily_cap', waitUntil = visitorCap }) end
  local addressCap = addressCapUntil()
  if addressCap then return reply({ kind = 'address_cap', waitUntil = addressCap }) end
  if likesUsed() + args.likes > dailyLimit() then
    return reply({ kind = 'daily_limit', waitUntil = (today + 1) * dayMs })
  end

  if redis.call('INCRBY', budgetKey, args.likes) == args.likes then
    redis.call('PEXPIRE', budgetKey, lives.budget)
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
  bindRequest(order.id)
  writeParty(visitorKeys[1])
  for _, network in ipairs(networks) do
    addTo(readNetwork(network.keys[1]).hours, thisHour, 1)
    writeNetwork(network.keys[1])
  end
  redis.call('ZADD', pendingIndex, integer(order.leaseUntil), order.id)
  return reply({ kind = 'leased', order = order })
end

local answer = decide()
writeParty(addressKeys[1])
return answer
`;

/**
 * Leases the open order that has waited longest for another try, and abandons the overdue ones it meets.
 * `upTo` bounds one run, so that an order deferred in it is not taken again.
 */
const claim = `
local claimKey = key('claim', args.attempt)
local claimedId = redis.call('GET', claimKey)
local claimed = claimedId and readOrder(claimedId)
if claimed and isOpen(claimed) and claimed.attempt == args.attempt then return reply({ order = claimed }) end

local upTo = math.min(args.upTo or now, now)
local ids = redis.call('ZRANGEBYSCORE', pendingIndex, '-inf', integer(upTo), 'LIMIT', 0, 100)
if #ids > 0 then redis.call('PEXPIRE', pendingIndex, lives.order) end
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

/**
 * The provider accepted: starts the cooldown. Asks for no lease, because an acceptance is a fact whoever reports it.
 * An address's order counts from its reservation on, which spares writing its record again.
 */
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
local visitor = readParty(visitorKey)
visitor.cooldownUntil = order.cooldownUntil
if visitor.order == order.id then visitor.order = nil end
visitor.orders[order.id] = now
writeParty(visitorKey)
redis.call('ZREM', pendingIndex, order.id)
return reply({ order = order })
`;

/** The provider refused: everything is given back. Only by the holder of the lease, since another try may be on its way. */
const release = `
local order = readOrder(args.orderId)
if not order or not isOpen(order) or order.attempt ~= args.attempt then return reply({ order = order }) end
unbind(order)
local chargedKey = key('budget', integer(order.day))
if redis.call('EXISTS', chargedKey) == 1 then redis.call('DECRBY', chargedKey, order.likes) end
order.state = 'refused'
order.closedAt = now
order.message = args.message
writeOrder(order)
return reply({ order = order })
`;

/** The outcome is unknown: the order keeps its reservation and waits for the next try. */
const defer = `
local order = readOrder(args.orderId)
if not order or not isOpen(order) or order.attempt ~= args.attempt then return reply({ order = order }) end
order.state = 'pending'
order.leaseUntil = 0
writeOrder(order)
enlist(order, now)
return reply({ order = order })
`;

/** What stands between a visitor and the next request. Writes nothing. */
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

/** The likes charged today, reservations included, and today's limit. */
const dailyUsage = `
load({ budgetKey, limitKey })
return reply({ likesUsed = likesUsed(), totalLimit = dailyLimit(), resetsAt = (today + 1) * dayMs })
`;

/** For the operator: today's budget, how many orders are open, and since when the oldest of them is. Writes nothing. */
const overview = `
local oldest = nil
for _, id in ipairs(redis.call('ZRANGE', pendingIndex, 0, args.most - 1)) do
  local order = readOrder(id)
  if order and (not oldest or order.createdAt < oldest) then oldest = order.createdAt end
end
return reply({
  likesUsed = likesUsed(), totalLimit = dailyLimit(), resetsAt = (today + 1) * dayMs,
  open = redis.call('ZCARD', pendingIndex), oldestAt = oldest,
})
`;

/** For the operator: the records of these orders, or of the open ones; those that are gone are left out. Writes nothing. */
const readOrders = `
local keys, orders = {}, {}
for _, id in ipairs(args.ids or redis.call('ZRANGE', pendingIndex, 0, args.most - 1)) do
  keys[#keys + 1] = key('order', id)
end
load(keys)
for _, orderKey in ipairs(keys) do orders[#orders + 1] = read(orderKey) end
return reply({ orders = #orders > 0 and orders or nil })
`;

/** For the operator: another limit for today, or the configured one again, with a line about it; once per change. */
const changeLimit = `
local changesKey = prefix .. 'limit-changes'
local last = redis.call('LINDEX', changesKey, -1)
if last and cjson.decode(last).id == args.change then return reply({ change = cjson.decode(last) }) end
local change = { id = args.change, at = now, day = today, before = dailyLimit(), after = args.limit or args.dailyLikeLimit, reason = args.reason }
if args.limit then redis.call('SET', limitKey, integer(args.limit), 'PX', lives.budget) else redis.call('DEL', limitKey) end
redis.call('RPUSH', changesKey, cjson.encode(change))
redis.call('LTRIM', changesKey, -args.most, -1)
redis.call('PEXPIRE', changesKey, lives.order)
return reply({ change = change })
`;

/** For the operator: the changes of limits, the oldest first. Writes nothing. */
const limitChanges = `
local changes = {}
for _, line in ipairs(redis.call('LRANGE', prefix .. 'limit-changes', 0, -1)) do changes[#changes + 1] = cjson.decode(line) end
return reply({ changes = #changes > 0 and changes or nil })
`;

export const ledgerScripts = {
  reserve: prelude + reserve,
  claim: prelude + claim,
  settle: prelude + settle,
  release: prelude + release,
  defer: prelude + defer,
  status: prelude + status,
  dailyUsage: prelude + dailyUsage,
};

/** What only the operator's tools and the health endpoint ask; see books.ts. */
export const adminScripts = {
  overview: prelude + overview,
  readOrders: prelude + readOrders,
  changeLimit: prelude + changeLimit,
  limitChanges: prelude + limitChanges,
};
