import { expect, test, useServers } from "../support/test";
import { shareImageSize } from "@/components/site/page-metadata";
import { appIcons, brandColors } from "@/lib/brand/brand";
import { pageHeads, type HeadName } from "@/lib/content/page-heads";
import { aliases, indexablePages, legacyPaths, pages, previewPath, type PageName } from "@/lib/http/pages";
import { readPage, type PageFacts } from "../support/html";
import { pngSize, type Size } from "../support/browser/image-size";
import { Visitor } from "../support/visitor";

const servers = useServers();

interface Answer {
  status: number;
  location: string | null;
  facts: PageFacts;
}

async function visit(path: string, visitor = new Visitor(servers.app.url)): Promise<Answer> {
  const { status, headers, html } = await visitor.visit(path);
  return { status, location: headers.get("location"), facts: readPage(html) };
}

const slashForms = (path: string) => (path === "/" ? ["/"] : [path, `${path}/`]);
const both = (paths: readonly string[]) => paths.flatMap(slashForms);

const indexable = (Object.keys(pages) as PageName[]).filter((name) => pages[name].guard === "open");

/** Every form of an indexable page's address, aliases included. */
const openAddresses = indexable.flatMap((name) => {
  const { path } = pages[name];
  const short = Object.keys(aliases).filter((alias) => aliases[alias] === path);
  return both([path, ...short]).map((address) => [address, name] as const);
});

/** An image of ours, asked for under the address that a page names: real size, or what is wrong. */
async function fetchImage(address: string | undefined): Promise<Size | string> {
  const response = await fetch(servers.app.url + new URL(address ?? "").pathname);
  const type = response.headers.get("content-type");
  if (response.status !== 200 || type !== "image/png") return `answers ${response.status}, ${type}`;
  return pngSize(Buffer.from(await response.arrayBuffer()));
}

/** Title, description, sharing texts, image and the one heading: what every page has. */
async function expectHead({ facts }: Answer, name: HeadName): Promise<void> {
  const head = pageHeads[name];
  expect(facts.title).toMatch(head.absolute ? /\w/ : /\w \| \w/);
  expect(facts.title?.startsWith(head.title)).toBe(true);
  expect(facts.description).toBe(head.description);
  expect(head.description.length).toBeGreaterThan(50);
  expect(head.description.length).toBeLessThan(170);
  const texts = { title: head.title, description: head.description };
  const image = facts.openGraph.image;
  const alt = expect.stringContaining(head.title);
  expect(facts.openGraph).toMatchObject({
    ...texts,
    type: "website",
    "image:width": String(shareImageSize.width),
    "image:height": String(shareImageSize.height),
    "image:type": "image/png",
    "image:alt": alt,
  });
  expect(facts.twitter).toMatchObject({ ...texts, card: "summary_large_image", image, "image:alt": alt });
  expect(await fetchImage(image)).toEqual(shareImageSize);
  expect(facts.headings).toBe(1);
}

/** Search engines are asked to leave it out, and read no data on it. */
function expectUnlisted({ facts }: Answer): void {
  expect(facts.robots).toContain("noindex");
  expect(facts.structuredData).toEqual([]);
}

test.describe("pages for everyone", () => {
  for (const [address, name] of openAddresses)
    test(`${address} answers with the head of ${name}`, async () => {
      const answer = await visit(address);
      expect(answer.status).toBe(200);
      await expectHead(answer, name);
      expect(new URL(answer.facts.canonical ?? "").pathname).toBe(pages[name].path);
      expect(answer.facts.openGraph.url).toBe(answer.facts.canonical);
      expect(answer.facts.robots ?? "index").not.toContain("noindex");
    });

  for (const [address, name] of openAddresses)
    test(`${address} carries honest data for search engines`, async () => {
      const { structuredData, canonical = "" } = (await visit(address)).facts;
      const types = structuredData.map((block) => (block as { "@type": string })["@type"]);
      expect(types).toEqual(name === "home" ? ["Organization", "WebApplication"] : ["BreadcrumbList"]);
      expect(JSON.stringify(structuredData)).not.toMatch(/Rating|[Rr]eview|FAQPage/);
      const { origin } = new URL(canonical);
      if (name === "home") {
        expect(structuredData).toEqual([
          expect.objectContaining({
            name: expect.stringMatching(/\w/),
            url: `${origin}/`,
            email: expect.stringContaining("@"),
            contactPoint: expect.objectContaining({ email: expect.stringContaining("@") }),
          }),
          expect.objectContaining({
            url: `${origin}/`,
            offers: { "@type": "Offer", price: 0, priceCurrency: "USD" },
          }),
        ]);
        const { logo } = structuredData[0] as { logo: string };
        expect(await fetchImage(logo)).toEqual({ width: 512, height: 512 });
      } else {
        expect(structuredData).toEqual([
          expect.objectContaining({
            itemListElement: [
              { "@type": "ListItem", position: 1, name: "Home", item: `${origin}/` },
              { "@type": "ListItem", position: 2, name: pages[name].label, item: canonical },
            ],
          }),
        ]);
      }
    });

  test("every page has words and an image of its own", async () => {
    const heads = Object.values(pageHeads);
    for (const part of ["title", "description"] as const) {
      expect(new Set(heads.map((head) => head[part])).size).toBe(heads.length);
    }
    const answers = await Promise.all(indexable.map((name) => visit(pages[name].path)));
    const images = new Set(answers.map(({ facts }) => facts.openGraph.image));
    expect(images.size).toBe(indexable.length);
  });
});

