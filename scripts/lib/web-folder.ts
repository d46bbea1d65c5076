import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BuildSettings } from "../../lib/config/build-settings";
import { errorTable } from "../../lib/http/errors";
import { cacheControl, headerRules, headersForPath, type HeaderRule } from "../../lib/http/response-headers";
import { aliases, indexablePages, pages, type Page } from "../../lib/http/pages";

/*
 * The folder from which a web server serves what a build has finished, in the process's place:
 *
 *   pages/faq/index.html        finished pages, by path
 *   errors/404.html             what answers in place of others
 *   files/robots.txt            public/, and what the build has drawn
 *   assets/_next/static/…       what has its hash in its name; those of earlier releases may lie beside it
 *   *.caddy, *.nginx            which paths are the process's, and the headers of all others; deploy/ imports them
 *
 * Text lies there compressed as well, once and as small as it gets.
 */

const compressible = /\.(?:html|js|css|svg|txt|xml|json|webmanifest)$/;
const compressors = {
  br: (data: Buffer) =>
    promisify(brotliCompress)(data, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
    }),
  gz: (data: Buffer) => promisify(gzip)(data, { level: 9 }),
};

/**
 * Makes the folder from a finished build.
 *
 * @param dist the build's folder, with server/app and static in it
 */
export async function makeWebFolder(dist: string, folder: string, build: BuildSettings): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const app = join(dist, "server", "app");
  const copy = (from: string, to: string) => cpSync(from, join(folder, to), { recursive: true });

  for (const { path } of indexablePages) copyPage(path, path);
  for (const [alias, path] of Object.entries(aliases)) copyPage(path, alias);
  copy(join(app, "_not-found.html"), "errors/404.html");
  copy(join(app, `${pages.failure.path}.html`), "errors/503.html");
  for (const code of ["service_unavailable", "rate_limited"] as const) {
    const failure = { success: false, code, message: errorTable[code].message };
    write(`errors/${errorTable[code].status}.json`, JSON.stringify(failure));
  }

  copy("public", "files");
  const drawn = filesIn(app).filter((name) => name.endsWith(".body"));
  for (const name of drawn) copy(join(app, name), `files/${name.replace(/\.body$/, "")}`);
  cpSync(join(folder, "files", "site"), join(folder, "assets", "site"), { recursive: true });
  rmSync(join(folder, "files", "site"), { recursive: true });
  copy(join(dist, "static"), "assets/_next/static");

  const table = [
    ...headerRules(build),
    { path: "/_next/static/*", headers: { "Cache-Control": cacheControl.hashed } },
    // As the process has it for files whose name does not change.
    ...["/altcha/*", "/samples/*"].map((path) => ({
      path,
      headers: { "Cache-Control": "public, max-age=0" },
    })),
    ...drawn.map((name) => ({
      path: `/${name.replace(/\.body$/, "")}`,
      headers: metaHeaders(join(app, name.replace(/\.body$/, ".meta"))),
    })),
  ];
  for (const [name, text] of Object.entries({ ...caddyFiles(table), ...nginxFiles(table) }))
    write(name, text);
  await Promise.all(
    filesIn(folder)
      .filter((name) => compressible.test(name))
      .map(compress),
  );

  function copyPage(path: string, to: string): void {
    const file = path === pages.home.path ? "/index" : path;
    copy(join(app, `${file}.html`), join("pages", to, "index.html"));
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

/** What the framework would send with an answer that it has drawn. */
function metaHeaders(file: string): Record<string, string> {
  const { headers } = JSON.parse(readFileSync(file, "utf8")) as { headers: Record<string, string> };
  return {
    "Content-Type": headers["content-type"] ?? "application/octet-stream",
    "Cache-Control": headers["cache-control"] ?? cacheControl.home,
  };
}

/** The paths that only the process answers. */
function processPaths(): string[] {
  const guarded = Object.values<Page>(pages).filter(
    (page) => page.guard !== "open" && page.guard !== "internal",
  );
  // The date in security.txt moves on with every day.
  return [
    "/api/*",
    "/.well-known/*",
    `${pages.preview.path}/*`,
    ...guarded.flatMap(({ path }) => [path, `${path}/`]),
  ];
}

/**
 * The table as files of Caddy's, where the last rule that matches wins as well: what has the same headers is one rule.
 * Pages are asked for most: their headers and paths stand by themselves, without anything to match.
 */
function caddyFiles(table: readonly HeaderRule[]): Record<string, string> {
  const block = (headers: Record<string, string>) =>
    Object.entries(headers)
      .map(([name, value]) => `\t${name} ${JSON.stringify(value)}\n`)
      .join("");
  const content = [...indexablePages.map(({ path }) => path), ...Object.keys(aliases)].filter(
    (path) => path !== pages.home.path,
  );
  const withSlash = (path: string) => [path, `${path}/`];
  const pathsOf = new Map<string, string[]>();
  for (const { path, headers } of table) {
    if (path === pages.home.path || content.includes(path)) continue;
    const paths = path.endsWith("*") ? [path] : withSlash(path);
    pathsOf.set(block(headers), [...(pathsOf.get(block(headers)) ?? []), ...paths]);
  }
  const rules = [...pathsOf].map(
    ([text, paths], index) => `@rule${index} path ${paths.join(" ")}\nheader @rule${index} {\n${text}}\n`,
  );
  const page = (path: string) => `header {\n${block(headersForPath(path, table))}}\n`;
  return {
    "paths.caddy":
      `@content {\n\tmethod GET HEAD\n\tpath_regexp ${onePattern(content)}\n}\n` +
      `@process path ${processPaths().join(" ")}\n`,
    "content.caddy": page(pages.faq.path),
    "home.caddy": page(pages.home.path),
    "headers.caddy": rules.join(""),
  };
}

/** One pattern for all of these paths: a list of them is cleaned and compared one by one. */
function onePattern(paths: readonly string[]): string {
  return `^(?:${paths.join("|")})/?$`;
}

/**
 * The table as files of nginx's: maps for what is not the same everywhere, by the file that is sent, and the headers.
 * Pages take a map's default, but for home. Types go by the file's ending there: deploy/nginx.conf names what lacks one.
 */
function nginxFiles(table: readonly HeaderRule[]): Record<string, string> {
  const everywhere: Record<string, string> = {
    ...headersForPath("/*", table),
    "Cache-Control": cacheControl.content,
  };
  const special = table.filter(({ path }) => path !== "/*");
  const names = [...new Set(special.flatMap(({ headers }) => Object.keys(headers)))].filter(
    (name) => name !== "Content-Type",
  );
  const variable = (name: string) => `$site_${name.toLowerCase().replace(/-/g, "_")}`;
  const maps = names.map((name) => {
    const rows = special.map(({ path, headers }) => ({ file: nginxFile(path), value: headers[name] }));
    return nginxMap(variable(name), everywhere[name] ?? "", rows);
  });
  maps.push(
    nginxMap(
      "$site_process",
      "0",
      processPaths().map((path) => ({ file: nginxPattern(path), value: "1" })),
    ),
  );
  const headers = Object.entries(everywhere)
    // Each location says its own: an answer in place of another is not to be kept.
    .filter(([name]) => name !== "Cache-Control")
    .map(
      ([name, value]) =>
        `add_header ${name} ${names.includes(name) ? variable(name) : JSON.stringify(value)} always;\n`,
    );
  return { "maps.nginx": maps.join(""), "headers.nginx": headers.join("") };
}

function nginxMap(
  name: string,
  fallback: string,
  rows: { file: string; value: string | undefined }[],
): string {
  const lines = rows.flatMap(({ file, value = fallback }) =>
    value === fallback ? [] : [`\t${file} ${JSON.stringify(value)};\n`],
  );
  return `map $uri ${name} {\n\tdefault ${JSON.stringify(fallback)};\n${lines.join("")}}\n`;
}

/** The file that is sent for a path of the table; hashed assets have a folder of their own. */
function nginxFile(path: string): string {
  if (path === pages.home.path) return "/pages/index.html";
  const hashed = path.startsWith("/_next/") || path.startsWith("/site/");
  return nginxPattern(hashed ? path : `/files${path}`);
}

function nginxPattern(path: string): string {
  return path.endsWith("*") ? `~^${path.slice(0, -1).replaceAll(".", "\\.")}` : path;
}
