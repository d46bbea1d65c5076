import "server-only";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onResponseHead } from "./on-response-head";

/** How long the process waits for the other side of a connection, in milliseconds. */
export interface ConnectionLimits {
  /** For a whole request to arrive, head and body. */
  arrivalMs: number;
  /** For an answer to be read, once it has begun. */
  readingMs: number;
  /** For the next request: longer than a proxy keeps its connections, or its request would meet a closing one. */
  idleMs: number;
  /** For an answer to be read by somebody whom the leaving process still answers. */
  readingWhileLeavingMs: number;
  /** In which a leaving process goes on taking what comes, while whoever sends it finds out: see `readyPath`. */
  drainMs: number;
}

export const connectionLimits: ConnectionLimits = {
  arrivalMs: 30_000,
  readingMs: 60_000,
  idleMs: 75_000,
  readingWhileLeavingMs: 1_500,
  drainMs: 1_000,
};

/** Node's own check for requests that are late comes every 30 s, which would double the time. */
const checksPerArrival = 30;

/** Every open connection, with the answers that are still on their way. */
const connections = new Map<Socket, Set<ServerResponse>>();
const bounded = new WeakSet<Server>();
let leaving = false;

/** True once the process was told to leave. */
export function isShuttingDown(): boolean {
  return leaving;
}

/** Bounds how long requests may take to arrive on a server's connections, and how long a connection may be idle. */
export function limitConnection(server: Server, socket: Socket, limits = connectionLimits): void {
  if (!bounded.has(server)) {
    bounded.add(server);
    server.headersTimeout = limits.arrivalMs;
    server.requestTimeout = limits.arrivalMs;
    server.keepAliveTimeout = limits.idleMs;
    drainBeforeClosing(server, limits.drainMs);
    checkOften(server, limits.arrivalMs / checksPerArrival);
  }
  if (connections.has(socket)) return;
  connections.set(socket, new Set());
  socket.once("close", () => connections.delete(socket));
}

/** Bounds how long an answer may take to be read. */
export function limitResponse(answer: ServerResponse, limits = connectionLimits): void {
  const { socket } = answer.req;
  const answers = connections.get(socket);
  answers?.add(answer);
  if (leaving) answer.shouldKeepAlive = false;
  let deadline: NodeJS.Timeout | undefined;
  const begin = (): void => {
    deadline ??= endAfter(socket, leaving ? limits.readingWhileLeavingMs : limits.readingMs);
  };
  onResponseHead(answer, (status) => {
    // One without the socket waits behind another, and is not being read yet.
    if (answer.socket) begin();
    else answer.once("socket", begin);
    return status;
  });
  answer.once("close", () => {
    clearTimeout(deadline);
    answers?.delete(answer);
  });
}

/**
 * From now on a connection ends with the answer that is still to begin on it. When the moment to drain is over, and
 * whoever sends requests has found out, the others end as well: now one that seems idle may just be getting its next
 * request. What does not get read is not waited for. That nobody new connects then is up to the server's `close`.
 */
export function startShutdown(limits = connectionLimits): void {
  leaving = true;
  for (const [socket, answers] of connections) {
    for (const answer of answers) {
      answer.shouldKeepAlive = false;
      if (!hasBegun(answer)) continue;
      const deadline = endAfter(socket, limits.readingWhileLeavingMs);
      answer.once("close", () => clearTimeout(deadline));
    }
  }
  setTimeout(() => connections.forEach((answers, socket) => endWithAnswer(socket, answers)), limits.drainMs);
}

/** Whether the head has gone out, and may have promised to keep the connection. */
function hasBegun(answer: ServerResponse): boolean {
  // One without the socket waits behind another, and is given up with the connection.
  return answer.headersSent && answer.socket !== null;
}

/** Closing, Node would at once refuse whoever comes and end idle connections, and with them what is just being sent. */
function drainBeforeClosing(server: Server, drainMs: number): void {
  const close = server.close.bind(server);
  server.closeIdleConnections = () => undefined;
  server.close = (callback) => {
    setTimeout(() => close(callback), drainMs);
    return server;
  };
}

/** At once, where no whole request waits for its answer. */
function endWithAnswer(socket: Socket, answers: ReadonlySet<ServerResponse>): void {
  const begun = [...answers].find(hasBegun);
  if (begun) begun.once("finish", () => socket.destroySoon());
  else if (![...answers].some(({ req }) => req.complete)) socket.destroy();
}

function endAfter(socket: Socket, ms: number): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(), ms).unref();
}

/** Node reads the interval when a server begins to listen, which this one has done. Without that listener it stays Node's. */
function checkOften(server: Server, connectionsCheckingInterval: number): void {
  Object.assign(server, { connectionsCheckingInterval });
  for (const listener of server.listeners("listening")) {
    if (listener.name === "setupConnectionsTracking") listener.call(server);
  }
}
