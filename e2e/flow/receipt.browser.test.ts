import { expect, test, useServers, type Open } from "@/testing/test";
import { join } from "node:path";
import { pages } from "@/lib/http/pages";
import { buildsFolder } from "@/testing/servers/builds";
import { freePort } from "@/scripts/lib/ports.mjs";
import { referenceOf, Visitor } from "@/testing/visitor";
import { behindWebServer, startCaddy, startNginx } from "@/testing/servers/web-server";

/* The receipt on the last page. Behind a shared cache, only the visitor with the order sees it. */

const release = join(__dirname, "..", "..", buildsFolder, "deployed");
const path = "/api/instagram/receipt";
const startOver = "You Need to Start from the Beginning";

/** Configuration of a shared cache that stores all responses whose headers allow it, even with cookies. */
const cacheConfiguration = (home: string, port: number, upstream: number) => `
  proxy_cache_path ${home}/cache keys_zone=shared:1m;
  server {
    listen ${port} ssl;
    ssl_certificate ${home}/fullchain.pem;
    ssl_certificate_key ${home}/privkey.pem;
    location / {
      proxy_pass https://127.0.0.1:${upstream};
      proxy_ssl_server_name on;
      proxy_ssl_name likes.localhost;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_cache shared;
      proxy_cache_key $request_uri;
      proxy_cache_valid any 1m;
      proxy_ignore_headers Set-Cookie Vary;
      add_header X-Shared-Cache $upstream_cache_status always;
    }
  }`;

test.describe("the receipt of an accepted order", () => {
  const servers = useServers();

  async function openReceipt(open: Open) {
    const visitor = new Visitor(servers.app.url);
    await visitor.goToStep3();
    const reference = referenceOf(await visitor.like());
    const opened = await open(servers.app.url + pages.success.path, { as: visitor });
    await opened.page.getByText(reference).waitFor();
    return { ...opened, reference };
  }

  test("has a button that copies the reference, and a link to the report form with the reference", async ({
    open,
  }) => {
    const { context, page, reference, problems } = await openReceipt(open);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy reference" }).click();
    await expect(page.getByText("Reference copied")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reference);

    await page.getByRole("link", { name: "Report a problem" }).click();
    const field = page.getByRole("textbox", { name: "Order reference" });
    await expect(field).toHaveValue(reference);
    expect(page.url()).not.toContain(reference);
    expect(problems).toEqual([]);
  });

  test("names the site and its addresses on paper, and prints no buttons", async ({ open }) => {
    const { page, reference } = await openReceipt(open);
    await expect(page.getByRole("button", { name: "Print" })).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(page.getByText("Boost50 · http://localhost:3000 · support@example.com")).toBeVisible();
    await expect(page.getByText(reference)).toBeVisible();
    for (const role of ["button", "link"] as const)
      await expect(page.getByRole(role, { name: /Print|Copy|Report/ })).toHaveCount(0);
  });
});

test.describe("a shared cache in front of Caddy", () => {
  const servers = useServers({}, async (parts) => {
    const [port, webPort, upstream] = [await freePort(), await freePort(), await freePort()];
    await parts.start({ build: "deployed", port: upstream, env: behindWebServer(port) });
    await parts.keep(startCaddy({ release, upstream, port: webPort }));
    const cache = startNginx(port, (home) => cacheConfiguration(home, port, webPort));
    return { cache: await parts.keep(cache) };
  });

  test("sends each visitor only the visitor's own receipt", async () => {
    const { url } = servers.cache;
    const stranger = new Visitor(url);
    // All requests come from one address, so the fingerprints differ.
    const owners = [new Visitor(url), new Visitor(url, { fingerprint: "another" })];
    const references: string[] = [];
    for (const owner of owners) {
      await owner.goToStep3();
      references.push(referenceOf(await owner.like()));
    }
    expect(new Set(references).size).toBe(2);
    // Each request is sent twice, because a cache can only store the first response.
    for (const round of [1, 2]) {
      for (const [index, owner] of owners.entries()) {
        const { status, headers, body } = await owner.get(path);
        expect([round, status, headers.get("cache-control")]).toEqual([round, 200, "private, no-store"]);
        expect(headers.get("x-shared-cache")).not.toBe("HIT");
        expect(body.order).toMatchObject({ reference: references[index] });
        expect((await owner.visit(pages.success.path)).html).toContain("Likes Delivered Successfully!");
      }
      expect((await stranger.get(path)).status).toBe(403);
      expect((await stranger.visit(pages.success.path)).html).toContain(startOver);
    }
    // The cache is on: it stores pages that are the same for all visitors.
    await stranger.visit(pages.faq.path);
    expect((await stranger.visit(pages.faq.path)).headers.get("x-shared-cache")).toBe("HIT");
  });
});
