/*
 * An emulated serverless host for tests. It serves a build's output over https, as the format documents it: routes in order,
 * prerendered pages, files, functions and middleware. `/_host/cron` calls the cron entries. `/_host/end` kills all instances.
 *
 * Environment variables: HOST_OUTPUT (folder of the output), HOST_KEY and HOST_CERTIFICATE (files), HOST_INSTANCES (instances
 * of each function), HOST_FREEZES ("yes": idle instances are frozen), HOST_OVERWRITES_ADDRESS ("yes": replaces the address
 * headers of requests; most tests choose their own address), PORT. The functions get all variables.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { buffer } from "node:stream/consumers";
import { Functions, type FunctionRequest, type HostResponse } from "./functions";
import { Output, type Condition, type Route, type Target } from "./output";

const {
  HOST_OUTPUT = "",
  HOST_KEY = "",
  HOST_CERTIFICATE = "",
  HOST_INSTANCES,
  HOST_FREEZES,
  PORT,
} = process.env;
const output = new Output(HOST_OUTPUT);
const functions = new Functions({ instances: Number(HOST_INSTANCES ?? 1), freezes: HOST_FREEZES === "yes" });

/** A request, with the changes that routes have made. */
interface RoutedRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
  responseHeaders: Record<string, string | string[]>;
  status: number | undefined;
}

const server = createServer(
  { key: readFileSync(HOST_KEY), cert: readFileSync(HOST_CERTIFICATE) },
  (request, response) =>
    void respond(request, response).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      response.writeHead(500).end();
    }),
);
server.listen(Number(PORT));
process.once("SIGTERM", () => process.exit(0));
process.once("exit", () => functions.stop());

async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = await readRequest(incoming);
  if (request.path === "/_host/end") {
    functions.stop();
    return void outgoing.writeHead(200).end("{}");
  }
  const { status, headers, body } = await (request.path === "/_host/cron"
    ? callCron(request)
    : route(request));
  outgoing.writeHead(status, headers);
  outgoing.end(request.method === "HEAD" ? undefined : body);
}

async function readRequest(incoming: IncomingMessage): Promise<RoutedRequest> {
  const [path = "/", ...query] = (incoming.url ?? "/").split("?");
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const address = incoming.socket.remoteAddress ?? "";
  return {
    method: incoming.method ?? "GET",
    path,
    query: query.join("?"),
    headers: {
      "x-real-ip": address,
      ...headers,
      ...(process.env.HOST_OVERWRITES_ADDRESS === "yes" && {
        "x-real-ip": address,
        "x-forwarded-for": address,
      }),
      "x-forwarded-host": headers.host ?? "",
      "x-forwarded-proto": "https",
    },
    body: await buffer(incoming),
    responseHeaders: {},
    status: undefined,
  };
}

/** Calls the first cron entry with the secret of the project, as the host does. */
function callCron(request: RoutedRequest): Promise<HostResponse> {
  const [cron] = output.configuration.crons;
  if (!cron) throw new Error("The output has no cron entry.");
  const authorization = `Bearer ${process.env.CRON_SECRET}`;
  const headers = { ...request.headers, authorization, "user-agent": "vercel-cron/1.0" };
  return route({ ...request, method: "GET", path: cron.path, headers });
}

async function route(request: RoutedRequest): Promise<HostResponse> {
  const routes = output.routes(null);
  const middleware = routes.find((each) => each.middlewarePath && matchRoute(each, request));
  for (const each of routes.filter(
    ({ middlewarePath }) => !middlewarePath || middlewarePath === middleware?.middlewarePath,
  )) {
    const response = await applyRoute(each, request);
    if (response) return response;
  }
  const found = output.find(request.path);
  if (found && request.status === undefined) return serve(found, request);
  for (const phase of ["filesystem", "rewrite"] as const) {
    for (const each of output.routes(phase)) {
      const { path } = request;
      const response = await applyRoute(each, request);
      if (response) return response;
      const target = path === request.path ? undefined : output.find(request.path);
      if (target) return serve(target, request);
    }
  }
  const error = output.routes("error").find(({ status }) => status === (request.status ?? 404));
  const target = output.find(error?.dest ?? "/404");
  if (!target) throw new Error("The output has no error page.");
  return { ...(await serve(target, request)), status: error?.status ?? 404 };
}

