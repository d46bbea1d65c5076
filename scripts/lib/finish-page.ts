import { createHash } from "node:crypto";

/*
 * What is done to the HTML of a prerendered page. The HTML is React's own output: attributes are quoted, and
 * neither `>` in them nor `</script` in data occurs unescaped, so patterns are enough to read it.
 */

const scripts = /<script\b([^>]*)>([\s\S]*?)<\/script>/g;
const scriptPreloads = /<link\b(?=[^>]* rel="preload")(?=[^>]* as="script")[^>]*>/g;
/** The framework has one for typefaces that are not preloaded. Styles ask for ours over the connection that is there. */
const ownPreconnect = /<link rel="preconnect" href="\/" crossorigin=""\/>/g;
const policyTag = /<meta http-equiv="Content-Security-Policy"[^>]*>/g;
const charset = /<meta charSet="utf-8"\/>/i;

/**
 * Takes the framework's scripts, their preloads, its data and its connection for typefaces out of a page that never hydrates.
 * The site's own scripts and structured data stay. Throws for a page whose content is put in place by script.
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

/** Data is not run, and no policy is asked about it. */
function isData(attributes: string): boolean {
  return / type="application\/(?:ld\+)?json"/.test(attributes);
}

/** The islands of a page, by name; see components/islands/island.tsx. */
export function islandsOf(html: string): string[] {
  return Array.from(html.matchAll(/<div data-island="([^"]+)"/g), ([, name = ""]) => name);
}

/**
 * Has a page ask for the scripts of its islands with its styles. Browsers run modules when the page is read and its styles
 * are there, so that nothing is painted later for them.
 *
 * @param files their addresses
 */
export function addModules(html: string, files: readonly string[]): string {
  if (!html.includes("</head>")) throw new Error("it has no </head>, so its scripts cannot be added");
  const tags = files.map((file) => `<script type="module" src="${file}"></script>`).join("");
  return html.replace("</head>", () => `${tags}</head>`);
}

/** The framework's files that a page runs when it opens, as paths in the build's folder; not those for old browsers. */
export function startScripts(html: string): string[] {
  return Array.from(html.matchAll(scripts)).flatMap(([, attributes = ""]) => {
    const [, file] = / src="\/_next\/([^"?]+)/.exec(attributes) ?? [];
    return file && !/ nomodule=/i.test(attributes) ? [file] : [];
  });
}

const compileHint = "//# allFunctionsCalledOnLoad\n";

/**
 * Has a script compiled while it arrives, beside the main thread, where the browser would compile each function when it
 * is first called: a third of them are called at once. Chromium knows the hint; to others it is a comment.
 */
export function hintCompilation(code: string): string {
  return code.startsWith(compileHint) ? code : compileHint + code;
}

/** Names the build in a page, as the framework's data does: by that `npm run release` knows whose process answers. */
export function nameBuild(html: string, id: string): string {
  return html.replace(/<html(?: data-build="[^"]*")?/, () => `<html data-build="${id}"`);
}

/** Names a page by its content, as an ETag is written. */
export function etagOf(html: string): string {
  return `"${createHash("sha256").update(html).digest("base64url").slice(0, 27)}"`;
}

/** Whether anything runs in a page that has no address of its own. */
export function hasInlineScript(html: string): boolean {
  return Array.from(html.matchAll(scripts)).some(
    ([, attributes = ""]) => !/ src="/.test(attributes) && !isData(attributes),
  );
}

/** Puts a policy into a page, in front of everything that it governs, and in place of an earlier one. */
export function pinPolicy(html: string, policy: string): string {
  const bare = html.replace(policyTag, "");
  if (!charset.test(bare)) throw new Error("it has no <meta charset>, after which its policy is added");
  // A function, because "$" in a replacement text would have a meaning.
  return bare.replace(
    charset,
    (tag) => `${tag}<meta http-equiv="Content-Security-Policy" content="${policy}"/>`,
  );
}
