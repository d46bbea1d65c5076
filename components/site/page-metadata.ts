import type { Metadata } from "next";
import { pageHeads, type HeadName } from "@/lib/content/page-heads";
import { pages, type Page } from "@/lib/http/routes";

/** Pixels of every share image: the size that Open Graph and Twitter show without cutting. */
export const shareImageSize = { width: 1200, height: 630 };

/** The file name of a page's share image, below /share-images: how-it-works.png. */
export function shareImageFile(name: HeadName): string {
  return `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.png`;
}

/**
 * The head of a page: title, description, sharing texts and image. Pages that are open to everyone name their canonical
 * address; all others ask search engines to leave them out.
 */
export function pageMetadata(name: HeadName): Metadata {
  const { title, description, absolute = false } = pageHeads[name];
  const url = ownAddress(name);
  const image = {
    url: `/share-images/${shareImageFile(name)}`,
    ...shareImageSize,
    type: "image/png",
    alt: `${title}. ${description}`,
  };
  return {
    title: absolute ? { absolute: title } : title,
    description,
    ...(url && { alternates: { canonical: url } }),
    // The framework itself marks the answer to a 404.
    ...(name !== "notFound" && pages[name].guard !== "open" && { robots: { index: false } }),
    openGraph: { type: "website", locale: "en_US", title, description, ...(url && { url }), images: [image] },
    twitter: { card: "summary_large_image", title, description, images: [image] },
  };
}

/** The page's canonical path; a preview has one for each post, and a notice stands under any address. */
function ownAddress(name: HeadName): string | undefined {
  if (name === "notFound") return undefined;
  const { path, guard }: Page = pages[name];
  return guard === "internal" || guard === "preview" ? undefined : path;
}
