"use client";

/** Next.js shows this page after a rendering error. hydrate-island.tsx handles the errors of islands. */
export { FailedPage as default } from "@/components/site/failed-page";
