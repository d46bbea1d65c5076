import { silences, type Responder } from "@/e2e/support/servers/http-double";
import { startLookupServer, type LookupServer } from "@/e2e/support/servers/lookup-servers";
import { fetchJson } from "./http-client";

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
