import { JSDOM } from "jsdom";
import { shareImageSize } from "@/app/page-metadata";
import { appIcons, brandColors } from "@/lib/brand/brand";
import { parseBuildSettings } from "@/lib/config/build-settings";
import { pageHeads, type HeadName } from "@/lib/content/page-heads";
import { variantName } from "@/lib/flow/private-account-variants";
import { aliases, indexablePages, legacyPaths, pages, previewPath, type PageName } from "@/lib/http/pages";
import { headerRules, headersForPath } from "@/lib/http/response-headers";
import { postCode } from "@/testing/sample-posts";
import { expect, test, useServers } from "@/testing/test";
import { Visitor } from "@/testing/visitor";

const servers = useServers();

interface OpenedPage {
  status: number;
  page: Document;
}

async function visit(path: string, visitor = new Visitor(servers.app.url)): Promise<OpenedPage> {
  const { status, html } = await visitor.visit(path);
  return { status, page: new JSDOM(html).window.document };
}

const meta = (page: Document, name: string) =>
  page.querySelector<HTMLMetaElement>(`meta[name="${name}"], meta[property="${name}"]`)?.content;

/** Returns the target of the link element with this relation. */
const linked = (page: Document, rel: string) =>
  page.querySelector(`link[rel="${rel}"]`)?.getAttribute("href") ?? undefined;

const canonicalPath = (page: Document) => new URL(linked(page, "canonical") ?? "none:").pathname;

const structuredData = (page: Document) =>
  [...page.querySelectorAll('script[type="application/ld+json"]')].map(
    ({ textContent }) => JSON.parse(textContent ?? "") as unknown,
  );

/** Returns the paths without and with a slash at the end. */
const withSlashes = (paths: readonly string[]) =>
  paths.flatMap((path) => (path === "/" ? ["/"] : [path, `${path}/`]));

const indexable = (Object.keys(pages) as PageName[]).filter((name) => pages[name].guard === "open");

