import { expect, test, useServers } from "../support/test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import type { AppServer } from "../support/servers/app-server";
import { openConnection, rawRequest, requestText, type RawConnection } from "../support/raw-http";
import { type ServerOptions } from "../support/servers/test-servers";
import { until } from "../support/until";
import { newVisitorInFlow } from "../support/visitor-in-flow";

/*
 * What the server's process does by itself, with no web server in front of it: what it refuses, how long it waits for
 * whom, whose address it believes, and how it leaves.
 */

const megabyte = 1_000_000;
/** Seconds that an exit may take longer beside browsers and builds. */
const busyMachine = 1.5;
const healthToken = "health-token-of-the-tests";

const servers = useServers({}, async () => ({}));
test.beforeEach(() => servers.receiver.respond("accept"));

/** The standalone output of the production build, but for what would need a provider outside. */
const live: ServerOptions = {
  build: "live",
  env: { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox" },
};

function start({ build, env }: ServerOptions = {}): Promise<AppServer> {
  return servers.start({
    build,
    live: true,
    env: { HEALTH_TOKEN: healthToken, LIKE_WEBHOOK_TIMEOUT_MS: "3000", ...env },
  });
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** A head that promises a body, and as much of the body as is given. */
function withheld(line: string, sent = ""): string {
  return requestText(line, ["content-type: application/json", `content-length: ${sent.length + 1}`], sent);
}

for (const [title, options] of [
  ["next start", {}],
  ["the standalone output", live],
] satisfies [string, ServerOptions][])
  test.describe(title, () => {
    let app: AppServer;
    test.beforeAll(async () => {
      app = await start(options);
    });

    for (const path of [
      "/",
      "/verification",
      "/get-likes/",
      "/preview/Cxyz123abc_",
      "/faq",
      "/robots.txt",
      "/no-such-page",
    ])
      test(`answers any method but GET and HEAD at ${path} with 405 at once, and hangs up`, async () => {
        for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          const connection = await openConnection(app.port, withheld(`${method} ${path}`));
          expect(await connection.ended).toBeLessThan(5);
          expect(connection.received()).toMatch(/^HTTP\/1\.1 405 /);
          expect(connection.received()).toMatch(/\r\nallow: GET, HEAD\r\n/i);
        }
        const head = await rawRequest(app.port, { method: "HEAD", target: path });
        expect(head.status).toBe(path === "/no-such-page" ? 404 : path.startsWith("/preview") ? 307 : 200);
      });

    test("keeps nothing of bodies that are withheld", async () => {
      const sent = "x".repeat(9 * megabyte);
      const paths = ["/", "/verification", "/success", "/api/instagram/like"];
      const before = memoryOf(app);
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, memoryOf(app))), 50);
      const connections = await Promise.all(
        Array.from({ length: 60 }, (__, n) =>
          openConnection(app.port, withheld(`POST ${paths[n % 4]}`, sent)),
        ),
      );
      await Promise.race([pause(3), Promise.all(connections.map(({ ended }) => ended))]);
      clearInterval(watch);
      for (const { socket } of connections) socket.destroy();
      expect((most - before) / megabyte).toBeLessThan(120);
    });

    for (const [__, offer] of [
      ["h2c", ["connection: upgrade, http2-settings", "upgrade: h2c", "http2-settings: AAMAAABkAAQAAP__"]],
      [
        "websocket",
        ["connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13", "sec-websocket-key: x"],
      ],
    ] as const)
      test(`takes no notice of an offer to speak ${__}`, async () => {
        for (const path of ["/faq", "/api/health", "/_next/webpack-hmr"]) {
          const connection = await openConnection(app.port, requestText(`GET ${path}`, offer));
          await connection.answers(1);
          // Still plain HTTP, on the same connection.
          connection.socket.write(requestText("GET /api/health", ["connection: close"]));
          expect(await connection.ended).toBeLessThan(5);
          const statuses = [...connection.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(
            ([, status]) => status,
          );
          expect({ path, statuses }).toEqual({
            path,
            statuses: [path.startsWith("/_next") ? "404" : "200", "200"],
          });
        }
      });

    test("keeps an idle connection longer than a proxy does", async () => {
      const connection = await openConnection(app.port, requestText("GET /api/health"));
      await connection.answers(1);
      connection.socket.destroy();
      expect(connection.received()).toMatch(/\r\nkeep-alive: timeout=75\r\n/i);
    });

    test("leaves at once when all that is open is idle, withheld, trickling or not read", async () => {
      const leaving = await start(options);
      const post = "POST /api/recaptcha/verify";
      const texts = [
        "",
        "GET /faq HT",
        withheld(post, "{"),
        requestText("GET /api/health"),
        requestText("GET /faq", ["connection: upgrade", "upgrade: websocket"]),
        requestText("GET /faq", ["connection: upgrade", "upgrade: h2c"], "x"),
        requestText("GET /").repeat(300),
      ];
      const connections = await Promise.all(texts.map((text) => openConnection(leaving.port, text)));
      connections.at(-1)?.socket.pause();
      await pause(1);
      expect(await secondsToStop(leaving)).toBeLessThan(2 + busyMachine);
      // Those that do not read only notice when they read.
      for (const { socket } of connections) socket.resume();
      await Promise.all(connections.map(({ ended }) => ended));
    });

    test("lets a like on its way end, says that it leaves, and a moment later takes no new work", async () => {
      const leaving = await start({ ...options, env: { ...options.env, LIKE_WEBHOOK_TIMEOUT_MS: "8000" } });
      const visitor = await newVisitorInFlow(leaving.url);
      // Busy as well, so that it is still open when the server has been told to leave.
      const late = await openConnection(leaving.port, requestText("GET /api/health"));
      await late.answers(1);
      servers.receiver.respond({ status: 200, delayMs: 1_500 });
      const known = servers.receiver.requests.length;
      const like = visitor.like();
      await servers.receiver.waitForRequests(known + 1);
      const ready = async () => (await rawRequest(leaving.port, { target: "/api/ready" })).status;
      expect(await ready()).toBe(200);
      const stopped = secondsToStop(leaving);
      await until("it says that it leaves, and is still there", async () => (await ready()) === 503);
      await late.ended;
      await until("nobody new gets in", async () => !(await connects(leaving.port)));
      expect((await like).status).toBe(200);
      // The rest of the delivery service's time-out is not waited for.
      expect(await stopped).toBeLessThan(4 + busyMachine);
    });

    test("does not wait for a delivery service longer than its time-out", async () => {
      const leaving = await start(options);
      const visitor = await newVisitorInFlow(leaving.url);
      servers.receiver.respond("hang");
      const known = servers.receiver.requests.length;
      const like = visitor.like();
      await servers.receiver.waitForRequests(known + 1);
      const stopped = secondsToStop(leaving);
      expect(await like).toMatchObject({ status: 503, body: { code: "order_pending" } });
      expect(await stopped).toBeLessThan(3 + 2 + busyMachine);
    });
  });

