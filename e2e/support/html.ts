/** What tests read out of a page's HTML. Tags inside the framework's data are escaped, so that they are not found. */
export interface PageFacts {
  title: string | undefined;
  description: string | undefined;
  canonical: string | undefined;
  robots: string | undefined;
  openGraph: Record<string, string>;
  twitterCard: string | undefined;
  headings: number;
  ids: ReadonlySet<string>;
  links: { href: string; rel: string }[];
}

/** Reads a page's head, its ids and its links. */
export function readPage(html: string): PageFacts {
  const metas = tags(html, "meta");
  const meta = (name: string) => metas.find((tag) => (tag.name ?? tag.property) === name)?.content;
  return {
    title: decode(/<title>([^<]*)<\/title>/.exec(html)?.[1]),
    description: meta("description"),
    canonical: tags(html, "link").find(({ rel }) => rel === "canonical")?.href,
    robots: meta("robots"),
    openGraph: Object.fromEntries(
      metas.flatMap(({ property = "", content = "" }) =>
        property.startsWith("og:") ? [[property.slice(3), content]] : [],
      ),
    ),
    twitterCard: meta("twitter:card"),
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
