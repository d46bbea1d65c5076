"use client";

import { Button } from "@/components/ui/button";
import { ArrowLeftIcon } from "@/components/ui/icons";
import { pages } from "@/lib/routes";

/** Goes to the page before, or home when this is the first one in the tab. */
export function GoBackButton() {
  return (
    <Button
      variant="outline"
      size="lg"
      onClick={() => {
        if (window.history.length > 1) window.history.back();
        else window.location.assign(pages.home.path);
      }}
    >
      <ArrowLeftIcon />
      Go Back
    </Button>
  );
}
