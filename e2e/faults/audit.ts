import { z } from "zod";
import { pendingKey, type Fixture } from "./fixture";

const orderShape = z.object({ id: z.string(), state: z.string(), visitor: z.string() });
const visitorShape = z.object({ order: z.string().nullish() });
type Order = z.infer<typeof orderShape>;

/** The result of a scenario. */
export interface Findings {
  requests: number;
  /** Requests whose connection broke or whose status was 500 or more. */
  failures: number;
  faults: number;
  /** Seconds from the first accepted write until the deep health check and a new visitor succeed. */
  secondsUntilHealthy?: number;
  /** Orders that the delivery service accepted. */
  accepted: number;
  /** Accepted orders that either the ledger or the delivery service does not know as accepted. */
  lost: number;
  /** Accepted orders beyond one per visitor, and calls that overlapped another call under the same id. */
  doubled: number;
  /** Charges without an order, and visitors whose open order does not exist. */
  leaked: number;
  /** Orders that are still open. */
  pending: number;
  /** The invariants that do not hold. */
  broken: string[];
}

export interface Scenario {
  name: string;
  run: (fixture: Fixture) => Promise<Findings>;
}

interface Expectations {
  /** Maximum number of orders that the ledger may lack, because Redis lost acknowledged writes. */
  forgotten?: number;
  /** Exact number of orders. All of them must be accepted. */
  orders?: number;
  /** More invariants, by name. */
  expected?: Record<string, boolean>;
}

/** Waits until no order is open, and compares ledger, delivery service and the responses to visitors. */
export async function audit(
  fixture: Fixture,
  { forgotten = 0, orders: orderCount, expected }: Expectations = {},
): Promise<Findings> {
  const { redis, received, places, requests, failures, faults } = fixture;
  await fixture.untilNothingIsOpen().catch(() => undefined);
  const orders = await readOrders(fixture);
  const known = new Set(orders.map(({ id }) => id));
  const accepted = idsOf(orders, "accepted");
  const open = idsOf(orders, "reserved", "pending");
  const charged = (await readAll(fixture, "{likes}:v2:budget:*")).reduce<number>(
    (sum, likes) => sum + Number(likes),
    0,
  );
  const visitors = z.array(visitorShape).parse(await readAll(fixture, "{likes}:v2:visitor:*"));
  const blocking = visitors.flatMap(({ order }) => order || []);
  const confirmed = [...fixture.confirmed.values()].flatMap((references) => [...references]);

  const ids = [...received.ids];
  const notReceived = [...accepted, ...confirmed].filter((id) => !received.ids.has(id));
  const notInLedger = ids.filter((id) => !known.has(id));
  const notAccepted = ids.filter((id) => known.has(id) && !accepted.includes(id));
  const buyers = orders.filter(({ state }) => state === "accepted").map(({ visitor }) => visitor);
  const repeated = Math.max(duplicates(buyers), confirmed.length - fixture.confirmed.size);
  const charges = idsOf(orders, "accepted", "reserved", "pending", "abandoned").length;

  const figures = {
    accepted: ids.length,
    lost: notReceived.length + notInLedger.length + notAccepted.length,
    doubled: repeated + received.overlaps,
    leaked: Math.abs(charged / 50 - charges) + blocking.filter((id) => !open.includes(id)).length,
    pending: Math.max(await redis.zcard(pendingKey), open.length),
  };
  const invariants: Record<string, boolean> = {
    "the delivery service has every accepted or confirmed order": notReceived.length === 0,
    "every received order in the ledger is accepted": notAccepted.length === 0,
    "the ledger lacks only orders that Redis lost": notInLedger.length <= forgotten,
    "one accepted order per visitor and cooldown, and no overlapping calls": figures.doubled <= forgotten,
    "no order is confirmed to two visitors": duplicates(confirmed) === 0,
    "accepted orders are within the daily limit":
      accepted.length <= places && ids.length <= places + forgotten,
    "each charge belongs to an order, and no closed order blocks a visitor": figures.leaked === 0,
    "no order is pending": figures.pending === 0,
    "the ledger has the expected number of orders, all accepted":
      orderCount === undefined || (orders.length === orderCount && accepted.length === orderCount),
    ...expected,
  };
  const broken = Object.keys(invariants).filter((name) => !invariants[name]);
  return { requests, failures, faults, ...figures, broken };
}

/** Reads all orders of the ledger. */
export async function readOrders(fixture: Fixture): Promise<Order[]> {
  return z.array(orderShape).parse(await readAll(fixture, "{likes}:v2:order:*"));
}

/** Returns the ids of the orders in any of these states. */
export function idsOf(orders: readonly Order[], ...states: string[]): string[] {
  return orders.filter(({ state }) => states.includes(state)).map(({ id }) => id);
}

async function readAll({ redis }: Fixture, pattern: string): Promise<unknown[]> {
  return Promise.all((await redis.keys(pattern)).map((key) => redis.get(key)));
}

function duplicates(texts: string[]): number {
  return texts.length - new Set(texts).size;
}
