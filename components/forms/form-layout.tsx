"use client";

import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { Agreement } from "@/components/content/agreement";
import { ErrorSummary } from "@/components/forms/error-summary";
import { MessageReceived } from "@/components/forms/message-received";
import type { FormSubmission } from "@/components/forms/hooks/use-form-submission";
import { SubmitButton } from "@/components/ui/form/submit-button";
import { ToastOutlet } from "@/components/ui/toast/toast-outlet";

export interface FormLayoutProps {
  submission: Omit<FormSubmission, "field" | "fill">;
  label: string;
  /** Label of the submit button. During a request, the button shows `sending` instead. */
  action: string;
  sending: string;
  children: ReactNode;
}

/** Renders the parts that all forms share. After success, shows a confirmation instead of the form. */
export function FormLayout({ submission, label, action, sending, children }: FormLayoutProps) {
  const { summary, rejectionCount, failure, confirmation, showEmptyForm, submit, captcha } = submission;
  const { ref: form } = captcha.formProps;

  function startNextMessage() {
    // Renders synchronously, because the next line focuses a field of the new form.
    flushSync(showEmptyForm);
    form.current?.querySelector("input")?.focus();
  }

  return (
    <>
      {confirmation ? (
        <MessageReceived {...confirmation} onSendAnother={startNextMessage} />
      ) : (
        <form {...captcha.formProps} aria-label={label} onSubmit={submit} className="flex flex-col gap-5">
          <ErrorSummary errors={summary} rejectionCount={rejectionCount} />
          {children}
          {captcha.element}
          <SubmitButton
            sending={captcha.sending}
            sendingLabel={sending}
            failure={
              failure && (
                <>
                  <p>{failure.message}</p>
                  {failure.cause && <p className="mt-1">{failure.cause}</p>}
                  <p className="mt-1 text-muted-foreground">What you wrote is still here.</p>
                </>
              )
            }
          >
            {action}
          </SubmitButton>
          <Agreement />
        </form>
      )}
      <ToastOutlet />
    </>
  );
}
