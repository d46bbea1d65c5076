/** Data in the HTML of a page. */
export interface PageFacts {
  title: string | undefined;
  description: string | undefined;
  canonical: string | undefined;
  robots: string | undefined;
  /** Values by name, without the prefix "og:" or "twitter:". */
  openGraph: Record<string, string>;
  twitter: Record<string, string>;
  /** Colors by media query. */
  themeColors: Record<string, string>;
  manifest: string | undefined;
  /** The parsed JSON-LD blocks. */
  structuredData: unknown[];
  /** Number of h1 elements. */
  headings: number;
  ids: ReadonlySet<string>;
  links: { href: string; rel: string }[];
}

/** Reads the head, the JSON-LD blocks, the ids and the links of a page. */
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

/** Returns the attributes of every tag with this name. Next.js escapes tags in its own data. */
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
