"use client";

/** For pages that the framework runs; where islands do, see components/islands/hydrate-island.tsx. */
export { FailedPage as default } from "@/components/site/failed-page";
