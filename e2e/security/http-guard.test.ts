import { expect, test, useServers } from "../support/test";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { AppServer } from "../support/servers/app-server";
import { openConnection, rawRequest, requestText } from "../support/raw-http";
import { type ServerOptions } from "../support/servers/test-servers";
import { until } from "../support/until";
import { newVisitorInFlow } from "../support/visitor-in-flow";

/* The server process without a proxy. lib/server/http-guard/*.test.ts test the guard without Next.js. */

const megabyte = 1_000_000;
/** Seconds that a shutdown may take longer, because other tests run on the same machine. */
const toleranceSeconds = 1.5;

const servers = useServers({}, async () => ({}));
test.beforeEach(() => servers.receiver.respond("accept"));

const standalone: ServerOptions = {
  build: "live",
  env: { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox" },
};

function start({ build, env }: ServerOptions = {}): Promise<AppServer> {
  return servers.start({ build, live: true, env: { LIKE_WEBHOOK_TIMEOUT_MS: "3000", ...env } });
}

/** Returns a request whose body is one byte shorter than announced. */
function incompleteRequest(line: string, sent = ""): string {
  return requestText(line, ["content-type: application/json", `content-length: ${sent.length + 1}`], sent);
}

for (const [title, options] of [
  ["next start", {}],
  ["the standalone output", standalone],
] satisfies [string, ServerOptions][])
  test.describe(title, () => {
    let app: AppServer;
    test.beforeAll(async () => {
      app = await start(options);
    });

    for (const [path, status] of [
      ["/", 200],
      ["/verification", 200],
      ["/get-likes/", 200],
      ["/preview/Cxyz123abc_", 307],
      ["/faq", 200],
      ["/robots.txt", 200],
      ["/no-such-page", 404],
    ] as const)
      test(`responds ${status} to HEAD ${path}, and 405 to other methods before their body arrives`, async () => {
        expect((await rawRequest(app.port, { method: "HEAD", target: path })).status).toBe(status);
        for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          const connection = await openConnection(app.port, incompleteRequest(`${method} ${path}`));
          expect(await connection.ended).toBeLessThan(5);
          expect(connection.received()).toMatch(/^HTTP\/1\.1 405 /);
          expect(connection.received()).toMatch(/\r\nallow: GET, HEAD\r\n/i);
        }
      });

    test("does not store incomplete request bodies in memory", async () => {
      const sent = "x".repeat(9 * megabyte);
      const paths = ["/", "/verification", "/success", "/api/instagram/like"];
      const before = memoryOf(app);
      let most = before;
      const timer = setInterval(() => (most = Math.max(most, memoryOf(app))), 50);
      const connections = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          openConnection(app.port, incompleteRequest(`POST ${paths[n % 4]}`, sent)),
        ),
      );
      await Promise.race([pause(3_000), Promise.all(connections.map(({ ended }) => ended))]);
      clearInterval(timer);
      for (const { socket } of connections) socket.destroy();
      expect((most - before) / megabyte).toBeLessThan(120);
    });

    for (const [protocol, upgrade] of [
      ["h2c", ["connection: upgrade, http2-settings", "http2-settings: AAMAAABkAAQAAP__"]],
      ["websocket", ["connection: upgrade", "sec-websocket-version: 13", "sec-websocket-key: x"]],
    ] as const)
      test(`ignores an upgrade to ${protocol}, and keeps the connection`, async () => {
        for (const [path, status] of [
          ["/faq", "200"],
          ["/api/health", "200"],
          ["/_next/webpack-hmr", "404"],
        ] as const) {
          const headers = [...upgrade, `upgrade: ${protocol}`];
          const connection = await openConnection(app.port, requestText(`GET ${path}`, headers));
          await connection.responses(1);
          connection.socket.write(requestText("GET /api/health", ["connection: close"]));
          expect(await connection.ended).toBeLessThan(5);
          const statuses = Array.from(
            connection.received().matchAll(/HTTP\/1\.1 (\d+)/g),
            ([, code]) => code,
          );
          expect({ path, statuses }).toEqual({ path, statuses: [status, "200"] });
        }
      });

    test("announces a keep-alive time of 75 seconds, which is longer than a proxy's", async () => {
      const connection = await openConnection(app.port, requestText("GET /api/health"));
      await connection.responses(1);
      connection.socket.destroy();
      expect(connection.received()).toMatch(/\r\nkeep-alive: timeout=75\r\n/i);
    });

    test("stops at once when no connection has a complete request", async () => {
      const stopping = await start(options);
      const texts = [
        "",
        "GET /faq HT",
        incompleteRequest("POST /api/recaptcha/verify", "{"),
        requestText("GET /api/health"),
        requestText("GET /faq", ["connection: upgrade", "upgrade: websocket"]),
        requestText("GET /faq", ["connection: upgrade", "upgrade: h2c"], "x"),
        requestText("GET /").repeat(300),
      ];
      const connections = await Promise.all(texts.map((text) => openConnection(stopping.port, text)));
      connections.at(-1)?.socket.pause();
      await pause(1_000);
      expect(await secondsToStop(stopping)).toBeLessThan(2 + toleranceSeconds);
      // A paused socket notices the end only when it reads.
      for (const { socket } of connections) socket.resume();
      await Promise.all(connections.map(({ ended }) => ended));
    });

    test("finishes a running request for likes when it stops, and then accepts no connection", async () => {
      const env = { ...options.env, LIKE_WEBHOOK_TIMEOUT_MS: "8000" };
      const stopping = await start({ ...options, env });
      const visitor = await newVisitorInFlow(stopping.url);
      const idle = await openConnection(stopping.port, requestText("GET /api/health"));
      await idle.responses(1);
      servers.receiver.respond({ status: 200, delayMs: 1_500 });
      const known = servers.receiver.requests.length;
      const like = visitor.like();
      await servers.receiver.waitForRequests(known + 1);
      const ready = async () => (await rawRequest(stopping.port, { target: "/api/ready" })).status;
      expect(await ready()).toBe(200);
      const stopped = secondsToStop(stopping);
      await until("/api/ready responds 503", async () => (await ready()) === 503);
      await idle.ended;
      await until("new connections fail", () =>
        ready().then(
          () => false,
          () => true,
        ),
      );
      expect((await like).status).toBe(200);
      // The process does not wait for the rest of the webhook time-out.
      expect(await stopped).toBeLessThan(4 + toleranceSeconds);
    });

    test("waits for a delivery service only until its time-out when it stops", async () => {
      const stopping = await start(options);
      const visitor = await newVisitorInFlow(stopping.url);
      servers.receiver.respond("hang");
      const known = servers.receiver.requests.length;
      const like = visitor.like();
      await servers.receiver.waitForRequests(known + 1);
      const stopped = secondsToStop(stopping);
      expect(await like).toMatchObject({ status: 503, body: { code: "order_pending" } });
      expect(await stopped).toBeLessThan(3 + 2 + toleranceSeconds);
    });
  });

