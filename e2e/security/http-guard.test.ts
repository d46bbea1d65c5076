import { expect, test, useServers } from "@/testing/test";
import { readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { AppServer } from "@/testing/servers/app-server";
import { openConnection, rawRequest, requestText } from "@/testing/raw-http";
import { type ServerOptions } from "@/testing/servers/test-servers";
import type { WebhookReply } from "@/testing/servers/webhook-receiver";
import { accepts } from "@/scripts/lib/ports.mjs";
import { expectUnavailable } from "@/testing/in-time";
import { until } from "@/testing/until";
import { visitorAtStep3 } from "@/testing/visitor";
import { newVisitorInFlow } from "@/testing/visitor-in-flow";

/* The server process without a proxy. lib/server/http-guard/*.test.ts test the guard without Next.js. */

const megabyte = 1_000_000;
/** Seconds that a shutdown may take longer, because other tests run on the same machine. */
const toleranceSeconds = 1.5;

const servers = useServers({}, async () => ({}));
test.beforeEach(() => servers.receiver.respond("accept"));

function start({ build, env }: ServerOptions = {}): Promise<AppServer> {
  return servers.start({
    build,
    live: true,
    env: { LIKE_WEBHOOK_TIMEOUT_MS: "3000", KEEP_ALIVE_SECONDS: "620", ...env },
  });
}

/** Returns a request whose body is one byte shorter than announced. */
function incompleteRequest(line: string, sent = ""): string {
  return requestText(line, ["content-type: application/json", `content-length: ${sent.length + 1}`], sent);
}

for (const [title, options] of [
  ["next start", {}],
  ["the standalone output", { build: "live", env: { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox" } }],
] satisfies [string, ServerOptions][])
  test.describe(title, () => {
    let app: AppServer;
    test.beforeAll(async () => {
      app = await start(options);
    });

    test("does not store incomplete request bodies in memory", async () => {
      const sent = "x".repeat(9 * megabyte);
      const paths = ["/", "/verification", "/success", "/api/instagram/like"];
      const status = () => readFileSync(`/proc/${app.pid}/status`, "utf8");
      const memory = () => Number(/VmRSS:\s+(\d+) kB/.exec(status())?.[1]) * 1_024;
      const before = memory();
      let most = before;
      const timer = setInterval(() => (most = Math.max(most, memory())), 50);
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

    test("ignores an upgrade to a path of Next.js, and keeps the connection for the time of the settings", async () => {
      const upgrade = ["connection: upgrade", "upgrade: websocket", "sec-websocket-key: x"];
      const connection = await openConnection(app.port, requestText("GET /_next/webpack-hmr", upgrade));
      await connection.responses(1);
      expect(connection.received()).toMatch(/keep-alive: timeout=620\r\n/i);
      connection.socket.write(requestText("GET /api/health", ["connection: close"]));
      expect(await connection.ended).toBeLessThan(5);
      expect(connection.received()).toMatch(/^HTTP\/1\.1 404 .*HTTP\/1\.1 200 /s);
    });

    test("finishes a running request for likes when it stops, and then accepts no connection", async () => {
      const env = { ...options.env, LIKE_WEBHOOK_TIMEOUT_MS: "8000" };
      const stopping = await start({ ...options, env });
      const idle = await openConnection(stopping.port, requestText("GET /api/health"));
      await idle.responses(1);
      const like = await startLike(stopping, { status: 200, delayMs: 1_500 });
      const ready = async () => (await rawRequest(stopping.port, { target: "/api/ready" })).status;
      expect(await ready()).toBe(200);
      const stopped = secondsToStop(stopping);
      await until("/api/ready responds 503", async () => (await ready()) === 503);
      await idle.ended;
      await until("new connections fail", async () => !(await accepts(stopping.port)));
      expect((await like()).status).toBe(200);
      // The process does not wait for the rest of the webhook time-out.
      expect(await stopped).toBeLessThan(4 + toleranceSeconds);
    });
  });

/** Requests likes, and waits until the delivery service has the order. Returns a function that returns the response. */
async function startLike({ url }: AppServer, reply: WebhookReply) {
  servers.receiver.respond(reply);
  const known = servers.receiver.requests.length;
  const like = (await newVisitorInFlow(url)).like();
  await servers.receiver.waitForRequests(known + 1);
  return () => like;
}

test("refuses requests that need the client address if the trusted header is missing or invalid", async () => {
  const app = await start();
  for (const address of [undefined, "unknown", "203.0.113.7, 203.0.113.8"]) {
    const visitor = await newVisitorInFlow(app.url);
    visitor.options.address = address;
    await expectUnavailable("like", () => visitor.like());
    await expectUnavailable("status", () => visitor.get("/api/instagram/status"));
    await expectUnavailable("verify", () => visitor.post("/api/recaptcha/verify", { token: "x" }));
    await expectUnavailable("404", () => visitor.post("/api/404", { path: "/x" }));
    for (const path of [
      "/api/health",
      "/api/instagram/daily-usage",
      "/api/recaptcha/sitekey",
      "/",
      "/get-likes",
    ])
      expect((await visitor.visit(path)).status).toBe(200);
  }
  // The process logs the error once a minute.
  const lines = app.output().split("\n");
  const errors = lines.filter((line) => line.includes("TRUSTED_IP_HEADER is x-real-ip"));
  expect(errors).toEqual([expect.stringContaining('"level":"error"')]);
});

async function secondsToStop(app: AppServer): Promise<number> {
  const startedAt = performance.now();
  expect(await app.stop()).toBe(128 + constants.signals.SIGTERM);
  return (performance.now() - startedAt) / 1_000;
}

for (const redirect of [">/dev/full 2>&1", "2>&1 | true"])
  test(`accepts orders while no line of the log can be written: ${redirect}`, async () => {
    const program = test.info().outputPath("node");
    writeFileSync(program, `#!/bin/sh\n"${process.execPath}" "$@" ${redirect}\n`, { mode: 0o755 });
    const app = await servers.start({ live: true, program });
    for (let n = 0; n < 3; n += 1) expect((await (await visitorAtStep3(app.url)).like()).status).toBe(200);
  });
