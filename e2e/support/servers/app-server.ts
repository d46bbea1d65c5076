import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { builds, buildsFolder } from "./builds";
import { freePort, isTaken } from "../ports";

/** Seals the servers' cookies; tests that skip the human check seal their own. */
export const sessionSecret = "session-secret-of-the-tests-0123456789";
const startTimeoutMs = 60_000;

export interface AppServer {
  /** `http://localhost:<port>`, which is also its SITE_URL unless `env` says otherwise. */
  readonly url: string;
  readonly port: number;
  /** Of the server's process, for its memory. */
  readonly pid: number;
  /** SIGTERM, and SIGKILL when that is not heard. Harmless when called twice. */
  stop(): Promise<void>;
  /** SIGKILL to the whole process group, as a crash would. */
  kill(): Promise<void>;
  /** Everything it wrote so far. */
  output(): string;
}

export interface AppOptions {
  /** One of the standalone outputs of builds.ts, with its settings; the default build unless given. */
  build?: keyof typeof builds;
  /** Another standalone output. */
  folder?: string;
  /** Redis over TCP; without it `env` names one over REST. */
  redisUrl?: string;
  /** On top of the minimal environment below; undefined takes a variable out of it. */
  env?: Record<string, string | undefined>;
  /** For a second process that takes over from a first. */
  port?: number;
  /** The Node that runs it, in place of the one that runs the tests. */
  program?: string;
}

/** Starts the production build, in an environment that holds nothing of the developer's own. */
export async function startApp({
  build,
  folder: given,
  redisUrl,
  env = {},
  port: wanted,
  program,
}: AppOptions): Promise<AppServer> {
  const standalone = given ?? (build && join(root, buildsFolder, build));
  const folder = standalone ?? root;
  if (!existsSync(join(folder, ".next", "BUILD_ID"))) {
    throw new Error(
      `There is no such build: run ${build ? "node scripts/build-variants.mjs" : "npm run build"} first.`,
    );
  }
  return startServer({
    folder,
    command: standalone ? ["server.js"] : ["scripts/http-server.mjs", "start"],
    port: wanted,
    program,
    path: "/api/health",
    env: {
      ...(build && builds[build]),
      SESSION_SECRET: sessionSecret,
      VISITOR_HASH_SECRET: "visitor-secret-of-the-tests-0123456789",
      REDIS_URL: redisUrl,
      RECONCILE_EVERY_SECONDS: "0",
      // The human check is worked out hundreds of times; how long it takes as configured, decision 0004 has measured.
      ALTCHA_COST: "50",
      ...env,
      // Cookies for https would not come back over http: in the tests only a test that wants them sets it.
      SITE_URL: env.SITE_URL,
    },
  });
}

interface ServerOptions {
  /** Where the build lies. */
  folder: string;
  /** What Node runs there: `next start` unless given. */
  command?: string[];
  port?: number;
  program?: string;
  /** What it answers with 200 once it has started. */
  path: string;
  /** Its address on a port; `http://localhost:<port>` unless given. */
  urlOf?: (port: number) => string;
  /**
   * Milliseconds between two questions whether it has started. Each takes a millisecond of the processors that it
   * starts on; who measures its start asks more often.
   */
  askEveryMs?: number;
  /** On top of what any server needs; SITE_URL is the server's own address unless given. */
  env: Record<string, string | undefined>;
}

/** Starts a production build of Next.js, on a free port unless told which, and waits for its first answer. */
export async function startServer({
  folder,
  command = ["node_modules/next/dist/bin/next", "start"],
  port: wanted,
  program = process.execPath,
  path,
  urlOf = (own) => `http://localhost:${own}`,
  askEveryMs = 40,
  env,
}: ServerOptions): Promise<AppServer> {
  const port = wanted ?? (await freePort());
  // The answers of some other server there would be taken for this one's.
  if (await isTaken(port)) throw new Error(`Port ${port} is in use by another program.`);
  const url = urlOf(port);
  const complete: Record<string, string | undefined> = {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    // Next.js takes .env files for loaded already: a developer's own must not change what is tested.
    __NEXT_PROCESSED_ENV: "true",
    PORT: String(port),
    ...env,
    SITE_URL: env.SITE_URL ?? url,
  };
  const running = startInBackground(program, command, { cwd: folder, env: complete });
  await untilAnswered(url + path, running, askEveryMs);
  return {
    url,
    port,
    pid: running.child.pid ?? 0,
    stop: () => stop(running),
    kill: () => stop(running, "SIGKILL"),
    output: running.output,
  };
}

async function untilAnswered(url: string, running: Running, askEveryMs: number): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  let lastAnswer = "no answer";
  while (!running.hasEnded() && Date.now() < deadline) {
    lastAnswer = await ask(url);
    if (lastAnswer === "200" && !running.hasEnded()) return;
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
  const reason = running.hasEnded()
    ? "ended while starting"
    : `did not answer with 200 (last: ${lastAnswer})`;
  await stop(running, "SIGKILL");
  throw new Error(`The server of ${url} ${reason}. It wrote:\n${running.output()}`);
}

async function ask(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return String(response.status);
  } catch (error) {
    return String(error);
  }
}
