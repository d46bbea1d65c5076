import { buildFolder } from "@/testing/servers/builds";
import { freePort } from "@/scripts/lib/ports.mjs";
import type { TestServers } from "@/testing/servers/test-servers";
import { behindWebServer, siteUrl, startCaddy, type WebServer } from "@/testing/servers/web-server";

/** Starts the deployed build behind a web server with the shipped configuration. */
export async function startDeployedSite(
  servers: TestServers,
  options: { port?: number; database?: number },
): Promise<WebServer> {
  // The certificate of the web server is self-signed.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const { port = await freePort(), database } = options;
  // The setting must not contain the default port.
  const SITE_URL = new URL(siteUrl(port)).origin;
  const env = { ...behindWebServer(port), SITE_URL, TEST_RATE_LIMIT_SCALE: "1000000" };
  const app = await servers.start({ build: "deployed", database, env });
  return servers.keep(startCaddy({ release: buildFolder("deployed"), upstream: app.port, port }));
}
