import type { MetadataRoute } from "next";
import { indexablePages, pages, type Page } from "@/lib/http/routes";
import { getSiteSettings } from "@/lib/server/config/env";

/** These pages say that they were last updated with the build. */
const dated: readonly Page[] = [pages.terms, pages.privacy, pages.disclaimer];

/**
 * The indexable pages under their canonical addresses. Only pages that state a date carry one here: a build does not
 * mean that a text has changed, and crawlers stop believing a site whose dates all move at once.
 */
export default function sitemap(): MetadataRoute.Sitemap {
  const { siteUrl, buildDate } = getSiteSettings();
  return indexablePages.map((page) => ({
    url: new URL(page.path, siteUrl).href,
    ...(dated.includes(page) && { lastModified: buildDate }),
  }));
}