/** Loads a PNG of the site. Returns its size, or a description of the wrong response. */
async function imageSize(url = "") {
  const response = await fetch(servers.app.url + new URL(url, servers.app.url).pathname);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isPng = bytes.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n";
  if (response.headers.get("content-type") !== "image/png" || !isPng) return `${url}: ${response.status}`;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Checks the title, description, share texts, share image, heading and links of a page. */
async function expectHead({ page }: OpenedPage, path: string, name: HeadName): Promise<void> {
  const head = pageHeads[name];
  expect(page.title).toBe(`${head.title} | Boost50`);
  expect(meta(page, "description")).toBe(head.description);
  for (const group of ["og", "twitter"]) {
    expect(meta(page, `${group}:title`)).toBe(head.title);
    expect(meta(page, `${group}:description`)).toBe(head.description);
    expect(meta(page, `${group}:image:alt`)).toContain(head.title);
    expect(meta(page, `${group}:image`)).toBe(meta(page, "og:image"));
  }
  const expected = {
    "og:type": "website",
    "og:site_name": "Boost50",
    "og:image:width": String(shareImageSize.width),
    "og:image:height": String(shareImageSize.height),
    "og:image:type": "image/png",
    "twitter:card": "summary_large_image",
  };
  const names = Object.keys(expected);
  expect(Object.fromEntries(names.map((name) => [name, meta(page, name)]))).toEqual(expected);
  expect(await imageSize(meta(page, "og:image"))).toEqual(shareImageSize);
  expect(page.querySelectorAll("h1")).toHaveLength(1);
  // The policy stands before everything that it applies to. security/policy.test.ts checks the pages of other servers.
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; `;
  expect(page.head.children[1]?.outerHTML).toContain(policy);
  const own = '[src^="/site/"], [type="application/ld+json"]';
  expect(page.querySelectorAll(`script:not(${own}), [style], [onload]`)).toHaveLength(0);
  expect(await deadLinks(path, page)).toEqual([]);
}

function expectNotIndexed({ page }: OpenedPage): void {
  expect(meta(page, "robots")).toContain("noindex");
  expect(structuredData(page)).toEqual([]);
}

async function expectStructuredData(page: Document, name: PageName): Promise<void> {
  const data = structuredData(page);
  const canonical = linked(page, "canonical") ?? "";
  const { origin } = new URL(canonical);
  expect(JSON.stringify(data)).not.toMatch(/Rating|[Rr]eview|FAQPage/);
  if (name !== "home") {
    const itemListElement = [
      { "@type": "ListItem", position: 1, name: "Home", item: origin },
      { "@type": "ListItem", position: 2, name: pages[name].label, item: canonical },
    ];
    expect(data).toEqual([expect.objectContaining({ "@type": "BreadcrumbList", itemListElement })]);
    return;
  }
  const email = expect.stringContaining("@");
  expect(data).toEqual([
    expect.objectContaining({ "@type": "WebSite", name: "Boost50", url: origin }),
    expect.objectContaining({
      "@type": "Organization",
      name: expect.stringMatching(/\w/),
      url: origin,
      email,
      contactPoint: expect.objectContaining({ email }),
    }),
    expect.objectContaining({
      "@type": "WebApplication",
      url: origin,
      offers: { "@type": "Offer", price: 0, priceCurrency: "USD" },
    }),
  ]);
  expect(await imageSize((data[1] as { logo: string }).logo)).toEqual({ width: 512, height: 512 });
}

for (const name of indexable) {
  const { path } = pages[name];
  const shortPaths = Object.keys(aliases).filter((alias) => aliases[alias] === path);
  for (const address of withSlashes([path, ...shortPaths]))
    test(`${address} has the head, structured data and working links of the page ${name}`, async () => {
      const opened = await visit(address);
      const { status, page } = opened;
      expect(status).toBe(200);
      await expectHead(opened, address, name);
      expect(canonicalPath(page)).toBe(path);
      expect(meta(page, "og:url")).toBe(linked(page, "canonical"));
      expect(meta(page, "description")?.length).toBeGreaterThanOrEqual(110);
      expect(meta(page, "description")?.length).toBeLessThanOrEqual(160);
      expect(meta(page, "robots") ?? "index").not.toContain("noindex");
      await expectStructuredData(page, name);
    });
}

test("every page has its own title, description and share image", async () => {
  const heads = Object.values(pageHeads);
  for (const part of ["title", "description"] as const) {
    expect(new Set(heads.map((head) => head[part])).size).toBe(heads.length);
  }
  const opened = await Promise.all(indexable.map((name) => visit(pages[name].path)));
  expect(new Set(opened.map(({ page }) => meta(page, "og:image"))).size).toBe(indexable.length);
});

const guarded = [pages.verification, pages.privateAccountError, pages.getLikes, pages.success];
const variant = `${pages.privateAccountError.path}/${variantName("private", "android")}`;
const unknown = [...legacyPaths, "/no-such-page", "/faq/no-such-page", variant, pages.startOver.path];

for (const { title, name, expectedStatus, paths } of [
  {
    title: "without a flow asks to start over",
    name: "startOver",
    expectedStatus: 200,
    paths: guarded.map(({ path }) => path),
  },
  { title: "is not found", name: "notFound", expectedStatus: 404, paths: unknown },
] as const)
  for (const path of withSlashes(paths))
    test(`${path} ${title}`, async () => {
      const opened = await visit(path);
      expect(opened.status).toBe(expectedStatus);
      await expectHead(opened, path, name);
      expectNotIndexed(opened);
      expect(linked(opened.page, "canonical")).toBeUndefined();
      // Works without JavaScript.
      expect(opened.page.querySelector('main a[href="/"]')).not.toBeNull();
    });

for (const slash of ["", "/"])
  test(`the pages of the flow have their own heads, with "${slash}" after their paths`, async () => {
    const visitor = new Visitor(servers.app.url, { fingerprint: `flow${slash}` });
    const expectPage = async (name: PageName, path: string = pages[name].path + slash) => {
      const opened = await visit(path, visitor);
      expect(opened.status).toBe(200);
      await expectHead(opened, path, name);
      expectNotIndexed(opened);
      if (name === "preview") expect(linked(opened.page, "canonical")).toBeUndefined();
      else expect(canonicalPath(opened.page)).toBe(pages[name].path);
    };

    await visitor.startFlow();
    for (const name of ["privateAccountError", "verification", "getLikes"] as const) await expectPage(name);
    await expectPage("preview", previewPath(postCode).replace("?", `${slash}?`));
    expect((await visitor.like()).status).toBe(200);
    await expectPage("success");
  });

const linkedPages = new Map<string, Promise<OpenedPage>>();

/** Returns the broken links of a page. Opens every linked page once, as a new visitor. */
async function deadLinks(path: string, page: Document): Promise<string[]> {
  const dead: string[] = [];
  const source = new URL(path, servers.app.url);
  for (const link of page.querySelectorAll("a")) {
    const href = link.getAttribute("href") ?? "";
    const target = new URL(href, source);
    if (target.protocol === "mailto:") continue;
    if (target.origin !== source.origin) {
      if (!link.rel.includes("noopener")) dead.push(`${href} without noopener`);
      continue;
    }
    let shown = page;
    if (target.pathname !== source.pathname) {
      const opening = linkedPages.get(target.pathname) ?? visit(target.pathname);
      linkedPages.set(target.pathname, opening);
      const opened = await opening;
      if (opened.status !== 200) dead.push(`${href}: status ${opened.status}`);
      shown = opened.page;
    }
    if (target.hash && !shown.getElementById(target.hash.slice(1))) dead.push(`${href}: no such id`);
  }
  return dead;
}

test("the sitemap lists the indexable pages, with the date of the last update for three of them", async () => {
  const xml = await (await fetch(`${servers.app.url}/sitemap.xml`)).text();
  const entries = [...new JSDOM(xml, { contentType: "text/xml" }).window.document.querySelectorAll("url")];
  const dates = new Map(
    entries.map((entry) => [
      entry.querySelector("loc")?.textContent ?? "",
      entry.querySelector("lastmod")?.textContent,
    ]),
  );
  expect([...dates.keys()].map((url) => new URL(url).pathname)).toEqual(
    indexablePages.map(({ path }) => path),
  );
  // The canonical URL of the home page has no slash, so the sitemap has none either.
  expect([...dates.keys()].filter((url) => url === new URL(url).origin)).toHaveLength(1);
  for (const [url, date] of dates) {
    const { page } = await visit(new URL(url).pathname);
    expect(page.querySelector<HTMLTimeElement>("time[data-today]")?.dateTime).toBe(date);
  }
  expect([...dates.values()].filter(Boolean)).toHaveLength(3);
});

test("robots.txt allows the pages, forbids the API and names the sitemap", async () => {
  expect(await (await fetch(`${servers.app.url}/robots.txt`)).text()).toMatch(
    /^User-Agent: \*\nAllow: \/\nDisallow: \/api\/\n\nSitemap: (?:http:\/\/localhost:3000|https:\/\/likes\.localhost)\/sitemap\.xml\n$/,
  );
});

test("pages, files and API responses have the headers of their paths", async () => {
  const rules = headerRules(parseBuildSettings({}));
  for (const path of ["/", "/terms", "/get-likes/", "/icon.svg", "/share-images/home.png", "/api/health"]) {
    const { headers } = await fetch(servers.app.url + path);
    const expected = Object.fromEntries(new Headers(headersForPath(path, rules)));
    // A serverless host removes what is for its own cache.
    const cacheControl = { "cache-control": expect.stringMatching(/\w/) };
    expect(Object.fromEntries(headers)).toMatchObject({ ...expected, ...cacheControl });
  }
});

test("share images are cached for a day, and unknown images are not found", async () => {
  const { headers } = await fetch(`${servers.app.url}/share-images/home.png`);
  expect(headers.get("cache-control")).toBe("public, max-age=86400");
  expect((await fetch(`${servers.app.url}/share-images/nobody.png`)).status).toBe(404);
  expect((await fetch(`${servers.app.url}/icons/nobody.png`)).status).toBe(404);
});

test("the manifest has the theme, a share target and icons of the declared sizes, which browsers and phones also have", async () => {
  const { page } = await visit("/");
  const response = await fetch(servers.app.url + linked(page, "manifest"));
  expect(response.headers.get("content-type")).toContain("application/manifest+json");
  const { icons, ...rest } = (await response.json()) as { icons: { src: string; sizes: string }[] };
  expect(rest).toMatchObject({
    display: "standalone",
    theme_color: brandColors.light.card,
    // With GET, the URL would contain the shared link. security/http-contract.test.ts tests the endpoint.
    share_target: {
      action: "/api/share",
      method: "POST",
      enctype: "application/x-www-form-urlencoded",
      params: { title: "title", text: "text", url: "url" },
    },
  });
  expect(icons).toHaveLength(appIcons.length);
  for (const { src, sizes } of icons) {
    const [width, height] = sizes.split("x").map(Number);
    expect(await imageSize(src)).toEqual({ width, height });
  }
  expect(await imageSize(linked(page, "apple-touch-icon"))).toEqual({ width: 180, height: 180 });
  expect((await fetch(`${servers.app.url}/icon.svg`)).headers.get("content-type")).toBe("image/svg+xml");
  const themes = [...page.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")];
  expect(themes.map((theme) => [theme.getAttribute("media"), theme.content])).toEqual([
    ["(prefers-color-scheme: light)", brandColors.light.card],
    ["(prefers-color-scheme: dark)", brandColors.dark.card],
  ]);
});

for (const path of withSlashes(["/.well-known/security.txt"]))
  test(`${path} is plain text`, async () => {
    const { status, headers } = await fetch(servers.app.url + path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  });

test("pages that the client has are sent as 304 without content and with the same headers", async () => {
  for (const path of [...indexablePages.map(({ path }) => path), ...Object.keys(aliases)]) {
    const first = await fetch(servers.app.url + path);
    const etag = first.headers.get("etag") ?? "none";
    const second = await fetch(servers.app.url + path, { headers: { "if-none-match": etag } });
    expect([path, second.status, await second.text()]).toEqual([path, 304, ""]);
    for (const header of ["cache-control", "etag", "x-content-type-options"])
      expect(second.headers.get(header)).toBe(first.headers.get(header));
  }
});
