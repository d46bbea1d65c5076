import type { Metadata } from "next";
import type { Page } from "@/lib/routes";

export interface PageMetadata {
  page: Page;
  title: string;
  description: string;
  /** The site's name is not put behind the title. */
  absolute?: boolean;
}

/** Title, description, canonical address and sharing texts of an indexable page. Images come from image files. */
export function pageMetadata({ page, title, description, absolute = false }: PageMetadata): Metadata {
  return {
    title: absolute ? { absolute: title } : title,
    description,
    alternates: { canonical: page.path },
    openGraph: { type: "website", locale: "en_US", title, description, url: page.path },
    twitter: { card: "summary_large_image", title, description },
  };
}
