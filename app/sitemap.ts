import type { MetadataRoute } from "next";
import { indexablePages } from "@/lib/routes";
import { getSiteSettings } from "@/lib/server/env";

/** The indexable pages under their canonical addresses, as of the build. */
export default function sitemap(): MetadataRoute.Sitemap {
  const { siteUrl, buildDate } = getSiteSettings();
  return indexablePages.map(({ path }) => ({ url: new URL(path, siteUrl).href, lastModified: buildDate }));
}
