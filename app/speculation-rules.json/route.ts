import { aliases, indexablePages, pages } from "@/lib/http/pages";

export const dynamic = "force-static";

/**
 * Returns the speculation rules: Chromium prefetches a content page when the visitor points at its link. Excludes the
 * home page, because a visit of the home page ends the flow, and the pages of the flow.
 */
export function GET(): Response {
  const paths = [...indexablePages.map(({ path }) => path), ...Object.keys(aliases)];
  const content = paths.filter((path) => path !== pages.home.path);
  const rule = {
    source: "document",
    where: { href_matches: content.map((path) => `${path}{/}?`) },
    eagerness: "moderate",
  };
  // Browsers ignore rules with the type application/json.
  return new Response(JSON.stringify({ prefetch: [rule] }), {
    headers: {
      "content-type": "application/speculationrules+json",
      "cache-control": "public, max-age=86400",
    },
  });
}
