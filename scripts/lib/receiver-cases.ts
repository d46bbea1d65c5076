import { randomBytes, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { limits } from "@/lib/config/limits";
import type { DeliveryOutcome } from "@/lib/server/delivery/delivery";
import { createOrderPayload, toDeliveryOutcome, type WebhookSettings } from "@/lib/server/delivery/webhook";
import { deriveOrderId } from "@/lib/server/likes/order-id";
import { sendRequest, timeoutSignal } from "@/lib/server/http/http-client";

/*
 * The contract of docs/delivery.md as calls to a receiver. What is expected is what the product needs: where it treats
 * answers alike, each of them passes.
 */

interface ReceiverCase {
  /** What is sent. */
  name: string;
  /** The answer that it ought to get. */
  expected: string;
  run(receiver: Receiver): Promise<Verdict>;
}

interface Verdict {
  passed: boolean;
  /** The status, or the statuses, or why there is none. */
  came: string;
}

/** How a receiver did in one case. */
export type CaseResult = Pick<ReceiverCase, "name" | "expected"> & Verdict;

/** Tries cases at a receiver, one after the other. `orders` are the ids under which it took something for an order. */
export async function tryReceiver(
  settings: WebhookSettings,
  cases: readonly ReceiverCase[],
): Promise<{ results: CaseResult[]; orders: string[] }> {
  const receiver = new Receiver(settings);
  const results: CaseResult[] = [];
  for (const { name, expected, run } of cases) results.push({ name, expected, ...(await run(receiver)) });
  return { results, orders: [...receiver.orders] };
}

interface Came {
  status: number | "no answer in time" | "no connection";
  /** What the product makes of it. */
  outcome: DeliveryOutcome;
}

/** A call, as far as it differs from a good test call. */
interface Message {
  id?: string;
  type?: string;
  data?: object;
  /** In place of the JSON of the above. */
  body?: string;
  /** In place of the body that is signed. */
  sentBody?: string;
  method?: string;
  /** Seconds between its time and now; of the future below 0. */
  ageSeconds?: number;
  /** In place of the receiver's. */
  secret?: string;
  signed?: boolean;
}

const maxAnswerBytes = 16_384;
const bytesOfTooLarge = 256 * 1_024;
const hourSeconds = 3_600;
const callsAtOnce = 8;

/** What is no order, and can be told from one: does no harm at any receiver. */
export const testCases: readonly ReceiverCase[] = [
  {
    name: "a signed test call",
    expected: "2xx",
    run: async (receiver) => {
      const came = await receiver.send({});
      return { passed: isAccepted(came), came: String(came.status) };
    },
  },
  refusal("a wrong signature", "401", () => ({ secret: newSecret() })),
  refusal("another body than was signed", "401", () => ({ sentBody: '{"type":"connection.test"}' })),
  refusal("no signature", "401", () => ({ signed: false })),
  refusal("signed an hour ago", "401", () => ({ ageSeconds: hourSeconds })),
  refusal("signed in an hour", "401", () => ({ ageSeconds: -hourSeconds })),
  refusal("another method", "405", () => ({ method: "GET", body: "" })),
  {
    name: "256 KiB",
    expected: "413, or the connection ends",
    run: async (receiver) => {
      const came = await receiver.send({ data: { text: "x".repeat(bytesOfTooLarge) } });
      return { passed: isRefused(came) || came.status === "no connection", came: String(came.status) };
    },
  },
];

/** What makes orders, or would at a receiver that is wrong. */
export const orderCases: readonly ReceiverCase[] = [
  {
    name: "an order, and the same again",
    expected: "2xx, then 409 or 2xx with the same reference",
    run: async (receiver) => {
      const order = newOrder();
      return onceOf([await receiver.send(order), await receiver.send(order)]);
    },
  },
  {
    name: `an order ${callsAtOnce} times at once`,
    expected: "one 2xx, else 409 or 2xx with the same reference",
    run: async (receiver) => {
      const order = newOrder();
      return onceOf(await Promise.all(Array.from({ length: callsAtOnce }, () => receiver.send(order))));
    },
  },
  {
    name: "an order whose id was forged before",
    expected: "401, then 2xx",
    run: async (receiver) => {
      const order = newOrder();
      const forged = await receiver.send({ ...order, secret: newSecret() });
      const real = await receiver.send(order);
      return {
        passed: isRefused(forged) && isAccepted(real),
        came: `${forged.status}, ${real.status}`,
      };
    },
  },
  refusal("an unknown type", "422", () => ({ ...newOrder(), type: "likes.unknown" })),
  refusal("an order without a post", "422", () => ({ ...newOrder(), data: { likes: 50 } })),
  refusal("broken JSON", "422", () => ({ ...newOrder(), body: '{"type":"likes.requested"' })),
];

/** A message that is to be refused; `status` is the one that says why. */
function refusal(name: string, status: string, message: () => Message): ReceiverCase {
  return {
    name,
    expected: `refused, best with ${status}`,
    run: async (receiver) => {
      const came = await receiver.send(message());
      return { passed: isRefused(came), came: String(came.status) };
    },
  };
}

class Receiver {
  /** Ids of no test under which it has accepted something. */
  readonly orders = new Set<string>();
  readonly #settings: WebhookSettings;

  constructor(settings: WebhookSettings) {
    this.#settings = settings;
  }

  /** Sends a message, a good test call unless it says otherwise. Never rejects. */
  async send({ id = `test_${randomBytes(9).toString("hex")}`, ...message }: Message): Promise<Came> {
    const { url, timeoutMs } = this.#settings;
    const { method = "POST" } = message;
    const { headers, body } = this.#written(id, message);
    const signal = await timeoutSignal(timeoutMs);
    try {
      const init = { method, headers, signal, ...(method !== "GET" && { body }) };
      const answer = await sendRequest(url, init, maxAnswerBytes);
      const came = { status: answer.status, outcome: toDeliveryOutcome(answer) };
      if (isAccepted(came) && !id.startsWith("test_")) this.orders.add(id);
      return came;
    } catch {
      const status = signal.aborted ? "no answer in time" : "no connection";
      return { status, outcome: { outcome: "unknown", reason: status } };
    }
  }

  #written(id: string, { type = "connection.test", data = {}, ageSeconds = 0, ...rest }: Message) {
    const at = new Date(Date.now() - ageSeconds * 1_000);
    const { body = JSON.stringify({ type, timestamp: at.toISOString(), data }), signed = true } = rest;
    const { secret = this.#settings.secret, sentBody = body } = rest;
    const headers = {
      "content-type": "application/json",
      ...(signed && {
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
        "webhook-signature": new Webhook(secret).sign(id, at, body),
      }),
    };
    return { headers, body: sentBody };
  }
}

/** Whether one order came of all these calls under one id, as far as the answers tell. */
function onceOf(answers: readonly Came[]): Verdict {
  const references = new Set(answers.filter(isAccepted).map(referenceOf));
  const passed = references.size === 1 && answers.every(({ outcome }) => outcome.outcome === "accepted");
  return { passed, came: answers.map(({ status }) => status).join(", ") };
}

/** The order's name at the service; where it gives none, each acceptance may be an order of its own. */
function referenceOf({ outcome }: Came): string {
  return (outcome.outcome === "accepted" && outcome.reference) || randomUUID();
}

/** By a 2xx: to the product, 409 is as good, but nothing new. */
function isAccepted({ status, outcome }: Came): boolean {
  return outcome.outcome === "accepted" && status !== 409;
}

function isRefused({ outcome }: Came): boolean {
  return outcome.outcome === "refused";
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** For nobody's post: its code is as long as one may be, and made of one letter. */
function newOrder(): Message & { id: string } {
  const id = deriveOrderId(randomUUID(), 0);
  return {
    id,
    ...createOrderPayload({ id, postId: "AAAAAAAAAAA", postType: "post", likes: limits.likesPerRequest }),
  };
}
