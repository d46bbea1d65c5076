"use client";

import { useEffect, useState } from "react";
import { DailyMeter } from "@/components/flow/home/daily-meter";
import { LinkForm, type LinkFormProps } from "@/components/flow/home/link-form";
import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { CookiesBlocked } from "@/components/flow/parts/cookies-blocked";
import { DailyLimitPanel } from "@/components/flow/parts/daily-limit-panel";
import { LocalTime } from "@/components/flow/parts/local-time";
import { Alert } from "@/components/ui/alert";
import { ToastOutlet } from "@/components/ui/toast/toast-outlet";
import { canRequest, useDailyUsage, useStatus } from "@/lib/client/api/queries";
import { endFlows, findFlows } from "@/lib/client/browser/flow";
import { forgetOrder, useLastOrder } from "@/lib/client/browser/last-order";
import { useCountdown } from "@/lib/client/hooks/use-countdown";
import { usePageRestored } from "@/lib/client/hooks/use-page-restored";
import { timing } from "@/lib/config/limits";
import { describeTimeLeft, formatTimeLeft, splitTime } from "@/lib/time/countdown";

/** Renders the interactive part of the home page: the link form and the meter of today's remaining likes. */
export function HomeTool(props: Omit<LinkFormProps, "quiet">) {
  const usage = useDailyUsage(timing.meterPollMs);
  const limit = usage.data?.dailyLimit;
  const [used, setUsed] = useState(false);
  const cooldownEnd = useCooldownEnd(used);
  useFlowEnd();
  return (
    <>
      {/* The entry animation only moves the form. The visitor can use the form from the first frame. */}
      <div
        id="tool"
        onFocus={() => setUsed(true)}
        className="flex flex-col gap-3 rounded border bg-card p-3.5 max-sm:px-4 shadow transition-transform duration-200 ease-out sm:p-6 short:p-3.5 starting:translate-y-2 no-script:hidden"
      >
        <CookiesBlocked />
        {cooldownEnd && <CooldownNotice key={cooldownEnd} deadline={cooldownEnd} />}
        {/* After the daily limit is reached, a panel covers the form. The form keeps its height and its text. */}
        <div className="grid grid-cols-1 *:col-start-1 *:row-start-1">
          <div className={limit?.reached ? "invisible" : undefined}>
            <LinkForm {...props} quiet={cooldownEnd !== null} />
          </div>
          {limit?.reached && <DailyLimitPanel limit={limit} />}
        </div>
        <DailyMeter limit={limit} failed={usage.error !== undefined} />
      </div>
      <ToastOutlet />
    </>
  );
}

/**
 * Ends the flow when a visitor who has started one in this tab sees the page, also after Back. A page that the browser only
 * prepares, or opens in a background tab, waits. It then ends only flows that it knows, because a newer flow may run in another
 * tab.
 */
function useFlowEnd(): void {
  usePageRestored(() => endFlows(findFlows()));
  useEffect(() => {
    const flows = findFlows();
    if (document.visibilityState === "visible") return endFlows(flows);
    const endWhenSeen = () => endFlows(flows);
    document.addEventListener("visibilitychange", endWhenSeen, { once: true });
    return () => document.removeEventListener("visibilitychange", endWhenSeen);
  }, []);
}

/**
 * Returns the time of the visitor's next possible request, if this browser has requested likes before, or null. When
 * `checked` becomes true, asks the server for this time, because the visitor may have another cooldown.
 */
function useCooldownEnd(checked: boolean): string | null {
  const order = useLastOrder();
  const { data: status } = useStatus(checked && order !== null);
  if (!order || status?.canRequest) return null;
  return status?.nextAvailable ?? order.nextAvailable;
}

function CooldownNotice({ deadline }: { deadline: string }) {
  const secondsLeft = useCountdown({
    deadline,
    onComplete: forgetOrder,
    onClockUncertain: () => void canRequest(),
  });
  const left = splitTime(secondsLeft * 1_000);
  return (
    <Alert title="You have already requested your free likes.">
      <div className="flex flex-col items-start gap-3">
        <p>
          You can request more likes in{" "}
          <strong
            role="timer"
            aria-label={`Time left: ${describeTimeLeft(left)}`}
            className="tabular-nums block font-display text-3xl text-primary"
          >
            {formatTimeLeft(left)}
          </strong>{" "}
          from <LocalTime at={deadline} format="day" besideCountdown />.
        </p>
        <AddToCalendar at={deadline} />
      </div>
    </Alert>
  );
}