test.describe("the steps", () => {
  const guarded = [pages.verification, pages.privateAccountError, pages.getLikes, pages.success];

  for (const form of both(guarded.map(({ path }) => path)))
    test(`${form} asks a newcomer to start over`, async () => {
      const answer = await visit(form);
      expect(answer.status).toBe(200);
      await expectHead(answer, "startOver");
      expectUnlisted(answer);
      // The notice stands under any address, so that it has none of its own.
      expect(answer.facts.canonical).toBeUndefined();
    });

  for (const form of both(["/preview/Cxyz123abc_", pages.preview.path]))
    test(`${form} sends a newcomer home`, async () => {
      const { status, location } = await visit(form);
      expect(status).toBe(307);
      expect(new URL(location ?? "", servers.app.url).pathname).toBe("/");
    });

  for (const [_form, end] of [
    ["without", ""],
    ["with", "/"],
  ] as const)
    test(`open one after the other, with their own heads, ${_form} a trailing slash`, async () => {
      const visitor = new Visitor(servers.app.url, { fingerprint: `walk${end}` });
      const open = async (name: PageName, address: string = pages[name].path + end): Promise<PageFacts> => {
        const answer = await visit(address, visitor);
        expect(answer.status).toBe(200);
        await expectHead(answer, name);
        expectUnlisted(answer);
        expect(await deadLinks(address, answer.facts)).toEqual([]);
        return answer.facts;
      };
      const expectOwnAddress = ({ canonical }: PageFacts, name: PageName) =>
        expect(new URL(canonical ?? "").pathname).toBe(pages[name].path);

      await visitor.startFlow();
      for (const name of ["privateAccountError", "verification", "getLikes"] as const) {
        expectOwnAddress(await open(name), name);
      }
      const preview = await open("preview", previewPath("Cxyz123abc_").replace("?", `${end}?`));
      expect(preview.canonical).toBeUndefined();
      expect((await visitor.like()).status).toBe(200);
      expectOwnAddress(await open("success"), "success");
    });
});

for (const form of both([...legacyPaths, "/no-such-page", "/faq/no-such-page", pages.startOver.path]))
  test(`${form} is not found`, async () => {
    const answer = await visit(form);
    expect(answer.status).toBe(404);
    await expectHead(answer, "notFound");
    expectUnlisted(answer);
    expect(answer.facts.canonical).toBeUndefined();
  });

const opened = new Map<string, Promise<Answer>>();

/** The links of a page that lead nowhere, each with the reason. Other pages are opened as a newcomer, each once. */
async function deadLinks(source: string, page: PageFacts): Promise<string[]> {
  const dead: string[] = [];
  const own = new URL(source, servers.app.url);
  for (const { href, rel } of page.links) {
    const target = new URL(href, own);
    if (target.protocol === "mailto:") continue;
    if (target.origin !== own.origin) {
      if (!rel.includes("noopener")) dead.push(`${source}: ${href} without noopener`);
      continue;
    }
    let place = page;
    if (target.pathname !== own.pathname) {
      const answer = opened.get(target.pathname) ?? visit(target.pathname);
      opened.set(target.pathname, answer);
      const { status, facts } = await answer;
      if (status !== 200) dead.push(`${source}: ${href} answers ${status}`);
      place = facts;
    }
    if (target.hash && !place.ids.has(target.hash.slice(1)))
      dead.push(`${source}: ${href} has no such place`);
  }
  return dead;
}

for (const source of [...both(indexable.map((name) => pages[name].path)), "/verification", "/no-such-page"])
  test(`${source} has no link that leads nowhere`, async () => {
    expect(await deadLinks(source, (await visit(source)).facts)).toEqual([]);
  });

