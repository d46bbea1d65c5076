import { randomBytes, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { limits } from "@/lib/config/limits";
import { failureCode } from "@/lib/server/http/http-client";
import type { DeliveryOutcome } from "@/lib/server/delivery/delivery";
import { callService, createOrderPayload, type WebhookSettings } from "@/lib/server/delivery/webhook";
import { deriveOrderId } from "@/lib/server/likes/order-id";

/* The contract of docs/delivery.md, as calls to a delivery service. Any response with the same effect passes a case. */

interface Verdict {
  passed: boolean;
  /** The HTTP statuses, or the reason why there is none. */
  came: string;
}

/** Why a failure matters, and what to change. */
type Advice = readonly [why: string, change: string];

interface ReceiverCase {
  advice: Advice;
  name: string;
  expected: string;
  run(send: Send): Promise<Verdict>;
}

/** The result of a case. `ids` are the sent values of webhook-id, `code` is the code of a broken connection. */
export type CaseResult = Omit<ReceiverCase, "run"> & Verdict & { ids: string[]; code: string | undefined };

interface Reply {
  /** The status, after an unclear response with the reason, for example "200 with …". Or "no answer in time" or "no connection". */
  status: number | string;
  outcome: DeliveryOutcome;
  code?: string;
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

/** Sends a message. Never rejects. */
type Send = (message: Message) => Promise<Reply>;

const signatureHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;
const tooLargeBytes = 256 * 1_024;
const hourSeconds = 3_600;
const parallelCalls = 8;

/**
 * Sends each case, one after the other, and stops if the first fails, because the other responses then mean nothing. Returns
 * the results, and the ids of the orders that the service holds, or may hold because it did not respond in time.
 */
export async function tryReceiver(
  settings: WebhookSettings,
  cases: readonly ReceiverCase[],
): Promise<{ results: CaseResult[]; orders: string[] }> {
  const orders = new Set<string>();
  const results: CaseResult[] = [];
  for (const { run, ...rest } of cases) {
    const ids = new Set<string>();
    let code: string | undefined;
    const verdict = await run(async (message) => {
      const id = message.id ?? `test_${randomBytes(9).toString("hex")}`;
      const reply = await sendMessage(settings, { ...message, id });
      const mayHold = message.id ? /^(?:2|no answer)/.test(String(reply.status)) : madeOrder(reply);
      if (mayHold) orders.add(id);
      ids.add(id);
      code ??= reply.code;
      return reply;
    });
    const fault = faults.find(([came]) => came.test(`${verdict.came} ${code}`));
    results.push({ ...rest, ...verdict, advice: fault?.[1] ?? rest.advice, ids: [...ids], code });
    if (!results[0]?.passed) break;
  }
  return { results, orders: [...orders] };
}

/** Advice for responses that mean the same in every case. The first match counts. */
const faults: [came: RegExp, advice: Advice][] = [
  [
    /ECONNREFUSED/,
    [
      "Nothing listens at this address, so no order arrives.",
      "Start the service, or correct host and port of the address.",
    ],
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    [
      "The host name has no address, so no order arrives.",
      "Correct the host name of the address, or its DNS record.",
    ],
  ],
  [
    /CERT|SSL|TLS|EPROTO|LEAF_SIGNATURE/,
    [
      "The TLS connection fails, so no order arrives.",
      "Give the service a valid certificate for this host name. For a private authority, set NODE_EXTRA_CA_CERTS. " +
        "If the port offers no TLS, use http:// and the right port.",
    ],
  ],
  [
    /no connection/,
    [
      "The connection ends without a response. The site repeats such an order for 24 hours.",
      "Read the log of the service and of the proxy before it, and look at the firewall.",
    ],
  ],
  [
    /no answer/,
    [
      "The visitor does not see success, and the site repeats the order.",
      "Respond as soon as the order is stored, within LIKE_WEBHOOK_TIMEOUT_MS. Do other work later.",
    ],
  ],
  [
    /neither empty nor JSON/,
    [
      "Such a body can come from a login page or a parked domain. The site counts no order as accepted, and repeats each.",
      "Respond with an empty body or JSON. If the body is a page of another server, correct the address, or remove the " +
        "login before the service.",
    ],
  ],
  [
    /\b30\d/,
    ["The site follows no redirect, so no order arrives.", "Use the address that the redirect names."],
  ],
];

const forgery: Advice = [
  "Anybody who knows the address could order likes.",
  "Compute the signature of the received bytes with your secret, and respond 401 if it differs.",
];
const replay: Advice = [
  "Anybody who has recorded a call could send it again.",
  "Respond 401 if webhook-timestamp is more than 300 s away from your clock, in both directions.",
];

/** Cases that no delivery service can take for an order. */
export const testCases: readonly ReceiverCase[] = [
  oneCall("a signed test call", "2xx", isAccepted, () => ({}), [
    "The service does not accept what the site signs. Orders would stay open, or be refused.",
    "After 401, give both sides the same secret and the right time. After 404, correct the address. After 422, accept " +
      "the type connection.test.",
  ]),
  refusal("a wrong signature", "401", () => ({ secret: newSecret() }), forgery),
  refusal("another body than was signed", "401", () => ({ sentBody: '{"type":"connection.test"}' }), forgery),
  ...signatureHeaders.map((without) =>
    refusal(`no ${without}`, "401", () => ({ without }), [
      forgery[0],
      `Respond 401 if a call has no ${without}.`,
    ]),
  ),
  refusal("signed an hour ago", "401", () => ({ ageSeconds: hourSeconds }), replay),
  refusal("signed in an hour", "401", () => ({ ageSeconds: -hourSeconds }), replay),
  refusal("another method", "405", () => ({ method: "GET", body: "" }), [
    "Crawlers and browsers that open the address must cause nothing.",
    "Accept only POST, and respond 405 to other methods.",
  ]),
  oneCall(
    "256 KiB",
    "413, or the connection ends",
    (reply) => isRefused(reply) || reply.status === "no connection",
    () => ({ data: { text: "x".repeat(tooLargeBytes) } }),
    [
      "Large bodies could fill the memory of the service, before it checks their signature.",
      "Stop after 16 KiB, and respond 413.",
    ],
  ),
  oneCall(
    "a test call, which is no order",
    "2xx without a reference",
    (reply) => isAccepted(reply) && !madeOrder(reply),
    () => ({}),
    [
      "The service seems to make an order of each test call of the doctor.",
      "Respond 204 to the type connection.test, and store nothing.",
    ],
  ),
];

/** Cases that create orders, or would create orders at an incorrect delivery service. */
export const orderCases: readonly ReceiverCase[] = [
  {
    name: "an order, and the same again",
    expected: "2xx, then 409 or 2xx with the same reference",
    advice: [
      "The site repeats an order when a response is lost. The post would get its likes twice.",
      "Store each id, and respond 409 to a stored id.",
    ],
    run: async (send) => {
      const order = newOrder();
      return verdictOnce([await send(order), await send(order)]);
    },
  },
  {
    name: `an order ${parallelCalls} times at once`,
    expected: "one 2xx, else 409 or 2xx with the same reference",
    advice: [
      "A repeated call can arrive while the first is in progress. The post would get its likes twice.",
      "Check and store the id in one transaction, for example with a unique key.",
    ],
    run: async (send) => {
      const order = newOrder();
      return verdictOnce(await Promise.all(Array.from({ length: parallelCalls }, () => send(order))));
    },
  },
  {
    name: "two different orders",
    expected: "2xx twice, with different references if any",
    advice: [
      "A reference must find one order. Equal ones also hide that a repeated order was delivered twice.",
      "Return its own reference for each order, for example orderId, or no reference.",
    ],
    run: async (send) => {
      const replies = [await send(newOrder()), await send(newOrder())];
      const passed = replies.every(isAccepted) && new Set(replies.map(referenceOf)).size === 2;
      return { passed, came: statusesOf(replies) };
    },
  },
  {
    name: "an order whose id was forged before",
    expected: "401, then 2xx",
    advice: [
      "Anybody could block a real order, by sending its id first.",
      "Check the signature before you store the id.",
    ],
    run: async (send) => {
      const order = newOrder();
      const forged = await send({ ...order, secret: newSecret() });
      const real = await send(order);
      return { passed: isRefused(forged) && isAccepted(real), came: statusesOf([forged, real]) };
    },
  },
  refusal("an unknown type", "422", () => ({ ...newOrder(), type: "likes.unknown" }), [
    "A later type of message would become an order.",
    "Accept only likes.requested and connection.test, and respond 422 to other types.",
  ]),
  refusal("an order without a post", "422", () => ({ ...newOrder(), data: { likes: 50 } }), [
    "The service accepts an order that it cannot deliver.",
    "Check each field before you accept an order, and respond 422.",
  ]),
  refusal("broken JSON", "422", () => ({ ...newOrder(), body: '{"type":"likes.requested"' }), [
    "A call that can never succeed must not crash the service, be accepted, or be repeated.",
    "Catch the error of the JSON parser, and respond 422.",
  ]),
];

/** A message that the service must reject. `status` is the most precise status. */
function refusal(name: string, status: string, message: () => Message, advice: Advice): ReceiverCase {
  return oneCall(name, `refused, best with ${status}`, isRefused, message, advice);
}

function oneCall(
  name: string,
  expected: string,
  passes: (reply: Reply) => boolean,
  message: () => Message,
  advice: Advice,
): ReceiverCase {
  const run = async (send: Send) => {
    const reply = await send(message());
    return { passed: passes(reply), came: String(reply.status) };
  };
  return { name, expected, advice, run };
}

/** Passes if calls with the same id created one order, as far as the responses show. */
function verdictOnce(replies: readonly Reply[]): Verdict {
  const references = new Set(replies.filter(isAccepted).map(referenceOf));
  const passed = references.size === 1 && replies.every(({ outcome }) => outcome.outcome === "accepted");
  return { passed, came: statusesOf(replies) };
}

function statusesOf(replies: readonly Reply[]): string {
  return replies.map(({ status }) => status).join(", ");
}

/** Returns the service's reference of an order. Without a reference, each response may mean another order. */
function referenceOf({ outcome }: Reply): string {
  return (outcome.outcome === "accepted" && outcome.reference) || randomUUID();
}

/** Returns whether the response to a test call has the reference of an order. */
function madeOrder({ outcome }: Reply): boolean {
  return outcome.outcome === "accepted" && outcome.reference !== undefined;
}

/** Returns whether the status is 2xx. The outcome of 409 is also "accepted", but a 409 creates no order. */
function isAccepted({ status, outcome }: Reply): boolean {
  return outcome.outcome === "accepted" && status !== 409;
}

/** Returns whether the status is 4xx and not 409. */
function isRefused({ status, outcome }: Reply): boolean {
  return outcome.outcome !== "accepted" && Number(status) >= 400 && Number(status) < 500;
}

async function sendMessage(
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
    return { status: outcome.outcome === "unknown" ? outcome.reason.slice("HTTP ".length) : status, outcome };
  } catch (error) {
    const status = signal.aborted ? "no answer in time" : "no connection";
    return { status, outcome: { outcome: "unknown", reason: status }, code: failureCode(error) };
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
