import "server-only";
import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { onResponseHead } from "./response-head";

/** Time limits for HTTP connections, in milliseconds. */
export const connectionLimits = {
  /** Time limit for a whole request to arrive, head and body. */
  requestTimeoutMs: 30_000,
  /** Time limit for the client to read a response, counted from the response head. */
  responseTimeoutMs: 60_000,
  /** Time limit for the client to read a response during shutdown. */
  shutdownResponseTimeoutMs: 1_500,
  /** Grace period after SIGTERM: the server still accepts requests while the proxy notices. */
  drainMs: 1_000,
};

/** Open connections, each with its pending responses. */
const connections = new Map<Socket, Set<ServerResponse>>();
let shuttingDown = false;

/** Returns true after `shutDown` was called. */
export function isShuttingDown(): boolean {
  return shuttingDown;
}

/** Registers a new connection, so that `shutDown` can close it. */
export function trackConnection(socket: Socket): void {
  connections.set(socket, new Set());
  socket.once("close", () => connections.delete(socket));
}

/** Closes the connection when the client reads a response too slowly. */
export function limitResponse(response: ServerResponse, limits: typeof connectionLimits): void {
  const { socket } = response.req;
  const pending = connections.get(socket);
  pending?.add(response);
  if (shuttingDown) response.shouldKeepAlive = false;
  let deadline: NodeJS.Timeout | undefined;
  const startTimer = (): void => {
    const { shutdownResponseTimeoutMs, responseTimeoutMs } = limits;
    deadline ??= destroyAfter(socket, shuttingDown ? shutdownResponseTimeoutMs : responseTimeoutMs);
  };
  onResponseHead(response, (status) => {
    // A pipelined response has no socket, and cannot be read, until the previous response ends.
    if (response.socket) startTimer();
    else response.once("socket", startTimer);
    return status;
  });
  response.once("close", () => {
    clearTimeout(deadline);
    pending?.delete(response);
  });
}

/**
 * Closes the server without a failed request. A connection closes after its next response, or after `drainMs`
 * if it is idle. Resolves when all connections are closed.
 * See docs/decisions/0014-web-server.md.
 */
export async function shutDown(server: Server, limits = connectionLimits): Promise<void> {
  shuttingDown = true;
  for (const [socket, responses] of connections) {
    for (const response of responses) {
      response.shouldKeepAlive = false;
      if (!hasStarted(response)) continue;
      const deadline = destroyAfter(socket, limits.shutdownResponseTimeoutMs);
      response.once("close", () => clearTimeout(deadline));
    }
  }
  // The server still listens: closing an idle connection now could lose a request that is arriving on it.
  await pause(limits.drainMs);
  // http.Server's own close() destroys connections whose response is not fully sent; net.Server's does not.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  connections.forEach((responses, socket) => closeAfterResponse(socket, responses));
  await closed;
}

/** Returns whether the response head was sent, possibly with `connection: keep-alive`. */
function hasStarted(response: ServerResponse): boolean {
  // A pipelined response without a socket is only queued, although `headersSent` is true.
  return response.headersSent && response.socket !== null;
}

/** Closes a connection after the response in progress, or at once when no complete request is pending. */
function closeAfterResponse(socket: Socket, responses: ReadonlySet<ServerResponse>): void {
  const started = [...responses].find(hasStarted);
  if (started) started.once("finish", () => socket.destroySoon());
  else if (![...responses].some(({ req }) => req.complete)) socket.destroy();
}

function destroyAfter(socket: Socket, ms: number): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(), ms).unref();
}
