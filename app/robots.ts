import type { MetadataRoute } from "next";
import { getSiteSettings } from "@/lib/server/env";

/** Crawlers may read every page; the steps of the flow say noindex themselves, which they have to be read for. */
export default function robots(): MetadataRoute.Robots {
  const { siteUrl } = getSiteSettings();
  return {
    rules: { userAgent: "*", allow: "/", disallow: "/api/" },
    sitemap: new URL("/sitemap.xml", siteUrl).href,
  };
}
