/*
 * An emulated serverless host for tests. It serves a build's output over https, as the format documents it
 * (https://vercel.com/docs/build-output-api/configuration): routes in order, prerendered pages, files, functions and middleware.
 * `/_host/cron` calls the first cron entry. The environment contains HOST_OPTIONS and PORT.
 * The functions get all variables.
 */
import { fork, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer } from "node:https";
import { dirname, extname, join } from "node:path";
import { unescape } from "node:querystring";
import { buffer } from "node:stream/consumers";
import type { HostOptions } from "@/testing/servers/serverless-site";

/** A request, with the changes that routes have made. */
interface RoutedRequest {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  responseHeaders: IncomingHttpHeaders;
  /** The status of a matching route, which sends the error page. */
  status?: number;
}

interface HostResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Instance {
  child: ChildProcess;
  /** Rejects if the instance refuses its settings. */
  port: Promise<number>;
  openRequests: number;
}

/** Builds of the product have no other conditions. */
interface Condition {
  type: "header";
  key: string;
  value?: string;
}

interface Route {
  src: string;
  dest?: string;
  status?: number;
  headers?: Record<string, string>;
  has?: Condition[];
  missing?: Condition[];
  check?: boolean;
  middlewarePath?: string;
}

interface Configuration {
  routes: (Route | { handle: string })[];
  overrides: Record<string, { path?: string; contentType?: string }>;
  crons: { path: string }[];
}

/** A file, which can be a prerendered page, or the folder of a function. */
type Target = { file: string; headers: Record<string, string> } | { folder: string; path: string };

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "application/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const options = JSON.parse(process.env.HOST_OPTIONS ?? "") as HostOptions;
const { routes, overrides, crons } = readJson<Configuration>(join(options.folder, "config.json"));
/** The instances of functions. They start at their first request. */
const instances = new Map<string, Instance>();
let calls = 0;

const server = createServer({ key: options.key, cert: options.cert }, (incoming, outgoing) => {
  respond(incoming, outgoing).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    outgoing.writeHead(500).end();
  });
});
server.listen(Number(process.env.PORT));
process.once("SIGTERM", () => process.exit(0));
process.once("exit", () => {
  for (const { child } of instances.values()) child.kill("SIGKILL");
});

async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = await readRequest(incoming);
  if (request.path === "/_host/cron") {
    request.path = crons[0]?.path ?? "";
    request.headers.authorization = `Bearer ${process.env.CRON_SECRET}`;
  }
  const { status, headers, body } = await route(request);
  outgoing.writeHead(status, headers).end(body);
}

async function readRequest(incoming: IncomingMessage): Promise<RoutedRequest> {
  const { method = "GET", url = "/", headers, socket } = incoming;
  const [path = "/", ...query] = url.split("?");
  const address = socket.remoteAddress;
  return {
    method,
    path,
    query: query.join("?"),
    headers: {
      "x-real-ip": address,
      ...headers,
      ...(options.overwritesAddress && { "x-real-ip": address, "x-forwarded-for": address }),
      "x-forwarded-host": headers.host,
      "x-forwarded-proto": "https",
    },
    body: await buffer(incoming),
    responseHeaders: {},
  };
}

async function route(request: RoutedRequest): Promise<HostResponse> {
  let hasRunMiddleware = false;
  for (const each of routesOf("start")) {
    if (!each.middlewarePath) {
      applyRoute(each, request);
    } else if (!hasRunMiddleware && matchRoute(each, request)) {
      hasRunMiddleware = true;
      const response = await runMiddleware(each.middlewarePath, request);
      if (response) return response;
    }
  }
  let target = request.status === undefined ? find(request.path) : undefined;
  for (const each of [...routesOf("filesystem"), ...routesOf("rewrite")]) {
    if (target) break;
    const { path } = request;
    applyRoute(each, request);
    if (request.path !== path) target = find(request.path);
  }
  if (target) return serve(target, request);
  const status = request.status ?? 404;
  const page = find(routesOf("error").find((each) => each.status === status)?.dest ?? "");
  if (!page) throw new Error(`The output has no error page for ${status}.`);
  return { ...(await serve(page, request)), status };
}

/** Returns the routes of a phase. The routes before the first `handle` have the phase "start". */
function routesOf(wanted: string): Route[] {
  let phase = "start";
  return routes.filter((each): each is Route => {
    if ("handle" in each) phase = each.handle;
    return !("handle" in each) && phase === wanted;
  });
}

/** Applies the headers, the status and the new path of a route to the request, if the route matches. */
function applyRoute(each: Route, request: RoutedRequest): void {
  const match = matchRoute(each, request);
  if (!match) return;
  for (const [name, value] of Object.entries(each.headers ?? {}))
    request.responseHeaders[name.toLowerCase()] = fillIn(value, match);
  if (each.status !== undefined && !each.check) request.status = each.status;
  if (each.dest !== undefined) request.path = fillIn(each.dest, match);
}

function matchRoute({ src, has = [], missing = [] }: Route, request: RoutedRequest): RegExpExecArray | null {
  const meets = ({ key, value = ".*" }: Condition) => {
    const actual = request.headers[key.toLowerCase()];
    return actual !== undefined && new RegExp(`^(?:${value})$`).test(String(actual));
  };
  if (!has.every(meets) || missing.some(meets)) return null;
  // The host compares the whole path, even if the pattern has no anchors.
  return new RegExp(`^(?:${src.replace(/^\^|\$$/g, "")})$`, "i").exec(request.path);
}

