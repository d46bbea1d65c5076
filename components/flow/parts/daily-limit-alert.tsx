import { AddToCalendar } from "@/components/flow/parts/add-to-calendar";
import { LocalTime } from "@/components/flow/parts/local-time";
import { Alert } from "@/components/ui/alert";

export interface DailyLimitAlertProps {
  message: string;
  /** End of the GMT day (ISO date-time). Undefined if the page could not load today's usage. */
  resetsAt: string | undefined;
}

/** Says that today's likes are used up, and when visitors can request likes again. */
export function DailyLimitAlert({ message, resetsAt }: DailyLimitAlertProps) {
  return (
    <Alert variant="destructive" role="alert" title="Daily Limit Reached">
      <p>{message}</p>
      {resetsAt && (
        <div className="mt-1.5 flex flex-col items-start gap-3">
          <p>
            You can request likes again from{" "}
            <strong className="font-semibold">
              <LocalTime at={resetsAt} format="day" />
            </strong>
            .
          </p>
          <AddToCalendar at={resetsAt} />
        </div>
      )}
    </Alert>
  );
}
