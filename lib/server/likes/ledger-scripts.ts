import "server-only";

/**
 * The ledger's verbs as Lua: each runs atomically in Redis and takes the time from Redis. KEYS[1] is the key prefix,
 * whose hash tag keeps all keys in one cluster slot; ARGV[1] is JSON. Each answers JSON with `kind` and `now`.
 * All are safe to run twice, because the client repeats a command whose answer was lost.
 *
 * Keys behind the prefix:
 *   order:{id}           hash; the order's record
 *   budget:{day}         likes charged on a GMT day (days since 1970)
 *   limit:{day}          that day's limit where the operator changed it; else the configured one holds
 *   limit-changes        list of those changes, the newest last
 *   visitor:{hash}       hash {cooldownUntil, order}: a visitor by HMAC, or by `c:` and the rate-limit cookie's id
 *   accepted:{hash}      sorted set of a visitor's or address's orders by time, for the caps of 24 hours
 *   flow:{id}            the order that used up a captcha check
 *   request:{hash}       `{order id}:{body hash}` of an idempotent request
 *   claim:{attempt}      the order that a claim leased, so that its repetition leases no second one
 *   burst:{hash}:{n}     like attempts of an address in one window
 *   pending              sorted set of all open orders by the time at which reconcile may take them
 */
const prelude = `
local prefix = KEYS[1]
local args = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local dayMs = 86400000
local today = math.floor(now / dayMs)
local lives = args.livesMs
local pendingIndex = prefix .. 'pending'

local function key(kind, id) return prefix .. kind .. ':' .. id end

local function reply(kind, fields)
  fields = fields or {}
  fields.kind = kind
  fields.now = now
  return cjson.encode(fields)
end

local function readOrder(id)
  local flat = redis.call('HGETALL', key('order', id))
  if #flat == 0 then return nil end
  local order = {}
  for i = 1, #flat, 2 do order[flat[i]] = flat[i + 1] end
  return order
end

local function isOpen(order) return order.state == 'reserved' or order.state == 'pending' end
local function isLeased(order) return tonumber(order.leaseUntil) > now end
local function isOverdue(order) return tonumber(order.createdAt) + lives.pending <= now and not isLeased(order) end

local function writeOrder(order, fields)
  local flat = {}
  for name, value in pairs(fields) do
    order[name] = tostring(value)
    flat[#flat + 1] = name
    flat[#flat + 1] = order[name]
  end
  local orderKey = key('order', order.id)
  redis.call('HSET', orderKey, unpack(flat))
  redis.call('PEXPIRE', orderKey, lives.order)
end

local function integer(number) return string.format('%.0f', number) end

local function lease(order, fields)
  local leaseUntil = integer(now + args.leaseMs)
  writeOrder(order, { state = 'pending', attempt = args.attempt, leaseUntil = leaseUntil, tries = integer(tonumber(order.tries) + 1) })
  redis.call('ZADD', pendingIndex, leaseUntil, order.id)
  redis.call('PEXPIRE', pendingIndex, lives.order)
  fields = fields or {}
  fields.order = order
  return reply('leased', fields)
end

-- The configured limit, unless the operator changed today's.
local function dailyLimit()
  return tonumber(redis.call('GET', key('limit', integer(today))) or args.dailyLikeLimit)
end

local function likesUsed() return tonumber(redis.call('GET', key('budget', integer(today))) or 0) end

-- The visitor is no longer held by the order; it counts no more towards the caps, and the captcha check is free again.
local function unbind(order)
  local visitorKey = key('visitor', order.visitor)
  if redis.call('HGET', visitorKey, 'order') == order.id then redis.call('HDEL', visitorKey, 'order') end
  redis.call('ZREM', key('accepted', order.visitor), order.id)
  redis.call('ZREM', key('accepted', order.address), order.id)
  local flowKey = key('flow', order.flow)
  if redis.call('GET', flowKey) == order.id then redis.call('DEL', flowKey) end
  redis.call('ZREM', pendingIndex, order.id)
end

-- Nobody knows whether it was delivered: the budget stays charged, the visitor is free.
local function abandon(order)
  unbind(order)
  writeOrder(order, { state = 'abandoned', closedAt = integer(now) })
end

local function countForDay(hash, at)
  local acceptedKey = key('accepted', hash)
  redis.call('ZADD', acceptedKey, integer(at), args.orderId)
  redis.call('ZREMRANGEBYSCORE', acceptedKey, '-inf', '(' .. integer(now - dayMs))
  redis.call('PEXPIRE', acceptedKey, lives.pending + dayMs)
end

-- When the next request is allowed under a cap of 24 hours, or nil.
local function capUntil(hashes, cap)
  local count, oldest = 0, nil
  for _, hash in ipairs(hashes) do
    local recent = redis.call('ZRANGEBYSCORE', key('accepted', hash), '(' .. integer(now - dayMs), '+inf', 'WITHSCORES')
    count = count + #recent / 2
    if recent[2] and (not oldest or tonumber(recent[2]) < oldest) then oldest = tonumber(recent[2]) end
  end
  if count >= cap then return oldest + dayMs end
  return nil
end

-- The latest cooldown and the open order found under any of the visitor's names.
local function readVisitor()
  local cooldownUntil, orderId = nil, nil
  local names = {}
  for _, hash in ipairs(args.visitors) do names[#names + 1] = hash end
  if type(args.cookie) == 'string' then names[#names + 1] = 'c:' .. args.cookie end
  for _, name in ipairs(names) do
    local record = redis.call('HMGET', key('visitor', name), 'cooldownUntil', 'order')
    local deadline = tonumber(record[1] or 0)
    if deadline > now and deadline > (cooldownUntil or 0) then cooldownUntil = deadline end
    orderId = orderId or record[2] or nil
  end
  return cooldownUntil, orderId
end
`;

