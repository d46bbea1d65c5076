import { aliases, indexablePages } from "@/lib/http/pages";

export const dynamic = "force-static";

/** Returns the speculation rules: Chromium prefetches a page without a guard when the visitor points at its link. */
export function GET(): Response {
  const paths = [...indexablePages.map(({ path }) => path), ...Object.keys(aliases)];
  const rule = {
    source: "document",
    where: { href_matches: paths.map((path) => (path === "/" ? path : `${path}{/}?`)) },
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
