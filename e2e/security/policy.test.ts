import { expect, test, useServers } from "@/testing/test";
import { JSDOM } from "jsdom";
import { aliases, indexablePages, pages } from "@/lib/http/pages";
import { buildFolder, builds } from "@/testing/servers/builds";
import { freePort } from "@/scripts/lib/ports.mjs";
import { postCode } from "@/testing/sample-posts";
import { startServerlessSite } from "@/testing/servers/serverless-site";
import { startUpstashServer } from "@/testing/servers/upstash-server";
import { Visitor, type PageResponse } from "@/testing/visitor";
import { startCaddy } from "@/testing/servers/web-server";

const servers = useServers({}, async (parts) => {
  const env = { CAPTCHA_PROVIDER: "altcha", POST_LOOKUP: "sandbox" };
  const standalone = await parts.start({
    build: "live",
    live: true,
    env: { ...env, SITE_URL: builds.live.SITE_URL },
  });
  const release = buildFolder("live");
  const caddy = await parts.keep(startCaddy({ release, upstream: standalone.port, port: await freePort() }));
  return { standalone, caddy };
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
  return opened;
}

const policyPattern =
  /<head><meta charSet="utf-8"\/><meta http-equiv="Content-Security-Policy" content="([^"]*)"/i;

const unsafe = /unsafe-|sha\d|nonce|\*|script-src[^;]* https:( |;|$)/;

/* e2e/pages/pages.test.ts checks the policy and the scripts of the pages that `next start` sends. */
for (const server of ["standalone", "caddy", "serverless"] as const) {
  const tag = server === "serverless" ? "@serverless" : [];
  const title = `sends every page with a strict policy, and only with scripts that it needs: ${server}`;
  test(title, { tag }, async () => {
    const app =
      server === "serverless"
        ? await servers.keep(
            startServerlessSite({ upstash: await servers.keep(startUpstashServer(servers.redis.url)) }),
          )
        : servers[server];
    const kinds = new Set<boolean>();
    for (const [name, { html }] of await openPages(app)) {
      const policy = policyPattern.exec(html)?.[1] ?? "none";
      expect([name, policy]).toEqual([name, expect.stringContaining("script-src 'self'")]);
      expect([name, policy]).toEqual([name, expect.not.stringMatching(unsafe)]);
      expect([name, html.match(/<[^>]* (style|on[a-z]+)="[^"]*"/i)?.[0]]).toEqual([name, undefined]);
      expect([name, html.match(/\/_next\/static\/[^"]*\.js|__next_f/)?.[0]]).toEqual([name, undefined]);
      const { document } = new JSDOM(html).window;
      const scripts = document.querySelectorAll('script:not([type="application/ld+json"])');
      const sources = [...scripts].map((script) => script.getAttribute("src") ?? script.outerHTML);
      expect([name, sources.filter((source) => !source.startsWith("/site/"))]).toEqual([name, []]);
      const hasIsland = html.includes("data-island=");
      expect([name, sources.length]).toEqual([name, hasIsland ? 3 : 1]);
      kinds.add(hasIsland);
    }
    expect(kinds.size).toBe(2);
  });
}
