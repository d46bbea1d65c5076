// @ts-check
import { Webhook } from "standardwebhooks";
import { z } from "zod";

/**
 * @typedef {import("node:http").IncomingMessage} Request
 * @typedef {import("node:http").ServerResponse} Response
 * @typedef {{ status: number, json?: object, headers?: Record<string, string> }} Reply
 */

/** Maximum size of a request body. The body of an order is smaller than 1 kB. */
const maxBodyBytes = 16_384;

/** Accepts what docs/order.schema.json describes. Unknown fields are ignored, because later versions may add some. */
const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("connection.test") }),
  z.object({
    type: z.literal("likes.requested"),
    data: z.object({
      orderId: z.string().regex(/^[\w-]{1,64}$/),
      postId: z.string().regex(/^[\w-]{1,64}$/),
      postType: z.enum(["post", "reel"]),
      postUrl: z.string().regex(/^https:\/\/www\.instagram\.com\/p\/[\w-]{1,64}\/$/),
      likes: z.int().min(1).max(1_000),
    }),
  }),
]);

/**
 * Creates the request handler of the HTTP server. The handler follows the contract in docs/delivery.md.
 *
 * @param {object} options
 * @param {import("./order-store.mjs").OrderStore} options.orders
 * @param {string[]} options.secrets each is "whsec_" and base64; the site may sign with any of them
 * @param {number} options.dailyLikes maximum likes per GMT day
 * @param {(line: string) => void} options.log writes one line to the log
 * @param {() => Date} [options.now] replaces the clock in tests
 * @returns {(request: Request, response: Response) => Promise<void>}
 */
export function createReceiver({ orders, secrets, dailyLikes, log, now = () => new Date() }) {
  const webhooks = secrets.map((secret) => new Webhook(secret));

  return async function handle(request, response) {
    try {
      const reply = await route(request);
      if (reply) send(response, reply);
    } catch (error) {
      // For example, a full disk causes an error. After a 500 response, the site sends the order again.
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
   * @returns {Promise<Reply | null>} null if the client closed the connection before the end of the body
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
        // After status 422, the site shows this message, and the visitor may try again later. Status 429
        // would make the site send the order again for up to a day.
        return { status: 422, json: { message: "All likes of today are taken. Please try again tomorrow." } };
    }
  }

  /**
   * Returns true if the request is signed with one of the secrets, and its webhook-timestamp differs from the
   * current time by at most five minutes.
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
 * Returns the body, "too large" if the body exceeds the limit, or "aborted" if the connection breaks.
 * Reads a body above the limit to its end, because clients read the response only after they have sent the
 * whole body. The requestTimeout in server.mjs ends slow requests.
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
