import { Redis as Connection } from "ioredis";
import { Redis } from "@upstash/redis";
import { startRedis } from "@/e2e/support/servers/redis-server";
import { limits, type NetworkKind } from "@/lib/config/limits";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import type { VisitorIdentity } from "@/lib/server/identity/visitor-identity";
import { createLedger, type Ledger, type LedgerPolicy } from "@/lib/server/likes/ledger";
import { createTcpRequester } from "@/lib/server/redis/tcp";

/*
 * npm run simulate: sends virtual visitors through the ledger on a real Redis with its append-only file, and prints what
 * each tenth of them cost. Nothing of it is a web server: it tells where Redis ends, and whether a visit costs more the
 * more visitors there were. docs/scaling.md draws the conclusions.
 */

/** Enough for a day of fifty times the default budget. */
const visitors = Number(process.argv[2] ?? 100_000);
const atOnce = 64;
const parts = 10;
/** No run is longer, whatever the machine. */
const longestMs = 8 * 60_000;

const policy: LedgerPolicy = {
  dailyLikeLimit: visitors * limits.likesPerRequest,
  cooldownSeconds: limits.cooldownSeconds,
  maxRequestsPerDay: limits.maxRequestsPerDay,
  maxRequestsPerAddressPerDay: limits.maxRequestsPerAddressPerDay,
  rateLimit: { requests: 30, windowSeconds: 60 },
  leaseMs: 60_000,
};

/** What became of visitors; every eighth shares an address with his predecessor. */
type Outcome = "accepted" | "waits" | "left" | "refused" | "pending";

/** How 100 visitors behave. Only the first kind is the way that most go; the others are there to cost what they cost. */
const kinds: readonly (readonly [outcome: Outcome, share: number])[] = [
  ["accepted", 80],
  // Comes again within the cooldown, and is refused.
  ["waits", 8],
  // Looks whether he can request, and leaves.
  ["left", 8],
  // The delivery service refuses.
  ["refused", 2],
  // The delivery service does not answer; the upkeep finishes it.
  ["pending", 2],
];

async function visit(n: number, ledger: Ledger): Promise<void> {
  const outcome = outcomeOf(n % 100);
  const visitor = {
    visitorHashes: [hashLike("visitor", n)],
    addressHashes: [hashLike("address", n % 8 === 7 ? n - 1 : n)],
    networks: networksOf(n),
    rateLimitId: null,
  };
  await ledger.status(visitor);
  if (outcome === "left") return;
  const request = {
    visitor,
    flowId: hashLike("flow", n),
    postId: "Cxyz123abc_",
    postType: "post" as const,
    requestKey: hashLike("request", n),
    bodyHash: hashLike("body", 0),
  };
  const reserved = await ledger.reserve(request);
  if (reserved.kind !== "leased") throw new Error(`visitor ${n}: ${reserved.kind}`);
  if (outcome === "refused") await ledger.release(reserved.order, "no");
  else if (outcome === "pending") await ledger.defer(reserved.order);
  else await ledger.settle(reserved.order);
  if (outcome === "waits") {
    const again = await ledger.reserve({ ...request, requestKey: hashLike("again", n) });
    if (again.kind !== "cooldown") throw new Error(`visitor ${n} again: ${again.kind}`);
  }
}

function outcomeOf(percent: number): Outcome {
  let upTo = 0;
  for (const [outcome, share] of kinds) if (percent < (upTo += share)) return outcome;
  return "left";
}

/** Half of the visitors come over IPv6. A network has as many of them as may be served, whatever the number of visitors. */
function networksOf(n: number): VisitorIdentity["networks"] {
  const kinds: [kind: NetworkKind, of: number][] =
    n % 16 < 8
      ? [["IPv4 /24", 128]]
      : [
          ["IPv6 /56", 16],
          ["IPv6 /48", 64],
          ["IPv6 /32", 256],
        ];
  return kinds.map(([kind, of]) => ({ kind, hashes: [`${kind}-${Math.floor(n / of)}`.padEnd(22, "x")] }));
}

/** As long as the hash that stands there in the product. */
function hashLike(kind: string, n: number): string {
  return `${kind}-${n}`.padEnd(43, "x");
}

