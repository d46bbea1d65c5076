import { LocalTime } from "@/components/flow/parts/local-time";
import { cn } from "@/lib/client/cn";
import type { Receipt, StatusReply } from "@/lib/schemas/api-responses";
import { deliveryTimes } from "@/lib/content/figures";
import { limits } from "@/lib/config/limits";
import { cooldownHours } from "@/lib/content/site";

const beginNote = `${deliveryTimes.begin}.`;
const fullNote = `${deliveryTimes.full.charAt(0).toUpperCase()}${deliveryTimes.full.slice(1)}.`;
const pastNote = `The last request for ${limits.likesPerRequest} likes.`;
const nextNote = `You can boost another post after ${cooldownHours} hours.`;

export interface TimelineProps {
  title: string;
  /** Undefined before the acceptance, and null until the receipt is loaded: then the timeline has no times. */
  receipt?: Pick<Receipt, "acceptedAt" | "nextAvailable"> | null;
  /** True leaves out the delivery. */
  past?: boolean;
  className?: string;
}

/** Renders a timeline of request, expected delivery and next request. */
export function Timeline({ receipt, past, title, className }: TimelineProps) {
  const fullAt = receipt && new Date(Date.parse(receipt.acceptedAt) + deliveryTimes.fullMinutes * 60_000);
  const moments = [
    { plan: "Accepted", before: "Accepted ", at: receipt?.acceptedAt, note: past ? pastNote : beginNote },
    { plan: "All likes", before: "About ", at: fullAt?.toISOString(), note: fullNote, isDelivery: true },
    { plan: "Next request", before: "From ", at: receipt?.nextAvailable, note: nextNote },
  ].filter(({ isDelivery }) => !past || !isDelivery);
  return (
    <section
      aria-labelledby="next"
      className={cn("flex flex-col gap-3 self-start lg:mt-16.5 lg:rounded lg:bg-muted lg:p-6", className)}
    >
      <h2 id="next" className="text-h3">
        {title}
      </h2>
      <ol role="list">
        {moments.map(({ plan, before, at, note }, index) => (
          <li key={note} className="group relative flex gap-3 pb-4 last:pb-0">
            {/* A dot, and a line to the next dot. Borders stay visible in forced colours. */}
            <span aria-hidden="true" className="mt-0.5 grid h-5 w-4 shrink-0 place-items-center">
              <span
                className={cn(
                  "rounded-full",
                  index === 0 && receipt !== undefined
                    ? "border-8 border-primary"
                    : "border-4 border-primary opacity-68",
                )}
              />
              <span
                className={cn(
                  "absolute -bottom-1 left-2 border-l border-input/60 group-last:hidden",
                  index === 0 && receipt !== undefined ? "top-6" : "top-5",
                )}
              />
            </span>
            <div>
              {/* The key renders a new element: a translator has replaced the text of the old one. */}
              <p key={at} className="tabular-nums font-semibold">
                {at ? before : plan}
                {at && <LocalTime at={at} format={note === nextNote ? "day" : "time"} />}
              </p>
              <p className="text-muted-foreground">{note}</p>
            </div>
          </li>
        ))}
      </ol>
      {deliveryTimes.sample && !past && (
        <p className="mt-2 text-sm text-muted-foreground">
          Times of delivery are the operator&apos;s estimate.
        </p>
      )}
    </section>
  );
}

/** Renders the last request and the next possible one, beside a visitor's wait on wide screens. */
export function WaitTimeline({ status }: { status: StatusReply | undefined }) {
  const { reason, nextAvailable } = status ?? {};
  if (reason !== "cooldown" || !nextAvailable) return null;
  const acceptedAt = new Date(Date.parse(nextAvailable) - limits.cooldownSeconds * 1_000).toISOString();
  const receipt = { acceptedAt, nextAvailable };
  return <Timeline past title="Why you wait" receipt={receipt} className="max-lg:hidden" />;
}
