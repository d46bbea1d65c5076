"use client";

/** Error page for pages that Next.js hydrates. For islands, see components/islands/hydrate-island.tsx. */
export { FailedPage as default } from "@/components/site/failed-page";
