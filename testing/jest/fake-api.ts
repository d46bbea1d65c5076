export interface FakeCall {
  /** Method and path without the query: "GET /api/instagram/status". */
  route: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

export interface FakeReply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Reply to a request. "offline" is a network error. "silent" means that no response ever arrives. */
export type FakeRoute =
  FakeReply | "offline" | "silent" | ((call: FakeCall) => FakeReply | "offline" | "silent");

/** Replaces `fetch` with a fake API. Tests may change the returned `routes`. `calls` lists all requests. */
export function installFakeApi(routes: Record<string, FakeRoute>): {
  routes: Record<string, FakeRoute>;
  calls: FakeCall[];
  callsOf: (route: string) => FakeCall[];
} {
  const calls: FakeCall[] = [];
  globalThis.fetch = (input, init) => {
    const url = new URL(String(input), "http://localhost");
    const call: FakeCall = {
      route: `${init?.method ?? "GET"} ${url.pathname}`,
      query: url.searchParams,
      headers: new Headers(init?.headers),
      body: typeof init?.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
    };
    calls.push(call);
    const route = routes[call.route];
    if (!route) throw new Error(`The fake API has no ${call.route}`);
    return createResponse(typeof route === "function" ? route(call) : route);
  };
  return { routes, calls, callsOf: (route) => calls.filter((call) => call.route === route) };
}

function createResponse(reply: FakeReply | "offline" | "silent"): Promise<Response> {
  if (reply === "offline") return Promise.reject(new TypeError("Failed to fetch"));
  if (reply === "silent") return new Promise(() => {});
  const { status = 200, headers, body } = reply;
  const text = typeof body === "string" ? body : JSON.stringify(body ?? {});
  return Promise.resolve(new Response(text, { status, headers }));
}
