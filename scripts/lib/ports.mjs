import { once } from "node:events";
import { connect, createServer } from "node:net";
import { pause, UserError } from "./processes.mjs";

/**
 * Operating systems give ports from 32768 on to connections, which could take a port before its caller does. Browsers refuse
 * some ports below 10081. Each of Playwright's parallel workers begins in another part of this range.
 */
const [firstPort, lastPort] = [12_000, 32_000];
const worker = Number(process.env.TEST_PARALLEL_INDEX ?? 4);
let latestPort = firstPort + 4_000 * worker + Math.floor(2_000 * Math.random());

/**
 * Returns a port on which no program listens: `preferred` if it is free, else one that this process has not had lately.
 *
 * @param {number} [preferred]
 * @returns {Promise<number>}
 */
export async function freePort(preferred) {
  if (preferred && (await isPortFree(preferred))) return preferred;
  const port = (latestPort = latestPort < lastPort ? latestPort + 1 : firstPort);
  return (await isPortFree(port)) ? port : freePort();
}

/** Returns the port in PORT, or 3000. Throws if PORT is no port, or if browsers and `fetch` refuse it. */
export async function readPort() {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError("PORT must be a number from 1 to 65535.");
  await refuseBlockedPort(`http://127.0.0.1:${port}`);
  return port;
}

/** Throws if browsers and `fetch` refuse the port of the URL (https://fetch.spec.whatwg.org/#port-blocking). */
export async function refuseBlockedPort(url) {
  const options = { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(5_000) };
  const { cause } = await fetch(url, options).catch((error) => error);
  if (cause?.message === "bad port")
    throw new UserError(`Browsers refuse the port of ${url}: choose another one.`);
}

/** Returns whether a server can listen on the port, on all addresses (as server.ts does by default) and on the loopback addresses. */
export async function isPortFree(port) {
  for (const host of ["127.0.0.1", "::1"]) if (await accepts(port, host)) return false;
  const server = createServer().listen(port);
  const listens = await once(server, "listening").then(Boolean, () => false);
  await new Promise((resolve) => server.close(resolve));
  return listens;
}

/**
 * Returns whether a server accepts connections on a port.
 *
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<boolean>}
 */
export async function accepts(port, host = "localhost") {
  const socket = connect({ port, host });
  const accepted = once(socket, "connect", { signal: AbortSignal.timeout(5_000) });
  return accepted.then(Boolean, () => false).finally(() => socket.destroy());
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