/** Applies a route to the request. Returns a response only if middleware sends one. */
async function applyRoute(each: Route, request: RoutedRequest): Promise<HostResponse | undefined> {
  const match = matchRoute(each, request);
  if (!match) return undefined;
  if (each.middlewarePath) return runMiddleware(each.middlewarePath, request);
  Object.assign(request.responseHeaders, headersOf(each, match));
  if (each.status !== undefined && !each.check) request.status = each.status;
  if (each.dest === undefined) return undefined;
  const [path = "", query] = fillIn(each.dest, match).split("?");
  request.path = path;
  if (query) request.query = [request.query, query].filter(Boolean).join("&");
  return undefined;
}

function matchRoute(
  { src = "", methods, has = [], missing = [] }: Route,
  request: RoutedRequest,
): RegExpExecArray | null {
  if (methods && !methods.includes(request.method)) return null;
  if (!has.every((each) => meets(each, request)) || missing.some((each) => meets(each, request))) return null;
  // The host compares the whole path, even if the pattern has no anchors.
  return new RegExp(`^(?:${src.replace(/^\^|\$$/g, "")})$`, "i").exec(request.path);
}

function meets({ type, key = "", value }: Condition, { headers, query }: RoutedRequest): boolean {
  const actual = {
    header: () => headers[key.toLowerCase()],
    cookie: () => new RegExp(`(?:^|;\\s*)${key}=([^;]*)`).exec(String(headers.cookie ?? ""))?.[1],
    query: () => new URLSearchParams(query).get(key) ?? undefined,
    host: () => headers.host,
  }[type]();
  if (actual === undefined) return false;
  return value === undefined || new RegExp(`^(?:${value})$`).test(String(actual));
}

async function runMiddleware(path: string, request: RoutedRequest): Promise<HostResponse | undefined> {
  const { status, headers, body } = await functions.call(output.functionAt(path), toFunctionRequest(request));
  const { "x-middleware-next": next, "x-middleware-rewrite": rewrite, ...others } = headers;
  const overridden = headers["x-middleware-override-headers"];
  if (overridden !== undefined) {
    request.headers = Object.fromEntries(
      String(overridden)
        .split(",")
        .map((name) => [name, headers[`x-middleware-request-${name}`]] as const)
        .filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }
  const visible = Object.entries(others).filter(([name]) => !name.startsWith("x-middleware-"));
  Object.assign(request.responseHeaders, Object.fromEntries(visible));
  if (rewrite === undefined && next === undefined) return { status, headers: request.responseHeaders, body };
  if (rewrite !== undefined) {
    const url = new URL(String(rewrite), `https://${String(request.headers.host)}`);
    if (url.host !== request.headers.host) throw new Error(`The middleware rewrites to ${url.host}.`);
    request.path = url.pathname;
    request.query = url.search.slice(1);
  }
  return undefined;
}

async function serve(target: Target, request: RoutedRequest): Promise<HostResponse> {
  if (target.kind === "function") {
    const headers = { ...request.headers, "x-matched-path": target.path };
    const response = await functions.call(target.folder, toFunctionRequest({ ...request, headers }));
    const start = response.cold ? "cold" : "warm";
    return {
      ...response,
      headers: { ...request.responseHeaders, ...response.headers, "x-host-start": start },
    };
  }
  if (request.method !== "GET" && request.method !== "HEAD")
    return { status: 405, headers: {}, body: Buffer.alloc(0) };
  const hit = output.routes("hit").map((each) => {
    const match = matchRoute(each, request);
    return match ? headersOf(each, match) : {};
  });
  const body = readFileSync(target.file);
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`;
  const headers = {
    ...Object.assign({}, target.headers, request.responseHeaders, ...hit),
    ...(target.prerendered && { "x-vercel-cache": "PRERENDER" }),
    etag,
  } as HostResponse["headers"];
  // The host's cache obeys these directives, and removes them.
  if (headers["cache-control"])
    headers["cache-control"] = String(headers["cache-control"])
      .split(/,\s*/)
      .filter((directive) => !/^(?:s-maxage|stale-while-revalidate)=/.test(directive))
      .join(", ");
  if (String(request.headers["if-none-match"]).includes(etag))
    return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: request.status ?? target.status, headers, body };
}

function toFunctionRequest({ method, path, query, headers, body }: RoutedRequest): FunctionRequest {
  return { method, target: query ? `${path}?${query}` : path, headers, body };
}

function headersOf({ headers = {} }: Route, match: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fillIn(value, match)]),
  );
}

/** Replaces `$1` and `$name` with the groups of the match. */
function fillIn(text: string, { groups, ...found }: RegExpExecArray): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => groups?.[name] ?? found[Number(name)] ?? "");
}
