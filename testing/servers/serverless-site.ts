import { existsSync } from "node:fs";
import { root } from "@/scripts/lib/processes.mjs";
import { sessionSecret, startServer, type AppServer } from "./app-server";
import { buildFolder, serverlessBuilds } from "./builds";
import { makeCertificate } from "./certificate";

/** The content of HOST_OPTIONS, as JSON, which e2e/serverless/host.ts reads. */
export interface HostOptions {
  /** Number of instances of each function. They respond in turn. The default is 1. */
  instances?: number;
  /** Freezes an instance when it has no request, as hosts do that bill by the second. */
  freezes?: boolean;
  /** Folder of the output. */
  folder: string;
  cert: string;
  key: string;
  /** Replaces the address headers of requests. Most tests choose their own address. */
  overwritesAddress?: boolean;
}

export interface ServerlessOptions extends Omit<HostOptions, "folder" | "cert" | "key"> {
  /** A server with Upstash's REST API. */
  upstash: { url: string; token: string };
  env?: Record<string, string | undefined>;
}

/** Starts the emulated host (e2e/serverless/host.ts) with the output of scripts/build-variants.mjs, over https. */
export function startServerlessSite({ upstash, env, ...hostOptions }: ServerlessOptions): Promise<AppServer> {
  const folder = buildFolder("serverless");
  if (!existsSync(folder)) {
    throw new Error(`There is no such output. Run node scripts/build-variants.mjs serverless first.`);
  }
  const certificate = makeCertificate();
  const options: HostOptions = { folder, ...certificate.readServer(), ...hostOptions };
  certificate.remove();
  return startServer({
    folder: root,
    command: ["--import", "tsx", "e2e/serverless/host.ts"],
    // This path calls no function, so all functions are still cold.
    path: "/faq",
    scheme: "https",
    env: {
      HOST_OPTIONS: JSON.stringify(options),
      ...serverlessBuilds.production,
      SESSION_SECRET: sessionSecret,
      UPSTASH_REDIS_REST_URL: upstash.url,
      UPSTASH_REDIS_REST_TOKEN: upstash.token,
      TEST_RATE_LIMIT_SCALE: "1000",
      ALTCHA_COST: "50",
      ...env,
      SITE_URL: env?.SITE_URL,
    },
  });
}
