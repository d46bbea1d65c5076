import type { Redis } from "@upstash/redis";
import { newFlow, sealFlow } from "@/lib/server/session";
import { sessionSecret } from "./app-server";
import { newAddress, Visitor, type ApiAnswer } from "./visitor";
import type { ReceivedRequest, Reply, Responder } from "./webhook-receiver";

/** A delivery service's memory: it accepts an id once, and answers 409 to an id that it has seen. */
export class AcceptedOrders {
  readonly ids = new Set<string>();
  /** Calls that came while another call under the same id was still worked on. */
  overlaps = 0;
  readonly #working = new Set<string>();

  /** Answers like a service that keeps its word, after `work`, which may also say that the answer gets lost. */
  responder(
    work: (request: ReceivedRequest, index: number) => Promise<Reply | void> | Reply | void,
  ): Responder {
    return async (request, index) => {
      const id = request.headers["webhook-id"] ?? "";
      if (this.#working.has(id)) this.overlaps += 1;
      this.#working.add(id);
      const instead = await work(request, index);
      this.#working.delete(id);
      if (instead === "error" || instead === "redirect" || instead === "refuse") return instead;
      const reply = this.ids.has(id) ? "conflict" : "accept";
      this.ids.add(id);
      return instead ?? reply;
    };
  }
}

/** A visitor with his flow at step 3, without the work of the human check. */
export async function newVisitorInFlow(url: string): Promise<Visitor> {
  const post = { postId: "Cxyz123abc_", type: "post" as const };
  const visitor = new Visitor(url, { address: newAddress(), fingerprint: "fingerprint" });
  visitor.cookies.set("flow", await sealFlow({ ...newFlow(post), post }, [sessionSecret]));
  return visitor;
}

/** The same visitor at another server of the product. */
export function moveTo(url: string, visitor: Visitor): Visitor {
  const moved = new Visitor(url, visitor.options);
  for (const [name, value] of visitor.cookies) moved.cookies.set(name, value);
  return moved;
}

/** Asks for likes under the visitor's one Idempotency-Key; null when the connection breaks. */
export function askOnce(visitor: Visitor): Promise<ApiAnswer | null> {
  return visitor.like("Cxyz123abc_", `key-of-${visitor.options.address}`).catch(() => null);
}

export interface Figures {
  orders: number;
  accepted: number;
  open: number;
  abandoned: number;
  receiverIds: number;
  budget: number;
  pending: number;
}

/** What the ledger and the receiver hold, as numbers and as ids. */
export async function readBooks(redis: Redis, received: AcceptedOrders) {
  const keys = await redis.keys("{likes}:v2:order:*");
  const orders = await Promise.all(keys.map((key) => redis.get<Record<string, unknown>>(key)));
  const idsIn = (...states: string[]) =>
    orders.filter((order) => states.includes(String(order?.state))).map((order) => String(order?.id));
  const budgets = await redis.keys("{likes}:v2:budget:*");
  const charged = await Promise.all(budgets.map((key) => redis.get<number>(key)));
  const figures: Figures = {
    orders: orders.length,
    accepted: idsIn("accepted").length,
    open: idsIn("reserved", "pending").length,
    abandoned: idsIn("abandoned").length,
    receiverIds: received.ids.size,
    budget: charged.reduce<number>((sum, likes) => sum + Number(likes), 0),
    pending: await redis.zcard("{likes}:v2:pending"),
  };
  const ids = { accepted: idsIn("accepted").sort(), open: idsIn("reserved", "pending") };
  return { figures, ids, orders, visitors: orders.map((order) => order?.visitor) };
}

/**
 * Prints the figures, and fails unless the books agree: what the ledger calls accepted is what the receiver accepted,
 * the budget is charged for what is accepted, open or abandoned, nobody has two orders, and nothing is pending.
 */
export async function expectBooksToAgree(
  title: string,
  redis: Redis,
  received: AcceptedOrders,
): Promise<Figures> {
  const { figures, ids, visitors } = await readBooks(redis, received);
  process.stdout.write(`${title}: ${JSON.stringify(figures)}\n`);
  expect(ids.accepted).toEqual([...received.ids].sort());
  expect(figures.budget).toBe(50 * (figures.accepted + figures.open + figures.abandoned));
  expect(new Set(visitors).size).toBe(visitors.length);
  expect({ pending: figures.pending, overlaps: received.overlaps }).toEqual({ pending: 0, overlaps: 0 });
  return figures;
}

/** Waits until something holds; fails when it does not in time. */
export async function until(what: string, condition: () => Promise<boolean> | boolean, timeoutMs = 30_000) {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`it did not happen in ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
