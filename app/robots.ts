import type { MetadataRoute } from "next";
import { getSiteSettings } from "@/lib/server/config/env";

/** Returns robots.txt. All pages are allowed, because a crawler must load a page to read its `noindex` tag. */
export default function robots(): MetadataRoute.Robots {
  const { siteUrl } = getSiteSettings();
  return {
    rules: { userAgent: "*", allow: "/", disallow: "/api/" },
    sitemap: new URL("/sitemap.xml", siteUrl).href,
  };
}
