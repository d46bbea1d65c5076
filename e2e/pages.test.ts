import { aliases, indexablePages, legacyPaths, pages } from "@/lib/routes";
import { startApp, type AppServer } from "./support/app-server";
import { readPage, type PageFacts } from "./support/html";
import { startRedis, type RedisServer } from "./support/redis-server";

let redis: RedisServer;
let app: AppServer;

beforeAll(async () => {
  redis = await startRedis();
  app = await startApp({ redisUrl: redis.url });
});
afterAll(async () => {
  await app?.stop();
  await redis?.stop();
});

interface Answer {
  status: number;
  location: string | null;
  facts: PageFacts;
}

async function visit(path: string): Promise<Answer> {
  const response = await fetch(app.url + path, { redirect: "manual" });
  return {
    status: response.status,
    location: response.headers.get("location"),
    facts: readPage(await response.text()),
  };
}

const slashForms = (path: string) => (path === "/" ? ["/"] : [path, `${path}/`]);
const both = (paths: readonly string[]) => paths.flatMap(slashForms);

function expectHead({ facts }: Answer, canonicalPath: string): void {
  expect(facts.title).toMatch(/\w/);
  expect(facts.description?.length).toBeGreaterThan(50);
  expect(facts.description?.length).toBeLessThan(170);
  expect(new URL(facts.canonical ?? "").pathname).toBe(canonicalPath);
  expect(facts.robots ?? "index").not.toContain("noindex");
  expect(facts.openGraph).toMatchObject({
    title: expect.stringMatching(/\w/),
    description: facts.description,
    url: facts.canonical,
  });
  expect(facts.twitterCard).toBe("summary_large_image");
  expect(facts.headings).toBe(1);
}

describe("pages for everyone", () => {
  it.each(indexablePages.flatMap(({ path }) => slashForms(path).map((form) => [form, path] as const)))(
    "%s answers with its own head",
    async (form, path) => {
      const answer = await visit(form);
      expect(answer.status).toBe(200);
      expectHead(answer, path);
    },
  );

  it.each(Object.entries(aliases).flatMap(([alias, path]) => slashForms(alias).map((form) => [form, path])))(
    "%s is %s under a shorter address",
    async (form, path) => {
      const answer = await visit(form ?? "");
      expect(answer.status).toBe(200);
      expectHead(answer, path ?? "");
      expect(answer.facts.title).toBe((await visit(path ?? "")).facts.title);
    },
  );

  it("have titles and descriptions of their own", async () => {
    const answers = await Promise.all(indexablePages.map(({ path }) => visit(path)));
    for (const part of ["title", "description"] as const) {
      expect(new Set(answers.map(({ facts }) => facts[part])).size).toBe(indexablePages.length);
    }
  });
});

describe("the steps", () => {
  const guarded = [pages.verification, pages.privateAccountError, pages.getLikes, pages.success];

  it.each(both(guarded.map(({ path }) => path)))("%s asks a newcomer to start over", async (form) => {
    const { status, facts } = await visit(form);
    expect(status).toBe(200);
    expect(facts.title).toContain("You Need to Start from the Beginning");
    expect(facts.robots).toContain("noindex");
    expect(facts.headings).toBe(1);
  });

  it.each(both(["/preview/Cxyz123abc_"]))("%s sends a newcomer home", async (form) => {
    const { status, location } = await visit(form);
    expect(status).toBe(307);
    expect(new URL(location ?? "", app.url).pathname).toBe("/");
  });
});

it.each(
  both([...legacyPaths, "/no-such-page", "/faq/no-such-page", pages.startOver.path, pages.preview.path]),
)("%s is not found", async (form) => {
  const { status, facts } = await visit(form);
  expect(status).toBe(404);
  expect(facts.title).toContain("Page Not Found");
  expect(facts.robots).toContain("noindex");
  expect(facts.headings).toBe(1);
});

it("has no link that leads nowhere", async () => {
  const known = new Map<string, Answer>();
  const open = async (path: string): Promise<Answer> => {
    const answer = known.get(path) ?? (await visit(path));
    known.set(path, answer);
    return answer;
  };
  const sources = [...indexablePages.map(({ path }) => path), "/verification", "/no-such-page"];
  const dead: string[] = [];
  for (const source of sources) {
    for (const { href, rel } of (await open(source)).facts.links) {
      const target = new URL(href, app.url + source);
      if (target.protocol === "mailto:") continue;
      if (target.origin !== app.url) {
        if (!rel.includes("noopener")) dead.push(`${source}: ${href} without noopener`);
        continue;
      }
      const { status, facts } = await open(target.pathname);
      const here = source === "/no-such-page" && target.pathname === source;
      if (status !== 200 && !here) dead.push(`${source}: ${href} answers ${status}`);
      if (target.hash && !facts.ids.has(target.hash.slice(1)))
        dead.push(`${source}: ${href} has no such place`);
    }
  }
  expect(dead).toEqual([]);
});

describe("for crawlers", () => {
  it("the sitemap lists exactly the indexable pages, with the build's date", async () => {
    const xml = await (await fetch(`${app.url}/sitemap.xml`)).text();
    const paths = Array.from(
      xml.matchAll(/<loc>([^<]+)<\/loc>/g),
      (match) => new URL(match[1] ?? "").pathname,
    );
    expect(paths).toEqual(indexablePages.map(({ path }) => path));
    expect(xml.match(/<lastmod>\d{4}-\d\d-\d\d<\/lastmod>/g)).toHaveLength(paths.length);
  });

  it("robots.txt lets them read pages and names the sitemap", async () => {
    const text = await (await fetch(`${app.url}/robots.txt`)).text();
    expect(text).toMatch(/^Allow: \/$/m);
    expect(text).toMatch(/^Disallow: \/api\/$/m);
    expect(text).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m);
  });
});

it.each(both([pages.terms.path, pages.privacy.path, pages.disclaimer.path]))(
  "%s says when it was last updated",
  async (form) => {
    const html = await (await fetch(app.url + form)).text();
    expect(html).toMatch(/<time dateTime="\d{4}-\d\d-\d\d" data-today="">\w+ \d{1,2}, \d{4}<\/time>/i);
  },
);
