/** What tests read out of a page's HTML. Tags inside the framework's data are escaped, so that they are not found. */
export interface PageFacts {
  title: string | undefined;
  description: string | undefined;
  canonical: string | undefined;
  robots: string | undefined;
  /** By name, without "og:" and "twitter:". */
  openGraph: Record<string, string>;
  twitter: Record<string, string>;
  /** By media query. */
  themeColors: Record<string, string>;
  manifest: string | undefined;
  /** The JSON-LD blocks, parsed. */
  structuredData: unknown[];
  headings: number;
  ids: ReadonlySet<string>;
  links: { href: string; rel: string }[];
}

/** Reads a page's head, its data for search engines, its ids and its links. */
export function readPage(html: string): PageFacts {
  const metas = tags(html, "meta");
  const meta = (name: string) => metas.find((tag) => (tag.name ?? tag.property) === name)?.content;
  const link = (name: string) => tags(html, "link").find(({ rel }) => rel === name)?.href;
  const group = (prefix: string) =>
    Object.fromEntries(
      metas.flatMap(({ name, property = name, content = "" }) =>
        property?.startsWith(prefix) ? [[property.slice(prefix.length), content]] : [],
      ),
    );
  return {
    title: decode(/<title>([^<]*)<\/title>/.exec(html)?.[1]),
    description: meta("description"),
    canonical: link("canonical"),
    robots: meta("robots"),
    openGraph: group("og:"),
    twitter: group("twitter:"),
    themeColors: Object.fromEntries(
      metas.flatMap(({ name, media = "", content = "" }) =>
        name === "theme-color" ? [[media, content]] : [],
      ),
    ),
    manifest: link("manifest"),
    structuredData: Array.from(
      html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs),
      ([, json = ""]) => JSON.parse(json) as unknown,
    ),
    headings: html.match(/<h1[\s>]/g)?.length ?? 0,
    ids: new Set(Array.from(html.matchAll(/<[a-z][^<>]*? id="([^"]+)"/g), (match) => match[1] ?? "")),
    links: tags(html, "a").map(({ href = "", rel = "" }) => ({ href, rel })),
  };
}

/** The attributes of every tag of that name. */
function tags(html: string, name: string): Partial<Record<string, string>>[] {
  return Array.from(html.matchAll(new RegExp(`<${name}(\\s[^>]*)>`, "g")), (match) =>
    Object.fromEntries(
      Array.from((match[1] ?? "").matchAll(/([\w:-]+)="([^"]*)"/g), ([, key = "", value]) => [
        key,
        decode(value),
      ]),
    ),
  );
}

function decode(text: string | undefined): string | undefined {
  return text
    ?.replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
