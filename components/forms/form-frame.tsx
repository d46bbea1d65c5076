"use client";

import type { ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { ErrorSummary } from "@/components/forms/error-summary";
import type { FormSubmission } from "@/components/forms/use-form-submission";
import { Button } from "@/components/ui/button";
import { ToastOutlet } from "@/components/ui/toast-outlet";

export interface FormFrameProps<Input extends FieldValues> {
  submission: FormSubmission<Input>;
  /** Names the form for screen readers. */
  label: string;
  /** The words of the button, and those while the data is on its way. */
  action: { idle: string; sending: string };
  children: ReactNode;
}

/** What the contact-type forms have in common around their fields: error summary, human check, button, dialog, toast. */
export function FormFrame<Input extends FieldValues>({
  submission,
  label,
  action,
  children,
}: FormFrameProps<Input>) {
  const { summary, refusals, submit, check } = submission;
  return (
    <>
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
        <Button type="submit" size="lg" loading={check.sending}>
          {check.sending ? action.sending : action.idle}
        </Button>
      </form>
      <ToastOutlet />
    </>
  );
}
