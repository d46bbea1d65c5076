import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionSecret, startServer, type AppServer } from "./app-server";
import { buildsFolder, serverlessBuilds } from "./builds";
import { makeCertificate } from "./web-server";

const root = join(__dirname, "..", "..", "..");

export interface ServerlessOptions {
  /** Which output of scripts/build-serverless.mjs. */
  build?: keyof typeof serverlessBuilds;
  /** Where Upstash's protocol is spoken. */
  upstash: { url: string; token: string };
  /** How many instances of each function answer in turn. */
  instances?: number;
  /** Whether the host's shared cache stands in front. */
  caches?: boolean;
  /** Whether the host writes down who asks, whatever a request says of it. */
  overwritesAddress?: boolean;
  /** Whether instances are frozen between requests. */
  freezes?: boolean;
  env?: Record<string, string | undefined>;
}

/** Starts the host for tests (e2e/serverless/host.ts) with the product's output, over https. */
export async function startServerlessSite({
  build = "production",
  upstash,
  instances = 1,
  caches = false,
  overwritesAddress = false,
  freezes = false,
  env,
}: ServerlessOptions): Promise<AppServer> {
  const output = join(root, buildsFolder, build === "production" ? "serverless" : `serverless-${build}`);
  if (!existsSync(output)) {
    throw new Error(`There is no such output: run node scripts/build-serverless.mjs ${build} first.`);
  }
  const folder = mkdtempSync(join(tmpdir(), "serverless-"));
  makeCertificate(folder);
  const server = await startServer({
    folder: root,
    command: ["--import", "tsx", "e2e/serverless/host.ts"],
    // Asks no function, so that the first request of a test finds each one cold.
    path: "/faq",
    urlOf: (port) => `https://localhost:${port}`,
    env: {
      HOST_OUTPUT: output,
      HOST_KEY: join(folder, "privkey.pem"),
      HOST_CERTIFICATE: join(folder, "fullchain.pem"),
      HOST_INSTANCES: String(instances),
      HOST_CACHES: caches ? "yes" : "no",
      HOST_FREEZES: freezes ? "yes" : "no",
      HOST_OVERWRITES_ADDRESS: overwritesAddress ? "yes" : "no",
      ...serverlessBuilds[build],
      SESSION_SECRET: sessionSecret,
      UPSTASH_REDIS_REST_URL: upstash.url,
      UPSTASH_REDIS_REST_TOKEN: upstash.token,
      BURST_LIMIT_SCALE: "1000",
      ALTCHA_COST: "50",
      ...env,
      SITE_URL: env?.SITE_URL,
    },
  });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
