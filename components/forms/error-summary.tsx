"use client";

import { useEffect, useId, useRef, type MouseEvent } from "react";
import { CircleAlertIcon } from "@/components/ui/icons";

export interface ErrorSummaryProps {
  /** What is wrong, in the order of the form; `fieldId` is the id of the control. */
  errors: readonly { fieldId: string; message: string }[];
  /** Counts the refused submissions: each one moves the focus here. */
  refusals: number;
}

/** Above the form after a refused submission: everything that is wrong, each with a link to its field. */
export function ErrorSummary({ errors, refusals }: ErrorSummaryProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const focusedFor = useRef(0);

  // After every render: the errors may come one render after the refusal.
  useEffect(() => {
    if (!box.current || focusedFor.current === refusals) return;
    focusedFor.current = refusals;
    box.current.focus();
  });

  if (errors.length === 0) return null;
  return (
    <div
      ref={box}
      role="group"
      aria-labelledby={id}
      tabIndex={-1}
      className="flex scroll-mt-4 gap-3 rounded border-2 border-destructive bg-destructive-soft px-4 py-3.5 text-foreground"
    >
      <CircleAlertIcon className="mt-0.5 text-destructive" />
      <div className="min-w-0 flex-1">
        <h2 id={id} className="text-lg">
          There is a problem
        </h2>
        <ul role="list" className="mt-1.5">
          {errors.map(({ fieldId, message }) => (
            <li key={fieldId}>
              <a
                href={`#${fieldId}`}
                onClick={(event) => goToField(event, fieldId)}
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

/** Focus without an entry in the history: Back should leave the page. */
function goToField(event: MouseEvent, fieldId: string) {
  event.preventDefault();
  document.getElementById(fieldId)?.focus();
}
