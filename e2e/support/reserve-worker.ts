import { Redis } from "@upstash/redis";
import { createLedger } from "@/lib/server/likes/ledger";
import { createTcpRequester } from "@/lib/server/redis/tcp";

/**
 * Prints "ready", waits for a line, makes all reservations at once, and prints the number of results of each kind as JSON.
 * Arguments: Redis URL, first visitor, number of visitors, daily limit.
 */
async function main([url = "", first = "0", count = "0", limit = "0"]: string[]): Promise<void> {
  const requester = createTcpRequester(url);
  const ledger = createLedger(new Redis(requester), {
    dailyLikeLimit: Number(limit),
    cooldownSeconds: 14_400,
    maxRequestsPerDay: 6,
    maxRequestsPerAddressPerDay: 60,
    rateLimit: { requests: 1_000, windowSeconds: 60 },
    leaseMs: 60_000,
  });
  await ledger.dailyUsage();
  process.stdout.write("ready\n");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const results = await Promise.all(
    Array.from({ length: Number(count) }, (_, n) => {
      const name = String(Number(first) + n);
      return ledger.reserve({
        visitor: {
          visitorHashes: [`v${name}`],
          addressHashes: [`a${name}`],
          networks: [],
          rateLimitId: null,
        },
        flowId: `f${name}`,
        postId: "Cxyz123abc_",
        postType: "post",
        requestKey: null,
        bodyHash: "body",
      });
    }),
  );
  const kinds: Record<string, number> = {};
  for (const { kind } of results) kinds[kind] = (kinds[kind] ?? 0) + 1;
  process.stdout.write(`${JSON.stringify(kinds)}\n`);
  requester.close();
  process.exit(0);
}

void main(process.argv.slice(2));
