/*
 * A serverless host for tests: serves a build's output over https as its documented format says. Routes in order, pages
 * that are finished, files, functions through their launchers, middleware, a cache in front of all of it, and the call of
 * the cron entries at /_host/cron. /_host/end ends every instance in the middle of its work.
 *
 * From the environment: HOST_OUTPUT (the folder), HOST_KEY and HOST_CERTIFICATE (files), HOST_INSTANCES of each function,
 * HOST_FREEZES them between requests, HOST_CACHES, HOST_OVERWRITES_ADDRESS (yes or no: a host writes down who asks, where
 * tests mostly say it themselves), PORT; all other variables are the functions'.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { buffer } from "node:stream/consumers";
import { SharedCache } from "./cache";
import { Functions, type Answer, type FunctionRequest } from "./functions";
import { Output, type Condition, type Place, type Route } from "./output";

const {
  HOST_OUTPUT = "",
  HOST_KEY = "",
  HOST_CERTIFICATE = "",
  HOST_INSTANCES,
  HOST_FREEZES,
  HOST_CACHES,
  PORT,
} = process.env;
const output = new Output(HOST_OUTPUT);
const functions = new Functions({ instances: Number(HOST_INSTANCES ?? 1), freezes: HOST_FREEZES === "yes" });
const cache = new SharedCache(HOST_CACHES === "yes");

/** A request on its way through the routes. */
interface Passage {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
  /** Of the answer, whoever gives it. */
  answerHeaders: Record<string, string | string[]>;
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
process.once("SIGTERM", () => {
  functions.stop();
  process.exit(0);
});
process.once("exit", () => functions.stop());

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const passage = await passageOf(request);
  if (passage.path === "/_host/end") {
    functions.stop();
    return void response.writeHead(200).end("{}");
  }
  const answer =
    passage.path === "/_host/cron"
      ? await callCron(passage)
      : await cache.through(passage, () => walk(passage));
  response.writeHead(answer.status, answer.headers);
  response.end(passage.method === "HEAD" ? undefined : answer.body);
}

async function passageOf(request: IncomingMessage): Promise<Passage> {
  const [path = "/", ...query] = (request.url ?? "/").split("?");
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const address = request.socket.remoteAddress ?? "";
  return {
    method: request.method ?? "GET",
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
    body: await buffer(request),
    answerHeaders: {},
    status: undefined,
  };
}

/** As the host calls its cron entries: with the secret of the project. */
async function callCron(passage: Passage): Promise<Answer> {
  const authorization = `Bearer ${process.env.CRON_SECRET}`;
  for (const { path } of output.configuration.crons) {
    const headers = { ...passage.headers, authorization, "user-agent": "vercel-cron/1.0" };
    return walk({ ...passage, method: "GET", path, headers });
  }
  return { status: 404, headers: {}, body: Buffer.alloc(0) };
}

async function walk(passage: Passage): Promise<Answer> {
  const routes = output.routes(null);
  const [middleware] = routes.filter((route) => route.middlewarePath && matches(route, passage));
  for (const route of routes.filter((each) => !each.middlewarePath || each === middleware)) {
    const answer = await follow(route, passage);
    if (answer) return answer;
  }
  const found = output.find(passage.path);
  if (found && passage.status === undefined) return serve(found, passage);
  for (const phase of ["filesystem", "rewrite"] as const) {
    for (const route of output.routes(phase)) {
      const path = passage.path;
      const answer = await follow(route, passage);
      if (answer) return answer;
      const place = path === passage.path ? undefined : output.find(passage.path);
      if (place) return serve(place, passage);
    }
  }
  const error = output.routes("error").find(({ status }) => status === (passage.status ?? 404));
  const place = output.find(error?.dest ?? "/404");
  if (!place) throw new Error("the output has no page for failures");
  return { ...(await serve(place, passage)), status: error?.status ?? 404 };
}

