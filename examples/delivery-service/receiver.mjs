// @ts-check
import { Webhook } from "standardwebhooks";
import { z } from "zod";

/**
 * @typedef {import("node:http").IncomingMessage} Request
 * @typedef {import("node:http").ServerResponse} Response
 * @typedef {{ status: number, json?: object, headers?: Record<string, string> }} Reply
 */

/** Maximum size of a request body. An order has less than 1 kB. */
const maxBodyBytes = 16_384;

const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("connection.test") }),
  z.object({
    type: z.literal("likes.requested"),
    data: z.object({
      orderId: z.string().regex(/^[\w-]{1,64}$/),
      postType: z.enum(["post", "reel"]),
      postUrl: z.string().regex(/^https:\/\/www\.instagram\.com\/p\/[\w-]{1,64}\/$/),
      likes: z.int().min(1).max(1_000),
    }),
  }),
]);

/**
 * Creates a request handler for Node's HTTP server that implements the contract of docs/delivery.md.
 *
 * @param {object} options
 * @param {import("./order-store.mjs").OrderStore} options.orders
 * @param {string[]} options.secrets `whsec_` and base64 each; a signature by any of them is valid
 * @param {number} options.dailyLikes maximum likes per GMT day
 * @param {(line: string) => void} options.log
 * @param {() => Date} [options.now]
 * @returns {(request: Request, response: Response) => Promise<void>}
 */
export function createReceiver({ orders, secrets, dailyLikes, log, now = () => new Date() }) {
  const webhooks = secrets.map((secret) => new Webhook(secret));

  return async function handle(request, response) {
    try {
      const reply = await route(request);
      if (reply) send(response, reply);
    } catch (error) {
      // For example a full disk or a damaged file. After 500 the site repeats the call.
      log(`FAILED: ${error}`);
      send(response, { status: 500 });
    }
  };

  /** @param {Request} request */
  async function route(request) {
    const { method, url } = request;
    if (url === "/health") return method === "GET" ? health() : notAllowed("GET");
    if (url === "/likes") return method === "POST" ? receive(request) : notAllowed("POST");
    return { status: 404 };
  }

  function health() {
    orders.check();
    return { status: 200, json: { status: "ok" } };
  }

  /**
   * @param {Request} request
   * @returns {Promise<Reply | null>} null when the connection broke
   */
  async function receive(request) {
    const body = await readBody(request);
    if (body === "aborted") return null;
    if (body === "too large") return { status: 413 };
    if (!isSigned(body, request)) return { status: 401 };
    const message = messageSchema.safeParse(parseJson(body)).data;
    if (!message) return { status: 422 };
    if (message.type === "connection.test") return { status: 204 };
    const { orderId: id, ...order } = message.data;
    return id === request.headers["webhook-id"] ? accept({ id, ...order }) : { status: 422 };
  }

  /** @param {import("./order-store.mjs").Order} order */
  function accept(order) {
    const outcome = orders.accept(order, now(), dailyLikes);
    log(`${order.id} ${outcome}: ${order.likes} likes for ${order.postUrl}`);
    switch (outcome) {
      case "accepted":
        return { status: 200, json: { reference: order.id } };
      case "repeated":
        return { status: 409 };
      case "full":
        // 429 would keep the order open and repeat it all day. After 422 the visitor gets everything back, and reads
        // this message.
        return { status: 422, json: { message: "All likes of today are taken. Please try again tomorrow." } };
    }
  }

  /**
   * Returns whether the call has a signature by one of our secrets that is at most five minutes old.
   *
   * @param {string} body
   * @param {Request} request
   */
  function isSigned(body, { headers }) {
    const signed = /** @type {Record<string, string>} */ (headers);
    return webhooks.some((webhook) => {
      try {
        webhook.verify(body, signed, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    });
  }
}

/**
 * Reads the whole body and drops bytes beyond the limit, because a client that is still sending does not read an early
 * response. Node's requestTimeout ends requests that never finish.
 *
 * @param {Request} request
 */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
    }
  } catch {
    return "aborted";
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks).toString() : "too large";
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} allow */
function notAllowed(allow) {
  return { status: 405, headers: { allow } };
}

/**
 * @param {Response} response
 * @param {Reply} reply
 */
function send(response, { status, json, headers }) {
  if (json) response.setHeader("content-type", "application/json");
  response.writeHead(status, headers).end(json && JSON.stringify(json));
}
