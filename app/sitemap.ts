import type { MetadataRoute } from "next";
import { indexablePages, pages, type Page } from "@/lib/routes";
import { getSiteSettings } from "@/lib/server/env";

/** The pages that say when they were last updated: with the build. */
const dated: readonly Page[] = [pages.terms, pages.privacy, pages.disclaimer];

/**
 * The indexable pages under their canonical addresses. Only pages that state a date carry it here. For the others we
 * know none: a build does not mean that their text has changed, the history of the files is not there on every host,
 * and crawlers stop believing a site whose dates all move at once. The protocol leaves the date to us.
 */
export default function sitemap(): MetadataRoute.Sitemap {
  const { siteUrl, buildDate } = getSiteSettings();
  return indexablePages.map((page) => ({
    url: new URL(page.path, siteUrl).href,
    ...(dated.includes(page) && { lastModified: buildDate }),
  }));
}
