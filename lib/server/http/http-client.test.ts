import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchJson } from "./http-client";

/* The calls themselves are tested with those who make them. */

// The client itself, but from a slow disk.
jest.mock("undici", () => {
  const loadedAt = Date.now() + 600;
  while (Date.now() < loadedAt);
  return jest.requireActual<object>("undici");
});

let server: Server;

beforeAll(async () => {
  server = createServer((_, answer) => answer.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

test("a deadline is the service's alone: it begins when the client, which is loaded with the first call, is there", async () => {
  const { port } = server.address() as AddressInfo;
  const options = { headers: {}, deadlineMs: 400, maxBytes: 1_000, retryStatus: () => false };
  const answer = await fetchJson(new URL(`http://127.0.0.1:${port}/`), options);
  expect(answer).toMatchObject({ status: 200, json: {} });
});
