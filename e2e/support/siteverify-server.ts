import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type SiteverifyProvider = "recaptcha" | "turnstile";

/** What a check was solved on and for, as the answer will say. */
export interface Solved {
  hostname?: string;
  /** Turnstile only. */
  action?: string;
}

export interface SiteverifyRequest {
  method: string;
  contentType: string;
  fields: Record<string, string>;
}

/**
 * How to answer. "verify" does what the provider's documentation says; "hang" says nothing, "stall" begins an answer and
 * stops, "drop" breaks the connection.
 */
export type SiteverifyReply =
  | "verify"
  | "hang"
  | "stall"
  | "drop"
  | { status?: number; body?: unknown; headers?: Record<string, string> };

export interface SiteverifyServer {
  /** For CAPTCHA_VERIFY_URL. */
  readonly url: string;
  /** All requests so far, the oldest first. */
  readonly requests: SiteverifyRequest[];
  /** Makes a token that is accepted once. */
  issue(solved?: Solved): string;
  /** From the next request on. */
  respond(reply: SiteverifyReply): void;
  stop(): Promise<void>;
}

export interface SiteverifyOptions {
  provider: SiteverifyProvider;
  secret: string;
}

/** A provider's verification service: a real HTTP server that speaks the documented protocol of one of the two. */
export async function startSiteverify({ provider, secret }: SiteverifyOptions): Promise<SiteverifyServer> {
  const requests: SiteverifyRequest[] = [];
  const issued = new Map<string, Solved & { used: boolean }>();
  let reply: SiteverifyReply = "verify";

  const server = createServer((incoming, outgoing) => void receive(incoming, outgoing));

  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.on("error", () => undefined);
    const request = await read(incoming).catch(() => undefined);
    if (!request) return;
    requests.push(request);
    answer(outgoing, reply === "verify" ? { body: verify(request) } : reply);
  }

  function verify({ method, contentType, fields }: SiteverifyRequest): object {
    if (method !== "POST" || contentType !== "application/x-www-form-urlencoded;charset=UTF-8") {
      return refusal("bad-request");
    }
    if (!fields.secret) return refusal("missing-input-secret");
    if (fields.secret !== secret) return refusal("invalid-input-secret");
    if (!fields.response) return refusal("missing-input-response");
    const token = issued.get(fields.response);
    if (!token) return refusal("invalid-input-response");
    if (token.used) return refusal("timeout-or-duplicate");
    token.used = true;
    return success(provider, token);
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/siteverify`,
    requests,
    issue(solved = {}) {
      const token = `${provider}.${randomUUID()}`;
      issued.set(token, { hostname: "localhost", action: "verify", ...solved, used: false });
      return token;
    },
    respond: (next) => void (reply = next),
    stop: () => close(server),
  };
}

/** A refusal, as both providers write it. */
export function refusal(...codes: string[]): object {
  return { success: false, "error-codes": codes };
}

function success(provider: SiteverifyProvider, { hostname, action }: Solved): object {
  const common = { success: true, challenge_ts: new Date().toISOString(), hostname };
  return provider === "recaptcha" ? common : { ...common, "error-codes": [], action, cdata: "" };
}

async function read(incoming: IncomingMessage): Promise<SiteverifyRequest> {
  return {
    method: incoming.method ?? "",
    contentType: incoming.headers["content-type"] ?? "",
    fields: Object.fromEntries(new URLSearchParams(await text(incoming))),
  };
}

function answer(outgoing: ServerResponse, reply: Exclude<SiteverifyReply, "verify">): void {
  if (reply === "hang") return;
  if (reply === "drop") return void outgoing.destroy();
  if (reply === "stall") return void outgoing.writeHead(200).write('{"success": tr');
  const { status = 200, body, headers } = reply;
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
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
