"use client";

import { KeptHtml } from "@/components/site/kept-html";
import { HomeSections } from "./home-sections";

const place = { id: "home-sections" };

/** The sections, written by the server and left as they are; see components/site/kept-html.tsx. */
export function KeptHomeSections() {
  if (typeof window !== "undefined") return <KeptHtml {...place} />;
  return (
    <div {...place}>
      <HomeSections />
    </div>
  );
}