test.describe("for crawlers", () => {
  test("the sitemap lists exactly the indexable pages, and a date for those that state one", async () => {
    const xml = await (await fetch(`${servers.app.url}/sitemap.xml`)).text();
    const dates = new Map(
      Array.from(
        xml.matchAll(/<loc>([^<]+)<\/loc>\s*(?:<lastmod>([^<]+)<\/lastmod>)?/g),
        ([, url = "", date]) => [new URL(url).pathname, date],
      ),
    );
    expect([...dates.keys()]).toEqual(indexablePages.map(({ path }) => path));
    for (const [path, date] of dates) {
      const html = await (await fetch(servers.app.url + path)).text();
      expect(date).toBe(/<time dateTime="([\d-]+)" data-today="">/i.exec(html)?.[1]);
    }
    expect([...dates.values()].filter(Boolean)).toHaveLength(3);
  });

  test("robots.txt lets them read pages and names the sitemap", async () => {
    const text = await (await fetch(`${servers.app.url}/robots.txt`)).text();
    expect(text).toMatch(/^Allow: \/$/m);
    expect(text).toMatch(/^Disallow: \/api\/$/m);
    expect(text).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m);
  });
});

test.describe("beside the pages", () => {
  test("share images may be kept for a day, and others do not exist", async () => {
    const { headers } = await fetch(`${servers.app.url}/share-images/home.png`);
    expect(headers.get("cache-control")).toBe("public, max-age=86400");
    expect((await fetch(`${servers.app.url}/share-images/nobody.png`)).status).toBe(404);
    expect((await fetch(`${servers.app.url}/icons/nobody.png`)).status).toBe(404);
  });

  test("the manifest is linked, and its icons have the sizes that it says", async () => {
    const { manifest, themeColors } = (await visit("/")).facts;
    const response = await fetch(servers.app.url + manifest);
    expect(response.headers.get("content-type")).toContain("application/manifest+json");
    const { icons, share_target, ...rest } = (await response.json()) as {
      icons: { src: string; sizes: string }[];
      share_target: unknown;
    };
    expect(rest).toMatchObject({
      id: "/",
      start_url: "/",
      display: "standalone",
      name: expect.stringMatching(/\w/),
      short_name: expect.stringMatching(/\w/),
      theme_color: brandColors.light.card,
    });
    // By GET a shared link would stand in the address; what the target does with it: http-contract.test.ts.
    expect(share_target).toEqual({
      action: "/api/share",
      method: "POST",
      enctype: "application/x-www-form-urlencoded",
      params: { title: "title", text: "text", url: "url" },
    });
    expect(icons).toHaveLength(appIcons.length);
    for (const { src, sizes } of icons) {
      const [width, height] = sizes.split("x").map(Number);
      expect(await fetchImage(servers.app.url + src)).toEqual({ width, height });
    }
    expect(themeColors).toEqual({
      "(prefers-color-scheme: light)": brandColors.light.card,
      "(prefers-color-scheme: dark)": brandColors.dark.card,
    });
  });

  test("the icons of browsers and phones answer", async () => {
    const html = await (await fetch(servers.app.url)).text();
    const apple = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(html)?.[1];
    expect(await fetchImage(servers.app.url + apple)).toEqual({ width: 180, height: 180 });
    const favicon = Buffer.from(await (await fetch(`${servers.app.url}/favicon.ico`)).arrayBuffer());
    expect(favicon.readUInt32LE(0)).toBe(0x1_0000);
    expect((await fetch(`${servers.app.url}/icon.svg`)).headers.get("content-type")).toBe("image/svg+xml");
  });

  for (const form of slashForms("/.well-known/security.txt"))
    test(`${form} says where to report, for half a year`, async () => {
      const response = await fetch(servers.app.url + form);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
      const text = await response.text();
      expect(text).toMatch(/^Contact: (?:mailto:[^@\s]+@|https:\/\/)\S+$/m);
      const days = (Date.parse(/^Expires: (\S+Z)$/m.exec(text)?.[1] ?? "") - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(179);
      expect(days).toBeLessThan(181);
    });
});

for (const form of both([pages.terms.path, pages.privacy.path, pages.disclaimer.path]))
  test(`${form} says when it was last updated`, async () => {
    const html = await (await fetch(servers.app.url + form)).text();
    expect(html).toMatch(/<time dateTime="\d{4}-\d\d-\d\d" data-today="">\w+ \d{1,2}, \d{4}<\/time>/i);
  });

test("answers whoever has a page with 304 and nothing else, as long as it is the same", async () => {
  for (const name of indexable) {
    const url = servers.app.url + pages[name].path;
    const first = await fetch(url);
    const etag = first.headers.get("etag") ?? "none";
    const kept = (answer: Response) =>
      ["cache-control", "etag", "x-content-type-options"].map((header) => answer.headers.get(header));
    const again = await fetch(url, { headers: { "if-none-match": etag } });
    expect({ name, status: again.status, body: await again.text() }).toEqual({ name, status: 304, body: "" });
    expect(kept(again)).toEqual(kept(first));
    const other = await fetch(url, { headers: { "if-none-match": '"another"' } });
    expect({ status: other.status, body: await other.text() }).toEqual({
      status: 200,
      body: await first.text(),
    });
  }
});
