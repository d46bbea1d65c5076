import { expect, test, useServers } from "@/testing/test";
import { join } from "node:path";
import { sessionSecret, startServer, type AppServer } from "@/testing/servers/app-server";
import { openConnection, requestText } from "@/testing/raw-http";
import { until } from "@/testing/until";
import { visitorAtStep3 } from "@/testing/visitor";

const servers = useServers({}, async (parts) => {
  const app = await startServer({
    folder: join(__dirname, "..", ".."),
    command: ["scripts/start.mjs", "dev"],
    path: "/api/health",
    env: {
      SESSION_SECRET: sessionSecret,
      VISITOR_HASH_SECRET: "visitor-secret-of-the-tests-0123456789",
      REDIS_URL: parts.redis.url,
      TRUSTED_IP_HEADER: "x-real-ip",
      ALTCHA_COST: "50",
    },
  });
  await parts.keep(app);
  return { app };
}) as ReturnType<typeof useServers> & { app: AppServer };

test("serves the flow from its sources", async () => {
  const visitor = await visitorAtStep3(servers.app.url);
  expect((await visitor.like()).body).toMatchObject({ success: true });
  expect((await visitor.visit("/success")).html).toContain("Likes Delivered Successfully!");
});

test("upgrades the connection for hot reload", async () => {
  const upgrade = ["connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13"];
  const key = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
  const { socket, received } = await openConnection(
    servers.app.port,
    requestText("GET /_next/hmr", [...upgrade, key]),
  );
  await until("the upgrade", () => received().startsWith("HTTP/1.1 101 "));
  socket.destroy();
});
