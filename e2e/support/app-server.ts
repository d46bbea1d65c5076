import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { builds, buildsFolder } from "./builds";
import { freePort, isTaken } from "./ports";
import { detachFromEventLoop, killWhenTestsEnd, signalGroup } from "./watchdog";

const root = join(__dirname, "..", "..");
/** Seals the servers' cookies; tests that skip the human check seal their own. */
export const sessionSecret = "session-secret-of-the-tests-0123456789";
const startTimeoutMs = 60_000;
const stopTimeoutMs = 10_000;

export interface AppServer {
  /** `http://localhost:<port>`, which is also its SITE_URL unless `env` says otherwise. */
  readonly url: string;
  readonly port: number;
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
  /** Redis over TCP; without it `env` names one over REST. */
  redisUrl?: string;
  /** On top of the minimal environment below; undefined takes a variable out of it. */
  env?: Record<string, string | undefined>;
  /** For a second process that takes over from a first. */
  port?: number;
}

/** Set by scripts/e2e.mjs: the standalone output to run in place of the default build. */
const standaloneFolder = process.env.E2E_STANDALONE_FOLDER;

/** Starts the production build, in an environment that holds nothing of the developer's own. */
export async function startApp({ build, redisUrl, env = {}, port: wanted }: AppOptions): Promise<AppServer> {
  const standalone = build ? join(root, buildsFolder, build) : standaloneFolder;
  const folder = standalone ?? root;
  if (!existsSync(join(folder, ".next", "BUILD_ID"))) {
    throw new Error(
      `There is no such build: run ${build ? "node scripts/build-variants.mjs" : "npm run build"} first.`,
    );
  }
  const port = wanted ?? (await freePort());
  // The health of some other server there would be taken for this one's.
  if (await isTaken(port)) throw new Error(`Port ${port} is in use by another program.`);
  const command = standalone
    ? ["server.js"]
    : ["node_modules/next/dist/bin/next", "start", "-p", String(port)];
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: minimalEnvironment(port, redisUrl, {
      ...(build && builds[build]),
      SITE_URL: undefined,
      PORT: String(port),
      ...env,
    }),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const running = watch(child);

  await untilHealthy(port, running, () => output);
  return {
    url: `http://localhost:${port}`,
    port,
    stop: () => end(running, "SIGTERM"),
    kill: () => end(running, "SIGKILL"),
    output: () => output,
  };
}

function minimalEnvironment(
  port: number,
  redisUrl: string | undefined,
  env: AppOptions["env"],
): NodeJS.ProcessEnv {
  const complete: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // Next.js takes .env files for loaded already: a developer's own must not change what is tested.
    __NEXT_PROCESSED_ENV: "true",
    SESSION_SECRET: sessionSecret,
    VISITOR_HASH_SECRET: "visitor-secret-of-the-tests-0123456789",
    REDIS_URL: redisUrl,
    RECONCILE_EVERY_SECONDS: "0",
    // The human check is worked out hundreds of times; how long it takes as configured, decision 0004 has measured.
    ALTCHA_COST: "50",
    ...env,
    // Cookies for https would not come back over http: in the tests only a test that wants them sets it.
    SITE_URL: env?.SITE_URL ?? `http://localhost:${port}`,
  };
  return Object.fromEntries(
    Object.entries(complete).filter(([, value]) => value !== undefined),
  ) as unknown as NodeJS.ProcessEnv;
}

/** A process of a test, and its end. */
export interface Running {
  child: ChildProcess;
  ended: Promise<void>;
}

/** Sees to it that a process group ends with the tests, and does not keep them from ending. */
export function watch(child: ChildProcess): Running {
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  if (child.pid !== undefined) {
    const release = killWhenTestsEnd(-child.pid);
    void ended.then(release);
  }
  detachFromEventLoop(child);
  return { child, ended };
}

async function untilHealthy(port: number, running: Running, output: () => string): Promise<void> {
  let gone = false;
  void running.ended.then(() => (gone = true));
  const deadline = Date.now() + startTimeoutMs;
  let lastAnswer = "no answer";
  while (!gone && Date.now() < deadline) {
    lastAnswer = await askHealth(port);
    if (lastAnswer === "200" && !gone) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const reason = gone ? "ended while starting" : `did not become healthy (last: ${lastAnswer})`;
  await end(running, "SIGKILL");
  throw new Error(`The server on port ${port} ${reason}. It wrote:\n${output()}`);
}

async function askHealth(port: number): Promise<string> {
  try {
    const response = await fetch(`http://localhost:${port}/api/health`, {
      signal: AbortSignal.timeout(5_000),
    });
    await response.arrayBuffer();
    return String(response.status);
  } catch (error) {
    return String(error);
  }
}

/** Ends a process group: by force when the signal is not heard. */
export async function end({ child, ended }: Running, signal: NodeJS.Signals): Promise<void> {
  const leader = child.pid;
  if (leader === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    signalGroup(leader, signal);
    // The timer also holds the event loop open meanwhile: the child does not.
    const impatience = setTimeout(() => signalGroup(leader, "SIGKILL"), stopTimeoutMs);
    await ended;
    clearTimeout(impatience);
  }
}