/**
 * Checks the burst limit, cooldown, caps, captcha use and budget, and writes the reservation, in one step. The order
 * comes back leased to this attempt, or `kind` says what stands against it.
 */
const reserve = `
-- The caller has given up on an answer this late (a frozen Redis runs what piled up): charge nothing.
if now > args.notAfter then return reply('late') end

local window = math.floor(now / args.burst.windowMs)
local burstKey = key('burst', args.addresses[1] .. ':' .. window)
if redis.call('INCR', burstKey) > args.burst.requests then
  return reply('rate_limited', { waitUntil = (window + 1) * args.burst.windowMs })
end
redis.call('PEXPIRE', burstKey, args.burst.windowMs)

local requestKey = key('request', args.request)
local function bindRequest(orderId)
  redis.call('SET', requestKey, orderId .. ':' .. args.bodyHash, 'PX', args.requestLifeMs)
end

local function resume(order)
  if not isOpen(order) then return reply(order.state, { order = order }) end
  if order.attempt == args.attempt then return reply('leased', { order = order }) end
  if isLeased(order) then return reply('in_progress', { waitUntil = tonumber(order.leaseUntil) }) end
  return lease(order)
end

local known = redis.call('GET', requestKey)
if known then
  local id, bodyHash = string.match(known, '^([^:]*):(.*)$')
  if bodyHash ~= args.bodyHash then return reply('key_reused') end
  local order = readOrder(id)
  if order then
    if isOpen(order) and isOverdue(order) then abandon(order) end
    return resume(order)
  end
end

local cooldownUntil, openId = readVisitor()
if cooldownUntil then return reply('cooldown', { waitUntil = cooldownUntil }) end

-- The same browser may have changed its address since: its captcha check leads to its order, too.
openId = openId or redis.call('GET', key('flow', args.flow))
local open = openId and readOrder(openId)
if open and isOpen(open) then
  if isOverdue(open) then
    abandon(open)
  elseif open.postId == args.postId then
    bindRequest(open.id)
    return resume(open)
  else
    return reply('other_pending', { order = open })
  end
end
if redis.call('EXISTS', key('flow', args.flow)) == 1 then return reply('flow_used') end

local visitorCap = capUntil(args.visitors, args.maxRequestsPerDay)
if visitorCap then return reply('daily_cap', { waitUntil = visitorCap }) end
local addressCap = capUntil(args.addresses, args.maxRequestsPerAddressPerDay)
if addressCap then return reply('address_cap', { waitUntil = addressCap }) end

local budgetKey = key('budget', integer(today))
if likesUsed() + args.likes > dailyLimit() then
  return reply('daily_limit', { waitUntil = (today + 1) * dayMs })
end

redis.call('INCRBY', budgetKey, args.likes)
redis.call('PEXPIRE', budgetKey, lives.budget)
local order = { id = args.orderId }
local leaseUntil = integer(now + args.leaseMs)
writeOrder(order, {
  id = args.orderId, state = 'reserved', postId = args.postId, postType = args.postType, likes = integer(args.likes),
  visitor = args.visitors[1], address = args.addresses[1], cookie = args.newCookie, flow = args.flow,
  day = integer(today), createdAt = integer(now), attempt = args.attempt, leaseUntil = leaseUntil, tries = '1',
})
local visitorKey = key('visitor', args.visitors[1])
redis.call('HSET', visitorKey, 'order', args.orderId)
redis.call('PEXPIRE', visitorKey, lives.pending + dayMs)
countForDay(args.visitors[1], now)
countForDay(args.addresses[1], now)
redis.call('SET', key('flow', args.flow), args.orderId, 'PX', lives.flow)
bindRequest(args.orderId)
redis.call('ZADD', pendingIndex, leaseUntil, args.orderId)
redis.call('PEXPIRE', pendingIndex, lives.order)
return reply('leased', { order = order })
`;

