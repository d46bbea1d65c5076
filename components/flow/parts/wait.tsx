import type { ReactNode } from "react";
import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { backToHome, Failure } from "@/components/flow/parts/failure";
import { LoadingView } from "@/components/flow/parts/loading-view";
import { LocalTime } from "@/components/flow/parts/local-time";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { Progress } from "@/components/ui/progress";
import type { StatusReply, WaitReason } from "@/lib/schemas/api-responses";
import { getVisitorMessage } from "@/lib/client/api/api-client";
import type { useStatus } from "@/lib/client/api/queries";
import { useLastOrder } from "@/lib/client/browser/last-order";
import { useCountdown } from "@/lib/client/hooks/use-countdown";
import { cooldownHours } from "@/lib/content/site";
import { limits } from "@/lib/config/limits";
import { describeTimeLeft, formatTimeLeft, splitTime } from "@/lib/time/countdown";

/** Returns the heading of a screen with this wait. `limited` is the heading of all waits except the pace of the day. */
export function waitTitle(status: StatusReply | undefined, limited = "Rate Limit Reached"): string {
  return status?.reason === "paced" ? "More Free Likes Come Later" : limited;
}

const waitTexts: Record<WaitReason | "previewCooldown", { title: string; text: string }> = {
  cooldown: {
    title: "You've Already Received Free Likes",
    text: `Our free service allows one boost every ${cooldownHours} hours. You can request more likes in:`,
  },
  previewCooldown: { title: "You've already received your free likes.", text: "Check back in:" },
  daily_cap: {
    title: `You've used all ${limits.maxRequestsPerDay} free requests of the last 24 hours.`,
    text: "The next one becomes free when the oldest is 24 hours old. You can request more likes in:",
  },
  address_cap: {
    title: "Too many requests came from your network in the last 24 hours.",
    text: "Others who share your internet connection may have used them. You can request likes in:",
  },
  paced: { title: "Today's free likes are spread over the day.", text: "The next ones come in:" },
};

const pacedAdvice =
  `Nothing was counted, and your ${cooldownHours} hours have not started. ` +
  "The next likes are for everybody, so you may have to wait again.";
/** For visitors whose browser has no order of its own. */
const sameDeviceAdvice =
  "Not you? Phones of the same kind on one network look the same to us, so they share one boost.";
const startAgainAdvice = "When the time is over, come back and start again with the link of your post.";

export interface WaitProps {
  status: ReturnType<typeof useStatus>;
  back?: ReactNode;
  /** True on the preview page, which has its own texts and no advice to start again. */
  preview?: boolean;
  /** Shown above the link back during a wait. */
  children?: ReactNode;
}

/** Renders the wait until the next request for likes, or that the status loads or could not be loaded. */
export function Wait({ status, back = backToHome, preview = false, children }: WaitProps) {
  const ownOrder = useLastOrder();
  const { data, error, isValidating, mutate } = status;
  if (!data && (!error || isValidating)) return <LoadingView title="Checking your free likes..." />;
  if (!data)
    return (
      <Failure
        title="Unable to check API limits"
        cause={getVisitorMessage(error, "")}
        action={() => void mutate()}
        back={back}
      >
        <p>We&apos;re experiencing technical difficulties. Please try again later.</p>
      </Failure>
    );
  const { nextAvailable, reason } = data;
  const isCooldown = reason === "cooldown";
  const { title, text } = waitTexts[isCooldown && preview ? "previewCooldown" : (reason ?? "cooldown")];
  const advice = reason === "paced" ? pacedAdvice : !preview && startAgainAdvice;
  return (
    <Card>
      <CardContent className="flex flex-col gap-4 sm:*:last:mt-2">
        <div className="flex flex-col gap-1.5">
          <h2 className="text-h3">{title}</h2>
          <p className="text-balance text-muted-foreground">{text}</p>
        </div>
        {nextAvailable && (
          // A cooldown always has the same length. The length of other waits depends on earlier requests.
          <Countdown deadline={nextAvailable} hasBar={isCooldown} status={status} />
        )}
        {children}
        <div className="flex flex-col gap-4 border-t pt-4 sm:flex-row sm:items-end sm:gap-6 sm:pt-5">
          <div className="flex flex-1 flex-col gap-3 text-sm text-pretty text-muted-foreground empty:hidden sm:text-balance">
            {advice && <p className="text-foreground">{advice}</p>}
            {isCooldown && !ownOrder && <p>{sameDeviceAdvice}</p>}
          </div>
          {back}
        </div>
      </CardContent>
    </Card>
  );
}

interface CountdownProps {
  deadline: string;
  /** True shows the part of the cooldown that is over. */
  hasBar: boolean;
  status: WaitProps["status"];
}

function Countdown({ deadline, hasBar, status }: CountdownProps) {
  // The server decides when the wait ends. After an error, the visitor can press "Check again".
  const refresh = () => void status.mutate();
  const secondsLeft = useCountdown({ deadline, onComplete: refresh, onClockUncertain: refresh });
  const left = splitTime(secondsLeft * 1_000);

  return (
    <div className="flex flex-col items-start gap-3 sm:mb-1 sm:gap-5">
      {/* One paragraph. Screen readers read its label instead of the digits. */}
      <div className="-mx-[0.08em] flex flex-col self-stretch text-[min(7.6rem,17vw)] leading-none *:flex *:justify-between">
        <p
          role="timer"
          aria-label={`Time left: ${describeTimeLeft(left)}`}
          className="tabular-nums font-display font-bold tracking-tight text-primary *:text-center"
        >
          {formatTimeLeft(left)
            .split(/(:)/)
            .map((part, index) => (
              <span
                key={index}
                className={
                  part === ":" ? "w-[0.5em] -translate-y-[0.095em] text-transparent colon" : "w-[1.3em]"
                }
              >
                {part}
              </span>
            ))}
        </p>
        <p className="*:w-[1.3em] *:text-center" aria-hidden="true">
          {["hours", "minutes", "seconds"].map((unit) => (
            <span key={unit}>
              <span className="block text-xs text-muted-foreground sm:text-sm">{unit}</span>
            </span>
          ))}
        </p>
      </div>
      {hasBar && (
        // One part for each of four hours.
        <Progress
          value={100 - (secondsLeft * 100) / limits.cooldownSeconds}
          label="Part of the wait that is over"
          className="mt-2 [&::-webkit-progress-value]:rounded-none [mask:repeating-linear-gradient(90deg,#000_0_calc(25%-2.25px),#0000_0_calc(25%+0.75px))]"
        />
      )}
      <div className="flex w-full flex-wrap items-center justify-between gap-x-2 gap-y-4">
        <p>
          until{" "}
          <strong className="font-semibold">
            <LocalTime at={deadline} format="day" besideCountdown />
          </strong>
        </p>
        {secondsLeft > 0 ? (
          <AddToCalendar at={deadline} />
        ) : (
          <Button loading={status.isValidating} onClick={refresh}>
            {status.isValidating ? "Checking..." : "Check again"}
          </Button>
        )}
      </div>
    </div>
  );
}
