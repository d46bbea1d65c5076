import "server-only";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onResponseHead } from "./on-response-head";

/** Time limits for HTTP connections, in milliseconds. */
export interface ConnectionLimits {
  /** Time limit for a whole request to arrive, head and body. */
  requestTimeoutMs: number;
  /** Time limit for the client to read a response, counted from the response head. */
  responseTimeoutMs: number;
  /** Keep-alive time. Must exceed that of the proxy, or the proxy sends requests on closing connections. */
  keepAliveMs: number;
  /** Time limit for the client to read a response during shutdown. */
  shutdownResponseTimeoutMs: number;
  /** Grace period after SIGTERM: the server still accepts requests while the proxy notices. */
  drainMs: number;
}

export const connectionLimits: ConnectionLimits = {
  requestTimeoutMs: 30_000,
  responseTimeoutMs: 60_000,
  keepAliveMs: 75_000,
  shutdownResponseTimeoutMs: 1_500,
  drainMs: 1_000,
};

/** Number of Node's checks within one request time limit. Node's default interval (30 s) is too long. */
const checksPerTimeLimit = 30;

/** Open connections, each with its pending responses. */
const connections = new Map<Socket, Set<ServerResponse>>();
const configuredServers = new WeakSet<Server>();
let shuttingDown = false;

/** Returns true after `startShutdown`. */
export function isShuttingDown(): boolean {
  return shuttingDown;
}

/** Limits how long requests may take to arrive, and how long a connection may be idle. */
export function limitConnection(server: Server, socket: Socket, limits = connectionLimits): void {
  if (!configuredServers.has(server)) {
    configuredServers.add(server);
    server.headersTimeout = limits.requestTimeoutMs;
    server.requestTimeout = limits.requestTimeoutMs;
    server.keepAliveTimeout = limits.keepAliveMs;
    delayClose(server, limits.drainMs);
    setCheckInterval(server, limits.requestTimeoutMs / checksPerTimeLimit);
  }
  if (connections.has(socket)) return;
  connections.set(socket, new Set());
  socket.once("close", () => connections.delete(socket));
}

/** Closes the connection when the client reads a response too slowly. */
export function limitResponse(response: ServerResponse, limits = connectionLimits): void {
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
 * Starts the shutdown. Connections close after their next response, idle connections after `drainMs`.
 * See docs/decisions/0013-http-guard.md.
 */
export function startShutdown(limits = connectionLimits): void {
  shuttingDown = true;
  for (const [socket, responses] of connections) {
    for (const response of responses) {
      response.shouldKeepAlive = false;
      if (!hasStarted(response)) continue;
      const deadline = destroyAfter(socket, limits.shutdownResponseTimeoutMs);
      response.once("close", () => clearTimeout(deadline));
    }
  }
  setTimeout(
    () => connections.forEach((responses, socket) => closeAfterResponse(socket, responses)),
    limits.drainMs,
  );
}

/** Returns whether the response head was sent, possibly with `connection: keep-alive`. */
function hasStarted(response: ServerResponse): boolean {
  // A pipelined response without a socket is only queued, although `headersSent` is true.
  return response.headersSent && response.socket !== null;
}

/** Delays `server.close()`, because Node would also close connections on which requests are arriving. */
function delayClose(server: Server, drainMs: number): void {
  const close = server.close.bind(server);
  server.closeIdleConnections = () => undefined;
  server.close = (callback) => {
    setTimeout(() => close(callback), drainMs);
    return server;
  };
}

/** Closes a connection after its started response, or at once when no complete request is pending. */
function closeAfterResponse(socket: Socket, responses: ReadonlySet<ServerResponse>): void {
  const started = [...responses].find(hasStarted);
  if (started) started.once("finish", () => socket.destroySoon());
  else if (![...responses].some(({ req }) => req.complete)) socket.destroy();
}

function destroyAfter(socket: Socket, ms: number): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(), ms).unref();
}

/**
 * Sets the interval of Node's time-out checks, in milliseconds. Node reads the interval when a server starts
 * to listen, so this function calls Node's listener again.
 */
function setCheckInterval(server: Server, connectionsCheckingInterval: number): void {
  Object.assign(server, { connectionsCheckingInterval });
  for (const listener of server.listeners("listening")) {
    if (listener.name === "setupConnectionsTracking") listener.call(server);
  }
}
