import { createHash } from "node:crypto";

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

/**
 * Returns the source files of the client components that a page uses outside its islands.
 *
 * @param payload the page's data for Next's client (.rsc). Its lines `1a:I[123,…` import the client module 123
 * @param modules source file of each module id
 * @throws Error if the payload imports no modules. Each page imports modules of Next.js, so the format has changed
 */
export function findClientComponents(payload: string, modules: ReadonlyMap<string, string>): string[] {
  const imports = Array.from(payload.matchAll(/^([0-9a-f]+):I\[(\d+),/gm));
  if (imports.length === 0) {
    throw new Error(
      "its payload has an unknown format, so its islands cannot be checked. Compare a .rsc file in " +
        ".next/server/app with findClientComponents in scripts/lib/post-process-page.ts",
    );
  }
  return imports
    .filter(([, row = ""]) => isUsedOutsideIslands(payload, row))
    .map(([, , id = ""]) => modules.get(id) ?? `module ${id}`);
}

/** Returns whether a payload uses the client component of a line anywhere but directly inside an island. */
function isUsedOutsideIslands(payload: string, row: string): boolean {
  const island = new RegExp(
    String.raw`"data-island":"[^"]+","data-props":"(?:[^"\\]|\\.)*","className":"contents","children":\["\$","\$L${row}"`,
    "g",
  );
  return payload.replace(island, "").includes(`"$L${row}"`);
}

/**
 * Next.js renders pages with its own copy of React, and islands hydrate them with the React of package.json. After an
 * upgrade, run `npm run verify`, because the two may disagree about the HTML. Then change this line.
 */
const approvedVersions = { browser: "19.3.1", next: "19.3.0-canary-278794d7-20261002" };

/** Returns a problem if one of the two versions of React is not approved. */
export function checkReactVersions(versions: typeof approvedVersions): string[] {
  if (versions.browser === approvedVersions.browser && versions.next === approvedVersions.next) return [];
  return [
    `React has changed: islands use ${versions.browser}, and Next.js renders with ${versions.next}. Check that the ` +
      "islands hydrate without errors (npm run verify), then approve the versions in scripts/lib/post-process-page.ts",
  ];
}

/** Adds the id of the build to a page. `npm run release` reads the id. */
export function nameBuild(html: string, id: string): string {
  return html.replace(/<html(?: data-build="[^"]*")?/, () => `<html data-build="${id}"`);
}

/** Returns the ETag of a page: a hash of its content, in quotes. */
export function etagOf(html: string): string {
  return `"${createHash("sha256").update(html).digest("base64url").slice(0, 27)}"`;
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
