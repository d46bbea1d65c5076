import { NextResponse, type NextRequest } from "next/server";
import { appendVisited, decideGuard } from "@/lib/flow";
import { normalizePath, pages } from "@/lib/routes";
import { clearFlow, flowMarkers, readFlow, writeFlow } from "@/lib/server/session";

/**
 * The flow guard in front of the flow pages, and the end of a flow at the home page. The decision itself is
 * lib/flow.ts; the API never relies on this and checks the flow on its own.
 */
export async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname, searchParams } = request.nextUrl;
  if (normalizePath(pathname) === pages.home.path) return visitHome(request);

  const flow = await readFlow(request);
  switch (decideGuard(pathname, flowMarkers(flow), searchParams.get("from"))) {
    case "not-found":
      return privately(NextResponse.rewrite(new URL("/not-found", request.url)));
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

/** Any preview is the one static shell; it reads the post's id from the address. */
function openPage(request: NextRequest): NextResponse {
  const isPreview = normalizePath(request.nextUrl.pathname).startsWith(`${pages.preview.path}/`);
  return isPreview
    ? NextResponse.rewrite(new URL(`${pages.preview.path}/shell`, request.url))
    : NextResponse.next();
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
    // A first visit of the home page carries no flow: it is served without the middleware.
    { source: "/", has: [{ type: "cookie", key: "flow" }] },
    { source: "/", has: [{ type: "cookie", key: "__Host-flow" }] },
  ],
};
