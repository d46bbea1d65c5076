import { join } from "node:path";
import ts from "typescript";
import { shareImageSize } from "@/app/page-metadata";
import { appIcons, brandColors } from "@/lib/brand/brand";
import { pageHeads, type HeadName } from "@/lib/content/page-heads";
import { aliases, indexablePages, legacyPaths, pages, previewPath, type PageName } from "@/lib/http/pages";
import { pngSize, type Size } from "@/testing/browser/image-size";
import { readPage, type PageFacts } from "@/testing/html";
import { expect, test, useServers } from "@/testing/test";
import { Visitor } from "@/testing/visitor";

const servers = useServers();

interface OpenedPage {
  status: number;
  location: string | null;
  facts: PageFacts;
}

async function visit(path: string, visitor = new Visitor(servers.app.url)): Promise<OpenedPage> {
  const { status, headers, html } = await visitor.visit(path);
  return { status, location: headers.get("location"), facts: readPage(html) };
}

/** Returns the paths without and with a slash at the end. */
const withSlashes = (paths: readonly string[]) =>
  paths.flatMap((path) => (path === "/" ? ["/"] : [path, `${path}/`]));

const indexable = (Object.keys(pages) as PageName[]).filter((name) => pages[name].guard === "open");

/** Loads an image of the site. Returns its size, or a description of the wrong response. */
async function imageSize(url = ""): Promise<Size | string> {
  const response = await fetch(servers.app.url + new URL(url, servers.app.url).pathname);
  const type = response.headers.get("content-type");
  if (response.status !== 200 || type !== "image/png") return `${url}: ${response.status}, ${type}`;
  return pngSize(Buffer.from(await response.arrayBuffer()));
}

/** Checks the title, description, share texts, share image and heading of a page. */
async function expectHead(facts: PageFacts, name: HeadName): Promise<void> {
  const head = pageHeads[name];
  expect(facts.title).toBe(`${head.title} | Boost50`);
  expect(facts.description).toBe(head.description);
  const texts = {
    title: head.title,
    description: head.description,
    "image:alt": expect.stringContaining(head.title),
  };
  const { image } = facts.openGraph;
  expect(facts.openGraph).toMatchObject({
    ...texts,
    type: "website",
    site_name: "Boost50",
    "image:width": String(shareImageSize.width),
    "image:height": String(shareImageSize.height),
    "image:type": "image/png",
  });
  expect(facts.twitter).toMatchObject({ ...texts, card: "summary_large_image", image });
  expect(await imageSize(image)).toEqual(shareImageSize);
  expect(facts.headings).toBe(1);
}

function expectNotIndexed({ robots, structuredData }: PageFacts): void {
  expect(robots).toContain("noindex");
  expect(structuredData).toEqual([]);
}

