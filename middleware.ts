import { NextResponse, type NextRequest } from "next/server";
import { decideGuard } from "@/lib/flow/guard";
import { detectPlatform, variantName } from "@/lib/flow/private-account-variants";
import { maxUserAgentLength } from "@/lib/config/limits";
import { isNavigation } from "@/lib/http/navigation";
import { findPage, pages, previewPath, type Page } from "@/lib/http/pages";
import { markVisit, readFlow, type Flow } from "@/lib/server/cookies/flow-cookie";

/** Checks whether a visitor may open a page of the flow (the steps from link to receipt). lib/flow/guard.ts has the rules. */
export async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname, searchParams } = request.nextUrl;
  if (pathname.startsWith("/api/")) return cutUserAgent(request);
  const page = findPage(pathname);
  // `config.matcher` matches internal URLs of Next.js, too (/_next/data/…/success.json). They are not pages.
  if (!page) return rewriteTo(request, notFoundPath);

  const flow = await readFlow(request);
  switch (decideGuard(pathname, flow, searchParams.get("from"))) {
    case "not-found":
      return rewriteTo(request, notFoundPath);
    case "redirect-home":
      return withoutCaching(NextResponse.redirect(urlFor(request, pages.home.path), 307));
    case "start-over":
      return rewriteTo(request, pages.startOver.path);
    case "receipt": {
      const hasSuccessPage = flow?.visited.includes(pages.getLikes.path);
      const path = hasSuccessPage ? `${pages.success.path}/` : previewPath(flow?.post?.postId ?? "");
      return withoutCaching(NextResponse.redirect(urlFor(request, path), 307));
    }
    case "allow": {
      const response = rewriteTo(request, builtPath(request, page, flow));
      if (flow && isNavigation(request.headers)) markVisit(response.headers, flow, page.path);
      return response;
    }
  }
}

/** No page has this path, so Next.js renders the not-found page. */
const notFoundPath = "/not-found";

/** Responds with the page at `path`. The address in the browser does not change. */
function rewriteTo(request: NextRequest, path: string): NextResponse {
  return withoutCaching(NextResponse.rewrite(urlFor(request, path)));
}

/**
 * Cuts a long User-Agent, on which Next.js tests a regular expression with quadratic cost. On our own server, the HTTP guard
 * has already done so.
 */
function cutUserAgent(request: NextRequest): NextResponse {
  const headers = new Headers(request.headers);
  headers.set("user-agent", (headers.get("user-agent") ?? "").slice(0, maxUserAgentLength));
  return NextResponse.next({ request: { headers } });
}

/** Returns a URL on the origin of `request.url`. Next.js sends rewrites to other origins over the network. */
function urlFor(request: NextRequest, path: string): URL {
  return new URL(path, request.url);
}

/** Returns the path of the prerendered page. The page for private accounts has several variants. */
function builtPath(request: NextRequest, page: Page, flow: Flow | null): string {
  if (page !== pages.privateAccountError) return page.path;
  const platform = detectPlatform(request.headers.get("user-agent") ?? "");
  return `${page.path}/${variantName(flow?.refusal ?? "missing", platform)}`;
}

/** Disables caching, because the response depends on the visitor's cookie. */
function withoutCaching(response: NextResponse): NextResponse {
  response.headers.set("cache-control", "private, no-store");
  return response;
}

export const config = {
  runtime: "nodejs",
  matcher: [
    "/verification",
    "/private-account-error/:variant*",
    "/get-likes",
    "/success",
    "/preview",
    "/preview/:postId",
    "/start-over",
    "/failure",
    // Next.js would send its own pages with s-maxage, also to caches in between.
    "/(404|500|_not-found|_global-error)",
    // More characters than maxUserAgentLength. Next.js reads this list at build time, so it contains no names.
    { source: "/api/:path*", has: [{ type: "header", key: "user-agent", value: ".{513,}" }] },
  ],
};
