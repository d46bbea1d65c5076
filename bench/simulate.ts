import { Redis as Connection } from "ioredis";
import { TestServers } from "@/e2e/support/servers/test-servers";
import { countCommands } from "@/e2e/support/visit-cost";
import { sum } from "@/e2e/support/browser/page-weight";
import { limits } from "@/lib/config/limits";
import { createLedgerAdmin } from "@/lib/server/likes/ledger-admin";
import type { VisitorIdentity } from "@/lib/server/identity/identify-visitor";
import { createLedger, type Ledger, type LedgerPolicy } from "@/lib/server/likes/ledger";
import { print } from "@/scripts/lib/terminal";
import { runConcurrently } from "./load";
import { drain } from "./drain";
import { show } from "./results";

/*
 * npm run simulate: sends virtual visitors through the ledger on a real Redis with its append-only file, and prints the
 * cost of each tenth of them. No web server takes part, so the result shows the limit of Redis, and whether a visit costs
 * more after many visitors (docs/scaling.md). "drain" as argument runs bench/drain.ts instead.
 */

/** By default, enough for a day with fifty times the default budget. */
const visitors = process.argv[2] === "drain" ? 0 : Number(process.argv[2] ?? 100_000);
const visitsAtOnce = 64;
const parts = 10;

const policy: LedgerPolicy = {
  dailyLikeLimit: visitors * limits.likesPerRequest,
  cooldownSeconds: limits.cooldownSeconds,
  maxRequestsPerDay: limits.maxRequestsPerDay,
  maxRequestsPerAddressPerDay: limits.maxRequestsPerAddressPerDay,
  pacing: false,
  rateLimit: { requests: 30, windowSeconds: 60 },
  leaseMs: 60_000,
};

async function main(): Promise<void> {
  if (process.argv[2] === "drain") return drain();
  if (!(Number.isSafeInteger(visitors) && visitors >= 1_000 && visitors <= 1_000_000)) {
    throw new RangeError("The number of visitors must be between 1,000 and 1,000,000.");
  }
  const servers = new TestServers();
  try {
    await servers.launch({ redisSettings: ["--appendonly", "yes"] });
    const connection = new Connection(servers.redis.url);
    await servers.keep({ stop: async () => connection.disconnect() });
    const ledger = createLedger(servers.store, policy);
    await ledger.dailyUsage();
    const empty = await readUsage(connection);
    let before = empty;
    const rows: object[] = [];
    for (let part = 0; part < parts; part += 1) {
      const first = Math.floor((visitors * part) / parts);
      const end = Math.floor((visitors * (part + 1)) / parts);
      const count = end - first;
      const load = await runConcurrently(count, visitsAtOnce, (index) => visit(first + index, ledger));
      const after = await readUsage(connection);
      rows.push({
        visitors: end,
        "per second": load.perSecond,
        "p50 ms": load.p50,
        "p99 ms": load.p99,
        "commands each": (after.commands - before.commands) / count,
        "bytes each": (after.bytes - before.bytes) / count,
        "Redis busy %": ((after.cpuSeconds - before.cpuSeconds) / (count / load.perSecond)) * 100,
      });
      before = after;
    }
    show("Each tenth of the visitors:", rows);
    const cpuEach = (before.cpuSeconds - empty.cpuSeconds) / visitors;
    const limit = Math.round(1 / cpuEach);
    print(
      `Redis takes ${(cpuEach * 1e6).toFixed(0)} µs of one core per visitor: ${limit} visitors per second.`,
    );
    await checkTotals(ledger, createLedgerAdmin(servers.store, policy));
  } finally {
    await servers.stop();
  }
}

type Outcome = "accepted" | "repeated" | "only status" | "refused" | "pending";

function outcomeOf(n: number): Outcome {
  const percent = n % 100;
  if (percent < 80) return "accepted";
  // The visitor sends a second request within the cooldown.
  if (percent < 88) return "repeated";
  if (percent < 96) return "only status";
  // The delivery service refuses the order, or does not respond.
  return percent < 98 ? "refused" : "pending";
}

async function visit(n: number, ledger: Ledger): Promise<void> {
  const outcome = outcomeOf(n);
  const visitor = {
    visitorHashes: [hashLike("visitor", n)],
    // Every eighth visitor has the address of the previous visitor.
    addressHashes: [hashLike("address", n % 8 === 7 ? n - 1 : n)],
    networks: networksOf(n),
    rateLimitId: null,
  };
  await ledger.status(visitor);
  if (outcome === "only status") return;
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
  if (outcome === "repeated") {
    const again = await ledger.reserve({ ...request, requestKey: hashLike("again", n) });
    if (again.kind !== "cooldown") throw new Error(`visitor ${n}, second request: ${again.kind}`);
  }
}

/** Half of the visitors use IPv6. Each network has the maximum number of visitors that its cap allows. */
function networksOf(n: number): VisitorIdentity["networks"] {
  const network = (kind: VisitorIdentity["networks"][number]["kind"], visitors: number) => ({
    kind,
    hashes: [`${kind}-${Math.floor(n / visitors)}`.padEnd(22, "x")],
  });
  if (n % 16 < 8) return [network("IPv4 /24", 128)];
  return [network("IPv6 /56", 16), network("IPv6 /48", 64), network("IPv6 /32", 256)];
}

/** Returns a text with the length of a hash of the product. */
function hashLike(kind: string, n: number): string {
  return `${kind}-${n}`.padEnd(43, "x");
}

async function readUsage(connection: Connection) {
  const info = await connection.info("everything");
  const number = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1]);
  return {
    commands: sum(Object.values(await countCommands(connection))),
    bytes: number("used_memory"),
    cpuSeconds: number("used_cpu_user") + number("used_cpu_sys"),
  };
}

/** Completes the pending orders, and throws if the charged likes do not match the orders. */
async function checkTotals(ledger: Ledger, admin: ReturnType<typeof createLedgerAdmin>): Promise<void> {
  let completed = 0;
  for (let { order } = await ledger.claim(); order; { order } = await ledger.claim()) {
    await ledger.settle(order);
    completed += 1;
  }
  const { likesUsed, open } = await admin.overview();
  const outcomes = Array.from({ length: visitors }, (_, n) => outcomeOf(n));
  const orders = outcomes.filter((outcome) => outcome !== "only status" && outcome !== "refused").length;
  print(`Maintenance completed ${completed} orders; ${likesUsed} likes for ${orders} orders; ${open} open.`);
  if (likesUsed !== orders * limits.likesPerRequest || open !== 0) {
    throw new Error("The ledger's totals do not match the orders.");
  }
}

void main();