test.describe("what a client says it has", () => {
  let app: AppServer;
  test.beforeAll(async () => {
    app = await start();
  });

  const foreign = ["*", "undefined", "null", '"another"', 'W/"another"', '"a", "b"', '"*"', ""];
  const paths = [
    "/",
    "/faq",
    "/api/health",
    "/api/instagram/daily-usage",
    "/robots.txt",
    "/samples/post.svg",
  ];

  test("counts only when it is this very answer", async () => {
    const script = /\/site\/site-\w+\.js/.exec(await (await fetch(`${app.url}/faq`)).text())?.[0] ?? "none";
    const styles = /\/_next\/static\/[^"]+\.css/.exec(await (await fetch(app.url)).text())?.[0] ?? "none";
    for (const target of [...paths, script, styles]) {
      const ask = async (...headers: [string, string][]) =>
        (await rawRequest(app.port, { target, headers })).status;
      for (const etag of foreign) {
        expect({ target, etag, status: await ask(["if-none-match", etag]) }).toEqual({
          target,
          etag,
          status: 200,
        });
      }
      const future = new Date(Date.now() + 86_400_000).toUTCString();
      expect({ target, status: await ask(["if-modified-since", future]) }).toEqual({ target, status: 200 });

      // Of these the framework's file server makes errors.
      for (const condition of [
        ["if-match", '"another"'],
        ["if-unmodified-since", new Date(0).toUTCString()],
        ["range", "bytes=99999999-"],
      ] as const) {
        expect({ target, condition, status: await ask([...condition]) }).toMatchObject({ status: 200 });
      }

      const { headers } = await rawRequest(app.port, { target });
      const etag = headers.get("etag");
      const modified = headers.get("last-modified");
      if (etag !== null) {
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
          expect({ target, known, status: await ask(["if-none-match", known]) }).toMatchObject({
            status: 304,
          });
        }
        const post = await rawRequest(app.port, {
          method: "POST",
          target,
          headers: [["if-none-match", etag]],
        });
        expect(post.status).toBe(405);
      }
      if (modified !== null) {
        expect(await ask(["if-modified-since", modified])).toBe(304);
        // The other one alone counts, where both are given.
        expect(await ask(["if-modified-since", modified], ["if-none-match", '"another"'])).toBe(200);
      }
    }
  });

  test("is a whole page, never the framework's own form of one", async () => {
    const tree = "%5B%22%22%2C%7B%7D%5D";
    const requests: [string, string][][] = [
      [],
      [["rsc", "1"]],
      [
        ["rsc", "1"],
        ["next-router-prefetch", "1"],
      ],
      [
        ["rsc", "1"],
        ["next-router-segment-prefetch", "/_tree"],
      ],
      [
        ["rsc", "1"],
        ["next-router-state-tree", tree],
        ["next-url", "/"],
      ],
    ];
    for (const path of ["/", "/faq", "/contact", "/private-account-error"]) {
      const plain = await rawRequest(app.port, { target: path });
      for (const headers of requests) {
        for (const target of [path, `${path}?_rsc=1abcd`, `${path}?_rsc`]) {
          const { status, headers: answered } = await rawRequest(app.port, { target, headers });
          const type = answered.get("content-type");
          const about = { target, headers, status, type, length: answered.get("content-length") };
          expect(about).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
          expect(about.length).toBe(plain.headers.get("content-length"));
        }
      }
    }
    for (const target of [
      "/faq.rsc",
      "/faq.txt",
      "/index.rsc",
      "/faq.segments/_tree.segment.rsc",
      "/faq.prefetch.rsc",
    ]) {
      const { status, headers } = await rawRequest(app.port, { target, headers: [["rsc", "1"]] });
      expect({ target, status }).toEqual({ target, status: 404 });
      expect(headers.get("content-type") ?? "").not.toContain("component");
    }
  });
});

