import { spawn } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { silences, type Responder } from "@/testing/servers/http-double";
import { startLookupServer, type LookupServer } from "@/testing/servers/lookup-servers";
import { fetchJson, sendRequest, timeoutSignal } from "./http-client";

// Simulates a slow disk: the first import of undici takes 1.6 s.
let mockLoads = 0;
jest.mock("undici", () => {
  const loadedAt = Date.now() + 1_600;
  while (mockLoads === 0 && Date.now() < loadedAt);
  mockLoads += 1;
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
  expect(await fetchWithin(1_200)).toMatchObject({ status: 200, json: {} });
});

it.each<[what: string, responder: Responder]>([
  ["sends a second request while the first hangs", (_, index) => (index === 0 ? "hang" : { body: {} })],
  ["still waits for the first after a hang", (_, index) => (index === 0 ? { delayMs: 2_300 } : "hang")],
  ["still waits for the first after a failure", (_, index) => (index === 0 ? { delayMs: 2_300 } : "drop")],
])("%s", async (_, responder) => {
  service.respond(responder);
  expect(await fetchWithin(3_000)).toMatchObject({ status: 200 });
  expect(service.requests).toHaveLength(2);
});

it.each(silences)("times out when no response is complete: %s", async (reply) => {
  service.respond(reply);
  const startedAt = performance.now();
  expect(await fetchWithin(600)).toEqual({ failure: "timeout" });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
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

it.each([
  ["uses the proxy of HTTPS_PROXY and HTTP_PROXY if NODE_USE_ENV_PROXY is 1", "1", undefined, 1],
  ["connects directly to a host in NO_PROXY", "1", "127.0.0.1", 0],
  ["connects directly without NODE_USE_ENV_PROXY", undefined, undefined, 0],
])("%s", async (_, NODE_USE_ENV_PROXY, NO_PROXY, expected) => {
  const targets: string[] = [];
  const proxy = createServer().listen(0, "127.0.0.1");
  proxy.on("connect", ({ url = "" }, client: Socket) => {
    targets.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const service = connect(Number(port), hostname, () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    service.pipe(client).pipe(service);
  });
  await once(proxy, "listening");
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const before = { ...process.env };
  Object.assign(process.env, { HTTP_PROXY: address, HTTPS_PROXY: address });
  for (const [name, value] of Object.entries({ NODE_USE_ENV_PROXY, NO_PROXY }))
    if (value) process.env[name] = value;
  jest.resetModules();
  const client = await import("./http-client");
  service.respond({ body: { ok: true } });
  const signal = await client.timeoutSignal(5_000);
  const { json } = await client.sendRequest(service.url, { headers: {}, signal }, 1_000);
  expect([json, targets.length]).toEqual([{ ok: true }, expected]);
  process.env = before;
  proxy.close();
});