/** Replaces `$1` and `$name` with the groups of the match. */
function fillIn(text: string, match: RegExpExecArray): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => match.groups?.[name] ?? match[Number(name)] ?? "");
}

/** Returns a response if the middleware sends one itself. Otherwise, changes the request. */
async function runMiddleware(path: string, request: RoutedRequest): Promise<HostResponse | undefined> {
  const { status, headers, body } = await callFunction(functionAt(path), request);
  const { "x-middleware-next": next, "x-middleware-rewrite": rewrite } = headers;
  const overridden = headers["x-middleware-override-headers"]?.toString().split(",");
  if (overridden)
    request.headers = Object.fromEntries(
      overridden.map((name) => [name, headers[`x-middleware-request-${name}`]]),
    );
  for (const [name, value] of Object.entries(headers))
    if (!name.startsWith("x-middleware-")) request.responseHeaders[name] = value;
  if (rewrite === undefined && next === undefined) return { status, headers: request.responseHeaders, body };
  if (rewrite !== undefined) {
    const url = new URL(String(rewrite), `https://${request.headers.host}`);
    if (url.host !== request.headers.host) throw new Error(`The middleware rewrites to ${url.host}.`);
    request.path = url.pathname;
    request.query = url.search.slice(1);
  }
  return undefined;
}

/** Finds what the output contains for a path. */
function find(path: string): Target | undefined {
  const name = unescape(path).replace(/^\/|\/$/g, "") || "index";
  if (name.includes("..")) return undefined;
  const renamed = Object.entries(overrides).find(([, override]) => override.path === name);
  const [staticName, { contentType }] = renamed ?? [name, overrides[name] ?? {}];
  const file = join(options.folder, "static", staticName);
  if (statSync(file, { throwIfNoEntry: false })?.isFile())
    return { file, headers: { "content-type": contentType ?? typeOf(file) } };
  const prerender = join(options.folder, "functions", `${name}.prerender-config.json`);
  if (existsSync(prerender)) {
    const { fallback, initialHeaders } = readJson<{
      fallback: { fsPath: string };
      initialHeaders: Record<string, string>;
    }>(prerender);
    const page = join(dirname(prerender), fallback.fsPath);
    const headers = { "content-type": typeOf(page), "x-vercel-cache": "PRERENDER", ...initialHeaders };
    return { file: page, headers };
  }
  const folder = functionAt(name);
  return existsSync(folder) ? { folder, path: `/${name}` } : undefined;
}

function functionAt(path: string): string {
  return join(options.folder, "functions", `${path}.func`);
}

function typeOf(file: string): string {
  return types[extname(file)] ?? "application/octet-stream";
}

async function serve(target: Target, request: RoutedRequest): Promise<HostResponse> {
  if ("folder" in target) {
    const headers = { ...request.headers, "x-matched-path": target.path };
    const response = await callFunction(target.folder, { ...request, headers });
    return { ...response, headers: { ...request.responseHeaders, ...response.headers } };
  }
  const body = readFileSync(target.file);
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`;
  const headers: IncomingHttpHeaders = { ...target.headers, ...request.responseHeaders, etag };
  // The host's cache obeys these directives, and removes them.
  headers["cache-control"] &&= headers["cache-control"]
    .split(/,\s*/)
    .filter((directive) => !/^(?:s-maxage|stale-while-revalidate)=/.test(directive))
    .join(", ");
  if (request.headers["if-none-match"]?.includes(etag))
    return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: 200, headers, body };
}

/** Sends a request to an instance of the function in `folder`. */
async function callFunction(folder: string, request: RoutedRequest): Promise<HostResponse> {
  // A function can have several names, which are links to one folder.
  const target = realpathSync(folder);
  const key = `${target} ${calls++ % (options.instances ?? 1)}`;
  const instance = instances.get(key) ?? startInstance(key, target);
  instance.openRequests += 1;
  instance.child.kill("SIGCONT");
  try {
    return await send(await instance.port, request);
  } catch {
    return { status: 500, headers: {}, body: Buffer.alloc(0) };
  } finally {
    instance.openRequests -= 1;
    if (options.freezes && instance.openRequests === 0) instance.child.kill("SIGSTOP");
  }
}

function startInstance(key: string, folder: string): Instance {
  const child = fork(join(__dirname, "instance.mjs"), [folder], { cwd: folder, execArgv: [] });
  const port = new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("exit", () => {
      if (instances.get(key)?.child === child) instances.delete(key);
      reject(new Error("The instance has ended."));
    });
  });
  const instance = { child, port, openRequests: 0 };
  instances.set(key, instance);
  return instance;
}

async function send(port: number, request: RoutedRequest): Promise<HostResponse> {
  const { method, query, headers, body } = request;
  const path = query ? `${request.path}?${query}` : request.path;
  const outgoing = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false });
  outgoing.on("error", () => undefined).end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const sent = { ...response.headers };
  // These headers belong to the connection between host and function.
  for (const name of ["connection", "keep-alive", "transfer-encoding"]) delete sent[name];
  return { status: response.statusCode ?? 0, headers: sent, body: await buffer(response) };
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, "utf8")) as Content;
}
