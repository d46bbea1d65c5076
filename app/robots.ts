import type { MetadataRoute } from "next";
import { getSiteSettings } from "@/lib/server/config/env";

/** Returns robots.txt. It allows all pages, because crawlers must load a page to see its `noindex`. */
export default function robots(): MetadataRoute.Robots {
  const { siteUrl } = getSiteSettings();
  return {
    rules: { userAgent: "*", allow: "/", disallow: "/api/" },
    sitemap: new URL("/sitemap.xml", siteUrl).href,
  };
}
