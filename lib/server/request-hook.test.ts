import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { rawRequest } from "@/e2e/support/raw-http";
import { installRequestHook, socketAddressHeader } from "./request-hook";

let server: Server;
let port: number;
let seen: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  installRequestHook(300);
  server = createServer({ connectionsCheckingInterval: 50 }, (request, response) => {
    seen.push(request.headers);
    if (request.url === "/named") response.setHeader("etag", '"name"');
    request.resume().on("end", () => response.end("answered"));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  seen = [];
});

it("writes the socket's address over a forged one, and drops the framework's internal headers", async () => {
  const { body } = await rawRequest(port, {
    target: "/",
    headers: [
      [socketAddressHeader, "198.18.0.1"],
      ["X-Middleware-Subrequest", "middleware"],
      ["x-middleware-anything", "1"],
      ["x-other", "kept"],
    ],
  });
  expect(body).toBe("answered");
  expect(seen[0]?.[socketAddressHeader]).toMatch(/^(?:::1|(?:::ffff:)?127\.0\.0\.1)$/);
  expect(Object.keys(seen[0] ?? {}).filter((name) => name.startsWith("x-middleware"))).toEqual([]);
  expect(seen[0]?.["x-other"]).toBe("kept");
});

it.each([
  ["OPTIONS", "*", 400],
  ["GET", "http://evil.example/", 400],
  ["TRACE", "/", 405],
])("answers %s %s itself", async (method, target, status) => {
  expect(await rawRequest(port, { method, target })).toMatchObject({ status, body: "" });
  expect(seen).toEqual([]);
});

it.each([
  ["/named", '"name"', 304],
  ["/named", 'W/"other", W/"name"', 304],
  ["/named", '"other"', 200],
  ["/", '"undefined"', 200],
])("answers %s to who has %s with %i", async (target, etag, status) => {
  const answer = await rawRequest(port, { target, headers: [["if-none-match", etag]] });
  expect(answer).toMatchObject({ status, body: status === 304 ? "" : "answered" });
});

it("does not take the framework's form of a page for the page", async () => {
  const headers = [
    ["if-none-match", '"name"'],
    ["rsc", "1"],
  ] as [string, string][];
  expect(await rawRequest(port, { target: "/named", headers })).toMatchObject({ status: 200 });
});

it("ends a request that does not arrive in time", async () => {
  const answer = await rawRequest(port, {
    method: "POST",
    target: "/",
    headers: [["content-length", "10"]],
    body: "{",
  });
  expect(answer).toMatchObject({ status: 408, body: "" });
});
