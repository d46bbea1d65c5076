import { Progress } from "@/components/ui/progress";
import { cn } from "@/lib/client/cn";
import type { DailyLimit } from "@/lib/schemas/api-responses";
import { formatNumber } from "@/lib/content/site";
import { meterTone, meterWarning } from "@/lib/flow/daily-meter";

/** Renders a bar that shows today's remaining likes. Renders a placeholder while `limit` is undefined. */
export function DailyMeter({ limit, failed }: { limit: DailyLimit | undefined; failed: boolean }) {
  if (failed)
    return (
      <div role="status" className="text-sm">
        <p className="font-medium">Unable to load today&apos;s like availability</p>
        <p className="text-muted-foreground">
          Please refresh to check how many free likes are still available today.
        </p>
      </div>
    );
  if (!limit)
    return (
      <div className="flex flex-col gap-1.5">
        <p className="sr-only">Loading today&apos;s free likes</p>
        <div className="flex h-5.5 items-center justify-between">
          <div className="h-3.5 w-44 rounded bg-muted" />
          <div className="h-3.5 w-16 rounded bg-muted" />
        </div>
        <div className="h-1.5 w-full rounded bg-muted" />
      </div>
    );
  const tone = meterTone((limit.likesUsed / limit.totalLimit) * 100);
  const warning = meterWarning(limit);
  const isLow = tone === "destructive" || limit.reached;
  return (
    <section aria-label="Today's free likes" className="flex flex-col gap-1.5">
      <div className="tabular-nums flex flex-wrap justify-between gap-x-3 text-sm">
        <p className="font-medium">{`${formatNumber(limit.likesRemaining)} free likes left today`}</p>
        <p className="text-muted-foreground">{`of ${formatNumber(limit.totalLimit)}`}</p>
      </div>
      <Progress
        value={(limit.likesRemaining * 100) / limit.totalLimit}
        tone={tone}
        label="Today's free likes left"
        // Quieter than the button.
        className={cn("h-1.5", tone === "primary" && "opacity-60")}
      />
      {warning && (
        <p className={cn("text-sm font-medium", isLow ? "text-destructive" : "text-warning")}>{warning}</p>
      )}
    </section>
  );
}
