import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { LocalTime } from "@/components/flow/parts/local-time";
import { Alert } from "@/components/ui/alert";
import { requestStatus, useStatus } from "@/lib/client/api/queries";
import { forgetOrder, useLastOrder } from "@/lib/client/browser/last-order";
import { useCountdown } from "@/lib/client/hooks/use-countdown";
import { describeTimeLeft, formatTimeLeft } from "@/lib/time/countdown";

/**
 * Renders the time of the visitor's next possible request, if this browser has requested likes before. When
 * `checked` becomes true, asks the server for this time, because the visitor may have another cooldown.
 */
export function CooldownNotice({ checked }: { checked: boolean }) {
  const order = useLastOrder();
  const { data: status } = useStatus(checked && order !== null);
  if (!order || status?.canRequest) return null;
  const deadline = status?.nextAvailable ?? order.nextAvailable;
  return <Notice key={deadline} deadline={deadline} />;
}

function Notice({ deadline }: { deadline: string }) {
  const left = useCountdown({
    deadline,
    onComplete: forgetOrder,
    onClockUncertain: () => void requestStatus().catch(() => {}),
  });
  return (
    <Alert title="You have already requested your free likes.">
      <div className="flex flex-col items-start gap-3">
        <p>
          You can request more likes in{" "}
          <strong
            role="timer"
            aria-label={`Time left: ${describeTimeLeft(left)}`}
            className="tabular-nums font-semibold"
          >
            {formatTimeLeft(left)}
          </strong>
          , from <LocalTime at={deadline} format="day" besideCountdown />.
        </p>
        <AddToCalendar at={deadline} />
      </div>
    </Alert>
  );
}
