import { randomBytes, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { limits } from "@/lib/config/limits";
import { failureCode } from "@/lib/server/http/http-client";
import type { DeliveryOutcome } from "@/lib/server/delivery/delivery";
import { callService, createOrderPayload, type WebhookSettings } from "@/lib/server/delivery/delivery";
import { orderMessageSchema } from "@/lib/schemas/order";
import { deriveOrderId } from "@/lib/server/cookies/order-id";

/* The contract of docs/delivery.md, as calls to a delivery service. Any response with the same effect passes a case. */

interface Reply {
  /** The HTTP status, or the reason why the response is not clear. Contains the code of a failed connection. */
  status: string;
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
  method?: "GET";
  /** Seconds since the message was signed. Negative in the future. */
  ageSeconds?: number;
  secret?: string;
  /** The header that is left out. */
  without?: (typeof signatureHeaders)[number];
}

interface ReceiverCase {
  name: string;
  expected: string;
  /** Why a wrong response matters, and what to change. */
  advice: string;
  createMessages: () => Message[];
  /** Whether the messages are sent at the same time. */
  atOnce?: boolean;
  /** By default, the service must refuse all messages. */
  passes?: (replies: Reply[]) => boolean;
}

const signatureHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** Cases that no delivery service can take for an order. */
export const testCases: readonly ReceiverCase[] = [
  {
    name: "a signed test call",
    expected: "2xx without a reference",
    advice:
      "After 401, give both sides the same secret and the right time. After 404, correct the address. Otherwise respond 204 to the " +
      "type connection.test, and store nothing.",
    createMessages: () => [{}],
    passes: ([reply]) => isAccepted(reply!) && !hasReference(reply!),
  },
  {
    name: "a wrong signature, another body than was signed, without each of the three headers",
    expected: "401",
    advice:
      "Anybody could order likes. Compute the signature of the received bytes, and respond 401 if it differs or a header is missing.",
    createMessages: () => [
      { secret: newSecret() },
      { sentBody: '{"type":"connection.test"}' },
      ...signatureHeaders.map((without) => ({ without })),
    ],
  },
  {
    name: "signed an hour ago, and in an hour",
    expected: "401",
    advice:
      "A recorded call could be sent again. Respond 401 if webhook-timestamp is more than 300 s before or after your clock.",
    createMessages: () => [{ ageSeconds: 3_600 }, { ageSeconds: -3_600 }],
  },
  {
    name: "another method",
    expected: "405",
    advice:
      "Crawlers and browsers open the address, too. Accept only POST, and respond 405 to other methods.",
    createMessages: () => [{ method: "GET", body: "" }],
  },
  {
    name: "256 KiB",
    expected: "413, or the connection ends",
    advice: "Large bodies could fill the memory of the service. Stop after 16 KiB, and respond 413.",
    createMessages: () => [{ data: { text: "x".repeat(262_144) } }],
    passes: ([reply]) => isRefused(reply!) || reply!.status.startsWith("no connection"),
  },
];

/** Cases that create orders, or would create orders at an incorrect delivery service. */
export const orderCases: readonly ReceiverCase[] = [
  {
    name: "an order, and the same again",
    expected: "2xx, then 409 or 2xx with the same reference",
    advice:
      "After a lost response the site repeats the order. Store each id, and respond 409 to a stored id.",
    createMessages: () => Array<Message>(2).fill(newOrder()),
    passes: isOneOrder,
  },
  {
    name: "an order 8 times at once",
    expected: "one 2xx, else 409 or 2xx with the same reference",
    advice:
      "The post would get its likes twice. Check and store the id in one transaction, for example with a unique key.",
    createMessages: () => Array<Message>(8).fill(newOrder()),
    atOnce: true,
    passes: isOneOrder,
  },
  {
    name: "two different orders",
    expected: "2xx twice, with different references if any",
    advice:
      "A reference must find one order. Return its own reference for each order, for example orderId, or none.",
    createMessages: () => [newOrder(), newOrder()],
    passes: (replies) => replies.every(isAccepted) && new Set(replies.map(orderOf)).size === 2,
  },
  {
    name: "an order whose id was forged before",
    expected: "401, then 2xx",
    advice: "A forged call could block a real order. Check the signature before you store the id.",
    createMessages() {
      const order = newOrder();
      return [{ ...order, secret: newSecret() }, order];
    },
    passes: ([forged, real]) => isRefused(forged!) && isAccepted(real!),
  },
  {
    name: "an unknown type, an order without each of its fields, broken JSON",
    expected: "422",
    advice:
      "Accept only likes.requested and connection.test, check each field, and catch the error of the JSON parser.",
    createMessages: () => [
      { ...newOrder(), type: "likes.unknown" },
      ...Object.keys(orderMessageSchema.shape.data.shape).map((field) => {
        const order = newOrder();
        return { ...order, data: { ...order.data, [field]: undefined } };
      }),
      { ...newOrder(), body: '{"type":"likes.requested"' },
    ],
  },
];

/** Advice for responses that mean the same in every case. */
const unclear = /no connection|no answer|neither empty nor JSON|\b30\d/;
const unclearAdvice =
  "ECONNREFUSED: start the service, or correct host and port; ENOTFOUND, EAI_AGAIN: correct the host name, or its DNS record; a " +
  "certificate, SSL, TLS: use a valid certificate for this host name, name a private authority in NODE_EXTRA_CA_CERTS, or use " +
  "http://; other codes: read the log of the service and of the proxy before it, and look at the firewall; no answer: respond as " +
  "soon as the order is stored, within LIKE_WEBHOOK_TIMEOUT_MS; JSON: respond with an empty body or JSON, or correct the address of " +
  "another server, or remove the login before it; 30x: the site follows no redirect, so use the address that it names.";

/**
 * Sends the messages of each case, and stops if the first case fails, because the other responses then mean nothing. Returns
 * the results, and the ids of the orders that the service holds, or may hold because it did not respond in time.
 */
export async function tryReceiver(settings: WebhookSettings, cases: readonly ReceiverCase[]) {
  const orders = new Set<string>();
  const results = [];
  for (const { createMessages, atOnce, passes = allRefused, ...row } of cases) {
    const testId = () => `test_${randomBytes(9).toString("hex")}`;
    const messages = createMessages().map((message) => ({ id: testId(), ...message }));
    const replies: Reply[] = [];
    if (atOnce) replies.push(...(await Promise.all(messages.map((message) => send(settings, message)))));
    else for (const message of messages) replies.push(await send(settings, message));
    const ids = messages.map(({ id }) => id);
    for (const [n, id] of ids.entries())
      if (id.startsWith("test_") ? hasReference(replies[n]!) : /^(?:2|no answer)/.test(replies[n]!.status))
        orders.add(id);
    const came = replies.map(({ status }) => status).join(", ");
    const advice = unclear.test(came) ? unclearAdvice : row.advice;
    results.push({ ...row, advice, came, passed: passes(replies), ids });
    if (!results[0]?.passed) break;
  }
  return { results, orders: [...orders] };
}

/** Returns whether calls with the same id created one order, as far as the responses show. */
function isOneOrder(replies: readonly Reply[]): boolean {
  const orders = new Set(replies.filter(isAccepted).map(orderOf));
  return orders.size === 1 && replies.every(({ outcome }) => outcome.outcome === "accepted");
}

/** Returns the service's reference of an order. Without a reference, each response may mean another order. */
function orderOf(reply: Reply): string | Reply {
  return (reply.outcome.outcome === "accepted" && reply.outcome.reference) || reply;
}

const hasReference = (reply: Reply) => orderOf(reply) !== reply;

/** Returns whether the status is 2xx. The outcome of 409 is also "accepted", but a 409 creates no order. */
function isAccepted({ status, outcome }: Reply): boolean {
  return outcome.outcome === "accepted" && status !== "409";
}

function isRefused({ status, outcome }: Reply): boolean {
  return outcome.outcome !== "accepted" && status.startsWith("4");
}

const allRefused = (replies: readonly Reply[]) => replies.every(isRefused);

/** Sends a message. Never rejects. */
async function send(
  { url, timeoutMs, secret: ownSecret }: WebhookSettings,
  { id, type = "connection.test", data = {}, ageSeconds = 0, ...rest }: Message & { id: string },
): Promise<Reply> {
  const at = new Date(Date.now() - ageSeconds * 1_000);
  const { body = JSON.stringify({ type, timestamp: at.toISOString(), data }) } = rest;
  const { method = "POST", secret = ownSecret, sentBody = body, without } = rest;
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  if (without) delete headers[without];
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const sent = { method, headers, signal, ...(method !== "GET" && { body: sentBody }) };
    const { status, outcome } = await callService(url, sent);
    const reason = outcome.outcome === "unknown" ? outcome.reason.slice("HTTP ".length) : String(status);
    return { status: reason, outcome };
  } catch (error) {
    const status = signal.aborted ? "no answer in time" : `no connection (${failureCode(error)})`;
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