interface Figures {
  commands: number;
  bytes: number;
  /** Processor seconds of Redis. */
  cpu: number;
}

async function readFigures(connection: Connection): Promise<Figures> {
  const info = await connection.info("everything");
  const number = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1] ?? NaN);
  const calls = [...info.matchAll(/^cmdstat_(?!info|hello|client|select|command)[^:]+:calls=(\d+)/gm)];
  return {
    commands: calls.reduce((sum, [, count]) => sum + Number(count), 0),
    bytes: number("used_memory"),
    cpu: number("used_cpu_user") + number("used_cpu_sys"),
  };
}

async function main(): Promise<void> {
  if (!(Number.isSafeInteger(visitors) && visitors >= 1_000 && visitors <= 1_000_000)) {
    throw new RangeError("between 1,000 and 1,000,000 visitors");
  }
  const server = await startRedis({ appendOnly: true });
  const requester = createTcpRequester(server.url);
  const connection = new Connection(server.url);
  const redis = new Redis(requester);
  const ledger = createLedger(redis, policy);
  const startedAt = performance.now();
  try {
    await ledger.dailyUsage();
    const empty = await readFigures(connection);
    let before = empty;
    const rows: Record<string, number>[] = [];
    for (let part = 0; part < parts; part += 1) {
      const [first, end] = [part, part + 1].map((of) => Math.floor((visitors * of) / parts)) as [
        number,
        number,
      ];
      const times = await runVisits(first, end, ledger, startedAt);
      const after = await readFigures(connection);
      const seconds = times.total / 1_000;
      rows.push({
        visitors: end,
        "a second": Math.round((end - first) / seconds),
        "p50 ms": times.at(0.5),
        "p99 ms": times.at(0.99),
        "commands each": (after.commands - before.commands) / (end - first),
        "bytes each": Math.round((after.bytes - before.bytes) / (end - first)),
        "Redis busy %": Math.round(((after.cpu - before.cpu) / seconds) * 100),
      });
      before = after;
    }
    console.table(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, Number(v.toFixed(1))]))),
    );
    const cpuEach = (before.cpu - empty.cpu) / visitors;
    say(
      `Redis takes ${(cpuEach * 1e6).toFixed(0)} µs of one core a visitor: it ends at ${Math.round(1 / cpuEach)} visitors a second.`,
    );
    await finish(ledger, redis);
  } finally {
    connection.disconnect();
    requester.close();
    await server.stop();
  }
}

/** The visitors of one part, so many at once; their times in milliseconds. */
async function runVisits(first: number, end: number, ledger: Ledger, startedAt: number) {
  const times: number[] = [];
  let next = first;
  const lane = async () => {
    while (next < end) {
      if (performance.now() - startedAt > longestMs) throw new Error("It took too long: try fewer visitors.");
      const n = next;
      next += 1;
      const before = performance.now();
      await visit(n, ledger);
      times.push(performance.now() - before);
    }
  };
  const before = performance.now();
  await Promise.all(Array.from({ length: atOnce }, lane));
  const total = performance.now() - before;
  times.sort((a, b) => a - b);
  return { total, at: (share: number) => times[Math.floor(share * (times.length - 1))] ?? NaN };
}

/** Finishes what is pending, and holds the books against what was sent: a simulation that loses count says nothing. */
async function finish(ledger: Ledger, redis: Redis): Promise<void> {
  let finished = 0;
  for (;;) {
    const { order } = await ledger.claim();
    if (!order) break;
    await ledger.settle(order);
    finished += 1;
  }
  const { likesUsed, open } = await createLedgerAdmin(redis, policy).overview();
  const charged = Array.from({ length: visitors }, (_, n) => outcomeOf(n % 100)).filter(
    (outcome) => outcome !== "left" && outcome !== "refused",
  ).length;
  say(
    `The upkeep finished ${finished} orders; ${likesUsed} likes are charged for ${charged} orders, ${open} are open.`,
  );
  if (likesUsed !== charged * limits.likesPerRequest || open !== 0)
    throw new Error("The books do not agree.");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
