"use client";

import { useEffect } from "react";
import { Actions } from "@/components/flow/parts/actions";
import { ProcessingButton } from "@/components/flow/parts/processing-button";
import { useFocusOnMount } from "@/components/flow/hooks/use-focus-on-view-change";
import { track } from "@/lib/client/browser/analytics";
import { useExitFlow } from "@/lib/client/api/queries";

/** Renders the two buttons of the last step. Both buttons open the home page and delete this tab's data. */
export function SuccessActions() {
  const exitFlow = useExitFlow();

  useFocusOnMount();
  useEffect(() => track("likes_success_view"), []);

  function trackAndExit(event: string) {
    track(event);
    exitFlow();
  }

  return (
    <Actions>
      <ProcessingButton size="lg" onProcessed={() => trackAndExit("go_to_home")}>
        Go to Home
      </ProcessingButton>
      {/* This is the second button, because the visitor must first wait until the cooldown ends. */}
      <ProcessingButton size="lg" variant="outline" onProcessed={() => trackAndExit("boost_another_post")}>
        Boost Another Post
      </ProcessingButton>
    </Actions>
  );
}
