import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { openConnection, requestText } from "@/testing/raw-http";
import { until } from "@/testing/until";
import { connectionLimits, shutDown } from "./connections";
import { createHttpServer } from "./http-guard";

const limits = { ...connectionLimits, shutdownResponseTimeoutMs: 1_000, drainMs: 500 };

it("finishes pending responses during shutdown and closes all other connections", async () => {
  let resume = (): void => undefined;
  const released = new Promise<void>((resolve) => (resume = resolve));
  const server = createHttpServer(
    (request, response) => {
      if (request.url === "/large") return void response.end(Buffer.alloc(20_000_000));
      if (request.url === "/quick") return void response.end("answered");
      if (request.url?.startsWith("/started")) {
        response.write("started, ");
        return void setTimeout(() => response.end("answered"), request.url === "/started" ? 1_000 : 300);
      }
      void released.then(() => response.end("answered"));
    },
    { limits },
  );
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  const open = (text: string) => openConnection(port, text);
  const idle = [
    await open(""),
    await open("GET / HT"),
    await open(requestText("GET /quick")),
    await open(requestText("POST /api/404", ["content-length: 10"], "x")),
  ];
  const drained = await open(requestText("GET /quick"));
  const notReading = await open("");
  notReading.socket.pause();
  notReading.socket.write(requestText("GET /large"));
  // This connection also carries a second, pipelined request.
  const busy = [
    await open(requestText("POST /api/404", ["content-length: 1"], "x") + requestText("GET /quick")),
    await open(requestText("GET /started")),
  ];
  const reused = await open(requestText("GET /started-quick"));
  await pause(200);

  const closed = shutDown(server, limits);
  // A proxy that has not noticed the shutdown still gets a response.
  drained.socket.write(requestText("GET /quick"));
  const late = await open(requestText("GET /quick"));
  await Promise.all([drained.ended, late.ended]);
  expect(late.received()).toMatch(/answered$/);
  expect(drained.received()).toMatch(/answered.*connection: close.*answered$/is);
  // A connection whose last response head said keep-alive accepts one more request.
  await until("the response is complete", () => reused.received().endsWith("0\r\n\r\n"));
  reused.socket.write(requestText("GET /quick"));
  await reused.ended;
  expect(reused.received()).toMatch(/started,.*answered.*connection: close.*answered$/is);
  await Promise.all(idle.map(({ ended }) => ended));
  busy[0]?.socket.write(requestText("GET /late"));
  // Longer than the time limit for reading a response during shutdown.
  await pause(1_500);
  resume();
  notReading.socket.resume();
  await Promise.all([notReading.ended, closed]);

  await Promise.all(busy.map(({ ended }) => ended));
  const [slow, started] = busy.map(({ received }) => received());
  expect(slow).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close\r\n/);
  expect(slow).toMatch(/answered$/);
  expect(slow).not.toContain("/late");
  expect(started).toMatch(/started, .*answered/s);
  expect(notReading.received().length).toBeLessThan(20_000_000);
});
