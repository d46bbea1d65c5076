import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { until } from "../until";

export interface HttpRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string;
}

/** The server sends a string unchanged, and other bodies as JSON. The default status is 200. */
export interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  delayMs?: number;
}

/** Faults without a complete response. */
export const silences = ["hang", "stall", "drip"] as const;

/** `Word` is the name of a response of one service. */
export type Reply<Word extends string = never> = Answer | keyof typeof faults | Word;

export type Responder<Word extends string = never> =
  Reply<Word> | ((request: HttpRequest, index: number) => Reply<Word> | Promise<Reply<Word>>);

export type HttpDouble<Word extends string = never> = Awaited<ReturnType<typeof startHttpDouble<Word>>>;

const faults = {
  /** Sends nothing, and keeps the connection open. */
  hang: () => undefined,
  /** Sends only the start of a response. */
  stall: (outgoing) => void outgoing.writeHead(200).write('{"status":'),
  /** Sends white space without end. */
  drip(outgoing) {
    outgoing.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => outgoing.write(" "), 100).unref();
    outgoing.on("close", () => clearInterval(timer));
  },
  /** Closes the connection without a response. */
  drop: (outgoing) => void outgoing.destroy(),
  /** Closes the connection in the middle of the body. */
  cut(outgoing) {
    outgoing.writeHead(200, { "content-length": "100" }).write('{"status":');
    setTimeout(() => outgoing.destroy(), 20);
  },
  error: (outgoing) => send(outgoing, { status: 500, body: { error: { code: 2 } } }),
  /** A client that follows this redirect repeats method and body. */
  redirect: (outgoing) => send(outgoing, { status: 307, headers: { location: "/elsewhere" } }),
  junk: (outgoing) => send(outgoing, { body: "<!doctype html><title>Log in</title>" }),
} satisfies Record<string, (outgoing: ServerResponse) => Promise<void> | void>;

/**
 * Starts an HTTP server that records its requests, and sends the responses of a test.
 *
 * @param initial the responses until `respond` is called
 * @param answers the responses of this service, by name
 */
export async function startHttpDouble<Word extends string = never>(
  path: string,
  initial: Responder<Word>,
  answers: Record<Word, Answer | ((request: HttpRequest) => Answer)>,
) {
  const requests: HttpRequest[] = [];
  let responder = initial;

  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.on("error", () => undefined);
    const body = await text(incoming).catch(() => null);
    if (body === null) return;
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? "", "http://localhost");
    const texts = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
    const headers = Object.fromEntries(texts);
    const request: HttpRequest = { method: incoming.method ?? "", path, query, headers, body };
    const index = requests.push(request) - 1;
    const reply = typeof responder === "function" ? await responder(request, index) : responder;
    if (typeof reply === "object") return send(outgoing, reply);
    if (Object.hasOwn(faults, reply)) return faults[reply as keyof typeof faults](outgoing);
    const answer = answers[reply as Word];
    return send(outgoing, typeof answer === "function" ? answer(request) : answer);
  }

  const server = createServer((incoming, outgoing) => void receive(incoming, outgoing));
  // The server does not keep the test process running.
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    /** All requests to the server, the oldest first. */
    requests,
    /** Sets the responses to later requests. */
    respond: (next: Responder<Word>) => void (responder = next),
    /** Waits until the server has received so many requests. */
    waitForRequests: (count: number) => until(`${count} requests`, () => requests.length >= count, 10_000),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function send(outgoing: ServerResponse, answer: Answer): Promise<void> {
  const { status = 200, body = "", headers, delayMs = 0 } = answer;
  if (delayMs > 0) await pause(delayMs);
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
}
