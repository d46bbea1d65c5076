import "server-only";
import { IncomingMessage, Server, ServerResponse } from "node:http";

/** Carries the socket's address to handlers, which see no socket. */
export const socketAddressHeader = "x-socket-address";

/** For a whole request to arrive, head and body. Node looks every 30 s which ones are over it; its own bound is 300 s. */
const defaultArrivalMs = 30_000;

/** The framework's words to itself, between middleware and pages; by them it has been talked out of its middleware. */
const internalPrefix = "x-middleware-";

let installed = false;

/**
 * Puts itself before whatever else answers requests of this process's HTTP servers: refuses what the framework answers
 * with a 500 or a redirect to wherever the client says, bounds how long a request may take to arrive, drops the
 * framework's internal headers, and writes the socket's address into a header, over whatever a client may have sent.
 */
export function installRequestHook(arrivalMs = defaultArrivalMs): void {
  if (installed) return;
  installed = true;
  const emit: (event: string, ...args: unknown[]) => boolean = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string, ...args: unknown[]) {
    const [request, response] = args;
    if (event === "request" && request instanceof IncomingMessage && response instanceof ServerResponse) {
      this.headersTimeout = arrivalMs;
      this.requestTimeout = arrivalMs;
      const refusal = refusalOf(request);
      if (refusal !== null) {
        response.writeHead(refusal, { connection: "close", "content-length": 0 }).end();
        return true;
      }
      for (const name of Object.keys(request.headers)) {
        if (name.startsWith(internalPrefix)) delete request.headers[name];
      }
      request.headers[socketAddressHeader] = request.socket.remoteAddress ?? "";
      answerUnchanged(request, response);
    }
    return emit.call(this, event, ...args);
  };
}

/**
 * Turns a 200 into a 304 for whoever has what it would send. The framework does so only with ETags that it makes itself,
 * page by page and answer by answer; those of the pages were made by the build.
 */
function answerUnchanged({ headers }: IncomingMessage, response: ServerResponse): void {
  const known = headers["if-none-match"]?.split(",").map((etag) => etag.trim().replace(/^W\//, ""));
  // The framework's own form of a page has the page's headers, and is not the page.
  if (known === undefined || headers.rsc !== undefined) return;
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    ...rest: unknown[]
  ) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const unchanged = status === 200 && known.includes(String(response.getHeader("etag")));
    return writeHead(unchanged ? 304 : status, ...rest);
  };
}

/** The status of a refusal, or null. A target that is no path (`*`, or a whole address) is for proxies; we are none. */
function refusalOf({ method, url }: IncomingMessage): number | null {
  if (method === "TRACE") return 405;
  return url?.startsWith("/") ? null : 400;
}
