import { expect, test, useServers } from "@/testing/test";
import { join } from "node:path";
import { aliases, indexablePages, pages } from "@/lib/http/pages";
import type { AppServer } from "@/testing/servers/app-server";
import { builds, buildsFolder } from "@/testing/servers/builds";
import { freePort } from "@/scripts/lib/ports.mjs";
import { postCode } from "@/testing/sample-posts";
import { startServerlessSite } from "@/testing/servers/serverless-site";
import { startUpstashServer } from "@/testing/servers/upstash-server";
import { Visitor, type PageResponse } from "@/testing/visitor";
import { startCaddy } from "@/testing/servers/web-server";

const servers = useServers({}, async (parts) => {
  const env = { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox" };
  const [standalone, nextStart] = await Promise.all([
    parts.start({ build: "live", live: true, env: { ...env, SITE_URL: builds.live.SITE_URL } }),
    parts.start({ database: 1, env }),
  ]);
  const release = join(__dirname, "..", "..", buildsFolder, "live");
  const caddy = await parts.keep(startCaddy({ release, upstream: standalone.port, port: await freePort() }));
  return { standalone, nextStart, caddy };
});

/** Opens every page as a new visitor, and the guarded pages as a visitor with a flow. */
async function openPages(app: { url: string }): Promise<[name: string, page: PageResponse][]> {
  const newVisitor = new Visitor(app.url);
  const paths = [
    ...indexablePages.map(({ path }) => path),
    ...[...Object.keys(aliases), "/no-such-page"],
    ...[pages.verification.path, pages.privateAccountError.path],
  ];
  const opened: [string, PageResponse][] = [];
  for (const path of paths) opened.push([path, await newVisitor.visit(path)]);

  const visitor = new Visitor(app.url);
  await visitor.startFlow();
  const preview = `/preview/${postCode}?from=url-entry`;
  for (const path of ["/private-account-error", "/verification", "/get-likes", preview]) {
    opened.push([`${path} in the flow`, await visitor.visit(path)]);
  }
  if (app === servers.nextStart) {
    await visitor.like();
    opened.push(["/success with a receipt", await visitor.visit("/success")]);
  }
  return opened;
}

const policyPattern =
  /<head><meta charSet="utf-8"\/><meta http-equiv="Content-Security-Policy" content="([^"]*)"/i;

/** Returns the text of inline scripts, and the URLs of other scripts. */
function findScripts(html: string): { inline: string[]; sources: string[] } {
  const tags = Array.from(html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)).filter(
    ([, attributes]) => !attributes?.includes("application/ld+json"),
  );
  const sources = tags.map(([, attributes = ""]) => / src="([^"]*)"/.exec(attributes)?.[1]);
  return {
    inline: tags.flatMap(([, , text = ""], index) => (sources[index] === undefined ? [text] : [])),
    sources: sources.filter((source) => source !== undefined),
  };
}

const unsafe = /unsafe-|sha\d|nonce|\*|script-src[^;]* https:( |;|$)/;

async function startServerless() {
  const upstash = await servers.keep(startUpstashServer(servers.redis.url));
  return servers.keep(startServerlessSite({ upstash }));
}

for (const server of ["nextStart", "standalone", "caddy", "serverless"] as const) {
  const tag = server === "serverless" ? "@serverless" : [];
  const title = `sends every page with a strict policy, and only with scripts that it needs: ${server}`;
  test(title, { tag }, async () => {
    const app = server === "serverless" ? await startServerless() : servers[server];
    const kinds = new Set<boolean>();
    for (const [name, { html }] of await openPages(app)) {
      const policy = policyPattern.exec(html)?.[1] ?? "none";
      expect([name, policy]).toEqual([name, expect.stringContaining("script-src 'self'")]);
      expect([name, policy]).toEqual([name, expect.not.stringMatching(unsafe)]);
      const { inline, sources } = findScripts(html);
      expect([name, inline]).toEqual([name, []]);
      expect([name, html.match(/<[^>]* (style|on[a-z]+)="[^"]*"/i)?.[0]]).toEqual([name, undefined]);
      expect([name, html.match(/\/_next\/static\/[^"]*\.js|__next_f/)?.[0]]).toEqual([name, undefined]);
      expect([name, sources]).toEqual([name, sources.filter((source) => source.startsWith("/site/"))]);
      const hasIsland = html.includes("data-island=");
      expect([name, sources.length]).toEqual([name, hasIsland ? 3 : 1]);
      kinds.add(hasIsland);
    }
    expect(kinds.size).toBe(2);
  });
}

test("sends Strict-Transport-Security only on an HTTPS site", async () => {
  const readHeader = async (app: AppServer) =>
    (await fetch(`${app.url}/faq`)).headers.get("strict-transport-security");
  expect(await readHeader(servers.standalone)).toBe("max-age=63072000");
  expect(await readHeader(servers.nextStart)).toBeNull();
});

test("sends the common headers with pages, API responses and files", async () => {
  for (const path of [
    ...["/", "/faq", "/get-likes/"],
    ...["/api/instagram/daily-usage", "/api/health", "/api/metrics"],
    ...["/icon.svg", "/robots.txt", "/sitemap.xml", "/.well-known/security.txt"],
  ]) {
    const { headers } = await fetch(servers.nextStart.url + path);
    expect({ path, ...Object.fromEntries(headers) }).toMatchObject({
      path,
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
  }
});

test("lets other sites show share images, and lets API responses load nothing", async () => {
  const image = await fetch(`${servers.nextStart.url}/share-images/home.png`);
  expect(image.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  const data = await fetch(`${servers.nextStart.url}/api/health`);
  expect(data.headers.get("content-security-policy")).toContain("default-src 'none'");
});
