import dns from "node:dns";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/scripts/lib/ports.mjs";
import { root, startInBackground, stop } from "@/scripts/lib/processes.mjs";
import { requireProgram } from "@/scripts/lib/programs.mjs";
import { until } from "../until";
import { makeCertificate } from "./certificate";

/** A web server with a shipped configuration, in front of a process. */
export type WebServer = Awaited<ReturnType<typeof start>>;

interface CaddyOptions {
  /** Folder of a deployed site. The caller deletes it. */
  home?: string;
  /** A standalone output with its web folder, if there is no `home`. */
  release?: string;
  /** Port of the process. */
  upstream: number;
  port: number;
  /** Networks of a CDN in front of the web server. */
  trustedProxies?: string;
  /** Port of the admin API, which reloads the configuration. By default, the API is off. */
  adminPort?: number;
  /** Replaces deploy/Caddyfile. */
  file?: string;
}

export const caddyfile = join(root, "deploy", "Caddyfile");

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

/** Starts Caddy, whose Caddyfile reads its settings from the environment. Also returns this environment. */
export async function startCaddy(options: CaddyOptions) {
  const { release, upstream, port, trustedProxies, adminPort, file = caddyfile } = options;
  const state = mkdtempSync(join(tmpdir(), "caddy-"));
  const home = options.home ?? state;
  if (release) installRelease(home, release);
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
  const caddy = [requireProgram("caddy"), "run", "--config", file, "--adapter", "caddyfile"];
  return { ...(await start(caddy, { state, port, env })), env };
}

/**
 * Starts nginx. `configure` returns the text of its block "http". It gets a folder with a certificate (`fullchain.pem` and
 * `privkey.pem`), to which nginx also writes access.log.
 */
export function startNginx(port: number, configure: (home: string) => string): Promise<WebServer> {
  const state = mkdtempSync(join(tmpdir(), "nginx-"));
  const { certificate, key, remove } = makeCertificate();
  copyFileSync(certificate, join(state, "fullchain.pem"));
  copyFileSync(key, join(state, "privkey.pem"));
  remove();
  const file = join(state, "nginx.conf");
  const main = `pid ${state}/nginx.pid; error_log stderr; ${process.getuid?.() === 0 ? "user root;" : ""} events {}`;
  writeFileSync(file, `${main}\nhttp { access_log ${state}/access.log;\n${configure(state)}\n}`);
  const command = [requireProgram("nginx"), "-c", file, "-g", "daemon off;"];
  return start(command, { state, port, env: { PATH: process.env.PATH } });
}

async function start(
  [program = "", ...args]: string[],
  { state, port, env }: { state: string; port: number; env: Record<string, string | undefined> },
) {
  resolveLocalNames();
  const running = startInBackground(program, args, { env });
  // Caddy creates its certificate after it has begun to listen, so this needs a TLS handshake.
  const responds = () =>
    fetch(siteUrl(port), { signal: AbortSignal.timeout(2_000) }).then(
      () => true,
      () => running.hasEnded(),
    );
  await until("the web server responds", responds, 20_000).catch(() => stop(running, "SIGKILL"));
  if (running.hasEnded()) throw new Error(`The web server did not start. It wrote:\n${running.output()}`);
  return {
    url: siteUrl(port),
    port,
    output: running.output,
    stop: async () => {
      await stop(running);
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Resolves names under .localhost, because some resolvers do not. */
function resolveLocalNames(): void {
  const { lookup } = dns;
  const local = (name: string, ...rest: unknown[]) =>
    (lookup as (...args: unknown[]) => void)(name.endsWith(".localhost") ? "localhost" : name, ...rest);
  Object.assign(dns, { lookup: local });
}
