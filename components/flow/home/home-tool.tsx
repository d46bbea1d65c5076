"use client";

import { useState } from "react";
import { CookiesBlocked } from "@/components/flow/parts/cookies-blocked";
import { CooldownNotice } from "@/components/flow/home/cooldown-notice";
import { DailyMeter } from "@/components/flow/home/daily-meter";
import { LinkForm } from "@/components/flow/home/link-form";
import { DailyLimitPanel } from "@/components/flow/parts/daily-limit-panel";
import { ToastOutlet } from "@/components/ui/toast/toast-outlet";
import { useDailyUsage } from "@/lib/client/api/queries";
import { timing } from "@/lib/config/limits";

/** Renders the interactive part of the home page: the link form and the meter of today's remaining likes. */
export function HomeTool({ operatorName }: { operatorName?: string }) {
  const usage = useDailyUsage(timing.meterPollMs);
  const limit = usage.data?.dailyLimit;
  const [used, setUsed] = useState(false);
  return (
    <>
      {/* The entry animation only moves the form. The visitor can use the form from the first frame. */}
      <div
        id="tool"
        onFocus={() => setUsed(true)}
        className="flex flex-col gap-3 rounded border bg-card p-3.5 shadow transition-transform duration-200 ease-out sm:p-6 short:p-3.5 starting:translate-y-2 no-script:hidden"
      >
        <CookiesBlocked />
        <CooldownNotice checked={used} />
        {/* After the daily limit is reached, a panel covers the form. The form keeps its height and its text. */}
        <div className="grid grid-cols-1 *:col-start-1 *:row-start-1">
          <div className={limit?.reached ? "invisible" : undefined}>
            <LinkForm operatorName={operatorName} />
          </div>
          {limit?.reached && <DailyLimitPanel limit={limit} />}
        </div>
        <DailyMeter limit={limit} failed={usage.error !== undefined} />
      </div>
      <ToastOutlet />
    </>
  );
}
