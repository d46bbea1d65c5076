"use client";

/** For pages that the framework runs; where islands do, see components/islands/take-over.tsx. */
export { FailedPage as default } from "@/components/site/failed-page";
