import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openConnection, requestText } from "@/e2e/support/raw-http";
import { until } from "@/e2e/support/until";
import { connectionLimits, startShutdown } from "./connection-limits";
import { installHttpGuard } from "./http-guard";

const limits = { ...connectionLimits, readingWhileLeavingMs: 1_000, drainMs: 500 };

let removeDoor: () => void;

beforeAll(() => {
  removeDoor = installHttpGuard({ limits });
});
afterAll(() => removeDoor());

it("leaves with the answers that are on their way, and waits for nothing else", async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const server = createServer((request, response) => {
    if (request.url === "/large") return void response.end(Buffer.alloc(20_000_000));
    if (request.url === "/quick") return void response.end("answered");
    if (request.url?.startsWith("/begun")) {
      response.write("begun, ");
      return void setTimeout(() => response.end("answered"), request.url === "/begun" ? 1_000 : 300);
    }
    void released.then(() => response.end("answered"));
  });
  const port = await listen(server);
  const open = (text: string) => openConnection(port, text);
  const idle = [
    await open(""),
    await open("GET / HT"),
    await open(requestText("GET /quick")),
    await open(requestText("POST /api/slow", ["content-length: 10"], "x")),
  ];
  const drained = await open(requestText("GET /quick"));
  const deaf = await open("");
  deaf.socket.pause();
  deaf.socket.write(requestText("GET /large"));
  // A second request on the same connection is new work.
  const working = [
    await open(requestText("POST /api/slow", ["content-length: 1"], "x") + requestText("GET /quick")),
  ];
  working.push(await open(requestText("GET /begun")));
  const reused = await open(requestText("GET /begun-quick"));
  await pause(200);

  const closed = new Promise((resolve) => server.close(resolve));
  startShutdown(limits);
  // What a proxy sends before it has heard of it is answered.
  drained.socket.write(requestText("GET /quick"));
  await drained.ended;
  expect(drained.received()).toMatch(/answered.*connection: close.*answered$/is);
  // As is what it sends on a connection that was just answered, with a head that promised to keep it.
  await until("its answer is whole", () => reused.received().endsWith("0\r\n\r\n"));
  reused.socket.write(requestText("GET /quick"));
  await reused.ended;
  expect(reused.received()).toMatch(/begun,.*answered.*connection: close.*answered$/is);
  await Promise.all(idle.map(({ ended }) => ended));
  working[0]?.socket.write(requestText("GET /late"));
  // Longer than an answer that has begun gets to be read.
  await pause(1_500);
  release();
  deaf.socket.resume();
  await Promise.all([deaf.ended, closed]);

  const [slow, begun] = await Promise.all(
    working.map(async ({ ended, received }) => (await ended, received())),
  );
  expect(slow).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close\r\n/);
  expect(slow).toMatch(/answered$/);
  expect(slow).not.toContain("/late");
  expect(begun).toMatch(/begun, .*answered/s);
  expect(deaf.received().length).toBeLessThan(20_000_000);
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return (server.address() as AddressInfo).port;
}
