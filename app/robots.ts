import type { MetadataRoute } from "next";
import { getSiteSettings } from "@/lib/server/config/env";

/** Crawlers may read every page, the steps of the flow included: only who reads a page sees its noindex. */
export default function robots(): MetadataRoute.Robots {
  const { siteUrl } = getSiteSettings();
  return {
    rules: { userAgent: "*", allow: "/", disallow: "/api/" },
    sitemap: new URL("/sitemap.xml", siteUrl).href,
  };
}
