import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** As it came over the wire: the signature covers exactly these characters. */
  body: string;
  /** Whether the reference library of Standard Webhooks accepts the signature and its time. */
  verified: boolean;
}

/**
 * What to answer. A text is sent as it is, anything else as JSON. "hang" keeps the connection open without a word, "drop"
 * breaks it, "cut" breaks it in the middle of the body.
 */
export type Reply =
  | { status: number; body?: unknown; headers?: Record<string, string>; delayMs?: number }
  | "accept"
  | "conflict"
  | "refuse"
  | "error"
  | "redirect"
  | "hang"
  | "drop"
  | "cut";

export type Responder = Reply | ((request: ReceivedRequest, index: number) => Reply | Promise<Reply>);

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  /** All requests so far, the oldest first. */
  readonly requests: ReceivedRequest[];
  /** The distinct `webhook-id`s so far: as many as likes were really ordered. */
  readonly ids: ReadonlySet<string>;
  /** From the next request on. */
  respond(responder: Responder): void;
  /** Resolves as soon as there are this many requests; fails after `timeoutMs`. */
  waitForRequests(count: number, timeoutMs?: number): Promise<void>;
  stop(): Promise<void>;
}

const namedReplies = {
  conflict: { status: 409 },
  refuse: { status: 422, body: { message: "This post cannot be served." } },
  error: { status: 500 },
  redirect: { status: 302, headers: { location: "/elsewhere" } },
} as const;

/**
 * A delivery service to deliver to: a real HTTP server that accepts everything until told otherwise. It checks
 * signatures with the reference library of Standard Webhooks, not with the code under test. `secret` is
 * `whsec_` and base64.
 */
export async function startReceiver({ secret }: { secret: string }): Promise<WebhookReceiver> {
  const webhook = new Webhook(secret);
  const requests: ReceivedRequest[] = [];
  const ids = new Set<string>();
  const listeners = new Set<() => void>();
  let responder: Responder = "accept";

  const server = createServer((incoming, outgoing) => void receive(incoming, outgoing));

  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.on("error", () => undefined);
    const request = await read(incoming, webhook).catch(() => undefined);
    if (!request) return;
    const index = requests.push(request) - 1;
    const id = request.headers["webhook-id"];
    if (id) ids.add(id);
    for (const listener of listeners) listener();
    const reply = typeof responder === "function" ? await responder(request, index) : responder;
    await answer(outgoing, reply, id);
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/likes`,
    port,
    requests,
    ids,
    respond: (next) => void (responder = next),
    waitForRequests(count, timeoutMs = 10_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(check);
          reject(new Error(`Expected ${count} webhook requests, got ${requests.length} in ${timeoutMs} ms.`));
        }, timeoutMs);
        function check(): void {
          if (requests.length < count) return;
          clearTimeout(timer);
          listeners.delete(check);
          resolve();
        }
        listeners.add(check);
        check();
      });
    },
    stop: () => close(server),
  };
}

async function read(incoming: IncomingMessage, webhook: Webhook): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers,
    body,
    verified: isSigned(webhook, body, headers),
  };
}

function isSigned(webhook: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    webhook.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

async function answer(outgoing: ServerResponse, reply: Reply, id: string | undefined): Promise<void> {
  if (reply === "hang") return;
  if (reply === "drop") return void outgoing.destroy();
  if (reply === "cut") {
    outgoing.writeHead(200, { "content-length": "100" });
    outgoing.write('{"reference":');
    return void setTimeout(() => outgoing.destroy(), 20);
  }
  const { status, body, headers, delayMs } = complete(reply, id);
  if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs));
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
}

function complete(reply: Exclude<Reply, "hang" | "drop" | "cut">, id = ""): Extract<Reply, object> {
  if (reply === "accept") return { status: 200, body: { reference: `ref-${id}` } };
  return typeof reply === "string" ? namedReplies[reply] : reply;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // A test that forgot stop() must not keep the test process alive.
    server.unref();
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** Also breaks the connections that "hang" keeps open. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
