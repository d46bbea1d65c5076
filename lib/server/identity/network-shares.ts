import "server-only";
import { shareOf } from "@/lib/config/network-caps";
import type { ClientNetworks } from "./identify-visitor";

/** Number of characters of a hash in a record (132 bits). */
const nameLength = 22;

export interface NetworkShares {
  /** Name of the record that has the counts of the widest network and of all networks in it. */
  record: string;
  /** The address and the networks around it. The use of each may not exceed `max`. */
  shares: { name: string; max: number }[];
}

/**
 * Returns what an address and its networks may use of a resource. Each may use at least `minimum`, so that a small
 * capacity excludes nobody.
 */
export function sharesOf(
  { addressHashes: [address = ""], networks }: ClientNetworks,
  capacity: number,
  minimum = 1,
): NetworkShares {
  const shares = [
    { name: address, kind: "address" as const },
    ...networks.map(({ kind, hashes: [name = ""] }) => ({ name, kind })),
  ].map(({ name, kind }) => ({
    name: name.slice(0, nameLength),
    max: Math.max(minimum, shareOf(kind, capacity)),
  }));
  return { record: shares.at(-1)!.name, shares };
}

/**
 * Lua function that counts the use of a resource in one record. The first use starts the life of the record. Returns
 * false, and counts nothing, if a share would be exceeded. The shares limit the size of the record.
 */
export const takeSharesLua = `
local function takeShares(recordKey, shares, amount, lifeMs, dryRun)
  local text = redis.call('GET', recordKey)
  local used = text and cjson.decode(text) or {}
  for _, share in ipairs(shares) do
    used[share.name] = (used[share.name] or 0) + amount
    if used[share.name] > share.max then return false end
  end
  if dryRun then return true end
  if text then redis.call('SET', recordKey, cjson.encode(used), 'KEEPTTL')
  else redis.call('SET', recordKey, cjson.encode(used), 'PX', lifeMs) end
  return true
end
`;
