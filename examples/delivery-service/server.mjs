// @ts-check
import { createServer } from "node:http";
import { openOrders } from "./order-store.mjs";
import { createReceiver } from "./receiver.mjs";
import { ordersFile, readSettings } from "./settings.mjs";

/* Server of `npm start`. After SIGTERM or Ctrl-C, the server finishes open requests, then exits. */

// Without a listener, a line that cannot be written (full disk, closed pipe) would end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
try {
  start();
} catch (error) {
  fail(error);
}

function start() {
  const {
    WEBHOOK_SECRETS: secrets,
    DAILY_LIKES: dailyLikes,
    LISTEN_HOST: host,
    PORT: port,
  } = readSettings(process.env);
  const file = ordersFile(process.env);
  const orders = openOrders(file);
  const log = (/** @type {string} */ line) => console.log(`${new Date().toISOString()} ${line}`);
  const receive = createReceiver({ orders, secrets, dailyLikes, log });

  const server = createServer({ requestTimeout: 10_000, connectionsCheckingInterval: 1_000 }, receive);
  server.on("error", fail);
  server.listen(port, host, () => {
    const address = /** @type {import("node:net").AddressInfo} */ (server.address());
    log(`takes orders at http://${address.address}:${address.port}/likes and stores them in ${file}`);
  });

  const stop = () => {
    // Refuses new connections and finishes open requests. Open requests take at most 10 s (requestTimeout).
    server.close(() => orders.end());
    setInterval(() => server.closeIdleConnections(), 100).unref();
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, stop);
}

/** @param {unknown} error */
function fail(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
