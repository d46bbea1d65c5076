import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionSecret, startServer, type AppServer } from "./app-server";
import { buildsFolder, serverlessBuilds } from "./builds";
import { makeCertificate } from "./web-server";

const root = join(__dirname, "..", "..", "..");

export interface ServerlessOptions {
  /** An output of scripts/build-serverless.mjs. */
  build?: keyof typeof serverlessBuilds;
  /** A server with Upstash's REST API. */
  upstash: { url: string; token: string };
  /** Number of instances of each function. They respond in turn. */
  instances?: number;
  /** The host replaces the address headers of requests. */
  overwritesAddress?: boolean;
  /** Idle instances are frozen. */
  freezes?: boolean;
  env?: Record<string, string | undefined>;
}

/** Starts the emulated host (e2e/serverless/host.ts) with an output of the product, over https. */
export async function startServerlessSite({
  build = "production",
  upstash,
  instances = 1,
  overwritesAddress = false,
  freezes = false,
  env,
}: ServerlessOptions): Promise<AppServer> {
  const output = join(root, buildsFolder, build === "production" ? "serverless" : `serverless-${build}`);
  if (!existsSync(output)) {
    throw new Error(`There is no such output. Run node scripts/build-serverless.mjs ${build} first.`);
  }
  const folder = mkdtempSync(join(tmpdir(), "serverless-"));
  makeCertificate(folder);
  const server = await startServer({
    folder: root,
    command: ["--import", "tsx", "e2e/serverless/host.ts"],
    // This path calls no function, so all functions are still cold.
    path: "/faq",
    urlOf: (port) => `https://localhost:${port}`,
    env: {
      HOST_OUTPUT: output,
      HOST_KEY: join(folder, "privkey.pem"),
      HOST_CERTIFICATE: join(folder, "fullchain.pem"),
      HOST_INSTANCES: String(instances),
      HOST_FREEZES: freezes ? "yes" : "no",
      HOST_OVERWRITES_ADDRESS: overwritesAddress ? "yes" : "no",
      ...serverlessBuilds[build],
      SESSION_SECRET: sessionSecret,
      UPSTASH_REDIS_REST_URL: upstash.url,
      UPSTASH_REDIS_REST_TOKEN: upstash.token,
      TEST_RATE_LIMIT_SCALE: "1000",
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
