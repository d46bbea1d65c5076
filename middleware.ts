import { NextResponse, type NextRequest } from "next/server";
import { pagePolicy } from "@/lib/content-security-policy";
import { appendVisited, decideGuard } from "@/lib/flow";
import { findPage, normalizePath, pages } from "@/lib/routes";
import { getBuildSettings } from "@/lib/server/env";
import { clearFlow, flowMarkers, readFlow, writeFlow } from "@/lib/server/session";

/**
 * The flow guard in front of the flow pages, and the end of a flow at the home page. The decision itself is
 * lib/flow.ts; the API never relies on this and checks the flow on its own.
 */
export async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname, searchParams } = request.nextUrl;
  if (normalizePath(pathname) === pages.home.path) return visitHome(request);
  // The matcher also takes the framework's own forms of an address; one that was not turned into a page's is no page.
  if (!findPage(pathname)) return notFound(request);

  const flow = await readFlow(request);
  switch (decideGuard(pathname, flowMarkers(flow), searchParams.get("from"))) {
    case "not-found":
      return notFound(request);
    case "redirect-home":
      return privately(NextResponse.redirect(new URL(pages.home.path, request.url), 307));
    case "start-over":
      return privately(NextResponse.rewrite(new URL(pages.startOver.path, request.url)));
    case "allow": {
      const response = privately(openPage(request));
      if (!flow || !isNavigation(request)) return response;
      const visited = appendVisited(flow.visited, pathname);
      if (visited !== flow.visited) await writeFlow(response, { ...flow, visited: [...visited] });
      return response;
    }
  }
}

function notFound(request: NextRequest): NextResponse {
  return privately(NextResponse.rewrite(new URL("/not-found", request.url)));
}

/** Any preview is the one static shell; it reads the post's id from the address. */
function openPage(request: NextRequest): NextResponse {
  const path = normalizePath(request.nextUrl.pathname);
  if (path.startsWith(`${pages.preview.path}/`)) {
    return NextResponse.rewrite(new URL(`${pages.preview.path}/shell`, request.url));
  }
  return renderedPaths.includes(path) ? renderPage(request, path) : NextResponse.next();
}

/** Pages that are rendered per request, because they show what only the cookie knows. */
const renderedPaths: readonly string[] = [pages.privateAccountError.path, pages.success.path];

/** Their inline scripts are not known beforehand: a nonce vouches for them, which Next reads from the request's policy. */
function renderPage(request: NextRequest, path: string): NextResponse {
  const nonce = Buffer.from(crypto.randomUUID()).toString("base64");
  const policy = pagePolicy(getBuildSettings(), path, { nonce });
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", `${policy}; frame-ancestors 'none'`);
  return response;
}

/** A visit of the home page ends the flow; a prefetch or prerender of it does not. */
function visitHome(request: NextRequest): NextResponse {
  const response = NextResponse.next();
  if (!isNavigation(request)) return response;
  clearFlow(response);
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
    "/preview/:postId",
    "/start-over",
    "/failure",
    // A first visit of the home page carries no flow: it is served without the middleware.
    { source: "/", has: [{ type: "cookie", key: "flow" }] },
    { source: "/", has: [{ type: "cookie", key: "__Host-flow" }] },
  ],
};
