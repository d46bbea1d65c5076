"use client";

import { CookiesBlocked } from "@/components/flow/parts/cookies-blocked";
import { DailyMeter, LimitReached } from "@/components/flow/home/daily-meter";
import { LinkForm } from "@/components/flow/home/link-form";
import { ToastOutlet } from "@/components/ui/toast/toast-outlet";
import { SwrProvider, useDailyUsage } from "@/lib/client/api/swr";
import { timing } from "@/lib/config/limits";

/** The tool of the home page: the form, and how many likes are left today. */
export function HomeTool() {
  return (
    <SwrProvider>
      <Tool />
      <ToastOutlet />
    </SwrProvider>
  );
}

function Tool() {
  const usage = useDailyUsage(timing.meterPollMs);
  const limit = usage.data?.dailyLimit;
  return (
    // It settles into its place by transform only: text and form can be seen and used from the first frame.
    <div
      id="tool"
      className="flex flex-col gap-4 rounded border bg-card p-4 shadow transition-transform duration-200 ease-out sm:p-6 starting:translate-y-2"
    >
      <CookiesBlocked />
      {/* Both in one place: the form keeps its height and what was typed, and cannot be reached meanwhile. */}
      <div className="grid *:col-start-1 *:row-start-1">
        <div className={limit?.reached ? "invisible" : undefined}>
          <LinkForm />
        </div>
        {limit?.reached && <LimitReached limit={limit} />}
      </div>
      <div className="border-t pt-3.5">
        <DailyMeter limit={limit} failed={usage.error !== undefined} />
      </div>
    </div>
  );
}
