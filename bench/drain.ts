import type { Redis } from "@upstash/redis";
import { attacks } from "@/e2e/support/budget-attacks";
import { TestServers } from "@/e2e/support/servers/test-servers";
import { inboxLimits, limits } from "@/lib/config/limits";
import { countSharesScript } from "@/lib/server/http/rate-limits";
import type { VisitorIdentity } from "@/lib/server/identity/identify-visitor";
import { sharesOf } from "@/lib/server/identity/network-shares";
import { normalizeAddress, widerNetworks } from "@/lib/server/identity/networks";
import { createInbox } from "@/lib/server/inbox/inbox";
import { createLedger } from "@/lib/server/likes/ledger";
import { ledgerScripts } from "@/lib/server/likes/ledger-scripts";
import { policy, testClockKey, withTestClock } from "@/lib/server/likes/test-ledger";
import { show } from "./results";

/*
 * npm run simulate -- drain: robots from some networks take orders, lookups and messages, and retry in every half hour of a day.
 * After the robots of each half hour, some of 200 honest visitors arrive, each from another network. No web server takes part.
 */

const honestVisitors = 200;
const stepMs = 30 * 60_000;
const stepsPerDay = 48;
const stepsPerHour = 2;
/** Number of refusals in a row, from different addresses, after which the robots wait for the next half hour. */
const refusalsAtEnd = 32;

const scattered = (addresses: number) => ({
  name: `${addresses.toLocaleString("en-US")} scattered addresses`,
  address: (n: number) => `11.${(n % addresses) >> 8}.${(n % addresses) & 255}.7`,
});
const sources = [...attacks, scattered(100), scattered(1_000)];

interface Resource {
  name: string;
  /** Number of uses that visitors share in an hour or a day. */
  capacity: number;
  /** Starts the part of the day with this number. */
  begin(step: number): Promise<unknown>;
  /** Uses the resource once. Returns whether the visitor got it. */
  use(visitor: VisitorIdentity, robot: boolean): Promise<boolean>;
}

/** Prints what each source takes of each resource in an hour and in a day, and how many honest visitors are served. */
export async function drain(): Promise<void> {
  const servers = new TestServers();
  try {
    await servers.launch({});
    const createPacedOrders = (redis: Redis) => createOrders(redis, true);
    for (const create of [createOrders, createPacedOrders, createLookups, createMessages]) {
      const rows = [];
      for (const { name, address } of sources) {
        await servers.store.flushall();
        rows.push({ from: name, ...(await attack(create(servers.store), address)) });
      }
      show(create(servers.store).name, rows);
    }
  } finally {
    await servers.stop();
  }
}

async function attack(resource: Resource, address: (n: number) => string): Promise<object> {
  let [next, taken, inFirstHour, served] = [0, 0, 0, 0];
  for (let step = 0; step < stepsPerDay; step += 1) {
    await resource.begin(step);
    for (let refusals = 0; refusals < refusalsAtEnd; next += 1) {
      const got = await resource.use(identityOf(address(next), `robot-${next}`), true);
      refusals = got ? 0 : refusals + 1;
      if (got) taken += 1;
    }
    if (step < stepsPerHour) inFirstHour = taken;
    const [first, end] = [step, step + 1].map((n) => Math.floor((n * honestVisitors) / stepsPerDay));
    for (let n = first!; n < end!; n += 1)
      if (await resource.use(identityOf(`100.64.${n}.5`, "person"), false)) served += 1;
  }
  return {
    "in an hour": inFirstHour,
    "in a day": taken,
    [`of ${resource.capacity}, %`]: (100 * inFirstHour) / resource.capacity,
    [`of ${honestVisitors} served, %`]: (100 * served) / honestVisitors,
  };
}

function identityOf(text: string, browser: string): VisitorIdentity {
  const address = normalizeAddress(text)!;
  return {
    visitorHashes: [`${address} ${browser}`],
    addressHashes: [address],
    networks: widerNetworks(address).map(({ kind, network }) => ({ kind, hashes: [network] })),
    rateLimitId: null,
  };
}

function createOrders(redis: Redis, pacing = false): Resource {
  const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
  const ledger = createLedger(redis, { ...policy, pacing }, withTestClock(ledgerScripts));
  let orders = 0;
  return {
    name: pacing ? "Orders of a day with DAILY_PACING" : "Orders of a day",
    capacity: policy.dailyLikeLimit / limits.likesPerRequest,
    async begin(step) {
      await redis.set(testClockKey, midnight + step * stepMs);
      // The ledger learns the time of Redis from every reply.
      await ledger.dailyUsage();
    },
    async use(visitor) {
      const common = { postId: "Cxyz123abc_", postType: "post", requestKey: null, bodyHash: "body" } as const;
      const reserved = await ledger.reserve({ visitor, flowId: `flow-${(orders += 1)}`, ...common });
      if (reserved.kind !== "leased") return false;
      await ledger.settle(reserved.order);
      return true;
    },
  };
}

function createLookups(redis: Redis): Resource {
  const script = redis.createScript<number>(countSharesScript);
  let lookups = 0;
  return {
    name: "Lookups of an hour",
    capacity: limits.lookupsPerHour,
    async begin(step) {
      if (step % stepsPerHour !== 0) return;
      lookups = 0;
      await redis.flushall();
    },
    async use(visitor) {
      const { record, shares } = sharesOf(visitor, limits.lookupsPerHour);
      if ((await script.exec([record], [JSON.stringify({ shares, lifeMs: 3_600_000 })])) > 0) return false;
      return (lookups += 1) <= limits.lookupsPerHour;
    },
  };
}

/** Robots send messages of the largest size, people short ones. */
function createMessages(redis: Redis): Resource {
  const inbox = createInbox(redis, { retentionDays: 30, mailed: false });
  const large = { message: "x".repeat(limits.bodyBytes - 400) };
  return {
    name: "Messages (shares of the inbox's bytes for 30 days)",
    capacity: Math.floor(inboxLimits.bytes / limits.bodyBytes),
    begin: () => Promise.resolve(),
    async use(visitor, robot) {
      const fields = robot ? large : { message: "x".repeat(400) };
      const message = { form: "contact", fields, visitor, requestKey: null, bodyHash: "body" } as const;
      return (await inbox.store(message)).kind === "stored";
    },
  };
}
