import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { until } from "../until";

export interface HttpRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  /** As it came over the wire. */
  body: string;
}

/** A body that is a text is sent as it is, anything else as JSON; the status is 200 unless given. */
export interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  delayMs?: number;
}

/** What any service may do instead of answering. */
export type Fault = keyof typeof faults;

/** The ways not to answer in time. */
export const silences = ["hang", "stall", "drip"] as const;

/** `Word` is the name of an answer that only this double knows. */
export type Reply<Word extends string = never> = Answer | Fault | Word;

export type Responder<Request extends HttpRequest = HttpRequest, Word extends string = never> =
  Reply<Word> | ((request: Request, index: number) => Reply<Word> | Promise<Reply<Word>>);

export interface HttpDouble<Request extends HttpRequest = HttpRequest, Word extends string = never> {
  readonly url: string;
  /** All requests so far, the oldest first; wherever on this server they went. */
  readonly requests: Request[];
  /** How many connections it has accepted so far, also those on which no request came. */
  connections(): number;
  /** From the next request on. */
  respond(responder: Responder<Request, Word>): void;
  /** Resolves as soon as there are this many requests; fails after `timeoutMs`. */
  waitForRequests(count: number, timeoutMs?: number): Promise<void>;
  stop(): Promise<void>;
}

const faults = {
  /** Keeps the connection open without a word. */
  hang: () => undefined,
  /** Begins an answer and stops. */
  stall: (outgoing) => void outgoing.writeHead(200).write('{"status":'),
  /** A byte of white space now and then: the connection lives, and the answer never ends. */
  drip(outgoing) {
    outgoing.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => outgoing.write(" "), 100).unref();
    outgoing.on("close", () => clearInterval(timer));
  },
  /** Breaks the connection. */
  drop: (outgoing) => void outgoing.destroy(),
  /** Breaks it in the middle of the body. */
  cut(outgoing) {
    outgoing.writeHead(200, { "content-length": "100" }).write('{"status":');
    setTimeout(() => outgoing.destroy(), 20);
  },
  error: (outgoing) => send(outgoing, { status: 500, body: { error: { code: 2 } } }),
  /** Method and body go along with whoever follows it. */
  redirect: (outgoing) => send(outgoing, { status: 307, headers: { location: "/elsewhere" } }),
  junk: (outgoing) => send(outgoing, { body: "<!doctype html><title>Log in</title>" }),
} satisfies Record<string, (outgoing: ServerResponse) => Promise<void> | void>;

/**
 * A service of somebody else's: a real HTTP server on a port of its own, which records what it is asked and answers as
 * it is told.
 *
 * @param contract.read what is recorded of a request
 * @param contract.answers the answers of this service, by name
 * @param contract.reply the answer until told otherwise
 */
export async function startHttpDouble<Request extends HttpRequest, Word extends string>(contract: {
  path: string;
  read: (request: HttpRequest) => Request;
  answers: Record<Word, Answer | ((request: Request) => Answer)>;
  reply: Reply<Word>;
}): Promise<HttpDouble<Request, Word>> {
  const requests: Request[] = [];
  let connections = 0;
  let responder: Responder<Request, Word> = contract.reply;

  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.on("error", () => undefined);
    const body = await text(incoming).catch(() => null);
    if (body === null) return;
    const request = contract.read(requestOf(incoming, body));
    const index = requests.push(request) - 1;
    const reply = typeof responder === "function" ? await responder(request, index) : responder;
    if (typeof reply === "object") return send(outgoing, reply);
    if (isFault(reply)) return faults[reply](outgoing);
    const answer = contract.answers[reply];
    return send(outgoing, typeof answer === "function" ? answer(request) : answer);
  }

  const server = createServer((incoming, outgoing) => void receive(incoming, outgoing));
  server.on("connection", () => void (connections += 1));
  // A test that forgot stop() must not keep the test process alive.
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${contract.path}`,
    requests,
    connections: () => connections,
    respond: (next) => void (responder = next),
    waitForRequests: (count, timeoutMs = 10_000) =>
      until(`${count} requests`, () => requests.length >= count, timeoutMs),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Those that hang as well.
        server.closeAllConnections();
      }),
  };
}

function requestOf({ method = "", url = "", headers }: IncomingMessage, body: string): HttpRequest {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    method,
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(texts) as Record<string, string>,
    body,
  };
}

function isFault(reply: string): reply is Fault {
  return Object.hasOwn(faults, reply);
}

async function send(
  outgoing: ServerResponse,
  { status = 200, body = "", headers, delayMs = 0 }: Answer,
): Promise<void> {
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
}
