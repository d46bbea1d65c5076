"use client";

import { Button } from "@/components/ui/button";
import { CircleAlertIcon, CircleCheckIcon } from "lucide-react";

/** As a `ref`, focuses a new element. */
function focus(element: HTMLElement | null) {
  element?.focus();
}

export interface ErrorSummaryProps {
  /** Errors in the order of the form fields. `fieldId` is the id of the form control. */
  errors: readonly { fieldId: string; message: string }[];
  /** Number of rejected submissions. When the number increases, the summary receives the focus. */
  rejectionCount: number;
}

/** Renders a list of field errors. Each error is a link to its field. */
export function ErrorSummary({ errors, rejectionCount }: ErrorSummaryProps) {
  if (errors.length === 0) return null;
  return (
    <div
      key={rejectionCount}
      ref={focus}
      role="group"
      aria-labelledby="error-summary"
      tabIndex={-1}
      className="flex scroll-mt-6 flex-wrap gap-x-3 rounded border-2 border-destructive bg-destructive-soft px-4 py-3.5 text-foreground"
    >
      <CircleAlertIcon className="mt-0.5 text-destructive" />
      <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <h2 id="error-summary" className="text-h3">
          There is a problem
        </h2>
        <ul role="list" className="mt-1.5">
          {errors.map(({ fieldId, message }) => (
            <li key={fieldId}>
              <a
                href={`#${fieldId}`}
                onClick={(event) => {
                  // Following the link would add an entry to the browser history.
                  event.preventDefault();
                  focus(document.getElementById(fieldId));
                }}
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

interface MessageReceivedProps {
  title: string;
  /** Text before the email address, for example "Our answer comes by email to". */
  next: string;
  email: string;
  /** Height of the form in pixels. The confirmation is as high, so that the content below does not move. */
  height?: number;
  onSendAnother: () => void;
}

/** Renders the confirmation that replaces the form after success. Focuses the heading of the confirmation. */
export function MessageReceived({ title, next, email, height, onSendAnother }: MessageReceivedProps) {
  return (
    <div
      data-message
      style={{ minHeight: height }}
      className="flex animate-appear flex-col items-start gap-4"
    >
      <CircleCheckIcon className="size-10 text-success" />
      <div className="flex flex-col gap-1.5">
        <h3 ref={focus} tabIndex={-1} className="scroll-mt-20 outline-none">
          {title}
        </h3>
        <p className="text-muted-foreground">
          It is in our inbox. {next}{" "}
          <strong translate="no" className="font-semibold wrap-anywhere text-foreground">
            {email}
          </strong>
          . Is that address wrong? Then please send it once more.
        </p>
      </div>
      <Button variant="outline" onClick={onSendAnother}>
        Send another
      </Button>
    </div>
  );
}
