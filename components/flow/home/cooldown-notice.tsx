import { useState } from "react";
import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { LocalTime } from "@/components/flow/parts/local-time";
import { Alert } from "@/components/ui/alert";
import { useStatus } from "@/lib/client/api/queries";
import { forgetOrder, useLastOrder } from "@/lib/client/browser/last-order";
import { useCountdown } from "@/lib/client/hooks/use-countdown";
import { describeTimeLeft, formatTimeLeft } from "@/lib/time/countdown";

/**
 * Renders the time of the visitor's next possible request, if this browser has requested likes before. When
 * `checked` becomes true, asks the server for this time, because the browser's clock may be wrong.
 */
export function CooldownNotice({ checked }: { checked: boolean }) {
  const order = useLastOrder();
  const { data: status } = useStatus(checked && order !== null);
  if (!order || status?.canRequest) return null;
  const deadline = status?.nextAvailable ?? order.nextAvailable;
  return <Notice key={deadline} deadline={deadline} statusTime={status?.serverTime} />;
}

interface NoticeProps {
  deadline: string;
  /** Server time in the status response. Undefined before this response. */
  statusTime: string | undefined;
}

function Notice({ deadline, statusTime }: NoticeProps) {
  const [browserTime, setBrowserTime] = useState(() => new Date().toISOString());
  const left = useCountdown({
    deadline,
    serverTime: statusTime ?? browserTime,
    onComplete: forgetOrder,
    onClockUncertain: () => setBrowserTime(new Date().toISOString()),
  });
  return (
    <Alert title="You have already requested your free likes.">
      <div className="flex flex-col items-start gap-3">
        <p>
          You can request more likes in{" "}
          <strong
            role="timer"
            aria-label={`Time left: ${describeTimeLeft(left)}`}
            className="figures font-semibold"
          >
            {formatTimeLeft(left)}
          </strong>
          , from <LocalTime at={deadline} format="day" />.
        </p>
        <AddToCalendar at={deadline} />
      </div>
    </Alert>
  );
}
