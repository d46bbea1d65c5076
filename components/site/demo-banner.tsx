import { InfoIcon } from "lucide-react";
import type { DemoMode } from "@/lib/config/build-settings";

const messages: Record<DemoMode, string> = {
  demo: "Demo mode: no likes are sent to Instagram.",
  trial: "Demo mode, a local trial: orders go to the example service on this machine, no likes are sent.",
};

/** Renders the notice that every page shows in demo mode. Visitors cannot close the notice. */
export function DemoBanner({ mode }: { mode: DemoMode }) {
  return (
    <section aria-label="Demo mode" className="border-b bg-warning-soft text-sm">
      <p className="page-width flex items-center justify-center gap-2 py-1.5">
        <InfoIcon className="size-4 text-warning" />
        {messages[mode]}
      </p>
    </section>
  );
}
