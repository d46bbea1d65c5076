import "server-only";
import { shareOf } from "@/lib/config/network-caps";
import type { ClientNetworks } from "./identify-visitor";

/** Number of characters of a hash in a record (132 bits). */
const nameLength = 22;

/**
 * Returns what an address and its networks may use of a resource. Each may use at least `minimum`, so that a small
 * capacity excludes nobody. `record` is the name of the record with the counts of the widest network and of all networks in it.
 */
export function sharesOf({ addressHashes, networks }: ClientNetworks, capacity: number, minimum = 1) {
  const all = [{ kind: "address" as const, hashes: addressHashes }, ...networks];
  const shares = all.map(({ kind, hashes: [name = ""] }) => ({
    name: name.slice(0, nameLength),
    max: Math.max(minimum, shareOf(kind, capacity)),
  }));
  return { record: shares.at(-1)!.name, shares };
}

/**
 * Lua function that checks the use of a resource. Returns nil if a share would be exceeded. Otherwise, returns a function
 * that counts the use. One record, a hash, has the counts of all names, and the first use starts its life. A repeated `id`
 * is not counted again. The shares limit the size of the record, and its size does not change the cost of a check.
 */
export const checkSharesLua = `
local function checkShares(recordKey, shares, amount, lifeMs, id)
  local names, changes = {}, {}
  for i, share in ipairs(shares) do names[i] = share.name end
  names[#names + 1] = id
  local used = redis.call('HMGET', recordKey, unpack(names))
  if id and used[#names] then return function() end end
  for i, share in ipairs(shares) do
    local use = tonumber(used[i] or 0) + amount
    if use > share.max then return nil end
    changes[2 * i - 1], changes[2 * i] = share.name, use
  end
  if id then changes[#changes + 1], changes[#changes + 2] = id, 1 end
  return function()
    redis.call('HSET', recordKey, unpack(changes))
    if not used[#shares] then redis.call('PEXPIRE', recordKey, lifeMs) end
  end
end
`;
