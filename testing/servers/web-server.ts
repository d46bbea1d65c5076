import { execFileSync } from "node:child_process";
import dns from "node:dns";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, startInBackground, stop, type Running } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { freePort } from "../ports";

/** A web server with a shipped configuration, in front of a process. */
export interface WebServer {
  /** `https://likes.localhost:<port>`. Caddy creates a certificate for it. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
  output(): string;
}

export interface WebServerOptions {
  /** A standalone output with its web folder. */
  release: string;
  /** Port of the process. */
  upstream: number;
  port: number;
  /** Networks of a CDN in front of the web server. */
  trustedProxies?: string;
}

/** Creates the folder of a deployed site with one release (docs/deploy-systemd.md). */
export function installRelease(home: string, release: string): void {
  mkdirSync(join(home, "assets"), { recursive: true });
  cpSync(join(release, "web", "assets"), join(home, "assets"), { recursive: true });
  rmSync(join(home, "current"), { force: true });
  symlinkSync(release, join(home, "current"));
}

/** Returns the URL of the site behind a web server on this port. Names under .localhost are names of this machine. */
export const siteUrl = (port: number): string => `https://likes.localhost:${port}`;

/** Returns the settings of a process behind a web server on this port. */
export const behindWebServer = (port: number) => ({
  SITE_URL: siteUrl(port),
  TRUSTED_IP_HEADER: undefined,
  TRUSTED_PROXY_HOPS: "1",
});

/** Starts Caddy with deploy/Caddyfile, which reads its settings from the environment. */
export async function startCaddy({ release, ...options }: WebServerOptions): ReturnType<typeof startCaddyAt> {
  const home = mkdtempSync(join(tmpdir(), "caddy-"));
  installRelease(home, release);
  return launchCaddy(home, { home, ...options });
}

/** Starts Caddy with another Caddyfile, which reads SITE_URL, UPSTREAM and HTTP_PORT. */
export function startCaddyWith(
  file: string,
  options: Pick<WebServerOptions, "upstream" | "port">,
): Promise<WebServer> {
  const home = mkdtempSync(join(tmpdir(), "caddy-"));
  return launchCaddy(home, { home, command: caddyCommand(file), ...options });
}

export interface CaddyOptions extends Omit<WebServerOptions, "release"> {
  /** Folder of a deployed site. The caller deletes it. */
  home: string;
  /** Port of the admin API, which reloads the configuration. By default, the API is off. */
  adminPort?: number;
  /** Command, if it is not Caddy with the shipped Caddyfile. */
  command?: string[];
}

/** Starts Caddy for a folder of a deployed site. Also returns the environment for `caddy reload`. */
export function startCaddyAt(options: CaddyOptions): Promise<WebServer & { env: NodeJS.ProcessEnv }> {
  return launchCaddy(mkdtempSync(join(tmpdir(), "caddy-")), options);
}

export const caddyfile = join(root, "deploy", "Caddyfile");
const caddyCommand = (file: string) => [
  requireProgram("caddy"),
  ...["run", "--config", file, "--adapter", "caddyfile"],
];

async function launchCaddy(
  state: string,
  { home, upstream, port, trustedProxies, adminPort, command = caddyCommand(caddyfile) }: CaddyOptions,
): Promise<WebServer & { env: NodeJS.ProcessEnv }> {
  const env = {
    NODE_ENV: "production" as const,
    PATH: process.env.PATH,
    HOME: state,
    XDG_DATA_HOME: join(state, "data"),
    XDG_CONFIG_HOME: join(state, "config"),
    SITE_URL: siteUrl(port),
    BOOST50_HOME: home,
    UPSTREAM: `127.0.0.1:${upstream}`,
    TRUSTED_PROXIES: trustedProxies,
    HTTP_PORT: String(await freePort()),
    CADDY_ADMIN: adminPort ? `localhost:${adminPort}` : "off",
  };
  const [program = "", ...args] = command;
  return { ...(await start(program, args, { home: state, port, env })), env };
}

/**
 * Starts nginx. `configure` returns the text of its block "http". It gets a folder with a certificate (`fullchain.pem` and
 * `privkey.pem`), to which nginx also writes access.log.
 */
export function startNginx(port: number, configure: (home: string) => string): Promise<WebServer> {
  const home = mkdtempSync(join(tmpdir(), "nginx-"));
  makeCertificate(home);
  const file = join(home, "nginx.conf");
  const main = `pid ${home}/nginx.pid; error_log stderr; ${process.getuid?.() === 0 ? "user root;" : ""} events {}`;
  writeFileSync(file, `${main}\nhttp { access_log ${home}/access.log;\n${configure(home)}\n}`);
  const env = { PATH: process.env.PATH };
  return start(requireProgram("nginx"), ["-c", file, "-g", "daemon off;"], { home, port, env });
}

function makeCertificate(folder: string): void {
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const name = ["-subj", "/CN=likes.localhost", "-addext", "subjectAltName=DNS:likes.localhost"];
  const kind = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
  ];
  execFileSync(requireProgram("openssl"), [...kind, ...files, ...name], { stdio: "ignore" });
}

async function start(
  program: string,
  args: string[],
  { home, port, env }: { home: string; port: number; env: Record<string, string | undefined> },
): Promise<WebServer> {
  resolveLocalNames();
  const running = startInBackground(program, args, { env });
  await untilListening(port, running);
  return {
    url: siteUrl(port),
    port,
    output: running.output,
    stop: async () => {
      await stop(running);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function untilListening(port: number, running: Running): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!running.hasEnded() && Date.now() < deadline) {
    // Caddy creates its certificate after it has begun to listen, so this needs a TLS handshake.
    const answers = await fetch(siteUrl(port), { signal: AbortSignal.timeout(2_000) }).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop(running, "SIGKILL");
  throw new Error(`The web server did not start. It wrote:\n${running.output()}`);
}

/** Resolves names under .localhost, because some resolvers do not. */
function resolveLocalNames(): void {
  const { lookup } = dns;
  const local = (name: string, ...rest: unknown[]) =>
    (lookup as (...args: unknown[]) => void)(name.endsWith(".localhost") ? "localhost" : name, ...rest);
  Object.assign(dns, { lookup: local });
}