async function expectStructuredData({ structuredData, canonical = "" }: PageFacts, name: PageName) {
  expect(JSON.stringify(structuredData)).not.toMatch(/Rating|[Rr]eview|FAQPage/);
  const { origin } = new URL(canonical);
  if (name !== "home") {
    const itemListElement = [
      { "@type": "ListItem", position: 1, name: "Home", item: origin },
      { "@type": "ListItem", position: 2, name: pages[name].label, item: canonical },
    ];
    expect(structuredData).toEqual([expect.objectContaining({ "@type": "BreadcrumbList", itemListElement })]);
    return;
  }
  const email = expect.stringContaining("@");
  expect(structuredData).toEqual([
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
  const { logo } = structuredData[1] as { logo: string };
  expect(await imageSize(logo)).toEqual({ width: 512, height: 512 });
}

for (const name of indexable) {
  const { path } = pages[name];
  const shortPaths = Object.keys(aliases).filter((alias) => aliases[alias] === path);
  for (const address of withSlashes([path, ...shortPaths]))
    test(`${address} has the head, structured data and working links of the page ${name}`, async () => {
      const { status, facts } = await visit(address);
      expect(status).toBe(200);
      await expectHead(facts, name);
      expect(new URL(facts.canonical ?? "").pathname).toBe(path);
      expect(facts.openGraph.url).toBe(facts.canonical);
      expect(facts.description?.length).toBeGreaterThanOrEqual(110);
      expect(facts.description?.length).toBeLessThanOrEqual(160);
      expect(facts.robots ?? "index").not.toContain("noindex");
      await expectStructuredData(facts, name);
      expect(await deadLinks(address, facts)).toEqual([]);
    });
}

test("every page has its own title, description and share image", async () => {
  const heads = Object.values(pageHeads);
  for (const part of ["title", "description"] as const) {
    expect(new Set(heads.map((head) => head[part])).size).toBe(heads.length);
  }
  const opened = await Promise.all(indexable.map((name) => visit(pages[name].path)));
  expect(new Set(opened.map(({ facts }) => facts.openGraph.image)).size).toBe(indexable.length);
});

const guarded = [pages.verification, pages.privateAccountError, pages.getLikes, pages.success];

for (const path of withSlashes(guarded.map((page) => page.path)))
  test(`${path} without a flow asks to start over`, async () => {
    const { status, facts } = await visit(path);
    expect(status).toBe(200);
    await expectHead(facts, "startOver");
    expectNotIndexed(facts);
    expect(facts.canonical).toBeUndefined();
    expect(await deadLinks(path, facts)).toEqual([]);
  });

for (const slash of ["", "/"])
  test(`the pages of the flow have their own heads, with "${slash}" after their paths`, async () => {
    const visitor = new Visitor(servers.app.url, { fingerprint: `flow${slash}` });
    const expectPage = async (name: PageName, path: string = pages[name].path + slash) => {
      const { status, facts } = await visit(path, visitor);
      expect(status).toBe(200);
      await expectHead(facts, name);
      expectNotIndexed(facts);
      expect(await deadLinks(path, facts)).toEqual([]);
      const canonical = facts.canonical && new URL(facts.canonical).pathname;
      expect(canonical).toBe(name === "preview" ? undefined : pages[name].path);
    };

    await visitor.startFlow();
    for (const name of ["privateAccountError", "verification", "getLikes"] as const) await expectPage(name);
    await expectPage("preview", previewPath("Cxyz123abc_").replace("?", `${slash}?`));
    expect((await visitor.like()).status).toBe(200);
    await expectPage("success");
  });

for (const path of withSlashes([...legacyPaths, "/no-such-page", "/faq/no-such-page", pages.startOver.path]))
  test(`${path} is not found`, async () => {
    const { status, facts } = await visit(path);
    expect(status).toBe(404);
    await expectHead(facts, "notFound");
    expectNotIndexed(facts);
    expect(facts.canonical).toBeUndefined();
    expect(await deadLinks(path, facts)).toEqual([]);
  });

const opened = new Map<string, Promise<OpenedPage>>();

/** Returns the broken links of a page. Opens every linked page once, as a new visitor. */
async function deadLinks(path: string, page: PageFacts): Promise<string[]> {
  const dead: string[] = [];
  const source = new URL(path, servers.app.url);
  for (const { href, rel } of page.links) {
    const target = new URL(href, source);
    if (target.protocol === "mailto:") continue;
    if (target.origin !== source.origin) {
      if (!rel.includes("noopener")) dead.push(`${href} without noopener`);
      continue;
    }
    let linked = page;
    if (target.pathname !== source.pathname) {
      const opening = opened.get(target.pathname) ?? visit(target.pathname);
      opened.set(target.pathname, opening);
      const { status, facts } = await opening;
      if (status !== 200) dead.push(`${href}: status ${status}`);
      linked = facts;
    }
    if (target.hash && !linked.ids.has(target.hash.slice(1))) dead.push(`${href}: no such id`);
  }
  return dead;
}

test("the sitemap lists the indexable pages, with the date of the last update for three of them", async () => {
  const xml = await (await fetch(`${servers.app.url}/sitemap.xml`)).text();
  const dates = new Map(
    Array.from(
      xml.matchAll(/<loc>([^<]+)<\/loc>\s*(?:<lastmod>([^<]+)<\/lastmod>)?/g),
      ([, url = "", date]) => [new URL(url).pathname, date],
    ),
  );
  expect([...dates.keys()]).toEqual(indexablePages.map(({ path }) => path));
  // The canonical URL of the home page has no slash, so the sitemap has none either.
  expect(xml).toMatch(/<loc>https?:\/\/[^/]+<\/loc>/);
  for (const [path, date] of dates) {
    const html = await (await fetch(servers.app.url + path)).text();
    expect(date).toBe(/<time dateTime="([\d-]+)" data-today="">/i.exec(html)?.[1]);
  }
  expect([...dates.values()].filter(Boolean)).toHaveLength(3);
});

test("the structured data of every page has the types of schema.org", async () => {
  const opened = await Promise.all(indexable.map((name) => visit(pages[name].path)));
  const blocks = opened.flatMap(({ facts }) => facts.structuredData);
  expect(blocks.length).toBeGreaterThan(indexable.length);
  expect(schemaProblems(blocks)).toEqual([]);
  // The check finds an unknown property, and a property with a value of the wrong type.
  const [site] = blocks as [object];
  const problems = schemaProblems([
    { ...site, title: "Home" },
    { ...site, publisher: 5 },
  ]);
  expect(problems.join()).toContain('"title"\' does not exist');
  expect(problems.join()).toContain("not assignable");
});

/** Compiles JSON-LD as constants with the types of schema-dts. Returns the messages of the compiler. */
function schemaProblems(blocks: unknown[]): string[] {
  const file = join(__dirname, "structured-data.ts");
  const source = blocks.map((block, index) => {
    const type = (block as { "@type": string })["@type"];
    return `export const data${index}: Schema.WithContext<Schema.${type}> = ${JSON.stringify(block)};\n`;
  });
  const text = `import type * as Schema from "schema-dts";\n${source.join("")}`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(file, text, version) : read(name, version);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("robots.txt allows the pages, forbids the API and names the sitemap", async () => {
  const text = await (await fetch(`${servers.app.url}/robots.txt`)).text();
  expect(text).toMatch(/^Allow: \/$/m);
  expect(text).toMatch(/^Disallow: \/api\/$/m);
  expect(text).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m);
});

test("share images are cached for a day, and unknown images are not found", async () => {
  const { headers } = await fetch(`${servers.app.url}/share-images/home.png`);
  expect(headers.get("cache-control")).toBe("public, max-age=86400");
  expect((await fetch(`${servers.app.url}/share-images/nobody.png`)).status).toBe(404);
  expect((await fetch(`${servers.app.url}/icons/nobody.png`)).status).toBe(404);
});

test("the manifest has the theme, a share target and icons of the declared sizes", async () => {
  const { manifest, themeColors } = (await visit("/")).facts;
  const response = await fetch(servers.app.url + manifest);
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
  expect(themeColors).toEqual({
    "(prefers-color-scheme: light)": brandColors.light.card,
    "(prefers-color-scheme: dark)": brandColors.dark.card,
  });
});

test("the site has icons for browsers and phones", async () => {
  const html = await (await fetch(servers.app.url)).text();
  const apple = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(html)?.[1];
  expect(await imageSize(apple)).toEqual({ width: 180, height: 180 });
  expect((await fetch(`${servers.app.url}/icon.svg`)).headers.get("content-type")).toBe("image/svg+xml");
});

// lib/http/security-txt.test.ts tests the content.
for (const path of withSlashes(["/.well-known/security.txt"]))
  test(`${path} is plain text`, async () => {
    const { status, headers } = await fetch(servers.app.url + path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  });

test("pages that the client has are sent as 304 without content and with the same headers, but not for * or a future date", async () => {
  for (const { path } of indexablePages) {
    const read = (headers: Record<string, string>) => fetch(servers.app.url + path, { headers });
    const first = await read({});
    const etag = first.headers.get("etag") ?? "none";
    const second = await read({ "if-none-match": etag });
    expect({ path, status: second.status, body: await second.text() }).toEqual({
      path,
      status: 304,
      body: "",
    });
    for (const header of ["cache-control", "etag", "x-content-type-options"])
      expect(second.headers.get(header)).toBe(first.headers.get(header));
    for (const [name, value] of [
      ["if-none-match", "*"],
      ["if-none-match", '"other"'],
      ["if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT"],
    ] as const)
      expect((await read({ [name]: value })).status).toBe(200);
  }
});
