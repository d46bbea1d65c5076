"use client";

/** Next.js shows this page after a rendering error. For islands, see islands/hydrate-island.tsx. */
export { FailedPage as default } from "@/components/site/failed-page";
