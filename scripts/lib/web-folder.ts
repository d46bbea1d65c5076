import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BuildSettings } from "../../lib/config/build-settings";
import { errorTable } from "../../lib/http/errors";
import { cacheControl, headerRules, headersForPath, type HeaderRule } from "../../lib/http/response-headers";
import { aliases, indexablePages, pages, type Page } from "../../lib/http/pages";

/*
 * The folder from which a web server serves files instead of the Node process:
 *
 *   pages/faq/index.html        prerendered pages, by path
 *   errors/404.html, 404.json   errors, as pages and as responses of the API
 *   files/robots.txt            files of public/, and generated files
 *   assets/_next/static/…       files with a hash in their name; a release copies them to the assets of earlier ones
 *   assets/site/…               the site's own scripts, also with a hash
 *   *.caddy                     paths.caddy, content.caddy, headers.caddy, which deploy/Caddyfile imports
 *
 * Text files also have compressed copies.
 */

const documents = [...indexablePages.map(({ path }) => path), ...Object.keys(aliases)];
const compressible = /\.(?:html|js|css|svg|txt|xml|json|webmanifest)$/;
const compressors = {
  br: (data: Buffer) =>
    promisify(brotliCompress)(data, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: data.length } }),
  gz: (data: Buffer) => promisify(gzip)(data, { level: 9 }),
};

/** A file that the build created for a path, with the headers that Next.js sends with it. */
export interface BuiltFile {
  pathname: string;
  /** Undefined for the data of a page that Next.js creates on demand. */
  file?: string;
  headers: Record<string, string>;
}

/** Creates the folder from the files of a build in the folder `dist`. */
export async function makeWebFolder(
  built: readonly BuiltFile[],
  dist: string,
  folder: string,
  build: BuildSettings,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const copy = (from: string, to: string) => cpSync(from, join(folder, to), { recursive: true });

  for (const { path } of indexablePages) copy(fileOf(path), join("pages", path, "index.html"));
  for (const [alias, path] of Object.entries(aliases)) copy(fileOf(path), join("pages", alias, "index.html"));
  copy(fileOf("/404"), "errors/404.html");
  copy(fileOf(pages.failure.path), "errors/503.html");
  for (const code of ["invalid_json", "not_found", "body_too_large", "service_unavailable"] as const) {
    const { status, message } = errorTable[code];
    write(`errors/${status}.json`, JSON.stringify({ success: false, code, message }));
  }

  copy("public", "files");
  const generated = built.filter(isGeneratedFile);
  for (const { pathname } of generated) copy(fileOf(pathname), `files${pathname}`);
  mkdirSync(join(folder, "assets"));
  renameSync(join(folder, "files", "site"), join(folder, "assets", "site"));
  rmSync(join(folder, "assets", "site", "scripts.json"));
  copy(join(dist, "static"), "assets/_next/static");

  const table = [
    ...headerRules(build),
    { path: "/_next/static/*", headers: { "Cache-Control": cacheControl.hashed } },
    // The Node process sends the same header for files without a hash.
    { path: "/altcha/*", headers: { "Cache-Control": "public, max-age=0" } },
    { path: "/licenses.txt", headers: { "Cache-Control": "public, max-age=0" } },
    { path: "/samples/*", headers: { "Cache-Control": "public, max-age=0" } },
    ...generated.map(({ pathname, headers }) => ({
      path: pathname,
      headers: fileHeaders(pathname, headers),
    })),
  ];
  for (const [name, text] of Object.entries(caddyFiles(table))) write(name, text);
  const texts = filesIn(folder).filter((name) => compressible.test(name));
  await Promise.all(texts.map(compress));

  function fileOf(path: string): string {
    const file = built.find(({ pathname }) => pathname === path)?.file;
    if (!file) throw new Error(`The build has no file for ${path}`);
    return file;
  }

  function write(name: string, text: string): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }

  async function compress(name: string): Promise<void> {
    const data = readFileSync(join(folder, name));
    for (const [ending, work] of Object.entries(compressors)) {
      const smaller = await work(data);
      if (smaller.length < data.length) writeFileSync(join(folder, `${name}.${ending}`), smaller);
    }
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Returns false for pages, for the data of Next's router, and for files with a hash in their name. */
function isGeneratedFile({ pathname, file, headers }: BuiltFile): boolean {
  if (pathname.startsWith("/_next/") || !file || file.endsWith(".html")) return false;
  return !/html|x-component/.test(headers["content-type"] ?? "");
}

/** Next.js gives no headers for the files of its metadata conventions, for example robots.txt. */
const metadataTypes: Record<string, string> = {
  ".ico": "image/x-icon",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".webmanifest": "application/manifest+json",
  ".xml": "application/xml",
};

/** Returns the headers that Next.js sends with a generated file. */
function fileHeaders(pathname: string, headers: Record<string, string>): Record<string, string> {
  return {
    "Content-Type": headers["content-type"] ?? metadataTypes[extname(pathname)] ?? "application/octet-stream",
    "Cache-Control": headers["cache-control"] ?? "public, max-age=0, must-revalidate",
  };
}

/** Paths that only the Node process serves. */
function processPaths(): string[] {
  const guarded = Object.values<Page>(pages).filter(({ guard }) => guard !== "open" && guard !== "internal");
  // The date in security.txt changes every day.
  const prefixes = ["/api/*", "/.well-known/*", `${pages.preview.path}/*`];
  return [...prefixes, ...guarded.flatMap(({ path }) => withSlash(path))];
}

function withSlash(path: string): string[] {
  return [path, `${path}/`];
}

/**
 * Returns the configuration for Caddy. Paths with the same headers share one rule, and the last matching rule applies. Pages
 * get most requests, so their headers are in a file without matchers.
 */
function caddyFiles(table: readonly HeaderRule[]): Record<string, string> {
  const block = (headers: Record<string, string>) =>
    Object.entries(headers)
      .map(([name, value]) => `\t${name} ${JSON.stringify(value)}\n`)
      .join("");
  const pathsOf = new Map<string, string[]>();
  for (const { path, headers } of table) {
    if (documents.includes(path)) continue;
    const paths = path.endsWith("*") ? [path] : withSlash(path);
    pathsOf.set(block(headers), [...(pathsOf.get(block(headers)) ?? []), ...paths]);
  }
  const rules = [...pathsOf].map(
    ([text, paths], index) => `@rule${index} path ${paths.join(" ")}\nheader @rule${index} {\n${text}}\n`,
  );
  // Caddy compares the paths of a list one after the other, so a pattern is faster.
  const pattern = `^(?:${documents.map((path) => path.replace(/\/$/, "")).join("|")})/?$`;
  return {
    "paths.caddy":
      `@content {\n\tmethod GET HEAD\n\tpath_regexp ${pattern}\n}\n` +
      `@process path ${processPaths().join(" ")}\n`,
    "content.caddy": `header {\n${block(headersForPath(pages.faq.path, table))}}\n`,
    "headers.caddy": rules.join(""),
  };
}
