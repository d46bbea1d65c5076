import type { MetadataRoute } from "next";
import { canonicalUrl, indexablePages, pages, type Page } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";

/** Pages that show the date of the build as "Last updated". */
const dated: readonly Page[] = [pages.terms, pages.privacy, pages.disclaimer];

/** Returns all indexable pages. Only `dated` pages have `lastModified`, because only they show a date. */
export default function sitemap(): MetadataRoute.Sitemap {
  const { siteUrl, buildDate } = getSiteSettings();
  return indexablePages.map((page) => ({
    url: canonicalUrl(siteUrl, page),
    ...(dated.includes(page) && { lastModified: buildDate }),
  }));
}
