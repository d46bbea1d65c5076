import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/* The format of a build's output: https://vercel.com/docs/build-output-api/configuration */

export interface Condition {
  type: "header" | "cookie" | "query" | "host";
  key?: string;
  value?: string;
}

export interface Route {
  src?: string;
  handle?: Phase;
  dest?: string;
  status?: number;
  headers?: Record<string, string>;
  methods?: string[];
  has?: Condition[];
  missing?: Condition[];
  check?: boolean;
  middlewarePath?: string;
}

export type Phase = "filesystem" | "rewrite" | "resource" | "miss" | "hit" | "error";

/** A file, a prerendered page, or a function. */
export type Target =
  | { kind: "file"; file: string; headers: Record<string, string>; status: number; prerendered: boolean }
  | { kind: "function"; folder: string; path: string };

interface Configuration {
  routes: Route[];
  overrides: Record<string, { path?: string; contentType?: string }>;
  crons: { path: string; schedule: string }[];
}

export class Output {
  readonly configuration: Configuration;
  readonly #folder: string;
  readonly #static = new Map<string, { file: string; contentType?: string }>();

  constructor(folder: string) {
    this.#folder = folder;
    this.configuration = readJson<Configuration>(join(folder, "config.json"));
    const root = join(folder, "static");
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const name = relative(root, join(entry.parentPath, entry.name));
      const { path = name, contentType } = this.configuration.overrides[name] ?? {};
      this.#static.set(path, { file: join(root, name), contentType });
    }
  }

  /** Returns the routes of a phase. Routes before the first phase have the phase null. */
  routes(phase: Phase | null): Route[] {
    let current: Phase | null = null;
    return this.configuration.routes.filter((route) => {
      if (route.handle) current = route.handle;
      return !route.handle && current === phase;
    });
  }

  functionAt(path: string): string {
    return join(this.#folder, "functions", `${path.replace(/^\//, "")}.func`);
  }

  find(path: string): Target | undefined {
    const name = decoded(path).replace(/^\/|\/$/g, "") || "index";
    const file = this.#static.get(name);
    if (file) return { kind: "file", ...file, headers: typeOf(file), status: 200, prerendered: false };
    const functions = join(this.#folder, "functions");
    const prerender = join(functions, `${name}.prerender-config.json`);
    if (name.includes("..")) return undefined;
    if (existsSync(prerender)) return this.#prerendered(prerender);
    const folder = this.functionAt(name);
    return existsSync(folder)
      ? { kind: "function", folder, path: name === "index" ? "/" : `/${name}` }
      : undefined;
  }

  #prerendered(prerender: string): Target {
    const { fallback, initialHeaders, initialStatus } = readJson<{
      fallback: { fsPath: string; contentType?: string };
      initialHeaders?: Record<string, string>;
      initialStatus?: number;
    }>(prerender);
    const file = join(prerender, "..", fallback.fsPath);
    const headers = { ...typeOf({ file, contentType: fallback.contentType }), ...initialHeaders };
    return { kind: "file", file, headers, status: initialStatus ?? 200, prerendered: true };
  }
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, "utf8")) as Content;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "application/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
  txt: "text/plain; charset=utf-8",
  rsc: "text/x-component",
};

function typeOf({ file, contentType }: { file: string; contentType?: string }): Record<string, string> {
  return {
    "content-type": contentType ?? types[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream",
  };
}
