/*
 * An emulated serverless host for tests. It serves a build's output over https, as the format documents it: routes in order,
 * prerendered pages, files, functions and middleware. `/_host/cron` calls the first cron entry. `/_host/end` kills all
 * instances. The environment contains HOST_OPTIONS and PORT. The functions get all variables.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { buffer } from "node:stream/consumers";
import type { HostOptions } from "@/testing/servers/serverless-site";
import { Functions, type FunctionRequest, type HostResponse } from "./functions";
import { Output, type Condition, type Route, type Target } from "./output";

/** A request, with the changes that routes have made. */
interface RoutedRequest extends FunctionRequest {
  responseHeaders: IncomingHttpHeaders;
  /** The status of a matching route, which sends the error page. */
  status?: number;
}

const options = JSON.parse(process.env.HOST_OPTIONS ?? "") as HostOptions;
const output = new Output(options.folder);
const functions = new Functions(options);

const server = createServer({ key: options.key, cert: options.cert }, (incoming, outgoing) => {
  respond(incoming, outgoing).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    outgoing.writeHead(500).end();
  });
});
server.listen(Number(process.env.PORT));
process.once("SIGTERM", () => process.exit(0));
process.once("exit", () => functions.stop());

async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = await readRequest(incoming);
  if (request.path === "/_host/end") {
    functions.stop();
    outgoing.end("{}");
    return;
  }
  if (request.path === "/_host/cron") {
    request.path = output.cronPath ?? "";
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
  for (const each of output.routes.start) {
    if (!each.middlewarePath) {
      applyRoute(each, request);
    } else if (!hasRunMiddleware && matchRoute(each, request)) {
      hasRunMiddleware = true;
      const response = await runMiddleware(each.middlewarePath, request);
      if (response) return response;
    }
  }
  let target = request.status === undefined ? output.find(request.path) : undefined;
  for (const each of [...output.routes.filesystem, ...output.routes.rewrite]) {
    if (target) break;
    const { path } = request;
    applyRoute(each, request);
    if (request.path !== path) target = output.find(request.path);
  }
  if (target) return serve(target, request);
  const status = request.status ?? 404;
  const page = output.find(output.routes.error.find((each) => each.status === status)?.dest ?? "");
  if (!page) throw new Error(`The output has no error page for ${status}.`);
  return { ...(await serve(page, request)), status };
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
  if (!has.every((each) => meets(each, request)) || missing.some((each) => meets(each, request))) return null;
  // The host compares the whole path, even if the pattern has no anchors.
  return new RegExp(`^(?:${src.replace(/^\^|\$$/g, "")})$`, "i").exec(request.path);
}

function meets({ type, key, value }: Condition, { headers }: RoutedRequest): boolean {
  const actual =
    type === "header"
      ? headers[key.toLowerCase()]
      : new RegExp(`(?:^|;\\s*)${key}=([^;]*)`).exec(headers.cookie ?? "")?.[1];
  if (actual === undefined) return false;
  return value === undefined || new RegExp(`^(?:${value})$`).test(String(actual));
}

/** Returns a response if the middleware sends one itself. Otherwise, changes the request. */
async function runMiddleware(path: string, request: RoutedRequest): Promise<HostResponse | undefined> {
  const { status, headers, body } = await functions.call(output.functionAt(path), request);
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

async function serve(target: Target, request: RoutedRequest): Promise<HostResponse> {
  if (target.kind === "function") {
    const headers = { ...request.headers, "x-matched-path": target.path };
    const response = await functions.call(target.folder, { ...request, headers });
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

/** Replaces `$1` and `$name` with the groups of the match. */
function fillIn(text: string, match: RegExpExecArray): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => match.groups?.[name] ?? match[Number(name)] ?? "");
}
