import { spawn } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import { connect } from "node:net";
import { silences, type Responder } from "@/e2e/support/servers/http-double";
import { startLookupServer, type LookupServer } from "@/e2e/support/servers/lookup-servers";
import { fetchJson, sendRequest, timeoutSignal } from "./http-client";

// Simulates a slow disk: the first import of undici takes 600 ms.
jest.mock("undici", () => {
  const loadedAt = Date.now() + 600;
  while (Date.now() < loadedAt);
  return jest.requireActual<object>("undici");
});

let service: LookupServer;

beforeAll(async () => {
  service = await startLookupServer();
});
afterAll(() => service.stop());

function fetchWithin(deadlineMs: number) {
  const options = { headers: {}, deadlineMs, maxBytes: 1_000, retryStatus: () => false };
  return fetchJson(new URL(service.url), options);
}

it("starts the deadline only after undici is loaded", async () => {
  service.respond({ body: {} });
  expect(await fetchWithin(400)).toMatchObject({ status: 200, json: {} });
});

it.each<[what: string, responder: Responder]>([
  ["sends a second request while the first hangs", (_, index) => (index === 0 ? "hang" : { body: {} })],
  ["still waits for the first after a hang", (_, index) => (index === 0 ? { delayMs: 800 } : "hang")],
  ["still waits for the first after a failure", (_, index) => (index === 0 ? { delayMs: 800 } : "drop")],
])("%s", async (_, responder) => {
  service.respond(responder);
  expect(await fetchWithin(900)).toMatchObject({ status: 200 });
  expect(service.requests).toHaveLength(2);
});

it.each(silences)("times out when no response is complete: %s", async (reply) => {
  service.respond(reply);
  const startedAt = performance.now();
  expect(await fetchWithin(600)).toEqual({ failure: "timeout" });
  expect(performance.now() - startedAt).toBeLessThan(900);
});

it("reaches a server that is 1 s away, although the other address of its name is unreachable", async () => {
  const signal = await timeoutSignal(10_000);
  const program = `const server = require("node:http").createServer((_, response) => response.end("{}"));
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => console.log(server.address().port));`;
  const server = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const port = Number(((await once(server.stdout, "data")) as [Buffer])[0].toString());
  const addresses = ["127.0.0.1", "2001:db8::1"].map((address, n) => ({ address, family: n === 0 ? 4 : 6 }));
  const lookup = (_: string, __: object, callback: (...found: unknown[]) => void) =>
    callback(null, addresses);
  const mock = jest.spyOn(dns, "lookup").mockImplementation(lookup as never);
  // Linux ignores connection attempts while the queue of the stopped server is full. The client repeats its attempt after 1 s.
  server.kill("SIGSTOP");
  for (let n = 0; n < 3; n += 1) connect(port, "127.0.0.1").on("error", () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
  setTimeout(() => server.kill("SIGCONT"), 600);
  const request = sendRequest(`http://far.example:${port}`, { headers: {}, signal }, 1_000);
  await expect(request.finally(() => server.kill("SIGKILL"))).resolves.toMatchObject({ status: 200 });
  mock.mockRestore();
});
