import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LookupRequest {
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
}

/**
 * What to answer. A text is sent as it is, anything else as JSON. "hang" keeps the connection open without a word, "drip"
 * starts an answer and never finishes it, "drop" breaks the connection, "cut" breaks it in the middle of the body.
 */
export type LookupReply =
  { status: number; body?: unknown; headers?: Record<string, string> } | "hang" | "drip" | "drop" | "cut";

export type LookupResponder = LookupReply | ((request: LookupRequest, index: number) => LookupReply);

export interface LookupServer {
  readonly url: string;
  /** All requests so far, the oldest first; wherever on this server they went. */
  readonly requests: LookupRequest[];
  /** From the next request on; the count of `requests` starts anew. */
  respond(responder: LookupResponder): void;
  stop(): Promise<void>;
}

/** What a reply of Meta's holds; none of it may turn up anywhere. */
export const metaMarker = "SECRET-OF-THE-OEMBED-REPLY";

/** Meta's replies, as its documentation shows them. */
export const metaReplies = {
  found: {
    status: 200,
    body: {
      version: "1.0",
      provider_name: "Instagram",
      provider_url: "https://www.instagram.com/",
      type: "rich",
      width: 658,
      html: `<blockquote class="instagram-media" data-instgrm-version="14">${metaMarker}</blockquote>`,
    },
  },
  error: (code: number, status = 400, headers: Record<string, string> = {}) => ({
    status,
    headers,
    body: {
      error: {
        message: `(#${code}) ${metaMarker}`,
        type: "OAuthException",
        code,
        fbtrace_id: "EJplcsCHuLu",
      },
    },
  }),
  appUsage: (percent: number) => ({
    "x-app-usage": JSON.stringify({ call_count: percent, total_time: 25, total_cputime: 25 }),
  }),
  businessUsage: (percent: number, minutes: number) => ({
    "x-business-use-case-usage": JSON.stringify({
      "17841400000000000": [
        {
          type: "instagram",
          call_count: percent,
          total_cputime: 25,
          total_time: 25,
          estimated_time_to_regain_access: minutes,
        },
      ],
    }),
  }),
};

/** Replies that no lookup may take for an answer about a post. */
export const brokenReplies: Record<string, LookupReply> = {
  "no JSON": { status: 200, body: "<!doctype html><title>Log in</title>" },
  "other JSON": { status: 200, body: { ok: true } },
  "an empty body": { status: 200, body: "" },
  "a huge body": { status: 200, body: { status: "public", type: "rich", html: "x".repeat(2_000_000) } },
  "a redirect": { status: 302, headers: { location: "/elsewhere" } },
  "a server error": { status: 500, body: { error: { code: 2 } } },
  "a lasting 503": { status: 503 },
  "a broken connection": "drop",
  "a broken body": "cut",
};

/** A provider to look posts up at: a real HTTP server. It answers 500 until told otherwise. */
export async function startLookupServer(): Promise<LookupServer> {
  const requests: LookupRequest[] = [];
  let responder: LookupResponder = { status: 500 };
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    const request = { path: url.pathname, query: url.searchParams, headers: incoming.headers };
    const index = requests.push(request) - 1;
    send(outgoing, typeof responder === "function" ? responder(request, index) : responder);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/lookup`,
    requests,
    respond(next) {
      responder = next;
      requests.length = 0;
    },
    stop: () => close(server),
  };
}

function send(outgoing: ServerResponse, reply: LookupReply): void {
  outgoing.on("error", () => undefined);
  if (reply === "hang") return;
  if (reply === "drop") return void outgoing.destroy();
  if (reply === "drip") return drip(outgoing);
  if (reply === "cut") {
    outgoing.writeHead(200, { "content-length": "100" });
    outgoing.write('{"status":');
    return void setTimeout(() => outgoing.destroy(), 20);
  }
  const { status, body = "", headers } = reply;
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** A byte of white space now and then: the connection lives, and the answer never ends. */
function drip(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => outgoing.write(" "), 100);
  timer.unref();
  outgoing.on("close", () => clearInterval(timer));
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // A test that forgot stop() must not keep the test process alive.
    server.unref();
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** Also breaks the connections that "hang" and "drip" keep open. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
