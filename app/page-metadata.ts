import type { Metadata } from "next";
import { pageHeads, type HeadName } from "@/lib/content/page-heads";
import { pages, type Page } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";

/** Size of every share image in pixels. Social networks do not crop this size. */
export const shareImageSize = { width: 1200, height: 630 };

/** Returns the file name of the share image of a page, for example "how-it-works.png". */
export function shareImageFile(name: HeadName): string {
  return `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.png`;
}

/** Returns the metadata of a page. Search engines may index only pages with unrestricted access ("open"). */
export function pageMetadata(name: HeadName): Metadata {
  const { title, description } = pageHeads[name];
  const url = canonicalPath(name);
  const image = {
    url: `/share-images/${shareImageFile(name)}`,
    ...shareImageSize,
    type: "image/png",
    alt: `${title}. ${description}`,
  };
  return {
    title,
    description,
    ...(url && { alternates: { canonical: url } }),
    // The 404 page is excluded, because Next.js adds `noindex` to 404 responses.
    ...(name !== "notFound" && pages[name].guard !== "open" && { robots: { index: false } }),
    openGraph: {
      type: "website",
      siteName: getSiteSettings().siteName,
      locale: "en_US",
      title,
      description,
      ...(url && { url }),
      images: [image],
    },
    twitter: { card: "summary_large_image", title, description, images: [image] },
  };
}

/** Internal pages have no canonical path. The preview has none, because its path contains a post id. */
function canonicalPath(name: HeadName): string | undefined {
  if (name === "notFound") return undefined;
  const { path, guard }: Page = pages[name];
  return guard === "internal" || guard === "preview" ? undefined : path;
}
