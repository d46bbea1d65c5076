import type { Findings } from "./audit";
import { midnight, serverADayAhead } from "./clock-faults";
import { lookupAndMailHang, webhookMisbehaves } from "./neighbour-faults";
import {
  connectionsReset,
  redisEmptied,
  redisKilled,
  redisLosesItsLastWrites,
  redisOverMemory,
  redisPaused,
  redisSlow,
} from "./redis-faults";
import {
  failOverByHand,
  failOverBySentinel,
  redisFull,
  redisLoading,
  slotMoved,
  tooFewReplicas,
} from "./redis-operations";
import { serverKilled, serversCompete } from "./server-faults";
import { Shop } from "./shop";

export interface Scenario {
  name: string;
  run: (shop: Shop) => Promise<Findings>;
}

/** Some seconds each: `npm run verify` runs them, and `npm run chaos` again with more visitors. */
export const scenarios: Scenario[] = [
  { name: "server killed at every step of an order", run: serverKilled },
  { name: "two servers, half of the calls fail", run: serversCompete },
  { name: "connections reset after the command ran", run: connectionsReset },
  { name: "Redis over memory", run: redisOverMemory },
  { name: "Redis slow", run: redisSlow },
  { name: "Redis loses its last writes", run: redisLosesItsLastWrites },
  { name: "Redis comes back empty", run: redisEmptied },
  { name: "webhook misbehaves", run: webhookMisbehaves },
  { name: "lookup and mail server hang", run: lookupAndMailHang },
  { name: "a server's clock a day ahead", run: serverADayAhead },
  { name: "midnight between reserve and settle", run: midnight },
  { name: "Redis killed, back with its file", run: redisKilled },
  { name: "Redis paused", run: redisPaused },
];

/** What happens to a Redis in operation, by hand or by itself. A short form is in `npm run verify`, too. */
export const operations: Scenario[] = [
  { name: "a fail-over by hand, connections stay open", run: failOverByHand },
  { name: "a fail-over by a sentinel", run: failOverBySentinel },
  { name: "a cluster moves the ledger's slot", run: slotMoved },
  { name: "Redis answers LOADING for 5 s", run: redisLoading },
  { name: "Redis has too few replicas to write", run: tooFewReplicas },
  { name: "Redis is full, and has room again", run: redisFull },
];

/** Runs a scenario in a shop of its own, with room for so many orders. */
export async function runScenario({ run }: Scenario, places: number): Promise<Findings> {
  const shop = await Shop.open(places);
  try {
    return await run(shop);
  } finally {
    await shop.close();
  }
}
