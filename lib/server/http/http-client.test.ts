import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchJson } from "./http-client";

// Simulates a slow disk: the first import of undici takes 600 ms.
jest.mock("undici", () => {
  const loadedAt = Date.now() + 600;
  while (Date.now() < loadedAt);
  return jest.requireActual<object>("undici");
});

let server: Server;

beforeAll(async () => {
  server = createServer((_, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

it("starts the deadline only after undici is loaded", async () => {
  const { port } = server.address() as AddressInfo;
  const options = { headers: {}, deadlineMs: 400, maxBytes: 1_000, retryStatus: () => false };
  const response = await fetchJson(new URL(`http://127.0.0.1:${port}/`), options);
  expect(response).toMatchObject({ status: 200, json: {} });
});
