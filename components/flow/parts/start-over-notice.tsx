"use client";

import { CookiesBlocked } from "./cookies-blocked";
import { ProcessingLink } from "./processing-link";
import { startOverHead } from "@/lib/content/start-over";
import { pages } from "@/lib/http/pages";

/** Renders the notice for a visitor who opens a step before completing the earlier steps. */
export function StartOverNotice() {
  return (
    <div className="page-width flex flex-col items-start gap-4 py-12 *:max-w-column sm:py-20">
      <h1>{startOverHead.title}</h1>
      <p className="text-lg text-muted-foreground">We no longer have your link. Paste it again.</p>
      <CookiesBlocked />
      <ProcessingLink href={pages.home.path} className="mt-2 w-full sm:w-auto">
        Start from Step 1
      </ProcessingLink>
    </div>
  );
}
