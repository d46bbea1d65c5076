import { expect, test, useServers } from "../support/test";
import { join } from "node:path";
import { aliases, indexablePages, pages } from "@/lib/http/pages";
import type { AppServer } from "../support/servers/app-server";
import { builds, buildsFolder } from "../support/servers/builds";
import { observatoryScore } from "../support/servers/observatory";
import { freePort } from "../support/ports";
import { postCode } from "../support/sample-posts";
import { startServerlessSite } from "../support/servers/serverless-site";
import { startUpstashServer } from "../support/servers/upstash-server";
import { Visitor, type PageAnswer } from "../support/visitor";
import { startCaddy, startNginx } from "../support/servers/web-server";

/** Verify says aloud where the host's tool could not be had. */
const withServerless = process.env.WITHOUT_SERVERLESS !== "yes";

const servers = useServers({}, async (parts) => {
  const env = { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox" };
  const [live, local] = await Promise.all([
    // The standalone output of a production build, as its proxy speaks to it.
    parts.start({ build: "live", live: true, env: { ...env, SITE_URL: builds.live.SITE_URL } }),
    // `next start` on the default build.
    parts.start({ database: 1, env }),
  ]);
  const release = join(__dirname, "..", "..", buildsFolder, "live");
  const upstash = await parts.keep(startUpstashServer(parts.redis.url));
  const serverless = withServerless ? await parts.keep(startServerlessSite({ upstash })) : live;
  const behind = async (start: typeof startCaddy) =>
    parts.keep(start({ release, upstream: live.port, port: await freePort() }));
  return { live, local, serverless, caddy: await behind(startCaddy), nginx: await behind(startNginx) };
});

/** Every page as a newcomer sees it, and the steps as a visitor within the flow does. */
async function everyPage(app: { url: string }): Promise<[name: string, answer: PageAnswer][]> {
  const newcomer = new Visitor(app.url);
  const paths = [
    ...indexablePages.map(({ path }) => path),
    ...Object.keys(aliases),
    pages.verification.path,
    pages.privateAccountError.path,
    "/no-such-page",
  ];
  const answers: [string, PageAnswer][] = [];
  for (const path of paths) answers.push([path, await newcomer.visit(path)]);

  const visitor = new Visitor(app.url);
  await visitor.startFlow();
  for (const path of [
    "/private-account-error",
    "/verification",
    "/get-likes",
    `/preview/${postCode}?from=url-entry`,
  ]) {
    answers.push([`${path} in the flow`, await visitor.visit(path)]);
  }
  if (app === servers.local) {
    await visitor.like();
    answers.push(["/success with a receipt", await visitor.visit("/success")]);
  }
  return answers;
}

const metaOf = (html: string) =>
  /<head><meta charSet="utf-8"\/><meta http-equiv="Content-Security-Policy" content="([^"]*)"/i.exec(
    html,
  )?.[1];

function scriptsOf(html: string): { inline: string[]; sources: string[] } {
  const tags = Array.from(html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)).filter(
    ([, attributes]) => !attributes?.includes("application/ld+json"),
  );
  const sources = tags.map(([, attributes = ""]) => / src="([^"]*)"/.exec(attributes)?.[1]);
  return {
    inline: tags.flatMap(([, , text = ""], index) => (sources[index] === undefined ? [text] : [])),
    sources: sources.filter((source) => source !== undefined),
  };
}

for (const [title, app] of [
  ["next start", () => servers.local],
  ["the standalone output", () => servers.live],
  ["Caddy in front of it", () => servers.caddy],
  ["nginx in front of it", () => servers.nginx],
  ...(withServerless ? [["a serverless host", () => servers.serverless] as const] : []),
] as const)
  test.describe(`under ${title}`, () => {
    test("every page has a policy that allows nothing unsafe, and no page has inline code", async () => {
      for (const [name, { html }] of await everyPage(app())) {
        const policy = metaOf(html) ?? "none";
        expect([name, policy]).toEqual([name, expect.stringContaining("script-src 'self'")]);
        expect([name, policy]).toEqual([
          name,
          expect.not.stringMatching(/unsafe-|sha\d|nonce|\*|script-src[^;]* https:( |;|$)/),
        ]);
        expect([name, scriptsOf(html).inline]).toEqual([name, []]);
        expect([name, html.match(/<[^>]* (style|on[a-z]+)="[^"]*"/i)?.[0]]).toEqual([name, undefined]);
      }
    });

    test("no page loads scripts of Next.js, and only pages with an island load its scripts", async () => {
      const answers = await everyPage(app());
      const kinds = answers.map(([name, { html }]) => {
        const { sources } = scriptsOf(html);
        expect([name, html.match(/\/_next\/static\/[^"]*\.js|__next_f/)?.[0]]).toEqual([name, undefined]);
        expect([name, sources]).toEqual([name, sources.filter((source) => source.startsWith("/site/"))]);
        const hasIsland = html.includes("data-island=");
        expect([name, sources.length]).toEqual([name, hasIsland ? 4 : 1]);
        return hasIsland;
      });
      expect(new Set(kinds).size).toBe(2);
    });
  });

for (const server of ["live", "caddy", "nginx"] as const)
  test(`every page of a production build scores 130 or more by the Observatory's rules: ${server}`, async () => {
    const scores: number[] = [];
    for (const [name, { headers, html }] of await everyPage(servers[server])) {
      const { score, parts } = observatoryScore(headers, html);
      expect([name, parts, score >= 130]).toEqual([name, parts, true]);
      scores.push(score);
    }
    console.log(
      `Observatory: ${scores.length} pages, ${Math.min(...scores)} to ${Math.max(...scores)} points`,
    );
  });

test("https is insisted on only where the site has it", async () => {
  const of = async (app: AppServer) =>
    (await fetch(`${app.url}/faq`)).headers.get("strict-transport-security");
  expect(await of(servers.live)).toBe("max-age=63072000");
  expect(await of(servers.local)).toBeNull();
});

for (const path of [
  "/api/instagram/daily-usage",
  "/api/health",
  "/api/metrics",
  "/icon.svg",
  "/robots.txt",
  "/sitemap.xml",
  "/.well-known/security.txt",
])
  test(`${path} carries the common headers`, async () => {
    const { headers } = await fetch(servers.local.url + path);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
  });

test("share images may be shown by other sites, data of the API may hold nothing active", async () => {
  const image = await fetch(`${servers.local.url}/share-images/home.png`);
  expect(image.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  const data = await fetch(`${servers.local.url}/api/health`);
  expect(data.headers.get("content-security-policy")).toContain("default-src 'none'");
});
