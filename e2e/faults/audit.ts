import { z } from "zod";
import { pendingKey, type Shop } from "./shop";

const orderShape = z.object({ id: z.string(), state: z.string(), visitor: z.string() });

/** What the ledger, the delivery service and the visitors hold. */
export interface Books {
  orders: z.infer<typeof orderShape>[];
  /** Likes charged to all days. */
  charged: number;
  /** How many orders the index of open ones names. */
  pending: number;
  /** Orders that visitors' records name as their open one. */
  held: string[];
  received: ReadonlySet<string>;
  /** Calls that overlapped another under their id. */
  overlaps: number;
  /** The references under which each visitor was told of success. */
  told: string[][];
}

/** What a fault has left behind. */
export interface Findings {
  requests: number;
  /** Requests that broke, or were answered with a failure of ours. */
  failures: number;
  faults: number;
  /** From the moment at which Redis takes writes again, until the health check and a new visitor are well. */
  secondsUntilWell?: number;
  /** Orders that the delivery service accepted. */
  accepted: number;
  /** Orders that one side calls accepted, or a visitor was told of, and the other side does not know. */
  lost: number;
  /** Acceptances beyond one a visitor and cooldown, and calls that overlapped another under their id. */
  doubled: number;
  /** Places in the budget that belong to no order, and reservations that nobody will finish. */
  leaked: number;
  /** Orders without an outcome after reconciling. */
  pending: number;
  /** Invariants that do not hold, in words. */
  broken: string[];
  /** What the numbers alone do not say. */
  note?: string;
}

interface Allowed {
  /** Orders that may be forgotten, because Redis lost writes that it had acknowledged. */
  forgotten?: number;
  /** How many orders there have to be, all of them accepted. */
  orders?: number;
  /** Further expectations of a scenario; those that do not hold are broken. */
  expected?: Record<string, boolean>;
  note?: string;
}

/** Waits until the timers have finished every open order, and compares the books of ledger, receiver and visitors. */
export async function audit(shop: Shop, { note, ...allowed }: Allowed = {}): Promise<Findings> {
  await shop.untilNothingIsOpen().catch(() => undefined);
  const findings = compare(await readBooks(shop), shop.places, allowed);
  return {
    requests: shop.requests,
    failures: shop.failures,
    faults: shop.faults,
    ...findings,
    ...(note !== undefined && { note }),
  };
}

export async function readBooks({ redis, received, told }: Shop): Promise<Books> {
  async function values(pattern: string): Promise<unknown[]> {
    return Promise.all((await redis.keys(pattern)).map((key) => redis.get(key)));
  }
  const budgets = await values("{likes}:v2:budget:*");
  const visitors = z
    .array(z.object({ order: z.string().nullish() }))
    .parse(await values("{likes}:v2:visitor:*"));
  return {
    orders: z.array(orderShape).parse(await values("{likes}:v2:order:*")),
    charged: budgets.reduce<number>((sum, likes) => sum + Number(likes), 0),
    pending: await redis.zcard(pendingKey),
    held: visitors.flatMap(({ order }) => order || []),
    received: received.ids,
    overlaps: received.overlaps,
    told: [...told.values()].map((references) => [...references]),
  };
}

/** The ids of the orders in any of these states. */
export function idsIn({ orders }: Books, ...states: string[]): string[] {
  return orders.filter(({ state }) => states.includes(state)).map(({ id }) => id);
}

/** Says what of the books does not agree. */
export function compare(
  books: Books,
  places: number,
  { forgotten = 0, orders, expected = {} }: Omit<Allowed, "note">,
): Omit<Findings, "requests" | "failures" | "faults" | "note"> {
  const received = [...books.received];
  const accepted = idsIn(books, "accepted");
  const open = idsIn(books, "reserved", "pending");
  const known = new Set(books.orders.map(({ id }) => id));
  const toldOf = books.told.flat();
  const unknownToReceiver = [...accepted, ...toldOf].filter((id) => !books.received.has(id));
  const unknownToLedger = received.filter((id) => !known.has(id));
  const notAccepted = received.filter((id) => known.has(id) && !accepted.includes(id));
  const acceptedVisitors = books.orders
    .filter(({ id }) => accepted.includes(id))
    .map(({ visitor }) => visitor);

  const counted = [...accepted, ...open, ...idsIn(books, "abandoned")].length;
  const findings = {
    accepted: received.length,
    lost: unknownToReceiver.length + unknownToLedger.length + notAccepted.length,
    doubled: Math.max(repeated(acceptedVisitors), toldOf.length - books.told.length) + books.overlaps,
    leaked: Math.abs(books.charged / 50 - counted) + books.held.filter((id) => !open.includes(id)).length,
    pending: Math.max(books.pending, open.length),
  };
  const invariants: Record<string, boolean> = {
    "what a visitor was told, or the ledger calls accepted, was seen by the receiver":
      unknownToReceiver.length === 0,
    "what the receiver accepted is accepted in the ledger": notAccepted.length === 0,
    "no more is forgotten than Redis lost": unknownToLedger.length <= forgotten,
    "one acceptance a visitor and cooldown": findings.doubled <= forgotten,
    "nobody is told of another's order": repeated(toldOf) === 0,
    "accepted is within the day's limit": accepted.length <= places && received.length <= places + forgotten,
    "the budget is what is accepted or abandoned, and nobody is held by nothing": findings.leaked === 0,
    "nothing is pending": findings.pending === 0,
    "there are as many orders as were asked for, all accepted":
      orders === undefined || (books.orders.length === orders && accepted.length === orders),
    ...expected,
  };
  return { ...findings, broken: Object.keys(invariants).filter((name) => !invariants[name]) };
}

function repeated(texts: string[]): number {
  return texts.length - new Set(texts).size;
}
