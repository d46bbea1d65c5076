"use client";

import { useEffect, useRef, type MouseEvent } from "react";
import { CircleAlertIcon } from "lucide-react";

export interface ErrorSummaryProps {
  /** Errors in the order of the form fields. `fieldId` is the id of the form control. */
  errors: readonly { fieldId: string; message: string }[];
  /** Number of rejected submissions. When the number increases, the summary receives the focus. */
  rejectionCount: number;
}

/** Renders a list of field errors. Each error is a link to its field. */
export function ErrorSummary({ errors, rejectionCount }: ErrorSummaryProps) {
  const container = useRef<HTMLDivElement>(null);
  const lastRejectionCount = useRef(0);

  // The effect runs after every render, because `errors` may change one render later than `rejectionCount`.
  useEffect(() => {
    if (!container.current || lastRejectionCount.current === rejectionCount) return;
    lastRejectionCount.current = rejectionCount;
    container.current.focus();
  });

  if (errors.length === 0) return null;
  return (
    <div
      ref={container}
      role="group"
      aria-labelledby="error-summary"
      tabIndex={-1}
      className="flex scroll-mt-6 flex-wrap gap-x-3 rounded border-2 border-destructive bg-destructive-soft px-4 py-3.5 text-foreground"
    >
      <CircleAlertIcon className="mt-0.5 text-destructive" />
      <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <h2 id="error-summary" className="text-lg">
          There is a problem
        </h2>
        <ul role="list" className="mt-1.5">
          {errors.map(({ fieldId, message }) => (
            <li key={fieldId}>
              <a
                href={`#${fieldId}`}
                onClick={(event) => focusField(event, fieldId)}
                className="inline-block rounded py-1 font-medium text-destructive underline underline-offset-4 hover:decoration-2"
              >
                {message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Focuses a field. Does not follow the link, because the link would add an entry to the browser history. */
function focusField(event: MouseEvent, fieldId: string) {
  event.preventDefault();
  document.getElementById(fieldId)?.focus();
}