test.describe("pages and files", () => {
  let app: AppServer;
  test.beforeAll(async () => {
    app = await start();
  });

  test("are sent whole unless the client has this version", async () => {
    const find = async (path: string, pattern: RegExp) =>
      pattern.exec(await (await fetch(app.url + path)).text())?.[0] ?? "none";
    const wrongConditions: [string, string][] = [
      ...["*", "undefined", "null", '"another"', 'W/"another"', '"a", "b"', '"*"', ""].map(
        (etag): [string, string] => ["if-none-match", etag],
      ),
      ["if-modified-since", new Date(Date.now() + 86_400_000).toUTCString()],
      // Next.js responds with an error when one of these conditions fails.
      ["if-match", '"another"'],
      ["if-unmodified-since", new Date(0).toUTCString()],
      ["range", "bytes=99999999-"],
    ];
    for (const target of [
      ...["/", "/faq", "/api/health", "/api/instagram/daily-usage", "/robots.txt", "/samples/post.svg"],
      await find("/faq", /\/site\/site-\w+\.js/),
      await find("/", /\/_next\/static\/[^"]+\.css/),
    ]) {
      const { headers: sent } = await rawRequest(app.port, { target });
      const etag = sent.get("etag");
      const modified = sent.get("last-modified");
      const expectStatus = async (status: number, condition: [string, string]) => {
        const response = await rawRequest(app.port, { target, headers: [condition] });
        expect({ target, condition, status: response.status }).toEqual({ target, condition, status });
      };
      for (const condition of wrongConditions) await expectStatus(200, condition);
      if (etag !== null) await expectStatus(304, ["if-none-match", etag]);
      if (modified !== null) await expectStatus(304, ["if-modified-since", modified]);
    }
  });

  test("are never sent as page data of the Next.js router", async () => {
    const rsc: [string, string] = ["rsc", "1"];
    const requests: [string, string][][] = [
      [],
      [rsc],
      [rsc, ["next-router-prefetch", "1"]],
      [rsc, ["next-router-segment-prefetch", "/_tree"]],
      [rsc, ["next-router-state-tree", "%5B%22%22%2C%7B%7D%5D"], ["next-url", "/"]],
    ];
    for (const path of ["/", "/faq", "/contact", "/private-account-error"]) {
      const plain = await rawRequest(app.port, { target: path });
      for (const headers of requests) {
        for (const target of [path, `${path}?_rsc=1abcd`, `${path}?_rsc`]) {
          const { status, headers: sent } = await rawRequest(app.port, { target, headers });
          const type = sent.get("content-type");
          const about = { target, headers, status, type, length: sent.get("content-length") };
          expect(about).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
          expect(about.length).toBe(plain.headers.get("content-length"));
        }
      }
    }
    const segment = "/faq.segments/_tree.segment.rsc";
    for (const target of ["/faq.rsc", "/faq.txt", "/index.rsc", segment, "/faq.prefetch.rsc"]) {
      const { status, headers } = await rawRequest(app.port, { target, headers: [rsc] });
      expect({ target, status }).toEqual({ target, status: 404 });
      expect(headers.get("content-type") ?? "").not.toContain("component");
    }
  });
});

test("refuses requests that need the client address if the trusted header is missing or invalid", async () => {
  const app = await start();
  for (const address of [undefined, "unknown", "203.0.113.7, 203.0.113.8"]) {
    const visitor = await newVisitorInFlow(app.url);
    visitor.options.address = address;
    for (const response of [
      await visitor.like(),
      await visitor.get("/api/instagram/status"),
      await visitor.post("/api/recaptcha/verify", { token: "x" }),
      await visitor.post("/api/404", { path: "/x" }),
    ]) {
      expect(response).toMatchObject({ status: 503, body: { success: false, code: "service_unavailable" } });
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    for (const path of ["/api/health", "/api/instagram/daily-usage", "/api/recaptcha/sitekey"]) {
      expect((await visitor.get(path)).status).toBe(200);
    }
    for (const path of ["/", "/get-likes"]) expect((await visitor.visit(path)).status).toBe(200);
  }
  // The process logs the error once a minute.
  const lines = app.output().split("\n");
  const errors = lines.filter((line) => line.includes("TRUSTED_IP_HEADER is x-real-ip"));
  expect(errors).toEqual([expect.stringContaining('"level":"error"')]);
});

test("closes a connection 30 seconds after a request has begun that does not end", async () => {
  const app = await start();
  const begun = "GET /faq HTTP/1.1\r\n";
  const connections = [
    await openConnection(app.port, begun),
    await openConnection(app.port, requestText("GET /api/health") + begun),
  ];
  const timer = setInterval(() => {
    for (const { socket } of connections) socket.write("x");
  }, 1_000);
  for (const { ended } of connections) {
    const seconds = await ended;
    expect(seconds).toBeGreaterThan(29);
    expect(seconds).toBeLessThan(36);
  }
  clearInterval(timer);
});

/** Returns the memory of the server's process in bytes. */
function memoryOf({ pid }: AppServer): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;
}

async function secondsToStop(app: AppServer): Promise<number> {
  const startedAt = performance.now();
  await app.stop();
  return (performance.now() - startedAt) / 1_000;
}
