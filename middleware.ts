import { NextResponse, type NextRequest } from "next/server";
import { pagePolicy } from "@/lib/http/content-security-policy";
import { appendVisited, decideGuard } from "@/lib/flow/guard";
import { findPage, normalizePath, pages, type Page } from "@/lib/http/routes";
import { getBuildSettings } from "@/lib/server/config/env";
import { clearFlow, readFlow, writeFlow } from "@/lib/server/identity/flow-cookie";

/**
 * The flow guard in front of the flow pages, and the end of a flow at the home page. The decision itself is
 * lib/flow/guard.ts; the API never relies on this and checks the flow on its own.
 */
export async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname, searchParams } = request.nextUrl;
  if (normalizePath(pathname) === pages.home.path) return visitHome(request);
  const page = findPage(pathname);
  // The matcher also takes the framework's own forms of an address; one that was not turned into a page's is no page.
  if (!page) return show(request, notFoundPath);

  const flow = await readFlow(request);
  switch (decideGuard(pathname, flow, searchParams.get("from"))) {
    case "not-found":
      return show(request, notFoundPath);
    case "redirect-home":
      return privately(NextResponse.redirect(addressOf(request, pages.home.path), 307));
    case "start-over":
      return show(request, pages.startOver.path);
    case "allow": {
      const response = renderedPages.includes(page) ? render(request, page) : show(request, page.path);
      if (!flow || !isNavigation(request)) return response;
      const visited = appendVisited(flow.visited, pathname);
      if (visited !== flow.visited) await writeFlow(response.headers, { ...flow, visited: [...visited] });
      return response;
    }
  }
}

/** No page has it, so that the not-found page answers. */
const notFoundPath = "/not-found";

/** Answers with the page of this path, under the address that was asked for. */
function show(request: NextRequest, path: string): NextResponse {
  return privately(NextResponse.rewrite(addressOf(request, path)));
}

/**
 * A path of this server, as an address. The framework takes it for its own only when scheme, name and port are those by
 * which it knows itself, and those are in `request.url` alone: with `skipProxyUrlNormalize` (next.config.ts) it is left
 * as it is, where `nextUrl` makes localhost of 127.0.0.1.
 */
function addressOf(request: NextRequest, path: string): URL {
  return new URL(path, request.url);
}

/** Pages that are rendered per request, because they show what only the cookie knows. */
const renderedPages: readonly Page[] = [pages.privateAccountError, pages.success];

/** Their inline scripts are not known beforehand: a nonce vouches for them, which Next reads from the request's policy. */
function render(request: NextRequest, { path }: Page): NextResponse {
  const nonce = Buffer.from(crypto.randomUUID()).toString("base64");
  const policy = pagePolicy(getBuildSettings(), path, nonce);
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", `${policy}; frame-ancestors 'none'`);
  return privately(response);
}

/** A visit of the home page ends the flow; a prefetch or prerender of it does not. */
function visitHome(request: NextRequest): NextResponse {
  const response = NextResponse.next();
  if (!isNavigation(request)) return response;
  clearFlow(response.headers);
  return privately(response);
}

function isNavigation(request: NextRequest): boolean {
  const { headers } = request;
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz") ?? "";
  const mode = headers.get("sec-fetch-mode");
  return !/prefetch|prerender|preview/i.test(purpose) && (mode === null || mode === "navigate");
}

/** These answers depend on the visitor's cookie: no cache may keep them. */
function privately(response: NextResponse): NextResponse {
  response.headers.set("cache-control", "private, no-store");
  return response;
}

export const config = {
  runtime: "nodejs",
  matcher: [
    "/verification",
    "/private-account-error",
    "/get-likes",
    "/success",
    "/preview",
    "/preview/:postId",
    "/start-over",
    "/failure",
    // A first visit of the home page carries no flow: it is served without the middleware.
    { source: "/", has: [{ type: "cookie", key: "flow" }] },
    { source: "/", has: [{ type: "cookie", key: "__Host-flow" }] },
  ],
};
