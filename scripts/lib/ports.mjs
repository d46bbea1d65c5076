import { connect, createServer } from "node:net";
import { pause } from "./processes.mjs";

/**
 * Returns a port of the loopback address on which no program listens: `preferred` if it is free. Another program can take
 * the port before the caller does.
 *
 * @param {number} [preferred]
 * @returns {Promise<number>}
 */
export async function freePort(preferred) {
  if (preferred && (await isPortFree(preferred))) return preferred;
  return listenBriefly(0, "127.0.0.1");
}

/** Returns whether a server can listen on the port, on all addresses (as Next.js does) and on the loopback addresses. */
export async function isPortFree(port) {
  for (const host of ["127.0.0.1", "::1"]) if (await accepts(port, host)) return false;
  return listenBriefly(port).then(Boolean, () => false);
}

/**
 * Returns whether a server accepts connections on a port.
 *
 * @param {number} port
 * @param {string} [host]
 * @param {number} [timeoutMs]
 * @returns {Promise<boolean>}
 */
export function accepts(port, host = "localhost", timeoutMs = 5_000) {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const finish = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
  });
}

/** Waits until the URL responds with 200. Returns false if the process ends or the time is over before. */
export async function untilHealthy(url, running, timeoutMs, intervalMs = 150) {
  const deadline = Date.now() + timeoutMs;
  while (!running.hasEnded() && Date.now() < deadline) {
    const response = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    if (response?.status === 200) return true;
    await pause(intervalMs);
  }
  return false;
}

/** Listens on a port (0: any), closes the server, and returns the port. Rejects if listening fails. */
function listenBriefly(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(address.port));
    });
  });
}
