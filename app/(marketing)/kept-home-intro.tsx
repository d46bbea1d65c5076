"use client";

import { KeptHtml } from "@/components/site/kept-html";
import { HomeFacts, HomePromise } from "./home-intro";

const column = "flex flex-col gap-4 sm:gap-6";
const promise = { id: "home-promise", className: column };
const facts = { id: "home-facts", className: `${column} pt-2` };

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
