// @ts-check
import { Webhook } from "standardwebhooks";
import { z } from "zod";

/**
 * @typedef {import("node:http").IncomingMessage} Request
 * @typedef {import("node:http").ServerResponse} Response
 * @typedef {{ status: number, json?: object, headers?: Record<string, string> }} Answer
 */

/** An order has less than 1 kB. */
const maxBodyBytes = 16_384;

const messageShape = z.discriminatedUnion("type", [
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
 * The contract of docs/delivery.md, as a handler for Node's HTTP server.
 *
 * @param {object} options
 * @param {import("./order-store.mjs").OrderStore} options.orders
 * @param {string[]} options.secrets each `whsec_` and base64; a call signed with any of them is good
 * @param {number} options.dailyLikes how many are taken on a GMT day
 * @param {(line: string) => void} options.log
 * @param {() => Date} [options.now]
 * @returns {(request: Request, response: Response) => Promise<void>}
 */
export function createReceiver({ orders, secrets, dailyLikes, log, now = () => new Date() }) {
  const webhooks = secrets.map((secret) => new Webhook(secret));

  return async function handle(request, response) {
    try {
      const answer = await route(request);
      if (answer) send(response, answer);
    } catch (error) {
      // A full disk, a broken file: the product asks again.
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
   * @returns {Promise<Answer | null>}
   */
  async function receive(request) {
    const body = await readBody(request);
    if (body === "broken off") return null;
    if (body === "too large") return { status: 413 };
    if (!isSigned(body, request)) return { status: 401 };
    const message = messageShape.safeParse(parseJson(body)).data;
    if (!message) return { status: 422 };
    if (message.type === "connection.test") return { status: 204 };
    const { orderId: id, ...wanted } = message.data;
    return id === request.headers["webhook-id"] ? take({ id, ...wanted }) : { status: 422 };
  }

  /** @param {import("./order-store.mjs").Order} order */
  function take(order) {
    const outcome = orders.take(order, now(), dailyLikes);
    log(`${order.id} ${outcome}: ${order.likes} likes for ${order.postUrl}`);
    switch (outcome) {
      case "taken":
        return { status: 200, json: { reference: order.id } };
      case "repeated":
        return { status: 409 };
      case "full":
        // Not 429, after which the order would stay open and be sent again all day: 422 gives the visitor everything
        // back, and these words.
        return { status: 422, json: { message: "All likes of today are taken. Please try again tomorrow." } };
    }
  }

  /**
   * Whether one of our secrets has signed it in the last five minutes.
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
 * All of it is read, and what is too large thrown away: whoever is still sending would not hear an early answer.
 * Node's requestTimeout ends what never ends.
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
    return "broken off";
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
 * @param {Answer} answer
 */
function send(response, { status, json, headers }) {
  if (json) response.setHeader("content-type", "application/json");
  response.writeHead(status, headers).end(json && JSON.stringify(json));
}
