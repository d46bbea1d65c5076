"use client";

import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import type { FieldValues } from "react-hook-form";
import { ErrorSummary } from "@/components/forms/error-summary";
import { MessageReceived } from "@/components/forms/message-received";
import type { FormSubmission, SubmissionFailure } from "@/components/forms/hooks/use-form-submission";
import { SubmitButton } from "@/components/ui/form/submit-button";
import { ToastOutlet } from "@/components/ui/toast/toast-outlet";

export interface FormLayoutProps<Input extends FieldValues> {
  submission: FormSubmission<Input>;
  /** Names the form for screen readers. */
  label: string;
  /** The words of the button, and those while the data is on its way. */
  action: { idle: string; sending: string };
  children: ReactNode;
}

/**
 * What the contact-type forms have in common around their fields: error summary, human check, button, dialog, toast, and
 * what takes their place once a message is kept.
 */
export function FormLayout<Input extends FieldValues>({
  submission,
  label,
  action,
  children,
}: FormLayoutProps<Input>) {
  const { summary, refusals, failure, kept, writeAnother, submit, check } = submission;
  const { ref: form } = check.formProps;

  function beginAnew() {
    // At once, so that the field that takes the focus is there.
    flushSync(writeAnother);
    form.current?.querySelector("input")?.focus();
  }

  return (
    <>
      {kept ? (
        <MessageReceived {...kept} onAnother={beginAnew} />
      ) : (
        <form
          {...check.formProps}
          aria-label={label}
          onSubmit={submit}
          // Room for the label above a control that a link of the summary leads to.
          className="flex flex-col gap-5 [&_:is(input,select,textarea)]:scroll-mt-16"
        >
          <ErrorSummary errors={summary} refusals={refusals} />
          {children}
          {check.element}
          <SubmitButton
            sending={check.sending}
            words={action.sending}
            failure={failure && <FailureWords {...failure} />}
          >
            {action.idle}
          </SubmitButton>
        </form>
      )}
      <ToastOutlet />
    </>
  );
}

function FailureWords({ words, cause }: SubmissionFailure) {
  return (
    <>
      <p>{words}</p>
      {cause && <p className="mt-1">{cause}</p>}
      <p className="mt-1 text-muted-foreground">What you wrote is still here.</p>
    </>
  );
}
