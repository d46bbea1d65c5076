import type { IncomingHttpHeaders, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openConnection, rawRequest, requestText } from "@/testing/raw-http";
import { createRequestLimit } from "@/lib/server/http/rate-limits";
import { connectionLimits } from "./connections";
import { createHttpServer, setKeepAlive, setRequestLimit, socketAddressHeader } from "./http-guard";

let server: Server;
let port: number;
let receivedHeaders: IncomingHttpHeaders[] = [];
const lastModified = new Date(1_700_000_000_000).toUTCString();

beforeAll(async () => {
  const timeouts = { requestTimeoutMs: 300, responseTimeoutMs: 1_500 };
  const limits = { ...connectionLimits, ...timeouts };
  server = createHttpServer(
    (request, response) => {
      receivedHeaders.push(request.headers);
      if (request.url === "/named" || request.method === "POST") response.setHeader("etag", '"name"');
      if (request.url === "/lost") response.setHeader("cache-control", "s-maxage=9").statusCode = 404;
      if (request.url === "/changed") response.setHeader("last-modified", lastModified);
      if (request.url === "/large") return void response.end(Buffer.alloc(20_000_000));
      request.resume().on("end", () => response.end("answered"));
    },
    { limits },
  );
  setKeepAlive(2);
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => void (receivedHeaders = []));

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
      ["if-none-match", "*"],
      ["if-modified-since", lastModified],
      ["if-unmodified-since", lastModified],
      ["range", "bytes=99999999-"],
      ["x-other", "unchanged"],
    ],
  });
  expect(body).toBe("answered");
  expect(receivedHeaders[0]?.[socketAddressHeader]).toMatch(/^(?:::1|(?:::ffff:)?127\.0\.0\.1)$/);
  expect(Object.keys(receivedHeaders[0] ?? {}).sort()).toEqual(
    ["connection", "host", "x-other", socketAddressHeader].sort(),
  );
});

it.each([
  ["OPTIONS", "*", 400],
  ["GET", "http://evil.example/", 400],
  ["GET", "/share-images/%ff", 400],
  ["TRACE", "/", 405],
  ["POST", "/", 405],
  ["OPTIONS", "/api", 405],
  ["POST", "/api/no-such-route", 405],
  ["POST", "/api/404/../../faq", 405],
  ["GET", "/api/../faq.rsc", 404],
  ["GET", "/faq.rsc", 404],
  ["GET", "/faq.segments/_tree.segment.rsc?_rsc=1", 404],
])("responds to %s %s with %i itself", async (method, target, status) => {
  expect(await rawRequest(port, { method, target })).toMatchObject({
    status,
    body: expect.stringMatching(/^Th/),
  });
  expect(receivedHeaders).toEqual([]);
});

it.each([
  ["GET", "/named", '"name"', 304],
  ["HEAD", "/named", 'W/"other", W/"name"', 304],
  ["POST", "/api/404", '"name"', 200],
  ["GET", "/named", '"other"', 200],
  ["GET", "/named", "*", 200],
  ["GET", "/named", "name", 200],
  ["GET", "/", '"undefined"', 200],
  ["GET", "/", "none", 200],
  ["GET", "/changed", undefined, 304, lastModified],
  ["GET", "/changed", undefined, 200, new Date(Date.now() + 86_400_000).toUTCString()],
  ["GET", "/changed", '"other"', 200, lastModified],
])("handles %s %s with If-None-Match %s with status %i", async (method, target, etag, status, date = "") => {
  const headers = [
    ...(etag ? [["if-none-match", etag] as const] : []),
    ...(date ? [["if-modified-since", date] as const] : []),
  ];
  expect((await rawRequest(port, { method, target, headers })).status).toBe(status);
});

it("lets no cache keep a 404 response", async () => {
  const { headers } = await rawRequest(port, { target: "/lost" });
  expect(headers.get("cache-control")).toMatch(/no-store/);
});

const tooLong = "This address is too long.";
const tooManyHeaders = expect.stringContaining("delete the cookies of this site") as string;

