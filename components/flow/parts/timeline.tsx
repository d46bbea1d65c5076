import { LocalTime } from "@/components/flow/parts/local-time";
import { cn } from "@/lib/client/cn";
import type { Receipt } from "@/lib/schemas/api-responses";
import { deliveryTimes } from "@/lib/content/figures";
import { cooldownHours } from "@/lib/content/site";

export interface TimelineProps {
  title: string;
  /** Null while the receipt loads. Without this property, the timeline has no times. */
  receipt?: Receipt | null;
  className?: string;
}

/** Renders a timeline of request, expected delivery and next request. */
export function Timeline({ receipt, title, className }: TimelineProps) {
  const planned = receipt === undefined;
  const fullAt = receipt && new Date(Date.parse(receipt.acceptedAt) + deliveryTimes.fullMinutes * 60_000);
  const fullNote = deliveryTimes.full.charAt(0).toUpperCase() + deliveryTimes.full.slice(1);
  const moments = [
    { before: "Accepted ", at: receipt?.acceptedAt, format: "time", note: `${deliveryTimes.begin}.` },
    { before: "About ", at: fullAt?.toISOString(), format: "time", note: `${fullNote}.` },
    {
      before: "From ",
      at: receipt?.nextAvailable,
      format: "day",
      note: `You can boost another post after ${cooldownHours} hours.`,
    },
  ] as const;
  return (
    <section aria-labelledby="next" className={cn("flex flex-col gap-3", className)}>
      <h2 id="next" className="text-h3">
        {title}
      </h2>
      <ol role="list">
        {moments.map(({ before, at, format, note }, index) => (
          <li key={note} className="group relative flex gap-3 pb-4 last:pb-0">
            {/* A dot, and a line to the next dot. Borders stay visible in forced colours. */}
            <span aria-hidden="true" className="mt-0.5 grid h-5 w-4 shrink-0 place-items-center">
              <span
                className={cn(
                  "rounded-full",
                  index === 0 && !planned ? "border-8 border-primary" : "border-3 border-input",
                )}
              />
              <span className="absolute top-5.5 -bottom-0.5 left-2 border-l border-input group-last:hidden" />
            </span>
            <div>
              {!planned && (
                <p className="tabular-nums min-h-lh font-semibold">
                  {at && before}
                  {at && <LocalTime at={at} format={format} />}
                </p>
              )}
              <p>{note}</p>
            </div>
          </li>
        ))}
      </ol>
      {deliveryTimes.sample && (
        <p className="text-sm text-muted-foreground">Times of delivery are the operator&apos;s estimate.</p>
      )}
    </section>
  );
}
