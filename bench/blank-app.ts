import { execFile, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { promisify } from "node:util";
import { end, watch } from "@/e2e/support/app-server";
import { freePort } from "@/e2e/support/ports";

/*
 * A Next.js app with nothing in it, on this project's own packages: the framework's floor, which the product is compared
 * with.
 */

const root = join(__dirname, "..");
const next = join("node_modules", "next", "dist", "bin", "next");
const readyTimeoutMs = 30_000;

const sources: Record<string, string> = {
  "package.json": '{ "private": true }\n',
  // The packages lie behind a link, and Turbopack reads nothing outside of its root.
  "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(parse(root).root)} } };\n`,
  "app/layout.jsx":
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }\n',
  "app/page.jsx": "export default function Page() { return <p>Blank.</p>; }\n",
};

/**
 * Writes the app into a folder, which may be anywhere outside of this project.
 *
 * @param more further files, or others in place of these: path in the app -> content
 */
export function createBlankApp(folder: string, more: Record<string, string> = {}): void {
  for (const [path, content] of Object.entries({ ...sources, ...more })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
}

/** Makes its production build; throws with what the build wrote when it fails. */
export async function buildBlankApp(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [next, "build"], { cwd: folder, env: environment() }).catch(
    ({ stdout, stderr }: { stdout?: string; stderr?: string }) => {
      throw new Error(`The blank app was not built. It wrote:\n${stdout}${stderr}`);
    },
  );
}

export interface BlankApp {
  /** `http://localhost:<port>` */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts its build, on a free port unless told which, with `env` on top of a minimal environment. */
export async function startBlankApp(
  folder: string,
  { port: wanted, env }: { port?: number; env?: Record<string, string> } = {},
): Promise<BlankApp> {
  const port = wanted ?? (await freePort());
  const child = spawn(process.execPath, [next, "start", "-p", String(port)], {
    cwd: folder,
    env: environment(env),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const running = watch(child);
  let output = "";
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const stop = () => end(running, "SIGTERM");
  const url = `http://localhost:${port}`;
  const deadline = Date.now() + readyTimeoutMs;
  while (child.exitCode === null && Date.now() < deadline) {
    const status = await fetch(url).then(
      (answer) => answer.arrayBuffer().then(() => answer.status),
      () => 0,
    );
    if (status === 200 && child.pid !== undefined) return { url, port, pid: child.pid, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`The blank app did not start. It wrote:\n${output}`);
}

function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...more };
}
