"use client";

import { useEffect } from "react";
import { Actions } from "@/components/flow/parts/actions";
import { ProcessingButton } from "@/components/flow/parts/processing-button";
import { useArrivalFocus } from "@/components/flow/hooks/use-view-focus";
import { track } from "@/lib/client/browser/analytics";
import { useExitFlow } from "@/lib/client/api/swr";

/** The two ways out of the last step. Both forget the finished round and open the home page. */
export function SuccessActions() {
  const leave = useExitFlow();

  useArrivalFocus();
  useEffect(() => track("likes_success_view"), []);

  function leaveBy(event: string) {
    track(event);
    leave();
  }

  return (
    <Actions>
      <ProcessingButton size="lg" onProcessed={() => leaveBy("go_to_home")}>
        Go to Home
      </ProcessingButton>
      {/* Second, since it leads into the waiting time. */}
      <ProcessingButton size="lg" variant="outline" onProcessed={() => leaveBy("boost_another_post")}>
        Boost Another Post
      </ProcessingButton>
    </Actions>
  );
}
