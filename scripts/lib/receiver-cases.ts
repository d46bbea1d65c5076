import { randomBytes, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { limits } from "@/lib/config/limits";
import type { DeliveryOutcome } from "@/lib/server/delivery/delivery";
import { createOrderPayload, toDeliveryOutcome, type WebhookSettings } from "@/lib/server/delivery/webhook";
import { deriveOrderId } from "@/lib/server/likes/order-id";
import { sendRequest, timeoutSignal } from "@/lib/server/http/http-client";

/* The contract of docs/delivery.md, as calls to a delivery service. Any response with the same effect passes a case. */

interface Verdict {
  passed: boolean;
  /** The HTTP statuses, or the reason why there is none. */
  came: string;
}

interface ReceiverCase {
  name: string;
  expected: string;
  run(send: Send): Promise<Verdict>;
}

/** The result of a case. */
export type CaseResult = Pick<ReceiverCase, "name" | "expected"> & Verdict;

interface Reply {
  status: number | "no answer in time" | "no connection";
  outcome: DeliveryOutcome;
}

/** How a call differs from a valid test call. */
interface Message {
  id?: string;
  type?: string;
  data?: object;
  /** Replaces the JSON of `type` and `data`. */
  body?: string;
  /** Replaces the body after it is signed. */
  sentBody?: string;
  method?: string;
  /** Seconds since the message was signed. Negative in the future. */
  ageSeconds?: number;
  secret?: string;
  signed?: boolean;
}

/** Sends a message. Never rejects. */
type Send = (message: Message) => Promise<Reply>;

const maxReplyBytes = 16_384;
const tooLargeBytes = 256 * 1_024;
const hourSeconds = 3_600;
const parallelCalls = 8;

/** Sends each case, one after the other. Returns the results, and the ids of the orders that the service accepted. */
export async function tryReceiver(
  settings: WebhookSettings,
  cases: readonly ReceiverCase[],
): Promise<{ results: CaseResult[]; orders: string[] }> {
  const orders = new Set<string>();
  const send: Send = async (message) => {
    const id = message.id ?? `test_${randomBytes(9).toString("hex")}`;
    const reply = await sendMessage(settings, { ...message, id });
    if (isAccepted(reply) && message.id !== undefined) orders.add(id);
    return reply;
  };
  const results: CaseResult[] = [];
  for (const { name, expected, run } of cases) results.push({ name, expected, ...(await run(send)) });
  return { results, orders: [...orders] };
}

/** Cases that no delivery service can take for an order. */
export const testCases: readonly ReceiverCase[] = [
  oneCall("a signed test call", "2xx", isAccepted, () => ({})),
  refusal("a wrong signature", "401", () => ({ secret: newSecret() })),
  refusal("another body than was signed", "401", () => ({ sentBody: '{"type":"connection.test"}' })),
  refusal("no signature", "401", () => ({ signed: false })),
  refusal("signed an hour ago", "401", () => ({ ageSeconds: hourSeconds })),
  refusal("signed in an hour", "401", () => ({ ageSeconds: -hourSeconds })),
  refusal("another method", "405", () => ({ method: "GET", body: "" })),
  oneCall(
    "256 KiB",
    "413, or the connection ends",
    (reply) => isRefused(reply) || reply.status === "no connection",
    () => ({ data: { text: "x".repeat(tooLargeBytes) } }),
  ),
];

/** Cases that create orders, or would create orders at an incorrect delivery service. */
export const orderCases: readonly ReceiverCase[] = [
  {
    name: "an order, and the same again",
    expected: "2xx, then 409 or 2xx with the same reference",
    run: async (send) => {
      const order = newOrder();
      return verdictOnce([await send(order), await send(order)]);
    },
  },
  {
    name: `an order ${parallelCalls} times at once`,
    expected: "one 2xx, else 409 or 2xx with the same reference",
    run: async (send) => {
      const order = newOrder();
      return verdictOnce(await Promise.all(Array.from({ length: parallelCalls }, () => send(order))));
    },
  },
  {
    name: "an order whose id was forged before",
    expected: "401, then 2xx",
    run: async (send) => {
      const order = newOrder();
      const forged = await send({ ...order, secret: newSecret() });
      const real = await send(order);
      return { passed: isRefused(forged) && isAccepted(real), came: `${forged.status}, ${real.status}` };
    },
  },
  refusal("an unknown type", "422", () => ({ ...newOrder(), type: "likes.unknown" })),
  refusal("an order without a post", "422", () => ({ ...newOrder(), data: { likes: 50 } })),
  refusal("broken JSON", "422", () => ({ ...newOrder(), body: '{"type":"likes.requested"' })),
];

/** A message that the service must reject. `status` is the most precise status. */
function refusal(name: string, status: string, message: () => Message): ReceiverCase {
  return oneCall(name, `refused, best with ${status}`, isRefused, message);
}

function oneCall(
  name: string,
  expected: string,
  passes: (reply: Reply) => boolean,
  message: () => Message,
): ReceiverCase {
  const run = async (send: Send) => {
    const reply = await send(message());
    return { passed: passes(reply), came: String(reply.status) };
  };
  return { name, expected, run };
}

/** Passes if calls with the same id created one order, as far as the responses show. */
function verdictOnce(replies: readonly Reply[]): Verdict {
  const references = new Set(replies.filter(isAccepted).map(referenceOf));
  const passed = references.size === 1 && replies.every(({ outcome }) => outcome.outcome === "accepted");
  return { passed, came: replies.map(({ status }) => status).join(", ") };
}

/** Returns the service's reference of an order. Without a reference, each response may mean another order. */
function referenceOf({ outcome }: Reply): string {
  return (outcome.outcome === "accepted" && outcome.reference) || randomUUID();
}

/** Returns whether the status is 2xx. The outcome of 409 is also "accepted", but a 409 creates no order. */
function isAccepted({ status, outcome }: Reply): boolean {
  return outcome.outcome === "accepted" && status !== 409;
}

function isRefused({ outcome }: Reply): boolean {
  return outcome.outcome === "refused";
}

async function sendMessage(
  { url, timeoutMs, secret: ownSecret }: WebhookSettings,
  { id, type = "connection.test", data = {}, ageSeconds = 0, ...rest }: Message & { id: string },
): Promise<Reply> {
  const at = new Date(Date.now() - ageSeconds * 1_000);
  const { body = JSON.stringify({ type, timestamp: at.toISOString(), data }), signed = true } = rest;
  const { method = "POST", secret = ownSecret, sentBody = body } = rest;
  const headers = {
    "content-type": "application/json",
    ...(signed && {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    }),
  };
  const signal = await timeoutSignal(timeoutMs);
  try {
    const init = { method, headers, signal, ...(method !== "GET" && { body: sentBody }) };
    const response = await sendRequest(url, init, maxReplyBytes);
    return { status: response.status, outcome: toDeliveryOutcome(response) };
  } catch {
    const status = signal.aborted ? "no answer in time" : "no connection";
    return { status, outcome: { outcome: "unknown", reason: status } };
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Returns an order for a post that does not exist. */
function newOrder(): Message {
  const id = deriveOrderId(randomUUID(), 0);
  const post = { postId: "AAAAAAAAAAA", postType: "post" } as const;
  return { id, ...createOrderPayload({ id, ...post, likes: limits.likesPerRequest }) };
}