/** Applies a route; an answer ends the walk. */
async function follow(route: Route, passage: Passage): Promise<Answer | undefined> {
  const match = matches(route, passage);
  if (!match) return undefined;
  if (route.middlewarePath) return runMiddleware(route.middlewarePath, passage);
  Object.assign(passage.answerHeaders, headersOf(route, match));
  if (route.status !== undefined && !route.check) passage.status = route.status;
  if (route.dest === undefined) return undefined;
  const [path = "", query] = filled(route.dest, match).split("?");
  passage.path = path;
  if (query) passage.query = [passage.query, query].filter(Boolean).join("&");
  return undefined;
}

/** What a route's pattern finds in the path, where its conditions hold as well. */
function matches(
  { src = "", methods, has = [], missing = [] }: Route,
  passage: Passage,
): RegExpExecArray | null {
  if (methods && !methods.includes(passage.method)) return null;
  if (!has.every((each) => meets(each, passage)) || missing.some((each) => meets(each, passage))) return null;
  // The host means the whole path, also where a pattern does not say so.
  return new RegExp(`^(?:${src.replace(/^\^|\$$/g, "")})$`, "i").exec(passage.path);
}

function meets({ type, key = "", value }: Condition, { headers, query }: Passage): boolean {
  const given = {
    header: () => headers[key.toLowerCase()],
    cookie: () => new RegExp(`(?:^|;\\s*)${key}=([^;]*)`).exec(String(headers.cookie ?? ""))?.[1],
    query: () => new URLSearchParams(query).get(key) ?? undefined,
    host: () => headers.host,
  }[type]();
  if (given === undefined) return false;
  return value === undefined || new RegExp(`^(?:${value})$`).test(String(given));
}

async function runMiddleware(path: string, passage: Passage): Promise<Answer | undefined> {
  const answer = await functions.call(output.functionAt(path), callOf(passage));
  const { "x-middleware-next": next, "x-middleware-rewrite": rewrite, ...headers } = answer.headers;
  const overridden = headers["x-middleware-override-headers"];
  if (overridden !== undefined) {
    const names = String(overridden).split(",");
    passage.headers = Object.fromEntries(
      names.flatMap((name) => {
        const value = headers[`x-middleware-request-${name}`];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }
  const own = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith("x-middleware-")),
  );
  if (rewrite === undefined && next === undefined)
    return { status: answer.status, headers: { ...passage.answerHeaders, ...own }, body: answer.body };
  Object.assign(passage.answerHeaders, own);
  if (rewrite !== undefined) {
    const url = new URL(String(rewrite), `https://${String(passage.headers.host)}`);
    if (url.host !== passage.headers.host) throw new Error(`the middleware leads to ${url.host}`);
    passage.path = url.pathname;
    passage.query = url.search.slice(1);
  }
  return undefined;
}

async function serve(place: Place, passage: Passage): Promise<Answer> {
  if (place.kind === "function") {
    const call = callOf({ ...passage, headers: { ...passage.headers, "x-matched-path": place.path } });
    const { cold, ...answer } = await functions.call(place.folder, call);
    return {
      ...answer,
      headers: { ...passage.answerHeaders, ...answer.headers, "x-host-start": cold ? "cold" : "warm" },
    };
  }
  const hit = output.routes("hit").map((route) => {
    const match = matches(route, passage);
    return match ? headersOf(route, match) : {};
  });
  const headers = Object.assign({}, place.headers, passage.answerHeaders, ...hit) as Answer["headers"];
  const isQuestion = passage.method === "GET" || passage.method === "HEAD";
  if (!isQuestion) return { status: 405, headers: {}, body: Buffer.alloc(0) };
  if (place.finished) headers["x-vercel-cache"] = "PRERENDER";
  const body = readFileSync(place.file);
  headers.etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`;
  if (String(passage.headers["if-none-match"]).includes(headers.etag)) {
    return { status: 304, headers, body: Buffer.alloc(0) };
  }
  return { status: passage.status ?? place.status, headers, body };
}

function callOf({ method, path, query, headers, body }: Passage): FunctionRequest {
  return { method, target: query ? `${path}?${query}` : path, headers, body };
}

function headersOf({ headers = {} }: Route, match: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), filled(value, match)]),
  );
}

/** Puts what a route's pattern has found into a text. */
function filled(text: string, { groups, ...found }: RegExpExecArray): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => groups?.[name] ?? found[Number(name)] ?? "");
}
