"use client";

import { KeptHtml } from "@/components/site/kept-html";
import { HomeFacts, HomePromise } from "./home-intro";

// Its parts have places of their own in the page's grid.
const promise = { id: "home-promise", className: "contents" };
const facts = { id: "home-facts", className: "flex max-w-column flex-col gap-6 pt-2" };

/** What stands before the tool, written by the server and left as it is; see components/site/kept-html.tsx. */
export function KeptHomePromise() {
  if (typeof window !== "undefined") return <KeptHtml {...promise} />;
  return (
    <div {...promise}>
      <HomePromise />
    </div>
  );
}

/** What stands below it, on a wide screen below the promise. */
export function KeptHomeFacts() {
  if (typeof window !== "undefined") return <KeptHtml {...facts} />;
  return (
    <div {...facts}>
      <HomeFacts />
    </div>
  );
}
