/*
 * Edits the HTML of a prerendered page. React has written this HTML: attributes are quoted, and `>` in attributes
 * and `</script` in data are escaped. So regular expressions can read it.
 */

const scripts = /<script\b([^>]*)>([\s\S]*?)<\/script>/g;
const scriptPreloads = /<link\b(?=[^>]* rel="preload")(?=[^>]* as="script")[^>]*>/g;
/** Next.js adds this for fonts without a preload. Our fonts use the connection of the page. */
const ownPreconnect = /<link rel="preconnect" href="\/" crossorigin=""\/>/g;
const policyTag = /<meta http-equiv="Content-Security-Policy"[^>]*>/g;
const charset = /<meta charSet="utf-8"\/>/i;

/**
 * Removes Next's scripts, their preloads and data. Keeps the site's own scripts and structured data. Throws if the
 * page needs Next's scripts to show its content.
 */
export function stripFramework(html: string): string {
  if (/<template\b|<div hidden="" id="S:/.test(html)) {
    throw new Error("part of its content is streamed, which needs a script that the page does not load");
  }
  return html
    .replace(scripts, (tag, attributes: string) => (isOwnScript(attributes) ? tag : ""))
    .replace(scriptPreloads, "")
    .replace(ownPreconnect, "");
}

function isOwnScript(attributes: string): boolean {
  return / src="\/site\//.test(attributes) || isData(attributes);
}

/** Returns whether a script element contains data. Browsers do not run data. */
function isData(attributes: string): boolean {
  return / type="application\/(?:ld\+)?json"/.test(attributes);
}

/** Returns the names of a page's islands (app/island.tsx). */
export function islandsOf(html: string): string[] {
  return Array.from(html.matchAll(/<div data-island="([^"]+)"/g), ([, name = ""]) => name);
}

/** Returns the name of a page in lib/http/pages.ts, or "notFound". Returns undefined for Next's own error pages. */
export function pageNameOf(html: string): string | undefined {
  return /<main [^>]*data-page="(\w+)"/.exec(html)?.[1];
}

/** Returns whether a page has scripts without a `src` attribute. */
export function hasInlineScript(html: string): boolean {
  return Array.from(html.matchAll(scripts)).some(
    ([, attributes = ""]) => !/ src="/.test(attributes) && !isData(attributes),
  );
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