it.each<[what: string, request: Parameters<typeof rawRequest>[1], status: number, body: string]>([
  ["parameters after a second question mark", { target: `/?a?${"&a".repeat(100)}` }, 414, tooLong],
  ["an address of 5,000 characters", { target: `/faq?${"a".repeat(5_000)}` }, 414, tooLong],
  ["a query for the readiness check", { target: "/api/ready?a" }, 200, ""],
  ["a long User-Agent, which it shortens", header("User-Agent", "-".repeat(10_000)), 200, "answered"],
  ["a Cookie of 30,000 characters", header("Cookie", "a=1; ".repeat(6_000)), 200, "answered"],
  ["a Cookie of 40,000 characters", header("Cookie", "a=1; ".repeat(8_000)), 431, tooManyHeaders],
  ["a long Accept", header("Accept", "a,".repeat(2_500)), 431, tooManyHeaders],
  ["a long name of a header", header("a".repeat(5_000), "1"), 431, tooManyHeaders],
  ["90 headers", headers(90), 200, "answered"],
  ["more than 100 headers", headers(101), 431, tooManyHeaders],
])("handles %s", async (_, request, status, body) => {
  expect(await rawRequest(port, request)).toMatchObject({ status, body });
  expect(receivedHeaders[0]?.["user-agent"]?.length ?? 512).toBe(512);
});

function headers(length: number) {
  return { target: "/", headers: Array.from({ length }, (_, n) => [`x-${n}`, ""] as const) };
}

function header(name: string, value: string): Parameters<typeof rawRequest>[1] {
  return { target: "/", headers: [[name, value]] };
}

it("limits all requests of an address, but not its neighbours, and logs the refusals once", async () => {
  const settings = { clientAddress: { header: undefined, proxyHops: 1 }, rateLimitScale: 0.01 };
  const write = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  setRequestLimit(createRequestLimit(settings, () => 0));
  try {
    const get = (target: string, address: string) =>
      rawRequest(port, { target, headers: [["x-forwarded-for", address]] });
    for (const target of ["/api/x", "/_next/static/x.js", "/success"]) {
      expect(await get(target, "2001:db8::1")).toMatchObject({ status: 200, body: "answered" });
    }
    const refused = await get("/success", "2001:db8::2");
    expect(refused).toMatchObject({ status: 429, body: expect.stringContaining("wait 20 seconds") });
    expect(refused.headers.get("retry-after")).toBe("20");
    const { body } = await get("/api/x", "2001:db8::1");
    expect(JSON.parse(body)).toMatchObject({ success: false, code: "rate_limited" });
    expect(write.mock.calls.map(([line]) => JSON.parse(String(line)) as object)).toEqual([
      expect.objectContaining({ event: "too many requests", refused: 1 }),
    ]);
    for (const [target, address] of [
      ["/api/ready", "2001:db8::1"],
      ["/success", "2001:db8:0:1::1"],
      ["/success", "unreadable"],
    ] as const)
      expect((await get(target, address)).status).toBe(200);
  } finally {
    setRequestLimit(() => 0);
    write.mockRestore();
  }
});

it.each(["h2c", "websocket"])("ignores an upgrade to %s and responds over plain HTTP", async (protocol) => {
  const upgradeRequest = requestText("GET /", ["connection: upgrade", `upgrade: ${protocol}`]);
  const connection = await openConnection(port, upgradeRequest);
  await connection.responses(1);
  connection.socket.write(requestText("GET /", ["connection: close"]));
  await connection.ended;
  expect(connection.received().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

it("closes with 408 when a head or body arrives too slowly, on a new or reused connection", async () => {
  const body = requestText("POST /api/404", ["content-length: 10"], "{");
  const complete = requestText("GET /");
  const texts = ["", "GET / HTTP/1.1\r\n", body, `${complete}GET / HTTP/1.1\r\n`, complete + body];
  const connections = await Promise.all(texts.map((text) => openConnection(port, text)));
  const trickle = setInterval(() => {
    for (const { socket } of connections.slice(1)) socket.write("x");
  }, 100);
  for (const { ended, received } of connections) {
    // Node's default check runs only every 30 s.
    expect(await ended).toBeLessThan(1.5);
    expect(received()).toMatch(/HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n\r\n$/);
  }
  clearInterval(trickle);
});

it("closes a connection whose client reads too slowly, but no other connection", async () => {
  const reading = rawRequest(port, { target: "/large" });
  const stalled = await openConnection(port);
  stalled.socket.pause();
  stalled.socket.write(requestText("GET /large"));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  stalled.socket.resume();
  expect(await stalled.ended).toBeLessThan(3.5);
  expect(stalled.received().length).toBeLessThan(20_000_000);
  expect((await reading).body.length).toBe(20_000_000);
});

it("keeps an idle connection open for the announced keep-alive time", async () => {
  const connection = await openConnection(port, requestText("GET /"));
  await connection.responses(1);
  expect(connection.received()).toContain("Keep-Alive: timeout=2\r\n");
  expect(await connection.ended).toBeGreaterThan(1.9);
});