/**
 * Leases the open order that has waited longest for another try, and abandons the overdue ones it meets.
 * `upTo` bounds one run, so that an order deferred in it is not taken again.
 */
const claim = `
local claimKey = key('claim', args.attempt)
local claimed = readOrder(redis.call('GET', claimKey) or '')
if claimed and isOpen(claimed) and claimed.attempt == args.attempt then return reply('leased', { order = claimed }) end

local abandoned = 0
local upTo = math.min(args.upTo or now, now)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', pendingIndex, '-inf', integer(upTo), 'LIMIT', 0, 100)) do
  local order = readOrder(id)
  if not order or not isOpen(order) then
    redis.call('ZREM', pendingIndex, id)
  elseif isOverdue(order) then
    abandon(order)
    abandoned = abandoned + 1
  elseif not isLeased(order) then
    redis.call('SET', claimKey, id, 'PX', args.leaseMs)
    return lease(order, { abandoned = abandoned })
  end
end
return reply('none', { abandoned = abandoned })
`;

/**
 * The provider accepted: starts the cooldown under the visitor and the rate-limit cookie. Asks for no lease, because
 * an acceptance is a fact whoever reports it.
 */
const settle = `
local order = readOrder(args.orderId)
if not order then return reply('unknown') end
if not isOpen(order) then return reply(order.state, { order = order }) end
local cooldownUntil = integer(now + args.cooldownMs)
local fields = { state = 'accepted', closedAt = integer(now), cooldownUntil = cooldownUntil }
if type(args.providerReference) == 'string' then fields.providerReference = args.providerReference end
writeOrder(order, fields)
for _, name in ipairs({ order.visitor, 'c:' .. order.cookie }) do
  local visitorKey = key('visitor', name)
  redis.call('HSET', visitorKey, 'cooldownUntil', cooldownUntil)
  redis.call('HDEL', visitorKey, 'order')
  redis.call('PEXPIRE', visitorKey, args.cooldownMs)
end
countForDay(order.visitor, now)
countForDay(order.address, now)
redis.call('ZREM', pendingIndex, order.id)
return reply('accepted', { order = order })
`;

