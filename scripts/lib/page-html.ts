/*
 * Edits the HTML of a prerendered page. React has written this HTML: attributes are quoted, and `>` in attributes
 * and `</script` in data are escaped. So regular expressions can read it.
 */

const scripts = /<script\b([^>]*)>[\s\S]*?<\/script>/g;
const ownScript = / src="\/site\/| type="application\/(?:ld\+)?json"/;
const scriptPreloads = /<link\b(?=[^>]* rel="preload")(?=[^>]* as="script")[^>]*>/g;
/** Next.js adds this for fonts without a preload. Our fonts use the connection of the page. */
const ownPreconnect = /<link rel="preconnect" href="\/" crossorigin=""\/>/g;
const policyTag = /<meta http-equiv="Content-Security-Policy"[^>]*>/g;
const charset = /<meta charSet="utf-8"\/>/i;
/** Matches the end of a page: only comments and scripts follow the footer, the last element of SitePage (app/site-page.tsx). */
const endOfPage = /<\/footer>(?:<!--[^>]*-->|<script [^>]*><\/script>)*<\/body>/;

/**
 * Removes all scripts except those of the site and structured data, and the preloads of scripts. Throws if content follows the
 * footer: React streams it to there, and a script that the page does not load would move it to its place.
 */
export function removeNextScripts(html: string): string {
  const edited = html
    .replace(scripts, (tag, attributes: string) => (ownScript.test(attributes) ? tag : ""))
    .replace(scriptPreloads, "")
    .replace(ownPreconnect, "");
  if (!endOfPage.test(edited)) throw new Error("it has content after the footer, which React has streamed");
  return edited;
}

/** Returns the names of a page's islands (app/island.tsx). */
export function islandsOf(html: string): string[] {
  return Array.from(html.matchAll(/<div data-island="([^"]+)"/g), ([, name = ""]) => name);
}

/** Returns the name of a page in lib/http/pages.ts, or "notFound". Returns undefined for Next's own error pages. */
export function pageNameOf(html: string): string | undefined {
  return /<main [^>]*data-page="(\w+)"/.exec(html)?.[1];
}

/** Adds a policy before all elements that load something. Replaces an earlier policy. */
export function pinPolicy(html: string, policy: string): string {
  const bare = html.replace(policyTag, "");
  if (!charset.test(bare)) throw new Error("it has no <meta charset>, after which its policy is added");
  // A function, because `replace` would interpret "$" in a string.
  return bare.replace(
    charset,
    (tag) => `${tag}<meta http-equiv="Content-Security-Policy" content="${policy}"/>`,
  );
}
