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
  const program = `const server = require("node:http").createServer((_, response) => response.end("{}"));
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => console.log(server.address().port));`;
  const server = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const signal = await timeoutSignal(10_000);
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  const addresses = [
    { address: "127.0.0.1", family: 4 },
    { address: "2001:db8::1", family: 6 },
  ];
  type Callback = (error: null, found: object) => void;
  const lookup = jest
    .spyOn(dns, "lookup")
    .mockImplementation(((_: string, __: object, callback: Callback) => callback(null, addresses)) as never);
  // Linux ignores connection attempts while the queue of the stopped server is full. The client repeats its attempt after 1 s.
  server.kill("SIGSTOP");
  const queued = Array.from({ length: 3 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  await new Promise((resolve) => setTimeout(resolve, 100));
  setTimeout(() => server.kill("SIGCONT"), 600);
  try {
    expect(await sendRequest(`http://far.example:${port}`, { headers: {}, signal }, 1_000)).toMatchObject({
      status: 200,
    });
    expect(lookup).toHaveBeenCalled();
  } finally {
    lookup.mockRestore();
    queued.forEach((socket) => socket.destroy());
    server.kill("SIGKILL");
  }
});