/** The provider refused: everything is given back. Only by the holder of the lease, since another try may be on its way. */
const release = `
local order = readOrder(args.orderId)
if not order then return reply('unknown') end
if not isOpen(order) then return reply(order.state, { order = order }) end
if order.attempt ~= args.attempt then return reply('not_leased', { order = order }) end
unbind(order)
local budgetKey = key('budget', order.day)
if redis.call('EXISTS', budgetKey) == 1 then redis.call('DECRBY', budgetKey, order.likes) end
writeOrder(order, { state = 'refused', closedAt = integer(now), message = args.message })
return reply('refused', { order = order })
`;

/** The outcome is unknown: the order keeps its reservation and waits for the next try. */
const defer = `
local order = readOrder(args.orderId)
if not order then return reply('unknown') end
if not isOpen(order) then return reply(order.state, { order = order }) end
if order.attempt ~= args.attempt then return reply('not_leased', { order = order }) end
writeOrder(order, { state = 'pending', leaseUntil = '0' })
redis.call('ZADD', pendingIndex, integer(now), order.id)
return reply('pending', { order = order })
`;

/** What stands between a visitor and the next request. Writes nothing. */
const status = `
local cooldownUntil, openId = readVisitor()
return reply('status', {
  cooldownUntil = cooldownUntil,
  dailyCapUntil = capUntil(args.visitors, args.maxRequestsPerDay),
  addressCapUntil = capUntil(args.addresses, args.maxRequestsPerAddressPerDay),
  pending = openId ~= nil,
})
`;

/** The likes charged today, reservations included, and today's limit. */
const dailyUsage = `
return reply('usage', { likesUsed = likesUsed(), totalLimit = dailyLimit(), resetsAt = (today + 1) * dayMs })
`;

/** For the operator: today's budget, how many orders are open, and since when the oldest of them is. Writes nothing. */
const overview = `
local oldest = nil
for _, id in ipairs(redis.call('ZRANGE', pendingIndex, 0, args.most - 1)) do
  local createdAt = tonumber(redis.call('HGET', key('order', id), 'createdAt') or now)
  if not oldest or createdAt < oldest then oldest = createdAt end
end
return reply('overview', {
  likesUsed = likesUsed(), totalLimit = dailyLimit(), resetsAt = (today + 1) * dayMs,
  open = redis.call('ZCARD', pendingIndex), oldestAt = oldest,
})
`;

/** For the operator: the records of these orders, or of the open ones; those that are gone are left out. Writes nothing. */
const readOrders = `
local orders = {}
for _, id in ipairs(args.ids or redis.call('ZRANGE', pendingIndex, 0, args.most - 1)) do
  orders[#orders + 1] = readOrder(id)
end
if #orders == 0 then return reply('orders') end
return reply('orders', { orders = orders })
`;

/** For the operator: another limit for today, or the configured one again, with a line about it; once per change. */
const changeLimit = `
local changesKey = prefix .. 'limit-changes'
local last = redis.call('LINDEX', changesKey, -1)
if last and cjson.decode(last).id == args.change then return reply('changed', { change = cjson.decode(last) }) end
local limitKey = key('limit', integer(today))
local change = { id = args.change, at = now, day = today, before = dailyLimit(), after = args.limit or args.dailyLikeLimit, reason = args.reason }
if args.limit then redis.call('SET', limitKey, integer(args.limit), 'PX', lives.budget) else redis.call('DEL', limitKey) end
redis.call('RPUSH', changesKey, cjson.encode(change))
redis.call('LTRIM', changesKey, -args.most, -1)
redis.call('PEXPIRE', changesKey, lives.order)
return reply('changed', { change = change })
`;

/** For the operator: the changes of limits, the oldest first. Writes nothing. */
const limitChanges = `
local changes = {}
for _, line in ipairs(redis.call('LRANGE', prefix .. 'limit-changes', 0, -1)) do changes[#changes + 1] = cjson.decode(line) end
if #changes == 0 then return reply('changes') end
return reply('changes', { changes = changes })
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
export const bookScripts = {
  overview: prelude + overview,
  readOrders: prelude + readOrders,
  changeLimit: prelude + changeLimit,
  limitChanges: prelude + limitChanges,
};
