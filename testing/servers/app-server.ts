import { existsSync } from "node:fs";
import { join } from "node:path";
import { accepts, freePort, untilHealthy } from "@/scripts/lib/ports.mjs";
import { root, startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { buildFolder, builds } from "./builds";

/** Seals the cookies of the servers. Tests can seal cookies with it, too. */
export const sessionSecret = "session-secret-of-the-tests-0123456789";
const startTimeoutMs = 60_000;

export type AppServer = Awaited<ReturnType<typeof startServer>>;

export interface AppOptions {
  /** A standalone output of builds.ts with its settings. The default is the build in the checkout. */
  build?: keyof typeof builds;
  /** The folder of another standalone output. */
  folder?: string;
  /** Undefined if `env` contains the address of a REST API. */
  redisUrl?: string;
  /** Additional settings. Undefined removes a variable. */
  env?: Record<string, string | undefined>;
  /** The default is a free port. */
  port?: number;
  /** The Node program. The default is the one that runs the tests. */
  program?: string;
}

/** Starts the production build without the environment of the developer. */
export async function startApp(options: AppOptions): Promise<AppServer> {
  const { build, folder, redisUrl, env = {}, ...rest } = options;
  const standalone = folder ?? (build && buildFolder(build));
  if (!existsSync(join(standalone ?? root, ".next", "BUILD_ID"))) {
    throw new Error(
      `There is no such build: run ${build ? "node scripts/build-variants.mjs" : "npm run build"} first.`,
    );
  }
  return startServer({
    folder: standalone ?? root,
    command: standalone ? ["server.js"] : ["scripts/start.mjs", "start"],
    ...rest,
    path: "/api/health",
    env: {
      ...(build && builds[build]),
      SESSION_SECRET: sessionSecret,
      VISITOR_HASH_SECRET: "visitor-secret-of-the-tests-0123456789",
      REDIS_URL: redisUrl,
      RECONCILE_EVERY_SECONDS: "0",
      // The tests solve hundreds of captchas. docs/decisions/0004-captcha.md has the duration with the real cost.
      ALTCHA_COST: "50",
      ...env,
      // A build can have an https SITE_URL. Clients would not send its cookies over http.
      SITE_URL: env.SITE_URL,
    },
  });
}

interface ServerOptions {
  folder: string;
  /** Arguments of Node. The default is `next start`. */
  command?: string[];
  port?: number;
  program?: string;
  /** Responds with 200 when the server has started. */
  path: string;
  scheme?: "http" | "https";
  env: Record<string, string | undefined>;
}

/** Starts a production build of Next.js, and waits until it responds. */
export async function startServer({
  folder,
  command = ["node_modules/next/dist/bin/next", "start"],
  port: wanted,
  program = process.execPath,
  path,
  scheme = "http",
  env,
}: ServerOptions) {
  const port = wanted ?? (await freePort());
  // Otherwise, the responses of another server would look like those of this one.
  if (await accepts(port)) throw new Error(`Port ${port} is in use by another program.`);
  const url = `${scheme}://localhost:${port}`;
  const complete: Record<string, string | undefined> = {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    // Next.js then ignores .env files.
    __NEXT_PROCESSED_ENV: "true",
    PORT: String(port),
    ...env,
    SITE_URL: env.SITE_URL ?? url,
  };
  const running = startInBackground(program, command, { cwd: folder, env: complete });
  if (!(await untilHealthy(url + path, running, startTimeoutMs, 40))) {
    await stop(running, "SIGKILL");
    throw new Error(`The server of ${url} did not start. It wrote:\n${running.output()}`);
  }
  return {
    /** The SITE_URL unless `env` contains another. */
    url,
    port,
    pid: running.child.pid ?? 0,
    /** Sends SIGTERM, and SIGKILL after 10 seconds. Returns the exit status. */
    stop: () => stop(running).then(() => running.ended),
    /** Sends SIGKILL to the process group. */
    kill: () => stop(running, "SIGKILL"),
    /** Returns all output so far. */
    output: () => running.output(),
  };
}
