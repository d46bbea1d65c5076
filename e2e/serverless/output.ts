import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { unescape } from "node:querystring";

/* The format of a build's output: https://vercel.com/docs/build-output-api/configuration */

export interface Condition {
  type: "header" | "cookie";
  key: string;
  value?: string;
}

export interface Route {
  src: string;
  dest?: string;
  status?: number;
  headers?: Record<string, string>;
  has?: Condition[];
  missing?: Condition[];
  check?: boolean;
  middlewarePath?: string;
}

/** The phases of the routing. The routes before the first `handle` have the phase `start`. */
type Phase = "start" | "filesystem" | "resource" | "miss" | "rewrite" | "hit" | "error";

interface Configuration {
  routes: (Route | { handle: Phase })[];
  overrides: Record<string, { path?: string; contentType?: string }>;
  crons: { path: string }[];
}

/** A file, which can be a prerendered page, or a function. */
export type Target =
  | { kind: "file"; file: string; headers: Record<string, string> }
  | { kind: "function"; folder: string; path: string };

export class Output {
  readonly routes: Record<Phase, Route[]>;
  /** Path of the first cron entry. */
  readonly cronPath: string | undefined;
  readonly #folder: string;
  readonly #overrides: Configuration["overrides"];

  constructor(folder: string) {
    const { routes, overrides, crons } = readJson<Configuration>(join(folder, "config.json"));
    this.#folder = folder;
    this.#overrides = overrides;
    this.cronPath = crons[0]?.path;
    this.routes = { start: [], filesystem: [], resource: [], miss: [], rewrite: [], hit: [], error: [] };
    let phase: Phase = "start";
    for (const route of routes) {
      if ("handle" in route) phase = route.handle;
      else this.routes[phase].push(route);
    }
  }

  functionAt(path: string): string {
    return join(this.#folder, "functions", `${path}.func`);
  }

  /** Finds what the output contains for a path. */
  find(path: string): Target | undefined {
    const name = unescape(path).replace(/^\/|\/$/g, "") || "index";
    if (name.includes("..")) return undefined;
    const renamed = Object.entries(this.#overrides).find(([, override]) => override.path === name);
    const [staticName, { contentType }] = renamed ?? [name, this.#overrides[name] ?? {}];
    const file = join(this.#folder, "static", staticName);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
      return { kind: "file", file, headers: { "content-type": contentType ?? typeOf(file) } };
    }
    const prerender = join(this.#folder, "functions", `${name}.prerender-config.json`);
    if (existsSync(prerender)) return findPrerendered(prerender);
    const folder = this.functionAt(name);
    return existsSync(folder) ? { kind: "function", folder, path: `/${name}` } : undefined;
  }
}

function findPrerendered(prerender: string): Target {
  const { fallback, initialHeaders } = readJson<{
    fallback: { fsPath: string };
    initialHeaders: Record<string, string>;
  }>(prerender);
  const file = join(dirname(prerender), fallback.fsPath);
  const headers = { "content-type": typeOf(file), "x-vercel-cache": "PRERENDER", ...initialHeaders };
  return { kind: "file", file, headers };
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "application/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

function typeOf(file: string): string {
  return types[extname(file)] ?? "application/octet-stream";
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, "utf8")) as Content;
}
