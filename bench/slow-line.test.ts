import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startSlowLine } from "./slow-line";

const bytes = randomBytes(60_000);
const server = createServer((_, response) => response.end(bytes));

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

it("transmits all bytes in order, delays them by the round trip, and shares the bandwidth between connections", async () => {
  const { port } = server.address() as AddressInfo;
  const line = await startSlowLine(port, { roundTripMs: 100, bytesPerSecond: 300_000 });
  const measureRequest = async () => {
    const startedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${line.port}`, { headers: { connection: "close" } });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    return performance.now() - startedAt;
  };
  try {
    expect(await measureRequest()).toBeGreaterThanOrEqual(100 + 200);
    const times = await Promise.all([measureRequest(), measureRequest()]);
    expect(Math.max(...times)).toBeGreaterThanOrEqual(100 + 400);
  } finally {
    line.stop();
  }
});