test.describe("the address of a visitor", () => {
  let app: AppServer;
  test.beforeAll(async () => {
    app = await start();
  });

  for (const [sent, counted] of [
    ["203.0.113.7:4711", "203.0.113.7"],
    ["[2001:db8:1:2:3::4]:4711", "2001:db8:1:2::"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["64:ff9b::203.0.113.7", "203.0.113.7"],
  ] as const)
    test(`${sent} counts as ${counted}`, async () => {
      const response = await fetch(`${app.url}/api/health?deep=1`, {
        headers: { authorization: `Bearer ${healthToken}`, "x-real-ip": sent },
      });
      expect(await response.json()).toMatchObject({ you: { address: counted } });
    });

  for (const [__, address] of [
    ["is missing", undefined],
    ["cannot be read", "unknown"],
    ["is a list", "203.0.113.7, 203.0.113.8"],
  ] as const)
    test(`that ${__} refuses what needs a visitor, and nothing else`, async () => {
      const visitor = await newVisitorInFlow(app.url);
      visitor.options.address = address;
      for (const answer of [
        await visitor.like(),
        await visitor.get("/api/instagram/status"),
        await visitor.post("/api/recaptcha/verify", { token: "x" }),
        await visitor.post("/api/404", { path: "/x" }),
      ]) {
        expect(answer).toMatchObject({ status: 503, body: { success: false, code: "service_unavailable" } });
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      }
      for (const path of ["/api/health", "/api/instagram/daily-usage", "/api/recaptcha/sitekey"]) {
        expect((await visitor.get(path)).status).toBe(200);
      }
      expect((await visitor.visit("/get-likes")).status).toBe(200);
      expect((await visitor.visit("/")).status).toBe(200);
    });

  test("that cannot be read is an error in the log, once a minute, that names the setting", () => {
    const lines = app.output().split("\n");
    const naming = lines.filter((line) => line.includes("TRUSTED_IP_HEADER is x-real-ip"));
    expect(naming).toEqual([expect.stringContaining('"level":"error"')]);
  });
});

test("ends what trickles in, keeps what waits, and serves all others meanwhile", async () => {
  const app = await start();
  try {
    const trickling = await openConnection(app.port, "GET /faq HTTP/1.1\r\n");
    const onKept = await openConnection(app.port, `${requestText("GET /api/health")}GET /faq HTTP/1.1\r\n`);
    await onKept.answers(1);
    const slowly = setInterval(() => {
      for (const { socket } of [trickling, onKept]) socket.write("x");
    }, 1_000);
    const idle = await openConnection(app.port, requestText("GET /api/health"));
    const [first, second] = await Promise.all([trickling.ended, onKept.ended, stillAnswersAfter(idle, 20)]);
    clearInterval(slowly);
    for (const seconds of [first, second]) {
      expect(seconds).toBeGreaterThan(29);
      expect(seconds).toBeLessThan(36);
    }
  } finally {
    await app.stop();
  }
});

async function stillAnswersAfter(connection: RawConnection, seconds: number): Promise<void> {
  await connection.answers(1);
  await pause(seconds);
  connection.socket.write(requestText("GET /api/health", ["connection: close"]));
  await connection.answers(2);
  expect(connection.received().match(/HTTP\/1\.1 200/g)).toHaveLength(2);
}

/** Bytes of memory that the server's process has. */
function memoryOf({ pid }: AppServer): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;
}

async function secondsToStop(app: AppServer): Promise<number> {
  const startedAt = performance.now();
  await app.stop();
  return (performance.now() - startedAt) / 1_000;
}

/** Whether anybody listens there. */
function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "localhost");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
