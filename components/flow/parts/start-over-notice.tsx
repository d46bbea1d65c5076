"use client";

import { CookiesBlocked } from "./cookies-blocked";
import { ProcessingLink } from "./processing-link";
import { DotGrid, openDots } from "@/components/ui/dot-grid";
import { startOverHead } from "@/lib/content/start-over";
import { pages } from "@/lib/http/pages";

/** Renders the notice for a visitor who opens a step before completing the earlier steps. */
export function StartOverNotice() {
  return (
    <div className="page-width flex flex-col items-start gap-4 py-12 *:max-w-column sm:py-20">
      <DotGrid dots={openDots} className="mb-2 w-32" />
      <h1>{startOverHead.title}</h1>
      <p className="text-lg text-muted-foreground">
        This step follows from the ones before it. They are not done yet, it has been a while, or you have
        started again since, perhaps in another tab. Paste the link of your post to continue.
      </p>
      <CookiesBlocked />
      <ProcessingLink href={pages.home.path} className="mt-2 w-full sm:w-auto">
        Start from Step 1
      </ProcessingLink>
    </div>
  );
}
