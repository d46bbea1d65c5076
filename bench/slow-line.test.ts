import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startSlowLine } from "./slow-line";

const bytes = randomBytes(60_000);
const server = createServer((_, response) => response.end(bytes));

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

// By how much longer depends on the machine; less would be a faster phone.
it("carries every byte in its order, and takes a round trip and their time for it, all connections together", async () => {
  const { port } = server.address() as AddressInfo;
  const line = await startSlowLine(port, { roundTripMs: 100, bytesPerSecond: 300_000 });
  const ask = async () => {
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${line.port}`, { headers: { connection: "close" } });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    return performance.now() - startedAt;
  };
  try {
    await ask();
    line.becomeSlow();
    expect(await ask()).toBeGreaterThanOrEqual(100 + 200);
    expect(Math.max(...(await Promise.all([ask(), ask()])))).toBeGreaterThanOrEqual(100 + 400);
  } finally {
    await line.stop();
  }
});
