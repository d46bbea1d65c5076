import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { openConnection, rawRequest, requestText } from "@/e2e/support/raw-http";
import { installHttpGuard, socketAddressHeader } from "./http-guard";

let server: Server;
let removeDoor: () => void;
let port: number;
let seen: IncomingHttpHeaders[] = [];
let upgraded: Duplex | undefined;
const lastModified = new Date(1_700_000_000_000).toUTCString();

beforeAll(async () => {
  removeDoor = installHttpGuard({
    limits: { arrivalMs: 300, readingMs: 1_500, idleMs: 2_000, readingWhileLeavingMs: 100, drainMs: 500 },
  });
  server = createServer((request, response) => {
    seen.push(request.headers);
    if (request.url?.endsWith("/named")) response.setHeader("etag", '"name"');
    if (request.url === "/changed") response.setHeader("last-modified", lastModified);
    if (request.url === "/large") return void response.end(Buffer.alloc(20_000_000));
    request.resume().on("end", () => response.end("answered"));
  });
  // As the framework does, in order to refuse.
  server.on("upgrade", (_, socket) => void (upgraded = socket));
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  removeDoor();
});
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
      ["x-nextjs-data", "1"],
      ["RSC", "1"],
      ["next-router-prefetch", "1"],
      ["next-url", "/"],
      ["if-match", '"x"'],
      ["if-unmodified-since", lastModified],
      ["range", "bytes=99999999-"],
      ["x-other", "kept"],
    ],
  });
  expect(body).toBe("answered");
  expect(seen[0]?.[socketAddressHeader]).toMatch(/^(?:::1|(?:::ffff:)?127\.0\.0\.1)$/);
  expect(Object.keys(seen[0] ?? {}).sort()).toEqual(
    ["connection", "host", "x-other", socketAddressHeader].sort(),
  );
});

it.each([
  ["OPTIONS", "*", 400],
  ["GET", "http://evil.example/", 400],
  ["GET", "/share-images/%ff", 400],
  ["GET", "/faq%", 400],
  ["TRACE", "/", 405],
  ["TRACE", "/api/x", 405],
  ["POST", "/", 405],
  ["DELETE", "/faq", 405],
  ["OPTIONS", "/api", 405],
  ["GET", "/faq.rsc", 404],
  ["GET", "/faq.segments/_tree.segment.rsc?_rsc=1", 404],
])("answers %s %s itself", async (method, target, status) => {
  expect(await rawRequest(port, { method, target })).toMatchObject({ status, body: "" });
  expect(seen).toEqual([]);
});

it.each([
  ["/named", '"name"', 304],
  ["/named", 'W/"other", W/"name"', 304],
  ["/named", '"other"', 200],
  ["/named", "*", 200],
  ["/named", "name", 200],
  ["/changed", "*", 200],
  ["/", '"undefined"', 200],
  ["/", "undefined", 200],
  ["/", "none", 200],
])("answers %s to who has %s with %i", async (target, etag, status) => {
  const answer = await rawRequest(port, { target, headers: [["if-none-match", etag]] });
  expect(answer).toMatchObject({ status, body: status === 304 ? "" : "answered" });
});

it.each([
  [lastModified, [], 304],
  [new Date(Date.now() + 86_400_000).toUTCString(), [], 200],
  [lastModified, [["if-none-match", '"other"']], 200],
] as const)("answers who has what was changed at %s %j with %i", async (time, more, status) => {
  const headers = [["if-modified-since", time], ...more] as const;
  expect(await rawRequest(port, { target: "/changed", headers })).toMatchObject({ status });
});

it("answers a question alone with 304", async () => {
  const headers = [["if-none-match", '"name"']] as const;
  expect(await rawRequest(port, { method: "HEAD", target: "/named", headers })).toMatchObject({
    status: 304,
  });
  // An address of the API, for the method to be let in.
  const answer = await rawRequest(port, { method: "POST", target: "/api/named", headers, body: "x" });
  expect(answer).toMatchObject({ status: 200 });
});

it("hides from the framework what a client says it has", async () => {
  const headers = [
    ["if-none-match", "*"],
    ["if-modified-since", lastModified],
  ] as const;
  await rawRequest(port, { target: "/", headers });
  expect(seen[0]).not.toHaveProperty("if-none-match");
  expect(seen[0]).not.toHaveProperty("if-modified-since");
});

it.each(["h2c", "websocket"])("answers an offer to speak %s as plain HTTP", async (protocol) => {
  const offer = requestText("GET /", ["connection: upgrade", `upgrade: ${protocol}`]);
  const connection = await openConnection(port, offer);
  await connection.answers(1);
  connection.socket.write(requestText("GET /", ["connection: close"]));
  await connection.ended;
  expect(connection.received().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(upgraded).toBeUndefined();
});

it("ends a request that does not arrive in time, be it head or body, on a new or a used connection", async () => {
  const body = requestText("POST /api/x", ["content-length: 10"], "{");
  const kept = requestText("GET /");
  const texts = ["", "GET / HTTP/1.1\r\n", body, `${kept}GET / HTTP/1.1\r\n`, kept + body];
  const connections = await Promise.all(texts.map((text) => openConnection(port, text)));
  const trickle = setInterval(() => {
    for (const { socket } of connections.slice(1)) socket.write("x");
  }, 100);
  for (const { ended, received } of connections) {
    // Well before the 30 s after which Node by itself looks.
    expect(await ended).toBeLessThan(1.5);
    expect(received()).toMatch(/HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n\r\n$/);
  }
  clearInterval(trickle);
});

it("ends an answer that is not read in time, and no other", async () => {
  const reading = rawRequest(port, { target: "/large" });
  const deaf = await openConnection(port);
  deaf.socket.pause();
  deaf.socket.write(requestText("GET /large"));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  deaf.socket.resume();
  expect(await deaf.ended).toBeLessThan(3.5);
  expect(deaf.received().length).toBeLessThan(20_000_000);
  expect((await reading).body.length).toBe(20_000_000);
});

it("keeps an idle connection for as long as it says", async () => {
  const connection = await openConnection(port, requestText("GET /"));
  await connection.answers(1);
  expect(connection.received()).toContain("Keep-Alive: timeout=2\r\n");
  expect(await connection.ended).toBeGreaterThan(1.9);
});
